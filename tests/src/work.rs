//! Clients at work on one server, writing down what they are promised.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agon_contract::command::{CancelPreview, GetSubmission, ImportPackage, SaveDraft, StartPreview, Submit};
use agon_contract::execution::PreviewCases;
use agon_contract::ids::{IdempotencyKey, LanguageId, ProblemId, SubmissionId};
use agon_contract::submission::{SourceFile, Stage, SubmissionDetail};

use crate::client::{Broken, Client};
use crate::problem::{write_sums, zip};
use crate::programs::RIGHT_IN_C;
use crate::promises::{Kept, Ledger, Seen, draft_text, source_of};

/// A client's hands: every answer that promises something is written into the ledger, which clones share.
#[derive(Clone, Debug)]
pub struct Work {
    pub client: Client,
    pub ledger: Arc<Mutex<Ledger>>,
}

/// Writes the package of the problem that clients work on, zipped: two secret cases, sources of up to 1 MiB.
///
/// # Panics
/// It cannot be written.
#[must_use]
pub fn package(folder: &Path) -> std::path::PathBuf {
    let package = write_sums(folder, 2);
    let yaml = std::fs::read_to_string(package.join("problem.yaml")).expect("readable");
    std::fs::write(package.join("problem.yaml"), format!("{yaml}  code: 1024\n")).expect("writable");
    zip(&package)
}

impl Work {
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn promised(&self, port: u16, kept: Kept) {
        self.ledger().promised(port, kept);
    }

    /// Imports a zipped package.
    ///
    /// # Errors
    /// [`Broken`].
    pub fn import(&self, package: &Path) -> Result<ProblemId, Broken> {
        let source = self.client.upload(package)?;
        let heard = self.client.call(&ImportPackage { source, replace_existing: true })?;
        let id = heard.answer.problem_id;
        let slug = heard.answer.report.problem.map(|problem| problem.slug).unwrap_or_default();
        self.promised(heard.port, Kept::Problem { id: id.clone(), slug });
        Ok(id)
    }

    /// Hands in a C program.
    ///
    /// # Errors
    /// [`Broken`].
    pub fn submit(&self, problem: &ProblemId, key: &str, program: &str, filler: usize) -> Result<SubmissionId, Broken> {
        let text = source_of(key, program, filler);
        self.ledger().sent.insert(key.to_owned(), text.clone());
        let heard = self.client.call(&Submit {
            idempotency_key: IdempotencyKey::from(key),
            problem_id: problem.clone(),
            language_id: LanguageId::from("c"),
            files: vec![SourceFile { name: "main.c".into(), text }],
        })?;
        let receipt = heard.answer;
        let kept = Kept::Submission { id: receipt.submission_id.clone(), number: receipt.number, key: key.to_owned() };
        self.promised(heard.port, kept);
        Ok(receipt.submission_id)
    }

    /// Saves a draft. Serials of one language grow.
    ///
    /// # Errors
    /// [`Broken`].
    pub fn draft(&self, problem: &ProblemId, language: &str, serial: u64, filler: usize) -> Result<(), Broken> {
        let language_id = LanguageId::from(language);
        let (problem_id, text) = (problem.clone(), draft_text(serial, filler));
        let save =
            SaveDraft { problem_id: problem_id.clone(), language_id: language_id.clone(), text, based_on_ms: None };
        let heard = self.client.call(&save)?;
        self.promised(heard.port, Kept::Draft { problem_id, language_id, serial });
        Ok(())
    }

    /// Starts a preview and cancels it.
    ///
    /// # Errors
    /// [`Broken`].
    pub fn preview(&self, problem: &ProblemId, key: &str) -> Result<(), Broken> {
        let heard = self.client.call(&StartPreview {
            idempotency_key: IdempotencyKey::from(key),
            problem_id: problem.clone(),
            language_id: LanguageId::from("c"),
            files: vec![SourceFile { name: "main.c".into(), text: RIGHT_IN_C.into() }],
            cases: PreviewCases::Custom { input: "1 2\n".into() },
        })?;
        let id = heard.answer.id;
        self.promised(heard.port, Kept::Preview { id: id.clone() });
        self.client.call(&CancelPreview { preview_id: id })?;
        Ok(())
    }

    /// Looks at a submission; what was seen is promised.
    ///
    /// # Errors
    /// [`Broken`].
    pub fn look(&self, id: &SubmissionId) -> Result<SubmissionDetail, Broken> {
        let heard = self.client.call(&GetSubmission { submission_id: id.clone() })?;
        let seen = heard.answer.judgements.iter().map(Seen::from).collect();
        self.promised(heard.port, Kept::Judgements { id: id.clone(), seen });
        Ok(heard.answer)
    }

    /// Whether the newest judging of a submission has ended.
    ///
    /// # Errors
    /// [`Broken`].
    pub fn is_finished(&self, id: &SubmissionId) -> Result<bool, Broken> {
        Ok(self.look(id)?.summary.progress.stage == Stage::Finished)
    }
}
