//! What every judge queue must do, written once for all adapters.
//!
//! An adapter brings a [`Harness`] – an empty queue, a link to it, and a way to put raw bytes in behind its back – and
//! invokes [`judge_queue_conformance!`], which makes one test of each rule.

use agon_contract::ids::SubmissionId;

use super::{DELIVERIES_MAX, Delivery, JudgeQueue, Moment, Polled, Reclaimed, Task, VISIBILITY_MS};

/// An adapter under test.
pub(crate) trait Harness {
    type Queue: JudgeQueue;

    /// A queue with nothing in it.
    fn empty() -> Self;
    fn queue(&self) -> &Self::Queue;
    fn link(&self) -> <Self::Queue as JudgeQueue>::Link<'_>;
    /// An entry with these bytes, as a program with another idea of them would leave it.
    fn put_raw(&self, bytes: &[u8]);
}

const START_MS: i64 = 10_000_000;

/// The queue at one moment, with every error a failure of the test.
struct Seen<'h, H: Harness> {
    harness: &'h H,
    steady_ms: i64,
}

impl<H: Harness> Seen<'_, H> {
    fn now(&self) -> Moment {
        Moment { steady_ms: self.steady_ms, wall_ms: 1_000 + self.steady_ms }
    }

    fn enqueue(&self, name: &str, generation: u32) -> bool {
        self.harness.queue().enqueue(self.harness.link(), &task(name, generation), self.now()).expect("enqueued")
    }

    fn poll(&self, consumer: &str) -> Polled {
        self.harness.queue().poll(self.harness.link(), consumer, self.now()).expect("polled")
    }

    fn take(&self, consumer: &str) -> Delivery {
        match self.poll(consumer) {
            Polled::Task(delivery) => delivery,
            other => panic!("there is a task, not {other:?}"),
        }
    }

    fn ack(&self, name: &str, generation: u32) -> bool {
        self.harness.queue().ack(self.harness.link(), &task(name, generation)).expect("acknowledged")
    }

    fn reclaim(&self, consumer: &str) -> (usize, usize) {
        let Reclaimed { dead, again } =
            self.harness.queue().reclaim(self.harness.link(), consumer, self.now()).expect("reclaimed");
        (dead, again)
    }

    fn dead_letters(&self) -> Vec<super::DeadEntry> {
        self.harness.queue().dead_letters(self.harness.link(), 100).expect("listed")
    }
}

fn at_start<H: Harness>(harness: &H) -> Seen<'_, H> {
    Seen { harness, steady_ms: START_MS }
}

fn task(name: &str, generation: u32) -> Task {
    Task::new(&SubmissionId::from(name), generation)
}

pub(crate) fn entries_come_in_order<H: Harness>() {
    let harness = H::empty();
    let seen = at_start(&harness);
    assert_eq!(seen.poll("me"), Polled::Empty);
    for name in ["a", "b", "c"] {
        assert!(seen.enqueue(name, 1));
    }
    for name in ["a", "b", "c"] {
        let delivery = seen.take("me");
        assert_eq!((delivery.task, delivery.deliveries), (task(name, 1), 1));
    }
    assert_eq!(seen.poll("me"), Polled::Empty);
}

pub(crate) fn a_known_key_is_nothing_even_when_done<H: Harness>() {
    let harness = H::empty();
    let seen = at_start(&harness);
    assert!(seen.enqueue("a", 1));
    assert!(!seen.enqueue("a", 1), "it waits");
    seen.take("me");
    assert!(!seen.enqueue("a", 1), "it is taken");
    assert!(seen.ack("a", 1));
    assert!(!seen.enqueue("a", 1), "it is done");
    assert!(seen.enqueue("a", 2), "the next generation is another key");
}

pub(crate) fn an_acknowledged_task_is_gone<H: Harness>() {
    let harness = H::empty();
    let seen = at_start(&harness);
    seen.enqueue("a", 1);
    seen.enqueue("b", 1);
    seen.take("me");
    assert!(seen.ack("a", 1));
    assert!(!seen.ack("a", 1), "twice");
    assert!(seen.ack("b", 1), "also one that nobody took");
    assert!(!seen.ack("c", 1), "an unknown one");
    assert_eq!(seen.poll("me"), Polled::Empty);
    assert_eq!(seen.reclaim("other"), (0, 0));
}

pub(crate) fn a_refused_delivery_comes_back_at_the_next_reclaim<H: Harness>() {
    let harness = H::empty();
    let seen = at_start(&harness);
    seen.enqueue("a", 1);
    let first = seen.take("me");
    assert!(harness.queue().nack(harness.link(), &first, seen.now()).expect("refused"));
    assert_eq!(seen.poll("me"), Polled::Empty, "not before");
    assert_eq!(seen.reclaim("me"), (0, 1));
    assert_eq!(seen.take("me").deliveries, 2);
    assert!(!harness.queue().nack(harness.link(), &first, seen.now()).expect("asked"), "another delivery by now");
}

pub(crate) fn what_is_held_too_long_or_by_the_dead_comes_back<H: Harness>() {
    let harness = H::empty();
    let seen = at_start(&harness);
    let at = |offset_ms: i64| Seen { harness: &harness, steady_ms: START_MS + offset_ms };
    seen.enqueue("a", 1);
    let cases =
        [(VISIBILITY_MS - 1, "me", 0), (VISIBILITY_MS, "me", 1), (-1, "me", 1), (0, "me", 0), (0, "another boot", 1)];
    let mut is_taken = false;
    for (offset_ms, consumer, expected) in cases {
        if !is_taken {
            seen.take("me");
        }
        let idle = harness.queue().idle(harness.link(), consumer, at(offset_ms).now()).expect("listed");
        assert_eq!(idle.len(), expected, "{offset_ms} {consumer}");
        assert_eq!(at(offset_ms).reclaim(consumer), (0, expected), "{offset_ms} {consumer}");
        is_taken = expected == 0;
    }
}

pub(crate) fn the_fifth_delivery_without_an_end_is_set_aside<H: Harness>() {
    let harness = H::empty();
    let seen = at_start(&harness);
    seen.enqueue("a", 1);
    for delivery in 1..=DELIVERIES_MAX {
        assert_eq!(seen.take(&format!("boot {delivery}")).deliveries, delivery);
        let expected = if delivery == DELIVERIES_MAX { (1, 0) } else { (0, 1) };
        assert_eq!(seen.reclaim("the next boot"), expected, "after delivery {delivery}");
    }
    assert_eq!(seen.poll("me"), Polled::Empty);
    let dead = seen.dead_letters();
    assert_eq!((dead.len(), dead[0].task.clone()), (1, Some(task("a", 1))));
    assert_eq!(dead[0].reason, "delivered 5 times without an end");
    assert!(!seen.ack("a", 1), "never silently acknowledged");
    assert!(!seen.enqueue("a", 1), "nor put in again");
}

pub(crate) fn poison_is_kept_with_its_bytes_and_blocks_nobody<H: Harness>() {
    let harness = H::empty();
    let seen = at_start(&harness);
    let poison: &[u8] = b"\xff\x00{\"submission\": ";
    harness.put_raw(poison);
    seen.enqueue("a", 1);
    let Polled::Poison { reason } = seen.poll("me") else { panic!("it cannot be read") };
    assert!(reason.contains("cannot be read"), "{reason}");
    assert_eq!(seen.take("me").task, task("a", 1), "what stands behind it comes");
    let dead = seen.dead_letters();
    assert_eq!((dead.len(), dead[0].bytes.as_slice(), dead[0].task.clone()), (1, poison, None));
    assert_eq!(seen.reclaim("another boot"), (0, 1), "only the task");
}

pub(crate) fn what_a_consumer_sets_aside_waits_for_a_decision<H: Harness>() {
    let harness = H::empty();
    let seen = at_start(&harness);
    let (queue, link) = (harness.queue(), harness.link());
    seen.enqueue("a", 1);
    let delivery = seen.take("me");
    assert!(queue.dead_letter(link, &delivery, "no such language").expect("set aside"));
    assert!(!queue.dead_letter(link, &delivery, "again").expect("asked"), "it is not taken any more");
    assert_eq!(seen.dead_letters()[0].reason, "no such language");
    assert_eq!(seen.poll("me"), Polled::Empty);
    assert!(queue.close_dead(link, &task("a", 1)).expect("closed"));
    assert!(!queue.close_dead(link, &task("a", 1)).expect("asked"), "twice");
    assert_eq!(seen.dead_letters(), []);
}

pub(crate) fn measures_tell_what_is_there<H: Harness>() {
    let harness = H::empty();
    let seen = at_start(&harness);
    let depth = || harness.queue().depth(harness.link()).expect("measured");
    assert_eq!(depth(), super::Depth::default(), "nothing there: ages are unknown, not 0");
    for (offset_ms, name) in [(0, "a"), (5, "b"), (9, "c")] {
        Seen { harness: &harness, steady_ms: START_MS + offset_ms }.enqueue(name, 1);
    }
    seen.take("me");
    let now = depth();
    assert_eq!((now.ready, now.taken, now.dead), (2, 1, 0));
    assert_eq!(now.oldest_ready_at_ms, Some(START_MS + 1_005));
    assert_eq!(now.oldest_taken_steady_ms, Some(START_MS));
}

/// Makes one test of each rule for an adapter.
macro_rules! judge_queue_conformance {
    ($harness:ty) => {
        judge_queue_conformance! { $harness:
            entries_come_in_order, a_known_key_is_nothing_even_when_done, an_acknowledged_task_is_gone,
            a_refused_delivery_comes_back_at_the_next_reclaim, what_is_held_too_long_or_by_the_dead_comes_back,
            the_fifth_delivery_without_an_end_is_set_aside, poison_is_kept_with_its_bytes_and_blocks_nobody,
            what_a_consumer_sets_aside_waits_for_a_decision, measures_tell_what_is_there,
        }
    };
    ($harness:ty: $($rule:ident,)+) => {
        $(#[test]
        fn $rule() {
            $crate::delivery::queue::conformance::$rule::<$harness>();
        })+
    };
}
pub(crate) use judge_queue_conformance;
