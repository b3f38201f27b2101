//! Judging again: what is asked for, the change set that comes of it, and what a person decides about it.
//!
//! A rejudging freezes its selection in the transaction that makes it. A *direct* one lets each new verdict count as
//! soon as it is in. A *reviewed* one holds the new verdicts back until somebody has looked at old and new and applied
//! or discarded them. (Rule: delivery, "Fence".)

use serde::{Deserialize, Serialize};

use crate::ids::{ChangeSetId, ContestId, IdempotencyKey, LanguageId, ProblemId, SubmissionId, UserId};
use crate::verdict::Verdict;
use crate::wire_enum::wire_enum;

/// Which submissions are judged again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RejudgeSelection {
    Submission {
        submission_id: SubmissionId,
    },
    /// All that fit every condition that is given; at least one must be. At most 10,000 submissions.
    Matching {
        #[serde(default)]
        problem_id: Option<ProblemId>,
        #[serde(default)]
        language_id: Option<LanguageId>,
        /// Of the judgement that counts now.
        #[serde(default)]
        verdict: Option<Verdict>,
        #[serde(default)]
        contest_id: Option<ContestId>,
    },
}

wire_enum! {
    /// When the new verdicts count.
    RejudgeMode {
        /// As soon as each is in. What is being judged right now is superseded.
        Direct = "direct",
        /// When the change set is applied. What is being judged right now is left out.
        Reviewed = "reviewed",
    }
}

wire_enum! {
    /// By which facts of the problem is judged.
    RejudgeBasis {
        /// Those of now: the newest test data and limits. A problem off the list is judged as handed in.
        Newest = "newest",
        /// Those sealed with each submission.
        AsHandedIn = "as_handed_in",
    }
}

/// Judges submissions again. The same key with the same payload answers the same change set; with another: `conflict`.
/// Needs the permission `rejudge`, like everything in this module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejudge {
    /// Made at the click.
    pub idempotency_key: IdempotencyKey,
    pub selection: RejudgeSelection,
    pub mode: RejudgeMode,
    pub basis: RejudgeBasis,
}

wire_enum! {
    /// Where a change set stands.
    ChangeSetState {
        /// Reviewed, not yet decided.
        Open = "open",
        /// Its verdicts count (those of a direct one from the start).
        Applied = "applied",
        /// Its verdicts never count; what was not judged yet is cancelled.
        Discarded = "discarded",
    }
}

wire_enum! {
    /// What became of one submission of a change set.
    ChangeSetItemState {
        /// Waits for a worker.
        Waiting = "waiting",
        Judging = "judging",
        /// The new verdict is in.
        Judged = "judged",
        /// Out of automatic attempts: see the dead letters.
        NeedsAttention = "needs_attention",
        /// The new judgement counts.
        Applied = "applied",
        /// Not taken over; the reason says why.
        Refused = "refused",
        /// Matched, but not judged again; the reason says why.
        LeftOut = "left_out",
        /// Cancelled, discarded or superseded before it had a verdict.
        Ended = "ended",
    }
}

/// Why a submission was left out or refused: `being_judged`, `language_not_admitted`, `current_moved` (another
/// judgement counts by now than the one previewed), `no_verdict`, `judge_error` (nobody's verdict).
pub type ItemReason = String;

/// One submission of a change set, old verdict and new.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeSetItem {
    /// From 1, by submission number.
    pub ordinal: u32,
    pub submission_id: SubmissionId,
    pub number: u64,
    pub user_id: UserId,
    pub problem_slug: String,
    pub language_id: LanguageId,
    pub state: ChangeSetItemState,
    /// Of the judgement that counted when the change set was made.
    pub old_verdict: Option<Verdict>,
    pub new_verdict: Option<Verdict>,
    /// Empty unless refused, left out, ended or in need of attention.
    pub reason: ItemReason,
}

/// How far a change set is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeSetCounts {
    pub total: u32,
    pub waiting: u32,
    pub judging: u32,
    /// With a new verdict.
    pub judged: u32,
    /// Of those: the verdict is another than the old one.
    pub changed: u32,
    /// People with at least one changed verdict.
    pub people_affected: u32,
    pub needs_attention: u32,
    pub left_out: u32,
    pub applied: u32,
    pub refused: u32,
    pub ended: u32,
}

/// A rejudging: who asked for what, how far it is, and a page of its submissions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeSetView {
    pub id: ChangeSetId,
    /// Short number for people, per data folder.
    pub number: u64,
    pub made_by: UserId,
    pub made_at_ms: i64,
    pub selection: RejudgeSelection,
    pub mode: RejudgeMode,
    pub basis: RejudgeBasis,
    pub state: ChangeSetState,
    /// When and by whom it was applied or discarded.
    pub decided_at_ms: Option<i64>,
    pub decided_by: Option<UserId>,
    pub counts: ChangeSetCounts,
    /// Empty in a list of change sets.
    pub items: Vec<ChangeSetItem>,
    /// Pass as `after_ordinal` for the next page of items; `None` at the end.
    pub next_after_ordinal: Option<u32>,
}

/// Newest first, without items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListChangeSets {
    /// Rows older than this number; `None` for the newest.
    pub before_number: Option<u64>,
    /// 1 to 200.
    pub limit: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeSetPage {
    pub rows: Vec<ChangeSetView>,
    /// Pass as `before_number` for the next page; `None` at the end.
    pub next_before_number: Option<u64>,
}

/// One change set with a page of its submissions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetChangeSet {
    pub change_set_id: ChangeSetId,
    /// 0 for the first page.
    pub after_ordinal: u32,
    /// 1 to 200.
    pub limit: u32,
    /// Only submissions whose verdict changes.
    pub only_changed: bool,
}

/// Lets the new verdicts count, all that still may in one commit; the rest is refused and listed. `conflict` while
/// some are not judged yet, and after a discard; applying twice answers the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApplyChangeSet {
    pub change_set_id: ChangeSetId,
}

/// Throws the new verdicts away. `conflict` once it is applied; discarding twice answers the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiscardChangeSet {
    pub change_set_id: ChangeSetId,
}

/// Ends the judging that waits or runs, without a verdict; a running box is killed. `conflict` when there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CancelJudging {
    pub submission_id: SubmissionId,
}

/// Sends a submission that needs attention to the queue again, as its next generation and with a fresh budget.
/// `conflict` when it does not need attention.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revive {
    pub submission_id: SubmissionId,
}
