//! Table of settings: a name and a text.

use rusqlite::{Connection, OptionalExtension};

pub(super) const SCHEMA: &str = "
CREATE TABLE admin_setting (
    name          TEXT PRIMARY KEY CHECK (name <> ''),
    value         TEXT NOT NULL,
    updated_at_ms INTEGER NOT NULL
) STRICT;
";

pub(super) fn get(connection: &Connection, name: &str) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached("SELECT value FROM admin_setting WHERE name = ?1")?
        .query_row([name], |row| row.get(0))
        .optional()
}

pub(super) fn put(connection: &Connection, name: &str, value: &str, now_ms: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO admin_setting (name, value, updated_at_ms) VALUES (?1, ?2, ?3)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at_ms = excluded.updated_at_ms",
        )?
        .execute(rusqlite::params![name, value, now_ms])?;
    Ok(())
}

pub(super) fn forget(connection: &Connection, name: &str) -> rusqlite::Result<()> {
    connection.prepare_cached("DELETE FROM admin_setting WHERE name = ?1")?.execute([name])?;
    Ok(())
}
