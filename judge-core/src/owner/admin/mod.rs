//! Admin: settings of the folder, and the starts of the program on it.

mod boot;
mod change;
mod setting;

use crate::delivery::outbox::outbox_schema;
use crate::store::migrate::Migration;
use crate::store::{OwnerStore, StoreError};

pub(crate) use boot::Boot;
pub(crate) use change::SettingChange;

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration { name: "settings and boots", sql: &[setting::SCHEMA, boot::SCHEMA] },
    Migration { name: "outbox", sql: &[outbox_schema!("admin")] },
];

/// How many submissions are judged at one time; a whole number from 1.
const WORKERS: &str = "judge.workers";

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

    /// The number of workers somebody set; `None` when nobody did or the value makes no sense.
    pub(crate) async fn workers(&self) -> Result<Option<usize>, StoreError> {
        let value = self.store.read("read the settings", |connection| setting::get(connection, WORKERS)).await?;
        Ok(value.and_then(|text| text.parse().ok()).filter(|workers| *workers > 0))
    }
}
