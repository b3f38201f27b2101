//! The schema moves forward only: numbered per owner, recorded with a hash, backed up first.
//!
//! A database that is newer than this program, or that was made by another text of the same migration, is refused
//! before anything is touched.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use sha2::{Digest, Sha256};

use super::StoreError;
use super::authorizer::Owner;
use super::backup;
use super::connection::{APPLICATION_ID, open_unbounded};
use super::event;

/// One step of an owner's schema. Its number is its place in the list, from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Migration {
    pub name: &'static str,
    /// Run in order, in one transaction.
    pub sql: &'static [&'static str],
}

/// An owner's steps, oldest first. Steps are added at the end and never edited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnerMigrations {
    pub owner: Owner,
    pub migrations: &'static [Migration],
}

/// The ledger and the event log, which no owner may change, come first and stand outside the owners' numbering.
const LEDGER: &str = "
CREATE TABLE store_migration (
    owner         TEXT NOT NULL,
    number        INTEGER NOT NULL CHECK (number > 0),
    name          TEXT NOT NULL,
    hash          TEXT NOT NULL CHECK (length(hash) = 64),
    applied_at_ms INTEGER NOT NULL,
    PRIMARY KEY (owner, number)
) STRICT;
";

const LEDGER_OWNER: &str = "delivery";

const EVENT_LOG: &[Migration] = &[
    Migration { name: "event log", sql: &[event::SCHEMA] },
    Migration { name: "old events may go", sql: &[event::THINNING] },
];

/// Brings the database at `path` to the newest schema.
pub(super) fn run(path: &Path, backups: &Path, now_ms: i64, schema: &[OwnerMigrations]) -> Result<(), StoreError> {
    let mut connection = open_unbounded(path)?;
    check_application(&connection, path)?;
    let is_new = !has_ledger(&connection)?;
    if is_new {
        start_ledger(&mut connection, now_ms).map_err(StoreError::ReadMigrations)?;
    }
    let mut pending = plan(&connection, LEDGER_OWNER, EVENT_LOG)?;
    for owner in schema {
        pending.extend(plan(&connection, owner.owner.name(), owner.migrations)?);
    }
    if !is_new && !pending.is_empty() {
        backup::before_migration(&connection, backups, now_ms)?;
    }
    for step in pending {
        step.apply(&mut connection, now_ms)?;
    }
    Ok(())
}

struct Step {
    owner: String,
    number: u32,
    migration: Migration,
}

fn check_application(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let read = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let id = read("application_id").map_err(StoreError::ReadMigrations)?;
    let tables: u32 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(StoreError::ReadMigrations)?;
    if id == APPLICATION_ID || (id == 0 && tables == 0) {
        Ok(())
    } else {
        Err(StoreError::ForeignDatabase { path: path.to_owned() })
    }
}

fn has_ledger(connection: &Connection) -> Result<bool, StoreError> {
    connection
        .query_row("SELECT 1 FROM sqlite_schema WHERE name = 'store_migration'", [], |_| Ok(()))
        .optional()
        .map(|found| found.is_some())
        .map_err(StoreError::ReadMigrations)
}

fn start_ledger(connection: &mut Connection, now_ms: i64) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.execute_batch(LEDGER)?;
    transaction.execute_batch(event::SCHEMA)?;
    record(&transaction, LEDGER_OWNER, 1, &EVENT_LOG[0], now_ms)?;
    transaction.commit()
}

/// Which steps are missing; refuses a ledger that this program does not understand.
fn plan(connection: &Connection, owner: &str, migrations: &[Migration]) -> Result<Vec<Step>, StoreError> {
    let known = u32::try_from(migrations.len()).unwrap_or(u32::MAX);
    let applied = applied(connection, owner).map_err(StoreError::ReadMigrations)?;
    for (number, hash) in &applied {
        let Some(migration) = number.checked_sub(1).and_then(|index| migrations.get(index as usize)) else {
            return Err(StoreError::SchemaNewer { owner: owner.to_owned(), found: *number, known });
        };
        if migration.hash() != *hash {
            return Err(StoreError::SchemaChanged { owner: owner.to_owned(), number: *number });
        }
    }
    let missing = (1..=known).zip(migrations).skip(applied.len());
    Ok(missing.map(|(number, migration)| Step { owner: owner.to_owned(), number, migration: *migration }).collect())
}

fn applied(connection: &Connection, owner: &str) -> rusqlite::Result<Vec<(u32, String)>> {
    connection
        .prepare("SELECT number, hash FROM store_migration WHERE owner = ?1 ORDER BY number")?
        .query_map([owner], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

fn record(
    connection: &Connection,
    owner: &str,
    number: u32,
    migration: &Migration,
    now_ms: i64,
) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO store_migration (owner, number, name, hash, applied_at_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![owner, number, migration.name, migration.hash(), now_ms],
    )?;
    Ok(())
}

impl Step {
    fn apply(&self, connection: &mut Connection, now_ms: i64) -> Result<(), StoreError> {
        let owner = Owner::ALL.into_iter().find(|owner| owner.name() == self.owner).unwrap_or(Owner::Admin);
        let failed = |source| StoreError::ApplyMigration { owner, number: self.number, source };
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        for sql in self.migration.sql {
            transaction.execute_batch(sql).map_err(failed)?;
        }
        record(&transaction, &self.owner, self.number, &self.migration, now_ms).map_err(failed)?;
        transaction.commit().map_err(failed)
    }
}

impl Migration {
    fn hash(&self) -> String {
        let mut hasher = Sha256::new();
        for sql in self.sql {
            hasher.update(sql.as_bytes());
            hasher.update([0]);
        }
        format!("{:x}", hasher.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Migration = Migration { name: "first", sql: &["CREATE TABLE auth_user (id TEXT) STRICT;"] };
    const SECOND: Migration =
        Migration { name: "second", sql: &["ALTER TABLE auth_user ADD COLUMN name TEXT NOT NULL DEFAULT '';"] };
    const BROKEN: Migration = Migration { name: "broken", sql: &["CREATE TABLE auth_more (id TEXT);", "NONSENSE;"] };

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Self {
            Self(tempfile::tempdir().expect("a temporary folder"))
        }

        fn migrate(&self, migrations: &'static [Migration]) -> Result<(), StoreError> {
            let schema = [OwnerMigrations { owner: Owner::Auth, migrations }];
            run(&self.0.path().join("agon.db"), &self.backups(), 1, &schema)
        }

        fn backups(&self) -> std::path::PathBuf {
            self.0.path().join("backups")
        }

        fn backup_count(&self) -> usize {
            std::fs::read_dir(self.backups()).map(Iterator::count).unwrap_or(0)
        }

        fn connection(&self) -> Connection {
            Connection::open(self.0.path().join("agon.db")).expect("the file opens")
        }
    }

    #[test]
    fn a_new_folder_needs_no_backup_and_an_old_one_gets_one() {
        let folder = Folder::new();
        folder.migrate(&[FIRST]).expect("the first schema applies");
        assert_eq!(folder.backup_count(), 0);
        folder.connection().execute("INSERT INTO auth_user VALUES ('kept')", []).expect("a row");
        folder.migrate(&[FIRST, SECOND]).expect("the second applies");
        folder.migrate(&[FIRST, SECOND]).expect("nothing to do");
        assert_eq!(folder.backup_count(), 1);
        let name: String =
            folder.connection().query_row("SELECT id FROM auth_user", [], |row| row.get(0)).expect("the row is there");
        assert_eq!(name, "kept");
    }

    #[test]
    fn a_newer_schema_and_a_changed_one_are_refused() {
        let folder = Folder::new();
        folder.migrate(&[FIRST, SECOND]).expect("applies");
        let newer = folder.migrate(&[FIRST]).expect_err("an older program must not touch it");
        assert!(matches!(newer, StoreError::SchemaNewer { found: 2, known: 1, .. }), "{newer}");
        let changed = folder.migrate(&[SECOND, SECOND]).expect_err("another text");
        assert!(matches!(changed, StoreError::SchemaChanged { number: 1, .. }), "{changed}");
    }

    #[test]
    fn a_step_that_fails_leaves_nothing() {
        let folder = Folder::new();
        let error = folder.migrate(&[FIRST, BROKEN]).expect_err("the text is no SQL");
        assert!(matches!(error, StoreError::ApplyMigration { number: 2, .. }), "{error}");
        let left =
            folder.connection().query_row("SELECT 1 FROM sqlite_schema WHERE name = 'auth_more'", [], |_| Ok(()));
        assert_eq!(left.optional().expect("readable"), None);
        folder.migrate(&[FIRST, SECOND]).expect("a corrected program goes on");
    }

    #[test]
    fn another_programs_database_is_left_alone() {
        let folder = Folder::new();
        folder.connection().execute_batch("CREATE TABLE theirs (id TEXT)").expect("valid");
        let error = folder.migrate(&[FIRST]).expect_err("not ours");
        assert!(matches!(error, StoreError::ForeignDatabase { .. }), "{error}");
    }
}
