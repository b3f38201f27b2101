//! Sources that are edited elsewhere: the newest content of each file becomes its draft.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use agon_contract::watch::WatchedFileState;
use sha2::{Digest, Sha256};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::folder::PassError;
use super::settle::Settle;
use super::wakes::{RecursiveMode, Wakes, blind};
use super::{Means, content};
use crate::module::ModuleFailure;
use crate::owner::catalog::{FileKey, FileRow};
use crate::store::journal::Draft;
use crate::store::{FolderError, chain};

/// As much as the editor's own drafts may have.
const SOURCE_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Editors write a file in one go or beside it and rename: this long without a change is a whole save.
const QUIET: Duration = Duration::from_millis(300);
/// An empty file is the first half of a save that truncates; only after this long is it meant so.
const EMPTY_QUIET: Duration = Duration::from_secs(2);
const BUSY_TICK: Duration = Duration::from_millis(150);
/// Looked at even if nobody told anything: a file costs one stat.
const CALM_TICK: Duration = Duration::from_secs(2);
const IDLE_TICK: Duration = Duration::from_secs(60);

/// The task that watches sources.
pub(super) struct SourceTask {
    means: Means,
    wakes: Wakes,
    orders: Arc<Notify>,
    settle: Settle,
    /// The file's facts that were dealt with last, and what came of it.
    dealt: HashMap<FileKey, Dealt>,
}

struct Dealt {
    row_path: String,
    facts: String,
    state: WatchedFileState,
    reason: String,
}

impl SourceTask {
    pub(super) fn new(means: Means) -> Result<Self, ModuleFailure> {
        let orders = means.board.source_orders();
        Ok(Self { wakes: Wakes::new()?, means, orders, settle: Settle::default(), dealt: HashMap::new() })
    }

    /// Looks, waits, looks again, until it is told to stop.
    pub(super) async fn run(mut self, first: Duration, stop: CancellationToken) -> Result<(), ModuleFailure> {
        let bell = self.wakes.bell();
        let mut pause = first;
        loop {
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                () = self.orders.notified() => {}
                () = self.means.clock.sleep(pause) => {}
                () = bell.notified() => {}
            }
            // Short: a stop waits for it, so that a draft and its row are never half-done.
            pause = self.pass().await?;
        }
    }

    /// One look at every file; answers how long to wait for the next.
    pub(super) async fn pass(&mut self) -> Result<Duration, ModuleFailure> {
        match self.look_once().await {
            Ok(pause) => Ok(pause),
            Err(PassError::Watch(failure)) => Err(failure),
            Err(PassError::Store(error)) => {
                tracing::warn!(error = %chain(&error), "watched sources wait for the store");
                Ok(CALM_TICK)
            }
        }
    }

    async fn look_once(&mut self) -> Result<Duration, PassError> {
        if self.wakes.take().is_blind {
            return Err(blind().into());
        }
        let rows = self.means.catalog.watched_files(None).await?;
        self.wakes.watch_only(&folders(&rows))?;
        let keys: HashSet<&FileKey> = rows.iter().map(|row| &row.key).collect();
        self.dealt.retain(|key, _| keys.contains(key));
        for row in &rows {
            self.look_at(row).await?;
        }
        let files = self.dealt.iter().map(|(key, dealt)| (key.clone(), (dealt.state.clone(), dealt.reason.clone())));
        self.means.board.show_files(files.collect());
        Ok(match (rows.is_empty(), self.settle.is_empty()) {
            (true, _) => IDLE_TICK,
            (false, true) => CALM_TICK,
            (false, false) => BUSY_TICK,
        })
    }

    async fn look_at(&mut self, row: &FileRow) -> Result<(), PassError> {
        let name = format!("{:?}", row.key);
        let path = PathBuf::from(&row.path);
        let (facts, bytes) = match stat(&path) {
            Ok(found) => found,
            Err(error) => {
                self.settle.forget(&name);
                let state = match error.kind() {
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => WatchedFileState::Missing,
                    _ => WatchedFileState::Refused,
                };
                let reason = if state == WatchedFileState::Missing { String::new() } else { chain(&error) };
                self.deal(row, String::new(), state, reason);
                return Ok(());
            }
        };
        // A row that was set anew, even to the same file, is a new wish.
        let is_dealt = self.dealt.get(&row.key).is_some_and(|dealt| dealt.facts == facts && dealt.row_path == row.path);
        if is_dealt && !row.is_new() && !self.settle.observes(&name) {
            return Ok(());
        }
        let quiet = if bytes == 0 { EMPTY_QUIET } else { QUIET };
        if !self.settle.observe(&name, &facts, quiet, self.means.clock.steady_ms()) {
            self.deal(row, facts, WatchedFileState::Settling, String::new());
            return Ok(());
        }
        let (state, reason) = self.take(row, path, &facts).await?;
        self.deal(row, facts, state, reason);
        Ok(())
    }

    fn deal(&mut self, row: &FileRow, facts: String, state: WatchedFileState, reason: String) {
        let dealt = Dealt { row_path: row.path.clone(), facts, state, reason };
        self.dealt.insert(row.key.clone(), dealt);
    }

    /// The file is at rest: its content becomes the draft, unless the draft is newer.
    async fn take(
        &mut self,
        row: &FileRow,
        path: PathBuf,
        facts: &str,
    ) -> Result<(WatchedFileState, String), PassError> {
        let read = tokio::task::spawn_blocking(move || read(&path)).await;
        let found = match read.unwrap_or_else(|error| Err(Unfit::Unreadable(io::Error::other(error)))) {
            Ok(found) => found,
            Err(unfit) => return Ok((WatchedFileState::Refused, chain(&unfit))),
        };
        if found.facts != facts {
            // Saved again while it was read: the next look takes the newer one.
            self.settle.observe(&format!("{:?}", row.key), &found.facts, QUIET, self.means.clock.steady_ms());
            return Ok((WatchedFileState::Settling, String::new()));
        }
        match self.offer(row, found).await {
            Ok(state) => Ok((state, String::new())),
            Err(OfferError::Store(error)) => Err(error.into()),
            Err(OfferError::Folder(error)) => {
                tracing::warn!(error = %chain(&error), "a watched source could not be journalled");
                // Not dealt with: tried again at the next look.
                self.settle.observe(&format!("{:?}", row.key), "", QUIET, self.means.clock.steady_ms());
                Ok((WatchedFileState::Settling, chain(&error)))
            }
        }
    }

    async fn offer(&self, row: &FileRow, found: Found) -> Result<WatchedFileState, OfferError> {
        let hash = format!("{:x}", Sha256::digest(&found.text));
        let key = row.key.clone();
        let present = self.draft(&key).await?;
        let is_same = present.as_ref().is_some_and(|draft| draft.text == found.text);
        // A file that was just chosen is meant. Later only a save counts, and only one that is newer than what was
        // typed here since.
        let was_saved = row.seen_hash.as_deref() != Some(&hash);
        let is_newer = present.is_none_or(|draft| draft.is_from_file || found.modified_ms > draft.saved_at_ms);
        let counts = is_same || row.is_new() || (was_saved && is_newer);
        if !counts {
            return Ok(WatchedFileState::Older);
        }
        let now_ms = self.means.clock.wall_ms();
        if !is_same {
            let draft = Draft::from_file(key.language_id.0.clone(), found.text, now_ms);
            let (journal, user, problem) =
                (Arc::clone(&self.means.journal), key.user_id.0.clone(), key.problem_id.0.clone());
            let appended = tokio::task::spawn_blocking(move || journal.supersede(&user, &problem, &draft)).await;
            appended.map_err(|_| FolderError::Interrupted { operation: "journalling" })??;
        }
        self.means.catalog.file_was_read(key, row.path.clone(), hash, now_ms).await?;
        if !is_same {
            self.means.board.tell();
        }
        Ok(WatchedFileState::Current)
    }

    async fn draft(&self, key: &FileKey) -> Result<Option<Draft>, FolderError> {
        let (journal, key) = (Arc::clone(&self.means.journal), key.clone());
        let newest =
            move || journal.newest(key.user_id.as_str(), key.problem_id.as_str(), Some(key.language_id.as_str()));
        let newest = tokio::task::spawn_blocking(newest).await;
        newest.map_err(|_| FolderError::Interrupted { operation: "reading the journal" })?
    }
}

#[derive(Debug, thiserror::Error)]
enum OfferError {
    #[error(transparent)]
    Store(#[from] crate::store::StoreError),
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// Why a file cannot be a draft.
#[derive(Debug, thiserror::Error)]
enum Unfit {
    #[error("it cannot be read")]
    Unreadable(#[source] io::Error),
    #[error("it is no file")]
    NoFile,
    #[error("it has more than {SOURCE_BYTES_MAX} bytes")]
    TooBig,
    #[error("it is not UTF-8 text")]
    NotText,
}

struct Found {
    text: String,
    facts: String,
    modified_ms: i64,
}

/// Folders to watch: of each file, and of what a link leads to. A folder and not the file, so that a file which an
/// editor puts in its place by renaming is seen too.
fn folders(rows: &[FileRow]) -> BTreeMap<PathBuf, RecursiveMode> {
    let mut folders = BTreeMap::new();
    for row in rows {
        let path = Path::new(&row.path);
        let real = fs::canonicalize(path).ok();
        for folder in [path.parent(), real.as_deref().and_then(Path::parent)].into_iter().flatten() {
            if folder.is_dir() {
                folders.insert(folder.to_owned(), RecursiveMode::NonRecursive);
            }
        }
    }
    folders
}

fn stat(path: &Path) -> io::Result<(String, u64)> {
    let metadata = fs::metadata(path)?;
    Ok((content::facts(&metadata), metadata.len()))
}

fn read(path: &Path) -> Result<Found, Unfit> {
    let metadata = fs::metadata(path).map_err(Unfit::Unreadable)?;
    // Opening a pipe would wait for its other end.
    if !metadata.is_file() {
        return Err(Unfit::NoFile);
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(Unfit::Unreadable)?;
    file.take(SOURCE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(Unfit::Unreadable)?;
    if bytes.len() as u64 > SOURCE_BYTES_MAX {
        return Err(Unfit::TooBig);
    }
    let text = String::from_utf8(bytes).map_err(|_| Unfit::NotText)?;
    let after = fs::metadata(path).map_err(Unfit::Unreadable)?;
    let modified = after.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified_ms = modified.and_then(|since| i64::try_from(since.as_millis()).ok()).unwrap_or(0);
    Ok(Found { text, facts: content::facts(&after), modified_ms })
}
