//! Backups: made, listed, read back.

use std::path::PathBuf;

use agon_contract::ApiError;
use agon_contract::backup::{
    BackupKind, BackupList, BackupView, ListBackups, MakeBackup, UnusableBackup, VerifyBackup,
};
use agon_contract::permission::Permission;

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::{bad_request, not_found, require};
use crate::worker::{BackupOrder, FoundBackup};

impl Judge {
    /// Makes a backup while everything goes on; when this answers, it was read back.
    ///
    /// # Errors
    /// `forbidden`, `bad_request` (a folder where none may be named, or that is no place for backups), `conflict` (one is being made),
    /// `storage_unavailable`; nothing half-made is left.
    pub async fn make_backup(&self, actor: &Actor, req: MakeBackup) -> Result<BackupView, ApiError> {
        require(actor, &Permission::ManageBackups)?;
        let into = match req.into {
            Some(_) if !self.takes_paths => {
                return Err(bad_request("folders of this machine cannot be named here")
                    .with_hint("Leave the folder out: the backup goes into the data folder's own place."));
            }
            into => into.map(PathBuf::from),
        };
        if into.as_ref().is_some_and(|folder| !folder.is_absolute()) {
            return Err(bad_request("name the folder from its root"));
        }
        let order = BackupOrder { kind: BackupKind::Manual, into, by: Some(actor.user_id.clone()) };
        Ok(view(&self.rooms.backups.make(order).await?))
    }

    /// What lies in the data folder's place for backups.
    ///
    /// # Errors
    /// `forbidden`, `storage_unavailable`.
    pub async fn list_backups(&self, actor: &Actor, _req: ListBackups) -> Result<BackupList, ApiError> {
        require(actor, &Permission::ManageBackups)?;
        let (found, unusable) = self.rooms.backups.list().await?;
        let unusable = unusable
            .into_iter()
            .map(|unusable| UnusableBackup { path: unusable.path.display().to_string(), reason: unusable.reason });
        Ok(BackupList {
            backups: found.iter().map(view).collect(),
            unusable: unusable.collect(),
            last_failure: self.rooms.backups.last_failure().await?,
        })
    }

    /// Reads a backup back, whole.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `unreadable` when it is damaged.
    pub async fn verify_backup(&self, actor: &Actor, req: VerifyBackup) -> Result<BackupView, ApiError> {
        require(actor, &Permission::ManageBackups)?;
        let found = self.rooms.backups.verify(&req.backup_id).await?;
        found.as_ref().map(view).ok_or_else(|| not_found("backup", req.backup_id))
    }
}

fn view(found: &FoundBackup) -> BackupView {
    found.manifest.view(&found.path)
}
