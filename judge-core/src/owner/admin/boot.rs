//! Table of starts: which process a boot id was.

use rusqlite::{Connection, params};

use crate::delivery::lease::Hold;
use crate::store::WriteTx;

pub(super) const SCHEMA: &str = "
CREATE TABLE admin_boot (
    boot_id       TEXT PRIMARY KEY CHECK (length(boot_id) = 36),
    program       TEXT NOT NULL,
    app_version   TEXT NOT NULL,
    process_id    INTEGER NOT NULL CHECK (process_id > 0),
    started_at_ms INTEGER NOT NULL
) STRICT;
";

/// One start of the program on this folder.
#[derive(Clone, Debug)]
pub(crate) struct Boot {
    pub boot_id: String,
    pub program: String,
}

pub(super) fn insert(connection: &Connection, boot: &Boot, now_ms: i64) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO admin_boot (boot_id, program, app_version, process_id, started_at_ms)
         VALUES (?1, ?2, ?3, ?4, ?5)",
        params![boot.boot_id, boot.program, env!("CARGO_PKG_VERSION"), std::process::id(), now_ms],
    )?;
    Ok(())
}

/// Starts that stay whatever their age: somebody may still ask what ran here last.
const NEWEST_KEPT: u32 = 100;
/// Starts that stay at most: a script may start the program every second.
const KEPT_MAX: u32 = 10_000;

/// Removes starts before `before_ms`, and what is beyond the bound; never one that a lease still names.
pub(crate) fn thin(tx: &WriteTx<'_>, hold: &Hold, before_ms: i64, now_steady_ms: i64) -> rusqlite::Result<usize> {
    let held = hold.held(tx.owner(), now_steady_ms);
    let newest =
        |count: u32| format!("SELECT rowid FROM admin_boot ORDER BY started_at_ms DESC, rowid DESC LIMIT {count}");
    tx.prepare_cached(&format!(
        "DELETE FROM admin_boot
         WHERE {} AND boot_id NOT IN (SELECT boot_id FROM admin_lease WHERE boot_id IS NOT NULL)
           AND (rowid NOT IN ({}) OR (started_at_ms < :before_ms AND rowid NOT IN ({})))",
        held.sql,
        newest(KEPT_MAX),
        newest(NEWEST_KEPT)
    ))?
    .execute(&*held.with(&[(":before_ms", &before_ms)]))
}
