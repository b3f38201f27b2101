//! Compile cache: artefacts by what they were made from, in one folder with a size cap.
//!
//! Safe to lose, to cut and to share: an entry is written aside and renamed, carries its own hash, and anything that
//! does not read back whole is a miss. A failure to write is logged and judging goes on.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::artefact::{Artefact, decode, encode};
use super::model::CompileReport;

/// A folder of artefacts, shared by all workers of the process.
#[derive(Clone, Debug)]
pub struct CompileCache {
    folder: PathBuf,
    cap_bytes: u64,
}

impl CompileCache {
    /// Uses `folder` (made when first needed), kept below `cap_bytes` by dropping what was used longest ago.
    #[must_use]
    pub fn new(folder: PathBuf, cap_bytes: u64) -> Self {
        Self { folder, cap_bytes }
    }

    /// What is kept under `key` (hex).
    pub(super) async fn load(&self, key: &str) -> Option<(Artefact, CompileReport)> {
        let path = self.folder.join(key);
        run_blocking(move || {
            let found = decode(&fs::read(&path).ok()?)?;
            // Marks the use; a folder that cannot be written keeps its old order.
            let _ = fs::File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
            Some(found)
        })
        .await
    }

    /// Keeps a success under `key`.
    pub(super) async fn store(&self, key: &str, artefact: &Artefact, report: &CompileReport) {
        let (cache, key, bytes) = (self.clone(), key.to_owned(), encode(artefact, report));
        run_blocking(move || {
            if let Err(error) = cache.write(&key, &bytes) {
                tracing::warn!(%error, folder = %cache.folder.display(), "the compile cache could not keep an artefact");
            }
        })
        .await;
    }

    /// Forgets an artefact that turned out not to start.
    pub(super) async fn forget(&self, key: &str) {
        let path = self.folder.join(key);
        run_blocking(move || {
            // Absent is what is wanted.
            let _ = fs::remove_file(path);
        })
        .await;
    }

    fn write(&self, key: &str, bytes: &[u8]) -> std::io::Result<()> {
        if bytes.len() as u64 > self.cap_bytes {
            return Ok(());
        }
        fs::create_dir_all(&self.folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(bytes)?;
        file.persist(self.folder.join(key)).map_err(|error| error.error)?;
        self.shrink()
    }

    /// Drops the entries used longest ago until the rest fits.
    fn shrink(&self) -> std::io::Result<()> {
        let mut entries: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let metadata = entry.metadata()?;
            if metadata.is_file() && is_key(&entry.path()) {
                entries.push((metadata.modified()?, metadata.len(), entry.path()));
            }
        }
        let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
        entries.sort();
        for (_, bytes, path) in entries {
            if total <= self.cap_bytes {
                break;
            }
            fs::remove_file(path)?;
            total -= bytes;
        }
        Ok(())
    }
}

/// Only what this cache wrote is ever removed.
fn is_key(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judging::artefact::ArtefactFile;

    fn artefact(bytes: usize) -> Artefact {
        Artefact { files: vec![ArtefactFile { name: "program".into(), bytes: vec![7; bytes], is_executable: true }] }
    }

    #[tokio::test]
    async fn the_oldest_use_goes_first_and_damage_is_a_miss() {
        let folder = tempfile::tempdir().expect("a temp folder");
        let cache = CompileCache::new(folder.path().join("cache"), 5000);
        let (a, b, c) = ("a".repeat(64), "b".repeat(64), "c".repeat(64));
        let report = CompileReport { succeeded: true, ..CompileReport::default() };
        assert!(cache.load(&a).await.is_none());
        cache.store(&a, &artefact(2000), &report).await;
        cache.store(&b, &artefact(2000), &report).await;
        let old = |key: &str, seconds| {
            let file = fs::File::options().append(true).open(folder.path().join("cache").join(key)).expect("there");
            file.set_modified(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds)).expect("set");
        };
        old(&a, 1);
        old(&b, 2);
        assert!(cache.load(&a).await.is_some(), "used now, so `b` is the oldest");
        cache.store(&c, &artefact(2000), &report).await;
        assert!(cache.load(&b).await.is_none() && cache.load(&a).await.is_some() && cache.load(&c).await.is_some());

        fs::write(folder.path().join("cache").join(&a), b"{}\nhalf").expect("written");
        assert!(cache.load(&a).await.is_none());
        cache.forget(&c).await;
        assert!(cache.load(&c).await.is_none());
        cache.store(&b, &artefact(9000), &report).await;
        assert!(cache.load(&b).await.is_none(), "larger than the whole cache");
    }
}
