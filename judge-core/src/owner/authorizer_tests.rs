//! Owner boundaries on the real schema: tables, views and columns are read from the migrated database itself, so each
//! new one is covered without being named here.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rusqlite::Connection;
use tempfile::TempDir;

use super::SCHEMA;
use crate::clock::ManualClock;
use crate::store::Store;
use crate::store::authorizer::{Access, Owner};
use crate::store::connection::{open_reader, open_unbounded, open_writer};

/// What owners publish to the others, with every column. A view that is not here is nobody's intention.
const PUBLISHED: &[(&str, &[&str])] = &[("auth_pub_role", &["user_id", "role"])];

/// The one table that every owner may add to.
const EVENTS: &str = "delivery_event";

/// A table or view of the migrated database.
struct Relation {
    name: String,
    columns: Vec<String>,
    is_view: bool,
}

impl Relation {
    fn belongs_to(&self, owner: Owner) -> bool {
        self.name.starts_with(&format!("{}_", owner.name()))
    }

    fn is_published(&self) -> bool {
        PUBLISHED.iter().any(|(view, _)| *view == self.name)
    }

    /// Every shape in which a statement can read it.
    fn reads(&self, own: &str) -> Vec<String> {
        let name = &self.name;
        let mut reads = vec![
            format!("SELECT count(*) FROM {name}"),
            format!("SELECT 1 WHERE EXISTS (SELECT 1 FROM {name})"),
            format!("WITH x AS (SELECT * FROM {name}) SELECT count(*) FROM x"),
            format!("SELECT count(*) FROM {own} CROSS JOIN {name}"),
        ];
        for column in &self.columns {
            reads.push(format!("SELECT {column} FROM {name}"));
            reads.push(format!("SELECT 1 FROM {name} ORDER BY {column}"));
            reads.push(format!("DELETE FROM {own} WHERE (SELECT {column} FROM {name}) IS NULL"));
        }
        reads
    }

    /// Inserts, apart from what deletes or changes rows that are there.
    fn inserts(&self) -> Vec<String> {
        let (name, all) = (&self.name, self.columns.join(", "));
        let values = vec!["NULL"; self.columns.len()].join(", ");
        vec![
            format!("INSERT INTO {name} ({all}) VALUES ({values})"),
            format!("INSERT OR IGNORE INTO {name} ({all}) VALUES ({values})"),
        ]
    }

    /// Changes of rows that are there, column by column.
    fn changes(&self) -> Vec<String> {
        let name = &self.name;
        let updates = self.columns.iter().map(|column| format!("UPDATE {name} SET {column} = NULL"));
        updates.chain([format!("DELETE FROM {name}")]).collect()
    }
}

struct Database {
    folder: TempDir,
    relations: Vec<Relation>,
}

impl Database {
    fn migrated() -> Self {
        let folder = tempfile::tempdir().expect("a temp folder");
        let path = folder.path().join("agon.db");
        let clock = Arc::new(ManualClock::starting_at(1_000));
        Store::open(&path, &folder.path().join("backups"), clock, SCHEMA).expect("it opens");
        let relations = relations(&open_unbounded(&path).expect("it opens"));
        Self { folder, relations }
    }

    fn writer(&self, access: Access) -> Connection {
        open_writer(&self.folder.path().join("agon.db"), access).expect("it opens")
    }

    fn reader(&self, access: Access) -> Connection {
        open_reader(&self.folder.path().join("agon.db"), access).expect("it opens")
    }

    /// A table of the owner, for statements that need one of their own.
    fn own_table(&self, owner: Owner) -> &str {
        let own = self.relations.iter().find(|relation| relation.belongs_to(owner) && !relation.is_view);
        &own.unwrap_or_else(|| panic!("{owner} has no table")).name
    }
}

fn relations(connection: &Connection) -> Vec<Relation> {
    let mut statement = connection
        .prepare(
            "SELECT s.name, s.type = 'view', c.name FROM sqlite_schema s, pragma_table_xinfo(s.name) c
             WHERE s.type IN ('table', 'view') AND s.name NOT LIKE 'sqlite_%' AND c.hidden = 0 ORDER BY s.name, c.cid",
        )
        .expect("valid");
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).expect("readable");
    let mut found: BTreeMap<String, (bool, Vec<String>)> = BTreeMap::new();
    for row in rows {
        let (name, is_view, column): (String, bool, String) = row.expect("text");
        found.entry(name).or_insert((is_view, Vec::new())).1.push(column);
    }
    found.into_iter().map(|(name, (is_view, columns))| Relation { name, columns, is_view }).collect()
}

/// Whether the authorizer refuses the statement; that it fails for another reason is a mistake of this test.
fn is_refused(connection: &Connection, sql: &str) -> bool {
    match connection.prepare(sql) {
        Ok(_) => false,
        Err(error) => {
            let code = error.sqlite_error_code();
            assert_eq!(code, Some(rusqlite::ErrorCode::AuthorizationForStatementDenied), "{sql}: {error}");
            true
        }
    }
}

#[test]
fn every_owner_reaches_its_own_tables_and_no_others() {
    let database = Database::migrated();
    let mut asked = 0;
    for owner in Owner::ALL {
        let own = database.own_table(owner);
        let connection = database.writer(Access::Owner(owner));
        for relation in &database.relations {
            let is_own = relation.belongs_to(owner);
            for sql in relation.reads(own) {
                let may = is_own || relation.is_published();
                assert_eq!(is_refused(&connection, &sql), !may, "{owner}: {sql}");
                asked += 1;
            }
            // SQLite itself refuses to write into a view before it asks anybody.
            if relation.is_view {
                continue;
            }
            for sql in relation.inserts() {
                assert_eq!(is_refused(&connection, &sql), !is_own && relation.name != EVENTS, "{owner}: {sql}");
                asked += 1;
            }
            for sql in relation.changes() {
                assert_eq!(is_refused(&connection, &sql), !is_own, "{owner}: {sql}");
                asked += 1;
            }
        }
    }
    assert!(asked > 5_000, "only {asked} statements were tried: the schema was not found");
}

#[test]
fn a_readers_connection_reads_what_its_owner_may_and_changes_nothing() {
    let database = Database::migrated();
    for owner in Owner::ALL {
        let connection = database.reader(Access::Owner(owner));
        for relation in &database.relations {
            let may = relation.belongs_to(owner) || relation.is_published();
            let sql = format!("SELECT count(*) FROM {}", relation.name);
            assert_eq!(is_refused(&connection, &sql), !may, "{owner}: {sql}");
        }
        let own = database.own_table(owner);
        let changed = connection.execute(&format!("DELETE FROM {own}"), []);
        let code = changed.expect_err("a reader").sqlite_error_code();
        assert_eq!(code, Some(rusqlite::ErrorCode::ReadOnly), "{owner}");
    }
}

#[test]
fn the_reader_of_events_reaches_the_event_log_alone() {
    let database = Database::migrated();
    let connection = database.reader(Access::EventReader);
    for relation in &database.relations {
        let sql = format!("SELECT count(*) FROM {}", relation.name);
        assert_eq!(is_refused(&connection, &sql), relation.name != EVENTS, "{sql}");
    }
}

#[test]
fn the_keeper_of_events_removes_events_and_reads_its_lease_and_reaches_nothing_else() {
    let database = Database::migrated();
    let connection = database.writer(Access::EventKeeper);
    for relation in &database.relations {
        let (name, is_events) = (&relation.name, relation.name == EVENTS);
        let may_read = is_events || name == "admin_lease";
        assert_eq!(is_refused(&connection, &format!("SELECT count(*) FROM {name}")), !may_read, "{name}");
        if relation.is_view {
            continue;
        }
        let removal = format!("DELETE FROM {name}");
        for sql in relation.inserts().into_iter().chain(relation.changes()) {
            assert_eq!(is_refused(&connection, &sql), !(is_events && sql == removal), "{sql}");
        }
    }
}

#[test]
fn no_owner_reaches_the_schema_or_leaves_its_file() {
    let database = Database::migrated();
    for owner in Owner::ALL {
        let connection = database.writer(Access::Owner(owner));
        let own = database.own_table(owner);
        for sql in [
            "SELECT name FROM sqlite_schema".to_owned(),
            "SELECT name FROM sqlite_temp_schema".to_owned(),
            "PRAGMA foreign_keys = OFF".to_owned(),
            "PRAGMA journal_mode = DELETE".to_owned(),
            "ATTACH ':memory:' AS other".to_owned(),
            format!("CREATE TABLE {owner}_more (id TEXT)"),
            format!("CREATE INDEX {owner}_more ON {own} (1)"),
            format!("CREATE TRIGGER {owner}_more AFTER DELETE ON {own} BEGIN SELECT 1; END"),
            format!("CREATE VIEW {owner}_pub_more AS SELECT 1"),
            format!("CREATE TEMP TABLE {owner}_more (id TEXT)"),
            format!("ALTER TABLE {own} ADD COLUMN more TEXT"),
            format!("DROP TABLE {own}"),
        ] {
            assert!(is_refused(&connection, &sql), "{owner}: {sql}");
        }
        // Prepared without a question; what it does inside is an ATTACH.
        let copy = database.folder.path().join("copy.db");
        let vacuum = connection.execute_batch(&format!("VACUUM INTO '{}'", copy.display()));
        let code = vacuum.expect_err("no copy").sqlite_error_code();
        assert_eq!(code, Some(rusqlite::ErrorCode::AuthorizationForStatementDenied), "{owner}");
        assert!(!copy.exists(), "{owner}");
    }
}

#[test]
fn what_owners_publish_is_what_they_mean_to() {
    let database = Database::migrated();
    let found: BTreeMap<&str, Vec<&str>> = database
        .relations
        .iter()
        .filter(|relation| relation.is_view || relation.name.contains("_pub_"))
        .map(|view| (view.name.as_str(), view.columns.iter().map(String::as_str).collect()))
        .collect();
    let meant: BTreeMap<&str, Vec<&str>> = PUBLISHED.iter().map(|(name, columns)| (*name, columns.to_vec())).collect();
    assert_eq!(found, meant);
    let secret = ["phc", "token_hash", "password", "source", "text", "payload"];
    let columns: BTreeSet<&str> = found.into_values().flatten().collect();
    assert!(secret.iter().all(|column| !columns.contains(column)), "{columns:?}");
}
