//! Table of starts: which process a boot id was.

use rusqlite::{Connection, params};

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
