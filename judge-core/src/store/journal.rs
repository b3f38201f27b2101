//! The editor's journal: what was typed survives a crash.
//!
//! One append-only file per person and problem. A record is one line: a checksum, a space, JSON. A line that is torn
//! or damaged ends the reading of nothing but itself, and the next record starts on a line of its own. When a file
//! has grown well past its live text it is rewritten beside itself and renamed over. A text that another one took the
//! place of from outside is kept as a version, the newest few of each language.

use std::collections::{HashMap, HashSet};
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
    /// Read from a file that is edited elsewhere.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_from_file: bool,
    /// Kept as a version: another text has taken its place.
    #[serde(default, skip_serializing_if = "is_false")]
    is_superseded: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_false(value: &bool) -> bool {
    !value
}

impl Draft {
    /// What was typed here.
    pub(crate) fn typed(language_id: String, text: String, saved_at_ms: i64) -> Self {
        Self { language_id, text, saved_at_ms, is_from_file: false, is_superseded: false }
    }

    /// What a file edited elsewhere has.
    pub(crate) fn from_file(language_id: String, text: String, saved_at_ms: i64) -> Self {
        Self { is_from_file: true, ..Self::typed(language_id, text, saved_at_ms) }
    }
}

/// The folder `journal/`.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
    /// One writer at a time; drafts are small and rare. Holds the files whose names this process has synced: that a
    /// file is there does not say so, whoever made it may have died or failed before.
    writing: Mutex<Writing>,
}

#[derive(Debug, Default)]
struct Writing {
    durable_names: HashSet<PathBuf>,
    /// When the newest text of a file and a language was saved, as far as this process wrote it.
    newest_at_ms: HashMap<(PathBuf, String), i64>,
}

/// A file is rewritten when it has more than this and more than [`GARBAGE_FACTOR`] times its live text.
const COMPACT_FROM_BYTES: u64 = 1024 * 1024;
const GARBAGE_FACTOR: u64 = 8;

/// Versions kept of each language, and bytes they may have together; the newest one is always kept.
const VERSIONS_MAX: usize = 20;
const VERSION_BYTES_MAX: usize = 512 * 1024;

impl Journal {
    pub(crate) fn at(folder: PathBuf) -> Self {
        Self { folder, writing: Mutex::default() }
    }

    /// Appends a draft; on disk when this returns. Where it was made from another text than the newest one (whose moment
    /// is not `based_on_ms`; 0: there was none), that one is kept as a version and handed back.
    pub(crate) fn append(
        &self,
        user: &str,
        problem: &str,
        draft: &Draft,
        based_on_ms: Option<i64>,
    ) -> Result<Option<String>, FolderError> {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.file(user, problem);
        let key = (path.clone(), draft.language_id.clone());
        let other = match based_on_ms {
            Some(base) if writing.newest_at_ms.get(&key) != Some(&base) => {
                let newest = newest_of(&read_drafts(&path)?, Some(&draft.language_id));
                newest.filter(|newest| newest.saved_at_ms != base && newest.text != draft.text)
            }
            Some(_) | None => None,
        };
        match &other {
            Some(other) => {
                let kept = Draft { is_superseded: true, ..other.clone() };
                self.write(&mut writing, &path, &[&kept, draft])?;
            }
            None => self.write(&mut writing, &path, &[draft])?,
        }
        Ok(other.map(|other| other.text))
    }

    /// Appends a draft that came from outside; what it takes the place of is kept as a version. Both are one write: after
    /// a crash at most the version is there twice.
    pub(crate) fn supersede(&self, user: &str, problem: &str, draft: &Draft) -> Result<(), FolderError> {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.file(user, problem);
        let older = newest_of(&read_drafts(&path)?, Some(&draft.language_id));
        match older {
            Some(older) if older.text == draft.text => Ok(()),
            Some(older) => self.write(&mut writing, &path, &[&Draft { is_superseded: true, ..older }, draft]),
            None => self.write(&mut writing, &path, &[draft]),
        }
    }

    /// Earlier texts that others took the place of, newest first.
    pub(crate) fn versions(&self, user: &str, problem: &str, language: &str) -> Result<Vec<Draft>, FolderError> {
        let drafts = read_drafts(&self.file(user, problem))?;
        let mut versions: Vec<Draft> =
            drafts.into_iter().rev().filter(|draft| draft.is_superseded && draft.language_id == language).collect();
        versions.dedup_by(|a, b| a.text == b.text);
        versions.truncate(VERSIONS_MAX);
        Ok(versions)
    }

    fn write(&self, writing: &mut Writing, path: &Path, drafts: &[&Draft]) -> Result<(), FolderError> {
        let failed = |source| FolderError::access("appending to", path, source);
        let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
        // The leading line break closes a line that an earlier crash may have left torn.
        let lines: String = drafts.iter().map(|draft| format!("\n{}\n", encode(draft))).collect();
        file.write_all(lines.as_bytes()).map_err(failed)?;
        file.sync_data().map_err(failed)?;
        if !writing.durable_names.contains(path) {
            sync_folder(&self.folder)?;
            writing.durable_names.insert(path.to_owned());
        }
        for draft in drafts.iter().filter(|draft| !draft.is_superseded) {
            writing.newest_at_ms.insert((path.to_owned(), draft.language_id.clone()), draft.saved_at_ms);
        }
        let length = file.metadata().map_err(failed)?.len();
        drop(file);
        if length > COMPACT_FROM_BYTES {
            // Until the rewritten file's name is synced, the name means the old file.
            writing.durable_names.remove(path);
            self.compact(path, length)?;
        }
        Ok(())
    }

    /// The newest draft, in the language or (with `None`) in the one written last.
    pub(crate) fn newest(
        &self,
        user: &str,
        problem: &str,
        language: Option<&str>,
    ) -> Result<Option<Draft>, FolderError> {
        Ok(newest_of(&read_drafts(&self.file(user, problem))?, language))
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
        let drafts = worth_keeping(read_drafts(path)?);
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

fn newest_of(drafts: &[Draft], language: Option<&str>) -> Option<Draft> {
    let fits = |draft: &&Draft| !draft.is_superseded && language.is_none_or(|language| draft.language_id == language);
    drafts.iter().rev().find(fits).cloned()
}

/// The newest text of each language and its newest versions, in the order in which they were written.
fn worth_keeping(drafts: Vec<Draft>) -> Vec<Draft> {
    let mut kept: HashMap<(String, bool), (usize, usize)> = HashMap::new();
    let mut keeps = |draft: &Draft| {
        let (count, bytes) = kept.entry((draft.language_id.clone(), draft.is_superseded)).or_default();
        *count += 1;
        *bytes += draft.text.len();
        *count == 1 || (draft.is_superseded && *count <= VERSIONS_MAX && *bytes <= VERSION_BYTES_MAX)
    };
    let mut newest_first: Vec<Draft> = drafts.into_iter().rev().filter(|draft| keeps(draft)).collect();
    newest_first.reverse();
    newest_first
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
        Draft::typed(language.into(), text.into(), saved_at_ms)
    }

    fn texts(drafts: &[Draft]) -> Vec<&str> {
        drafts.iter().map(|draft| draft.text.as_str()).collect()
    }

    #[test]
    fn a_text_that_another_window_typed_is_kept_and_told() {
        let (_folder, journal) = journal();
        let append = |text: &str, at: i64, base: Option<i64>| {
            journal.append("u", "p", &draft("c", text, at), base).expect("written")
        };
        assert_eq!(append("one", 1, Some(0)), None, "there was nothing");
        assert_eq!(append("one more", 2, Some(1)), None, "made from the newest");
        assert_eq!(append("two", 3, Some(1)).as_deref(), Some("one more"), "another window did not see it");
        assert_eq!(append("one again", 4, Some(2)).as_deref(), Some("two"));
        assert_eq!(append("one again", 5, Some(3)), None, "the same text is no loss");
        assert_eq!(append("said nothing", 6, None), None);
        let versions = journal.versions("u", "p", "c").expect("readable");
        assert_eq!(texts(&versions), ["two", "one more"]);
        let other = Journal::at(journal.folder.clone());
        let told = other.append("u", "p", &draft("c", "new process", 7), Some(1)).expect("written");
        assert_eq!(told.as_deref(), Some("said nothing"), "known from the file alone");
    }

    #[test]
    fn what_a_file_takes_the_place_of_is_kept_as_a_version() {
        let (_folder, journal) = journal();
        journal.append("u", "p", &draft("c", "typed", 1), None).expect("written");
        for (at, text) in [(2, "saved"), (3, "saved"), (4, "saved again")] {
            journal.supersede("u", "p", &Draft::from_file("c".into(), text.into(), at)).expect("written");
        }
        journal.supersede("u", "p", &Draft::from_file("python3".into(), "first".into(), 5)).expect("written");
        let newest = journal.newest("u", "p", Some("c")).expect("readable").expect("there");
        assert!(newest.text == "saved again" && newest.is_from_file);
        let versions = journal.versions("u", "p", "c").expect("readable");
        assert_eq!(texts(&versions), ["saved", "typed"]);
        assert_eq!(versions.iter().map(|version| version.is_from_file).collect::<Vec<_>>(), [true, false]);
        assert!(journal.versions("u", "p", "python3").expect("readable").is_empty(), "nothing was there before");
        assert_eq!(journal.newest("u", "p", None).expect("readable").expect("there").text, "first");
    }

    #[test]
    fn versions_outlive_the_rewriting_of_a_long_journal_and_are_bounded() {
        let (_folder, journal) = journal();
        let filler = "x".repeat(20_000);
        for at in 0..60 {
            let text = format!("{at} {filler}");
            journal.supersede("u", "p", &Draft::from_file("c".into(), text, at)).expect("written");
        }
        for at in 100..300 {
            journal.append("u", "p", &draft("c", &filler, at), None).expect("written");
        }
        let versions = journal.versions("u", "p", "c").expect("readable");
        let starts: Vec<String> = texts(&versions).iter().map(|text| text[..2].to_owned()).collect();
        assert_eq!(starts, (39..59).rev().map(|at| at.to_string()).collect::<Vec<_>>());
        let length = fs::metadata(journal.file("u", "p")).expect("there").len();
        assert!(length < 4_500_000, "{length}");
        assert_eq!(journal.newest("u", "p", None).expect("readable").expect("there").saved_at_ms, 299);
    }

    #[test]
    fn the_newest_text_of_each_language_comes_back() {
        let (_folder, journal) = journal();
        assert_eq!(journal.newest("u", "p", None).expect("readable"), None);
        for entry in [draft("cpp20", "one\ntwo", 1), draft("python3", "π", 2), draft("cpp20", "three", 3)] {
            journal.append("u", "p", &entry, None).expect("written");
        }
        assert_eq!(journal.newest("u", "p", None).expect("readable"), Some(draft("cpp20", "three", 3)));
        assert_eq!(journal.newest("u", "p", Some("python3")).expect("readable"), Some(draft("python3", "π", 2)));
        assert_eq!(journal.newest("other", "p", None).expect("readable"), None);
    }

    #[test]
    fn every_torn_tail_keeps_what_was_whole_and_the_next_record() {
        let (_folder, journal) = journal();
        journal.append("u", "p", &draft("c", "whole", 1), None).expect("written");
        let path = journal.file("u", "p");
        let whole = fs::read(&path).expect("readable");
        journal.append("u", "p", &draft("c", "torn", 2), None).expect("written");
        let both = fs::read(&path).expect("readable");
        // Without its final line break a record is still whole; every shorter cut is torn.
        for cut in whole.len()..both.len() - 1 {
            fs::write(&path, &both[..cut]).expect("writable");
            assert_eq!(journal.newest("u", "p", None).expect("readable"), Some(draft("c", "whole", 1)), "cut at {cut}");
            journal.append("u", "p", &draft("c", "after", 3), None).expect("written");
            assert_eq!(journal.newest("u", "p", None).expect("readable"), Some(draft("c", "after", 3)), "cut at {cut}");
        }
    }

    #[test]
    fn a_flipped_bit_is_noticed() {
        let (_folder, journal) = journal();
        journal.append("u", "p", &draft("c", "text", 1), None).expect("written");
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
        journal.append("u", "p", &draft("python3", "short", 0), None).expect("written");
        for at in 1..=12 {
            journal.append("u", "p", &draft("cpp20", &text, at), None).expect("written");
        }
        let length = fs::metadata(journal.file("u", "p")).expect("there").len();
        assert!(length < 400_000, "{length}");
        assert_eq!(journal.newest("u", "p", None).expect("readable").expect("there").saved_at_ms, 12);
        assert_eq!(journal.newest("u", "p", Some("python3")).expect("readable"), Some(draft("python3", "short", 0)));
    }
}
