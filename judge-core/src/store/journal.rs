//! The editor's journal: what was typed survives a crash.
//!
//! One append-only file per person and problem. A record is one line: a checksum, a space, JSON. A line that is torn
//! or damaged ends the reading of nothing but itself, and the next record starts on a line of its own. When a file
//! has grown well past its live text it is rewritten beside itself and renamed over.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::FolderError;
use super::folder::sync_folder;

/// One state of the text in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Draft {
    pub language_id: String,
    pub text: String,
    pub saved_at_ms: i64,
}

/// The folder `journal/`.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
    /// One writer at a time; drafts are small and rare.
    writing: Mutex<()>,
}

/// A file is rewritten when it has more than this and more than [`GARBAGE_FACTOR`] times its live text.
const COMPACT_FROM_BYTES: u64 = 1024 * 1024;
const GARBAGE_FACTOR: u64 = 8;

impl Journal {
    pub(crate) fn at(folder: PathBuf) -> Self {
        Self { folder, writing: Mutex::new(()) }
    }

    /// Appends a draft; on disk when this returns.
    pub(crate) fn append(&self, user: &str, problem: &str, draft: &Draft) -> Result<(), FolderError> {
        let _turn = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.file(user, problem);
        let failed = |source| FolderError::access("appending to", &path, source);
        let is_new = !path.exists();
        let mut file = OpenOptions::new().append(true).create(true).open(&path).map_err(failed)?;
        // The leading line break closes a line that an earlier crash may have left torn.
        let line = format!("\n{}\n", encode(draft));
        file.write_all(line.as_bytes()).map_err(failed)?;
        file.sync_data().map_err(failed)?;
        if is_new {
            sync_folder(&self.folder)?;
        }
        let length = file.metadata().map_err(failed)?.len();
        drop(file);
        if length > COMPACT_FROM_BYTES { self.compact(&path, length) } else { Ok(()) }
    }

    /// The newest draft, in the language or (with `None`) in the one written last.
    pub(crate) fn newest(
        &self,
        user: &str,
        problem: &str,
        language: Option<&str>,
    ) -> Result<Option<Draft>, FolderError> {
        let drafts = read_drafts(&self.file(user, problem))?;
        let fits = |draft: &&Draft| language.is_none_or(|language| draft.language_id == language);
        Ok(drafts.iter().rev().find(fits).cloned())
    }

    /// Names are ids of ours, but a hall's foreign ids may be anything: the file is named by their hash.
    fn file(&self, user: &str, problem: &str) -> PathBuf {
        let mut hasher = Sha256::new();
        hasher.update(user);
        hasher.update([0]);
        hasher.update(problem);
        self.folder.join(format!("{:x}.drafts", hasher.finalize()))
    }

    fn compact(&self, path: &Path, length: u64) -> Result<(), FolderError> {
        let mut newest: HashMap<String, Draft> = HashMap::new();
        for draft in read_drafts(path)? {
            newest.insert(draft.language_id.clone(), draft);
        }
        let mut drafts: Vec<Draft> = newest.into_values().collect();
        drafts.sort_by_key(|draft| draft.saved_at_ms);
        let text: String = drafts.iter().map(|draft| format!("{}\n", encode(draft))).collect();
        if length / GARBAGE_FACTOR < text.len() as u64 {
            return Ok(());
        }
        let fresh = path.with_extension("fresh");
        let failed = |source| FolderError::access("rewriting", &fresh, source);
        let mut file = File::create(&fresh).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        fs::rename(&fresh, path).map_err(failed)?;
        sync_folder(&self.folder)
    }
}

fn encode(draft: &Draft) -> String {
    let json = serde_json::to_string(draft).expect("a draft is text and a number");
    format!("{} {json}", checksum(&json))
}

fn checksum(json: &str) -> String {
    let digest = Sha256::digest(json);
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read_drafts(path: &Path) -> Result<Vec<Draft>, FolderError> {
    let mut bytes = Vec::new();
    match File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(FolderError::access("reading", path, source)),
    }
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let mut drafts = Vec::new();
    for line in lines {
        match parse(line) {
            Some(draft) => drafts.push(draft),
            None => tracing::warn!(path = %path.display(), "a damaged record of the editor's journal was passed over"),
        }
    }
    Ok(drafts)
}

fn parse(line: &[u8]) -> Option<Draft> {
    let (sum, json) = std::str::from_utf8(line).ok()?.split_once(' ')?;
    if sum == checksum(json) { serde_json::from_str(json).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal() -> (tempfile::TempDir, Journal) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let journal = Journal::at(folder.path().to_owned());
        (folder, journal)
    }

    fn draft(language: &str, text: &str, saved_at_ms: i64) -> Draft {
        Draft { language_id: language.into(), text: text.into(), saved_at_ms }
    }

    #[test]
    fn the_newest_text_of_each_language_comes_back() {
        let (_folder, journal) = journal();
        assert_eq!(journal.newest("u", "p", None).expect("readable"), None);
        for entry in [draft("cpp20", "one\ntwo", 1), draft("python3", "π", 2), draft("cpp20", "three", 3)] {
            journal.append("u", "p", &entry).expect("written");
        }
        assert_eq!(journal.newest("u", "p", None).expect("readable"), Some(draft("cpp20", "three", 3)));
        assert_eq!(journal.newest("u", "p", Some("python3")).expect("readable"), Some(draft("python3", "π", 2)));
        assert_eq!(journal.newest("other", "p", None).expect("readable"), None);
    }

    #[test]
    fn every_torn_tail_keeps_what_was_whole_and_the_next_record() {
        let (_folder, journal) = journal();
        journal.append("u", "p", &draft("c", "whole", 1)).expect("written");
        let path = journal.file("u", "p");
        let whole = fs::read(&path).expect("readable");
        journal.append("u", "p", &draft("c", "torn", 2)).expect("written");
        let both = fs::read(&path).expect("readable");
        // Without its final line break a record is still whole; every shorter cut is torn.
        for cut in whole.len()..both.len() - 1 {
            fs::write(&path, &both[..cut]).expect("writable");
            assert_eq!(journal.newest("u", "p", None).expect("readable"), Some(draft("c", "whole", 1)), "cut at {cut}");
            journal.append("u", "p", &draft("c", "after", 3)).expect("written");
            assert_eq!(journal.newest("u", "p", None).expect("readable"), Some(draft("c", "after", 3)), "cut at {cut}");
        }
    }

    #[test]
    fn a_flipped_bit_is_noticed() {
        let (_folder, journal) = journal();
        journal.append("u", "p", &draft("c", "text", 1)).expect("written");
        let path = journal.file("u", "p");
        let mut bytes = fs::read(&path).expect("readable");
        let middle = bytes.len() - 10;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).expect("writable");
        assert_eq!(journal.newest("u", "p", None).expect("readable"), None);
    }

    #[test]
    fn a_long_journal_is_rewritten_with_the_newest_of_each_language() {
        let (_folder, journal) = journal();
        let text = "x".repeat(100_000);
        journal.append("u", "p", &draft("python3", "short", 0)).expect("written");
        for at in 1..=12 {
            journal.append("u", "p", &draft("cpp20", &text, at)).expect("written");
        }
        let length = fs::metadata(journal.file("u", "p")).expect("there").len();
        assert!(length < 400_000, "{length}");
        assert_eq!(journal.newest("u", "p", None).expect("readable").expect("there").saved_at_ms, 12);
        assert_eq!(journal.newest("u", "p", Some("python3")).expect("readable"), Some(draft("python3", "short", 0)));
    }
}
