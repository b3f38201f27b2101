//! What the submission owner tells others about verdicts, in the transaction in which they begin to count.

use agon_contract::ids::{ChangeSetId, JudgementId, ProblemId, SubmissionId, UserId};
use agon_contract::verdict::Verdict;
use serde::{Deserialize, Serialize};

use super::outbox::{self, NewMessage, Topic};
use crate::store::{WriteTx, json};

/// A judgement counts from now on: the first one, or another than before.
pub(crate) const VERDICT_COUNTS: &str = "VerdictCounts";
/// A person ended a judging; there is no new verdict.
pub(crate) const JUDGING_CANCELLED: &str = "JudgingCancelled";
/// A submission is out of automatic attempts: staff must look. Its body is an [`AttentionBody`].
pub(crate) const NEEDS_ATTENTION: &str = "NeedsAttention";
/// Version of [`ResultBody`].
pub(crate) const RESULT_NOTE_VERSION: u32 = 1;

/// The payload of both messages; the aggregate is the submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ResultBody {
    pub submission_id: SubmissionId,
    /// Short number for people.
    pub number: u64,
    /// Who handed it in.
    pub user_id: UserId,
    pub problem_id: ProblemId,
    pub problem_slug: String,
    pub judgement_id: JudgementId,
    pub generation: u32,
    /// `None` when cancelled.
    pub verdict: Option<Verdict>,
    /// Of the judgement that counted before; `None` when none did.
    pub previous_verdict: Option<Verdict>,
    /// The change set whose application made it count.
    pub change_set_id: Option<ChangeSetId>,
    /// When it was handed in; absent in messages of earlier versions.
    #[serde(default)]
    pub submitted_at_ms: Option<i64>,
}

/// The payload of [`NEEDS_ATTENTION`]; the aggregate is the submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AttentionBody {
    pub submission_id: SubmissionId,
    /// Short number for people.
    pub number: u64,
    pub problem_slug: String,
    pub generation: u32,
    /// Why no further attempt is made by itself.
    pub reason: String,
}

/// Writes the message for staff beside the change it tells about.
pub(crate) fn put_attention(tx: &WriteTx<'_>, body: &AttentionBody) -> rusqlite::Result<String> {
    outbox::put(
        tx,
        &NewMessage {
            topic: Topic::Result,
            message_type: NEEDS_ATTENTION,
            schema_version: RESULT_NOTE_VERSION,
            actor: None,
            aggregate_id: body.submission_id.as_str(),
            payload: json(body),
        },
    )
}

/// Writes the message beside the change it tells about.
pub(crate) fn put(
    tx: &WriteTx<'_>,
    message_type: &'static str,
    actor: Option<&UserId>,
    body: &ResultBody,
) -> rusqlite::Result<String> {
    outbox::put(
        tx,
        &NewMessage {
            topic: Topic::Result,
            message_type,
            schema_version: RESULT_NOTE_VERSION,
            actor,
            aggregate_id: body.submission_id.as_str(),
            payload: json(body),
        },
    )
}
