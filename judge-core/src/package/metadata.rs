//! `problem.yaml`: what a package says about itself.

use agon_contract::problem::LocalText;

use super::findings::Findings;
use super::format;
use super::kind::{self, Kind};
use super::limits::{self, StatedTimeLimit};
use super::model::{PackageFormat, PackageLimits};
use super::yaml::{Node, Value};

const PATH: &str = "problem.yaml";

/// The metadata, before statements, data and submissions were looked at.
#[derive(Debug)]
pub(super) struct Metadata {
    pub(super) format: PackageFormat,
    /// Empty when the file has no name.
    pub(super) titles: Vec<LocalText>,
    pub(super) uuid: Option<String>,
    pub(super) version: Option<String>,
    pub(super) keywords: Vec<String>,
    /// `None`: all.
    pub(super) languages: Option<Vec<String>>,
    pub(super) limits: PackageLimits,
    /// Arguments of the validator for the whole problem (legacy `validator_flags`).
    pub(super) validator_flags: Vec<String>,
    pub(super) kind: Kind,
    pub(super) credits: String,
    pub(super) license: String,
    pub(super) source: String,
}

/// Reads the file's tree; `None` when its format is not known.
pub(super) fn read(yaml: &Node, stated: Vec<StatedTimeLimit>, findings: &mut Findings) -> Option<Metadata> {
    if yaml.entries().is_none() {
        findings.error("yaml_invalid", PATH, "the file holds no keys", "write `name: …` and so on");
        return None;
    }
    let format = format::detect(yaml, findings)?;
    format::check_keys(yaml, format, findings);
    let kind = kind::read(words(yaml, "type", findings), words(yaml, "validation", findings), yaml, findings);
    refuse_constants(yaml, findings);
    let text = |key: &str| yaml.get(key).and_then(Node::text).map(str::to_owned);
    warn_of_identity(yaml, format, findings);
    Some(Metadata {
        format,
        titles: titles(yaml, findings),
        uuid: text("uuid"),
        version: text("version"),
        keywords: words(yaml, "keywords", findings),
        languages: languages(yaml, findings),
        limits: limits::read(yaml, format, stated, findings),
        validator_flags: words(yaml, "validator_flags", findings),
        kind,
        credits: credits(yaml),
        license: text("license").unwrap_or_else(|| "unknown".to_owned()),
        source: yaml.get("source").map(sources).unwrap_or_default(),
    })
}

/// Licences of the format, all versions. (Problem Package Format, "License".)
const LICENSES: [&str; 7] = ["unknown", "public domain", "cc0", "cc by", "cc by-sa", "educational", "permission"];

/// What nobody needs for judging and other systems refuse.
fn warn_of_identity(yaml: &Node, format: PackageFormat, findings: &mut Findings) {
    if format == PackageFormat::V2025 && yaml.get("uuid").is_none() {
        findings.warning(
            "uuid_missing",
            PATH,
            "the format requires a `uuid`",
            "make one with uuidgen and write it down",
        );
    }
    if let Some(license) = yaml.get("license").and_then(Node::text)
        && !LICENSES.contains(&license)
    {
        let message = format!("`{license}` is no licence of the format");
        findings.warning("license_unknown", PATH, message, &format!("known are {}", LICENSES.join(", ")));
    }
}

/// Substitution is not done yet, and a package that relies on it would be judged by other programs than its own.
fn refuse_constants(yaml: &Node, findings: &mut Findings) {
    if yaml.get("constants").and_then(Node::entries).is_some_and(|entries| !entries.is_empty()) {
        findings.error("unsupported_constants", PATH, "`constants` are not substituted yet", "write their values out");
    }
}

fn words(yaml: &Node, key: &str, findings: &mut Findings) -> Vec<String> {
    let Some(node) = yaml.get(key) else { return Vec::new() };
    node.words().unwrap_or_else(|| {
        let message = format!("line {}: `{key}` must be a text or a list of texts", node.line);
        findings.error("yaml_invalid", PATH, message, "see the format's specification");
        Vec::new()
    })
}

fn languages(yaml: &Node, findings: &mut Findings) -> Option<Vec<String>> {
    let words = words(yaml, "languages", findings);
    (!words.is_empty() && words != ["all"]).then_some(words)
}

fn titles(yaml: &Node, findings: &mut Findings) -> Vec<LocalText> {
    let Some(name) = yaml.get("name") else { return Vec::new() };
    let local = |language: &str, text: &str| LocalText { language: language.to_owned(), text: text.trim().to_owned() };
    match (&name.value, name.text()) {
        (_, Some(text)) => vec![local("en", text)],
        (Value::Mapping(entries), _) => {
            let named = entries.iter().filter_map(|entry| Some(local(&entry.key, entry.node.text()?)));
            named.collect()
        }
        (Value::Scalar { .. } | Value::Sequence(_), None) => {
            let message = format!("line {}: `name` must be a text or a text by language", name.line);
            findings.error("yaml_invalid", PATH, message, "write `name: Title`");
            Vec::new()
        }
    }
}

/// Authors for people: legacy `author`, or `credits` in any of its forms.
fn credits(yaml: &Node) -> String {
    let Some(credits) = yaml.get("credits") else {
        return yaml.get("author").map(people).unwrap_or_default();
    };
    match credits.get("authors").or_else(|| credits.get("contributors")) {
        Some(authors) => people(authors),
        None => people(credits),
    }
}

fn people(node: &Node) -> String {
    let names: Vec<String> = match &node.value {
        Value::Sequence(nodes) => nodes.iter().map(people).collect(),
        Value::Mapping(_) => node.get("name").map(people).into_iter().collect(),
        Value::Scalar { .. } => node.text().map(without_address).into_iter().collect(),
    };
    names.into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", ")
}

/// `Name <mail>` without the mail.
fn without_address(person: &str) -> String {
    person.split('<').next().unwrap_or_default().trim().to_owned()
}

fn sources(node: &Node) -> String {
    match &node.value {
        Value::Sequence(nodes) => nodes.iter().map(sources).collect::<Vec<_>>().join(", "),
        Value::Mapping(_) => node.get("name").and_then(Node::text).unwrap_or_default().to_owned(),
        Value::Scalar { .. } => node.text().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::yaml::parse;

    fn metadata(text: &str) -> (Option<Metadata>, Vec<String>) {
        let mut findings = Findings::default();
        let metadata = read(&parse(text).expect("well formed"), Vec::new(), &mut findings);
        (metadata, findings.into_list().into_iter().map(|finding| finding.code).collect())
    }

    #[test]
    fn a_legacy_file_is_read() {
        let (read, codes) = metadata(
            "name: Hello\nauthor: Ann <a@b.c> and Bob\nkeywords: easy io\nsource: Cup\nlicense: cc by-sa\n\
             validation: default\nvalidator_flags: float_tolerance 1e-6\n",
        );
        let read = read.expect("readable");
        assert!(codes.is_empty(), "{codes:?}");
        assert_eq!(read.titles, [LocalText { language: "en".into(), text: "Hello".into() }]);
        assert_eq!(read.keywords, ["easy", "io"]);
        assert_eq!(read.validator_flags, ["float_tolerance", "1e-6"]);
        assert_eq!((read.source.as_str(), read.license.as_str()), ("Cup", "cc by-sa"));
        assert_eq!(read.kind, Kind::default());
    }

    #[test]
    fn a_2025_file_is_read() {
        let (read, codes) = metadata(
            "problem_format_version: 2025-09\nname: {en: Hello, ja: \"こんにちは\"}\nuuid: u\ntype: [pass-fail]\n\
             credits: {authors: [Ann <a@b.c>, {name: Bob}]}\nsource: [{name: Cup, url: x}, League]\n\
             languages: [cpp, python3]\nkeywords: [a b, c]\n",
        );
        let read = read.expect("readable");
        assert!(codes.is_empty(), "{codes:?}");
        assert_eq!((read.credits.as_str(), read.source.as_str()), ("Ann, Bob", "Cup, League"));
        assert_eq!(read.titles.len(), 2);
        assert_eq!(read.keywords, ["a b", "c"]);
        assert_eq!(read.languages, Some(vec!["cpp".into(), "python3".into()]));
    }

    #[test]
    fn what_other_systems_refuse_is_warned_of() {
        let codes = |text: &str| metadata(&format!("problem_format_version: 2025-09\nname: x\n{text}\n")).1;
        assert_eq!(codes("license: cc0"), ["uuid_missing"]);
        assert_eq!(codes("uuid: u\nlicense: foo"), ["license_unknown"]);
        assert_eq!(metadata("name: x\nlicense: permission\n").1, Vec::<String>::new(), "legacy needs no uuid");
    }

    #[test]
    fn every_kind_that_is_not_supported_is_refused_by_its_name() {
        for (text, code) in [
            ("type: submit-answer", "unsupported_submit_answer"),
            ("constants: {n: 5}", "unsupported_constants"),
            ("type: quiz", "unknown_type"),
        ] {
            assert!(metadata(&format!("name: x\n{text}\n")).1.contains(&code.to_owned()), "{text}");
        }
        assert!(metadata("name: x\nvalidation: custom\n").0.is_some_and(|read| read.kind.wants_own_validator));
    }
}
