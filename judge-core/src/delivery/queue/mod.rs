//! The judge queue as a port: what any queue of judgings does, whoever keeps it.
//!
//! ```text
//! enqueue ──► ready ──poll──► taken ──ack──► done
//!               ▲               │ ├─dead_letter / poison─► dead ──close_dead──► done
//!               └───reclaim─────┘ └─reclaim at the 5th delivery─► dead
//! ```
//! An entry is known by its key `submission:generation` for ever, so a repeated enqueue is nothing. A taken entry comes
//! back after [`VISIBILITY_MS`], or at once when its consumer is gone. Bytes that name no work are set aside as they
//! are, never acknowledged.
//!
//! What is deliberately not here: what a judging is about, leases (the fence decides whose result counts, so that a
//! queue may deliver twice), and waiting (whoever polls sleeps by himself).
//!
//! The operations work through a [`Link`](JudgeQueue::Link). The embedded adapter's link is the caller's own
//! transaction: "sent" and "in the queue" are one commit and no gap needs closing. An adapter on another server links
//! to that server; its dispatcher then sends first and marks the row sent afterwards, which the key makes harmless to
//! repeat. Every adapter passes [`conformance`]. (Rule: delivery, "Queue".)

#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod embedded;

use agon_contract::ids::SubmissionId;
use serde::{Deserialize, Serialize};

pub(crate) use embedded::EmbeddedQueue;

/// How long an entry may stay taken before it is offered to another worker.
pub(crate) const VISIBILITY_MS: i64 = 30 * 60 * 1000;

/// Deliveries after which an entry is set aside for staff.
pub(crate) const DELIVERIES_MAX: u32 = 5;

/// One generation of one submission: what waits in the queue, and its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Task {
    pub submission_id: SubmissionId,
    pub generation: u32,
}

impl Task {
    pub(crate) fn new(submission_id: &SubmissionId, generation: u32) -> Self {
        Self { submission_id: submission_id.clone(), generation }
    }

    /// What an entry carries.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("an id and a number are JSON")
    }

    /// Why these bytes are no task, or the task.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(bytes).map_err(|error| format!("the entry cannot be read: {error}"))
    }
}

/// When an operation happens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment {
    /// Decides.
    pub steady_ms: i64,
    /// Is recorded.
    pub wall_ms: i64,
}

/// A taken entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Delivery {
    pub task: Task,
    /// How often it was handed out, this time included.
    pub deliveries: u32,
    /// The adapter's name of the entry.
    pub entry: i64,
}

/// What a poll found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Polled {
    Empty,
    Task(Delivery),
    /// An entry that could not be read was set aside; there may be more behind it.
    Poison {
        reason: String,
    },
}

/// An entry that was set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeadEntry {
    /// `None` when its bytes name none.
    pub task: Option<Task>,
    pub reason: String,
    pub bytes: Vec<u8>,
    pub enqueued_at_ms: i64,
}

/// What a reclaim did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reclaimed {
    pub dead: usize,
    pub again: usize,
}

/// Measures. What is unknown is `None`, not 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Depth {
    pub ready: u32,
    pub taken: u32,
    pub dead: u32,
    /// Wall time at which the oldest ready entry came; `None` when none waits.
    pub oldest_ready_at_ms: Option<i64>,
    /// Steady time at which the entry was taken that is taken longest; `None` when none is.
    pub oldest_taken_steady_ms: Option<i64>,
}

/// A queue of judgings. See the module for the states.
pub(crate) trait JudgeQueue {
    /// What an operation works through.
    type Link<'l>: Copy;
    type Error: std::error::Error;

    /// Puts a task in; false when its key is already known.
    fn enqueue(&self, link: Self::Link<'_>, task: &Task, now: Moment) -> Result<bool, Self::Error>;

    /// Takes the oldest ready entry for `consumer`.
    fn poll(&self, link: Self::Link<'_>, consumer: &str, now: Moment) -> Result<Polled, Self::Error>;

    /// The task is finished, by whomever; false when no entry of it was ready or taken.
    fn ack(&self, link: Self::Link<'_>, task: &Task) -> Result<bool, Self::Error>;

    #[cfg_attr(not(test), expect(dead_code, reason = "for consumers on other machines; ours roll their poll back"))]
    /// Its consumer cannot work on it: the next reclaim offers it again.
    fn nack(&self, link: Self::Link<'_>, delivery: &Delivery, now: Moment) -> Result<bool, Self::Error>;

    /// Tasks that the next [`reclaim`](Self::reclaim) would touch; those that are finished are acknowledged before.
    fn idle(&self, link: Self::Link<'_>, consumer: &str, now: Moment) -> Result<Vec<Task>, Self::Error>;

    /// Sets aside what was delivered too often, then offers again what its consumer never finished. Setting aside comes
    /// first, so that poison is not handed out once more.
    fn reclaim(&self, link: Self::Link<'_>, consumer: &str, now: Moment) -> Result<Reclaimed, Self::Error>;

    /// Sets a taken entry aside; staff sees it with the reason.
    fn dead_letter(&self, link: Self::Link<'_>, delivery: &Delivery, reason: &str) -> Result<bool, Self::Error>;

    /// What was set aside, oldest first.
    fn dead_letters(&self, link: Self::Link<'_>, limit: u32) -> Result<Vec<DeadEntry>, Self::Error>;

    /// What was set aside of this task was decided about; false when nothing was.
    fn close_dead(&self, link: Self::Link<'_>, task: &Task) -> Result<bool, Self::Error>;

    fn depth(&self, link: Self::Link<'_>) -> Result<Depth, Self::Error>;
}
