//! Packs a zip as honest programs do, and as no honest program does.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::Entry;

/// Larger files are worth compressing; a hundred thousand empty ones are not.
const STORED_BELOW_BYTES: usize = 64;

/// A zip of the files, each behind `prefix`, then of the raw entries under exactly the names they ask for.
pub(super) fn pack(prefix: &str, files: &BTreeMap<String, Entry>, raw: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, entry) in files {
        let name = format!("{prefix}{name}");
        match entry {
            Entry::File(bytes) => {
                let method = if bytes.len() < STORED_BELOW_BYTES {
                    CompressionMethod::Stored
                } else {
                    CompressionMethod::Deflated
                };
                let options = SimpleFileOptions::default().compression_method(method);
                writer.start_file(name, options).expect("an entry can be begun");
                writer.write_all(bytes).expect("an entry can be written");
            }
            Entry::Link(target) => {
                writer.add_symlink(name, target, SimpleFileOptions::default()).expect("a link can be written");
            }
        }
    }
    let mut disguises = Vec::new();
    for (number, (name, bytes)) in raw.iter().enumerate() {
        let disguise = disguise(number, name.len());
        writer.start_file(&disguise, SimpleFileOptions::default()).expect("an entry can be begun");
        writer.write_all(bytes).expect("an entry can be written");
        disguises.push((disguise, name));
    }
    let mut zip = writer.finish().expect("a zip can be finished").into_inner();
    for (disguise, name) in disguises {
        unmask(&mut zip, disguise.as_bytes(), name.as_bytes());
    }
    zip
}

/// A harmless name of the same length, because the writer of zips mends the names it is given.
fn disguise(number: usize, length: usize) -> String {
    let ending = number.to_string();
    assert!(ending.len() < length, "a raw name is longer than its number");
    format!("{}{ending}", "\u{7f}".repeat(length - ending.len()))
}

/// Puts the real name where the disguise stands: in the entry's own header and in the directory of the zip.
fn unmask(zip: &mut [u8], disguise: &[u8], name: &[u8]) {
    let mut places = 0;
    for at in 0..=zip.len() - disguise.len() {
        if zip[at..].starts_with(disguise) {
            zip[at..at + name.len()].copy_from_slice(name);
            places += 1;
        }
    }
    assert_eq!(places, 2, "an entry's name stands in its header and in the directory");
}
