//! Copies of the database, made while it is in use and read back before anybody relies on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::Backup;

use super::StoreError;

/// Pages copied between two looks at other work; a copy of 100 MB takes some seconds.
const PAGES_PER_STEP: i32 = 1024;

/// Copies the database into `folder` before its schema moves; answers where.
pub(super) fn before_migration(source: &Connection, folder: &Path, now_ms: i64) -> Result<PathBuf, StoreError> {
    let path = folder.join(format!("agon-before-migration-{now_ms}.db"));
    let unwritable = |error: std::io::Error| StoreError::PrepareBackup { path: path.clone(), source: error };
    fs::create_dir_all(folder).map_err(unwritable)?;
    copy(source, &path).map_err(|source| StoreError::Backup { path: path.clone(), source })?;
    fs::File::open(&path).and_then(|file| file.sync_all()).map_err(unwritable)?;
    Ok(path)
}

fn copy(source: &Connection, path: &Path) -> rusqlite::Result<()> {
    let mut target = Connection::open(path)?;
    Backup::new(source, &mut target)?.run_to_completion(PAGES_PER_STEP, Duration::ZERO, None)?;
    let verdict: String = target.query_row("PRAGMA quick_check", [], |row| row.get(0))?;
    if verdict == "ok" {
        return Ok(());
    }
    let damaged = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    Err(rusqlite::Error::SqliteFailure(damaged, Some(verdict)))
}
