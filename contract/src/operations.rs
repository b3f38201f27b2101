//! How the judging goes, in numbers and lists, for staff. What cannot be known is absent, never 0.

use serde::{Deserialize, Serialize};

use crate::ids::{JudgementId, SubmissionId};
use crate::module::ModuleView;
use crate::sandbox::SandboxStatus;

/// The numbers that `/metrics` of the hall server has too, and the lists behind them; needs `read_operations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetOperations {}

/// One look at everything that carries work. Parts are looked at one after the other, not in one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationsView {
    pub looked_at_ms: i64,
    /// The start of this process, which counters count from.
    pub started_at_ms: i64,
    /// Why no work is dispatched; absent while it is.
    pub paused_reason: Option<String>,
    /// Submissions that can be judged at one time.
    pub workers: u32,
    pub queue: Option<QueueView>,
    /// Judgements that wait, by the newest generation of their submission.
    pub waiting: Option<u32>,
    /// Judgements that somebody holds.
    pub judging: Option<u32>,
    /// Time since the last verdict was stored; absent when there never was one.
    pub last_success_ago_ms: Option<u64>,
    /// Results of this process that came after their lease was lost, and were dropped.
    pub stale_results_dropped: u64,
    /// Leases that are held: of judgements, and of singleton work.
    pub leases: Option<Vec<LeaseView>>,
    /// Every outbox: `judge`, and the owners' own.
    pub outboxes: Option<Vec<BoxView>>,
    /// Every consumer's inbox.
    pub inboxes: Option<Vec<BoxView>>,
    pub modules: Vec<ModuleView>,
    pub sandbox: SandboxStatus,
    /// Sequence number of the newest event.
    pub events_seq: Option<i64>,
    /// What could not be looked at now, and why: the reason for each absent part.
    pub unknown: Vec<UnknownPart>,
}

/// The judge queue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueView {
    /// Entries ready to be taken.
    pub depth: u32,
    /// How long the entry that was taken last had waited; absent when none was taken.
    pub delay_ms: Option<u64>,
    /// How long the oldest ready entry has waited; absent when none waits.
    pub oldest_ready_ms: Option<u64>,
    /// Entries taken and not finished.
    pub pending: u32,
    /// Age of the oldest of them; absent when there is none.
    pub oldest_pending_ms: Option<u64>,
    /// Entries set aside for staff.
    pub dead_letters: u32,
}

/// A lease somebody holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseView {
    /// What it is about: `judgement`, or the name of singleton work (`backup`, `retention` …).
    pub name: String,
    /// The data owner in whose table it lies: `submission`, `admin` …
    pub owner: String,
    /// The hold: an attempt of a worker, or the token of a singleton's holder.
    pub holder: String,
    /// The start of the program whose worker holds it.
    pub boot_id: Option<String>,
    /// Whether that is another start than this one.
    pub is_foreign_boot: Option<bool>,
    pub since_ms: Option<i64>,
    /// Time until it ends without renewal; 0 when it has ended and nobody has recovered it yet.
    pub ends_in_ms: Option<u64>,
    /// Of a judgement's lease.
    pub judgement_id: Option<JudgementId>,
    pub submission_id: Option<SubmissionId>,
    pub submission_number: Option<u64>,
    pub generation: Option<u32>,
    /// Of singleton work.
    pub fence_token: Option<u64>,
}

/// How many rows of an outbox or inbox are in each state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoxView {
    /// The outbox's name, or the inbox's consumer.
    pub name: String,
    pub states: Vec<StateCount>,
    /// Age of the oldest row that still has to move; absent when none has.
    pub oldest_waiting_ms: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateCount {
    /// `pending`, `sent`, `claimed`, `delivered`, `processing`, `processed`, `dead` …
    pub state: String,
    pub count: u64,
}

/// A part that is absent because it could not be looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownPart {
    /// The field of [`OperationsView`].
    pub part: String,
    pub reason: String,
}
