//! The embedded judge queue: tables beside the outbox, so that "sent" and "in the queue" are one commit.
//!
//! Its operations are those of any judge queue (enqueue, poll, ack, nack, reclaim, dead-letter, depth); a second
//! adapter for many machines will share them. An entry is known by its key `submission:generation` for ever, so a
//! repeated enqueue is nothing. (Rule: delivery, "Queue".)

use agon_contract::ids::SubmissionId;
use rusqlite::{Connection, OptionalExtension, params};

use crate::store::text;

pub(crate) const SCHEMA: &str = "
CREATE TABLE submission_queue_entry (
    id               INTEGER PRIMARY KEY,
    submission_id    TEXT NOT NULL,
    generation       INTEGER NOT NULL CHECK (generation > 0),
    state            TEXT NOT NULL CHECK (state IN ('ready', 'taken', 'done', 'dead')),
    deliveries       INTEGER NOT NULL DEFAULT 0 CHECK (deliveries >= 0),
    taken_by         TEXT,
    visible_at_ms    INTEGER,
    enqueued_at_ms   INTEGER NOT NULL,
    reason           TEXT NOT NULL DEFAULT '',
    UNIQUE (submission_id, generation),
    CHECK ((state = 'taken') = (taken_by IS NOT NULL)),
    CHECK ((state = 'taken') = (visible_at_ms IS NOT NULL)),
    CHECK (state <> 'dead' OR reason <> '')
) STRICT;
CREATE INDEX submission_queue_entry_ready ON submission_queue_entry (id) WHERE state = 'ready';
CREATE INDEX submission_queue_entry_taken ON submission_queue_entry (visible_at_ms) WHERE state = 'taken';
";

/// How long an entry may stay taken before it is offered to another worker.
pub(crate) const VISIBILITY_MS: i64 = 30 * 60 * 1000;

/// Deliveries after which an entry is set aside for staff.
pub(crate) const DELIVERIES_MAX: u32 = 5;

/// A taken entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub id: i64,
    pub submission_id: SubmissionId,
    pub generation: u32,
    pub deliveries: u32,
}

/// Puts a generation in; false when its key is already known.
pub(crate) fn enqueue(
    connection: &Connection,
    submission_id: &SubmissionId,
    generation: u32,
    wall_ms: i64,
) -> rusqlite::Result<bool> {
    let rows = connection
        .prepare_cached(
            "INSERT INTO submission_queue_entry (submission_id, generation, state, enqueued_at_ms)
             VALUES (?1, ?2, 'ready', ?3) ON CONFLICT (submission_id, generation) DO NOTHING",
        )?
        .execute(params![submission_id.as_str(), generation, wall_ms])?;
    Ok(rows == 1)
}

/// Takes the oldest ready entry for `consumer`.
pub(crate) fn poll(connection: &Connection, consumer: &str, now_steady_ms: i64) -> rusqlite::Result<Option<Entry>> {
    let found = connection
        .prepare_cached(
            "SELECT id, submission_id, generation, deliveries FROM submission_queue_entry
             WHERE state = 'ready' ORDER BY id LIMIT 1",
        )?
        .query_row([], |row| {
            Ok(Entry {
                id: row.get("id")?,
                submission_id: text(row, "submission_id")?,
                generation: row.get("generation")?,
                deliveries: row.get::<_, u32>("deliveries")? + 1,
            })
        })
        .optional()?;
    let Some(entry) = found else { return Ok(None) };
    let rows = connection
        .prepare_cached(
            "UPDATE submission_queue_entry
             SET state = 'taken', deliveries = ?2, taken_by = ?3, visible_at_ms = ?4
             WHERE id = ?1 AND state = 'ready'",
        )?
        .execute(params![entry.id, entry.deliveries, consumer, now_steady_ms + VISIBILITY_MS])?;
    Ok((rows == 1).then_some(entry))
}

/// The generation is finished, by whomever: its entry is acknowledged.
pub(crate) fn finish(connection: &Connection, submission_id: &SubmissionId, generation: u32) -> rusqlite::Result<bool> {
    let rows = connection
        .prepare_cached(
            "UPDATE submission_queue_entry SET state = 'done', taken_by = NULL, visible_at_ms = NULL
             WHERE submission_id = ?1 AND generation = ?2 AND state IN ('ready', 'taken')",
        )?
        .execute(params![submission_id.as_str(), generation])?;
    Ok(rows == 1)
}

/// Sets a taken entry aside that cannot be understood; staff sees it with the reason.
pub(crate) fn dead_letter(connection: &Connection, id: i64, reason: &str) -> rusqlite::Result<bool> {
    let rows = connection
        .prepare_cached(
            "UPDATE submission_queue_entry
             SET state = 'dead', taken_by = NULL, visible_at_ms = NULL, reason = ?2
             WHERE id = ?1 AND state = 'taken'",
        )?
        .execute(params![id, reason])?;
    Ok(rows == 1)
}

/// Sets entries aside that were delivered too often, then offers again what its consumer never finished; answers both
/// counts. Setting aside comes first, so that poison is not handed out once more.
pub(crate) fn reclaim(connection: &Connection, consumer: &str, now_steady_ms: i64) -> rusqlite::Result<(usize, usize)> {
    let idle = "state = 'taken' AND (taken_by <> ?1 OR visible_at_ms <= ?2 OR visible_at_ms > ?3)";
    let horizon = now_steady_ms + VISIBILITY_MS;
    let dead = connection
        .prepare_cached(&format!(
            "UPDATE submission_queue_entry
             SET state = 'dead', taken_by = NULL, visible_at_ms = NULL,
                 reason = 'delivered ' || deliveries || ' times without an end'
             WHERE {idle} AND deliveries >= {DELIVERIES_MAX}"
        ))?
        .execute(params![consumer, now_steady_ms, horizon])?;
    let again = connection
        .prepare_cached(&format!(
            "UPDATE submission_queue_entry SET state = 'ready', taken_by = NULL, visible_at_ms = NULL WHERE {idle}"
        ))?
        .execute(params![consumer, now_steady_ms, horizon])?;
    Ok((dead, again))
}

/// Entries ready to be taken.
pub(crate) fn depth(connection: &Connection) -> rusqlite::Result<u32> {
    connection
        .prepare_cached("SELECT count(*) FROM submission_queue_entry WHERE state = 'ready'")?
        .query_row([], |row| row.get(0))
}
