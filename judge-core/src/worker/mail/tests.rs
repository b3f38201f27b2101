//! Messages from outbox to effect, with everything that can go wrong between.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use agon_contract::ids::UserId;
use agon_contract::message::MessagePlace;
use async_trait::async_trait;
use tempfile::TempDir;

use super::*;
use crate::clock::ManualClock;
use crate::delivery::consumer::Applied;
use crate::delivery::inbox::{self, Received};
use crate::delivery::lease;
use crate::delivery::outbox::{self, NewMessage, Topic};
use crate::owner;
use crate::store::WriteTx;
use crate::store::authorizer::Owner;

const NOW: i64 = 1_000_000;

/// What the test's consumer does with a message, by the message's aggregate id.
#[derive(Default)]
struct Script {
    /// Failures still to come.
    failures: AtomicU32,
    /// Heartbeats to wait for before the effect.
    slow: Mutex<Duration>,
    knows: AtomicU32,
}

struct Listener {
    name: &'static str,
    store: OwnerStore,
    clock: Arc<ManualClock>,
    script: Arc<Script>,
}

#[async_trait]
impl Consumer for Listener {
    fn name(&self) -> &'static str {
        self.name
    }

    fn topics(&self) -> &'static [Topic] {
        &[Topic::Result]
    }

    fn store(&self) -> &OwnerStore {
        &self.store
    }

    async fn prepare(&self, _message: &Received) -> Result<(), String> {
        let slow = *self.script.slow.lock().expect("unpoisoned");
        self.clock.sleep(slow).await;
        Ok(())
    }

    fn apply(&self, tx: &WriteTx<'_>, message: &Received) -> rusqlite::Result<Applied> {
        if message.schema_version > self.script.knows.load(Ordering::Relaxed) + 1 {
            return Ok(Applied::NotUnderstood { reason: "a later version".to_owned() });
        }
        let effect = format!("{} {}", self.name, message.aggregate_id);
        tx.execute("INSERT INTO admin_setting (name, value, updated_at_ms) VALUES (?1, '', 0)", [effect])?;
        assert_ne!(message.aggregate_id, "panics", "as it was told");
        if self.script.failures.load(Ordering::Relaxed) > 0 {
            self.script.failures.fetch_sub(1, Ordering::Relaxed);
            return Err(rusqlite::Error::InvalidQuery);
        }
        Ok(Applied::Done)
    }
}

struct Post {
    _folder: TempDir,
    store: Store,
    catalog: OwnerStore,
    admin: OwnerStore,
    clock: Arc<ManualClock>,
    script: Arc<Script>,
}

impl Post {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temp folder");
        let clock = Arc::new(ManualClock::starting_at(NOW));
        let (path, backups) = (folder.path().join("agon.db"), folder.path().join("backups"));
        let shared: Arc<dyn Clock> = Arc::<ManualClock>::clone(&clock);
        let store = Store::open(&path, &backups, shared, owner::SCHEMA).expect("it opens");
        let (catalog, admin) = (store.owner(Owner::Catalog), store.owner(Owner::Admin));
        let (catalog, admin) = (catalog.expect("it opens"), admin.expect("it opens"));
        Self { _folder: folder, store, catalog, admin, clock, script: Arc::default() }
    }

    fn mail(&self, names: &[&'static str], boot: &str) -> Mail {
        let listener = |name: &&'static str| -> Arc<dyn Consumer> {
            let (store, clock, script) = (self.admin.clone(), Arc::clone(&self.clock), Arc::clone(&self.script));
            Arc::new(Listener { name, store, clock, script })
        };
        let clock: Arc<dyn Clock> = Arc::<ManualClock>::clone(&self.clock);
        Mail::new(&self.store, vec![self.catalog.clone()], names.iter().map(listener).collect(), clock, boot)
    }

    fn send(&self, object: &str, schema_version: u32) -> String {
        let message = NewMessage {
            topic: Topic::Result,
            message_type: "Told",
            schema_version,
            actor: None,
            aggregate_id: object,
            payload: "{}".to_owned(),
        };
        self.catalog.write_blocking("send", |tx| outbox::put(tx, &message)).expect("written")
    }

    fn effects(&self) -> Vec<String> {
        let read = |tx: &WriteTx<'_>| {
            tx.prepare("SELECT name FROM admin_setting ORDER BY rowid")?.query_map([], |row| row.get(0))?.collect()
        };
        self.admin.write_blocking("look", read).expect("readable")
    }

    /// Pending, in hands, dead: of the outbox, of the inbox.
    fn depths(&self) -> ([u32; 3], [u32; 3]) {
        let of = |depth: outbox::Depth| [depth.pending, depth.claimed, depth.dead];
        let outbox = self.catalog.write_blocking("look", |tx| outbox::depth(tx, Owner::Catalog));
        let inbox = self.admin.write_blocking("look", |tx| inbox::depth(tx, Owner::Admin, "one"));
        (of(outbox.expect("readable")), of(inbox.expect("readable")))
    }

    fn reasons(&self) -> Vec<String> {
        let dead = self.admin.write_blocking("look", |tx| inbox::dead(tx, Owner::Admin, "one", 10)).expect("readable");
        dead.into_iter().map(|dead| dead.reason).collect()
    }
}

#[tokio::test]
async fn each_message_has_its_effect_once_with_every_subscriber_in_order() {
    let post = Post::new();
    for number in 0..120 {
        post.send(&number.to_string(), 1);
    }
    let mail = post.mail(&["one", "two"], "boot");
    mail.settle().await;
    mail.settle().await;
    let expected: Vec<String> =
        ["one", "two"].iter().flat_map(|name| (0..120).map(move |number| format!("{name} {number}"))).collect();
    assert_eq!(post.effects(), expected);
    assert_eq!(post.depths(), ([0, 0, 0], [0, 0, 0]));
}

#[tokio::test]
async fn a_crash_between_any_two_steps_neither_loses_nor_doubles() {
    // After the claim; after the inbox has it; after it was taken; after all but the mark in the outbox.
    for steps in 0..4 {
        let post = Post::new();
        post.send("one", 1);
        let gone = post.mail(&["one"], "boot that died");
        let carrier = gone.carrier();
        let claim = |tx: &WriteTx<'_>| outbox::claim(tx, &carrier, NOW);
        let message = post.catalog.write_blocking("claim", claim).expect("written").remove(0);
        let insert = |tx: &WriteTx<'_>| inbox::insert(tx, "one", Owner::Catalog, &message);
        if steps >= 1 {
            assert!(post.admin.write_blocking("insert", insert).expect("written"));
        }
        if steps == 2 {
            post.admin.write_blocking("take", |tx| inbox::take(tx, "one", &carrier, NOW)).expect("written");
        }
        if steps == 3 {
            reader::work_off(&gone, &gone.consumers[0], &carrier).await.expect("handled");
            assert_eq!(post.effects(), ["one one"]);
        }
        post.mail(&["one"], "next boot").settle().await;
        assert_eq!(post.effects(), ["one one"], "{steps}");
        assert_eq!(post.depths(), ([0, 0, 0], [0, 0, 0]), "{steps}");
    }
}

#[tokio::test]
async fn a_failure_keeps_nothing_of_the_effect_and_is_tried_again() {
    let post = Post::new();
    post.send("one", 1);
    post.script.failures.store(2, Ordering::Relaxed);
    let mail = post.mail(&["one"], "boot");
    mail.settle().await;
    assert_eq!((post.effects().len(), post.depths().1), (0, [1, 0, 0]));
    mail.settle().await;
    assert_eq!(post.effects().len(), 0, "not before its time");
    for _ in 0..2 {
        post.clock.advance(Duration::from_secs(60));
        mail.settle().await;
    }
    assert_eq!((post.effects().len(), post.depths().1), (1, [0, 0, 0]));
}

#[tokio::test]
async fn a_handler_that_panics_holds_up_nobody_else() {
    let post = Post::new();
    for object in ["panics", "fine"] {
        post.send(object, 1);
    }
    let mail = post.mail(&["one"], "boot");
    mail.settle().await;
    assert_eq!((post.effects(), post.depths().1), (vec!["one fine".to_owned()], [1, 0, 0]));
    for _ in 0..inbox::ATTEMPTS_MAX {
        post.clock.advance(Duration::from_secs(60));
        mail.settle().await;
    }
    assert_eq!((post.effects().len(), post.depths().1), (1, [0, 0, 1]), "set aside at the tenth time");
}

#[tokio::test]
async fn a_later_version_is_set_aside_with_its_reason_and_had_after_an_update() {
    let post = Post::new();
    let event_id = post.send("one", 2);
    let mail = post.mail(&["one"], "boot");
    mail.settle().await;
    assert_eq!((post.effects().len(), post.reasons()), (0, vec!["a later version".to_owned()]));
    post.script.knows.store(1, Ordering::Relaxed);
    let dead = mail.dead().await.expect("readable").remove(0);
    assert_eq!((&dead.event_id, dead.source.as_str(), dead.attempts), (&event_id, "catalog", 1));
    let staff = UserId::from("staff");
    let elsewhere = MessagePlace::Inbox { consumer: "two".to_owned() };
    assert!(!mail.revive(elsewhere, event_id.clone(), &staff).await.expect("written"));
    assert!(mail.revive(dead.place.clone(), event_id.clone(), &staff).await.expect("written"));
    assert!(!mail.revive(dead.place, event_id, &staff).await.expect("written"), "it lives");
    let note = |tx: &WriteTx<'_>| tx.query_row("SELECT count(*) FROM admin_outbox", [], |row| row.get::<_, u32>(0));
    assert_eq!(post.admin.write_blocking("look", note).expect("readable"), 1, "the audit log is told once");
    mail.settle().await;
    assert_eq!((post.effects(), post.depths()), (vec!["one one".to_owned()], ([0; 3], [0; 3])));
}

#[tokio::test]
async fn a_topic_that_nobody_can_know_is_set_aside_where_it_was_written() {
    let post = Post::new();
    let event_id = post.send("one", 1);
    let rename = |tx: &WriteTx<'_>| tx.execute("UPDATE catalog_outbox SET topic = 'gossip'", []);
    post.catalog.write_blocking("rename", rename).expect("written");
    post.mail(&["one"], "boot").settle().await;
    assert_eq!(post.depths(), ([0, 0, 1], [0, 0, 0]));
    let dead = post.catalog.write_blocking("look", |tx| outbox::dead(tx, Owner::Catalog, 10)).expect("readable");
    assert_eq!(dead[0].message.event_id, event_id);
    assert!(dead[0].reason.contains("gossip"), "{}", dead[0].reason);
}

#[tokio::test]
async fn long_work_keeps_its_lease_by_heartbeats() {
    let post = Post::new();
    post.send("one", 1);
    *post.script.slow.lock().expect("unpoisoned") = Duration::from_secs(95);
    let mail = post.mail(&["one"], "boot");
    let settled = tokio::spawn(async move { mail.settle().await });
    // The clock goes on when the lease is fresh and both the work and the heartbeat are asleep.
    let mut leases = 0;
    while leases < 10 {
        let read = |tx: &WriteTx<'_>| {
            tx.query_row("SELECT max(lease_until_ms) FROM admin_inbox", [], |row| row.get::<_, Option<i64>>(0))
        };
        let lease = post.admin.write_blocking("look", read).expect("readable");
        if lease == Some(post.clock.steady_ms() + inbox::LEASE_MS) && post.clock.sleepers() == 2 {
            leases += 1;
            post.clock.advance(Duration::from_secs(10));
        }
        tokio::task::yield_now().await;
    }
    settled.await.expect("it ends");
    assert_eq!((post.effects().len(), post.depths().1), (1, [0, 0, 0]));
}

#[tokio::test]
async fn work_that_somebody_holds_is_listed_with_its_fence() {
    let post = Post::new();
    let mail = post.mail(&["one"], "boot");
    let holder = outbox::Carrier { token: "me".to_owned(), boot_id: "another boot".to_owned() };
    let acquire = |tx: &WriteTx<'_>| lease::acquire(tx, "retention", &holder, NOW);
    let hold = post.catalog.write_blocking("take", acquire).expect("written").expect("free");
    let leases = mail.leases().await.expect("readable");
    assert_eq!(leases.len(), 1);
    assert_eq!(
        (leases[0].name.as_str(), leases[0].owner.as_str(), leases[0].holder.as_str()),
        ("retention", "catalog", "me")
    );
    assert_eq!(
        (leases[0].fence_token, leases[0].ends_in_ms, leases[0].is_foreign_boot),
        (Some(1), Some(60_000), Some(true))
    );
    post.catalog.write_blocking("release", |tx| lease::release(tx, &hold)).expect("written");
    assert!(mail.leases().await.expect("readable").is_empty());
}

#[tokio::test]
async fn a_full_disk_spends_no_attempt() {
    let post = Post::new();
    post.send("one", 1);
    let mail = post.mail(&["one"], "boot");
    post.admin.limit_pages_for_tests(1);
    // The inbox needs a page that is not there once its first is full.
    let mut sent = 1;
    while post.depths().0[0] == 0 {
        post.send(&"x".repeat(3_000), 1);
        sent += 1;
        courier::carry_all(&mail, &mail.carrier()).await.expect("the source is fine");
    }
    let attempts = |tx: &WriteTx<'_>| tx.query_row("SELECT max(attempts) FROM catalog_outbox", [], |row| row.get(0));
    let attempts: u32 = post.catalog.write_blocking("look", attempts).expect("readable");
    assert_eq!(attempts, 0);
    post.admin.limit_pages_for_tests(1_000_000);
    post.clock.advance(Duration::from_secs(60));
    mail.settle().await;
    assert_eq!((post.effects().len(), post.depths()), (sent, ([0; 3], [0; 3])));
}
