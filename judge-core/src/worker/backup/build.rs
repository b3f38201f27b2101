//! Building a backup beside its later name: database, content, manifest, reading back, one rename.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sha2::{Digest, Sha256};

use super::manifest::{BLOBS, Content, DATABASE, Manifest};
use super::read_back::{names_of, read_back};
use super::{BackupError, Plan, shelf};
use crate::owner::admin::audit;
use crate::store::FolderError;
use crate::store::backup::{open_checked, snapshot};
use crate::store::blobs::Blobs;
use crate::store::folder::{create_private, sync_folder};

/// What is copied from, and whether it still makes sense.
pub(super) struct Site {
    pub database: PathBuf,
    pub blobs: Blobs,
    /// Set from outside: the lease is lost, or the program closes.
    pub abandoned: Arc<AtomicBool>,
}

impl Site {
    fn go_on(&self) -> Result<(), BackupError> {
        if self.abandoned.load(Ordering::Relaxed) { Err(BackupError::Closing) } else { Ok(()) }
    }
}

/// A backup in the making. Dropped before it has its name, it goes, whatever ended the making.
struct Part<'p> {
    path: &'p Path,
    is_named: bool,
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        if self.is_named {
            return;
        }
        if let Err(error) = remove(self.path) {
            tracing::warn!(error = %crate::store::chain(&error), "what a failed backup left goes at the next start");
        }
    }
}

/// A whole backup under its name, or nothing.
pub(super) fn build(site: &Site, plan: &Plan) -> Result<Manifest, BackupError> {
    let parent = plan.path.parent().unwrap_or(Path::new("."));
    create_private(parent)?;
    let mut part = Part { path: &plan.part, is_named: false };
    let manifest = fill(site, plan, parent)?;
    let read = read_back(&plan.part)?;
    debug_assert_eq!(read, manifest);
    site.go_on()?;
    fs::rename(&plan.part, &plan.path).map_err(|error| FolderError::access("naming", &plan.path, error))?;
    part.is_named = true;
    sync_folder(parent)?;
    Ok(manifest)
}

/// Everything a backup consists of, durable when this returns.
fn fill(site: &Site, plan: &Plan, parent: &Path) -> Result<Manifest, BackupError> {
    create_private(&plan.part.join(BLOBS))?;
    let database = plan.part.join(DATABASE);
    snapshot(&site.database, &database)?;
    site.go_on()?;
    let (names, audit) = {
        let connection = open_checked(&database)?;
        (names_of(&connection)?, audit::verify(&connection).map_err(|source| broken_read(&database, source))?)
    };
    let mut blobs = Vec::with_capacity(names.len());
    let siblings = shelf::content_beside(parent);
    for name in &names {
        site.go_on()?;
        blobs.push(copy_blob(site, plan, name, &siblings)?);
    }
    let manifest = Manifest::new(plan, hash_file(&database)?, blobs, audit);
    manifest.write(&plan.part)?;
    sync_folder(&plan.part.join(BLOBS))?;
    sync_folder(&plan.part)?;
    Ok(manifest)
}

fn broken_read(path: &Path, source: rusqlite::Error) -> BackupError {
    crate::store::StoreError::Backup { path: path.to_owned(), source }.into()
}

/// Links the content from a backup beside this one where it is there and still whole, copies it otherwise.
fn copy_blob(site: &Site, plan: &Plan, name: &str, siblings: &[PathBuf]) -> Result<Content, BackupError> {
    let target = plan.part.join(BLOBS).join(name);
    for sibling in siblings {
        if fs::hard_link(sibling.join(name), &target).is_err() {
            continue;
        }
        let content = hash_file(&target)?;
        if content.sha256 == name {
            return Ok(content);
        }
        fs::remove_file(&target).map_err(|error| FolderError::access("removing", &target, error))?;
    }
    let mut source = site.blobs.open(name)?;
    let content = copy_hashed(&mut source, &target)?;
    if content.sha256 == name { Ok(content) } else { Err(FolderError::BlobDamaged { hash: name.to_owned() }.into()) }
}

/// Copies to a new file, durable when this returns.
pub(crate) fn copy_hashed(source: &mut File, target: &Path) -> Result<Content, FolderError> {
    let failed = |error| FolderError::access("writing", target, error);
    let mut file = File::create_new(target).map_err(failed)?;
    let content = pump(source, target, |bytes| file.write_all(bytes).map_err(failed))?;
    file.sync_all().map_err(failed)?;
    Ok(content)
}

/// Content of a file as it is on the disk.
pub(super) fn hash_file(path: &Path) -> Result<Content, FolderError> {
    let mut file = File::open(path).map_err(|error| FolderError::access("opening", path, error))?;
    pump(&mut file, path, |_| Ok(()))
}

fn pump(
    source: &mut File,
    path: &Path,
    mut each: impl FnMut(&[u8]) -> Result<(), FolderError>,
) -> Result<Content, FolderError> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0_u8; 256 * 1024];
    let mut bytes = 0;
    loop {
        let read = match source.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(FolderError::access("reading", path, error)),
        };
        hasher.update(&buffer[..read]);
        each(&buffer[..read])?;
        bytes += read as u64;
    }
    Ok(Content { sha256: format!("{:x}", hasher.finalize()), bytes })
}

/// Removes a folder of ours; absent is what is wanted.
pub(super) fn remove(path: &Path) -> Result<(), FolderError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(FolderError::access("removing", path, error)),
        _ => Ok(()),
    }
}

/// Names in a set, for comparing.
pub(super) fn hashes(blobs: &[Content]) -> BTreeSet<String> {
    blobs.iter().map(|blob| blob.sha256.clone()).collect()
}
