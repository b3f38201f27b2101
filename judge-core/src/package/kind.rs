//! `type` and `validation`: what kind of problem a package is.

use super::findings::Findings;
use super::yaml::Node;

const PATH: &str = "problem.yaml";

/// Properties of the problem that its judging turns on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kind {
    /// It is judged by a validator of its own and never by the default one.
    pub(super) wants_own_validator: bool,
    pub(super) is_interactive: bool,
    pub(super) is_multi_pass: bool,
    pub(super) is_scoring: bool,
}

/// Reads both keys; a kind that cannot be judged is refused by its name.
pub(super) fn read(kind_words: Vec<String>, validation: Vec<String>, yaml: &Node, findings: &mut Findings) -> Kind {
    let mut kind = Kind::default();
    for word in kind_words.into_iter().chain(validation) {
        match word.as_str() {
            "pass-fail" | "default" => {}
            "custom" => kind.wants_own_validator = true,
            "interactive" => (kind.is_interactive, kind.wants_own_validator) = (true, true),
            "multi-pass" => (kind.is_multi_pass, kind.wants_own_validator) = (true, true),
            "scoring" => kind.is_scoring = true,
            // `validation: custom score`: the validator may give scores, which only a scoring problem counts.
            "score" => kind.wants_own_validator = true,
            "submit-answer" => {
                let message = "submit-answer problems cannot be judged yet";
                findings.error("unsupported_submit_answer", PATH, message, "this version judges programs");
            }
            other => {
                let message = format!("`{other}` is no known kind of problem");
                findings.error("unknown_type", PATH, message, "see `type` and `validation`");
            }
        }
    }
    let objective = yaml.get("grading").and_then(|grading| grading.get("objective")).and_then(Node::text);
    if kind.is_scoring && objective == Some("min") {
        let message = "the fewest points are the best here; scores are shown, and ranked as if more were better";
        findings.warning("scoring_key_ignored", PATH, message, "turn the scores round if you can");
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::yaml::parse;

    fn kind(types: &str, validation: &str) -> (Kind, usize) {
        let mut findings = Findings::default();
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let kind = read(words(types), words(validation), &parse("{}").expect("well formed"), &mut findings);
        (kind, findings.into_list().len())
    }

    #[test]
    fn both_keys_say_it() {
        let both = Kind { wants_own_validator: true, is_interactive: true, is_multi_pass: true, is_scoring: false };
        assert_eq!(kind("interactive multi-pass", ""), (both, 0));
        assert_eq!(kind("", "custom interactive multi-pass"), (both, 0));
        assert_eq!(kind("pass-fail", "default"), (Kind::default(), 0));
        assert!(kind("scoring", "custom score").0.is_scoring);
        assert!(!kind("pass-fail", "custom score").0.is_scoring);
        assert_eq!(kind("quiz", "").1, 1);
        assert_eq!(kind("submit-answer", "").1, 1);
    }
}
