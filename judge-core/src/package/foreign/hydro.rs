//! Hydro's problems: `testdata/config.yaml` beside pairs of files, or the test data alone. (formats §7.3)
//!
//! Always with points, 100 in all. What the configuration asks for and cannot be had (a checker, an interactor, files) is
//! refused by its name. The usual comparison ignores blanks at the ends of lines and empty lines at the end.

use std::collections::BTreeMap;

use super::{Known, Parts, Stated, bare, slug_of};
use crate::domain::rules::{CaseRules, Checker};
use crate::domain::scoring::ScoringRules;
use crate::domain::scoring::groups::{Group, GroupRule, Share};
use crate::package::findings::{Findings, PackageError};
use crate::package::metadata::Metadata;
use crate::package::model::PackageFormat;
use crate::package::text;
use crate::package::tree::{Tree, TreeFile};
use crate::package::yaml::{Node, Value};

pub(super) const DATA: &str = "testdata";
const CONFIGS: [&str; 2] = ["config.yaml", "config.yml"];
/// Of the whole problem.
const TOTAL: f64 = 100.0;
/// Keys that change how outputs are judged in a way that this version does not know.
const REFUSED: [&str; 8] =
    ["checker", "interactor", "manager", "filename", "user_extra_files", "multi_pass", "answers", "num_processes"];

/// The files are Hydro's.
pub(super) fn is_one(files: &BTreeMap<String, TreeFile>) -> bool {
    let has_data = files.keys().any(|name| name.starts_with("testdata/"));
    let has_config = CONFIGS.iter().any(|config| files.contains_key(*config));
    (has_data && !files.keys().any(|name| name.starts_with("data/"))) || has_config
}

/// Reads it; refused where a finding is an error.
///
/// # Errors
/// A file cannot be read.
pub(super) fn read(
    files: &BTreeMap<String, TreeFile>,
    name: &str,
    findings: &mut Findings,
) -> Result<Known, PackageError> {
    let folder =
        if files.keys().any(|name| name.starts_with("testdata/")) { format!("{DATA}/") } else { String::new() };
    let data: BTreeMap<String, TreeFile> =
        files.iter().filter_map(|(name, file)| Some((name.strip_prefix(&folder)?.to_owned(), file.clone()))).collect();
    let config = CONFIGS.iter().find_map(|name| Some((format!("{folder}{name}"), data.get(*name)?)));
    let config = match config {
        Some((path, file)) => match text::read_yaml(&path, file, findings)? {
            Some(yaml) => Some((path, yaml)),
            None => return Ok(Known::Refused),
        },
        None => None,
    };
    let about = match files.get("problem.yaml") {
        Some(file) => text::read_yaml("problem.yaml", file, findings)?,
        None => None,
    };
    let empty = Node { line: 0, value: Value::Mapping(Vec::new()) };
    let (path, yaml) = config.as_ref().map_or(("", &empty), |(path, yaml)| (path.as_str(), yaml));
    let mut reader = Reader { path, findings, data: &data, tree: BTreeMap::new(), cases: BTreeMap::new() };
    let Some(checker) = reader.checker(yaml) else { return Ok(Known::Refused) };
    let Some(root) = reader.groups(yaml) else { return Ok(Known::Refused) };
    let limits = (reader.time(yaml), reader.memory(yaml));
    let Reader { mut tree, cases, .. } = reader;
    put_statements(files, &mut tree);
    let title = about.as_ref().and_then(|about| about.get("title")).and_then(Node::text).unwrap_or(name);
    let mut metadata = bare::metadata(PackageFormat::Hydro, title);
    metadata.kind.is_scoring = true;
    say_limits(limits, &mut metadata, findings);
    let stated = Stated { scoring: Some(ScoringRules::Groups(Box::new(root))), checker: Some(checker), cases };
    let parts = Parts { tree: Tree::of_parts(tree), metadata, stated };
    let id = about.as_ref().and_then(|about| about.get("pid")).and_then(Node::text).unwrap_or(name);
    Ok(Known::Read { slug: slug_of(id), parts: Box::new(parts) })
}

fn say_limits((time, memory): (Option<u64>, Option<u64>), metadata: &mut Metadata, findings: &mut Findings) {
    if let Some(ms) = time {
        metadata.limits.time_limit_ms = Some(ms);
    }
    if let Some(bytes) = memory {
        metadata.limits.memory_bytes = bytes;
    }
    if time.is_none() || memory.is_none() {
        let message = "not every limit is stated: Hydro's 1 second and 256 MiB are assumed";
        findings.warning("limits_assumed", "", message, "state `time` and `memory` in config.yaml");
    }
}

/// `problem.md` and `problem_zh.md`.
fn put_statements(files: &BTreeMap<String, TreeFile>, tree: &mut BTreeMap<String, TreeFile>) {
    for (name, file) in files {
        let Some(stem) = name.strip_suffix(".md").filter(|stem| !stem.contains('/')) else { continue };
        let language = match stem.strip_prefix("problem") {
            Some("") => "zh",
            Some(rest) => match rest.strip_prefix('_').map(|language| language.get(..2).unwrap_or(language)) {
                Some(language) if language.len() == 2 && language.bytes().all(|b| b.is_ascii_lowercase()) => language,
                Some(_) | None => continue,
            },
            None => continue,
        };
        tree.entry(format!("statement/problem.{language}.md")).or_insert_with(|| file.clone());
    }
}

struct Reader<'a> {
    path: &'a str,
    findings: &'a mut Findings,
    data: &'a BTreeMap<String, TreeFile>,
    tree: BTreeMap<String, TreeFile>,
    cases: BTreeMap<String, CaseRules>,
}

impl Reader<'_> {
    fn refuse(&mut self, line: usize, what: &str) {
        let message = format!("line {line}: {what}");
        self.findings.error("unsupported_format", self.path, message, "this version judges Hydro's plain problems");
    }

    fn invalid(&mut self, line: usize, what: &str) {
        let message = format!("line {line}: {what}");
        self.findings.error("yaml_invalid", self.path, message, "see Hydro's documentation of config.yaml");
    }

    fn checker(&mut self, yaml: &Node) -> Option<Checker> {
        for key in REFUSED {
            if let Some(node) = yaml.get(key).filter(|node| !node.is_null()) {
                self.refuse(node.line, &format!("`{key}` asks for what cannot be had yet"));
                return None;
            }
        }
        if let Some(kind) = yaml.get("type")
            && kind.text() != Some("default")
        {
            let shown = kind.text().unwrap_or("?").to_owned();
            self.refuse(kind.line, &format!("problems of type `{shown}` cannot be judged yet"));
            return None;
        }
        match yaml.get("checker_type").map(|node| (node.line, node.text().unwrap_or("?").to_owned())) {
            None => Some(Checker::Lines),
            Some((_, kind)) if kind == "default" => Some(Checker::Lines),
            Some((_, kind)) if kind == "strict" => Some(Checker::Exact),
            Some((line, kind)) => {
                self.refuse(line, &format!("checkers of type `{kind}` cannot be run yet"));
                None
            }
        }
    }

    /// The tree of groups, with every case put into the files.
    fn groups(&mut self, yaml: &Node) -> Option<Group> {
        let share = |name: String, max_score, rule, requires| Group {
            name,
            max_score: Some(max_score),
            rule: GroupRule::Share(rule),
            requires,
            groups: Vec::new(),
        };
        let mut root = share("secret".to_owned(), TOTAL, Share::Sum, Vec::new());
        let Some(subtasks) = yaml.get("subtasks") else {
            match yaml.get("cases") {
                Some(cases) => self.cases(cases, "secret")?,
                None => self.pairs()?,
            }
            let stated: f64 = self.cases.values().filter_map(|rules| rules.points).sum();
            root.max_score = Some(if stated > 0.0 { stated } else { TOTAL });
            return Some(root);
        };
        let Value::Sequence(subtasks) = &subtasks.value else {
            self.invalid(subtasks.line, "`subtasks` must be a list");
            return None;
        };
        let equal = (TOTAL / subtasks.len().max(1) as f64).floor();
        for (index, subtask) in subtasks.iter().enumerate() {
            let id = subtask.get("id").and_then(Node::text).map_or_else(|| (index + 1).to_string(), str::to_owned);
            let name = format!("secret/subtask{}", slug_of(&id));
            let rule = match subtask.get("type").and_then(Node::text) {
                None | Some("min") => Share::Min,
                Some("max") => Share::Max,
                Some("sum") => Share::Sum,
                Some(other) => {
                    self.invalid(subtask.line, &format!("`{other}` is no type of a subtask"));
                    return None;
                }
            };
            let points = subtask.get("score").and_then(Node::number).unwrap_or(equal);
            let requires = subtask.get("if").and_then(Node::words).unwrap_or_default();
            let requires = requires.iter().map(|id| format!("subtask{}", slug_of(id))).collect();
            let Some(cases) = subtask.get("cases") else {
                self.invalid(subtask.line, "the subtask has no `cases`");
                return None;
            };
            self.cases(cases, &name)?;
            for (case, rules) in &mut self.cases {
                if case.starts_with(&format!("{name}/")) {
                    rules.time_limit_ms = rules.time_limit_ms.or(subtask.get("time").and_then(milliseconds));
                    rules.memory_bytes = rules.memory_bytes.or(subtask.get("memory").and_then(bytes));
                }
            }
            root.groups.push(share(name, points, rule, requires));
        }
        root.max_score = Some(root.groups.iter().filter_map(|group| group.max_score).sum());
        Some(root)
    }

    fn cases(&mut self, cases: &Node, group: &str) -> Option<()> {
        let Value::Sequence(cases) = &cases.value else {
            self.invalid(cases.line, "`cases` must be a list");
            return None;
        };
        for (index, case) in cases.iter().enumerate() {
            let (Some(input), Some(output)) =
                (case.get("input").and_then(Node::text), case.get("output").and_then(Node::text))
            else {
                self.invalid(case.line, "a case needs `input` and `output`");
                return None;
            };
            let stem = input.rsplit('/').next().and_then(|base| base.split('.').next()).unwrap_or(input);
            let name = format!("{group}/{:03}-{stem}", index + 1);
            for (file, ending) in [(input, "in"), (output, "ans")] {
                // What is missing is named by the reader of the pairs.
                if let Some(found) = self.data.get(file) {
                    self.tree.insert(format!("data/{name}.{ending}"), found.clone());
                } else {
                    self.invalid(case.line, &format!("there is no file {file}"));
                }
            }
            let rules = CaseRules {
                time_limit_ms: case.get("time").and_then(milliseconds),
                memory_bytes: case.get("memory").and_then(bytes),
                points: case.get("score").and_then(Node::number),
                ..CaseRules::default()
            };
            self.cases.insert(name, rules);
        }
        Some(())
    }

    /// Without a list, every pair counts.
    fn pairs(&mut self) -> Option<()> {
        let (pairs, _) = bare::pairs(self.data, self.findings);
        for (key, (input, answer)) in &pairs {
            for (file, ending) in [(input, "in"), (answer, "ans")] {
                if let Some(found) = file.and_then(|file| self.data.get(file)) {
                    self.tree.insert(format!("data/secret/{key}.{ending}"), found.clone());
                }
            }
        }
        if pairs.is_empty() {
            self.findings.error(
                "no_secret_data",
                DATA,
                "there are no pairs of inputs and outputs",
                "add the test data",
            );
            return None;
        }
        Some(())
    }

    fn time(&mut self, yaml: &Node) -> Option<u64> {
        let node = yaml.get("time")?;
        let ms = milliseconds(node);
        if ms.is_none() {
            self.invalid(node.line, "`time` must be such as `1s` or `500ms`");
        }
        ms
    }

    fn memory(&mut self, yaml: &Node) -> Option<u64> {
        let node = yaml.get("memory")?;
        let found = bytes(node);
        if found.is_none() {
            self.invalid(node.line, "`memory` must be such as `256m`");
        }
        found
    }
}

/// `1s`, `1.5s`, `500ms`; a bare number is milliseconds.
fn milliseconds(node: &Node) -> Option<u64> {
    let text = node.text()?.trim().to_ascii_lowercase();
    let (number, unit) = split_unit(&text)?;
    match unit {
        "s" => positive(number * 1000.0),
        "ms" | "" => positive(number),
        "us" => positive(number / 1000.0),
        _ => None,
    }
}

/// `64k`, `256m`, `1g`, with or without `b`; a bare number is mebibytes.
fn bytes(node: &Node) -> Option<u64> {
    let text = node.text()?.trim().to_ascii_lowercase();
    let (number, unit) = split_unit(&text)?;
    let factor = match unit.trim_end_matches('b').trim_end_matches('i') {
        "k" => 1024.0,
        "m" | "" => 1024.0 * 1024.0,
        "g" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    positive(number * factor)
}

fn split_unit(text: &str) -> Option<(f64, &str)> {
    let end = text.bytes().position(|byte| !(byte.is_ascii_digit() || byte == b'.')).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, text[end..].trim()))
}

/// Rounded up; at most what an f64 holds exactly.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded on both sides")]
fn positive(number: f64) -> Option<u64> {
    (number > 0.0 && number < 9e15).then(|| number.ceil() as u64)
}
