//! What goes, and above all what stays.

use agon_contract::audit::AuditAction;
use agon_contract::ids::UserId;
use tempfile::TempDir;

use super::*;
use crate::clock::ManualClock;
use crate::delivery::audit_note::{self, AuditNote};
use crate::owner;
use crate::store::{Store, WriteTx};

const DAYS: Duration = Duration::from_secs(31 * 24 * 3600);

struct Folder {
    _folder: TempDir,
    clock: Arc<ManualClock>,
    admin: OwnerStore,
    catalog: OwnerStore,
    submission: OwnerStore,
    retention: Retention,
}

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temp folder");
        let clock = Arc::new(ManualClock::starting_at(1_000_000_000_000));
        let shared: Arc<dyn Clock> = Arc::<ManualClock>::clone(&clock);
        let (path, backups) = (folder.path().join("agon.db"), folder.path().join("backups"));
        let store = Store::open(&path, &backups, Arc::clone(&shared), owner::SCHEMA).expect("it opens");
        let open = |owner| store.owner(owner).expect("it opens");
        let (admin, catalog, submission) = (open(Owner::Admin), open(Owner::Catalog), open(Owner::Submission));
        std::fs::create_dir(folder.path().join("blobs")).expect("a folder");
        let blobs = Blobs::at(folder.path().join("blobs"));
        let owner = Admin::new(admin.clone());
        let sources = vec![admin.clone(), catalog.clone(), submission.clone()];
        let mail = Mail::new(&store, sources, vec![Arc::new(owner.clone())], Arc::clone(&shared), "boot");
        let retention = Retention {
            mail,
            admin: owner,
            catalog: Catalog::new(catalog.clone(), blobs.clone()),
            submissions: Submissions::new(submission.clone(), blobs.clone(), Arc::clone(&shared), "boot", "image"),
            blobs,
            clock: shared,
            boot_id: "boot".into(),
        };
        Self { _folder: folder, clock, admin, catalog, submission, retention }
    }

    async fn say(&self, object: &str) {
        let note = AuditNote {
            actor: Some(&UserId::from("me")),
            action: AuditAction::ProblemRemoved,
            object,
            details: serde_json::json!({}),
        };
        self.catalog.write_blocking("say", |tx| audit_note::put(tx, &note)).expect("written");
        self.retention.mail.settle().await;
    }

    fn count(store: &OwnerStore, table: &str) -> u32 {
        let sql = format!("SELECT count(*) FROM {table}");
        store.write_blocking("count", |tx| tx.query_row(&sql, [], |row| row.get(0))).expect("readable")
    }

    fn execute(store: &OwnerStore, sql: &str) {
        store.write_blocking("arrange", |tx: &WriteTx<'_>| tx.execute(sql, [])).expect("written");
    }

    async fn round(&self) -> Gone {
        self.retention.round().await.expect("a round")
    }
}

#[tokio::test]
async fn delivered_messages_go_after_their_time_and_what_they_told_stays() {
    let folder = Folder::new();
    folder.say("old").await;
    assert_eq!(folder.round().await, Gone::default(), "not yet");
    folder.clock.advance(DAYS);
    folder.say("young").await;
    let gone = folder.round().await;
    assert_eq!((gone.delivered, gone.processed), (1, 1));
    assert_eq!(Folder::count(&folder.catalog, "catalog_outbox"), 1);
    assert_eq!(Folder::count(&folder.admin, "admin_inbox"), 1);
    assert_eq!(Folder::count(&folder.admin, "admin_audit_entry"), 2, "the log is for ever");
}

#[tokio::test]
async fn what_may_be_delivered_again_keeps_the_row_that_says_it_was_had() {
    let folder = Folder::new();
    folder.say("one").await;
    // As after a crash between the inbox's commit and the outbox's.
    Folder::execute(&folder.catalog, "UPDATE catalog_outbox SET state = 'pending', delivered_at_ms = NULL");
    folder.clock.advance(DAYS);
    assert_eq!(folder.round().await, Gone::default());
    folder.retention.mail.settle().await;
    assert_eq!(Folder::count(&folder.admin, "admin_audit_entry"), 1, "it had its effect once");
    // Now it is delivered, but a moment ago: only the inbox's row is old.
    assert_eq!(folder.round().await, Gone { processed: 1, ..Gone::default() });
    folder.clock.advance(DAYS);
    assert_eq!(folder.round().await, Gone { delivered: 1, ..Gone::default() });
}

#[tokio::test]
async fn dead_messages_stay_until_somebody_looks() {
    let folder = Folder::new();
    folder.say("one").await;
    Folder::execute(
        &folder.catalog,
        "UPDATE catalog_outbox SET state = 'dead', last_error = 'x', delivered_at_ms = NULL",
    );
    Folder::execute(&folder.admin, "UPDATE admin_inbox SET state = 'dead', reason = 'x', processed_at_ms = NULL");
    folder.clock.advance(DAYS);
    assert_eq!(folder.round().await, Gone::default());
}

#[tokio::test]
async fn nothing_goes_while_another_holds_the_lease() {
    let folder = Folder::new();
    folder.say("one").await;
    folder.clock.advance(DAYS);
    let other = Carrier { token: "other".to_owned(), boot_id: "boot".to_owned() };
    let now = folder.clock.steady_ms();
    let take = |tx: &WriteTx<'_>| lease::acquire(tx, LEASE, &other, now);
    let hold = folder.catalog.write_blocking("take", take).expect("written").expect("free");
    assert_eq!(folder.round().await.delivered, 0);
    folder.catalog.write_blocking("release", |tx| lease::release(tx, &hold)).expect("written");
    // A hold that was released, or is over, removes nothing either.
    let late = folder.catalog.write_blocking("thin", |tx| outbox::thin(tx, &hold, i64::MAX, now)).expect("written");
    assert_eq!(late, 0);
    assert_eq!(folder.round().await.delivered, 1);
}

#[tokio::test]
async fn queue_rows_go_only_when_their_judgement_is_at_its_end_and_nothing_can_send_them_again() {
    let folder = Folder::new();
    // Keys by what they show; foreign keys are not what is tested here.
    let rows = [
        // name, entry, outbox, judgement, entry goes, outbox row goes
        ("finished", "done", "archived", "judged", true, true),
        ("still sent", "done", "sent", "judged", false, false),
        ("not at its end", "done", "archived", "judging", false, false),
        ("set aside", "dead", "archived", "judged", false, false),
        ("waits", "ready", "sent", "pending", false, false),
    ];
    let arrange = folder.submission.clone();
    arrange.without_bounds_for_tests(|connection| {
        connection.execute_batch("PRAGMA foreign_keys = OFF")?;
        for (name, entry, outbox, judgement, ..) in rows {
            insert_judging(connection, name, entry, outbox, judgement)?;
        }
        connection.execute_batch("PRAGMA foreign_keys = ON")
    });
    assert_eq!(folder.round().await.queue_rows, 0, "too young");
    folder.clock.advance(DAYS);
    assert_eq!(folder.round().await.queue_rows, 2);
    let left = |table: &str| -> Vec<String> {
        let sql = format!("SELECT submission_id FROM {table} ORDER BY submission_id");
        folder
            .submission
            .write_blocking("look", |tx| tx.prepare(&sql)?.query_map([], |row| row.get(0))?.collect())
            .expect("readable")
    };
    let mut names: Vec<&str> = rows.iter().map(|row| row.0).filter(|name| *name != "finished").collect();
    names.sort_unstable();
    assert_eq!(left("submission_queue_entry"), names);
    assert_eq!(left("submission_judge_outbox"), names);
}

fn insert_judging(
    connection: &rusqlite::Connection,
    name: &str,
    entry: &str,
    outbox: &str,
    judgement: &str,
) -> rusqlite::Result<()> {
    let at = 1_000_000_000_000_i64;
    let (lease, ended) = ((judgement == "judging").then_some(at), (judgement == "judged").then_some(at));
    let begun = (judgement != "pending").then_some(at);
    connection.execute(
        "INSERT INTO submission_judgement (id, submission_id, generation, state, faults, created_at_ms, attempt_id,
                                           boot_id, lease_until_ms, started_at_ms, finished_at_ms, verdict)
         VALUES (?1, ?2, 1, ?3, 0, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        rusqlite::params![
            crate::ids::new_id(),
            name,
            judgement,
            at,
            begun.map(|_| "a"),
            begun.map(|_| "boot"),
            lease,
            begun,
            ended,
            ended.map(|_| "AC")
        ],
    )?;
    connection.execute(
        "INSERT INTO submission_judge_outbox (submission_id, generation, state, next_retry_at_ms, created_at_ms,
                                              sent_at_ms) VALUES (?1, 1, ?2, 0, ?3, ?3)",
        rusqlite::params![name, outbox, at],
    )?;
    let reason = if entry == "dead" { "why" } else { "" };
    connection.execute(
        "INSERT INTO submission_queue_entry (submission_id, generation, state, enqueued_at_ms, reason)
         VALUES (?1, 1, ?2, ?3, ?4)",
        rusqlite::params![name, entry, at, reason],
    )?;
    Ok(())
}

#[tokio::test]
async fn content_is_collected_only_while_nobody_writes_any() {
    let folder = Folder::new();
    let pinned = folder.retention.blobs.pin().await;
    let loose = folder.retention.blobs.put_bytes(b"its row is not there yet").expect("stored");
    assert_eq!(folder.round().await.blobs, 0);
    assert!(folder.retention.blobs.read(&loose.hash).is_ok());
    drop(pinned);
    assert_eq!(folder.round().await.blobs, 1);
    assert!(folder.retention.blobs.read(&loose.hash).is_err());
}
