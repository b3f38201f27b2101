//! Admin: settings of the folder, and the starts of the program on it.

pub(crate) mod audit;
mod audit_consumer;
mod backup_run;
mod boot;
mod change;
mod known;
mod setting;
mod upkeep;

use agon_contract::audit::{AuditEntryView, AuditVerification};

use crate::delivery::inbox::inbox_schema;
use crate::delivery::lease::lease_schema;
use crate::delivery::outbox::outbox_schema;
use crate::store::migrate::Migration;
use crate::store::{OwnerStore, StoreError};

pub(crate) use backup_run::{LastRun, NewRun, thin as thin_backup_runs};
pub(crate) use boot::{Boot, thin as thin_boots};
pub(crate) use change::SettingChange;
pub(crate) use upkeep::BACKUP_LEASE;

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration { name: "settings and boots", sql: &[setting::SCHEMA, boot::SCHEMA] },
    Migration { name: "outbox", sql: &[outbox_schema!("admin")] },
    Migration {
        name: "inbox, leases, audit log",
        sql: &[inbox_schema!("admin"), lease_schema!("admin"), audit::SCHEMA],
    },
    Migration { name: "backup runs", sql: &[backup_run::SCHEMA] },
];

/// The owner of `admin_…`.
#[derive(Clone)]
pub(crate) struct Admin {
    store: OwnerStore,
}

impl Admin {
    pub(crate) fn new(store: OwnerStore) -> Self {
        Self { store }
    }

    /// Records a start, so that a lease can be traced to the process that held it.
    pub(crate) async fn record_boot(&self, boot: Boot) -> Result<(), StoreError> {
        self.store.write("record the start", move |tx| boot::insert(tx, &boot, tx.wall_ms())).await
    }

    /// Entries of the audit log older than `before_seq`, newest first.
    pub(crate) async fn audit_page(&self, before_seq: u64, limit: u32) -> Result<Vec<AuditEntryView>, StoreError> {
        self.store.read("read the audit log", move |connection| audit::page(connection, before_seq, limit)).await
    }

    /// Walks the chain of the audit log.
    pub(crate) async fn verify_audit(&self) -> Result<AuditVerification, StoreError> {
        self.store.read("verify the audit log", audit::verify).await
    }
}
