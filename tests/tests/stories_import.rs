//! Packages of every kind through `agon import`: what is broken is refused by the file's name, the source is never
//! touched, and nothing is half-imported.

use std::path::Path;

use agon_contract::package::{ImportReport, Severity};
use agon_tests::cli::{Said, agon};
use agon_tests::packages::catalogue::{CATALOGUE, Fate, Specimen};
use agon_tests::packages::fingerprint;
use agon_tests::rooms::TempData;
use agon_tests::{part, parts};
use serde::Deserialize;

#[derive(Deserialize)]
struct Answer {
    imported: bool,
    report: ImportReport,
}

/// What one import said, with the report as a program reads it.
fn import(place: &TempData, specimen: &Specimen, source: &Path) -> (Said, Answer) {
    let said = agon(place, &["import", &source.to_string_lossy(), "--replace", "--json"]).expect("agon is there");
    let answer =
        serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{}: {error}: {said:#?}", specimen.name));
    (said, answer)
}

/// Whether a finding of this weight names the file or says the words.
fn names(report: &ImportReport, severity: &Severity, words: &str) -> bool {
    let words = words.to_lowercase();
    let mut of_weight = report.findings.iter().filter(|finding| finding.severity == *severity);
    of_weight
        .any(|finding| format!("{} {} {}", finding.path, finding.code, finding.message).to_lowercase().contains(&words))
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn what_is_broken_is_refused_by_name_and_leaves_nothing() {
    part!(parts::headless());
    let place = TempData::new();
    for specimen in CATALOGUE {
        let Fate::Refused(words) = specimen.fate else { continue };
        let folder = tempfile::tempdir_in(place.path().join("home")).expect("a folder");
        let source = (specimen.write)(folder.path());
        let before = fingerprint(&source);
        let (said, answer) = import(&place, specimen, &source);
        assert_eq!((said.code, answer.imported), (2, false), "{}: {said:#?}", specimen.name);
        assert!(names(&answer.report, &Severity::Error, words), "{}: {words:?} in {:#?}", specimen.name, answer.report);
        assert_eq!(fingerprint(&source), before, "{}: the source was touched", specimen.name);
    }
    let said = part!(agon(&place, &["problems"]));
    assert_eq!((said.code, said.stdout.as_str()), (0, ""), "nothing was imported: {said:#?}");
    assert_eq!(files(&place.data().join("blobs")), Vec::<String>::new(), "no data is kept of what was refused");
    let staged: Vec<_> =
        files(&place.data().join("run")).into_iter().filter(|name| name.starts_with("staging")).collect();
    assert_eq!(staged, Vec::<String>::new());
    assert!(!Path::new("/tmp/agon-escaped.txt").exists(), "an absolute name was followed");
    place.assert_nothing_left();
}

#[test]
fn what_is_sound_or_merely_bent_is_taken_and_its_source_stays_as_it_was() {
    part!(parts::sandbox());
    let place = TempData::new();
    for specimen in CATALOGUE {
        let warned = match specimen.fate {
            Fate::Taken => None,
            Fate::Warned(path) => Some(path),
            Fate::Refused(_) => continue,
        };
        let folder = tempfile::tempdir_in(place.path().join("home")).expect("a folder");
        let source = (specimen.write)(folder.path());
        let before = fingerprint(&source);
        let (said, answer) = import(&place, specimen, &source);
        assert_eq!((said.code, answer.imported), (0, true), "{}: {said:#?}", specimen.name);
        if let Some(path) = warned {
            assert!(names(&answer.report, &Severity::Warning, path), "{}: {:#?}", specimen.name, answer.report);
        }
        assert_eq!(fingerprint(&source), before, "{}: the source was touched", specimen.name);
    }
    let said = part!(agon(&place, &["problems"]));
    assert_eq!((said.code, said.stdout.lines().count()), (0, 1), "one problem, replaced each time: {said:#?}");
    place.assert_nothing_left();
}
