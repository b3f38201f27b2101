//! The event log: what happened, in commit order; and the wake-up for those who wait.

use agon_contract::event::EventView;
use rusqlite::{Connection, Row, params};
use tokio::sync::watch;

use super::owner_store::Readers;
use super::{Store, StoreError};

/// Schema of the log. `seq` is the commit order, because SQLite has one writer at a time.
pub(crate) const SCHEMA: &str = "
CREATE TABLE delivery_event (
    seq               INTEGER PRIMARY KEY AUTOINCREMENT,
    owner             TEXT NOT NULL CHECK (owner IN ('auth', 'admin', 'catalog', 'submission', 'notification')),
    type              TEXT NOT NULL CHECK (type <> ''),
    schema_version    INTEGER NOT NULL CHECK (schema_version > 0),
    aggregate_id      TEXT NOT NULL,
    aggregate_version INTEGER NOT NULL CHECK (aggregate_version >= 0),
    causation_id      TEXT,
    trace_id          TEXT,
    payload           TEXT NOT NULL CHECK (json_valid(payload)),
    recorded_at_ms    INTEGER NOT NULL
) STRICT;
CREATE TRIGGER delivery_event_no_update BEFORE UPDATE ON delivery_event
BEGIN SELECT RAISE(ABORT, 'the event log only grows'); END;
CREATE TRIGGER delivery_event_no_delete BEFORE DELETE ON delivery_event
BEGIN SELECT RAISE(ABORT, 'the event log only grows'); END;
";

/// Events answered by one read; whoever is further behind reads again.
const BATCH: u32 = 500;

/// An event about to be written, in the transaction of what it tells about.
#[derive(Clone, Debug)]
pub(crate) struct NewEvent<'a> {
    /// E.g. `SubmissionSaved`.
    pub event_type: &'static str,
    pub aggregate_id: &'a str,
    /// Generation or version of the aggregate after the change.
    pub aggregate_version: u32,
    /// Id of what caused it (a command's key, a judgement); empty when unknown.
    pub causation_id: Option<&'a str>,
    pub payload: String,
}

impl NewEvent<'_> {
    pub(super) fn insert(&self, owner: &str, now_ms: i64, connection: &Connection) -> rusqlite::Result<()> {
        connection
            .prepare_cached(
                "INSERT INTO delivery_event (owner, type, schema_version, aggregate_id, aggregate_version,
                                             causation_id, payload, recorded_at_ms)
                 VALUES (?1, ?2, 1, ?3, ?4, ?5, ?6, ?7)",
            )?
            .execute(params![
                owner,
                self.event_type,
                self.aggregate_id,
                self.aggregate_version,
                self.causation_id,
                self.payload,
                now_ms
            ])?;
        Ok(())
    }
}

/// Reads the log.
#[derive(Clone)]
pub(crate) struct EventLog {
    readers: Readers,
    wake: watch::Sender<u64>,
}

impl EventLog {
    pub(super) fn new(store: &Store, readers: Readers) -> Self {
        Self { readers, wake: store.wake().clone() }
    }

    /// Moves after each commit that wrote an event. Only a wake-up: what happened is in the log.
    pub(crate) fn wakes(&self) -> watch::Receiver<u64> {
        self.wake.subscribe()
    }

    /// Events after `seq`, oldest first, at most a batch.
    pub(crate) async fn after(&self, seq: i64) -> Result<Vec<EventView>, StoreError> {
        let read = move |connection: &Connection| {
            connection
                .prepare_cached(
                    "SELECT seq, owner, type, aggregate_id FROM delivery_event WHERE seq > ?1 ORDER BY seq LIMIT ?2",
                )?
                .query_map(params![seq, BATCH], view)?
                .collect()
        };
        self.readers.read("read events", read).await
    }

    /// The newest sequence number; 0 when nothing ever happened.
    pub(crate) async fn last_seq(&self) -> Result<i64, StoreError> {
        let read = |connection: &Connection| {
            connection
                .prepare_cached("SELECT coalesce(max(seq), 0) FROM delivery_event")?
                .query_row([], |row| row.get(0))
        };
        self.readers.read("read the last event", read).await
    }
}

fn view(row: &Row<'_>) -> rusqlite::Result<EventView> {
    Ok(EventView { seq: row.get(0)?, owner: row.get(1)?, event_type: row.get(2)?, aggregate_id: row.get(3)? })
}
