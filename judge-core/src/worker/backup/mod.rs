//! Backups: everything that can be given back, copied while work goes on, and read back before it counts.
//!
//! ```text
//! lease `backup` ─► run MAKING ─► .name.part/ {database at one moment, blobs it names} ─► read back ─► name/ ─► run MADE
//!                                   └── anything fails, the lease is lost, the program closes: .name.part goes, run FAILED
//! ```
//! | step | only if |
//! |---|---|
//! | begin | the lease is held (in the WHERE clause of the run's row) |
//! | appear under its name (one rename) | everything was read back: structure, keys, every hash, the audit chain |
//! | count, and tell the audit log | the run is MAKING with the lease's fence token, and the lease is still held |
//!
//! A backup is a folder `agon-<UTC>-<id>/` with `agon.db`, `blobs/<hash>` and `manifest.json`. Content that a backup beside
//! it has is linked, not copied, so that keeping many costs little; nothing is ever linked to the living data. A part that
//! a crash left is removed at the next start, because the run's row names it. (Rule: foundations, "Data folder and blobs".)

mod build;
mod error;
mod manifest;
mod read_back;
mod schedule;
mod shelf;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use agon_contract::backup::BackupKind;
use agon_contract::ids::UserId;
use tokio_util::sync::CancellationToken;

pub(crate) use build::copy_hashed;
pub(crate) use error::BackupError;
pub(crate) use manifest::{BLOBS, DATABASE, Manifest};
pub(crate) use read_back::read_back;
pub(super) use schedule::run as run_schedule;
pub(crate) use shelf::{Found, Unusable};

use crate::clock::Clock;
use crate::delivery::lease::Hold;
use crate::delivery::outbox::Carrier;
use crate::domain::date::utc_in_a_name;
use crate::ids::new_id;
use crate::owner::admin::{Admin, BACKUP_LEASE, NewRun};
use crate::store::blobs::Blobs;
use crate::store::chain;
use crate::store::folder::DataFolder;

/// Between two renewals of the lease: a third of its period.
const HEARTBEAT: Duration = Duration::from_secs(20);
const PART_SUFFIX: &str = ".part";

/// Makes backups of one open folder. Clones share it.
#[derive(Clone)]
pub(crate) struct Backups {
    admin: Admin,
    blobs: Blobs,
    folder: DataFolder,
    clock: Arc<dyn Clock>,
    boot_id: Arc<str>,
    closing: CancellationToken,
}

/// What is to be made.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub kind: BackupKind,
    /// `None`: the data folder's own place.
    pub into: Option<PathBuf>,
    /// `None` for the program itself.
    pub by: Option<UserId>,
}

/// Where a backup is made and where it appears.
#[derive(Clone, Debug)]
struct Plan {
    id: String,
    kind: BackupKind,
    made_at_ms: i64,
    part: PathBuf,
    path: PathBuf,
}

impl Backups {
    pub(crate) fn new(
        admin: Admin,
        blobs: Blobs,
        folder: DataFolder,
        clock: Arc<dyn Clock>,
        boot_id: &str,
        closing: CancellationToken,
    ) -> Self {
        Self { admin, blobs, folder, clock, boot_id: boot_id.into(), closing }
    }

    /// Makes a backup; when this answers, it lies under its name and was read back.
    pub(crate) async fn make(&self, order: Order) -> Result<Found, BackupError> {
        if let Some(place) = order.into.clone() {
            let data = self.folder.clone();
            let checked = tokio::task::spawn_blocking(move || shelf::check_place(&place, &data)).await;
            checked.map_err(|_| BackupError::Interrupted)??;
        }
        let holder = Carrier { token: new_id(), boot_id: self.boot_id.to_string() };
        let hold = self.admin.take_lease(BACKUP_LEASE, holder).await?;
        let hold = hold.ok_or(BackupError::UnderWay)?;
        let made = self.make_held(&hold, order).await;
        if let Err(error) = self.admin.release_lease(&hold).await {
            tracing::warn!(error = %chain(&error), "the lease for backups was not released; it ends by itself");
        }
        made
    }

    async fn make_held(&self, hold: &Hold, order: Order) -> Result<Found, BackupError> {
        let plan = self.plan(&order);
        let run = NewRun {
            id: plan.id.clone(),
            kind: plan.kind.clone(),
            part_path: plan.part.display().to_string(),
            path: plan.path.display().to_string(),
        };
        if !self.admin.begin_backup(hold, run).await? {
            return Err(BackupError::LeaseLost);
        }
        let done = match self.build(hold, plan.clone()).await {
            Ok(manifest) => self.count(hold, &plan, manifest, order.by).await,
            Err(error) => Err(error),
        };
        if let Err(error) = &done {
            tracing::error!(error = %chain(error), "a backup failed; nothing of it is left");
            let noted = self.admin.backup_failed(plan.id, chain(error)).await;
            if let Err(error) = noted {
                tracing::warn!(error = %chain(&error), "the failed backup could not be noted; the next start does it");
            }
        }
        done
    }

    fn plan(&self, order: &Order) -> Plan {
        let (id, made_at_ms) = (new_id(), self.clock.wall_ms());
        let parent = order.into.clone().unwrap_or_else(|| self.folder.backups());
        // The end of an id is random; its beginning is the time again.
        let name = format!("agon-{}-{}", utc_in_a_name(made_at_ms), &id[id.len() - 8..]);
        let part = parent.join(format!(".{name}{PART_SUFFIX}"));
        Plan { id, kind: order.kind.clone(), made_at_ms, part, path: parent.join(name) }
    }

    /// Builds on a thread of its own while the lease is renewed beside it.
    async fn build(&self, hold: &Hold, plan: Plan) -> Result<Manifest, BackupError> {
        let quiet = self.blobs.pin().await;
        let abandoned = Arc::new(AtomicBool::new(false));
        let site = build::Site {
            database: self.folder.database(),
            blobs: self.blobs.clone(),
            abandoned: Arc::clone(&abandoned),
        };
        let mut work = tokio::task::spawn_blocking(move || {
            let _content_stays = quiet;
            build::build(&site, &plan)
        });
        loop {
            tokio::select! {
                built = &mut work => return built.map_err(|_| BackupError::Interrupted)?,
                () = self.closing.cancelled(), if !abandoned.load(Ordering::Relaxed) => {
                    abandoned.store(true, Ordering::Relaxed);
                }
                () = self.clock.sleep(HEARTBEAT) => {
                    let renewed = self.admin.renew_lease(hold).await;
                    if !matches!(renewed, Ok(true)) {
                        abandoned.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// The finished backup counts if the lease is still held; otherwise it goes again.
    async fn count(
        &self,
        hold: &Hold,
        plan: &Plan,
        manifest: Manifest,
        by: Option<UserId>,
    ) -> Result<Found, BackupError> {
        let details = serde_json::json!({
            "kind": manifest.kind,
            "path": plan.path.display().to_string(),
            "blobs": manifest.blobs.len(),
            "audit_entries": manifest.audit.entries,
            "audit_head": manifest.audit.head_hash,
        });
        if self.admin.backup_made(hold, plan.id.clone(), by, details).await? {
            return Ok(Found { path: plan.path.clone(), manifest });
        }
        build::remove(&plan.path)?;
        Err(BackupError::LeaseLost)
    }

    /// What lies in the data folder's own place for backups.
    pub(crate) async fn list(&self) -> Result<(Vec<Found>, Vec<Unusable>), BackupError> {
        let place = self.folder.backups();
        tokio::task::spawn_blocking(move || shelf::look(&place)).await.map_err(|_| BackupError::Interrupted)?
    }

    /// Reads a backup of the own place back, whole; `None` when there is none of this id.
    pub(crate) async fn verify(&self, id: &str) -> Result<Option<Found>, BackupError> {
        let found = self.list().await?.0.into_iter().find(|found| found.manifest.id == id);
        let Some(found) = found else { return Ok(None) };
        let read = move || read_back(&found.path).map(|manifest| Found { path: found.path.clone(), manifest });
        tokio::task::spawn_blocking(read).await.map_err(|_| BackupError::Interrupted)?.map(Some)
    }

    /// Why the newest run failed; `None` when it did not.
    pub(crate) async fn last_failure(&self) -> Result<Option<String>, BackupError> {
        let last = self.admin.last_backup(None).await?;
        Ok(last.filter(|run| run.state == "failed").map(|run| run.reason))
    }

    /// Removes what an interrupted run left, and says that it failed. For the start, before anybody makes a backup.
    pub(crate) async fn recover(&self) -> Result<(), BackupError> {
        for run in self.admin.interrupted_backups().await? {
            let part = PathBuf::from(&run.part_path);
            if is_part(&part) {
                build::remove(&part)?;
            }
            self.admin.backup_failed(run.id, "the program ended while it was made".to_owned()).await?;
        }
        Ok(())
    }
}

/// A path out of a table is removed only if it looks like one of ours.
fn is_part(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with(".agon-") && name.ends_with(PART_SUFFIX)
}
