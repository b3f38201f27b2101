//! The ways in which a package can be broken, bent or ahead of us, each with what the import doctor must say.

use std::path::{Path, PathBuf};

use super::{Encoding, Kind, Package, Version, ZipRoot};

/// What must become of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Taken; a finding may say something, but no error.
    Taken,
    /// Taken with a warning that names this file.
    Warned(&'static str),
    /// Refused with an error that contains this: the file's name, or the kind that is not supported.
    Refused(&'static str),
}

/// One package and its fate.
#[derive(Clone, Copy, Debug)]
pub struct Specimen {
    pub name: &'static str,
    pub fate: Fate,
    /// Writes it below a folder and returns where it is.
    pub write: fn(&Path) -> PathBuf,
}

const fn specimen(name: &'static str, fate: Fate, write: fn(&Path) -> PathBuf) -> Specimen {
    Specimen { name, fate, write }
}

fn sums() -> Package {
    Package::of(Version::V2025)
}

fn legacy() -> Package {
    Package::of(Version::Legacy)
}

/// Everything the stories try.
pub const CATALOGUE: &[Specimen] = &[
    specimen("sound folder", Fate::Taken, |folder| sums().write_folder(folder)),
    specimen("sound zip, files at its root", Fate::Taken, |folder| sums().write_zip(folder, ZipRoot::Bare)),
    specimen("sound zip, files below its name", Fate::Taken, |folder| sums().write_zip(folder, ZipRoot::Named)),
    specimen("legacy", Fate::Taken, |folder| legacy().write_folder(folder)),
    specimen("legacy with a .timelimit file", Fate::Taken, |folder| {
        legacy().timelimit_file("2\n").write_folder(folder)
    }),
    specimen("legacy with validator flags", Fate::Taken, |folder| {
        legacy().validator_args("float_tolerance 1e-6").write_folder(folder)
    }),
    specimen("legacy-icpc", Fate::Taken, |folder| Package::of(Version::LegacyIcpc).write_zip(folder, ZipRoot::Named)),
    specimen("a draft of 2023-07", Fate::Taken, |folder| Package::of(Version::Draft2023).write_folder(folder)),
    specimen("a draft with flags in testdata.yaml", Fate::Taken, |folder| {
        Package::of(Version::Draft2023).validator_args("case_sensitive").write_folder(folder)
    }),
    specimen("2025-09 with validator arguments", Fate::Taken, |folder| {
        sums().validator_args("float_tolerance 1e-6").write_folder(folder)
    }),
    specimen("packed on a Mac", Fate::Taken, |folder| sums().mac_junk().write_zip(folder, ZipRoot::Named)),
    specimen("link inside", Fate::Taken, |folder| {
        let linked =
            sums().link("data/secret/3-linked.in", "1-small.in").link("data/secret/3-linked.ans", "1-small.ans");
        linked.write_folder(folder)
    }),
    specimen("CR LF data", Fate::Warned("data/secret/1-small.in"), |folder| {
        sums().data_saved_as(Encoding::Crlf).write_folder(folder)
    }),
    specimen("data with byte order marks", Fate::Warned("data/secret/1-small.in"), |folder| {
        sums().data_saved_as(Encoding::Bom).write_folder(folder)
    }),
    specimen("UTF-16 data", Fate::Warned("data/secret/1-small.in"), |folder| {
        sums().data_saved_as(Encoding::Utf16).write_zip(folder, ZipRoot::Bare)
    }),
    specimen("zip slip", Fate::Refused("../../escaped.txt"), |folder| {
        sums().raw_entry("../../escaped.txt", b"x").write_zip(folder, ZipRoot::Named)
    }),
    specimen("zip slip with backslashes", Fate::Refused("..\\..\\escaped.txt"), |folder| {
        sums().raw_entry("..\\..\\escaped.txt", b"x").write_zip(folder, ZipRoot::Bare)
    }),
    specimen("absolute name", Fate::Refused("/tmp/agon-escaped.txt"), |folder| {
        sums().raw_entry("/tmp/agon-escaped.txt", b"x").write_zip(folder, ZipRoot::Named)
    }),
    specimen("drive letter", Fate::Refused("C:/escaped.txt"), |folder| {
        sums().raw_entry("C:/escaped.txt", b"x").write_zip(folder, ZipRoot::Named)
    }),
    specimen("a name twice", Fate::Refused("same name"), |folder| {
        sums().raw_entry("sums/data/secret/1-small.ans", b"43\n").write_zip(folder, ZipRoot::Named)
    }),
    specimen("link out of the zip", Fate::Refused("data/secret/3.in"), |folder| {
        sums()
            .link("data/secret/3.in", "../../../../etc/hostname")
            .file("data/secret/3.ans", "")
            .write_zip(folder, ZipRoot::Named)
    }),
    specimen("link out of the folder", Fate::Refused("data/secret/3.in"), |folder| {
        sums().link("data/secret/3.in", "/etc/hostname").file("data/secret/3.ans", "").write_folder(folder)
    }),
    specimen("100,000 entries", Fate::Refused("entries"), |folder| {
        sums().many_files(100_000).write_zip(folder, ZipRoot::Named)
    }),
    specimen("no zip at all", Fate::Refused("zip"), |folder| {
        let path = folder.join("sums.zip");
        std::fs::write(&path, b"PK\x03\x04 and then the download broke off").expect("a file can be written");
        path
    }),
    specimen("bad YAML", Fate::Refused("problem.yaml"), |folder| {
        sums().file("problem.yaml", "name: [Sums\nlimits: }\n").write_folder(folder)
    }),
    specimen("no problem.yaml", Fate::Refused("problem.yaml"), |folder| {
        // The other files are there, so it is a package, and not a folder of something else.
        let package = sums().write_folder(folder);
        std::fs::remove_file(package.join("problem.yaml")).expect("the file is there");
        package
    }),
    specimen("bad YAML of a group", Fate::Refused("data/secret/test_group.yaml"), |folder| {
        sums().file("data/secret/test_group.yaml", "output_validator_args: [\n").write_zip(folder, ZipRoot::Bare)
    }),
    specimen("missing answer", Fate::Refused("data/secret/2-large.in"), |folder| {
        sums().without("data/secret/2-large.ans").write_folder(folder)
    }),
    specimen("missing input", Fate::Refused("data/secret/2-large.ans"), |folder| {
        sums().without("data/secret/2-large.in").write_zip(folder, ZipRoot::Named)
    }),
    specimen("no secret data", Fate::Refused("data/secret"), |folder| {
        sums().without("data/secret").write_folder(folder)
    }),
    specimen("nothing but metadata", Fate::Refused("data/secret"), |folder| {
        sums().only_metadata().write_folder(folder)
    }),
    specimen("Git LFS pointers", Fate::Refused("data/secret/1-small.in"), |folder| {
        sums().secret_data_in_lfs().write_folder(folder)
    }),
    specimen("unknown format version", Fate::Refused("problem.yaml"), |folder| {
        sums().file("problem.yaml", "problem_format_version: 2199-12\nname: Sums\nuuid: x\n").write_folder(folder)
    }),
    specimen("test data alone", Fate::Taken, |folder| {
        raw(folder, "sums", &[("1.in", "1 2\n"), ("1.out", "3\n"), ("10.in", "4 5\n"), ("10.out", "9\n")])
    }),
    specimen("test data with a checker", Fate::Refused("checker.cpp"), |folder| {
        raw(folder, "sums", &[("1.in", "1 2\n"), ("1.out", "3\n"), ("checker.cpp", "int main() {}\n")])
    }),
    specimen("Hydro", Fate::Taken, |folder| {
        let config = "time: 1s\nmemory: 256m\n";
        let data = [("testdata/1.in", "1 2\n"), ("testdata/1.out", "3\n"), ("testdata/config.yaml", config)];
        raw(folder, "sums", &data)
    }),
    specimen("Hydro with a checker", Fate::Refused("testlib"), |folder| {
        let config = "checker_type: testlib\n";
        let data = [("testdata/1.in", "1 2\n"), ("testdata/1.out", "3\n"), ("testdata/config.yaml", config)];
        raw(folder, "sums", &data)
    }),
    specimen("Polygon", Fate::Refused("Polygon"), |folder| {
        raw(folder, "sums", &[("problem.xml", "<problem/>"), ("tests/01", "1 2\n"), ("tests/01.a", "3\n")])
    }),
    specimen("custom validator", Fate::Taken, |folder| sums().kind(Kind::CustomValidator).write_folder(folder)),
    specimen("legacy custom validator", Fate::Taken, |folder| {
        legacy().kind(Kind::CustomValidator).write_zip(folder, ZipRoot::Named)
    }),
    specimen("custom validator that was not published", Fate::Refused("custom output validator"), |folder| {
        legacy().metadata("validation: custom").write_folder(folder)
    }),
    specimen("two custom validators", Fate::Refused("output_validators"), |folder| {
        legacy().kind(Kind::CustomValidator).file("output_validators/other.py", "exit(42)\n").write_folder(folder)
    }),
    specimen("interactive", Fate::Taken, |folder| sums().kind(Kind::Interactive).write_folder(folder)),
    specimen("legacy interactive", Fate::Taken, |folder| legacy().kind(Kind::Interactive).write_folder(folder)),
    specimen("scoring", Fate::Taken, |folder| sums().kind(Kind::Scoring).write_folder(folder)),
    specimen("legacy scoring", Fate::Taken, |folder| legacy().kind(Kind::Scoring).write_folder(folder)),
];

/// A folder of these files, of whatever format.
fn raw(folder: &Path, name: &str, files: &[(&str, &str)]) -> PathBuf {
    let package = folder.join(name);
    for (name, text) in files {
        let path = package.join(name);
        std::fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    }
    package
}
