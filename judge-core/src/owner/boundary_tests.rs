//! The whole schema: who may touch which table, and that nobody changed it by accident.

use std::collections::BTreeMap;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::SCHEMA;
use crate::clock::ManualClock;
use crate::store::authorizer::Owner;
use crate::store::connection::open_unbounded;
use crate::store::{NewEvent, Store, StoreError, WriteTx};

fn store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().expect("a temp folder");
    let clock = Arc::new(ManualClock::starting_at(1_000));
    let store = Store::open(&folder.path().join("agon.db"), &folder.path().join("backups"), clock, SCHEMA);
    (folder, store.expect("it opens"))
}

/// Tables and views of the whole schema with the first column of each.
fn tables(folder: &TempDir) -> BTreeMap<String, String> {
    let connection = open_unbounded(&folder.path().join("agon.db")).expect("it opens");
    let mut statement = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
        .expect("valid");
    let names = statement.query_map([], |row| row.get::<_, String>(0)).expect("readable");
    names
        .map(|name| {
            let name = name.expect("text");
            let column = connection
                .query_row("SELECT name FROM pragma_table_info(?1)", [&name], |row| row.get(0))
                .expect("every table has a column");
            (name, column)
        })
        .collect()
}

#[test]
fn every_table_has_an_owner_and_no_key_crosses_owners() {
    let (folder, _store) = store();
    let connection = open_unbounded(&folder.path().join("agon.db")).expect("it opens");
    let owner_of = |table: &str| table.split('_').next().expect("a prefix").to_owned();
    for table in tables(&folder).keys() {
        let owner = owner_of(table);
        let is_known = Owner::ALL.iter().any(|known| known.name() == owner);
        assert!(is_known || table == "delivery_event" || table == "store_migration", "{table} belongs to nobody");
        let mut statement = connection.prepare("SELECT \"table\" FROM pragma_foreign_key_list(?1)").expect("valid");
        let parents = statement.query_map([table], |row| row.get::<_, String>(0)).expect("readable");
        for parent in parents.map(|parent| parent.expect("text")) {
            assert_eq!(owner_of(&parent), owner, "{table} refers to {parent}");
        }
        let strict: bool = connection
            .query_row("SELECT strict OR type = 'view' FROM pragma_table_list(?1)", [table], |row| row.get(0))
            .expect("it is listed");
        assert!(strict, "{table} takes values of any type");
    }
}

#[test]
fn who_listens_can_also_tell_and_who_tells_can_be_thinned() {
    let (folder, _store) = store();
    let tables = tables(&folder);
    let has = |owner: Owner, part: &str| tables.contains_key(&format!("{owner}_{part}"));
    for owner in Owner::ALL {
        // Reviving a message tells the audit log in the same commit; old rows are removed under a lease of their owner.
        assert!(!has(owner, "inbox") || has(owner, "outbox"), "{owner} has an inbox and no outbox");
        assert!(!has(owner, "outbox") || has(owner, "lease"), "{owner} has an outbox and no leases");
    }
}

/// Folders in use were made by these texts: a migration never changes once it is here; a new one is added below it.
const KNOWN_MIGRATIONS: &[(&str, &str)] = &[
    ("admin 1", "b4792570d6337975"),
    ("admin 2", "fc1917e5b5cba419"),
    ("admin 3", "906345dd48a6faeb"),
    ("admin 4", "9bb791fa2328fda2"),
    ("auth 1", "4e9720424c17a24b"),
    ("auth 2", "4b1d0179d904af27"),
    ("auth 3", "ed1994612f7dcc5f"),
    ("auth 4", "42b834bc78fd3e53"),
    ("auth 5", "f03080d9c1595785"),
    ("catalog 1", "b02e7ea1323ebef4"),
    ("catalog 2", "d694d4e1ad1459c7"),
    ("catalog 3", "2fdb5dc0bc9dce5b"),
    ("catalog 4", "508667ecbc5de875"),
    ("catalog 5", "9068bf96604750eb"),
    ("notification 1", "33dbfbaadf6551d6"),
    ("notification 2", "ab479c4e0a807f3a"),
    ("submission 1", "6715c78662301a65"),
    ("submission 2", "672a3016b710171f"),
    ("submission 3", "9bcf83a8c0e6370e"),
    ("submission 4", "a5aae0fc54e6c4d9"),
    ("submission 5", "8c5c5082a56b144f"),
    ("submission 6", "c4a98ef42253032b"),
    ("submission 7", "25a03321b83de8ee"),
];

#[test]
fn migrations_are_the_ones_that_folders_in_use_were_made_by() {
    let mut found = Vec::new();
    for owner in SCHEMA {
        for (number, migration) in (1..).zip(owner.migrations) {
            let hash = format!("{:x}", Sha256::digest(migration.sql.join("\0") + "\0"));
            found.push((format!("{} {number}", owner.owner), hash[..16].to_owned()));
        }
    }
    found.sort();
    let known: Vec<_> = KNOWN_MIGRATIONS.iter().map(|(name, hash)| ((*name).to_owned(), (*hash).to_owned())).collect();
    assert_eq!(found, known, "a folder made by the old text would be refused: add a migration instead");
}

#[tokio::test]
async fn an_event_is_there_exactly_when_its_transaction_is() {
    let (_folder, store) = store();
    let catalog = store.owner(Owner::Catalog).expect("it opens");
    let log = store.event_log().expect("it opens");
    let mut wakes = log.wakes();
    let event = || NewEvent {
        event_type: "ProblemImported",
        aggregate_id: "p",
        aggregate_version: 1,
        causation_id: None,
        payload: "{}".to_owned(),
    };
    let failed: Result<(), StoreError> = catalog
        .write("fail on purpose", move |tx| {
            tx.emit(&event())?;
            Err(rusqlite::Error::InvalidQuery)
        })
        .await;
    assert!(failed.is_err());
    assert!(!wakes.has_changed().expect("the store lives"));
    assert_eq!(log.after(0).await.expect("readable").expect("no gap"), []);
    catalog.write("tell", move |tx| tx.emit(&event())).await.expect("written");
    wakes.changed().await.expect("woken");
    let events = log.after(0).await.expect("readable").expect("no gap");
    assert_eq!((events.len(), events[0].owner.as_str(), log.last_seq().await.expect("readable")), (1, "catalog", 1));
    let forged = catalog.write("change the past", |tx| tx.execute("UPDATE delivery_event SET type = 'x'", [])).await;
    assert!(forged.is_err(), "the log only grows");
}

#[tokio::test]
async fn writers_of_all_owners_take_turns_and_lose_nothing() {
    let (_folder, store) = store();
    let log = store.event_log().expect("it opens");
    let mut writers = Vec::new();
    for owner in Owner::ALL {
        let handle = store.owner(owner).expect("it opens");
        for _ in 0..20 {
            let handle = handle.clone();
            writers.push(tokio::spawn(async move {
                let tell = |tx: &WriteTx<'_>| {
                    tx.emit(&NewEvent {
                        event_type: "Told",
                        aggregate_id: "a",
                        aggregate_version: 0,
                        causation_id: None,
                        payload: "{}".to_owned(),
                    })
                };
                handle.write("tell", tell).await
            }));
        }
    }
    for writer in writers {
        writer.await.expect("no panic").expect("written");
    }
    let events = log.after(0).await.expect("readable").expect("no gap");
    assert_eq!(events.iter().map(|event| event.seq).collect::<Vec<_>>(), (1..=100).collect::<Vec<i64>>());
}

#[tokio::test]
async fn a_database_locked_by_another_process_is_named_and_nothing_is_lost() {
    let (folder, store) = store();
    let auth = store.owner(Owner::Auth).expect("it opens");
    auth.set_patience_for_tests(std::time::Duration::ZERO);
    let intruder = open_unbounded(&folder.path().join("agon.db")).expect("it opens");
    intruder.execute_batch("BEGIN IMMEDIATE").expect("it locks");
    let insert = |tx: &WriteTx<'_>| {
        tx.execute(
            "INSERT INTO auth_user (id, kind, display_name, created_at_ms)
             VALUES ('0190a000-0000-7000-8000-000000000001', 'local', 'x', 1)",
            [],
        )
    };
    let refused = auth.write("save a user", insert).await.expect_err("it is locked");
    let told = agon_contract::ApiError::from(refused);
    assert_eq!(told.code, agon_contract::ErrorCode::StorageUnavailable);
    assert!(told.to_string().contains("Another program holds the database"), "{told}");
    intruder.execute_batch("COMMIT").expect("it unlocks");
    assert_eq!(auth.write("save a user", insert).await.expect("it is free"), 1);
}

#[tokio::test]
async fn a_full_disk_is_named_and_what_was_saved_stays() {
    let (_folder, store) = store();
    let auth = store.owner(Owner::Auth).expect("it opens");
    let insert = |number: usize| {
        move |tx: &WriteTx<'_>| {
            tx.execute(
                "INSERT INTO auth_user (id, kind, display_name, created_at_ms) VALUES (?1, 'account', ?2, 1)",
                [format!("0190a000-0000-7000-8000-{number:012}"), "x".repeat(4_000)],
            )
        }
    };
    auth.write("save a user", insert(0)).await.expect("there is room");
    auth.limit_pages_for_tests(60);
    let mut saved = 1;
    let refused = loop {
        match auth.write("save a user", insert(saved)).await {
            Ok(_) => saved += 1,
            Err(error) => break error,
        }
    };
    assert!(refused.is_disk_full(), "{refused}");
    let count = auth
        .read("count", |connection| {
            connection.query_row("SELECT count(*) FROM auth_user", [], |row| row.get::<_, usize>(0))
        })
        .await;
    assert_eq!(count.expect("still readable"), saved);
}
