//! Example submissions: which files belong together, in which language, and what they are expected to do.

use std::collections::BTreeMap;
use std::fs;

use agon_contract::ids::LanguageId;

use super::findings::{Findings, PackageError};
use super::model::{PackageFormat, PackageSubmission, SubmissionFile};
use super::rules::SubmissionRules;
use super::tree::{Tree, TreeFile};
use crate::domain::expectation::{Expectation, annotated};
use crate::domain::language::{language_for_files, languages};

/// Sources longer than this hold no annotation worth finding.
const SOURCE_BYTES_CAP: u64 = 1024 * 1024;

/// Reads `submissions/`; a file or folder that no language of the table takes is kept and said.
pub(super) fn read(
    tree: &Tree,
    format: PackageFormat,
    is_scoring: bool,
    findings: &mut Findings,
) -> Result<Vec<PackageSubmission>, PackageError> {
    let rules = SubmissionRules::read(tree, format, is_scoring, findings)?;
    let mut groups: BTreeMap<String, Vec<(&str, &TreeFile)>> = BTreeMap::new();
    for (name, file) in tree.under("submissions") {
        let mut parts = name.splitn(3, '/');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(directory), Some(program), Some(rest)) => {
                groups.entry(format!("{directory}/{program}")).or_default().push((rest, file));
            }
            (Some(_), Some(program), None) => groups.entry(name.to_owned()).or_default().push((program, file)),
            _ => {}
        }
    }
    let paths: Vec<String> = groups.keys().cloned().collect();
    for glob in rules.without_use(&paths) {
        let message = format!("`{glob}` matches no submission");
        findings.warning("rule_without_use", "submissions/submissions.yaml", message, "correct its spelling");
    }
    let mut submissions = Vec::new();
    for (path, files) in groups {
        submissions.push(submission(path, &files, &rules, findings)?);
    }
    Ok(submissions)
}

fn submission(
    path: String,
    files: &[(&str, &TreeFile)],
    rules: &SubmissionRules,
    findings: &mut Findings,
) -> Result<PackageSubmission, PackageError> {
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    let language = match rules.language(&path) {
        Some(code) => language_by_code(code),
        None if is_python_2(files)? => None,
        None => language_for_files(&names).map(|language| language.id.clone()),
    };
    if language.is_none() {
        let message = "no language of this version takes it, so it cannot be run";
        findings.note("submission_language_unknown", &format!("submissions/{path}"), message);
    }
    let (expected, time_limit_use) = rules.expectation(&path);
    let expected = match expected {
        Expectation::Unstated => annotation(&path, files, findings)?,
        stated @ (Expectation::Runs(_) | Expectation::Final(_) | Expectation::Partial) => stated,
    };
    let files = files.iter().map(|(name, file)| SubmissionFile { name: (*name).to_owned(), path: file.path.clone() });
    Ok(PackageSubmission { path, files: files.collect(), language, expected, time_limit_use })
}

/// Legacy packages tell Python 2 from 3 by the first line of the source.
fn is_python_2(files: &[(&str, &TreeFile)]) -> Result<bool, PackageError> {
    for (_, file) in files.iter().filter(|(name, file)| name.ends_with(".py") && file.bytes <= SOURCE_BYTES_CAP) {
        let bytes =
            fs::read(&file.path).map_err(|source| PackageError::OpenSource { path: file.path.clone(), source })?;
        let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        if line.starts_with(b"#!") && line.windows(b"python2".len()).any(|word| word == b"python2") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The newest row that a code of the format's language table names.
fn language_by_code(code: &str) -> Option<LanguageId> {
    let is_named = |codes: &[String]| codes.iter().any(|known| known == code);
    let row = languages().iter().rev().find(|language| is_named(&language.package_codes))?;
    Some(row.id.clone())
}

/// `@EXPECTED_RESULTS@` in one of the sources.
fn annotation(path: &str, files: &[(&str, &TreeFile)], findings: &mut Findings) -> Result<Expectation, PackageError> {
    for (_, file) in files.iter().filter(|(_, file)| file.bytes <= SOURCE_BYTES_CAP) {
        let bytes =
            fs::read(&file.path).map_err(|source| PackageError::OpenSource { path: file.path.clone(), source })?;
        match annotated(&bytes) {
            None => {}
            Some(Ok(verdicts)) => return Ok(Expectation::Final(verdicts)),
            Some(Err(word)) => {
                let message = format!("`{word}` in @EXPECTED_RESULTS@ is no known result");
                findings.warning("expected_results_unknown", &format!("submissions/{path}"), message, "");
            }
        }
    }
    Ok(Expectation::Unstated)
}
