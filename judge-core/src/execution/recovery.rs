//! After a crash: previews that ran in a process that is gone fail with a reason; queued ones are still queued.

use agon_contract::execution::ExecutionState;
use agon_contract::ids::PreviewId;
use agon_contract::reason::ReasonKind;
use rusqlite::Connection;

use super::receipt::set_open_receipts;
use super::{Executions, finished};
use crate::store::{StoreError, text};

/// Told to whoever pressed "Run".
const PROCESS_GONE: &str = ReasonKind::ProcessGone.words();

impl Executions {
    /// Ends what another process left running; answers how many previews.
    pub(crate) async fn recover(&self) -> Result<usize, StoreError> {
        let boot_id = self.boot_id.clone();
        self.store
            .write("recover previews", move |tx| {
                let left = left_running(tx, &boot_id)?;
                for id in &left {
                    fail(tx, id, tx.wall_ms())?;
                    tx.emit(&finished(id))?;
                }
                Ok(left.len())
            })
            .await
    }
}

fn left_running(connection: &Connection, boot_id: &str) -> rusqlite::Result<Vec<PreviewId>> {
    connection
        .prepare("SELECT id FROM submission_preview WHERE state = 'running' AND boot_id <> ?1")?
        .query_map([boot_id], |row| text(row, "id"))?
        .collect()
}

fn fail(connection: &Connection, id: &PreviewId, now_ms: i64) -> rusqlite::Result<()> {
    connection.execute(
        "UPDATE submission_preview SET state = 'failed', reason = ?2, finished_at_ms = ?3
         WHERE id = ?1 AND state = 'running'",
        rusqlite::params![id.as_str(), PROCESS_GONE, now_ms],
    )?;
    set_open_receipts(connection, id, &ExecutionState::Failed)
}
