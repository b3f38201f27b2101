//! Telling others which verdict counts.

use agon_contract::ids::{ChangeSetId, JudgementId, ProblemId, SubmissionId, UserId};
use agon_contract::verdict::Verdict;
use rusqlite::Connection;

use super::fence::{Lease, Target};
use crate::delivery::result_note::{self, AttentionBody, JUDGING_CANCELLED, ResultBody, VERDICT_COUNTS};
use crate::store::{WriteTx, text};

/// Whom a verdict concerns, and what counted before.
#[derive(Clone, Debug)]
pub(super) struct Addressee {
    submission_id: SubmissionId,
    number: u64,
    user_id: UserId,
    problem_id: ProblemId,
    problem_slug: String,
    submitted_at_ms: i64,
    /// Of the current judgement, at the time of the question.
    pub verdict: Option<Verdict>,
}

pub(super) fn addressee(connection: &Connection, id: &SubmissionId) -> rusqlite::Result<Addressee> {
    connection
        .prepare_cached(
            "SELECT s.number, s.user_id, s.problem_id, s.submitted_at_ms, s.facts ->> '$.problem.slug' AS slug, c.verdict
             FROM submission_submission s LEFT JOIN submission_judgement c ON c.id = s.current_judgement_id
             WHERE s.id = ?1",
        )?
        .query_row([id.as_str()], |row| {
            Ok(Addressee {
                submission_id: id.clone(),
                number: row.get("number")?,
                user_id: text(row, "user_id")?,
                problem_id: text(row, "problem_id")?,
                problem_slug: row.get::<_, Option<String>>("slug")?.unwrap_or_default(),
                submitted_at_ms: row.get("submitted_at_ms")?,
                verdict: row.get::<_, Option<String>>("verdict")?.map(|verdict| Verdict::from(verdict.as_str())),
            })
        })
}

impl Addressee {
    fn body(&self, judgement_id: &JudgementId, generation: u32, verdict: Option<&Verdict>) -> ResultBody {
        ResultBody {
            submission_id: self.submission_id.clone(),
            number: self.number,
            user_id: self.user_id.clone(),
            problem_id: self.problem_id.clone(),
            problem_slug: self.problem_slug.clone(),
            judgement_id: judgement_id.clone(),
            generation,
            verdict: verdict.cloned(),
            previous_verdict: self.verdict.clone(),
            change_set_id: None,
            submitted_at_ms: Some(self.submitted_at_ms),
        }
    }
}

/// A verdict counts as soon as it is in.
pub(super) fn tell_verdict(
    tx: &WriteTx<'_>,
    before: &Addressee,
    lease: &Lease,
    verdict: &Verdict,
) -> rusqlite::Result<()> {
    let body = before.body(&lease.judgement_id, lease.generation, Some(verdict));
    result_note::put(tx, VERDICT_COUNTS, None, &body).map(drop)
}

/// A verdict counts because a person applied its change set.
pub(super) fn tell_applied(
    tx: &WriteTx<'_>,
    before: &Addressee,
    judged: &Target,
    verdict: &Verdict,
    by: &UserId,
    change_set_id: &ChangeSetId,
) -> rusqlite::Result<()> {
    let body = before.body(&judged.judgement_id, judged.generation, Some(verdict));
    let body = ResultBody { change_set_id: Some(change_set_id.clone()), ..body };
    result_note::put(tx, VERDICT_COUNTS, Some(by), &body).map(drop)
}

/// A person ended the judging.
pub(super) fn tell_cancelled(
    tx: &WriteTx<'_>,
    before: &Addressee,
    cancelled: &Target,
    by: &UserId,
) -> rusqlite::Result<()> {
    let body = before.body(&cancelled.judgement_id, cancelled.generation, None);
    result_note::put(tx, JUDGING_CANCELLED, Some(by), &body).map(drop)
}

/// Staff must look: no further attempt is made by itself.
pub(super) fn tell_attention(
    tx: &WriteTx<'_>,
    id: &SubmissionId,
    generation: u32,
    reason: &str,
) -> rusqlite::Result<()> {
    let Addressee { submission_id, number, problem_slug, .. } = addressee(tx, id)?;
    let reason = reason.to_owned();
    let body = AttentionBody { submission_id, number, problem_slug, generation, reason };
    result_note::put_attention(tx, &body).map(drop)
}
