//! What the system tells: something changed near here, too much changed to say, or there are no watches left.
//!
//! Told paths are gathered until somebody asks, with a bound: beyond it, and whenever the system lost count itself,
//! everything counts as changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use notify::event::{AccessKind, AccessMode};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, Watcher};
use tokio::sync::Notify;

use crate::module::ModuleFailure;

pub(super) use notify::RecursiveMode;

/// Paths that are told one by one.
const PATHS_MAX: usize = 4_096;

const TOO_FEW_WATCHES: &str = "the system has no watches left for this user";
const RAISE_LIMITS: &str = "Raise fs.inotify.max_user_watches and fs.inotify.max_user_instances with sysctl, or have the folder \
     looked at instead of being told (\"poll\"), then switch the module on again.";

/// What was told since it was asked last.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// Anything may have changed.
    pub everything: bool,
    pub paths: BTreeSet<PathBuf>,
    /// There are too few watches: from now on changes are missed.
    pub is_blind: bool,
}

/// The system's watches of one task.
pub(super) struct Wakes {
    watcher: RecommendedWatcher,
    watched: BTreeMap<PathBuf, RecursiveMode>,
    told: Arc<Mutex<Told>>,
    woken: Arc<Notify>,
}

impl Wakes {
    /// Nothing is watched yet.
    pub(super) fn new() -> Result<Self, ModuleFailure> {
        let (told, woken) = (Arc::<Mutex<Told>>::default(), Arc::<Notify>::default());
        let (gathered, bell) = (Arc::clone(&told), Arc::clone(&woken));
        let handler = move |event: notify::Result<Event>| {
            let mut told = gathered.lock().unwrap_or_else(PoisonError::into_inner);
            if told.gather(event) {
                drop(told);
                bell.notify_one();
            }
        };
        let watcher = notify::recommended_watcher(handler).map_err(|error| cannot_watch(&error))?;
        Ok(Self { watcher, watched: BTreeMap::new(), told, woken })
    }

    /// Rings when something was told.
    pub(super) fn bell(&self) -> Arc<Notify> {
        Arc::clone(&self.woken)
    }

    /// What was told since the last time; from now on it is told anew.
    pub(super) fn take(&self) -> Told {
        std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Watches exactly these from now on. What is not there or not readable is left out and told by nobody.
    ///
    /// # Errors
    /// There are too few watches.
    pub(super) fn watch_only(&mut self, wanted: &BTreeMap<PathBuf, RecursiveMode>) -> Result<(), ModuleFailure> {
        let gone: Vec<PathBuf> = self.watched.keys().filter(|path| !wanted.contains_key(*path)).cloned().collect();
        for path in gone {
            self.forget(&path);
        }
        for (path, mode) in wanted {
            if self.watched.contains_key(path) {
                continue;
            }
            match self.watcher.watch(path, *mode) {
                Ok(()) => {
                    self.watched.insert(path.clone(), *mode);
                }
                Err(error) if is_limit(&error) => return Err(cannot_watch(&error)),
                Err(error) => {
                    tracing::debug!(path = %path.display(), %error, "not watched; it is looked at now and then")
                }
            }
        }
        Ok(())
    }

    /// Lets go of a path, e.g. because something else lies there by now.
    pub(super) fn forget(&mut self, path: &Path) {
        if self.watched.remove(path).is_some() {
            // It may be gone, and its watch with it.
            let _ = self.watcher.unwatch(path);
        }
    }
}

impl Told {
    /// Takes an event in; false when it means nothing.
    fn gather(&mut self, event: notify::Result<Event>) -> bool {
        match event {
            Ok(event) if event.need_rescan() => self.everything = true,
            Ok(event) if is_reading(event.kind) => return false,
            Ok(event) => self.paths.extend(event.paths),
            Err(error) => {
                self.is_blind |= is_limit(&error);
                self.everything = true;
            }
        }
        if self.everything || self.paths.len() > PATHS_MAX {
            self.everything = true;
            self.paths.clear();
        }
        true
    }
}

/// Our own looks make such events; they change nothing.
fn is_reading(kind: EventKind) -> bool {
    matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}

/// ENOSPC for watches, EMFILE and ENFILE for instances (inotify(7)).
fn is_limit(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::MaxFilesWatch => true,
        ErrorKind::Io(error) => cfg!(target_os = "linux") && matches!(error.raw_os_error(), Some(23 | 24 | 28)),
        ErrorKind::Generic(_) | ErrorKind::PathNotFound | ErrorKind::WatchNotFound | ErrorKind::InvalidConfig(_) => {
            false
        }
    }
}

pub(super) fn cannot_watch(error: &notify::Error) -> ModuleFailure {
    if is_limit(error) {
        return blind();
    }
    ModuleFailure::new(
        format!("the system cannot watch files: {error}"),
        "Have the folder looked at instead (\"poll\").",
    )
}

/// Changes are missed for lack of watches.
pub(super) fn blind() -> ModuleFailure {
    ModuleFailure::new(TOO_FEW_WATCHES, RAISE_LIMITS)
}

#[cfg(test)]
mod tests {
    use notify::event::{CreateKind, Flag};

    use super::*;

    fn created(path: &str) -> notify::Result<Event> {
        Ok(Event::new(EventKind::Create(CreateKind::File)).add_path(path.into()))
    }

    #[test]
    fn an_overflow_and_too_many_paths_mean_everything() {
        let mut told = Told::default();
        assert!(told.gather(created("/a")) && !told.everything);
        assert!(told.gather(Ok(Event::new(EventKind::Other).set_flag(Flag::Rescan))));
        assert_eq!(told, Told { everything: true, ..Told::default() });
        let mut told = Told::default();
        for number in 0..=PATHS_MAX {
            told.gather(created(&format!("/{number}")));
        }
        assert_eq!(told, Told { everything: true, ..Told::default() });
    }

    #[test]
    fn our_own_reading_wakes_nobody_and_the_end_of_a_write_does() {
        let mut told = Told::default();
        for access in [AccessKind::Read, AccessKind::Open(AccessMode::Any), AccessKind::Close(AccessMode::Read)] {
            assert!(!told.gather(Ok(Event::new(EventKind::Access(access)).add_path("/a".into()))), "{access:?}");
        }
        assert_eq!(told, Told::default());
        let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
        assert!(told.gather(Ok(Event::new(written).add_path("/a".into()))));
        assert_eq!(told.paths.len(), 1);
    }

    #[test]
    fn a_limit_is_told_with_the_way_out() {
        let mut told = Told::default();
        told.gather(Err(notify::Error::new(ErrorKind::MaxFilesWatch)));
        assert!(told.is_blind && told.everything);
        for number in [23, 24, 28] {
            let error = notify::Error::io(std::io::Error::from_raw_os_error(number));
            assert!(cannot_watch(&error).remedy.contains("max_user_watches"), "{number}");
        }
        let other = notify::Error::io(std::io::Error::from_raw_os_error(13));
        assert!(!is_limit(&other) && !cannot_watch(&other).reason.is_empty());
    }
}
