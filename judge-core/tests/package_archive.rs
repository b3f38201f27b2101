//! Zips: both layouts, and every way in which an archive can be hostile.

mod package_support;

use std::io::{Cursor, Write};

use package_support::{Files, Reading};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        writer.write_all(bytes).expect("its bytes");
    }
    writer.finish().expect("a zip").into_inner()
}

/// Replaces a name in headers and directory by one of the same length: what no honest packer writes.
fn renamed(zip: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = zip.to_vec();
    let mut at = 0;
    while at + from.len() <= bytes.len() {
        if &bytes[at..at + from.len()] == from.as_bytes() {
            bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
        }
        at += 1;
    }
    bytes
}

#[test]
fn both_layouts_are_taken() {
    let files = Files::of("2025-09");
    for (prefix, slug) in [("twice/", "twice"), ("", "sum")] {
        let reading = Reading::of_zip(&files.zip(prefix));
        let package = reading.package();
        assert_eq!((package.slug.as_str(), package.cases.len()), (slug, 2));
        for case in &package.cases {
            assert!(case.input.starts_with(reading.staging.path()), "{:?}", case.input);
        }
    }
}

#[test]
fn junk_of_other_systems_is_ignored() {
    let mut files = Files::of("2025-09");
    files.set("__MACOSX/data/secret/._1.in", "x").set("data/secret/.DS_Store", "x");
    let reading = Reading::of_zip(&files.zip("sum/"));
    assert_eq!(reading.package().cases.len(), 2);
    let backslashes = Files::of("2025-09").0.into_iter().map(|(name, bytes)| (name.replace('/', "\\"), bytes));
    let reading = Reading::of_zip(&Files(backslashes.collect()).zip(""));
    assert_eq!(reading.package().cases.len(), 2);
}

#[test]
fn names_that_lead_outside_are_refused() {
    let honest = zip_of(&[("problem.yaml", b"name: x\n"), ("xx/xx/evil", b"x")]);
    Reading::of_zip(&renamed(&honest, "xx/xx/evil", "../../evil")).assert_refused("zip_slip", "../../evil");
    Reading::of_zip(&renamed(&honest, "xx/xx/evil", "/xx/x/evil")).assert_refused("zip_absolute_name", "/xx/x/evil");
    Reading::of_zip(&renamed(&honest, "xx/xx/evil", "C:/xx/evil")).assert_refused("zip_absolute_name", "C:/xx/evil");
    Reading::of_zip(&renamed(&honest, "xx/xx/evil", "..\\..\\evil")).assert_refused("zip_slip", "..\\..\\evil");
}

#[test]
fn two_entries_of_one_name_are_refused() {
    let twins = zip_of(&[("problem.yaml", b"name: x\n"), ("data/a", b"1"), ("data/b", b"2")]);
    Reading::of_zip(&renamed(&twins, "data/b", "data/a")).assert_refused("zip_duplicate_name", "");
}

#[test]
fn too_many_entries_are_refused() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for number in 0..100_000 {
        writer.start_file(format!("f{number}"), stored).expect("an entry");
    }
    let reading = Reading::of_zip(&writer.finish().expect("a zip").into_inner());
    reading.assert_refused("too_many_files", "");
    assert_eq!(std::fs::read_dir(reading.staging.path()).expect("there").count(), 0, "nothing was unpacked");
}

#[test]
fn a_bomb_is_refused_before_it_grows() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("problem.yaml", SimpleFileOptions::default()).expect("an entry");
    writer.write_all(b"name: x\n").expect("its bytes");
    writer.start_file("data/secret/1.in", SimpleFileOptions::default()).expect("an entry");
    let zeros = vec![0; 1 << 20];
    for _ in 0..400 {
        writer.write_all(&zeros).expect("its bytes");
    }
    let zip = writer.finish().expect("a zip").into_inner();
    assert!(zip.len() < 1 << 20, "the bomb is small: {}", zip.len());
    let reading = Reading::of_zip(&zip);
    reading.assert_refused("zip_ratio", "");
    assert_eq!(std::fs::read_dir(reading.staging.path()).expect("there").count(), 0, "nothing was unpacked");
}

#[test]
fn encrypted_and_broken_archives_are_named() {
    let honest = zip_of(&[("problem.yaml", b"name: x\n")]);
    let mut encrypted = honest.clone();
    encrypted[6] |= 1;
    let directory = encrypted.windows(4).position(|window| window == b"PK\x01\x02").expect("a directory");
    encrypted[directory + 8] |= 1;
    let reading = Reading::of_zip(&encrypted);
    assert!(reading.inspection.package.is_none());
    assert!(
        reading.inspection.findings.iter().any(|finding| finding.code == "zip_encrypted"),
        "{:?}",
        reading.inspection
    );
    Reading::of_zip(b"this is no zip").assert_refused("zip_broken", "");
    Reading::of_zip(&honest[..honest.len() - 10]).assert_refused("zip_broken", "");
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    writer.start_file("problem.yaml", stored).expect("an entry");
    writer.write_all(b"name: Sum\n").expect("its bytes");
    let corrupt = renamed(&writer.finish().expect("a zip").into_inner(), "Sum", "Gum");
    Reading::of_zip(&corrupt).assert_refused("zip_broken", "problem.yaml");
}

#[test]
fn links_inside_an_archive_stay_inside() {
    let link = |name: &str, target: &str| {
        let mut writer = ZipWriter::new_append(Cursor::new(Files::of("2025-09").zip("sum/"))).expect("a zip");
        writer.add_symlink(name, target, SimpleFileOptions::default()).expect("a link");
        Reading::of_zip(&writer.finish().expect("a zip").into_inner())
    };
    let inside = link("sum/data/secret/more", "../sample");
    assert_eq!(inside.package().cases.len(), 3);
    assert_eq!(
        link("sum/data/secret/2.in", "1.in").inspection.findings.iter().filter(|f| f.code == "answer_missing").count(),
        1
    );
    link("sum/data/secret/2.in", "/etc/passwd").assert_refused("symlink_escapes", "sum/data/secret/2.in");
    link("sum/data/secret/2.in", "../../../../x").assert_refused("symlink_escapes", "sum/data/secret/2.in");
    link("sum/data/secret/2.in", "nowhere").assert_refused("symlink_dangling", "sum/data/secret/2.in");
}
