//! The judge outbox: the durable wish that a generation of a submission be judged.
//!
//! ```text
//! PENDING ──send──► SENT ──archive──► ARCHIVED
//! DEAD: born so when a person must look; shown as "needs attention"
//! ```
//! Written with the submission, so a saved submission cannot be forgotten. Every change names the state it leaves.
//! Rows of shadow judgings are counted and sent to nobody. (Rule: delivery, "Judge outbox".)

use agon_contract::ids::SubmissionId;
use rusqlite::{Connection, params};

use crate::store::text;

pub(crate) const SCHEMA: &str = "
CREATE TABLE submission_judge_outbox (
    id               INTEGER PRIMARY KEY,
    submission_id    TEXT NOT NULL REFERENCES submission_submission (id),
    generation       INTEGER NOT NULL CHECK (generation > 0),
    state            TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'archived', 'dead')),
    is_shadow        INTEGER NOT NULL DEFAULT 0 CHECK (is_shadow IN (0, 1)),
    attempts         INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    next_retry_at_ms INTEGER NOT NULL,
    last_error       TEXT NOT NULL DEFAULT '',
    created_at_ms    INTEGER NOT NULL,
    sent_at_ms       INTEGER,
    UNIQUE (submission_id, generation),
    FOREIGN KEY (submission_id, generation) REFERENCES submission_judgement (submission_id, generation),
    CHECK ((state IN ('sent', 'archived')) <= (sent_at_ms IS NOT NULL)),
    CHECK (state <> 'dead' OR last_error <> '')
) STRICT;
CREATE INDEX submission_judge_outbox_due ON submission_judge_outbox (next_retry_at_ms) WHERE state = 'pending';
CREATE INDEX submission_judge_outbox_dead ON submission_judge_outbox (state) WHERE state = 'dead';
";

/// Rows sent in one transaction.
pub(crate) const BATCH: u32 = 50;

/// A retry time further ahead than the longest delay comes from a clock that was set back: it counts as due.
const RETRY_HORIZON_MS: i64 = 60_000;

/// A row that waits to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Due {
    pub id: i64,
    pub submission_id: SubmissionId,
    pub generation: u32,
}

/// A row about to be written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewRow<'a> {
    pub submission_id: &'a SubmissionId,
    pub generation: u32,
    /// Steady milliseconds.
    pub next_retry_at_ms: i64,
    pub last_error: &'a str,
    /// Born DEAD: only a person may set it going.
    pub needs_attention: bool,
}

pub(crate) fn insert(connection: &Connection, row: &NewRow<'_>, wall_ms: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO submission_judge_outbox (submission_id, generation, state, next_retry_at_ms, last_error,
                                                  created_at_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            row.submission_id.as_str(),
            row.generation,
            if row.needs_attention { "dead" } else { "pending" },
            row.next_retry_at_ms,
            row.last_error,
            wall_ms
        ])?;
    Ok(())
}

/// The oldest rows that may be sent now.
pub(crate) fn due(connection: &Connection, now_steady_ms: i64) -> rusqlite::Result<Vec<Due>> {
    connection
        .prepare_cached(
            "SELECT id, submission_id, generation FROM submission_judge_outbox
             WHERE state = 'pending' AND is_shadow = 0 AND (next_retry_at_ms <= ?1 OR next_retry_at_ms > ?2)
             ORDER BY id LIMIT ?3",
        )?
        .query_map(params![now_steady_ms, now_steady_ms + RETRY_HORIZON_MS, BATCH], |row| {
            Ok(Due {
                id: row.get("id")?,
                submission_id: text(row, "submission_id")?,
                generation: row.get("generation")?,
            })
        })?
        .collect()
}

/// PENDING → SENT; false when somebody else sent it.
pub(crate) fn mark_sent(connection: &Connection, id: i64, wall_ms: i64) -> rusqlite::Result<bool> {
    let rows = connection
        .prepare_cached(
            "UPDATE submission_judge_outbox SET state = 'sent', attempts = attempts + 1, sent_at_ms = ?2
             WHERE id = ?1 AND state = 'pending'",
        )?
        .execute(params![id, wall_ms])?;
    Ok(rows == 1)
}

/// SENT → ARCHIVED: the generation is finished.
pub(crate) fn archive(
    connection: &Connection,
    submission_id: &SubmissionId,
    generation: u32,
) -> rusqlite::Result<bool> {
    let rows = connection
        .prepare_cached(
            "UPDATE submission_judge_outbox SET state = 'archived'
             WHERE submission_id = ?1 AND generation = ?2 AND state = 'sent'",
        )?
        .execute(params![submission_id.as_str(), generation])?;
    Ok(rows == 1)
}
