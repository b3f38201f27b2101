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

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_000_000;

    fn outbox() -> Connection {
        let connection = Connection::open_in_memory().expect("memory is there");
        connection.execute_batch("PRAGMA foreign_keys = OFF").expect("valid");
        connection.execute_batch(SCHEMA).expect("the schema is valid");
        connection
    }

    fn add(outbox: &Connection, name: &str, next_retry_at_ms: i64, needs_attention: bool) -> rusqlite::Result<()> {
        let submission_id = SubmissionId::from(name);
        let last_error = if needs_attention { "why" } else { "" };
        let row =
            NewRow { submission_id: &submission_id, generation: 1, next_retry_at_ms, last_error, needs_attention };
        insert(outbox, &row, 0)
    }

    fn due_names(outbox: &Connection) -> Vec<String> {
        due(outbox, NOW).expect("readable").into_iter().map(|row| row.submission_id.0).collect()
    }

    #[test]
    fn due_are_those_whose_time_has_come_or_cannot_be_true() {
        let outbox = outbox();
        add(&outbox, "now", NOW, false).expect("written");
        add(&outbox, "soon", NOW + 1, false).expect("written");
        add(&outbox, "at the horizon", NOW + RETRY_HORIZON_MS, false).expect("written");
        add(&outbox, "beyond it", NOW + RETRY_HORIZON_MS + 1, false).expect("written");
        add(&outbox, "dead", NOW, true).expect("written");
        add(&outbox, "shadow", NOW, false).expect("written");
        outbox
            .execute("UPDATE submission_judge_outbox SET is_shadow = 1 WHERE submission_id = 'shadow'", [])
            .expect("valid");
        assert_eq!(due_names(&outbox), ["now", "beyond it"]);
    }

    #[test]
    fn each_change_leaves_the_state_it_names_and_happens_once() {
        let outbox = outbox();
        add(&outbox, "a", NOW, false).expect("written");
        let row = due(&outbox, NOW).expect("readable").remove(0);
        let id = SubmissionId::from("a");
        assert!(!archive(&outbox, &id, 1).expect("written"), "it was not sent");
        assert!(mark_sent(&outbox, row.id, 1).expect("written"));
        assert!(!mark_sent(&outbox, row.id, 1).expect("written"), "twice");
        assert!(!archive(&outbox, &id, 2).expect("written"), "another generation");
        assert!(archive(&outbox, &id, 1).expect("written"));
        assert!(!mark_sent(&outbox, row.id, 1).expect("written"), "archived stays archived");
    }

    #[test]
    fn a_generation_is_wished_for_once() {
        let outbox = outbox();
        add(&outbox, "a", NOW, false).expect("written");
        assert!(add(&outbox, "a", NOW, false).is_err());
    }
}
