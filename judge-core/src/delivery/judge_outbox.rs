//! The judge outbox: the durable wish that a generation of a submission be judged.
//!
//! ```text
//! PENDING ──send──► SENT ──close──► ARCHIVED
//!   │ ▲└─refused: PENDING again after 2, 4, 8 … 60 s     ▲
//!   │ └──(at the 10th time, or malformed: DEAD)          │
//!   └──────────────close, also from DEAD─────────────────┘
//! DEAD: also born so when a person must look; shown as "needs attention", set going by `revive` as g+1
//! ```
//! Written with the submission, so a saved submission cannot be forgotten. Every change names the state it leaves; the
//! embedded queue commits with "sent", so that no row needs a claim owner. Rows of shadow judgings, and rows from before
//! the cutover watermark (another program's to send), are counted and sent to nobody. (Rule: delivery, "Judge outbox".)

use agon_contract::ids::SubmissionId;
use agon_contract::reason::ReasonKind;
use rusqlite::{Connection, params};

use super::backoff::fault_delay;
use super::fenced::{Fenced, when};
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

/// A generation that ends before it was sent is archived too; and the watermark, below which rows are another's.
pub(crate) const CUTOVER: &str = "
CREATE TABLE submission_judge_outbox_next (
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
    CHECK (state <> 'sent' OR sent_at_ms IS NOT NULL),
    CHECK (state <> 'dead' OR last_error <> '')
) STRICT;
INSERT INTO submission_judge_outbox_next SELECT * FROM submission_judge_outbox;
DROP TABLE submission_judge_outbox;
ALTER TABLE submission_judge_outbox_next RENAME TO submission_judge_outbox;
CREATE INDEX submission_judge_outbox_due ON submission_judge_outbox (next_retry_at_ms) WHERE state = 'pending';
CREATE INDEX submission_judge_outbox_dead ON submission_judge_outbox (id) WHERE state = 'dead';
CREATE TABLE submission_cutover (
    id           INTEGER PRIMARY KEY CHECK (id = 1),
    watermark_ms INTEGER NOT NULL
) STRICT;
INSERT INTO submission_cutover (id, watermark_ms) VALUES (1, 0);
";

/// Rows sent in one transaction.
pub(crate) const BATCH: u32 = 50;

/// Times a row is refused by the queue before a person must look: about six minutes.
pub(crate) const ATTEMPTS_MAX: u32 = 10;

/// A retry time further ahead than the longest delay comes from a clock that was set back: it counts as due.
const RETRY_HORIZON_MS: i64 = 60_000;

/// PENDING → SENT.
pub(crate) const SEND: Fenced = Fenced {
    name: "outbox send",
    change: "UPDATE submission_judge_outbox SET state = 'sent', attempts = attempts + 1, sent_at_ms = :wall",
    conditions: &[when("row", "id = :row"), when("pending", "state = 'pending'")],
};

/// PENDING → PENDING, later.
const POSTPONE: Fenced = Fenced {
    name: "outbox postpone",
    change: "UPDATE submission_judge_outbox
             SET attempts = attempts + 1, next_retry_at_ms = :next_retry, last_error = :reason",
    conditions: &[when("row", "id = :row"), when("pending", "state = 'pending'")],
};

/// PENDING → DEAD.
const SET_ASIDE: Fenced = Fenced {
    name: "outbox set aside",
    change: "UPDATE submission_judge_outbox SET state = 'dead', attempts = attempts + 1, last_error = :reason",
    conditions: &[when("row", "id = :row"), when("pending", "state = 'pending'")],
};

/// PENDING, SENT or DEAD → ARCHIVED.
pub(crate) const CLOSE: Fenced = Fenced {
    name: "outbox close",
    change: "UPDATE submission_judge_outbox SET state = 'archived'",
    conditions: &[
        when("submission", "submission_id = :submission"),
        when("generation", "generation = :generation"),
        when("unfinished", "state IN ('pending', 'sent', 'dead')"),
    ],
};

/// A row that waits to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Due {
    pub id: i64,
    pub submission_id: SubmissionId,
    pub generation: u32,
    pub attempts: u32,
    /// What it lacks to be judged at all; empty when nothing.
    pub lacks: String,
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
            "SELECT o.id, o.submission_id, o.generation, o.attempts,
                    CASE WHEN s.id IS NULL THEN 'submission' WHEN s.user_id = '' THEN 'user'
                         WHEN s.problem_id = '' THEN 'problem' WHEN s.language_id = '' THEN 'language'
                         WHEN NOT EXISTS (SELECT 1 FROM submission_source f WHERE f.submission_id = s.id) THEN 'source'
                         ELSE '' END AS lacks
             FROM submission_judge_outbox o LEFT JOIN submission_submission s ON s.id = o.submission_id
             WHERE o.state = 'pending' AND o.is_shadow = 0 AND (o.next_retry_at_ms <= ?1 OR o.next_retry_at_ms > ?2)
               AND o.created_at_ms >= (SELECT watermark_ms FROM submission_cutover)
             ORDER BY o.id LIMIT ?3",
        )?
        .query_map(params![now_steady_ms, now_steady_ms + RETRY_HORIZON_MS, BATCH], |row| {
            Ok(Due {
                id: row.get("id")?,
                submission_id: text(row, "submission_id")?,
                generation: row.get("generation")?,
                attempts: row.get("attempts")?,
                lacks: row.get("lacks")?,
            })
        })?
        .collect()
}

/// PENDING → SENT; false when somebody else sent or closed it.
pub(crate) fn mark_sent(connection: &Connection, id: i64, wall_ms: i64) -> rusqlite::Result<bool> {
    SEND.execute(connection, &[(":row", &id), (":wall", &wall_ms)])
}

/// The queue refused the row: later again, or DEAD at the last time.
pub(crate) fn note_refusal(connection: &Connection, row: &Due, error: &str, now_ms: i64) -> rusqlite::Result<bool> {
    let refusals = row.attempts + 1;
    if refusals >= ATTEMPTS_MAX {
        return set_aside(connection, row.id, &ReasonKind::QueueRefused.say([&refusals, &error]));
    }
    let delay_ms = i64::try_from(fault_delay(refusals).as_millis()).unwrap_or(i64::MAX);
    let next_retry_ms = now_ms.saturating_add(delay_ms);
    POSTPONE.execute(connection, &[(":row", &row.id), (":next_retry", &next_retry_ms), (":reason", &error)])
}

/// PENDING → DEAD.
pub(crate) fn set_aside(connection: &Connection, id: i64, reason: &str) -> rusqlite::Result<bool> {
    SET_ASIDE.execute(connection, &[(":row", &id), (":reason", &reason)])
}

/// → ARCHIVED: the generation is finished, by whomever.
pub(crate) fn close(connection: &Connection, submission_id: &SubmissionId, generation: u32) -> rusqlite::Result<bool> {
    CLOSE.execute(connection, &[(":submission", &submission_id.as_str()), (":generation", &generation)])
}

/// Rows by state; those that are sent to nobody are told apart as `shadow` and `before_cutover`.
pub(crate) fn counts(connection: &Connection) -> rusqlite::Result<Vec<(String, u64)>> {
    connection
        .prepare_cached(
            "SELECT CASE WHEN is_shadow THEN 'shadow'
                         WHEN state = 'pending' AND created_at_ms < watermark_ms THEN 'before_cutover'
                         ELSE state END AS place, count(*)
             FROM submission_judge_outbox, submission_cutover GROUP BY place ORDER BY place",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_000_000;

    fn outbox() -> Connection {
        let connection = Connection::open_in_memory().expect("memory is there");
        connection.execute_batch("PRAGMA foreign_keys = OFF").expect("valid");
        connection.execute_batch(SCHEMA).expect("the schema is valid");
        connection.execute_batch(CUTOVER).expect("the schema is valid");
        connection
            .execute_batch(
                "CREATE TABLE submission_submission (id, user_id, problem_id, language_id);
                 CREATE TABLE submission_source (submission_id);",
            )
            .expect("valid");
        connection
    }

    fn add(outbox: &Connection, name: &str, next_retry_at_ms: i64, needs_attention: bool) -> rusqlite::Result<()> {
        let submission_id = SubmissionId::from(name);
        let last_error = if needs_attention { "why" } else { "" };
        let row =
            NewRow { submission_id: &submission_id, generation: 1, next_retry_at_ms, last_error, needs_attention };
        outbox.execute("INSERT INTO submission_submission VALUES (?1, 'u', 'p', 'c')", [name])?;
        outbox.execute("INSERT INTO submission_source VALUES (?1)", [name])?;
        insert(outbox, &row, 100)
    }

    fn due_names(outbox: &Connection) -> Vec<String> {
        due(outbox, NOW).expect("readable").into_iter().map(|row| row.submission_id.0).collect()
    }

    #[track_caller]
    fn assert_counted(outbox: &Connection, expected: &[(&str, u64)]) {
        let counts = counts(outbox).expect("counted");
        let found: Vec<_> = counts.iter().map(|(state, count)| (state.as_str(), *count)).collect();
        assert_eq!(found, expected);
    }

    fn mark_shadow(outbox: &Connection, name: &str) {
        let update = "UPDATE submission_judge_outbox SET is_shadow = 1 WHERE submission_id = ?1";
        outbox.execute(update, [name]).expect("valid");
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
        mark_shadow(&outbox, "shadow");
        assert_eq!(due_names(&outbox), ["now", "beyond it"]);
        assert_counted(&outbox, &[("dead", 1), ("pending", 4), ("shadow", 1)]);
    }

    #[test]
    fn rows_from_before_the_cutover_are_another_programs() {
        let outbox = outbox();
        add(&outbox, "a", NOW, false).expect("written");
        for (watermark, names) in [(100, vec!["a"]), (101, vec![])] {
            outbox.execute("UPDATE submission_cutover SET watermark_ms = ?1", [watermark]).expect("valid");
            assert_eq!(due_names(&outbox), names, "{watermark}");
        }
        assert_counted(&outbox, &[("before_cutover", 1)]);
    }

    #[test]
    fn what_cannot_be_judged_says_what_it_lacks() {
        let outbox = outbox();
        for (name, change) in [
            ("submission", "DELETE FROM submission_submission WHERE id = 'submission'"),
            ("user", "UPDATE submission_submission SET user_id = '' WHERE id = 'user'"),
            ("problem", "UPDATE submission_submission SET problem_id = '' WHERE id = 'problem'"),
            ("language", "UPDATE submission_submission SET language_id = '' WHERE id = 'language'"),
            ("source", "DELETE FROM submission_source WHERE submission_id = 'source'"),
            ("", "SELECT 1"),
        ] {
            add(&outbox, name, NOW, false).expect("written");
            outbox.execute_batch(change).expect("valid");
        }
        for row in due(&outbox, NOW).expect("readable") {
            assert_eq!(row.lacks, row.submission_id.0);
        }
    }

    #[test]
    fn each_change_leaves_the_state_it_names_and_happens_once() {
        let outbox = outbox();
        add(&outbox, "a", NOW, false).expect("written");
        let row = due(&outbox, NOW).expect("readable").remove(0);
        let id = SubmissionId::from("a");
        assert!(mark_sent(&outbox, row.id, 1).expect("written"));
        assert!(!mark_sent(&outbox, row.id, 1).expect("written"), "twice");
        assert!(!set_aside(&outbox, row.id, "why").expect("written"), "it is sent");
        assert!(!note_refusal(&outbox, &row, "why", NOW).expect("written"), "it is sent");
        assert!(!close(&outbox, &id, 2).expect("written"), "another generation");
        assert!(close(&outbox, &id, 1).expect("written"));
        assert!(!close(&outbox, &id, 1).expect("written"), "twice");
        assert!(!mark_sent(&outbox, row.id, 1).expect("written"), "archived stays archived");
    }

    #[test]
    fn refusals_wait_longer_each_time_and_end_with_a_reason() {
        let outbox = outbox();
        add(&outbox, "a", NOW, false).expect("written");
        let mut now = NOW;
        let mut waits = Vec::new();
        while let Some(row) = due(&outbox, now).expect("readable").pop() {
            assert!(note_refusal(&outbox, &row, "the queue is away", now).expect("written"));
            let read = "SELECT next_retry_at_ms FROM submission_judge_outbox";
            let next: i64 = outbox.query_row(read, [], |row| row.get(0)).expect("a row");
            waits.push((next - now) / 1000);
            now = next;
        }
        assert_eq!(waits[..9], [2, 4, 8, 16, 32, 60, 60, 60, 60], "and none after the last");
        assert_eq!(waits.len(), ATTEMPTS_MAX as usize);
        let reason: String =
            outbox.query_row("SELECT last_error FROM submission_judge_outbox", [], |row| row.get(0)).expect("a row");
        assert_eq!(reason, "the queue refused it 10 times; the last: the queue is away");
        assert_counted(&outbox, &[("dead", 1)]);
    }

    #[test]
    fn a_generation_is_wished_for_once() {
        let outbox = outbox();
        add(&outbox, "a", NOW, false).expect("written");
        assert!(add(&outbox, "a", NOW, false).is_err());
    }
}
