//! What staff does to one submission's judging: again, cancel, revive – and the reconciler, which does it by itself.
//!
//! | step | on | effect, one transaction |
//! |---|---|---|
//! | again | newest finished | g+1 waits; the old judgement stays current until the new one is in, or applied |
//! | again, direct | newest open | g abandoned (superseded), g+1 waits; its box is killed |
//! | again, reviewed | newest open | left out: a held judgement must not take the place of the first verdict |
//! | cancel | newest open | cancelled; its box is killed |
//! | revive | newest waits, outbox or queue dead | g abandoned (revived), g+1 waits with fresh budgets |
//! | resend | newest waits, sent, in no queue | g abandoned (entry lost), g+1 waits |
//!
//! Revived and resent work goes to g+1, so that the queue's key never swallows it. (Rule: delivery, "Fence".)

use agon_contract::audit::AuditAction;
use agon_contract::ids::{JudgementId, SubmissionId, UserId};
use agon_contract::reason::ReasonKind;
use agon_contract::submission::JudgementState;
use agon_contract::{ApiError, ErrorCode};

use super::fence::{self, CANCEL, Now, RESEND, REVIVE, SUPERSEDE, Target};
use super::judgement::{self, Found, NewJudgement, Origin};
use super::succession::{self, Next, succeed, succeed_as, tell};
use super::{Submissions, result};
use crate::delivery::audit_note::{self, AuditNote};
use crate::delivery::fenced::Fenced;
use crate::delivery::lease::{self, Hold};
use crate::delivery::outbox::Carrier;
use crate::ids::new_id;
use crate::store::{StoreError, WriteTx, text};

/// Name of the lease under which lost work is sent again.
pub(crate) const RECONCILER_LEASE: &str = "reconciler";

const SUPERSEDED: &str = ReasonKind::Superseded.words();
const REVIVED: &str = ReasonKind::Revived.words();
const CANCELLED: &str = ReasonKind::CancelledByStaff.words();
const ENTRY_LOST: &str = ReasonKind::EntryLost.words();
const REJUDGED: &str = ReasonKind::JudgedAgain.words();

/// Why staff's wish was not done; nothing changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StaffError {
    #[error("there is no submission {id}")]
    NoSubmission { id: SubmissionId },
    #[error("nothing of this submission waits or is judged now")]
    NothingOpen,
    #[error("this submission does not need attention")]
    NotSetAside,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<StaffError> for ApiError {
    fn from(error: StaffError) -> Self {
        match error {
            StaffError::NoSubmission { .. } => ApiError::new(ErrorCode::NotFound, error.to_string()),
            StaffError::NothingOpen | StaffError::NotSetAside => ApiError::new(ErrorCode::Conflict, error.to_string()),
            StaffError::Store(error) => error.into(),
        }
    }
}

/// What became of the wish to judge one submission again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Again {
    /// A new generation waits. What was being judged is superseded: its box must be killed.
    Waits { superseded: Option<JudgementId> },
    /// It is being judged now, and the new judgement would be held back.
    BeingJudged,
}

/// The newest judgement as a step names it.
fn target(found: &Found) -> Target {
    Target { judgement_id: found.id.clone(), generation: found.generation }
}

fn is_open(found: &Found) -> bool {
    match found.state {
        JudgementState::Pending | JudgementState::Judging => true,
        JudgementState::Judged | JudgementState::Abandoned | JudgementState::Cancelled | JudgementState::Unknown(_) => {
            false
        }
    }
}

/// Judges a submission again, on what is seen of it now.
pub(super) fn again(
    tx: &WriteTx<'_>,
    id: &SubmissionId,
    seen: &Found,
    origin: Origin,
    now: Now,
) -> rusqlite::Result<Again> {
    if !is_open(seen) {
        return again_after(tx, id, seen, origin, now);
    }
    if origin.is_held {
        return Ok(Again::BeingJudged);
    }
    if !fence::end(&SUPERSEDE, tx, &target(seen), SUPERSEDED, now)? {
        return Ok(Again::BeingJudged);
    }
    succeed_as(tx, id, seen.generation, origin, &Next::now(SUPERSEDED, now))?;
    let superseded = (seen.state == JudgementState::Judging).then(|| seen.id.clone());
    Ok(Again::Waits { superseded })
}

fn again_after(tx: &WriteTx<'_>, id: &SubmissionId, seen: &Found, origin: Origin, now: Now) -> rusqlite::Result<Again> {
    let next = NewJudgement::new(id.clone(), seen.generation + 1, origin);
    if !fence::again(tx, &next, now)? {
        return Ok(Again::BeingJudged);
    }
    succession::wish(tx, &next, &Next::now("", now))?;
    tell(tx, "JudgementQueued", id, next.generation, &next.origin, REJUDGED)?;
    Ok(Again::Waits { superseded: None })
}

/// Ends what waits or is judged of a submission; answers which box must be killed, `None` when nothing was open.
pub(super) fn cancel(
    tx: &WriteTx<'_>,
    id: &SubmissionId,
    seen: &Found,
    reason: &str,
    by: &UserId,
    now: Now,
) -> rusqlite::Result<Option<JudgementId>> {
    let target = target(seen);
    if !fence::end(&CANCEL, tx, &target, reason, now)? {
        return Ok(None);
    }
    succession::close(tx, id, seen.generation)?;
    tell(tx, "JudgementCancelled", id, seen.generation, &seen.origin, reason)?;
    if !seen.origin.is_held {
        result::tell_cancelled(tx, &result::addressee(tx, id)?, &target, by)?;
    }
    Ok(Some(target.judgement_id))
}

/// Gives a judgement that waits without a way forward to the next generation. `step` is [`REVIVE`] or [`RESEND`].
pub(super) fn set_going(
    tx: &WriteTx<'_>,
    step: &Fenced,
    id: &SubmissionId,
    target: &Target,
    reason: &str,
    now: Now,
) -> rusqlite::Result<bool> {
    if !fence::end(step, tx, target, reason, now)? {
        return Ok(false);
    }
    succeed(tx, id, target.generation, &Next::now(reason, now))?;
    Ok(true)
}

/// Judgements that wait, were sent, and are in no queue.
pub(super) fn lost_entries(connection: &rusqlite::Connection) -> rusqlite::Result<Vec<(SubmissionId, Target)>> {
    connection
        .prepare_cached(
            "SELECT submission_id, id, generation FROM submission_judgement
             WHERE state IN ('pending', 'judging') AND state = 'pending'
               AND EXISTS (SELECT 1 FROM submission_judge_outbox o
                           WHERE o.submission_id = submission_judgement.submission_id
                             AND o.generation = submission_judgement.generation AND o.state IN ('sent', 'archived'))
               AND NOT EXISTS (SELECT 1 FROM submission_queue_entry q
                               WHERE q.submission_id = submission_judgement.submission_id
                                 AND q.generation = submission_judgement.generation
                                 AND q.state IN ('ready', 'taken', 'dead'))
             LIMIT 50",
        )?
        .query_map([], |row| {
            let target = Target { judgement_id: text(row, "id")?, generation: row.get("generation")? };
            Ok((text(row, "submission_id")?, target))
        })?
        .collect()
}

/// Sends lost work again; answers how much.
pub(super) fn resend(tx: &WriteTx<'_>, found: &[(SubmissionId, Target)], now: Now) -> rusqlite::Result<u32> {
    let mut resent = 0;
    for (id, target) in found {
        resent += u32::from(set_going(tx, &RESEND, id, target, ENTRY_LOST, now)?);
    }
    Ok(resent)
}

impl Submissions {
    /// Ends what waits or is judged of a submission, without a verdict; answers the judgement whose box must be killed.
    pub(crate) async fn cancel_judging(&self, id: &SubmissionId, by: &UserId) -> Result<JudgementId, StaffError> {
        let (id, by) = (id.clone(), by.clone());
        self.store
            .write("cancel a judging", move |tx| {
                let Some(seen) = judgement::newest(tx, &id)? else { return Ok(Err(StaffError::NoSubmission { id })) };
                let Some(cancelled) = cancel(tx, &id, &seen, CANCELLED, &by, Now::of(tx))? else {
                    return Ok(Err(StaffError::NothingOpen));
                };
                let details = serde_json::json!({ "generation": seen.generation });
                note(tx, &by, AuditAction::JudgementCancelled, id.as_str(), details)?;
                Ok(Ok(cancelled))
            })
            .await?
    }

    /// Sets going what was set aside, as the next generation.
    pub(crate) async fn revive(&self, id: &SubmissionId, by: &UserId) -> Result<(), StaffError> {
        let (id, by) = (id.clone(), by.clone());
        self.store
            .write("revive a submission", move |tx| {
                let Some(seen) = judgement::newest(tx, &id)? else { return Ok(Err(StaffError::NoSubmission { id })) };
                if !set_going(tx, &REVIVE, &id, &target(&seen), REVIVED, Now::of(tx))? {
                    return Ok(Err(StaffError::NotSetAside));
                }
                let details = serde_json::json!({ "generation": seen.generation + 1 });
                note(tx, &by, AuditAction::DeadLetterRevived, id.as_str(), details)?;
                Ok(Ok(()))
            })
            .await?
    }

    /// Finds work whose queue entry was lost and sends it again, under the lease [`RECONCILER_LEASE`]; answers how much.
    /// The lease is taken only when something is lost, so that its fence token counts how often that was.
    pub(crate) async fn reconcile(&self) -> Result<u32, StoreError> {
        if self.store.read_for_work("look for lost queue entries", lost_entries).await?.is_empty() {
            return Ok(0);
        }
        let holder = Carrier { token: new_id(), boot_id: self.boot_id.to_string() };
        let take = move |tx: &WriteTx<'_>| lease::acquire(tx, RECONCILER_LEASE, &holder, tx.steady_ms());
        let Some(hold) = self.store.write("take a lease", take).await? else { return Ok(0) };
        let resent = self.reconcile_held(hold.clone()).await;
        self.store.write("release a lease", move |tx| lease::release(tx, &hold)).await?;
        resent
    }

    /// What is lost is looked for again in the transaction that sends it, and found by the lease's holder alone.
    async fn reconcile_held(&self, hold: Hold) -> Result<u32, StoreError> {
        self.store
            .write("send lost work again", move |tx| {
                if !lease::is_held(tx, &hold, tx.steady_ms())? {
                    return Ok(0);
                }
                resend(tx, &lost_entries(tx)?, Now::of(tx))
            })
            .await
    }
}

/// Tells the audit log.
pub(super) fn note(
    tx: &WriteTx<'_>,
    by: &UserId,
    action: AuditAction,
    object: &str,
    details: serde_json::Value,
) -> rusqlite::Result<()> {
    audit_note::put(tx, &AuditNote { actor: Some(by), action, object, details }).map(drop)
}
