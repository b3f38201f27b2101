//! The inbox's rules, each on its table.

use std::sync::Arc;

use tempfile::TempDir;

use super::*;
use crate::clock::ManualClock;
use crate::delivery::test_store::open_store;
use crate::ids::new_id;
use crate::store::{OwnerStore, Store};

const NOW: i64 = 1_000_000;
const CONSUMER: &str = "test";

struct Inbox {
    _folder: TempDir,
    _store: Store,
    admin: OwnerStore,
}

impl Inbox {
    fn new() -> Self {
        let (folder, store) = open_store(&Arc::new(ManualClock::starting_at(NOW)));
        let admin = store.owner(Owner::Admin).expect("it opens");
        Self { _folder: folder, _store: store, admin }
    }

    fn write<T>(&self, work: impl FnOnce(&WriteTx<'_>) -> rusqlite::Result<T>) -> T {
        self.admin.write_blocking("test", work).expect("written")
    }

    fn add(&self, name: &str) -> Message {
        let message = message(name);
        assert!(self.write(|tx| insert(tx, CONSUMER, Owner::Catalog, &message)));
        message
    }

    fn take(&self, taker: &Carrier, now_ms: i64) -> Option<Received> {
        self.write(|tx| take(tx, CONSUMER, taker, now_ms))
    }

    fn depth(&self) -> (u32, u32, u32) {
        let depth = self.write(|tx| depth(tx, Owner::Admin, CONSUMER));
        (depth.pending, depth.claimed, depth.dead)
    }

    fn reason(&self) -> String {
        self.write(|tx| dead(tx, Owner::Admin, CONSUMER, 10)).remove(0).reason
    }
}

fn message(name: &str) -> Message {
    Message {
        id: 1,
        event_id: new_id(),
        topic: "audit".to_owned(),
        message_type: "Told".to_owned(),
        schema_version: 1,
        actor: Some(UserId::from("somebody")),
        aggregate_id: name.to_owned(),
        payload: "{}".to_owned(),
        recorded_at_ms: 7,
        attempts: 0,
    }
}

fn taker(name: &str, boot: &str) -> Carrier {
    Carrier { token: name.to_owned(), boot_id: boot.to_owned() }
}

#[test]
fn a_message_comes_in_once_per_consumer_even_after_it_was_had() {
    let inbox = Inbox::new();
    let message = inbox.add("one");
    let again = |consumer: &'static str| inbox.write(|tx| insert(tx, consumer, Owner::Catalog, &message));
    assert!(!again(CONSUMER));
    assert!(again("another"));
    let me = taker("a", "boot");
    let taken = inbox.take(&me, NOW).expect("it waits");
    assert_eq!((taken.source.as_str(), taken.aggregate_id.as_str(), taken.recorded_at_ms), ("catalog", "one", 7));
    assert!(!again(CONSUMER), "in hands");
    assert!(inbox.write(|tx| complete(tx, taken.id, &me, NOW)));
    assert!(!again(CONSUMER), "had");
    assert!(inbox.take(&me, NOW).is_none(), "the other consumer's is not mine");
}

#[test]
fn a_handler_whose_lease_is_over_completes_nothing() {
    let inbox = Inbox::new();
    inbox.add("one");
    let (slow, quick) = (taker("slow", "boot"), taker("quick", "boot"));
    let taken = inbox.take(&slow, NOW).expect("it waits");
    assert!(inbox.write(|tx| renew(tx, taken.id, &slow, NOW + LEASE_MS - 1)), "a heartbeat in time");
    let over = NOW + 2 * LEASE_MS - 1;
    assert!(!inbox.write(|tx| complete(tx, taken.id, &slow, over)), "its lease is over, though nobody took it yet");
    assert!(!inbox.write(|tx| renew(tx, taken.id, &slow, over)), "too late to come back");
    assert_eq!(inbox.write(|tx| recover(tx, "boot", over)), 1);
    let again = inbox.take(&quick, over).expect("it waits");
    assert_eq!(again.attempts, 0, "overtaken, not failed");
    assert!(!inbox.write(|tx| complete(tx, taken.id, &slow, over)));
    assert!(!inbox.write(|tx| fail(tx, &taken, &slow, "late", over)));
    assert!(!inbox.write(|tx| park(tx, taken.id, &slow, "late")));
    assert!(inbox.write(|tx| complete(tx, again.id, &quick, over)));
    assert!(!inbox.write(|tx| complete(tx, again.id, &quick, over)), "twice");
}

#[test]
fn a_lease_that_ends_later_than_any_can_is_over() {
    let inbox = Inbox::new();
    inbox.add("one");
    let me = taker("a", "boot");
    let taken = inbox.take(&me, NOW).expect("it waits");
    assert!(!inbox.write(|tx| complete(tx, taken.id, &me, NOW - 1)), "the clock went back");
    assert_eq!(inbox.write(|tx| recover(tx, "boot", NOW - 1)), 1);
}

#[test]
fn ten_failures_set_a_message_aside_and_a_person_sets_it_going() {
    let inbox = Inbox::new();
    let message = inbox.add("one");
    let me = taker("a", "boot");
    let mut now_ms = NOW;
    for _ in 0..ATTEMPTS_MAX {
        let taken = inbox.take(&me, now_ms).expect("it is due");
        assert!(inbox.write(|tx| fail(tx, &taken, &me, "no", now_ms)));
        assert!(inbox.take(&me, now_ms + 1_999).is_none(), "it waits at least 2 s");
        now_ms += 60_000;
    }
    assert_eq!((inbox.depth(), inbox.reason()), ((0, 0, 1), "failed 10 times; the last: no".to_owned()));
    assert!(!inbox.write(|tx| revive(tx, "another", &message.event_id)));
    assert!(inbox.write(|tx| revive(tx, CONSUMER, &message.event_id)));
    assert!(!inbox.write(|tx| revive(tx, CONSUMER, &message.event_id)), "it lives");
    assert_eq!(inbox.take(&me, NOW).expect("it is due").attempts, 0);
}

#[test]
fn a_message_that_ends_its_process_each_time_is_set_aside() {
    let inbox = Inbox::new();
    inbox.add("poison");
    for boot in 0..ATTEMPTS_MAX {
        let taken = inbox.take(&taker("a", &format!("boot {boot}")), NOW).expect("it is due");
        assert_eq!(taken.attempts, boot);
        assert_eq!(inbox.write(|tx| recover(tx, &format!("boot {}", boot + 1), NOW)), 1, "at once, whatever its lease");
    }
    assert!(inbox.take(&taker("a", "last"), NOW).is_none());
    assert_eq!(inbox.reason(), "its process ended 10 times while it was handled");
}

#[test]
fn what_is_not_understood_is_set_aside_and_what_could_not_be_stored_waits() {
    let inbox = Inbox::new();
    inbox.add("odd");
    inbox.add("waits");
    let me = taker("a", "boot");
    let odd = inbox.take(&me, NOW).expect("it is due");
    assert!(inbox.write(|tx| park(tx, odd.id, &me, "no such type")));
    let waits = inbox.take(&me, NOW).expect("it is due");
    assert!(inbox.write(|tx| put_back(tx, waits.id, &me, "the disk is full", NOW + 5_000)));
    assert!(inbox.take(&me, NOW + 4_999).is_none());
    let again = inbox.take(&me, NOW + 5_000).expect("it is due");
    assert_eq!((again.aggregate_id.as_str(), again.attempts, inbox.reason().as_str()), ("waits", 0, "no such type"));
}
