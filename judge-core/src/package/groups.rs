//! Settings of test data groups and single cases, as far as they bear on judging: arguments of the validator, and
//! what has to be refused.

use std::collections::HashMap;

use super::findings::Findings;
use super::scoring::ScoringSettings;
use super::yaml::{Entry, Node};

/// Keys that may stand in any version's group or case file and change nothing here.
const HARMLESS: &[&str] = &[
    "grading",
    "input_validator_flags",
    "input_validator_args",
    "input_visualizer_args",
    "output_visualizer_args",
    "full_feedback",
    "hint",
    "description",
    "objective",
];
/// Validator arguments by folder or case name.
#[derive(Debug, Default)]
pub(super) struct GroupSettings {
    validator_words: HashMap<String, Vec<String>>,
    /// Command lines of the submission.
    args: HashMap<String, Vec<String>>,
    scoring: ScoringSettings,
}

impl GroupSettings {
    /// Takes the settings file at `path` for `owner`: a folder such as `data/secret/g1`, or a case.
    pub(super) fn take(&mut self, owner: &str, path: &str, yaml: &Node, findings: &mut Findings) {
        let Some(entries) = yaml.entries() else {
            findings.error("yaml_invalid", path, "the file holds no keys", "see the format's specification");
            return;
        };
        let is_of_folder = path.strip_prefix(owner).is_some_and(|rest| rest.starts_with('/'));
        if is_of_folder {
            self.scoring.note_file(owner, path);
        }
        for entry in entries {
            if is_of_folder && self.scoring.take(owner, path, entry, findings) {
                continue;
            }
            match entry.key.as_str() {
                "output_validator_flags" | "output_validator_args" => match entry.node.words() {
                    Some(words) => {
                        self.validator_words.insert(owner.to_owned(), words);
                    }
                    None => invalid(path, entry, findings),
                },
                "args" => match entry.node.words() {
                    Some(words) => {
                        self.args.insert(owner.to_owned(), words);
                    }
                    None => invalid(path, entry, findings),
                },
                _ => refuse(path, entry, findings),
            }
        }
    }

    /// What was said about points.
    pub(super) fn into_scoring(self) -> ScoringSettings {
        self.scoring
    }

    /// The arguments of a case: its own, else those of the nearest folder that has some.
    pub(super) fn validator_words(&self, case: &str) -> &[String] {
        nearest(&self.validator_words, case)
    }

    /// The submission's command line in a case, inherited likewise.
    pub(super) fn args(&self, case: &str) -> &[String] {
        nearest(&self.args, case)
    }
}

fn nearest<'a>(by_owner: &'a HashMap<String, Vec<String>>, case: &str) -> &'a [String] {
    let mut owner = case;
    loop {
        if let Some(words) = by_owner.get(owner) {
            return words;
        }
        match owner.rsplit_once('/') {
            Some((folder, _)) => owner = folder,
            None => return &[],
        }
    }
}

fn invalid(path: &str, entry: &Entry, findings: &mut Findings) {
    let message = format!("line {}: `{}` must be a text or a list of texts", entry.line, entry.key);
    findings.error("yaml_invalid", path, message, "see the format's specification");
}

fn refuse(path: &str, entry: &Entry, findings: &mut Findings) {
    let Entry { key, line, node } = entry;
    let mut unsupported = |code, what: &str| {
        findings.error(code, path, format!("line {line}: {what}"), "this version cannot judge it with them");
    };
    match key.as_str() {
        _ if node.is_null() => {}
        "grading" if node.text() == Some("custom") => unsupported("unsupported_grader", "custom grading"),
        "static_validation_score" | "static_validator_args" => {
            unsupported("unsupported_static_validator", "static validators cannot be run yet");
        }
        harmless if HARMLESS.contains(&harmless) => {}
        unknown => {
            let message = format!("line {line}: `{unknown}` is no known key and is ignored");
            findings.warning("unknown_key", path, message, "remove it or correct its spelling");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::yaml::parse;

    #[test]
    fn the_nearest_folder_wins() {
        let (mut settings, mut findings) = (GroupSettings::default(), Findings::default());
        let mut take = |owner: &str, text: &str| {
            settings.take(owner, &format!("{owner}/f"), &parse(text).expect("well formed"), &mut findings);
        };
        take("data", "output_validator_flags: float_tolerance 1e-6");
        take("data/secret/g1", "output_validator_args: [case_sensitive]");
        take("data/secret/g1/2", "output_validator_args: []");
        assert_eq!(settings.validator_words("data/secret/x/1"), ["float_tolerance", "1e-6"]);
        assert_eq!(settings.validator_words("data/secret/g1/sub/1"), ["case_sensitive"]);
        assert!(settings.validator_words("data/secret/g1/2").is_empty());
        assert!(findings.into_list().is_empty());
    }

    #[test]
    fn what_would_change_the_verdict_is_refused() {
        for (text, code) in [
            ("grading: custom", "unsupported_grader"),
            ("args: {a: b}", "yaml_invalid"),
            ("static_validation_score: 10", "unsupported_static_validator"),
            ("outptu_validator_args: []", "unknown_key"),
            ("max_score: some", "scoring_invalid"),
            ("output_validator_args: {a: b}", "yaml_invalid"),
        ] {
            let (mut settings, mut findings) = (GroupSettings::default(), Findings::default());
            settings.take("data", "data/f", &parse(text).expect("well formed"), &mut findings);
            let list = findings.into_list();
            assert_eq!((list.len(), list[0].code.as_str()), (1, code), "{text}");
        }
        let (mut settings, mut findings) = (GroupSettings::default(), Findings::default());
        settings.take(
            "data",
            "data/f",
            &parse("on_reject: break\ngrader_flags: first_error\nargs: []").expect("ok"),
            &mut findings,
        );
        assert!(findings.into_list().is_empty());
    }
}
