//! Packages that are none of the Problem Package Format: each importer says which file plays which part, and the same
//! readers go on from there.
//!
//! ```text
//! files found ──detect──> importer ──> Parts { tree by the format's names, metadata, order } ──> check::assemble
//! ```
//!
//! An importer only tells what its format states; what it does not state is a finding, so that nobody takes an assumption
//! for a fact.

mod bare;
mod hydro;
mod natural;

use std::collections::BTreeMap;

use super::findings::{Findings, PackageError};
use super::metadata::Metadata;
use super::tree::{Tree, TreeFile, is_litter};
use crate::domain::language::language_for_files;
use crate::domain::rules::{CaseRules, Checker};
use crate::domain::scoring::ScoringRules;
pub(super) use natural::natural;

/// A package in the Problem Package Format's words.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) tree: Tree,
    pub(super) metadata: Metadata,
    pub(super) stated: Stated,
}

/// What a format states that the Problem Package Format has no file for.
#[derive(Debug, Default)]
pub(super) struct Stated {
    pub(super) scoring: Option<ScoringRules>,
    pub(super) checker: Option<Checker>,
    /// Limits and points of single cases, by name.
    pub(super) cases: BTreeMap<String, CaseRules>,
}

/// What an importer makes of the files.
#[derive(Debug)]
pub(super) enum Known {
    /// No importer knows them.
    Unknown,
    /// Known, and a finding says why it is refused.
    Refused,
    Read {
        slug: String,
        parts: Box<Parts>,
    },
}

/// Files by which other formats are known, and what they are called. Their data have pairs, too, but a checker or points
/// beside them: judged as bare pairs they would get wrong verdicts.
const MARKS: [(&str, &str); 10] = [
    ("problem.xml", "a Polygon package"),
    ("task.yaml", "a CMS task"),
    ("config.yaml", "several Hydro problems"),
    ("config.yml", "several Hydro problems"),
    ("config.ini", "a Hydro problem"),
    ("problem.json", "a QDUOJ problem"),
    ("problem.conf", "a UOJ problem"),
    ("data.yml", "a SYZOJ problem"),
    ("testlib.h", "test data with a checker of testlib"),
    ("problem.yaml", "several problems"),
];
/// Parts of the names of programs that decide about outputs.
const DECIDING_WORDS: [&str; 14] = [
    "check", "chk", "spj", "special", "judge", "verif", "valid", "compar", "cmp", "scor", "evaluat", "grader",
    "interact", "manager",
];
/// Endings of programs that the language table does not know.
const PROGRAM_ENDINGS: [&str; 6] = ["exe", "pas", "cs", "kt", "go", "js"];

/// Reads `found` by the format it is in, where that is not the Problem Package Format.
///
/// # Errors
/// A file cannot be read.
pub(super) fn read(
    found: &BTreeMap<String, TreeFile>,
    own_name: &str,
    findings: &mut Findings,
) -> Result<Known, PackageError> {
    let (folder, files) = without_common_folder(found);
    let name = folder.unwrap_or_else(|| own_name.to_owned());
    if hydro::is_one(&files) {
        return hydro::read(&files, &name, findings);
    }
    let holders = found.keys().filter(|name| is_at_top(name, "problem.yaml")).count();
    if holders == 1 || found.contains_key("problem.yaml") {
        return Ok(Known::Unknown);
    }
    if let Some((path, what)) = files.keys().find_map(|name| mark(name)) {
        let message = format!("this is {what}, which this version cannot read");
        findings.error("unsupported_format", path, message, "export it in the Problem Package Format");
        return Ok(Known::Refused);
    }
    // The format's own folders: only its problem.yaml is missing.
    let is_own = |name: &String| {
        ["data/secret/", "data/sample/"].iter().any(|own| format!("/{name}").contains(&format!("/{own}")))
    };
    if found.keys().any(is_own) {
        return Ok(Known::Unknown);
    }
    let Some(parts) = bare::read(&files, &name, findings) else { return Ok(Known::Unknown) };
    if findings.has_errors() {
        return Ok(Known::Refused);
    }
    if let Some(program) = files.keys().find(|name| decides(name)) {
        let message =
            "beside the test data lies a program that seems to decide about outputs, and how it is called is not said";
        findings.error(
            "unsupported_format",
            program,
            message,
            "make it the output validator of a package, or take it out",
        );
        return Ok(Known::Refused);
    }
    Ok(Known::Read { slug: slug_of(&name), parts: Box::new(parts) })
}

fn mark(name: &str) -> Option<(&str, &'static str)> {
    let base = name.rsplit('/').next().unwrap_or(name);
    let known = MARKS.iter().find(|(mark, _)| base == *mark).map(|(_, what)| *what);
    let is_lemons = base.ends_with(".cdf").then_some("a LemonLime contest");
    known.or(is_lemons).map(|what| (name, what))
}

fn decides(name: &str) -> bool {
    let base = name.rsplit('/').next().unwrap_or(name);
    let lower = base.to_ascii_lowercase();
    let (stem, ending) = lower.rsplit_once('.').unwrap_or((&lower, ""));
    let is_program = ending.is_empty() || PROGRAM_ENDINGS.contains(&ending) || language_for_files(&[&lower]).is_some();
    is_program && DECIDING_WORDS.iter().any(|word| stem.contains(word))
}

/// In the root, or in a folder of it.
fn is_at_top(name: &str, wanted: &str) -> bool {
    let (folder, base) = name.rsplit_once('/').unwrap_or(("", name));
    base == wanted && !folder.contains('/')
}

/// The files that count, without the one folder that holds them all.
fn without_common_folder(found: &BTreeMap<String, TreeFile>) -> (Option<String>, BTreeMap<String, TreeFile>) {
    let counts = |name: &&String| !name.split('/').any(is_litter);
    let names: Vec<&String> = found.keys().filter(counts).collect();
    let first = names.first().and_then(|name| name.split_once('/')).map(|(folder, _)| folder.to_owned());
    // Folders of inputs and answers are no wrapping.
    let common = first.filter(|folder| {
        !bare::is_half_folder(folder)
            && folder != hydro::DATA
            && names.iter().all(|name| name.starts_with(&format!("{folder}/")))
    });
    let start = common.as_ref().map_or(0, |folder| folder.len() + 1);
    let files = names.into_iter().map(|name| (name[start..].to_owned(), found[name].clone())).collect();
    (common, files)
}

/// A short name as the format wants it: `A+B Problem` becomes `abproblem`.
fn slug_of(name: &str) -> String {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    if plain.is_empty() { "problem".to_owned() } else { plain.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn what_has_rules_of_its_own_is_never_judged_as_bare_pairs() {
        let file = TreeFile { path: PathBuf::new(), bytes: 1 };
        let read = |names: &[&str]| {
            let found = names.iter().map(|name| ((*name).to_owned(), file.clone())).collect();
            let mut findings = Findings::default();
            let known = super::read(&found, "x", &mut findings).expect("nothing is read");
            (known, findings.into_list().into_iter().map(|finding| finding.code).collect::<Vec<_>>())
        };
        for other in [
            "problem.xml",
            "p/task.yaml",
            "a/testdata/config.yaml",
            "contest.cdf",
            "checker.cpp",
            "lib/spj.py",
            "SPJ.CPP",
            "wcmp.cpp",
            "tools/mychk.cpp",
            "checker",
            "spj.exe",
            "data.yml",
            "testlib.h",
        ] {
            let (known, codes) = read(&["1.in", "1.out", other]);
            assert!(matches!(known, Known::Refused), "{other}");
            assert!(codes.contains(&"unsupported_format".to_owned()), "{other}");
        }
        assert!(matches!(read(&["1.in", "1.out", "solution.cpp"]).0, Known::Read { .. }));
        assert!(matches!(read(&["a.txt"]).0, Known::Unknown));
        assert!(
            matches!(read(&["data/secret/1.in", "data/secret/1.ans"]).0, Known::Unknown),
            "problem.yaml is missing"
        );
        assert!(matches!(read(&["p/problem.yaml", "p/data/secret/1.in"]).0, Known::Unknown));
        assert!(matches!(read(&["p/problem.yaml", "q/problem.yaml"]).0, Known::Refused));
    }

    #[test]
    fn a_wrapping_folder_is_taken_off_and_a_short_name_made() {
        let file = TreeFile { path: PathBuf::new(), bytes: 1 };
        let found = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), file.clone())).collect();
        let (folder, files) = without_common_folder(&found(&["A+B/1.in", "A+B/1.out", "__MACOSX/._1.in", ".DS_Store"]));
        assert_eq!(folder.as_deref(), Some("A+B"));
        assert_eq!(files.keys().map(String::as_str).collect::<Vec<_>>(), ["1.in", "1.out"]);
        assert_eq!(without_common_folder(&found(&["input/1.txt"])).0, None);
        assert_eq!(without_common_folder(&found(&["testdata/1.in"])).0, None);
        assert_eq!((slug_of("A+B Problem"), slug_of("求和")), ("abproblem".to_owned(), "problem".to_owned()));
    }
}
