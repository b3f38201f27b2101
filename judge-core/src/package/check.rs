//! Puts a checked package together from its readers.

use std::collections::HashMap;
use std::path::Path;

use agon_contract::ids::LanguageId;
use agon_contract::problem::LocalText;
use sha2::{Digest, Sha256};

use super::data::Flags;
use super::facts::{FileFacts, examine};
use super::findings::{Findings, PackageError};
use super::foreign::{Stated, natural};
use super::jury::Contents;
use super::limits;
use super::metadata::{self, Metadata};
use super::model::{CheckedPackage, PackageStatement};
use super::tree::Tree;
use super::{data, jury, statements, submissions, text, unsupported};
use crate::domain::language::languages;
use crate::domain::rules::{CaseRules, Checker, CheckerProtocol, Conduct, JudgingRules};

/// What a check comes to: the format's name (empty when unknown), and the package as far as it could be read.
pub(super) type Checked = (String, Option<CheckedPackage>);

/// Reads everything; errors are findings, so that all of them are told at once.
pub(super) fn check(tree: &Tree, slug: &str, staging: &Path, findings: &mut Findings) -> Result<Checked, PackageError> {
    let Some(metadata) = metadata(tree, findings)? else { return Ok((String::new(), None)) };
    assemble(tree, metadata, Stated::default(), slug, staging, findings)
}

/// Reads everything but the metadata.
pub(super) fn assemble(
    tree: &Tree,
    metadata: Metadata,
    stated: Stated,
    slug: &str,
    staging: &Path,
    findings: &mut Findings,
) -> Result<Checked, PackageError> {
    let format = metadata.format.as_str().to_owned();
    if !metadata.format.is_foreign() {
        unsupported::refuse(tree, findings);
    }
    check_slug(slug, findings);
    let mut facts = HashMap::new();
    for (name, file) in tree.iter() {
        let of_file = examine(&file.path)?;
        // Of test data it is an error, told there.
        if of_file.is_lfs_pointer && !name.starts_with("data/") {
            let remedy = "run `git lfs pull` in the package's repository";
            findings.warning("lfs_pointer", name, "this is a Git LFS pointer and not the file", remedy);
        }
        facts.insert(name.to_owned(), of_file);
    }
    let mut contents = Contents::new(&facts);
    let validator = jury::output_validator(tree, &metadata, &mut contents, findings);
    let includes = jury::includes(tree, &mut contents, findings);
    let contents = contents.places;
    let is_default = validator.is_none() && !metadata.kind.wants_own_validator && !jury::has_own_validator(tree);
    let flags = Flags { of_problem: &metadata.validator_flags, are_the_defaults: is_default };
    let kind = metadata.kind;
    let is_foreign = metadata.format.is_foreign();
    let order = if is_foreign { natural } else { data::by_bytes };
    let mut data = data::read(tree, &facts, &flags, order, staging, findings)?;
    for case in &mut data.cases {
        if let Some(rules) = stated.cases.get(&case.name) {
            case.rules = CaseRules { args: std::mem::take(&mut case.rules.args), ..rules.clone() };
        }
    }
    let names = data.cases.iter().map(|case| case.name.as_str());
    let scoring = match stated.scoring {
        Some(scoring) => scoring,
        None => data.scoring.rules(kind, metadata.format, names, findings),
    };
    let rules = JudgingRules {
        conduct: if kind.is_interactive { Conduct::Interactive } else { Conduct::Batch },
        passes: if kind.is_multi_pass { metadata.limits.passes } else { 1 },
        scoring,
        checker: match validator {
            Some(program) => Checker::Program { program, protocol: CheckerProtocol::Icpc, args: data.checker_args },
            None => stated.checker.unwrap_or_default(),
        },
        includes,
        jury_limits: metadata.limits.jury,
        ..JudgingRules::default()
    };
    let statements = statements::read(tree, metadata.format, findings)?;
    let submissions = submissions::read(tree, metadata.format, kind.is_scoring, findings)?;
    if metadata.limits.time_limit_ms.is_none()
        && !submissions.iter().any(|s| !s.time_limit_use.bounds_from_below.is_empty())
    {
        let remedy = "state `limits.time_limit`, or add an accepted submission";
        let message = "there is no time limit and no accepted submission to derive it from";
        findings.error("time_limit_underivable", "problem.yaml", message, remedy);
    }
    let languages = admitted_languages(&metadata, findings);
    let titles = titles(&metadata, &statements, slug, findings);
    let package = CheckedPackage {
        slug: slug.to_owned(),
        titles,
        uuid: metadata.uuid,
        version: metadata.version,
        format: metadata.format,
        limits: metadata.limits,
        keywords: metadata.keywords,
        languages,
        validator: data.validator,
        rules,
        contents,
        cases: data.cases,
        statements: statements.into_iter().map(|read| read.statement).collect(),
        submissions,
        credits: metadata.credits,
        license: metadata.license,
        source: metadata.source,
        package_hash: package_hash(tree, &facts),
        data_hash: data.hash,
    };
    Ok((format, Some(package)))
}

fn metadata(tree: &Tree, findings: &mut Findings) -> Result<Option<Metadata>, PackageError> {
    let Some(file) = tree.get("problem.yaml") else {
        let remedy = "choose the folder or archive of one problem, with problem.yaml at its top";
        findings.error("problem_yaml_missing", "problem.yaml", "there is no problem.yaml", remedy);
        return Ok(None);
    };
    let mut beside = |name: &str| match tree.get(name) {
        Some(file) => text::read(name, file, findings),
        None => Ok(None),
    };
    let timelimit = beside(".timelimit")?;
    let ini = beside("domjudge-problem.ini")?;
    let stated = limits::beside(timelimit.as_deref(), ini.as_deref(), findings);
    unsupported::refuse_in_ini(ini.as_deref(), findings);
    let Some(yaml) = text::read_yaml("problem.yaml", file, findings)? else { return Ok(None) };
    Ok(metadata::read(&yaml, stated, findings))
}

fn check_slug(slug: &str, findings: &mut Findings) {
    let is_plain = !slug.is_empty() && slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if !is_plain {
        let message = format!("the short name `{slug}` should consist of a–z and 0–9 only");
        findings.note("odd_short_name", "", message);
    }
}

/// Languages of the table that the package admits and that can start within its memory.
fn admitted_languages(metadata: &Metadata, findings: &mut Findings) -> Vec<LanguageId> {
    let is_named = |codes: &[String]| match &metadata.languages {
        None => true,
        Some(named) => codes.iter().any(|code| named.contains(code)),
    };
    let mut admitted = Vec::new();
    for language in languages().iter().filter(|language| is_named(&language.package_codes)) {
        if language.minimum_memory_bytes() <= metadata.limits.memory_bytes {
            admitted.push(language.id.clone());
            continue;
        }
        let message = format!(
            "{} needs {} MiB to start, more than the memory limit of {} MiB, so it is not offered",
            language.name,
            language.minimum_memory_mib,
            metadata.limits.memory_bytes >> 20
        );
        findings.warning("memory_below_minimum", "problem.yaml", message, "raise `limits.memory`");
    }
    if admitted.is_empty() {
        let remedy = "admit one of C, C++, Python 3, Java or Rust, with memory enough to start";
        findings.error("no_language", "problem.yaml", "no language of this version can be used", remedy);
    }
    admitted
}

/// The metadata's titles; legacy packages may have theirs in the statement only.
fn titles(
    metadata: &Metadata,
    statements: &[statements::ReadStatement],
    slug: &str,
    findings: &mut Findings,
) -> Vec<LocalText> {
    let mut titles = metadata.titles.clone();
    if titles.len() <= 1 {
        for PackageStatementTitle { language, text } in statements.iter().filter_map(stated_title) {
            let named = LocalText { language: language.to_owned(), text: text.to_owned() };
            if !titles.iter().any(|title| title.language == language) {
                titles.push(named);
            }
        }
    }
    titles.retain(|title| !title.text.is_empty());
    if titles.is_empty() {
        let remedy = "write `name: Title` into problem.yaml";
        findings.warning("name_missing", "problem.yaml", "the problem has no name; its short name is shown", remedy);
        titles.push(LocalText { language: "en".to_owned(), text: slug.to_owned() });
    }
    titles
}

struct PackageStatementTitle<'a> {
    language: &'a str,
    text: &'a str,
}

fn stated_title(read: &statements::ReadStatement) -> Option<PackageStatementTitle<'_>> {
    let PackageStatement { language, .. } = &read.statement;
    read.title.as_deref().map(|text| PackageStatementTitle { language, text })
}

/// Over names and contents, in byte order.
fn package_hash(tree: &Tree, facts: &HashMap<String, FileFacts>) -> String {
    let mut hasher = Sha256::new();
    for (name, _) in tree.iter() {
        hasher.update(format!("{name}\0{}\n", facts[name].hash));
    }
    format!("{:x}", hasher.finalize())
}
