//! Singleton work of the folder: its leases, and what backups leave in the tables.

use agon_contract::audit::AuditAction;
use agon_contract::backup::BackupKind;
use agon_contract::ids::UserId;

use super::Admin;
use super::backup_run::{self, Interrupted, LastRun, NewRun};
use crate::delivery::audit_note::{self, AuditNote};
use crate::delivery::lease::{self, Hold};
use crate::delivery::operations_note;
use crate::delivery::outbox::Carrier;
use crate::store::{NewEvent, StoreError};

/// Name of the lease under which backups are made.
pub(crate) const BACKUP_LEASE: &str = "backup";

impl Admin {
    /// Takes a lease; `None` while somebody else holds it.
    pub(crate) async fn take_lease(&self, name: &'static str, holder: Carrier) -> Result<Option<Hold>, StoreError> {
        self.store.write("take a lease", move |tx| lease::acquire(tx, name, &holder, tx.steady_ms())).await
    }

    /// Prolongs it; false when it was lost.
    pub(crate) async fn renew_lease(&self, hold: &Hold) -> Result<bool, StoreError> {
        let hold = hold.clone();
        self.store.write("renew a lease", move |tx| lease::renew(tx, &hold, tx.steady_ms())).await
    }

    pub(crate) async fn release_lease(&self, hold: &Hold) -> Result<bool, StoreError> {
        let hold = hold.clone();
        self.store.write("release a lease", move |tx| lease::release(tx, &hold)).await
    }

    /// Whether a backup run was begun under the lease.
    pub(crate) async fn begin_backup(&self, hold: &Hold, run: NewRun) -> Result<bool, StoreError> {
        let hold = hold.clone();
        self.store.write("begin a backup", move |tx| backup_run::begin(tx, &hold, &run, tx.steady_ms())).await
    }

    /// Whether the finished backup counts: the lease must still be held. The audit log is told in the same commit.
    pub(crate) async fn backup_made(
        &self,
        hold: &Hold,
        id: String,
        by: Option<UserId>,
        details: serde_json::Value,
    ) -> Result<bool, StoreError> {
        let hold = hold.clone();
        self.store
            .write("note a finished backup", move |tx| {
                if !backup_run::made(tx, &hold, &id, tx.steady_ms())? {
                    return Ok(false);
                }
                let action = AuditAction::BackupMade;
                audit_note::put(tx, &AuditNote { actor: by.as_ref(), action, object: &id, details })?;
                tx.emit(&NewEvent {
                    event_type: "BackupMade",
                    aggregate_id: &id,
                    aggregate_version: 0,
                    causation_id: None,
                    payload: "{}".to_owned(),
                })?;
                Ok(true)
            })
            .await
    }

    pub(crate) async fn backup_failed(&self, id: String, reason: String) -> Result<bool, StoreError> {
        self.store
            .write("note a failed backup", move |tx| {
                let is_news = backup_run::failed(tx, &id, &reason)?;
                if is_news {
                    operations_note::put_backup_failed(tx, &id, &reason)?;
                }
                Ok(is_news)
            })
            .await
    }

    /// Runs that a process which is gone had begun.
    pub(crate) async fn interrupted_backups(&self) -> Result<Vec<Interrupted>, StoreError> {
        self.store.read("look for interrupted backups", backup_run::interrupted).await
    }

    /// The newest run, of the kind if one is named.
    pub(crate) async fn last_backup(&self, kind: Option<BackupKind>) -> Result<Option<LastRun>, StoreError> {
        self.store.read("look for the last backup", move |c| backup_run::last(c, kind.as_ref())).await
    }

    /// What a restored database needs before anybody works on it, in one commit: no lease holder, higher fence tokens,
    /// and a note of the restore.
    pub(crate) async fn restored(&self, backup_id: String, by: UserId) -> Result<(), StoreError> {
        self.store
            .write("take over a restored database", move |tx| {
                lease::restored(tx)?;
                backup_run::restored(tx, &backup_id)?;
                let details = serde_json::json!({});
                let action = AuditAction::BackupRestored;
                audit_note::put(tx, &AuditNote { actor: Some(&by), action, object: &backup_id, details }).map(drop)
            })
            .await
    }
}
