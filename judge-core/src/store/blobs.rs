//! Content by its hash: written and synced before any row may name it, collected only when nothing names it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

use super::FolderError;
use super::folder::sync_folder;

/// The folder `blobs/`: files named by the hex SHA-256 of their content.
#[derive(Clone, Debug)]
pub(crate) struct Blobs {
    folder: PathBuf,
    /// Read side: content is written whose row is not there yet, or content is copied. Write side: it is collected.
    quiet: Arc<RwLock<()>>,
}

/// A blob that is durably there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BlobRef {
    /// Hex SHA-256.
    pub hash: String,
    pub bytes: u64,
}

/// Unfinished writes carry this suffix; they are nobody's and are removed at start.
const PART_SUFFIX: &str = ".part";

impl Blobs {
    pub(crate) fn at(folder: PathBuf) -> Self {
        Self { folder, quiet: Arc::default() }
    }

    /// While this is held, nothing is collected: for the time between a blob and the row that names it, and for copies.
    pub(crate) async fn pin(&self) -> OwnedRwLockReadGuard<()> {
        Arc::clone(&self.quiet).read_owned().await
    }

    /// Held while looking for what nothing names and removing it; `None` while somebody pins.
    pub(crate) fn quiet(&self) -> Option<OwnedRwLockWriteGuard<()>> {
        Arc::clone(&self.quiet).try_write_owned().ok()
    }

    /// Where the blob's bytes are; the file may be opened for reading only.
    pub(crate) fn path(&self, hash: &str) -> Result<PathBuf, FolderError> {
        if hash.len() == 64 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            Ok(self.folder.join(hash))
        } else {
            Err(FolderError::BlobName { text: hash.to_owned() })
        }
    }

    /// Stores bytes; durable when this returns.
    pub(crate) fn put_bytes(&self, bytes: &[u8]) -> Result<BlobRef, FolderError> {
        self.put(&mut &*bytes, &self.folder)
    }

    /// Stores a copy of the file; durable when this returns.
    pub(crate) fn put_file(&self, source: &Path) -> Result<BlobRef, FolderError> {
        let mut file = File::open(source).map_err(|error| FolderError::access("opening", source, error))?;
        self.put(&mut file, source)
    }

    fn put(&self, source: &mut dyn Read, source_path: &Path) -> Result<BlobRef, FolderError> {
        let part = self.folder.join(format!("{}{PART_SUFFIX}", crate::ids::new_id()));
        let written = self.write_part(source, source_path, &part);
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
        written
    }

    fn write_part(&self, source: &mut dyn Read, source_path: &Path, part: &Path) -> Result<BlobRef, FolderError> {
        let failed = |error| FolderError::access("writing", part, error);
        let mut file = File::create_new(part).map_err(failed)?;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0_u8; 256 * 1024];
        let mut bytes = 0_u64;
        loop {
            let read = match source.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(FolderError::access("reading", source_path, error)),
            };
            hasher.update(&buffer[..read]);
            file.write_all(&buffer[..read]).map_err(failed)?;
            bytes += read as u64;
        }
        let hash = format!("{:x}", hasher.finalize());
        self.publish(file, part, BlobRef { hash, bytes })
    }

    /// Syncs the file, gives it its name, syncs the name.
    fn publish(&self, file: File, part: &Path, blob: BlobRef) -> Result<BlobRef, FolderError> {
        let path = self.folder.join(&blob.hash);
        if path.metadata().is_ok_and(|there| there.len() == blob.bytes) {
            fs::remove_file(part).map_err(|error| FolderError::access("removing", part, error))?;
            // Whoever gave it its name may not have synced the name yet, or may have failed to.
            sync_folder(&self.folder)?;
            return Ok(blob);
        }
        let mut permissions =
            file.metadata().map_err(|error| FolderError::access("reading", part, error))?.permissions();
        permissions.set_readonly(true);
        file.set_permissions(permissions).map_err(|error| FolderError::access("protecting", part, error))?;
        file.sync_all().map_err(|error| FolderError::access("syncing", part, error))?;
        drop(file);
        fs::rename(part, &path).map_err(|error| FolderError::access("naming", &path, error))?;
        sync_folder(&self.folder)?;
        Ok(blob)
    }

    /// Only what this store writes is ever removed from its folder.
    fn is_own_name(name: &str) -> bool {
        let is_hash = name.len() == 64 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let is_part = name.strip_suffix(PART_SUFFIX).is_some_and(|id| id.len() == 36);
        is_hash || is_part
    }

    /// Opens a blob for reading.
    pub(crate) fn open(&self, hash: &str) -> Result<File, FolderError> {
        let path = self.path(hash)?;
        File::open(&path).map_err(|error| FolderError::access("opening", path, error))
    }

    /// The whole content, checked against its name.
    pub(crate) fn read(&self, hash: &str) -> Result<Vec<u8>, FolderError> {
        let mut bytes = Vec::new();
        let failed = |error| FolderError::access("reading", self.folder.join(hash), error);
        self.open(hash)?.read_to_end(&mut bytes).map_err(failed)?;
        if format!("{:x}", Sha256::digest(&bytes)) == hash {
            Ok(bytes)
        } else {
            Err(FolderError::BlobDamaged { hash: hash.to_owned() })
        }
    }

    /// Removes what no hash in `reachable` names, unfinished writes included; answers how many. The caller makes sure
    /// that nobody writes meanwhile: at start before the doors open, later by [`quiet`](Self::quiet).
    pub(crate) fn collect(&self, reachable: &BTreeSet<String>) -> Result<usize, FolderError> {
        let listing = |error| FolderError::access("listing", &self.folder, error);
        let mut removed = 0;
        for entry in fs::read_dir(&self.folder).map_err(listing)? {
            let entry = entry.map_err(listing)?;
            let name = entry.file_name();
            let name = name.to_str().unwrap_or_default();
            if Self::is_own_name(name) && !reachable.contains(name) {
                let path = entry.path();
                fs::remove_file(&path).map_err(|error| FolderError::access("removing", path, error))?;
                removed += 1;
            }
        }
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blobs() -> (tempfile::TempDir, Blobs) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let blobs = Blobs::at(folder.path().to_owned());
        (folder, blobs)
    }

    #[test]
    fn the_same_content_is_kept_once_under_its_hash() {
        let (folder, blobs) = blobs();
        let first = blobs.put_bytes(b"abc").expect("stored");
        let second = blobs.put_bytes(b"abc").expect("stored");
        assert_eq!(first, second);
        assert_eq!(first.hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(blobs.read(&first.hash).expect("readable"), b"abc");
        assert_eq!(fs::read_dir(folder.path()).expect("listable").count(), 1);
    }

    #[test]
    fn a_blob_that_was_cut_short_is_written_anew() {
        let (folder, blobs) = blobs();
        let blob = blobs.put_bytes(b"whole").expect("stored");
        fs::remove_file(folder.path().join(&blob.hash)).expect("removable");
        fs::write(folder.path().join(&blob.hash), b"who").expect("writable");
        assert!(matches!(blobs.read(&blob.hash), Err(FolderError::BlobDamaged { .. })));
        blobs.put_bytes(b"whole").expect("stored again");
        assert_eq!(blobs.read(&blob.hash).expect("readable"), b"whole");
    }

    #[test]
    fn collection_keeps_what_is_named_and_nothing_else() {
        let (folder, blobs) = blobs();
        let kept = blobs.put_bytes(b"kept").expect("stored");
        blobs.put_bytes(b"loose").expect("stored");
        fs::write(folder.path().join(format!("{}.part", crate::ids::new_id())), b"torn").expect("writable");
        fs::write(folder.path().join("letter.part"), b"somebody's").expect("writable");
        fs::create_dir(folder.path().join("photos")).expect("writable");
        let reachable = BTreeSet::from([kept.hash.clone()]);
        assert_eq!(blobs.collect(&reachable).expect("collectable"), 2);
        assert_eq!(blobs.read(&kept.hash).expect("readable"), b"kept");
    }

    #[test]
    fn names_that_are_no_hashes_reach_no_file() {
        let (_folder, blobs) = blobs();
        for text in ["../agon.db", "", "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"] {
            assert!(matches!(blobs.open(text), Err(FolderError::BlobName { .. })), "{text}");
        }
    }
}
