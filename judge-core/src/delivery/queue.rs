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

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_000_000;

    fn queue() -> Connection {
        let connection = Connection::open_in_memory().expect("memory is there");
        connection.execute_batch(SCHEMA).expect("the schema is valid");
        connection
    }

    fn id(text: &str) -> SubmissionId {
        SubmissionId::from(text)
    }

    fn poll_one(queue: &Connection, consumer: &str) -> Option<(String, u32)> {
        poll(queue, consumer, NOW).expect("readable").map(|entry| (entry.submission_id.0, entry.deliveries))
    }

    fn reason(queue: &Connection) -> String {
        queue
            .query_row("SELECT reason FROM submission_queue_entry WHERE state = 'dead'", [], |row| row.get(0))
            .expect("one is dead")
    }

    #[test]
    fn entries_come_in_order_and_a_known_key_is_nothing_even_when_done() {
        let queue = queue();
        for name in ["a", "b"] {
            assert!(enqueue(&queue, &id(name), 1, 0).expect("written"));
        }
        assert!(!enqueue(&queue, &id("a"), 1, 0).expect("written"));
        assert_eq!(poll_one(&queue, "me"), Some(("a".into(), 1)));
        assert!(finish(&queue, &id("a"), 1).expect("written"));
        assert!(!finish(&queue, &id("a"), 1).expect("written"), "twice");
        assert!(!enqueue(&queue, &id("a"), 1, 0).expect("written"), "done is known");
        assert!(enqueue(&queue, &id("a"), 2, 0).expect("written"), "the next generation is another key");
        assert_eq!(depth(&queue).expect("readable"), 2);
        assert_eq!(poll_one(&queue, "me"), Some(("b".into(), 1)));
        assert_eq!(poll_one(&queue, "me"), Some(("a".into(), 1)));
        assert_eq!(poll_one(&queue, "me"), None);
    }

    #[test]
    fn what_a_consumer_left_is_offered_again_and_set_aside_at_the_fifth_time() {
        let queue = queue();
        enqueue(&queue, &id("a"), 1, 0).expect("written");
        for delivery in 1..=DELIVERIES_MAX {
            let consumer = format!("boot-{delivery}");
            assert_eq!(poll_one(&queue, &consumer), Some(("a".into(), delivery)));
            assert_eq!(reclaim(&queue, &consumer, NOW).expect("written"), (0, 0), "it works on it");
            let next = format!("boot-{}", delivery + 1);
            let expected = if delivery == DELIVERIES_MAX { (1, 0) } else { (0, 1) };
            assert_eq!(reclaim(&queue, &next, NOW).expect("written"), expected);
        }
        assert_eq!(poll_one(&queue, "boot-9"), None);
        assert_eq!(reason(&queue), "delivered 5 times without an end");
    }

    #[test]
    fn an_entry_held_too_long_or_absurdly_far_ahead_is_offered_again() {
        let queue = queue();
        enqueue(&queue, &id("a"), 1, 0).expect("written");
        for (at, expected) in [(NOW + VISIBILITY_MS - 1, 0), (NOW + VISIBILITY_MS, 1), (NOW - 1, 1)] {
            poll(&queue, "me", NOW).expect("readable");
            assert_eq!(reclaim(&queue, "me", at).expect("written"), (0, expected), "at {at}");
        }
    }

    #[test]
    fn poison_is_kept_with_its_reason() {
        let queue = queue();
        enqueue(&queue, &id("a"), 1, 0).expect("written");
        let entry = poll(&queue, "me", NOW).expect("readable").expect("there");
        assert!(dead_letter(&queue, entry.id, "no such language").expect("written"));
        assert_eq!(reason(&queue), "no such language");
        assert!(!finish(&queue, &id("a"), 1).expect("written"), "never silently acknowledged");
    }
}
