//! A consumer's inbox: each message once, its effect and the mark that it was had in one commit.
//!
//! ```text
//! (absent) ──insert, once per (consumer, event)──► PENDING ──take──► PROCESSING(lease 30 s, renewed every 10 s)
//!                                                    ▲                  ├── complete, with the effect ──► PROCESSED
//!                                                    ├── failed: attempts + 1, backoff ──┤
//!                                                    ├── put back: the store is away ────┤
//!                                                    ├── lease over; of a dead process: attempts + 1
//!                                                    │                  └── tenth attempt, or not understood ──► DEAD
//!                                                    └── revive (a person) ◄── DEAD
//! ```
//! | step | condition (all in the WHERE clause) |
//! |---|---|
//! | take | id ∧ state=pending ∧ (next_retry ≤ now ∨ next_retry > now + 60 s) |
//! | renew, complete | id ∧ state=processing ∧ leased_by = token ∧ now < lease_until ≤ now + 30 s |
//! | fail, park, put back | id ∧ state=processing ∧ leased_by = token |
//! | recover | state=processing ∧ (lease_until ≤ now ∨ lease_until > now + 30 s ∨ another boot) |
//! | revive | consumer ∧ event id ∧ state=dead |
//!
//! A handler whose lease is over changes nothing, because [`complete`] then finds no row and the transaction, with the
//! effect in it, is given up. A message that kills its whole process spends an attempt each time, so it cannot do so for
//! ever; one that was merely overtaken does not. What a consumer does not understand is set aside with the reason and
//! never counted as had. (Rule: delivery, "Result outbox, consumer inbox, audit".)

use std::collections::BTreeSet;

use agon_contract::ids::UserId;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::backoff::fault_delay;
use super::lease::Hold;
use super::outbox::{Carrier, Depth, Message};
use crate::store::WriteTx;
use crate::store::authorizer::Owner;

/// The table of one consuming owner, whose name is given as a literal.
macro_rules! inbox_schema {
    ($owner:literal) => {
        concat!(
            "CREATE TABLE ",
            $owner,
            "_inbox (
    id               INTEGER PRIMARY KEY,
    consumer         TEXT NOT NULL CHECK (consumer <> ''),
    event_id         TEXT NOT NULL CHECK (length(event_id) = 36),
    source           TEXT NOT NULL,
    topic            TEXT NOT NULL,
    type             TEXT NOT NULL,
    schema_version   INTEGER NOT NULL CHECK (schema_version > 0),
    actor_user_id    TEXT,
    aggregate_id     TEXT NOT NULL,
    payload          TEXT NOT NULL CHECK (json_valid(payload)),
    recorded_at_ms   INTEGER NOT NULL,
    received_at_ms   INTEGER NOT NULL,
    state            TEXT NOT NULL CHECK (state IN ('pending', 'processing', 'processed', 'dead')),
    attempts         INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    leased_by        TEXT,
    boot_id          TEXT,
    lease_until_ms   INTEGER,
    next_retry_at_ms INTEGER NOT NULL DEFAULT 0,
    reason           TEXT NOT NULL DEFAULT '',
    processed_at_ms  INTEGER,
    UNIQUE (consumer, event_id),
    CHECK ((state = 'processing') = (leased_by IS NOT NULL)),
    CHECK ((state = 'processing') = (boot_id IS NOT NULL)),
    CHECK ((state = 'processing') = (lease_until_ms IS NOT NULL)),
    CHECK ((state = 'processed') = (processed_at_ms IS NOT NULL)),
    CHECK (state <> 'dead' OR reason <> '')
) STRICT;
CREATE INDEX ",
            $owner,
            "_inbox_pending ON ",
            $owner,
            "_inbox (consumer, id) WHERE state = 'pending';
CREATE INDEX ",
            $owner,
            "_inbox_processing ON ",
            $owner,
            "_inbox (id) WHERE state = 'processing';
CREATE INDEX ",
            $owner,
            "_inbox_dead ON ",
            $owner,
            "_inbox (id) WHERE state = 'dead';
CREATE INDEX ",
            $owner,
            "_inbox_processed ON ",
            $owner,
            "_inbox (processed_at_ms) WHERE state = 'processed';
"
        )
    };
}
pub(crate) use inbox_schema;

/// How long a taken message is its taker's without a renewal.
pub(crate) const LEASE_MS: i64 = 30_000;
/// Attempts after which a message is set aside for staff.
pub(crate) const ATTEMPTS_MAX: u32 = 10;
/// A retry time further ahead than the longest delay comes from a clock that was set back: it counts as due.
const RETRY_HORIZON_MS: i64 = 60_000;
/// `?3` is now, `?4` the furthest end that a lease can have.
const LEASE_IS_LIVE: &str = "state = 'processing' AND leased_by = ?2 AND lease_until_ms > ?3 AND lease_until_ms <= ?4";

/// A message in a consumer's hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Received {
    pub id: i64,
    pub event_id: String,
    /// The owner that wrote it.
    pub source: String,
    pub topic: String,
    pub message_type: String,
    pub schema_version: u32,
    pub actor: Option<UserId>,
    pub aggregate_id: String,
    pub payload: String,
    /// Wall time of the change it tells about.
    pub recorded_at_ms: i64,
    /// Failed attempts so far.
    pub attempts: u32,
}

/// A message that was set aside, for staff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeadReceived {
    pub message: Received,
    pub reason: String,
}

/// Puts a message into the inbox of the transaction's owner; false when this consumer has or had it already.
pub(crate) fn insert(tx: &WriteTx<'_>, consumer: &str, source: Owner, message: &Message) -> rusqlite::Result<bool> {
    let owner = tx.owner();
    let rows = tx
        .prepare_cached(&format!(
            "INSERT INTO {owner}_inbox (consumer, event_id, source, topic, type, schema_version, actor_user_id,
                                        aggregate_id, payload, recorded_at_ms, received_at_ms, state)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'pending')
             ON CONFLICT (consumer, event_id) DO NOTHING"
        ))?
        .execute(params![
            consumer,
            message.event_id,
            source.name(),
            message.topic,
            message.message_type,
            message.schema_version,
            message.actor.as_ref().map(UserId::as_str),
            message.aggregate_id,
            message.payload,
            message.recorded_at_ms,
            tx.wall_ms()
        ])?;
    Ok(rows == 1)
}

/// PENDING → PROCESSING: the consumer's oldest due message.
pub(crate) fn take(
    tx: &WriteTx<'_>,
    consumer: &str,
    taker: &Carrier,
    now_steady_ms: i64,
) -> rusqlite::Result<Option<Received>> {
    let owner = tx.owner();
    let found = tx
        .prepare_cached(&format!(
            "SELECT * FROM {owner}_inbox
             WHERE state = 'pending' AND consumer = ?1 AND (next_retry_at_ms <= ?2 OR next_retry_at_ms > ?3)
             ORDER BY id LIMIT 1"
        ))?
        .query_row(params![consumer, now_steady_ms, now_steady_ms + RETRY_HORIZON_MS], received)
        .optional()?;
    let Some(message) = found else { return Ok(None) };
    let rows = tx
        .prepare_cached(&format!(
            "UPDATE {owner}_inbox SET state = 'processing', leased_by = ?2, boot_id = ?3, lease_until_ms = ?4
             WHERE id = ?1 AND state = 'pending'"
        ))?
        .execute(params![message.id, taker.token, taker.boot_id, now_steady_ms + LEASE_MS])?;
    Ok((rows == 1).then_some(message))
}

/// Prolongs the lease; false when it is over or somebody else's.
pub(crate) fn renew(tx: &WriteTx<'_>, id: i64, taker: &Carrier, now_steady_ms: i64) -> rusqlite::Result<bool> {
    let owner = tx.owner();
    let rows = tx
        .prepare_cached(&format!("UPDATE {owner}_inbox SET lease_until_ms = ?4 WHERE id = ?1 AND {LEASE_IS_LIVE}"))?
        .execute(params![id, taker.token, now_steady_ms, now_steady_ms + LEASE_MS])?;
    Ok(rows == 1)
}

/// PROCESSING → PROCESSED, in the transaction of the effect. On `false` the caller gives the transaction up.
pub(crate) fn complete(tx: &WriteTx<'_>, id: i64, taker: &Carrier, now_steady_ms: i64) -> rusqlite::Result<bool> {
    let owner = tx.owner();
    let rows = tx
        .prepare_cached(&format!(
            "UPDATE {owner}_inbox
             SET state = 'processed', reason = '', processed_at_ms = ?5,
                 leased_by = NULL, boot_id = NULL, lease_until_ms = NULL
             WHERE id = ?1 AND {LEASE_IS_LIVE}"
        ))?
        .execute(params![id, taker.token, now_steady_ms, now_steady_ms + LEASE_MS, tx.wall_ms()])?;
    Ok(rows == 1)
}

/// What the end of a lease without an effect sets; the lease itself is always cleared.
fn give_up(tx: &WriteTx<'_>, id: i64, taker: &Carrier, set: &str, values: (&str, i64)) -> rusqlite::Result<bool> {
    let owner = tx.owner();
    let rows = tx
        .prepare_cached(&format!(
            "UPDATE {owner}_inbox SET {set}, leased_by = NULL, boot_id = NULL, lease_until_ms = NULL
             WHERE id = ?1 AND state = 'processing' AND leased_by = ?2"
        ))?
        .execute(params![id, taker.token, values.0, values.1])?;
    Ok(rows == 1)
}

/// PROCESSING → PENDING after a failure, or DEAD after the last one.
pub(crate) fn fail(
    tx: &WriteTx<'_>,
    message: &Received,
    taker: &Carrier,
    reason: &str,
    now_steady_ms: i64,
) -> rusqlite::Result<bool> {
    let attempts = message.attempts + 1;
    if attempts >= ATTEMPTS_MAX {
        let reason = format!("failed {attempts} times; the last: {reason}");
        return give_up(
            tx,
            message.id,
            taker,
            "state = 'dead', reason = ?3, attempts = ?4",
            (&reason, attempts.into()),
        );
    }
    let delay_ms = i64::try_from(fault_delay(attempts).as_millis()).unwrap_or(i64::MAX);
    let set = "state = 'pending', attempts = attempts + 1, reason = ?3, next_retry_at_ms = ?4";
    give_up(tx, message.id, taker, set, (reason, now_steady_ms.saturating_add(delay_ms)))
}

/// PROCESSING → DEAD at once: the consumer does not understand it.
pub(crate) fn park(tx: &WriteTx<'_>, id: i64, taker: &Carrier, reason: &str) -> rusqlite::Result<bool> {
    give_up(tx, id, taker, "state = 'dead', reason = ?3, attempts = attempts + ?4", (reason, 1))
}

/// PROCESSING → PENDING without a spent attempt: the store is away, which is nobody's fault.
pub(crate) fn put_back(
    tx: &WriteTx<'_>,
    id: i64,
    taker: &Carrier,
    reason: &str,
    retry_at_ms: i64,
) -> rusqlite::Result<bool> {
    give_up(tx, id, taker, "state = 'pending', reason = ?3, next_retry_at_ms = ?4", (reason, retry_at_ms))
}

/// PROCESSING → PENDING where the lease is over or its process is gone; the latter spends an attempt, and the last one
/// sets the message aside. Answers how many were found.
pub(crate) fn recover(tx: &WriteTx<'_>, boot_id: &str, now_steady_ms: i64) -> rusqlite::Result<usize> {
    let owner = tx.owner();
    let clear = "leased_by = NULL, boot_id = NULL, lease_until_ms = NULL";
    let dead = tx
        .prepare_cached(&format!(
            "UPDATE {owner}_inbox
             SET state = 'dead', attempts = attempts + 1, {clear},
                 reason = 'its process ended ' || (attempts + 1) || ' times while it was handled'
             WHERE state = 'processing' AND boot_id <> ?1 AND attempts + 1 >= {ATTEMPTS_MAX}"
        ))?
        .execute([boot_id])?;
    let again = tx
        .prepare_cached(&format!(
            "UPDATE {owner}_inbox SET state = 'pending', attempts = attempts + (boot_id <> ?1), {clear}
             WHERE state = 'processing' AND (lease_until_ms <= ?2 OR lease_until_ms > ?3 OR boot_id <> ?1)"
        ))?
        .execute(params![boot_id, now_steady_ms, now_steady_ms + LEASE_MS])?;
    Ok(dead + again)
}

/// DEAD → PENDING with a fresh budget; false when there is no such dead message.
pub(crate) fn revive(tx: &WriteTx<'_>, consumer: &str, event_id: &str) -> rusqlite::Result<bool> {
    let owner = tx.owner();
    let rows = tx
        .prepare_cached(&format!(
            "UPDATE {owner}_inbox SET state = 'pending', attempts = 0, next_retry_at_ms = 0
             WHERE consumer = ?1 AND event_id = ?2 AND state = 'dead'"
        ))?
        .execute([consumer, event_id])?;
    tx.note_message();
    Ok(rows == 1)
}

/// Removes what was processed before `before_ms` and can never come again, under the lease; answers how many. What is in
/// `undelivered` stays, because its row is all that says that it was had.
pub(crate) fn thin(
    tx: &WriteTx<'_>,
    hold: &Hold,
    undelivered: &BTreeSet<String>,
    before_ms: i64,
    now_steady_ms: i64,
) -> rusqlite::Result<usize> {
    let owner = tx.owner();
    let old: Vec<(i64, String)> = tx
        .prepare_cached(&format!(
            "SELECT id, event_id FROM {owner}_inbox WHERE state = 'processed' AND processed_at_ms < ?1"
        ))?
        .query_map([before_ms], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let held = hold.held(owner, now_steady_ms);
    let mut remove = tx.prepare_cached(&format!(
        "DELETE FROM {owner}_inbox WHERE id = :id AND state = 'processed' AND {}",
        held.sql
    ))?;
    let mut removed = 0;
    for (id, _) in old.iter().filter(|(_, event_id)| !undelivered.contains(event_id)) {
        removed += remove.execute(&*held.with(&[(":id", id)]))?;
    }
    Ok(removed)
}

/// Whether nothing of the consumer is pending and nothing of anybody's is in hands; asked without a write.
pub(crate) fn is_idle(connection: &Connection, owner: Owner, consumer: &str) -> rusqlite::Result<bool> {
    let pending = connection
        .prepare_cached(&format!("SELECT 1 FROM {owner}_inbox WHERE state = 'pending' AND consumer = ?1 LIMIT 1"))?
        .exists([consumer])?;
    let in_hands = connection
        .prepare_cached(&format!("SELECT 1 FROM {owner}_inbox WHERE state = 'processing' LIMIT 1"))?
        .exists([])?;
    Ok(!pending && !in_hands)
}

/// The newest dead messages of a consumer.
pub(crate) fn dead(
    connection: &Connection,
    owner: Owner,
    consumer: &str,
    limit: u32,
) -> rusqlite::Result<Vec<DeadReceived>> {
    connection
        .prepare_cached(&format!(
            "SELECT * FROM {owner}_inbox WHERE state = 'dead' AND consumer = ?1 ORDER BY id DESC LIMIT ?2"
        ))?
        .query_map(params![consumer, limit], |row| {
            Ok(DeadReceived { message: received(row)?, reason: row.get("reason")? })
        })?
        .collect()
}

/// How much waits in a consumer's inbox.
pub(crate) fn depth(connection: &Connection, owner: Owner, consumer: &str) -> rusqlite::Result<Depth> {
    let count = |state: &str| {
        connection
            .prepare_cached(&format!("SELECT count(*) FROM {owner}_inbox WHERE state = '{state}' AND consumer = ?1"))?
            .query_row([consumer], |row| row.get(0))
    };
    let oldest = |state: &str| {
        connection
            .prepare_cached(&format!(
                "SELECT min(received_at_ms) FROM {owner}_inbox WHERE state = '{state}' AND consumer = ?1"
            ))?
            .query_row([consumer], |row| row.get::<_, Option<i64>>(0))
    };
    Ok(Depth {
        pending: count("pending")?,
        claimed: count("processing")?,
        done: count("processed")?,
        dead: count("dead")?,
        oldest_pending_at_ms: [oldest("pending")?, oldest("processing")?].into_iter().flatten().min(),
    })
}

fn received(row: &Row<'_>) -> rusqlite::Result<Received> {
    Ok(Received {
        id: row.get("id")?,
        event_id: row.get("event_id")?,
        source: row.get("source")?,
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
#[path = "inbox_tests.rs"]
mod tests;
