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

/// Old events may go, from the oldest on and never the newest: what is left has no gap, and its first number says how far
/// back a reader may be.
pub(super) const THINNING: &str = "
DROP TRIGGER delivery_event_no_delete;
CREATE TRIGGER delivery_event_no_delete BEFORE DELETE ON delivery_event
WHEN OLD.seq <> (SELECT min(seq) FROM delivery_event) OR OLD.seq = (SELECT max(seq) FROM delivery_event)
BEGIN SELECT RAISE(ABORT, 'only the oldest events go, and never the newest'); END;
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

fn is_event(connection: &Connection, seq: i64) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM delivery_event WHERE seq = ?1")?.exists([seq])
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

    /// Events after `seq`, oldest first, at most a batch; `None` when the log does not reach back to `seq`, or never was
    /// there: then what happened cannot be told one by one.
    pub(crate) async fn after(&self, seq: i64) -> Result<Option<Vec<EventView>>, StoreError> {
        let read = move |connection: &Connection| {
            // One moment, so that nothing goes between looking where the log begins and reading it.
            let moment = connection.unchecked_transaction()?;
            let (first, last): (i64, i64) = moment
                .prepare_cached(
                    "SELECT coalesce((SELECT min(seq) FROM delivery_event), 1),
                            coalesce((SELECT max(seq) FROM delivery_event), 0)",
                )?
                .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            // Between two numbers lies nothing but the jump of a restore: whoever stands there saw what is no more.
            let is_place = seq.saturating_add(1) == first || is_event(&moment, seq)?;
            if !is_place || seq > last {
                return Ok(None);
            }
            moment
                .prepare_cached(
                    "SELECT seq, owner, type, aggregate_id FROM delivery_event WHERE seq > ?1 ORDER BY seq LIMIT ?2",
                )?
                .query_map(params![seq, BATCH], view)?
                .collect::<rusqlite::Result<_>>()
                .map(Some)
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
