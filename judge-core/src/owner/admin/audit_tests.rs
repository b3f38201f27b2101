//! The chain: what it lets through and what it names.

use std::sync::Arc;

use tempfile::TempDir;

use super::*;
use crate::clock::ManualClock;
use crate::ids::new_id;
use crate::owner::admin::MIGRATIONS;
use crate::store::authorizer::Owner;
use crate::store::connection::open_unbounded;
use crate::store::migrate::OwnerMigrations;
use crate::store::{OwnerStore, Store};

const SCHEMA: &[OwnerMigrations] = &[OwnerMigrations { owner: Owner::Admin, migrations: MIGRATIONS }];

struct Log {
    folder: TempDir,
    admin: OwnerStore,
}

impl Log {
    /// A log of this many entries.
    fn of(entries: usize) -> Self {
        let folder = tempfile::tempdir().expect("a temp folder");
        let clock = Arc::new(ManualClock::starting_at(1_000));
        let store = Store::open(&folder.path().join("agon.db"), &folder.path().join("backups"), clock, SCHEMA);
        let admin = store.expect("it opens").owner(Owner::Admin).expect("it opens");
        let log = Self { folder, admin };
        for number in 0..entries {
            assert!(log.append(&new_id(), &format!("p{number}")));
        }
        log
    }

    fn append(&self, event_id: &str, object: &str) -> bool {
        let actor = UserId::from("somebody");
        let entry = NewEntry {
            event_id,
            source: "catalog",
            at_ms: 5,
            actor: Some(&actor),
            action: &AuditAction::ProblemRemoved,
            object,
            details: "{}",
        };
        self.admin.write_blocking("append", |tx| append(tx, &entry)).expect("written")
    }

    fn verify(&self) -> AuditVerification {
        self.admin.write_blocking("look", |tx| Ok(head(tx))).expect("readable").expect("readable");
        verify(&open_unbounded(&self.folder.path().join("agon.db")).expect("it opens")).expect("readable")
    }

    /// As somebody with the file and without scruples does.
    fn tamper(&self, sql: &str) {
        let connection = open_unbounded(&self.folder.path().join("agon.db")).expect("it opens");
        let triggers: Vec<String> = connection
            .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'admin_audit%'")
            .expect("valid")
            .query_map([], |row| row.get(0))
            .expect("readable")
            .collect::<Result<_, _>>()
            .expect("text");
        assert_eq!(triggers.len(), 4);
        for trigger in triggers {
            connection.execute_batch(&format!("DROP TRIGGER {trigger}")).expect("valid");
        }
        connection.execute_batch(sql).expect("valid");
    }
}

#[test]
fn an_untouched_log_verifies_and_its_head_vouches_for_it() {
    let log = Log::of(0);
    assert_eq!(log.verify(), AuditVerification { entries: 0, head_hash: "0".repeat(64), fault: None });
    let log = Log::of(5);
    let verified = log.verify();
    let newest = log.admin.write_blocking("look", |tx| page(tx, u64::MAX, 2)).expect("readable");
    assert_eq!((verified.entries, verified.fault), (5, None));
    assert_eq!(verified.head_hash, newest[0].hash);
    assert_eq!(newest.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [5, 4]);
    assert_eq!(newest[0].object, "p4");
}

#[test]
fn the_same_event_is_kept_once() {
    let log = Log::of(0);
    let event_id = new_id();
    assert!(log.append(&event_id, "p"));
    assert!(!log.append(&event_id, "p"));
    assert_eq!(log.verify().entries, 1);
}

#[test]
fn every_change_is_named_at_the_first_row_it_touches() {
    let cases = [
        ("UPDATE admin_audit_entry SET object = 'other' WHERE seq = 3", 3, "content"),
        ("UPDATE admin_audit_entry SET details = '{\"x\":1}' WHERE seq = 1", 1, "content"),
        ("UPDATE admin_audit_entry SET at_ms = 6 WHERE seq = 5", 5, "content"),
        ("UPDATE admin_audit_entry SET actor_user_id = NULL WHERE seq = 2", 2, "content"),
        ("UPDATE admin_audit_entry SET source = 'auth' WHERE seq = 2", 2, "content"),
        ("UPDATE admin_audit_entry SET action = 'problem.imported' WHERE seq = 2", 2, "content"),
        ("UPDATE admin_audit_entry SET previous_hash = hash WHERE seq = 4", 4, "follow"),
        ("DELETE FROM admin_audit_entry WHERE seq = 3", 3, "missing"),
        ("DELETE FROM admin_audit_entry WHERE seq = 1", 1, "missing"),
        ("DELETE FROM admin_audit_entry WHERE seq > 3", 4, "ends after 3 entries, but 5"),
        ("DELETE FROM admin_audit_entry", 1, "ends after 0 entries, but 5"),
        ("DELETE FROM admin_audit_head", 6, "record of where the log ends"),
        ("UPDATE admin_audit_head SET entries = 4", 5, "ends after 5 entries, but 4"),
        ("UPDATE admin_audit_head SET hash = (SELECT hash FROM admin_audit_entry WHERE seq = 4)", 5, "newest"),
        // Two rows that change places.
        (
            "UPDATE admin_audit_entry SET seq = 99 WHERE seq = 2; UPDATE admin_audit_entry SET seq = 2 WHERE seq = 3;
             UPDATE admin_audit_entry SET seq = 3 WHERE seq = 99",
            2,
            "follow",
        ),
    ];
    for (sql, seq, reason) in cases {
        let log = Log::of(5);
        log.tamper(sql);
        let fault = log.verify().fault.unwrap_or_else(|| panic!("not noticed: {sql}"));
        assert_eq!(fault.seq, seq, "{sql}: {}", fault.reason);
        assert!(fault.reason.contains(reason), "{sql}: {}", fault.reason);
    }
}

#[test]
fn fields_cannot_flow_into_each_other() {
    let hash = |object: &str, details: &str, actor: Option<&UserId>| {
        let action = AuditAction::ProblemRemoved;
        NewEntry { event_id: "e", source: "s", at_ms: 1, actor, action: &action, object, details }.hash(1, "")
    };
    let nameless = UserId::from("");
    let hashes = [
        hash("ab", "c", None),
        hash("a", "bc", None),
        hash("", "abc", None),
        hash("ab", "c", Some(&nameless)),
        hash("ab", "c", Some(&UserId::from("ab"))),
    ];
    assert_eq!(std::collections::BTreeSet::from(hashes).len(), 5);
}

#[test]
fn the_schema_itself_refuses_to_rewrite_the_log() {
    let log = Log::of(2);
    for sql in [
        "UPDATE admin_audit_entry SET object = 'x'",
        "DELETE FROM admin_audit_entry",
        "DELETE FROM admin_audit_head",
        "UPDATE admin_audit_head SET entries = 1",
        "UPDATE admin_audit_head SET hash = (SELECT hash FROM admin_audit_entry WHERE seq = 1)",
    ] {
        let refused = log.admin.write_blocking("tamper", |tx| tx.execute(sql, []));
        assert!(refused.is_err(), "{sql}");
    }
    assert_eq!(log.verify().fault, None);
}
