//! What the admin owner tells staff about the folder's own upkeep.

use serde::{Deserialize, Serialize};

use super::outbox::{self, NewMessage, Topic};
use crate::store::{WriteTx, json};

/// A backup could not be made, or not be read back. Its body is a [`BackupFailedBody`]; the aggregate is the run.
pub(crate) const BACKUP_FAILED: &str = "BackupFailed";
/// Version of the bodies.
pub(crate) const OPERATIONS_NOTE_VERSION: u32 = 1;

/// The payload of [`BACKUP_FAILED`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BackupFailedBody {
    pub reason: String,
}

/// Writes the message beside the row that says so.
pub(crate) fn put_backup_failed(tx: &WriteTx<'_>, run_id: &str, reason: &str) -> rusqlite::Result<()> {
    let message = NewMessage {
        topic: Topic::Operations,
        message_type: BACKUP_FAILED,
        schema_version: OPERATIONS_NOTE_VERSION,
        actor: None,
        aggregate_id: run_id,
        payload: json(&BackupFailedBody { reason: reason.to_owned() }),
    };
    outbox::put(tx, &message).map(drop)
}
