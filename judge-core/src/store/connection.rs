//! How a connection is opened: durable, patient, strict.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::StoreError;
use super::authorizer::{Access, confine};

/// How long a statement waits for another process's lock before it answers "busy".
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Marks the file as ours: "AGON".
pub(super) const APPLICATION_ID: i32 = 0x4147_4f4e;

/// Statements kept prepared per connection; each owner has fewer.
const CACHED_STATEMENTS: usize = 64;

/// A connection without bounds, for migrations and backups only.
pub(crate) fn open_unbounded(path: &Path) -> Result<Connection, StoreError> {
    open(path, |connection| {
        connection.pragma_update(None, "journal_mode", "WAL")?;
        configure_writer(connection)
    })
}

/// A connection that writes what `access` permits.
pub(crate) fn open_writer(path: &Path, access: Access) -> Result<Connection, StoreError> {
    open(path, |connection| {
        configure_writer(connection)?;
        confine(connection, access)
    })
}

/// A connection that only reads what `access` permits.
pub(crate) fn open_reader(path: &Path, access: Access) -> Result<Connection, StoreError> {
    open(path, |connection| {
        connection.pragma_update(None, "query_only", true)?;
        confine(connection, access)
    })
}

fn open(
    path: &Path,
    configure: impl FnOnce(&mut Connection) -> rusqlite::Result<()>,
) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(path, flags).and_then(|mut connection| {
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
        configure(&mut connection)?;
        Ok(connection)
    });
    opened.map_err(|source| StoreError::OpenDatabase { path: path.to_owned(), source })
}

fn configure_writer(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::authorizer::Owner;

    #[test]
    fn a_writer_is_durable_and_a_reader_cannot_write() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("agon.db");
        let setup = open_unbounded(&path).expect("the file opens");
        let pragma = |name| setup.pragma_query_value(None, name, |row| row.get::<_, String>(0)).ok();
        assert_eq!(pragma("journal_mode").as_deref(), Some("wal"));
        let level: i64 = setup.pragma_query_value(None, "synchronous", |row| row.get(0)).expect("a number");
        assert_eq!(level, 2, "FULL");
        setup.execute_batch("CREATE TABLE auth_user (id TEXT)").expect("valid");

        let reader = open_reader(&path, Access::Owner(Owner::Auth)).expect("the file opens");
        let refused = reader.execute("INSERT INTO auth_user VALUES ('a')", []).expect_err("readers cannot write");
        assert_eq!(refused.sqlite_error_code(), Some(rusqlite::ErrorCode::ReadOnly));
    }
}
