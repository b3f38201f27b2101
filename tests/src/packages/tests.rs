//! The builder writes what it says, byte for byte, and spoils nothing else.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::catalogue::CATALOGUE;
use super::*;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temp folder")
}

fn text(path: PathBuf) -> String {
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Names in the zip as they stand there, in order.
fn raw_names(zip: &Path) -> Vec<String> {
    let bytes = fs::read(zip).expect("the zip");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("a zip");
    let names = (0..archive.len()).map(|index| archive.by_index_raw(index).expect("an entry").name_raw().to_vec());
    names.map(|name| String::from_utf8(name).expect("a name in UTF-8")).collect()
}

#[test]
fn each_version_has_its_own_form() {
    for version in Version::ALL {
        let folder = folder();
        let package = Package::of(version).validator_args("float_tolerance 1e-6").write_folder(folder.path());
        let metadata = text(package.join("problem.yaml"));
        assert!(metadata.starts_with(version.line()) && metadata.ends_with('\n'), "{metadata}");
        assert_eq!(package.join("statement").exists(), version == Version::V2025);
        assert_eq!(metadata.contains("validator_flags: float_tolerance 1e-6"), version.is_legacy());
        assert_eq!(package.join("data/secret/testdata.yaml").exists(), version == Version::Draft2023);
        let group = package.join("data/secret/test_group.yaml");
        assert_eq!(group.exists(), version == Version::V2025);
        if version == Version::V2025 {
            assert_eq!(text(group), "output_validator_args: [\"float_tolerance\", \"1e-6\"]\n");
        }
    }
}

#[test]
fn zips_have_both_roots_and_the_same_files() {
    let folder = folder();
    let package = Package::of(Version::V2025).named("other");
    let bare = raw_names(&package.write_zip(folder.path(), ZipRoot::Bare));
    let named = raw_names(&package.write_zip(folder.path(), ZipRoot::Named));
    assert!(bare.contains(&"problem.yaml".to_owned()), "{bare:?}");
    assert_eq!(named, bare.iter().map(|name| format!("other/{name}")).collect::<Vec<_>>());
}

#[test]
fn hostile_names_reach_the_zip_as_they_are() {
    let folder = folder();
    let hostile = ["../../escaped.txt", "/tmp/agon-escaped.txt", "C:\\escaped.txt", "sums/problem.yaml"];
    let spoil = |package: Package, name: &&str| package.raw_entry(name, b"x");
    let zip = hostile.iter().fold(Package::of(Version::V2025), spoil).write_zip(folder.path(), ZipRoot::Named);
    let bytes = fs::read(zip).expect("the zip");
    for name in hostile {
        let count = bytes.windows(name.len()).filter(|window| *window == name.as_bytes()).count();
        let honest = if name == "sums/problem.yaml" { 2 } else { 0 };
        assert_eq!(count, honest + 2, "{name}");
    }
}

#[test]
fn links_are_links() {
    let folder = folder();
    let package = Package::of(Version::V2025).link("data/secret/3.in", "../../../outside");
    let written = package.write_folder(folder.path());
    assert_eq!(fs::read_link(written.join("data/secret/3.in")).expect("a link"), Path::new("../../../outside"));
    let bytes = fs::read(package.write_zip(folder.path(), ZipRoot::Bare)).expect("the zip");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("a zip");
    let mut entry = archive.by_name("data/secret/3.in").expect("the link");
    let mut target = String::new();
    assert!(entry.is_symlink());
    entry.read_to_string(&mut target).expect("its target");
    assert_eq!(target, "../../../outside");
}

#[test]
fn data_is_saved_as_other_editors_do() {
    for (encoding, expected) in [
        (Encoding::Crlf, &b"40 2\r\n"[..]),
        (Encoding::Bom, &b"\xef\xbb\xbf40 2\n"[..]),
        (Encoding::Utf16, &b"\xff\xfe4\x000\x00 \x002\x00\r\x00\n\x00"[..]),
    ] {
        let folder = folder();
        let package = Package::of(Version::V2025).data_saved_as(encoding).write_folder(folder.path());
        assert_eq!(fs::read(package.join("data/secret/1-small.in")).expect("the input"), expected);
        assert!(!text(package.join("problem.yaml")).contains('\r'), "only data is saved anew");
    }
}

#[test]
fn removals_remove_and_pointers_point() {
    let folder = folder();
    let package = Package::of(Version::V2025).without("data/secret").without("submissions/wrong_answer/int.cpp");
    let written = package.write_folder(folder.path());
    assert!(!written.join("data/secret").exists() && written.join("data/sample/1.in").exists());
    let package = Package::of(Version::V2025).named("lfs").secret_data_in_lfs().write_folder(folder.path());
    assert!(text(package.join("data/secret/2-large.ans")).starts_with("version https://git-lfs.github.com/spec/v1\n"));
    assert_eq!(text(package.join("data/sample/1.in")), "1 2\n");
}

#[test]
#[should_panic(expected = "data/secret/9.in is not in the package")]
fn a_removal_of_nothing_is_a_mistake_of_the_story() {
    let _ = Package::of(Version::V2025).without("data/secret/9.in");
}

#[test]
fn kinds_ask_in_the_words_of_their_version() {
    let metadata = |version, kind| {
        let folder = folder();
        let package = Package::of(version).kind(kind).write_folder(folder.path());
        text(package.join("problem.yaml"))
    };
    assert!(metadata(Version::Legacy, Kind::Interactive).contains("validation: custom interactive\n"));
    assert!(metadata(Version::V2025, Kind::Interactive).contains("type: interactive\n"));
    assert!(metadata(Version::LegacyIcpc, Kind::CustomValidator).contains("validation: custom\n"));
    assert!(!metadata(Version::V2025, Kind::CustomValidator).contains("validation"));
    assert!(metadata(Version::V2025, Kind::Scoring).contains("type: scoring\n"));
}

#[test]
fn a_hundred_thousand_entries_are_written() {
    let folder = folder();
    let zip = Package::of(Version::V2025).many_files(100_000).write_zip(folder.path(), ZipRoot::Named);
    let archive = ZipArchive::new(fs::File::open(zip).expect("the zip")).expect("a zip");
    assert!(archive.len() > 100_000, "{}", archive.len());
}

#[test]
fn a_fingerprint_sees_bytes_links_and_absence() {
    let folder = folder();
    let package = Package::of(Version::V2025).link("data/secret/3.in", "1-small.in").write_folder(folder.path());
    let before = fingerprint(&package);
    assert_eq!(before, fingerprint(&package));
    assert_eq!(before[&package.join("data/secret/3.in")], b"1-small.in");
    fs::write(package.join("data/secret/1-small.ans"), "43\n").expect("written");
    assert_ne!(before, fingerprint(&package));
}

#[test]
fn every_specimen_is_written_below_its_folder_and_has_its_own_name() {
    let mut names = BTreeSet::new();
    for specimen in CATALOGUE {
        assert!(names.insert(specimen.name), "{} twice", specimen.name);
        let folder = folder();
        let path = (specimen.write)(folder.path());
        assert!(path.starts_with(folder.path()) && path.exists(), "{}", specimen.name);
    }
}
