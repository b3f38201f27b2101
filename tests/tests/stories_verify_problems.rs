//! `agon verify` of each of our own problems: every submission of every package does what its package says.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use agon_tests::cli::agon;
use agon_tests::parts::Missing;
use agon_tests::rooms::TempData;
use agon_tests::{part, parts};
use serde_json::Value;

/// One at a time: two packages judged side by side would disturb each other's times on a small machine.
static JUDGE: Mutex<()> = Mutex::new(());

/// A test for each package, and the list of them.
macro_rules! verified {
    ($($name:ident),+ $(,)?) => {
        const VERIFIED: &[&str] = &[$(stringify!($name)),+];

        $(
            #[test]
            fn $name() {
                verify(stringify!($name));
            }
        )+
    };
}

verified!(
    boardwalk,
    carousel,
    courier,
    evenkeel,
    fairhedge,
    housetiles,
    kiln,
    lampoil,
    lanternrope,
    lastferry,
    ricejars,
    shiftlock,
    shycrab,
    stucktill,
    windynotes
);

#[test]
fn no_package_is_left_out() {
    let packages: BTreeSet<String> = entries(&problems())
        .into_iter()
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().expect("a folder's name").to_string_lossy().into_owned())
        .filter(|name| !name.starts_with(['.', '_']))
        .collect();
    let verified: BTreeSet<String> = VERIFIED.iter().map(ToString::to_string).collect();
    assert_eq!(packages, verified, "problems/ and the tests of this file");
}

fn problems() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../problems").canonicalize().expect("the folder of our problems")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    listed.map(|entry| entry.expect("an entry of the folder").path()).collect()
}

/// The package with all of its data.
fn complete(name: &str) -> Result<PathBuf, Missing> {
    let package = problems().join(name);
    // Packages whose data is small have no such list.
    let large = fs::read_to_string(package.join("generators/large.sha256")).unwrap_or_default();
    for line in large.lines() {
        let (_, file) = line.split_once("  ").expect("a digest, two spaces, a path");
        if !package.join(file).is_file() {
            return Err(Missing(format!("{name}/{file} has not been made; run python3 problems/build.py {name}")));
        }
    }
    Ok(package)
}

fn verify(name: &str) {
    part!(parts::sandbox());
    let package = part!(complete(name));
    let submissions: BTreeSet<String> = entries(&package.join("submissions"))
        .iter()
        .filter(|directory| directory.is_dir())
        .flat_map(|directory| entries(directory))
        .map(|path| path.strip_prefix(package.join("submissions")).expect("below").to_string_lossy().into_owned())
        .collect();
    let _alone = JUDGE.lock().unwrap_or_else(PoisonError::into_inner);
    let place = TempData::new();
    let said = part!(agon(&place, &["verify", &package.to_string_lossy(), "--json"]));
    let lines: Vec<Value> = said
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}\n{}", said.stderr)))
        .collect();
    let surprises: Vec<String> =
        lines.iter().filter(|line| line["ok"] != Value::Bool(true)).map(ToString::to_string).collect();
    assert!(surprises.is_empty(), "not as {name} says:\n{}\n{}", surprises.join("\n"), said.stderr);
    let judged: BTreeSet<String> =
        lines.iter().map(|line| line["submission"].as_str().expect("a path").to_owned()).collect();
    assert_eq!(judged, submissions, "each submission is judged once: {}", said.stderr);
    assert_eq!(lines.len(), judged.len(), "no submission is judged twice");
    assert_eq!(said.code, 0, "{}", said.stderr);
    place.assert_nothing_left();
}
