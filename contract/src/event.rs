//! Events: wake-ups with a sequence number. The truth is always read again.

use serde::{Deserialize, Serialize};

/// One event of the append-only log, in commit order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventView {
    pub seq: i64,
    /// The owner that wrote it: `submission`, `catalog` …
    pub owner: String,
    /// E.g. `SubmissionSaved`, `JudgementStarted`, `JudgementFinished`, `ProblemImported`.
    pub event_type: String,
    /// The id of the thing that changed.
    pub aggregate_id: String,
}

/// What happened after a sequence number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventBatch {
    pub events: Vec<EventView>,
    /// Resume from here.
    pub last_seq: i64,
    /// Changes without an event of their own (progress inside a judgement, sandbox health) raise this counter.
    pub progress_counter: u64,
    /// The place asked from is not in the log: older than what is kept, or from before a restore. Read everything again
    /// and go on from `last_seq`; what happened in between is not told one by one.
    #[serde(default)]
    pub is_resync: bool,
}

/// Counts for the top bar's outbox.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutboxCounts {
    /// Saved, not yet in the queue.
    pub saved: u32,
    pub queued: u32,
    pub judging: u32,
    /// Out of automatic attempts: staff must look.
    pub needs_attention: u32,
    /// Empty while dispatch runs; else why it is paused.
    pub paused_reason: String,
}
