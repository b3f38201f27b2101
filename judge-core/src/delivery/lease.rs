//! Singleton leases: work that only one may do at a time, and whose end counts only while it still may.
//!
//! ```text
//! (absent) ──acquire──► HELD(owner_token, fence_token 1, until)
//! HELD ──renew, by owner + fence, still unexpired──► HELD(until later)
//! HELD ──release, by owner + fence──► FREE(fence_token kept)
//! FREE, or HELD and over, or HELD by a process that is gone ──acquire──► HELD(fence_token + 1)
//! ```
//! | step | condition (all in the WHERE clause) |
//! |---|---|
//! | acquire | name ∧ (no holder ∨ until ≤ now ∨ until > now + period ∨ another boot) |
//! | renew | name ∧ owner_token ∧ fence_token ∧ now < until ≤ now + period |
//! | release | name ∧ owner_token ∧ fence_token |
//! | complete (anybody's write) | … ∧ [`HELD`]: name ∧ owner_token ∧ fence_token ∧ now < until ≤ now + period |
//!
//! Fails closed: an end that lies further ahead than its own period comes from a clock that moved, and then the holder may
//! no longer complete anything, while whoever acquires gets a higher fence token. The table belongs to the owner whose
//! rows the work completes. A restore frees every lease, keeps the fence tokens and raises them by one, so that nobody
//! from before it completes anything after it. (Rule: delivery, "Singleton work".)

use rusqlite::{Connection, OptionalExtension, ToSql, params};

use super::outbox::Carrier;
use crate::store::WriteTx;
use crate::store::authorizer::Owner;

/// The table of one owner, whose name is given as a literal.
macro_rules! lease_schema {
    ($owner:literal) => {
        concat!(
            "CREATE TABLE ",
            $owner,
            "_lease (
    name            TEXT PRIMARY KEY CHECK (name <> ''),
    fence_token     INTEGER NOT NULL CHECK (fence_token > 0),
    owner_token     TEXT,
    boot_id         TEXT,
    acquired_at_ms  INTEGER,
    leased_until_ms INTEGER,
    CHECK ((owner_token IS NULL) = (leased_until_ms IS NULL)),
    CHECK ((owner_token IS NULL) = (boot_id IS NULL)),
    CHECK ((owner_token IS NULL) = (acquired_at_ms IS NULL))
) STRICT;
"
        )
    };
}
pub(crate) use lease_schema;

/// How long a lease is good for without a renewal.
pub(crate) const PERIOD_MS: i64 = 60_000;

/// A lease in somebody's hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hold {
    pub name: &'static str,
    pub owner_token: String,
    pub boot_id: String,
    /// Rises with each holder.
    pub fence_token: i64,
}

/// A lease as the operations view shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LeaseRow {
    pub name: String,
    pub fence_token: i64,
    /// The holder's token; `None` while free.
    pub owner_token: Option<String>,
    pub boot_id: Option<String>,
    /// Wall time at which its holder took it.
    pub acquired_at_ms: Option<i64>,
    /// Steady milliseconds of the holder's process.
    pub leased_until_ms: Option<i64>,
}

/// The condition of a write that only the holder may make, with the values for its named parameters.
pub(crate) struct Held {
    pub sql: String,
    name: &'static str,
    owner_token: String,
    fence_token: i64,
    now_ms: i64,
    horizon_ms: i64,
}

impl Held {
    /// Binds to `:lease_name`, `:lease_owner`, `:lease_fence`, `:lease_now` and `:lease_horizon` beside `others`.
    pub(crate) fn with<'p>(&'p self, others: &[(&'p str, &'p dyn ToSql)]) -> Vec<(&'p str, &'p dyn ToSql)> {
        let mut all = others.to_vec();
        all.extend_from_slice(&[
            (":lease_name", &self.name as &dyn ToSql),
            (":lease_owner", &self.owner_token),
            (":lease_fence", &self.fence_token),
            (":lease_now", &self.now_ms),
            (":lease_horizon", &self.horizon_ms),
        ]);
        all
    }
}

impl Hold {
    /// The condition under which this hold may complete its work in the tables of `owner`.
    pub(crate) fn held(&self, owner: Owner, now_steady_ms: i64) -> Held {
        Held {
            sql: format!(
                "EXISTS (SELECT 1 FROM {owner}_lease
                         WHERE name = :lease_name AND owner_token = :lease_owner AND fence_token = :lease_fence
                           AND leased_until_ms > :lease_now AND leased_until_ms <= :lease_horizon)"
            ),
            name: self.name,
            owner_token: self.owner_token.clone(),
            fence_token: self.fence_token,
            now_ms: now_steady_ms,
            horizon_ms: now_steady_ms + PERIOD_MS,
        }
    }
}

/// Takes the lease; `None` while somebody else holds it.
pub(crate) fn acquire(
    tx: &WriteTx<'_>,
    name: &'static str,
    holder: &Carrier,
    now_steady_ms: i64,
) -> rusqlite::Result<Option<Hold>> {
    let owner = tx.owner();
    let fence_token = tx
        .prepare_cached(&format!(
            "INSERT INTO {owner}_lease (name, fence_token, owner_token, boot_id, acquired_at_ms, leased_until_ms)
             VALUES (?1, 1, ?2, ?3, ?6, ?5)
             ON CONFLICT (name) DO UPDATE
             SET fence_token = fence_token + 1, owner_token = ?2, boot_id = ?3, acquired_at_ms = ?6,
                 leased_until_ms = ?5
             WHERE owner_token IS NULL OR leased_until_ms <= ?4 OR leased_until_ms > ?5 OR boot_id <> ?3
             RETURNING fence_token"
        ))?
        .query_row(
            params![name, holder.token, holder.boot_id, now_steady_ms, now_steady_ms + PERIOD_MS, tx.wall_ms()],
            |row| row.get(0),
        )
        .optional()?;
    Ok(fence_token.map(|fence_token| Hold {
        name,
        owner_token: holder.token.clone(),
        boot_id: holder.boot_id.clone(),
        fence_token,
    }))
}

/// Whether the hold may complete its work in the tables of the transaction's owner. For work of several statements: SQLite has
/// one writer, so what holds at the beginning of the transaction holds to its end.
pub(crate) fn is_held(tx: &WriteTx<'_>, hold: &Hold, now_steady_ms: i64) -> rusqlite::Result<bool> {
    let held = hold.held(tx.owner(), now_steady_ms);
    tx.prepare_cached(&format!("SELECT {}", held.sql))?.query_row(&*held.with(&[]), |row| row.get(0))
}

/// Prolongs the lease; false when it is over or somebody else's.
pub(crate) fn renew(tx: &WriteTx<'_>, hold: &Hold, now_steady_ms: i64) -> rusqlite::Result<bool> {
    let owner = tx.owner();
    let rows = tx
        .prepare_cached(&format!(
            "UPDATE {owner}_lease SET leased_until_ms = ?5
             WHERE name = ?1 AND owner_token = ?2 AND fence_token = ?3 AND leased_until_ms > ?4
               AND leased_until_ms <= ?5"
        ))?
        .execute(params![hold.name, hold.owner_token, hold.fence_token, now_steady_ms, now_steady_ms + PERIOD_MS])?;
    Ok(rows == 1)
}

/// Frees the lease; false when it is somebody else's by now.
pub(crate) fn release(tx: &WriteTx<'_>, hold: &Hold) -> rusqlite::Result<bool> {
    let owner = tx.owner();
    let rows = tx
        .prepare_cached(&format!(
            "UPDATE {owner}_lease SET owner_token = NULL, boot_id = NULL, acquired_at_ms = NULL, leased_until_ms = NULL
             WHERE name = ?1 AND owner_token = ?2 AND fence_token = ?3"
        ))?
        .execute(params![hold.name, hold.owner_token, hold.fence_token])?;
    Ok(rows == 1)
}

/// After a restore: nobody holds anything, and no token from before is ever given again.
pub(crate) fn restored(tx: &WriteTx<'_>) -> rusqlite::Result<usize> {
    let owner = tx.owner();
    tx.execute(
        &format!(
            "UPDATE {owner}_lease SET fence_token = fence_token + 1, owner_token = NULL, boot_id = NULL,
                                      acquired_at_ms = NULL, leased_until_ms = NULL"
        ),
        [],
    )
}

/// Every lease of the owner by name.
pub(crate) fn list(connection: &Connection, owner: Owner) -> rusqlite::Result<Vec<LeaseRow>> {
    connection
        .prepare_cached(&format!(
            "SELECT name, fence_token, owner_token, boot_id, acquired_at_ms, leased_until_ms FROM {owner}_lease ORDER BY name"
        ))?
        .query_map([], |row| {
            Ok(LeaseRow {
                name: row.get(0)?,
                fence_token: row.get(1)?,
                owner_token: row.get(2)?,
                boot_id: row.get(3)?,
                acquired_at_ms: row.get(4)?,
                leased_until_ms: row.get(5)?,
            })
        })?
        .collect()
}

#[cfg(test)]
#[path = "lease_tests.rs"]
mod tests;
