//! The place where backups lie: what is there, and which of the scheduled ones go.

use std::fs;
use std::path::{Path, PathBuf};

use agon_contract::backup::BackupKind;

use super::manifest::{BLOBS, MANIFEST, Manifest};
use super::{BackupError, PART_SUFFIX, build};
use crate::store::folder::DataFolder;
use crate::store::{FolderError, chain};

/// A backup and what it says about itself; not read back.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub path: PathBuf,
    pub manifest: Manifest,
}

/// Something that looks like a backup and is none.
#[derive(Clone, Debug)]
pub(crate) struct Unusable {
    pub path: PathBuf,
    pub reason: String,
}

/// A scheduled backup on its way out carries this, so that it is no backup from one moment on.
const GONE_SUFFIX: &str = ".gone";

/// Refuses what cannot be a place of backups: a file, a backup itself, and the data folder outside of its own place, whose
/// parts have their own order. The place may be shared, with other backups and with whatever else lies there: each backup is
/// a new folder of its own.
pub(super) fn check_place(place: &Path, data: &DataFolder) -> Result<(), BackupError> {
    let refuse = |reason| Err(BackupError::NoPlace { path: place.to_owned(), reason });
    if place.exists() && !place.is_dir() {
        return refuse("it is a file");
    }
    if place.join(MANIFEST).exists() {
        return refuse("it is a backup itself");
    }
    // What does not exist yet has no links in it.
    let there = place.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("/"));
    let resolved = there.canonicalize().map_err(|error| FolderError::access("resolving", there, error))?;
    let resolved = place.strip_prefix(there).map_or(resolved.clone(), |rest| resolved.join(rest));
    if resolved.starts_with(data.root()) && resolved != data.backups() {
        return refuse("it lies in the data folder");
    }
    Ok(())
}

/// Backups of a place, newest first, and what only looks like one.
pub(super) fn look(place: &Path) -> Result<(Vec<Found>, Vec<Unusable>), BackupError> {
    let (mut found, mut unusable) = (Vec::new(), Vec::new());
    for path in folders(place)? {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !name.starts_with("agon-") || name.ends_with(GONE_SUFFIX) {
            continue;
        }
        match Manifest::read(&path) {
            Ok(manifest) => found.push(Found { path, manifest }),
            Err(error) => unusable.push(Unusable { path, reason: chain(&error) }),
        }
    }
    found.sort_by(|one, other| other.manifest.id.cmp(&one.manifest.id));
    Ok((found, unusable))
}

/// Where content may be linked from: the backups of the place, newest first. A place that cannot be listed has none.
pub(super) fn content_beside(place: &Path) -> Vec<PathBuf> {
    let found = look(place).map(|(found, _)| found).unwrap_or_default();
    found.into_iter().map(|found| found.path.join(BLOBS)).collect()
}

/// Removes scheduled backups beyond the newest `keep`; answers how many. Those that somebody asked for stay.
pub(super) fn thin(place: &Path, keep: usize) -> Result<usize, BackupError> {
    let (found, _) = look(place)?;
    let scheduled = found.into_iter().filter(|found| found.manifest.kind == BackupKind::Scheduled);
    let mut removed = 0;
    for old in scheduled.skip(keep.max(1)) {
        let mut gone = old.path.clone().into_os_string();
        gone.push(GONE_SUFFIX);
        let gone = PathBuf::from(gone);
        fs::rename(&old.path, &gone).map_err(|error| FolderError::access("naming", &gone, error))?;
        removed += 1;
    }
    for path in folders(place)? {
        if path.to_str().is_some_and(|name| name.ends_with(GONE_SUFFIX)) {
            build::remove(&path)?;
        }
    }
    Ok(removed)
}

fn folders(place: &Path) -> Result<Vec<PathBuf>, BackupError> {
    let listing = |error| FolderError::access("listing", place, error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(place).map_err(listing)? {
        let path = entry.map_err(listing)?.path();
        let is_part = path.to_str().is_some_and(|name| name.ends_with(PART_SUFFIX));
        if path.is_dir() && !path.is_symlink() && !is_part {
            paths.push(path);
        }
    }
    Ok(paths)
}
