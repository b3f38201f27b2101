//! Table of backup runs: MAKING → MADE | FAILED. The backups themselves are what lies in their folders.
//!
//! A run is begun and ended under the lease `backup`; its end counts only while the lease is held.

use agon_contract::backup::BackupKind;
use rusqlite::{Connection, OptionalExtension, params};

use crate::delivery::lease::Hold;
use crate::store::WriteTx;

pub(super) const SCHEMA: &str = "
CREATE TABLE admin_backup_run (
    id            TEXT PRIMARY KEY CHECK (length(id) = 36),
    kind          TEXT NOT NULL CHECK (kind IN ('manual', 'scheduled')),
    part_path     TEXT NOT NULL,
    path          TEXT NOT NULL,
    state         TEXT NOT NULL CHECK (state IN ('making', 'made', 'failed')),
    fence_token   INTEGER NOT NULL CHECK (fence_token > 0),
    started_at_ms INTEGER NOT NULL,
    ended_at_ms   INTEGER,
    reason        TEXT NOT NULL DEFAULT '',
    CHECK ((state = 'making') = (ended_at_ms IS NULL)),
    CHECK (state <> 'failed' OR reason <> '')
) STRICT;
CREATE INDEX admin_backup_run_started ON admin_backup_run (started_at_ms);
";

/// A run about to begin.
#[derive(Clone, Debug)]
pub(crate) struct NewRun {
    pub id: String,
    pub kind: BackupKind,
    /// Where it is made; what lies there is nobody's when the run has ended.
    pub part_path: String,
    /// Where it appears when it is whole.
    pub path: String,
}

/// A run that no process makes any more.
#[derive(Clone, Debug)]
pub(crate) struct Interrupted {
    pub id: String,
    pub part_path: String,
}

/// The newest run of a kind.
#[derive(Clone, Debug)]
pub(crate) struct LastRun {
    pub state: String,
    pub started_at_ms: i64,
    pub reason: String,
}

/// Whether the run was begun: only under the lease.
pub(super) fn begin(tx: &WriteTx<'_>, hold: &Hold, run: &NewRun, now_steady_ms: i64) -> rusqlite::Result<bool> {
    let held = hold.held(tx.owner(), now_steady_ms);
    let started_at_ms = tx.wall_ms();
    let rows = tx
        .prepare_cached(&format!(
            "INSERT INTO admin_backup_run (id, kind, part_path, path, state, fence_token, started_at_ms)
         SELECT :id, :kind, :part_path, :path, 'making', :fence, :started_at_ms WHERE {}",
            held.sql
        ))?
        .execute(&*held.with(&[
            (":id", &run.id),
            (":kind", &run.kind.as_str()),
            (":part_path", &run.part_path),
            (":path", &run.path),
            (":fence", &hold.fence_token),
            (":started_at_ms", &started_at_ms),
        ]))?;
    Ok(rows == 1)
}

/// MAKING → MADE: only under the lease it was begun with.
pub(super) fn made(tx: &WriteTx<'_>, hold: &Hold, id: &str, now_steady_ms: i64) -> rusqlite::Result<bool> {
    let held = hold.held(tx.owner(), now_steady_ms);
    let ended_at_ms = tx.wall_ms();
    let rows = tx
        .prepare_cached(&format!(
            "UPDATE admin_backup_run SET state = 'made', ended_at_ms = :ended_at_ms
             WHERE id = :id AND state = 'making' AND fence_token = :fence AND {}",
            held.sql
        ))?
        .execute(&*held.with(&[(":id", &id), (":fence", &hold.fence_token), (":ended_at_ms", &ended_at_ms)]))?;
    Ok(rows == 1)
}

/// MAKING → FAILED; whoever notices may say so.
pub(super) fn failed(tx: &WriteTx<'_>, id: &str, reason: &str) -> rusqlite::Result<bool> {
    let rows = tx
        .prepare_cached(
            "UPDATE admin_backup_run SET state = 'failed', ended_at_ms = ?2, reason = ?3
             WHERE id = ?1 AND state = 'making'",
        )?
        .execute(params![id, tx.wall_ms(), reason])?;
    Ok(rows == 1)
}

/// In a restored database the run that made it still stands as it was in the middle of itself.
pub(super) fn restored(tx: &WriteTx<'_>, id: &str) -> rusqlite::Result<()> {
    tx.execute(
        "UPDATE admin_backup_run SET state = 'made', ended_at_ms = ?2 WHERE id = ?1 AND state = 'making'",
        params![id, tx.wall_ms()],
    )?;
    Ok(())
}

/// Runs that stand as being made. Asked at the start, when nobody makes any.
pub(super) fn interrupted(connection: &Connection) -> rusqlite::Result<Vec<Interrupted>> {
    connection
        .prepare("SELECT id, part_path FROM admin_backup_run WHERE state = 'making'")?
        .query_map([], |row| Ok(Interrupted { id: row.get(0)?, part_path: row.get(1)? }))?
        .collect()
}

/// The newest run, of the kind if one is named.
pub(super) fn last(connection: &Connection, kind: Option<&BackupKind>) -> rusqlite::Result<Option<LastRun>> {
    connection
        .prepare_cached(
            "SELECT state, started_at_ms, reason FROM admin_backup_run
             WHERE ?1 IS NULL OR kind = ?1 ORDER BY id DESC LIMIT 1",
        )?
        .query_row([kind.map(BackupKind::as_str)], |row| {
            Ok(LastRun {
                state: row.get("state")?,
                started_at_ms: row.get("started_at_ms")?,
                reason: row.get("reason")?,
            })
        })
        .optional()
}

/// Forgets ended runs that began before `before_ms`, but never the newest of a kind.
pub(crate) fn thin(tx: &WriteTx<'_>, hold: &Hold, before_ms: i64, now_steady_ms: i64) -> rusqlite::Result<usize> {
    let held = hold.held(tx.owner(), now_steady_ms);
    tx.prepare_cached(&format!(
        "DELETE FROM admin_backup_run WHERE state <> 'making' AND started_at_ms < :before_ms
           AND id NOT IN (SELECT max(id) FROM admin_backup_run GROUP BY kind) AND {}",
        held.sql
    ))?
    .execute(&*held.with(&[(":before_ms", &before_ms)]))
}
