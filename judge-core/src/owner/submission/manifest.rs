//! The sealed manifest: hashes of everything a verdict depends on.

use agon_contract::submission::{ManifestView, SourceFile};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::domain::facts::{FactsSnapshot, LanguageFacts, ProblemFacts};
use crate::domain::language::Language;
use crate::domain::limits::EffectiveLimits;
use crate::domain::rules::JudgingRules;

/// Raised whenever the rules that turn outcomes into verdicts change.
pub(crate) const POLICY_VERSION: u32 = 1;

/// Everything a verdict depends on. Sealed with the submission as it is meant to be judged, and stored with each
/// judgement as it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub sources_hash: String,
    pub package_hash: String,
    pub data_hash: String,
    pub validator_hash: String,
    pub language_hash: String,
    pub policy_version: u32,
    /// Sealed: the image this program judges in; made with: the image that was used. Empty in old rows.
    #[serde(default)]
    pub image: String,
    /// In the submission's language. Absent in old rows.
    #[serde(default)]
    pub limits: Option<EffectiveLimits>,
}

impl Manifest {
    pub(crate) fn seal(facts: &FactsSnapshot, language: &LanguageFacts, files: &[SourceFile], image: &str) -> Self {
        let (hash, percent) = (language.hash.clone(), language.time_multiplier_percent);
        Self::of(&facts.problem, sources_hash(files), hash, percent, image)
    }

    /// What a judging is made with: the sealed sources, by these facts, in this language, in this image.
    pub(crate) fn made_with(&self, problem: &ProblemFacts, language: &Language, image: &str) -> Self {
        let percent = language.time_multiplier_percent;
        Self::of(problem, self.sources_hash.clone(), language.hash(), percent, image)
    }

    fn of(problem: &ProblemFacts, sources_hash: String, language_hash: String, percent: u32, image: &str) -> Self {
        let mut validator = format!("default validator {}", problem.validator.words().join(" "));
        if problem.rules != JudgingRules::default() {
            validator = serde_json::to_string(&(&problem.rules, validator)).expect("rules are plain data");
        }
        Self {
            sources_hash,
            package_hash: problem.package_hash.clone(),
            data_hash: problem.data_hash.clone(),
            validator_hash: format!("{:x}", Sha256::digest(validator)),
            language_hash,
            policy_version: POLICY_VERSION,
            image: image.to_owned(),
            limits: Some(problem.limits.with_time_multiplier(percent)),
        }
    }
}

impl From<Manifest> for ManifestView {
    fn from(manifest: Manifest) -> Self {
        Self {
            sources_hash: manifest.sources_hash,
            package_hash: manifest.package_hash,
            data_hash: manifest.data_hash,
            validator_hash: manifest.validator_hash,
            language_hash: manifest.language_hash,
            policy_version: manifest.policy_version,
            image: manifest.image,
        }
    }
}

/// Hex SHA-256 over names and texts in order, each with its length before it, so that no two lists look alike.
pub(crate) fn sources_hash(files: &[SourceFile]) -> String {
    let mut hasher = Sha256::new();
    for file in files {
        feed(&mut hasher, &file.name);
        feed(&mut hasher, &file.text);
    }
    format!("{:x}", hasher.finalize())
}

/// Hex SHA-256 of what a person asked for; the same key with another fingerprint is a conflict.
pub(crate) fn fingerprint(parts: &[&str], files: &[SourceFile]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        feed(&mut hasher, part);
    }
    feed(&mut hasher, &sources_hash(files));
    format!("{:x}", hasher.finalize())
}

fn feed(hasher: &mut Sha256, text: &str) {
    hasher.update((text.len() as u64).to_be_bytes());
    hasher.update(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> SourceFile {
        SourceFile { name: name.into(), text: text.into() }
    }

    #[test]
    fn moving_a_byte_between_fields_changes_the_hash() {
        let hashes: std::collections::BTreeSet<String> = [
            vec![file("a", "bc")],
            vec![file("ab", "c")],
            vec![file("a", "b"), file("c", "")],
            vec![file("c", ""), file("a", "b")],
        ]
        .iter()
        .map(|files| sources_hash(files))
        .collect();
        assert_eq!(hashes.len(), 4);
        assert_ne!(fingerprint(&["p", "cpp"], &[]), fingerprint(&["pc", "pp"], &[]));
    }
}
