//! What the watch sees, for those who ask; and how they tell it that something was set.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agon_contract::watch::{WatchedFileState, WatchedFolderState, WatchedPackage};
use tokio::sync::Notify;

use crate::owner::catalog::FileKey;

/// Shared by the watch and the facade. Clones are one board.
#[derive(Clone)]
pub(crate) struct WatchBoard {
    seen: Arc<Mutex<Seen>>,
    folder_set: Arc<Notify>,
    sources_set: Arc<Notify>,
    /// Packages to look at again.
    rechecks: Arc<Mutex<BTreeSet<String>>>,
    /// Called after each change.
    told: Arc<dyn Fn() + Send + Sync>,
}

/// Everything that was seen last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub folder: Option<FolderSeen>,
    pub files: HashMap<FileKey, (WatchedFileState, String)>,
}

/// The folder as it was seen last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FolderSeen {
    pub path: String,
    pub state: WatchedFolderState,
    pub message: String,
    pub packages: BTreeMap<String, WatchedPackage>,
}

impl WatchBoard {
    pub(crate) fn new(told: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self {
            seen: Arc::default(),
            folder_set: Arc::default(),
            sources_set: Arc::default(),
            rechecks: Arc::default(),
            told,
        }
    }

    pub(crate) fn seen(&self) -> Seen {
        self.lock().clone()
    }

    /// The folder, its settings or what is known of a package changed.
    pub(crate) fn folder_was_set(&self) {
        self.folder_set.notify_one();
    }

    /// What was decided about this package does not count any more.
    pub(crate) fn recheck(&self, name: String) {
        self.rechecks.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
        self.folder_set.notify_one();
    }

    pub(super) fn take_rechecks(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.rechecks.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Files to watch came or went.
    pub(crate) fn sources_were_set(&self) {
        self.sources_set.notify_one();
    }

    pub(super) fn folder_orders(&self) -> Arc<Notify> {
        Arc::clone(&self.folder_set)
    }

    pub(super) fn source_orders(&self) -> Arc<Notify> {
        Arc::clone(&self.sources_set)
    }

    pub(super) fn show_folder(&self, folder: Option<FolderSeen>) {
        let mut seen = self.lock();
        if seen.folder != folder {
            seen.folder = folder;
            drop(seen);
            (self.told)();
        }
    }

    pub(super) fn show_files(&self, files: HashMap<FileKey, (WatchedFileState, String)>) {
        let mut seen = self.lock();
        if seen.files != files {
            seen.files = files;
            drop(seen);
            (self.told)();
        }
    }

    /// Something else changed that readers look up themselves: a draft.
    pub(super) fn tell(&self) {
        (self.told)();
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
