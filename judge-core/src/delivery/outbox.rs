//! An owner's outbox: messages for other owners, written in the transaction of what they tell about.
//!
//! ```text
//! PENDING ──claim──► CLAIMED(by) ──deliver──► DELIVERED
//!    ▲                   │ └── fifth failure, or nobody can ever take it ──► DEAD
//!    │                   ├── failed: attempts + 1, backoff 2, 4, 8, 16 s
//!    │                   ├── put back: the store is away, nobody's fault, no attempt spent
//!    │                   └── stale: 60 s are over, or its process is gone
//!    └── revive (a person) ◄── DEAD
//! ```
//! | step | condition (all in the WHERE clause) |
//! |---|---|
//! | claim | id ∧ state=pending ∧ (next_retry ≤ now ∨ next_retry > now + 60 s) |
//! | deliver, fail, refuse, put back | id ∧ state=claimed ∧ claimed_by = the claim's token |
//! | reclaim | state=claimed ∧ (claimed_until ≤ now ∨ claimed_until > now + 60 s ∨ another boot) |
//! | revive | event id ∧ state=dead |
//!
//! Each table is its owner's: the owner of the transaction decides which one is meant, so an owner cannot write into
//! another's even by mistake. A claim that went stale is no failure of its message: what died was the carrier.
//! (Rule: delivery, "Result outbox, consumer inbox, audit".)

use agon_contract::ids::UserId;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::backoff::fault_delay;
use super::lease::Hold;
use crate::ids::new_id;
use crate::store::WriteTx;
use crate::store::authorizer::Owner;

/// The table of one owner, whose name is given as a literal.
macro_rules! outbox_schema {
    ($owner:literal) => {
        concat!(
            "CREATE TABLE ",
            $owner,
            "_outbox (
    id               INTEGER PRIMARY KEY,
    event_id         TEXT NOT NULL UNIQUE CHECK (length(event_id) = 36),
    topic            TEXT NOT NULL CHECK (topic <> ''),
    type             TEXT NOT NULL CHECK (type <> ''),
    schema_version   INTEGER NOT NULL CHECK (schema_version > 0),
    actor_user_id    TEXT,
    aggregate_id     TEXT NOT NULL,
    payload          TEXT NOT NULL CHECK (json_valid(payload) AND length(payload) <= 1048576),
    state            TEXT NOT NULL CHECK (state IN ('pending', 'claimed', 'delivered', 'dead')),
    attempts         INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    claimed_by       TEXT,
    boot_id          TEXT,
    claimed_until_ms INTEGER,
    next_retry_at_ms INTEGER NOT NULL DEFAULT 0,
    last_error       TEXT NOT NULL DEFAULT '',
    recorded_at_ms   INTEGER NOT NULL,
    delivered_at_ms  INTEGER,
    CHECK ((state = 'claimed') = (claimed_by IS NOT NULL)),
    CHECK ((state = 'claimed') = (boot_id IS NOT NULL)),
    CHECK ((state = 'claimed') = (claimed_until_ms IS NOT NULL)),
    CHECK ((state = 'delivered') = (delivered_at_ms IS NOT NULL)),
    CHECK (state <> 'dead' OR last_error <> '')
) STRICT;
CREATE INDEX ",
            $owner,
            "_outbox_pending ON ",
            $owner,
            "_outbox (id) WHERE state = 'pending';
CREATE INDEX ",
            $owner,
            "_outbox_claimed ON ",
            $owner,
            "_outbox (id) WHERE state = 'claimed';
CREATE INDEX ",
            $owner,
            "_outbox_dead ON ",
            $owner,
            "_outbox (id) WHERE state = 'dead';
CREATE INDEX ",
            $owner,
            "_outbox_delivered ON ",
            $owner,
            "_outbox (delivered_at_ms) WHERE state = 'delivered';
"
        )
    };
}
pub(crate) use outbox_schema;

/// Messages claimed at a time.
pub(crate) const BATCH: u32 = 50;
/// How long a claim is good for.
pub(crate) const CLAIM_MS: i64 = 60_000;
/// Failures after which a message is set aside for staff.
pub(crate) const ATTEMPTS_MAX: u32 = 5;
/// A retry time further ahead than the longest delay comes from a clock that was set back: it counts as due.
const RETRY_HORIZON_MS: i64 = 60_000;

/// What a message is about; consumers subscribe to topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Topic {
    /// Actions that the audit log keeps.
    Audit,
    /// Verdicts, for those who asked to be told.
    Result,
    /// The folder's own upkeep, for staff.
    Operations,
}

impl Topic {
    pub(crate) const ALL: [Self; 3] = [Self::Audit, Self::Result, Self::Operations];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Audit => "audit",
            Self::Result => "result",
            Self::Operations => "operations",
        }
    }
}

/// A message about to be written.
#[derive(Clone, Debug)]
pub(crate) struct NewMessage<'a> {
    pub topic: Topic,
    /// E.g. `JudgementSettled`.
    pub message_type: &'static str,
    /// Version of the payload's shape, from 1.
    pub schema_version: u32,
    /// Who acted, from the session; `None` for the program itself.
    pub actor: Option<&'a UserId>,
    pub aggregate_id: &'a str,
    /// JSON, at most 1 MiB.
    pub payload: String,
}

/// A message as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub id: i64,
    /// UUIDv7, the same wherever the message goes.
    pub event_id: String,
    pub topic: String,
    pub message_type: String,
    pub schema_version: u32,
    pub actor: Option<UserId>,
    pub aggregate_id: String,
    pub payload: String,
    /// Wall time of the change it tells about.
    pub recorded_at_ms: i64,
    pub attempts: u32,
}

/// Whoever carries messages: one token per carrier, under the boot id of its process.
#[derive(Clone, Debug)]
pub(crate) struct Carrier {
    pub token: String,
    pub boot_id: String,
}

/// A message that was set aside, for staff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeadMessage {
    pub message: Message,
    pub reason: String,
}

/// Counts for the operations view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Depth {
    pub pending: u32,
    pub claimed: u32,
    /// Delivered or processed, and not yet thinned out.
    pub done: u32,
    pub dead: u32,
    /// Wall time of the oldest message that still has to move.
    pub oldest_pending_at_ms: Option<i64>,
}

/// Writes a message into the outbox of the transaction's owner; answers its event id.
pub(crate) fn put(tx: &WriteTx<'_>, message: &NewMessage<'_>) -> rusqlite::Result<String> {
    let event_id = new_id();
    let owner = tx.owner();
    tx.prepare_cached(&format!(
        "INSERT INTO {owner}_outbox (event_id, topic, type, schema_version, actor_user_id, aggregate_id, payload,
                                     state, recorded_at_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'pending', ?8)"
    ))?
    .execute(params![
        event_id,
        message.topic.as_str(),
        message.message_type,
        message.schema_version,
        message.actor.map(UserId::as_str),
        message.aggregate_id,
        message.payload,
        tx.wall_ms()
    ])?;
    tx.note_message();
    Ok(event_id)
}

/// PENDING → CLAIMED: the oldest due messages, at most a batch.
pub(crate) fn claim(tx: &WriteTx<'_>, carrier: &Carrier, now_steady_ms: i64) -> rusqlite::Result<Vec<Message>> {
    let owner = tx.owner();
    let due: Vec<Message> = tx
        .prepare_cached(&format!(
            "SELECT * FROM {owner}_outbox
             WHERE state = 'pending' AND (next_retry_at_ms <= ?1 OR next_retry_at_ms > ?2) ORDER BY id LIMIT {BATCH}"
        ))?
        .query_map(params![now_steady_ms, now_steady_ms + RETRY_HORIZON_MS], message)?
        .collect::<rusqlite::Result<_>>()?;
    let mut take = tx.prepare_cached(&format!(
        "UPDATE {owner}_outbox SET state = 'claimed', claimed_by = ?2, boot_id = ?3, claimed_until_ms = ?4
         WHERE id = ?1 AND state = 'pending'"
    ))?;
    let mut claimed = Vec::with_capacity(due.len());
    for message in due {
        if take.execute(params![message.id, carrier.token, carrier.boot_id, now_steady_ms + CLAIM_MS])? == 1 {
            claimed.push(message);
        }
    }
    Ok(claimed)
}

/// What the end of a claim sets; the claim itself is always cleared.
fn leave_claim(tx: &WriteTx<'_>, id: i64, carrier: &Carrier, set: &str, values: (&str, i64)) -> rusqlite::Result<bool> {
    let owner = tx.owner();
    let rows = tx
        .prepare_cached(&format!(
            "UPDATE {owner}_outbox SET {set}, claimed_by = NULL, boot_id = NULL, claimed_until_ms = NULL
             WHERE id = ?1 AND state = 'claimed' AND claimed_by = ?2"
        ))?
        .execute(params![id, carrier.token, values.0, values.1])?;
    Ok(rows == 1)
}

/// CLAIMED → DELIVERED; false when the claim is somebody else's by now.
pub(crate) fn deliver(tx: &WriteTx<'_>, id: i64, carrier: &Carrier) -> rusqlite::Result<bool> {
    leave_claim(tx, id, carrier, "state = 'delivered', last_error = ?3, delivered_at_ms = ?4", ("", tx.wall_ms()))
}

/// CLAIMED → PENDING after a failure, or DEAD after the last one.
pub(crate) fn fail(
    tx: &WriteTx<'_>,
    claimed: &Message,
    carrier: &Carrier,
    reason: &str,
    now_steady_ms: i64,
) -> rusqlite::Result<bool> {
    let attempts = claimed.attempts + 1;
    if attempts >= ATTEMPTS_MAX {
        let reason = format!("failed {attempts} times; the last: {reason}");
        let set = "state = 'dead', last_error = ?3, attempts = ?4";
        return leave_claim(tx, claimed.id, carrier, set, (&reason, attempts.into()));
    }
    let delay_ms = i64::try_from(fault_delay(attempts).as_millis()).unwrap_or(i64::MAX);
    let set = "state = 'pending', attempts = attempts + 1, last_error = ?3, next_retry_at_ms = ?4";
    leave_claim(tx, claimed.id, carrier, set, (reason, now_steady_ms.saturating_add(delay_ms)))
}

/// CLAIMED → DEAD at once: no later attempt could go better.
pub(crate) fn refuse(tx: &WriteTx<'_>, id: i64, carrier: &Carrier, reason: &str) -> rusqlite::Result<bool> {
    leave_claim(tx, id, carrier, "state = 'dead', last_error = ?3, attempts = attempts + ?4", (reason, 1))
}

/// CLAIMED → PENDING without a spent attempt: it was not tried.
pub(crate) fn put_back(
    tx: &WriteTx<'_>,
    id: i64,
    carrier: &Carrier,
    reason: &str,
    retry_at_ms: i64,
) -> rusqlite::Result<bool> {
    leave_claim(tx, id, carrier, "state = 'pending', last_error = ?3, next_retry_at_ms = ?4", (reason, retry_at_ms))
}

/// CLAIMED → PENDING where the carrier is gone or took too long; answers how many.
pub(crate) fn reclaim(tx: &WriteTx<'_>, boot_id: &str, now_steady_ms: i64) -> rusqlite::Result<usize> {
    let owner = tx.owner();
    tx.prepare_cached(&format!(
        "UPDATE {owner}_outbox SET state = 'pending', claimed_by = NULL, boot_id = NULL, claimed_until_ms = NULL
         WHERE state = 'claimed' AND (claimed_until_ms <= ?1 OR claimed_until_ms > ?2 OR boot_id <> ?3)"
    ))?
    .execute(params![now_steady_ms, now_steady_ms + CLAIM_MS, boot_id])
}

/// DEAD → PENDING with a fresh budget; false when there is no such dead message.
pub(crate) fn revive(tx: &WriteTx<'_>, event_id: &str) -> rusqlite::Result<bool> {
    let owner = tx.owner();
    let rows = tx
        .prepare_cached(&format!(
            "UPDATE {owner}_outbox SET state = 'pending', attempts = 0, next_retry_at_ms = 0
             WHERE event_id = ?1 AND state = 'dead'"
        ))?
        .execute([event_id])?;
    tx.note_message();
    Ok(rows == 1)
}

/// Event ids that are not delivered, or not yet: each may reach its consumers (again).
pub(crate) fn undelivered(connection: &Connection, owner: Owner) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare_cached(&format!("SELECT event_id FROM {owner}_outbox WHERE state <> 'delivered'"))?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// Removes what was delivered before `before_ms`, under the lease; answers how many.
pub(crate) fn thin(tx: &WriteTx<'_>, hold: &Hold, before_ms: i64, now_steady_ms: i64) -> rusqlite::Result<usize> {
    let owner = tx.owner();
    let held = hold.held(owner, now_steady_ms);
    tx.prepare_cached(&format!(
        "DELETE FROM {owner}_outbox WHERE state = 'delivered' AND delivered_at_ms < :before_ms AND {}",
        held.sql
    ))?
    .execute(&*held.with(&[(":before_ms", &before_ms)]))
}

/// Whether nothing is pending or claimed; asked without a write.
pub(crate) fn is_idle(connection: &Connection, owner: Owner) -> rusqlite::Result<bool> {
    let waits = |state: &str| {
        connection.prepare_cached(&format!("SELECT 1 FROM {owner}_outbox WHERE state = '{state}' LIMIT 1"))?.exists([])
    };
    Ok(!waits("pending")? && !waits("claimed")?)
}

/// The newest dead messages.
pub(crate) fn dead(connection: &Connection, owner: Owner, limit: u32) -> rusqlite::Result<Vec<DeadMessage>> {
    connection
        .prepare_cached(&format!("SELECT * FROM {owner}_outbox WHERE state = 'dead' ORDER BY id DESC LIMIT ?1"))?
        .query_map([limit], |row| Ok(DeadMessage { message: message(row)?, reason: row.get("last_error")? }))?
        .collect()
}

/// How much waits.
pub(crate) fn depth(connection: &Connection, owner: Owner) -> rusqlite::Result<Depth> {
    let count = |state: &str| {
        connection
            .prepare_cached(&format!("SELECT count(*) FROM {owner}_outbox WHERE state = '{state}'"))?
            .query_row([], |row| row.get(0))
    };
    let oldest = connection
        .prepare_cached(&format!(
            "SELECT recorded_at_ms FROM {owner}_outbox WHERE state IN ('pending', 'claimed') ORDER BY id LIMIT 1"
        ))?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(Depth {
        pending: count("pending")?,
        claimed: count("claimed")?,
        done: count("delivered")?,
        dead: count("dead")?,
        oldest_pending_at_ms: oldest,
    })
}

fn message(row: &Row<'_>) -> rusqlite::Result<Message> {
    Ok(Message {
        id: row.get("id")?,
        event_id: row.get("event_id")?,
        topic: row.get("topic")?,
        message_type: row.get("type")?,
        schema_version: row.get("schema_version")?,
        actor: row.get::<_, Option<String>>("actor_user_id")?.map(UserId),
        aggregate_id: row.get("aggregate_id")?,
        payload: row.get("payload")?,
        recorded_at_ms: row.get("recorded_at_ms")?,
        attempts: row.get("attempts")?,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use agon_contract::audit::AuditAction;
    use tempfile::TempDir;

    use super::*;
    use crate::clock::ManualClock;
    use crate::delivery::audit_note::{self, AuditNote};
    use crate::delivery::test_store::open_store;
    use crate::store::{OwnerStore, Store, StoreError};

    const NOW: i64 = 1_000_000;

    struct Outbox {
        _folder: TempDir,
        store: Store,
        catalog: OwnerStore,
    }

    impl Outbox {
        fn new() -> Self {
            let (folder, store) = open_store(&Arc::new(ManualClock::starting_at(NOW)));
            let catalog = store.owner(Owner::Catalog).expect("it opens");
            Self { _folder: folder, store, catalog }
        }

        fn write<T>(&self, work: impl FnOnce(&WriteTx<'_>) -> rusqlite::Result<T>) -> T {
            self.catalog.write_blocking("test", work).expect("written")
        }

        fn put(&self, object: &str) -> String {
            self.write(|tx| put(tx, &message_about(object)))
        }

        fn claim(&self, carrier: &Carrier, now_ms: i64) -> Vec<Message> {
            self.write(|tx| claim(tx, carrier, now_ms))
        }

        fn depth(&self) -> (u32, u32, u32) {
            let depth = self.write(|tx| depth(tx, Owner::Catalog));
            (depth.pending, depth.claimed, depth.dead)
        }
    }

    fn message_about(object: &str) -> NewMessage<'_> {
        NewMessage {
            topic: Topic::Result,
            message_type: "Told",
            schema_version: 1,
            actor: None,
            aggregate_id: object,
            payload: "{}".to_owned(),
        }
    }

    fn carrier(name: &str, boot: &str) -> Carrier {
        Carrier { token: name.to_owned(), boot_id: boot.to_owned() }
    }

    fn names(messages: &[Message]) -> Vec<&str> {
        messages.iter().map(|message| message.aggregate_id.as_str()).collect()
    }

    #[test]
    fn a_message_is_there_exactly_when_its_transaction_is() {
        let outbox = Outbox::new();
        let mut wakes = outbox.store.messages();
        let failed: Result<(), StoreError> = outbox.catalog.write_blocking("fail on purpose", |tx| {
            put(tx, &message_about("never"))?;
            Err(rusqlite::Error::InvalidQuery)
        });
        assert!(failed.is_err());
        assert!(!wakes.has_changed().expect("the store lives"));
        outbox.put("told");
        assert!(wakes.has_changed().expect("the store lives"));
        wakes.mark_unchanged();
        assert_eq!(names(&outbox.claim(&carrier("a", "boot"), NOW)), ["told"]);
        assert!(!wakes.has_changed().expect("the store lives"), "a claim tells nobody");
    }

    #[test]
    fn the_transactions_owner_decides_whose_outbox_it_is() {
        let outbox = Outbox::new();
        let auth = outbox.store.owner(Owner::Auth).expect("it opens");
        auth.write_blocking("tell", |tx| put(tx, &message_about("an account"))).expect("written");
        assert_eq!(outbox.depth(), (0, 0, 0));
        let depth = auth.write_blocking("count", |tx| depth(tx, Owner::Auth)).expect("readable");
        assert_eq!((depth.pending, depth.oldest_pending_at_ms), (1, Some(NOW)));
        let foreign = outbox.catalog.write_blocking("count", |tx| super::depth(tx, Owner::Auth));
        assert!(foreign.is_err(), "another owner's outbox is out of reach");
    }

    #[test]
    fn an_audit_note_carries_who_what_and_on_what() {
        let outbox = Outbox::new();
        let actor = UserId::from("somebody");
        let note = AuditNote {
            actor: Some(&actor),
            action: AuditAction::ProblemRemoved,
            object: "p1",
            details: serde_json::json!({ "slug": "boardwalk" }),
        };
        let event_id = outbox.write(|tx| audit_note::put(tx, &note));
        let found = outbox.claim(&carrier("a", "boot"), NOW).remove(0);
        assert_eq!((found.event_id, found.topic.as_str(), found.actor), (event_id, "audit", Some(actor)));
        assert_eq!((found.aggregate_id.as_str(), found.recorded_at_ms), ("p1", NOW));
        assert_eq!(found.payload, r#"{"action":"problem.removed","details":{"slug":"boardwalk"}}"#);
    }

    #[test]
    fn a_claimed_message_is_nobody_elses_until_its_claim_is_stale() {
        let outbox = Outbox::new();
        outbox.put("one");
        let (first, second) = (carrier("first", "boot"), carrier("second", "boot"));
        let claimed = outbox.claim(&first, NOW);
        assert_eq!(claimed.len(), 1);
        assert!(outbox.claim(&second, NOW).is_empty());
        let reclaim_at = |now_ms: i64, boot: &str| outbox.write(|tx| reclaim(tx, boot, now_ms));
        assert_eq!(reclaim_at(NOW + CLAIM_MS - 1, "boot"), 0, "still good");
        assert_eq!(reclaim_at(NOW + CLAIM_MS, "boot"), 1, "60 s are over");
        assert!(!outbox.write(|tx| deliver(tx, claimed[0].id, &first)), "it lost the claim");
        let again = outbox.claim(&second, NOW + CLAIM_MS);
        assert_eq!(again[0].attempts, 0, "the carrier was slow, not the message wrong");
        assert!(!outbox.write(|tx| deliver(tx, claimed[0].id, &first)), "it is the second's now");
        assert!(!outbox.write(|tx| fail(tx, &claimed[0], &first, "late", NOW)));
        assert!(outbox.write(|tx| deliver(tx, again[0].id, &second)));
        assert!(!outbox.write(|tx| deliver(tx, again[0].id, &second)), "twice");
        assert_eq!(reclaim_at(NOW + 10 * CLAIM_MS, "boot"), 0, "delivered stays delivered");
    }

    #[test]
    fn claims_of_a_dead_process_and_of_a_clock_set_back_are_taken_back_at_once() {
        let outbox = Outbox::new();
        outbox.put("one");
        assert_eq!(outbox.claim(&carrier("a", "earlier boot"), NOW).len(), 1);
        assert_eq!(outbox.write(|tx| reclaim(tx, "this boot", NOW)), 1);
        assert_eq!(outbox.claim(&carrier("b", "this boot"), NOW).len(), 1);
        assert_eq!(outbox.write(|tx| reclaim(tx, "this boot", NOW - 1)), 1, "its end lies beyond any claim's");
    }

    #[test]
    fn five_failures_set_a_message_aside_and_a_person_sets_it_going() {
        let outbox = Outbox::new();
        let event_id = outbox.put("one");
        let me = carrier("a", "boot");
        let mut now_ms = NOW;
        let mut waits = Vec::new();
        for _ in 1..ATTEMPTS_MAX {
            let claimed = outbox.claim(&me, now_ms).remove(0);
            assert!(outbox.write(|tx| fail(tx, &claimed, &me, "no room", now_ms)));
            let since = now_ms;
            while outbox.write(|tx| claim_count(tx, now_ms)) == 0 {
                now_ms += 1_000;
            }
            waits.push((now_ms - since) / 1_000);
        }
        assert_eq!(waits, [2, 4, 8, 16]);
        let claimed = outbox.claim(&me, now_ms).remove(0);
        assert!(outbox.write(|tx| fail(tx, &claimed, &me, "no room", now_ms)));
        assert_eq!(outbox.depth(), (0, 0, 1));
        let dead = outbox.write(|tx| dead(tx, Owner::Catalog, 10));
        assert_eq!(dead[0].reason, "failed 5 times; the last: no room");
        assert!(!outbox.write(|tx| revive(tx, "another")));
        assert!(outbox.write(|tx| revive(tx, &event_id)));
        assert!(!outbox.write(|tx| revive(tx, &event_id)), "it lives");
        assert_eq!(outbox.claim(&me, NOW)[0].attempts, 0, "with a fresh budget");
    }

    /// How many messages are due, without taking them.
    fn claim_count(tx: &WriteTx<'_>, now_ms: i64) -> rusqlite::Result<u32> {
        tx.query_row(
            "SELECT count(*) FROM catalog_outbox WHERE state = 'pending' AND next_retry_at_ms <= ?1",
            [now_ms],
            |row| row.get(0),
        )
    }

    #[test]
    fn a_store_that_is_away_spends_no_attempt_and_a_hopeless_message_no_time() {
        let outbox = Outbox::new();
        outbox.put("waits");
        outbox.put("hopeless");
        let me = carrier("a", "boot");
        let claimed = outbox.claim(&me, NOW);
        assert!(outbox.write(|tx| put_back(tx, claimed[0].id, &me, "the disk is full", NOW + 5_000)));
        assert!(outbox.write(|tx| refuse(tx, claimed[1].id, &me, "nobody takes it")));
        assert!(outbox.claim(&me, NOW + 4_999).is_empty());
        let again = outbox.claim(&me, NOW + 5_000);
        assert_eq!((names(&again), again[0].attempts), (vec!["waits"], 0));
        assert_eq!(outbox.write(|tx| dead(tx, Owner::Catalog, 10))[0].reason, "nobody takes it");
    }

    #[test]
    fn a_batch_is_bounded_and_in_order() {
        let outbox = Outbox::new();
        for number in 0..=BATCH {
            outbox.put(&number.to_string());
        }
        let me = carrier("a", "boot");
        let first = outbox.claim(&me, NOW);
        assert_eq!(first.len(), BATCH as usize);
        assert_eq!(names(&first)[..3], ["0", "1", "2"]);
        assert_eq!(names(&outbox.claim(&me, NOW)), ["50"]);
    }
}
