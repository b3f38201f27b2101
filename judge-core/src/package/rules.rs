//! `submissions.yaml` and the directories' own rules. (Problem Package Format 2025-09, "Example submissions".)

use agon_contract::verdict::Verdict;

use super::findings::{Findings, PackageError};
use super::model::PackageFormat;
use super::text;
use super::tree::Tree;
use super::yaml::{Node, Value};
use crate::domain::expectation::{CLASSES, Expectation, ExpectationRule, TimeLimitUse};
use crate::domain::glob;

const PATH: &str = "submissions/submissions.yaml";
const HARMLESS: &[&str] = &["authors", "model_solution", "entrypoint", "entry_point"];
const RULE_KEYS: &[&str] = &["permitted", "required", "use_for_time_limit", "score", "message"];

/// What is said about submissions by where they lie.
#[derive(Debug)]
pub(super) struct SubmissionRules {
    format: PackageFormat,
    is_scoring: bool,
    patterns: Vec<Pattern>,
}

/// One top-level key of `submissions.yaml`.
#[derive(Debug, Default)]
struct Pattern {
    glob: String,
    language: Option<String>,
    settings: Settings,
    /// By the glob over test cases.
    scoped: Vec<(String, Settings)>,
}

/// `use_for_time_limit`, where it is more than the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Neither,
    Lower,
    Upper,
}

/// Keys of a rule that are present.
#[derive(Clone, Debug, Default)]
struct Settings {
    permitted: Option<Vec<Verdict>>,
    required: Option<Vec<Verdict>>,
    time_limit: Option<Bound>,
    score: Option<(f64, f64)>,
    message: Option<String>,
}

impl Settings {
    /// The rule, with keys that are absent taken from `base`.
    fn rule(&self, scope: &str, base: Option<&ExpectationRule>) -> ExpectationRule {
        let permitted = self.permitted.clone().or_else(|| base.map(|base| base.permitted.clone()));
        let required = self.required.clone().or_else(|| base.map(|base| base.required.clone()));
        ExpectationRule {
            scope: scope.to_owned(),
            permitted: permitted.unwrap_or_else(|| CLASSES.to_vec()),
            required: required.unwrap_or_default(),
            score: self.score.or_else(|| base.and_then(|base| base.score)),
            message: self.message.clone().or_else(|| base.and_then(|base| base.message.clone())),
        }
    }

    fn says_something(&self) -> bool {
        let says_verdicts = self.permitted.is_some() || self.required.is_some() || self.time_limit.is_some();
        says_verdicts || self.score.is_some() || self.message.is_some()
    }
}

impl SubmissionRules {
    /// Reads the file if there is one.
    pub(super) fn read(
        tree: &Tree,
        format: PackageFormat,
        is_scoring: bool,
        findings: &mut Findings,
    ) -> Result<Self, PackageError> {
        let mut rules = Self { format, is_scoring, patterns: Vec::new() };
        let Some(file) = tree.get(PATH) else { return Ok(rules) };
        let Some(yaml) = text::read_yaml(PATH, file, findings)? else { return Ok(rules) };
        for entry in yaml.entries().unwrap_or_default() {
            rules.patterns.push(pattern(&entry.key, &entry.node, findings));
        }
        Ok(rules)
    }

    /// Top-level keys of `submissions.yaml` that match none of these submissions.
    pub(super) fn without_use<'a>(&'a self, paths: &'a [String]) -> impl Iterator<Item = &'a str> {
        let is_used = |pattern: &&Pattern| {
            paths.iter().any(|path| glob::covers(&pattern.glob, path))
                || ExpectationRule::of_directory(&pattern.glob, self.format.is_legacy()).is_some()
        };
        self.patterns.iter().filter(move |pattern| !is_used(pattern)).map(|pattern| pattern.glob.as_str())
    }

    /// The language code stated for a submission.
    pub(super) fn language(&self, path: &str) -> Option<&str> {
        self.covering(path).rev().find_map(|pattern| pattern.language.as_deref())
    }

    /// What a submission is expected to do, and what it says about the time limit.
    pub(super) fn expectation(&self, path: &str) -> (Expectation, TimeLimitUse) {
        let directory = path.split('/').next().unwrap_or_default();
        let default = ExpectationRule::of_directory(directory, self.format.is_legacy());
        let replaced = self.patterns.iter().find(|pattern| default.is_some() && pattern.glob == directory);
        let (mut rules, mut using) = (Vec::new(), TimeLimitUse::default());
        let mut add = |settings: &Settings, scope: &str, base: Option<&ExpectationRule>| {
            let rule = settings.rule(scope, base);
            match settings.time_limit {
                None => {
                    let usual = rule.time_limit_use();
                    using.bounds_from_below.extend(usual.bounds_from_below);
                    using.bounds_from_above.extend(usual.bounds_from_above);
                }
                Some(Bound::Lower) => using.bounds_from_below.push(scope.to_owned()),
                Some(Bound::Upper) => using.bounds_from_above.push(scope.to_owned()),
                Some(Bound::Neither) => {}
            }
            rules.push(rule);
        };
        if let Some(default) = &default {
            add(&replaced.map(|pattern| pattern.settings.clone()).unwrap_or_default(), "", Some(default));
        }
        for pattern in self.covering(path) {
            let is_replacement = replaced.is_some_and(|replaced| std::ptr::eq(replaced, pattern));
            if pattern.settings.says_something() && !is_replacement {
                add(&pattern.settings, "", None);
            }
            for (scope, settings) in &pattern.scoped {
                add(settings, scope, None);
            }
        }
        if self.format.is_legacy() {
            using.bounds_from_below = if directory == "accepted" { vec![String::new()] } else { Vec::new() };
        }
        if self.format.is_legacy()
            && self.is_scoring
            && let Some(graded) = graded_expectation(directory)
        {
            return (graded, using);
        }
        if rules.is_empty() {
            return (Expectation::of_other_directory(directory).unwrap_or(Expectation::Unstated), using);
        }
        (Expectation::Runs(rules), using)
    }

    fn covering<'a, 'b>(&'a self, path: &'b str) -> impl DoubleEndedIterator<Item = &'a Pattern> + use<'a, 'b> {
        self.patterns.iter().filter(move |pattern| glob::covers(&pattern.glob, path))
    }
}

/// Where a grader decides, directories speak of what it comes to. (legacy scoring)
fn graded_expectation(directory: &str) -> Option<Expectation> {
    let verdict = match directory {
        "accepted" => Verdict::Accepted,
        "partially_accepted" => return Some(Expectation::Partial),
        "wrong_answer" => Verdict::WrongAnswer,
        "time_limit_exceeded" => Verdict::TimeLimit,
        "run_time_error" => Verdict::RunTimeError,
        _ => return None,
    };
    Some(Expectation::Final(vec![verdict]))
}

fn pattern(glob: &str, node: &Node, findings: &mut Findings) -> Pattern {
    let mut pattern = Pattern { glob: glob.to_owned(), ..Pattern::default() };
    let Some(entries) = node.entries() else {
        let message = format!("line {}: `{glob}` must hold keys", node.line);
        findings.error("yaml_invalid", PATH, message, "see the format's specification");
        return pattern;
    };
    pattern.settings = settings(node, findings);
    for entry in entries {
        let key = entry.key.as_str();
        if key == "language" {
            pattern.language = entry.node.text().map(str::to_owned);
        } else if key.starts_with("sample") || key.starts_with("secret") || key.starts_with("{s") {
            pattern.scoped.push((key.to_owned(), settings(&entry.node, findings)));
        } else if !HARMLESS.contains(&key) && !RULE_KEYS.contains(&key) {
            let message = format!("line {}: `{key}` is no known key and is ignored", entry.line);
            findings.warning("unknown_key", PATH, message, "remove it or correct its spelling");
        }
    }
    pattern
}

fn settings(node: &Node, findings: &mut Findings) -> Settings {
    let mut settings = Settings {
        permitted: verdicts(node, "permitted", findings),
        required: verdicts(node, "required", findings),
        time_limit: None,
        score: score(node, findings),
        message: node.get("message").and_then(Node::text).map(str::to_owned),
    };
    if let Some(using) = node.get("use_for_time_limit") {
        match (using.boolean(), using.text()) {
            (Some(false), _) => settings.time_limit = Some(Bound::Neither),
            (Some(true), _) => {}
            (None, Some("lower")) => {
                settings.permitted.get_or_insert(vec![Verdict::Accepted, Verdict::WrongAnswer, Verdict::RunTimeError]);
                settings.time_limit = Some(Bound::Lower);
            }
            (None, Some("upper")) => {
                settings.required.get_or_insert(vec![Verdict::TimeLimit]);
                settings.time_limit = Some(Bound::Upper);
            }
            (None, _) => {
                let message = format!("line {}: `use_for_time_limit` must be true, false, lower or upper", using.line);
                findings.error("yaml_invalid", PATH, message, "");
            }
        }
    }
    settings
}

/// One number, or the least and the most.
fn score(node: &Node, findings: &mut Findings) -> Option<(f64, f64)> {
    let value = node.get("score")?;
    let numbers: Option<Vec<f64>> = match (value.number(), &value.value) {
        (Some(number), _) => Some(vec![number, number]),
        (None, Value::Sequence(nodes)) => nodes.iter().map(Node::number).collect(),
        (None, Value::Scalar { .. } | Value::Mapping(_)) => None,
    };
    if let Some([least, most]) = numbers.as_deref() {
        return Some((*least, *most));
    }
    let message = format!("line {}: `score` must be a number, or a list of the least and the most", value.line);
    findings.error("yaml_invalid", PATH, message, "");
    None
}

fn verdicts(node: &Node, key: &str, findings: &mut Findings) -> Option<Vec<Verdict>> {
    let value = node.get(key)?;
    let verdicts: Option<Vec<Verdict>> = value.words().and_then(|words| {
        let known = |word: String| CLASSES.iter().find(|verdict| verdict.as_str() == word).cloned();
        words.into_iter().map(known).collect()
    });
    if verdicts.is_none() {
        let message = format!("line {}: `{key}` must list some of AC, WA, TLE, RTE", value.line);
        findings.error("yaml_invalid", PATH, message, "");
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::yaml::parse;

    fn rules(text: &str) -> SubmissionRules {
        let mut findings = Findings::default();
        let yaml = parse(text).expect("well formed");
        let entries = yaml.entries().expect("keys");
        let patterns = entries.iter().map(|entry| pattern(&entry.key, &entry.node, &mut findings)).collect();
        assert!(findings.into_list().is_empty());
        SubmissionRules { format: PackageFormat::V2025, is_scoring: false, patterns }
    }

    #[test]
    fn a_directory_key_replaces_and_a_glob_adds() {
        use Verdict::{Accepted as Ac, TimeLimit as Tle, WrongAnswer as Wa};
        let rules = rules(
            "time_limit_exceeded:\n  permitted: [AC, WA, TLE]\n\
             time_limit_exceeded/*:\n  permitted: [AC, TLE]\n  use_for_time_limit: false\n  language: cpp\n",
        );
        let (expected, using) = rules.expectation("time_limit_exceeded/slow.cpp");
        let replaced = ExpectationRule::over_all(&[Ac, Wa, Tle], &[Tle]);
        let added = ExpectationRule::over_all(&[Ac, Tle], &[]);
        assert_eq!(expected, Expectation::Runs(vec![replaced, added]));
        assert_eq!(using.bounds_from_above, [""], "only the added rule opts out");
        assert_eq!(rules.language("time_limit_exceeded/slow.cpp"), Some("cpp"));
        assert_eq!(rules.language("accepted/a.cpp"), None);
    }

    #[test]
    fn test_groups_are_scopes() {
        let rules = rules("mixed/a.py:\n  sample: {permitted: [AC]}\n  secret/g2: {required: [TLE]}\n");
        let (expected, using) = rules.expectation("mixed/a.py");
        let Expectation::Runs(rules) = expected else { panic!("{expected:?}") };
        assert_eq!(rules.iter().map(|rule| rule.scope.as_str()).collect::<Vec<_>>(), ["sample", "secret/g2"]);
        assert_eq!(using.bounds_from_below, ["sample"], "in the group it may be slow or not");
        assert_eq!(using.bounds_from_above, ["secret/g2"]);
    }

    #[test]
    fn points_and_messages_are_read() {
        let rules = rules("partial/*:\n  score: [10, 20.5]\n  message: close\n  secret/g: {score: 7}\n");
        let (expected, _) = rules.expectation("partial/a.py");
        let Expectation::Runs(rules) = expected else { panic!("{expected:?}") };
        assert_eq!((rules[0].score, rules[0].message.as_deref()), (Some((10.0, 20.5)), Some("close")));
        assert_eq!((rules[1].scope.as_str(), rules[1].score), ("secret/g", Some((7.0, 7.0))));
        let graded = SubmissionRules { format: PackageFormat::Legacy, is_scoring: true, patterns: Vec::new() };
        assert_eq!(graded.expectation("partially_accepted/a.py").0, Expectation::Partial);
        let (accepted, using) = graded.expectation("accepted/a.py");
        assert_eq!(
            (accepted, using.bounds_from_below),
            (Expectation::Final(vec![Verdict::Accepted]), vec![String::new()])
        );
    }

    #[test]
    fn without_the_file_the_directory_speaks() {
        let rules = rules("{}");
        let (accepted, using) = rules.expectation("accepted/a.cpp");
        assert_eq!(accepted.final_verdicts(), [Verdict::Accepted]);
        assert_eq!(using.bounds_from_below, [""]);
        assert_eq!(rules.expectation("mixed/a.cpp").0, Expectation::Unstated);
        assert_eq!(rules.expectation("compiler_error/a.cpp").0, Expectation::Final(vec![Verdict::CompileError]));
    }
}
