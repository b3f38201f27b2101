//! The embedded judge queue: a table beside the outbox, worked on through the caller's transaction.
//!
//! "Sent" and "in the queue" are one commit. The table belongs to `submission`.

use rusqlite::{Connection, OptionalExtension, Row, named_params, params};

use super::{DELIVERIES_MAX, DeadEntry, Delivery, Depth, JudgeQueue, Moment, Polled, Reclaimed, Task, VISIBILITY_MS};
use crate::delivery::fenced::{Fenced, when};
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

/// The entry's own bytes, from which its task is read; entries from before have none and are read from their key.
pub(crate) const PAYLOAD: &str = "
ALTER TABLE submission_queue_entry ADD COLUMN payload BLOB;
CREATE INDEX submission_queue_entry_dead ON submission_queue_entry (id) WHERE state = 'dead';
";

/// ready → taken.
pub(crate) const TAKE: Fenced = Fenced {
    name: "queue take",
    change: "UPDATE submission_queue_entry
             SET state = 'taken', deliveries = deliveries + 1, taken_by = :consumer, visible_at_ms = :visible",
    conditions: &[when("entry", "id = :entry"), when("ready", "state = 'ready'")],
};

/// ready or taken → done.
pub(crate) const ACK: Fenced = Fenced {
    name: "queue ack",
    change: "UPDATE submission_queue_entry SET state = 'done', taken_by = NULL, visible_at_ms = NULL",
    conditions: &[
        when("submission", "submission_id = :submission"),
        when("generation", "generation = :generation"),
        when("unfinished", "state IN ('ready', 'taken')"),
    ],
};

/// dead → done.
pub(crate) const CLOSE_DEAD: Fenced = Fenced {
    name: "queue close dead",
    change: "UPDATE submission_queue_entry SET state = 'done'",
    conditions: &[
        when("submission", "submission_id = :submission"),
        when("generation", "generation = :generation"),
        when("dead", "state = 'dead'"),
    ],
};

/// taken → dead.
const DEAD_LETTER: Fenced = Fenced {
    name: "queue dead letter",
    change: "UPDATE submission_queue_entry SET state = 'dead', taken_by = NULL, visible_at_ms = NULL, reason = :reason",
    conditions: &[when("entry", "id = :entry"), when("taken", "state = 'taken'")],
};

/// taken → taken, for the next reclaim.
const NACK: Fenced = Fenced {
    name: "queue nack",
    change: "UPDATE submission_queue_entry SET visible_at_ms = :now",
    conditions: &[
        when("entry", "id = :entry"),
        when("taken", "state = 'taken'"),
        when("delivery", "deliveries = :deliveries"),
    ],
};

/// Taken by a process that is gone, for too long, or absurdly far ahead.
const IS_IDLE: &str =
    "state = 'taken' AND (taken_by <> :consumer OR visible_at_ms <= :now OR visible_at_ms > :horizon)";

/// The table `submission_queue_entry`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EmbeddedQueue;

/// An entry as it lies there.
struct Lying {
    id: i64,
    deliveries: u32,
    bytes: Vec<u8>,
}

impl JudgeQueue for EmbeddedQueue {
    type Link<'l> = &'l Connection;
    type Error = rusqlite::Error;

    fn enqueue(&self, link: &Connection, task: &Task, now: Moment) -> rusqlite::Result<bool> {
        let rows = link
            .prepare_cached(
                "INSERT INTO submission_queue_entry (submission_id, generation, state, enqueued_at_ms, payload)
                 VALUES (?1, ?2, 'ready', ?3, ?4) ON CONFLICT (submission_id, generation) DO NOTHING",
            )?
            .execute(params![task.submission_id.as_str(), task.generation, now.wall_ms, task.to_bytes()])?;
        Ok(rows == 1)
    }

    fn poll(&self, link: &Connection, consumer: &str, now: Moment) -> rusqlite::Result<Polled> {
        let found = link
            .prepare_cached(
                "SELECT id, submission_id, generation, deliveries, payload FROM submission_queue_entry
                 WHERE state = 'ready' ORDER BY id LIMIT 1",
            )?
            .query_row([], |row| {
                Ok(Lying { id: row.get("id")?, deliveries: row.get::<_, u32>("deliveries")? + 1, bytes: bytes(row)? })
            })
            .optional()?;
        let Some(lying) = found else { return Ok(Polled::Empty) };
        let visible_ms = now.steady_ms.saturating_add(VISIBILITY_MS);
        if !TAKE.execute(link, &[(":entry", &lying.id), (":consumer", &consumer), (":visible", &visible_ms)])? {
            return Ok(Polled::Empty);
        }
        match Task::from_bytes(&lying.bytes) {
            Ok(task) => Ok(Polled::Task(Delivery { task, deliveries: lying.deliveries, entry: lying.id })),
            Err(reason) => {
                DEAD_LETTER.execute(link, &[(":entry", &lying.id), (":reason", &reason)])?;
                Ok(Polled::Poison { reason })
            }
        }
    }

    fn ack(&self, link: &Connection, task: &Task) -> rusqlite::Result<bool> {
        ACK.execute(link, &[(":submission", &task.submission_id.as_str()), (":generation", &task.generation)])
    }

    fn nack(&self, link: &Connection, delivery: &Delivery, now: Moment) -> rusqlite::Result<bool> {
        let values: [(&str, &dyn rusqlite::ToSql); 3] =
            [(":entry", &delivery.entry), (":deliveries", &delivery.deliveries), (":now", &now.steady_ms)];
        NACK.execute(link, &values)
    }

    fn idle(&self, link: &Connection, consumer: &str, now: Moment) -> rusqlite::Result<Vec<Task>> {
        link.prepare_cached(&format!(
            "SELECT submission_id, generation FROM submission_queue_entry WHERE {IS_IDLE} ORDER BY id"
        ))?
        .query_map(
            named_params! {
                ":consumer": consumer, ":now": now.steady_ms, ":horizon": now.steady_ms.saturating_add(VISIBILITY_MS),
            },
            |row| Ok(Task { submission_id: text(row, "submission_id")?, generation: row.get("generation")? }),
        )?
        .collect()
    }

    fn reclaim(&self, link: &Connection, consumer: &str, now: Moment) -> rusqlite::Result<Reclaimed> {
        let horizon_ms = now.steady_ms.saturating_add(VISIBILITY_MS);
        let values = named_params! { ":consumer": consumer, ":now": now.steady_ms, ":horizon": horizon_ms };
        let dead = link
            .prepare_cached(&format!(
                "UPDATE submission_queue_entry
                 SET state = 'dead', taken_by = NULL, visible_at_ms = NULL,
                     reason = 'delivered ' || deliveries || ' times without an end'
                 WHERE {IS_IDLE} AND deliveries >= {DELIVERIES_MAX}"
            ))?
            .execute(values)?;
        let again = link
            .prepare_cached(&format!(
                "UPDATE submission_queue_entry SET state = 'ready', taken_by = NULL, visible_at_ms = NULL
                 WHERE {IS_IDLE}"
            ))?
            .execute(values)?;
        Ok(Reclaimed { dead, again })
    }

    fn dead_letter(&self, link: &Connection, delivery: &Delivery, reason: &str) -> rusqlite::Result<bool> {
        DEAD_LETTER.execute(link, &[(":entry", &delivery.entry), (":reason", &reason)])
    }

    fn dead_letters(&self, link: &Connection, limit: u32) -> rusqlite::Result<Vec<DeadEntry>> {
        link.prepare_cached(
            "SELECT submission_id, generation, reason, enqueued_at_ms, payload FROM submission_queue_entry
             WHERE state = 'dead' ORDER BY id LIMIT ?1",
        )?
        .query_map([limit], |row| {
            let bytes = bytes(row)?;
            Ok(DeadEntry {
                task: Task::from_bytes(&bytes).ok(),
                reason: row.get("reason")?,
                bytes,
                enqueued_at_ms: row.get("enqueued_at_ms")?,
            })
        })?
        .collect()
    }

    fn close_dead(&self, link: &Connection, task: &Task) -> rusqlite::Result<bool> {
        CLOSE_DEAD.execute(link, &[(":submission", &task.submission_id.as_str()), (":generation", &task.generation)])
    }

    fn depth(&self, link: &Connection) -> rusqlite::Result<Depth> {
        let count = |state: &str, moment: &str| -> rusqlite::Result<(u32, Option<i64>)> {
            link.prepare_cached(&format!(
                "SELECT count(*), min({moment}) FROM submission_queue_entry WHERE state = '{state}'"
            ))?
            .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
        };
        let (ready, oldest_ready_at_ms) = count("ready", "enqueued_at_ms")?;
        let (taken, first_visible_ms) = count("taken", "visible_at_ms")?;
        let oldest_taken_steady_ms = first_visible_ms.map(|until_ms| until_ms - VISIBILITY_MS);
        Ok(Depth { ready, taken, dead: count("dead", "enqueued_at_ms")?.0, oldest_ready_at_ms, oldest_taken_steady_ms })
    }
}

/// The entry's bytes; those of an entry from before they were kept are made from its key.
fn bytes(row: &Row<'_>) -> rusqlite::Result<Vec<u8>> {
    if let Some(bytes) = row.get("payload")? {
        return Ok(bytes);
    }
    let task = Task { submission_id: text(row, "submission_id")?, generation: row.get("generation")? };
    Ok(task.to_bytes())
}

/// Whether anything is ready; asked without a write transaction.
pub(crate) fn has_ready(connection: &Connection) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM submission_queue_entry WHERE state = 'ready')")?
        .query_row([], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delivery::queue::conformance::{Harness, judge_queue_conformance};

    struct Embedded(Connection);

    impl Harness for Embedded {
        type Queue = EmbeddedQueue;

        fn empty() -> Self {
            let connection = Connection::open_in_memory().expect("memory is there");
            connection.execute_batch(SCHEMA).expect("the schema is valid");
            connection.execute_batch(PAYLOAD).expect("the schema is valid");
            Self(connection)
        }

        fn queue(&self) -> &EmbeddedQueue {
            &EmbeddedQueue
        }

        fn link(&self) -> &Connection {
            &self.0
        }

        fn put_raw(&self, bytes: &[u8]) {
            let put = "INSERT INTO submission_queue_entry (submission_id, generation, state, enqueued_at_ms, payload)
                       VALUES ('raw', 1, 'ready', 0, ?1)";
            self.0.execute(put, [bytes]).expect("it is put in");
        }
    }

    judge_queue_conformance!(Embedded);

    #[test]
    fn an_entry_from_before_bytes_were_kept_is_read_from_its_key() {
        let queue = Embedded::empty();
        queue.put_raw(b"x");
        queue.0.execute("UPDATE submission_queue_entry SET payload = NULL", []).expect("valid");
        let now = Moment { steady_ms: 0, wall_ms: 0 };
        let Polled::Task(delivery) = EmbeddedQueue.poll(&queue.0, "me", now).expect("polled") else {
            panic!("it names a task")
        };
        assert_eq!(delivery.task, Task { submission_id: "raw".into(), generation: 1 });
    }

    #[test]
    fn an_enqueue_that_is_rolled_back_never_was() {
        let mut queue = Embedded::empty();
        let task = Task { submission_id: "a".into(), generation: 1 };
        let now = Moment { steady_ms: 0, wall_ms: 0 };
        let transaction = queue.0.transaction().expect("begun");
        assert!(EmbeddedQueue.enqueue(&transaction, &task, now).expect("enqueued"));
        transaction.rollback().expect("rolled back");
        assert!(!has_ready(&queue.0).expect("readable"));
        assert!(EmbeddedQueue.enqueue(&queue.0, &task, now).expect("enqueued"));
    }
}
