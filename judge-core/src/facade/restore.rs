//! Giving a backup back: verified, built beside the data folder, exchanged with it in one step, the old one kept aside.
//!
//! ```text
//! read the backup back ─► lock the data folder ─► .restoring-<id>/ {database, content} ─► newest schema
//!   ─► no lease holders, fence tokens + 1, no sessions, a note for the audit log ─► exchange the two folders
//!   ─► what is not in a backup (drafts, other backups) moves over ─► <folder>.before-restore-<UTC>
//! ```
//! Nothing is touched before the new folder is whole; until the exchange a failure leaves everything as it was. What was
//! being judged when the backup was made is judged again by the next start, like after a crash: its process is gone.
//! (Rule: foundations, "Data folder and blobs".)

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_contract::backup::BackupView;

use super::OpenError;
use super::open::take_lock;
use crate::clock::Clock;
use crate::delivery::lease;
use crate::domain::date::utc_in_a_name;
use crate::ids::new_id;
use crate::owner;
use crate::owner::admin::Admin;
use crate::owner::auth::Auth;
use crate::store::authorizer::Owner;
use crate::store::folder::{DataFolder, sync_folder};
use crate::store::lock::FolderLock;
use crate::store::{FolderError, Store, StoreError, chain};
use crate::worker::{BACKUP_BLOBS, BACKUP_DATABASE, BackupError, BackupManifest, copy_hashed, read_back};

/// Beginning of the name, after the data folder's own, and length of the id that ends it.
const STAGING_WORD: &str = "restoring-";
const STAGING_ID: usize = 8;

/// Why a backup was not given back. The data folder is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The backup is none, damaged, or of a newer program.
    #[error("the backup cannot be used: {0}")]
    Backup(String),
    /// Somebody works in the data folder, or it cannot be used.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The disk is full, or a file cannot be written.
    #[error("the backup was not given back, everything is as it was: {0}")]
    Write(String),
}

impl From<FolderError> for RestoreError {
    fn from(error: FolderError) -> Self {
        Self::Write(chain(&error))
    }
}

impl From<StoreError> for RestoreError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::SchemaNewer { .. } | StoreError::SchemaChanged { .. } => Self::Backup(chain(&error)),
            error => Self::Write(chain(&error)),
        }
    }
}

impl From<BackupError> for RestoreError {
    fn from(error: BackupError) -> Self {
        Self::Backup(chain(&error))
    }
}

/// A backup that was given back.
#[derive(Clone, Debug)]
pub struct Restored {
    pub backup: BackupView,
    /// Where the folder's content before the restore lies; `None` when there was none.
    pub before: Option<PathBuf>,
}

/// Gives the backup at `backup` back into the data folder `into`, which nobody may be using.
///
/// # Errors
/// [`RestoreError`]; everything is as it was.
pub async fn restore(
    backup: &Path,
    into: &Path,
    program: &str,
    clock: Arc<dyn Clock>,
) -> Result<Restored, RestoreError> {
    let (backup, program) = (backup.to_owned(), program.to_owned());
    let into = std::path::absolute(into).map_err(|error| FolderError::access("resolving", into, error))?;
    refuse_into_backup(&backup, &into)?;
    let read = backup.clone();
    let manifest = blocking(move || Ok(read_back(&read)?)).await?;
    let unusable = |error: &FolderError| OpenError::FolderUnusable { folder: into.clone(), detail: chain(error) };
    let old = DataFolder::create(&into).map_err(|error| unusable(&error))?;
    let lock = take_lock(&old, &program)?;
    let staging = Staging::beside(old.root())?;
    let (source, target, wanted) = (backup.clone(), staging.folder.clone(), manifest.clone());
    blocking(move || copy(&source, &target, &wanted)).await?;
    take_over(&staging.folder, &manifest, Arc::clone(&clock)).await?;
    let now_ms = clock.wall_ms();
    let view = manifest.view(&backup);
    let before = blocking(move || staging.exchange(&old, &lock, now_ms, &program)).await?;
    tracing::info!(backup.id = %view.id, folder = %into.display(), "a backup was given back");
    Ok(Restored { backup: view, before })
}

/// A backup that becomes a data folder, or gets one inside, is no backup any more.
fn refuse_into_backup(backup: &Path, into: &Path) -> Result<(), RestoreError> {
    let backup = fs::canonicalize(backup).map_err(|error| FolderError::access("opening the backup", backup, error))?;
    // The part of the path that is there already; what is not can lead nowhere else.
    let there = into.ancestors().find_map(|path| fs::canonicalize(path).ok()).unwrap_or_else(|| into.to_owned());
    if there.starts_with(&backup) {
        let detail = format!("{} lies in the backup itself; name another data folder", into.display());
        return Err(OpenError::FolderUnusable { folder: into.to_owned(), detail }.into());
    }
    Ok(())
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RestoreError> + Send + 'static,
) -> Result<T, RestoreError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| RestoreError::Write("the thread that restored ended early".to_owned()))?
}

/// The database and the content, each file checked against its hash on the way.
fn copy(backup: &Path, target: &DataFolder, manifest: &BackupManifest) -> Result<(), RestoreError> {
    copy_file(&backup.join(BACKUP_DATABASE), &target.database(), &manifest.database.sha256)?;
    for blob in &manifest.blobs {
        let path = target.blobs().join(&blob.sha256);
        copy_file(&backup.join(BACKUP_BLOBS).join(&blob.sha256), &path, &blob.sha256)?;
        let failed = |error| FolderError::access("protecting", &path, error);
        let mut permissions = path.metadata().map_err(failed)?.permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).map_err(failed)?;
    }
    sync_folder(&target.blobs())?;
    sync_folder(target.root())?;
    Ok(())
}

fn copy_file(source: &Path, target: &Path, sha256: &str) -> Result<(), RestoreError> {
    let mut file = File::open(source).map_err(|error| FolderError::access("opening", source, error))?;
    if copy_hashed(&mut file, target)?.sha256 == sha256 {
        Ok(())
    } else {
        Err(RestoreError::Backup(format!("{} changed while it was read", source.display())))
    }
}

/// What a restored database needs before anybody works on it, each owner in its own tables.
async fn take_over(folder: &DataFolder, manifest: &BackupManifest, clock: Arc<dyn Clock>) -> Result<(), RestoreError> {
    let store = Store::open(&folder.database(), &folder.backups(), Arc::clone(&clock), owner::SCHEMA)?;
    store.skip_event_numbers()?;
    let auth = Auth::new(store.owner(Owner::Auth)?, clock);
    let by = auth.local_profile().await?.user_id;
    auth.restored().await?;
    for owner in [Owner::Catalog, Owner::Submission, Owner::Notification] {
        store.owner(owner)?.write("free the leases of a backup", lease::restored).await?;
    }
    Admin::new(store.owner(Owner::Admin)?).restored(manifest.id.clone(), by).await?;
    store.checkpoint()?;
    Ok(())
}

/// The new folder beside the old one. Dropped before the exchange, it goes again.
struct Staging {
    folder: DataFolder,
    is_done: bool,
}

impl Staging {
    fn beside(root: &Path) -> Result<Self, FolderError> {
        remove_abandoned(root);
        let id = new_id();
        let path = sibling(root, &format!("{STAGING_WORD}{}", &id[id.len() - STAGING_ID..]));
        Ok(Self { folder: DataFolder::create(&path)?, is_done: false })
    }

    /// The new folder takes the old one's name; answers where the old one lies.
    fn exchange(
        mut self,
        old: &DataFolder,
        lock: &FolderLock,
        now_ms: i64,
        program: &str,
    ) -> Result<Option<PathBuf>, RestoreError> {
        // Held until the rest has moved over, so that nobody starts on half of it.
        let new_lock = take_lock(&self.folder, program)?;
        let had_content = old.database().exists();
        let aside = self.folder.root().to_owned();
        swap(&aside, old.root()).map_err(|error| FolderError::access("exchanging", old.root(), error))?;
        self.is_done = true;
        // From here on `old` names the new folder, and `aside` the old one.
        let kept = [(aside.join("backups"), old.backups()), (aside.join("journal"), old.journal())];
        for (from, to) in kept {
            if let Err(error) = move_over(&from, &to) {
                tracing::warn!(error = %chain(&error), "what is not in a backup stays in the folder kept aside");
            }
        }
        let named = sibling(old.root(), &format!("before-restore-{}", utc_in_a_name(now_ms)));
        lock.release();
        new_lock.release();
        if !had_content {
            let _ = fs::remove_dir_all(&aside);
            return Ok(None);
        }
        match fs::rename(&aside, &named) {
            Ok(()) => Ok(Some(named)),
            Err(error) => {
                tracing::warn!(%error, "the folder kept aside keeps its working name");
                Ok(Some(aside))
            }
        }
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = fs::remove_dir_all(self.folder.root());
        }
    }
}

/// What restores that were killed left beside the data folder, whose lock the caller holds: nobody else can be at one.
fn remove_abandoned(root: &Path) {
    let Some((parent, name)) = root.parent().zip(root.file_name()) else { return };
    let beginning = format!("{}.{STAGING_WORD}", name.to_string_lossy());
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let id = name.to_str().and_then(|name| name.strip_prefix(&beginning));
        let is_ours = id.is_some_and(|id| id.len() == STAGING_ID && id.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            match fs::remove_dir_all(entry.path()) {
                Ok(()) => tracing::info!(folder = %entry.path().display(), "what a killed restore left is removed"),
                Err(error) => {
                    tracing::warn!(folder = %entry.path().display(), %error, "what a killed restore left stays");
                }
            }
        }
    }
}

/// `/x/agon` and `word` → `/x/agon.word`.
fn sibling(root: &Path, word: &str) -> PathBuf {
    let mut name = root.as_os_str().to_owned();
    name.push(".");
    name.push(word);
    PathBuf::from(name)
}

/// Exchanges two folders: in one step where the system can, so that there is no moment without a data folder.
fn swap(one: &Path, other: &Path) -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
            Ok(()) => return sync_parent(other),
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let spare = sibling(one, "spare");
    fs::rename(other, &spare)?;
    if let Err(error) = fs::rename(one, other) {
        fs::rename(&spare, other)?;
        return Err(error);
    }
    fs::rename(&spare, one)?;
    sync_parent(other)
}

fn sync_parent(path: &Path) -> std::io::Result<()> {
    let parent = path.parent().unwrap_or(Path::new("/"));
    if cfg!(unix) { File::open(parent)?.sync_all() } else { Ok(()) }
}

/// Moves every entry of a folder; one that is there already stays where it is.
fn move_over(from: &Path, to: &Path) -> Result<(), FolderError> {
    let listing = |error| FolderError::access("listing", from, error);
    for entry in fs::read_dir(from).map_err(listing)? {
        let entry = entry.map_err(listing)?;
        let target = to.join(entry.file_name());
        if !target.exists() {
            fs::rename(entry.path(), &target).map_err(|error| FolderError::access("moving", &target, error))?;
        }
    }
    sync_folder(to)
}
