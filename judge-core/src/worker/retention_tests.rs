//! What goes, and above all what stays.

use agon_contract::audit::AuditAction;
use agon_contract::ids::UserId;
use tempfile::TempDir;

use super::*;
use crate::clock::ManualClock;
use crate::delivery::audit_note::{self, AuditNote};
use crate::owner;
use crate::store::{EventLog, NewEvent, Store, WriteTx};

const DAYS: Duration = Duration::from_secs(31 * 24 * 3600);

struct Folder {
    _folder: TempDir,
    clock: Arc<ManualClock>,
    admin: OwnerStore,
    catalog: OwnerStore,
    submission: OwnerStore,
    retention: Retention,
    log: EventLog,
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
            events: store.event_keeper().expect("it opens"),
            clock: shared,
            boot_id: "boot".into(),
        };
        let log = store.event_log().expect("it opens");
        Self { _folder: folder, clock, admin, catalog, submission, retention, log }
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

impl Folder {
    fn happen(&self, count: u32) {
        let event = NewEvent {
            event_type: "ProblemRemoved",
            aggregate_id: "p",
            aggregate_version: 1,
            causation_id: None,
            payload: "{}".to_owned(),
        };
        let emit = |tx: &WriteTx<'_>| (0..count).try_for_each(|_| tx.emit(&event));
        self.catalog.write_blocking("emit", emit).expect("written");
    }

    /// Sequence numbers after `seq`; `None` when the log does not reach there.
    async fn after(&self, seq: i64) -> Option<Vec<i64>> {
        let events = self.log.after(seq).await.expect("readable");
        events.map(|events| events.iter().map(|event| event.seq).collect())
    }
}

#[tokio::test]
async fn old_events_go_and_who_is_further_behind_is_told_so() {
    let folder = Folder::new();
    folder.happen(3);
    folder.clock.advance(DAYS);
    folder.happen(2);
    assert_eq!(folder.after(0).await, Some(vec![1, 2, 3, 4, 5]));
    assert_eq!(folder.round().await.events, 3);
    for behind in 0..3 {
        assert_eq!(folder.after(behind).await, None, "{behind}: a gap is not read over");
    }
    assert_eq!(folder.after(3).await, Some(vec![4, 5]));
    assert_eq!(folder.after(5).await, Some(vec![]));
    assert_eq!(folder.after(6).await, None, "from before a restore");
    folder.clock.advance(DAYS);
    assert_eq!(folder.round().await.events, 1, "never the newest");
    assert_eq!((folder.after(4).await, folder.after(3).await), (Some(vec![5]), None));
    folder.happen(1);
    assert_eq!(folder.after(5).await, Some(vec![6]), "numbers go on");
}

#[tokio::test]
async fn the_log_has_a_bound_whatever_its_age_and_goes_only_from_its_beginning_under_the_lease() {
    let folder = Folder::new();
    folder.happen(10);
    let holder = Carrier { token: "me".to_owned(), boot_id: "boot".to_owned() };
    let now = folder.clock.steady_ms();
    let hold = folder.retention.admin.take_lease(LEASE, holder).await.expect("written").expect("free");
    let kept = EventsKept { since_ms: i64::MIN, at_most: 4, batch: 5 };
    let thin = |hold: Hold, kept| folder.retention.events.write("thin", move |c| old_events::thin(c, &hold, kept, now));
    assert_eq!(thin(hold.clone(), kept).await.expect("written"), 5, "one batch");
    assert_eq!(thin(hold.clone(), kept).await.expect("written"), 1);
    assert_eq!(folder.after(6).await, Some(vec![7, 8, 9, 10]));
    assert!(folder.retention.admin.release_lease(&hold).await.expect("written"));
    let all = EventsKept { since_ms: i64::MAX, at_most: 1, batch: 100 };
    assert_eq!(thin(hold, all).await.expect("written"), 0, "the hold is over");
    for seq in [8, 10] {
        let sql = format!("DELETE FROM delivery_event WHERE seq = {seq}");
        let gap = folder.retention.events.write("make a gap", move |c| c.execute(&sql, [])).await;
        assert!(gap.expect_err("refused").to_string().contains("make a gap"), "{seq}");
    }
    assert_eq!(folder.after(6).await, Some(vec![7, 8, 9, 10]));
}

#[tokio::test]
async fn old_starts_go_but_not_the_newest_nor_one_that_a_lease_names() {
    let folder = Folder::new();
    let insert = |tx: &WriteTx<'_>| {
        let mut add = tx.prepare(
            "INSERT INTO admin_boot (boot_id, program, app_version, process_id, started_at_ms)
             VALUES (printf('%036d', ?1), 'a test', '0', 1, ?1)",
        )?;
        (1..=150).try_for_each(|start| add.execute([start]).map(drop))
    };
    folder.admin.write_blocking("start often", insert).expect("written");
    Folder::execute(
        &folder.admin,
        "INSERT INTO admin_lease (name, fence_token, owner_token, boot_id, acquired_at_ms, leased_until_ms)
         VALUES ('backup', 1, 'somebody', printf('%036d', 7), 7, 7)",
    );
    folder.clock.advance(DAYS);
    assert_eq!(folder.round().await.boots, 49);
    let named = "SELECT count(*) FROM admin_boot WHERE started_at_ms = 7 OR started_at_ms > 50";
    let left: u32 =
        folder.admin.write_blocking("look", |tx| tx.query_row(named, [], |row| row.get(0))).expect("readable");
    assert_eq!((left, Folder::count(&folder.admin, "admin_boot")), (101, 101));
}

#[tokio::test]
async fn of_a_failing_run_64_kib_stay_of_an_accepted_one_nothing_and_verdicts_all() {
    let folder = Folder::new();
    let runs = [
        // verdict, stdout, stderr, and what stays of them
        ("AC", 100, 50, 0, 0),
        ("WA", 65_536, 0, 65_536, 0),
        ("WA", 65_536, 65_536, 32_768, 32_768),
        ("RTE", 60_000, 20_000, 45_536, 20_000),
        ("TLE", 10, 20, 10, 20),
    ];
    folder.submission.without_bounds_for_tests(|connection| {
        connection.execute_batch("PRAGMA foreign_keys = OFF")?;
        insert_judging(connection, "finished", "done", "archived", "judged")?;
        for (ordinal, (verdict, output, error, ..)) in (1..).zip(runs) {
            connection.execute(
                "INSERT INTO submission_run (judgement_id, ordinal, case_name, is_sample, verdict, outcome, cpu_ms,
                     wall_ms, peak_memory_bytes, output_bytes, message, output_head, stderr_head, is_disturbed)
                 SELECT id, ?1, 'c', 1, ?2, 'exit 0', 1, 1, 1, ?3, 'why', zeroblob(?3), zeroblob(?4), 0
                 FROM submission_judgement",
                rusqlite::params![ordinal, verdict, output, error],
            )?;
        }
        connection.execute_batch("PRAGMA foreign_keys = ON")
    });
    assert_eq!(folder.round().await.outputs, 0, "too young");
    folder.clock.advance(DAYS);
    assert_eq!(folder.round().await.outputs, 3);
    assert_eq!(folder.round().await.outputs, 0, "once");
    let kept = |tx: &WriteTx<'_>| -> rusqlite::Result<Vec<(String, u32, u32, String)>> {
        tx.prepare(
            "SELECT verdict, length(output_head), length(stderr_head), message FROM submission_run ORDER BY ordinal",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
        .collect()
    };
    let kept = folder.submission.write_blocking("look", kept).expect("readable");
    let expected = runs.map(|(verdict, _, _, output, error)| (verdict.to_owned(), output, error, "why".to_owned()));
    assert_eq!(kept, expected);
}

#[tokio::test]
async fn the_leases_of_singleton_work_are_shown_while_they_are_held() {
    let folder = Folder::new();
    let stores = [(&folder.admin, "backup"), (&folder.admin, LEASE), (&folder.submission, "reconciler")];
    for (store, name) in stores {
        let holder = Carrier { token: name.to_owned(), boot_id: "boot".to_owned() };
        let now = folder.clock.steady_ms();
        let take = |tx: &WriteTx<'_>| lease::acquire(tx, name, &holder, now);
        store.write_blocking("take", take).expect("written").expect("free");
    }
    let shown = folder.retention.mail.leases().await.expect("readable");
    let mut names: Vec<_> = shown.iter().map(|lease| (lease.owner.as_str(), lease.name.as_str())).collect();
    names.sort_unstable();
    assert_eq!(names, [("admin", "backup"), ("admin", "retention"), ("submission", "reconciler")]);
    assert!(shown.iter().all(|lease| lease.fence_token == Some(1) && lease.is_foreign_boot == Some(false)));
}
