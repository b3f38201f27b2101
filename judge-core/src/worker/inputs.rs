//! From stored facts to what a judging takes.

use std::sync::Arc;

use agon_contract::submission::SourceFile;

use crate::domain::facts::ProblemFacts;
use crate::domain::language::Language;
use crate::judging::{JudgeCase, JudgeableProblem, Program, ProgramFile, language_by_id};
use crate::owner::catalog::{CasesError, Catalog};
use crate::store::FolderError;

/// Why a stored piece of work cannot be judged.
#[derive(Debug, thiserror::Error)]
pub(super) enum InputError {
    #[error("the language {id} is not in this program's table")]
    LanguageUnknown { id: String },
    #[error("the test cases cannot be read")]
    Cases(#[from] CasesError),
    #[error("the sources cannot be read")]
    Sources(#[from] FolderError),
}

pub(super) fn program(
    language_id: &agon_contract::ids::LanguageId,
    files: Vec<SourceFile>,
) -> Result<Program, InputError> {
    let language =
        language_by_id(language_id).ok_or_else(|| InputError::LanguageUnknown { id: language_id.to_string() })?;
    Ok(program_in(language, files))
}

/// The program in the language as it was defined when the work was made.
pub(super) fn program_in(language: &Arc<Language>, files: Vec<SourceFile>) -> Program {
    let files = files.into_iter().map(|file| ProgramFile { name: file.name, bytes: file.text.into_bytes() });
    Program { language: Arc::clone(language), files: files.collect() }
}

/// The problem as its facts say, over these cases.
pub(super) async fn problem(
    catalog: &Catalog,
    facts: &ProblemFacts,
    cases: Vec<JudgeCase>,
) -> Result<JudgeableProblem, InputError> {
    Ok(JudgeableProblem {
        limits: facts.limits.clone(),
        validator: facts.validator.clone(),
        rules: facts.rules.clone(),
        contents: catalog.jury_contents(&facts.version_id).await?,
        cases,
    })
}
