//! Copies of the database, made while it is in use and read back before anybody relies on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags};

use super::StoreError;
use super::connection::{APPLICATION_ID, open_unbounded};

/// Pages copied between two looks at other work; a copy of 100 MB takes some seconds.
const PAGES_PER_STEP: i32 = 1024;
/// Everything in one step: one read transaction, hence one moment. In WAL mode it holds up no writer; a copy in several
/// steps would start anew after each commit of somebody else and might never end.
const ALL_PAGES: i32 = i32::MAX;

/// Copies the database into `folder` before its schema moves; answers where.
pub(super) fn before_migration(source: &Connection, folder: &Path, now_ms: i64) -> Result<PathBuf, StoreError> {
    let path = folder.join(format!("agon-before-migration-{now_ms}.db"));
    let unwritable = |error: std::io::Error| StoreError::PrepareBackup { path: path.clone(), source: error };
    fs::create_dir_all(folder).map_err(unwritable)?;
    copy(source, &path, PAGES_PER_STEP).map_err(|source| StoreError::Backup { path: path.clone(), source })?;
    fs::File::open(&path).and_then(|file| file.sync_all()).map_err(unwritable)?;
    Ok(path)
}

/// Copies the database at `source`, which is in use, as it is at one moment; the copy is one file, without a log.
pub(crate) fn snapshot(source: &Path, target: &Path) -> Result<(), StoreError> {
    let failed = |error| StoreError::Backup { path: target.to_owned(), source: error };
    let from = open_unbounded(source)?;
    copy(&from, target, ALL_PAGES).map_err(failed)?;
    let file = fs::File::open(target).and_then(|file| file.sync_all());
    file.map_err(|error| StoreError::PrepareBackup { path: target.to_owned(), source: error })
}

fn copy(source: &Connection, path: &Path, pages_per_step: i32) -> rusqlite::Result<()> {
    let mut target = Connection::open(path)?;
    Backup::new(source, &mut target)?.run_to_completion(pages_per_step, Duration::ZERO, None)?;
    // The copied header says WAL; a single file that can be read from a read-only place must not.
    target.pragma_update(None, "journal_mode", "DELETE")?;
    let verdict: String = target.query_row("PRAGMA quick_check", [], |row| row.get(0))?;
    if verdict == "ok" { Ok(()) } else { Err(damaged(verdict)) }
}

/// Opens a copy for reading and checks all of it: whose it is, its structure, its foreign keys.
pub(crate) fn open_checked(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(path, flags);
    let connection = opened.map_err(|source| StoreError::OpenDatabase { path: path.to_owned(), source })?;
    let failed = |source| StoreError::Backup { path: path.to_owned(), source };
    let id: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0)).map_err(failed)?;
    if id != APPLICATION_ID {
        return Err(StoreError::ForeignDatabase { path: path.to_owned() });
    }
    let verdict: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(failed)?;
    if verdict != "ok" {
        return Err(failed(damaged(verdict)));
    }
    let orphan = connection.prepare("PRAGMA foreign_key_check").and_then(|mut check| check.exists([]));
    if orphan.map_err(failed)? {
        return Err(failed(damaged("a row names one that is not there".to_owned())));
    }
    Ok(connection)
}

fn damaged(what: String) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT), Some(what))
}
