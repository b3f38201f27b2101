//! A store that has nothing but the machinery's tables, for its tests.

use std::sync::Arc;

use tempfile::TempDir;

use super::inbox::inbox_schema;
use super::lease::lease_schema;
use super::outbox::outbox_schema;
use crate::clock::ManualClock;
use crate::store::Store;
use crate::store::authorizer::Owner;
use crate::store::migrate::{Migration, OwnerMigrations};

const SCHEMA: &[OwnerMigrations] = &[
    OwnerMigrations { owner: Owner::Auth, migrations: &[Migration { name: "outbox", sql: &[outbox_schema!("auth")] }] },
    OwnerMigrations {
        owner: Owner::Catalog,
        migrations: &[Migration { name: "outbox", sql: &[outbox_schema!("catalog")] }],
    },
    OwnerMigrations {
        owner: Owner::Admin,
        migrations: &[Migration {
            name: "inbox, a table of effects, leases, a table of completed work",
            sql: &[
                inbox_schema!("admin"),
                "CREATE TABLE admin_effect (event_id TEXT PRIMARY KEY) STRICT;",
                lease_schema!("admin"),
                "CREATE TABLE admin_work (fence_token INTEGER NOT NULL) STRICT;",
            ],
        }],
    },
];

/// A fresh store; it lives as long as its folder.
pub(super) fn open_store(clock: &Arc<ManualClock>) -> (TempDir, Store) {
    let folder = tempfile::tempdir().expect("a temp folder");
    let clock: Arc<ManualClock> = Arc::clone(clock);
    let store = Store::open(&folder.path().join("agon.db"), &folder.path().join("backups"), clock, SCHEMA);
    (folder, store.expect("it opens"))
}
