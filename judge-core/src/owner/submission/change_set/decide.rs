//! Deciding about a reviewed change set: apply, or discard.

use agon_contract::audit::AuditAction;
use agon_contract::ids::{ChangeSetId, JudgementId, UserId};
use agon_contract::reason::ReasonKind;
use agon_contract::rejudge::{ChangeSetItemState, ChangeSetState};
use agon_contract::verdict::Verdict;
use rusqlite::params;

use super::view::{self, Lying};
use super::{ChangeSetError, reason};
use crate::delivery::fenced::{Fenced, when};
use crate::owner::submission::fence::{self, Now, Target};
use crate::owner::submission::staff::{cancel, note};
use crate::owner::submission::succession::tell;
use crate::owner::submission::{Submissions, judgement, result};
use crate::store::{NewEvent, WriteTx};

/// open → decided.
pub(in crate::owner::submission) const DECIDE: Fenced = Fenced {
    name: "decide",
    change: "UPDATE submission_change_set SET state = :state, decided_at_ms = :wall, decided_by = :by",
    conditions: &[when("change set", "id = :id"), when("open", "state = 'open'")],
};

const DISCARDED: &str = ReasonKind::ChangeSetDiscarded.words();

impl Submissions {
    /// Lets the new verdicts count where the previewed ones still do; the rest is refused and says why.
    pub(crate) async fn apply_change_set(&self, id: &ChangeSetId, by: &UserId) -> Result<(), ChangeSetError> {
        let (id, by) = (id.clone(), by.clone());
        self.store.write("apply a change set", move |tx| apply(tx, &id, &by)).await?
    }

    /// Throws the new verdicts away; answers the judgings whose boxes must be killed.
    pub(crate) async fn discard_change_set(
        &self,
        id: &ChangeSetId,
        by: &UserId,
    ) -> Result<Vec<JudgementId>, ChangeSetError> {
        let (id, by) = (id.clone(), by.clone());
        self.store.write("discard a change set", move |tx| discard(tx, &id, &by, Now::of(tx))).await?
    }
}

/// Whether the decision was made before: the same again changes nothing, the other one is refused.
fn decided_before(
    tx: &WriteTx<'_>,
    id: &ChangeSetId,
    wanted: &ChangeSetState,
) -> rusqlite::Result<Result<bool, ChangeSetError>> {
    Ok(match view::state(tx, id)? {
        None => Err(ChangeSetError::NoChangeSet { id: id.0.clone() }),
        Some(state) if state == *wanted => Ok(true),
        Some(ChangeSetState::Open) => Ok(false),
        Some(ChangeSetState::Applied) => Err(ChangeSetError::Decided { state: "applied" }),
        Some(ChangeSetState::Discarded | ChangeSetState::Unknown(_)) => {
            Err(ChangeSetError::Decided { state: "discarded" })
        }
    })
}

pub(in crate::owner::submission) fn apply(
    tx: &WriteTx<'_>,
    id: &ChangeSetId,
    by: &UserId,
) -> rusqlite::Result<Result<(), ChangeSetError>> {
    match decided_before(tx, id, &ChangeSetState::Applied)? {
        Ok(true) => return Ok(Ok(())),
        Ok(false) => {}
        Err(error) => return Ok(Err(error)),
    }
    let items = view::all(tx, id)?;
    let unfinished = items.iter().filter(|item| is_unfinished(&item.state())).count();
    if unfinished > 0 {
        return Ok(Err(ChangeSetError::NotJudgedYet { count: u32::try_from(unfinished).unwrap_or(u32::MAX) }));
    }
    let (mut applied, mut refused) = (0_u32, 0_u32);
    for item in items.iter().filter(|item| item.outcome == "open") {
        match apply_one(tx, id, item, by)? {
            Ok(()) => applied += 1,
            Err(reason) => {
                refuse(tx, id, item, reason)?;
                refused += 1;
            }
        }
    }
    let details = serde_json::json!({ "applied": applied, "refused": refused });
    decide(tx, id, &ChangeSetState::Applied, by)?;
    note(tx, by, AuditAction::RejudgeApplied, id.as_str(), details)?;
    Ok(Ok(()))
}

fn is_unfinished(state: &ChangeSetItemState) -> bool {
    match state {
        ChangeSetItemState::Waiting | ChangeSetItemState::Judging | ChangeSetItemState::NeedsAttention => true,
        ChangeSetItemState::Judged
        | ChangeSetItemState::Applied
        | ChangeSetItemState::Refused
        | ChangeSetItemState::LeftOut
        | ChangeSetItemState::Ended
        | ChangeSetItemState::Unknown(_) => false,
    }
}

/// Moves one submission to its new judgement, or says why not.
fn apply_one(
    tx: &WriteTx<'_>,
    id: &ChangeSetId,
    item: &Lying,
    by: &UserId,
) -> rusqlite::Result<Result<(), &'static str>> {
    let (Some(new_id), Some(generation), Some(verdict)) = (&item.new_id, item.new_generation, &item.new_verdict) else {
        return Ok(Err(reason::NO_VERDICT));
    };
    if *verdict == Verdict::JudgeError {
        return Ok(Err(reason::JUDGE_ERROR));
    }
    let judged = Target { judgement_id: JudgementId(new_id.clone()), generation };
    let previewed = item.old_judgement_id.clone().map(JudgementId);
    let before = result::addressee(tx, &item.submission_id)?;
    if !fence::apply(tx, &item.submission_id, &judged.judgement_id, previewed.as_ref())? {
        return Ok(Err(reason::CURRENT_MOVED));
    }
    tx.prepare_cached(
        "UPDATE submission_change_set_item SET outcome = 'applied', new_judgement_id = ?3
         WHERE change_set_id = ?1 AND ordinal = ?2 AND outcome = 'open'",
    )?
    .execute(params![id.as_str(), item.ordinal, new_id])?;
    result::tell_applied(tx, &before, &judged, verdict, by, id)?;
    // From now on it is the submission's own affair.
    let plain = judgement::Origin::default();
    tell(tx, "JudgementFinished", &item.submission_id, generation, &plain, new_id)?;
    Ok(Ok(()))
}

fn refuse(tx: &WriteTx<'_>, id: &ChangeSetId, item: &Lying, reason: &str) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "UPDATE submission_change_set_item SET outcome = 'refused', reason = ?3
         WHERE change_set_id = ?1 AND ordinal = ?2 AND outcome = 'open'",
    )?
    .execute(params![id.as_str(), item.ordinal, reason])?;
    Ok(())
}

pub(in crate::owner::submission) fn discard(
    tx: &WriteTx<'_>,
    id: &ChangeSetId,
    by: &UserId,
    now: Now,
) -> rusqlite::Result<Result<Vec<JudgementId>, ChangeSetError>> {
    match decided_before(tx, id, &ChangeSetState::Discarded)? {
        Ok(true) => return Ok(Ok(Vec::new())),
        Ok(false) => {}
        Err(error) => return Ok(Err(error)),
    }
    let mut killed = Vec::new();
    for item in view::all(tx, id)?.iter().filter(|item| is_unfinished(&item.state())) {
        let Some(seen) = judgement::newest(tx, &item.submission_id)? else { continue };
        if seen.origin.held_by() == Some(id.as_str()) {
            killed.extend(cancel(tx, &item.submission_id, &seen, DISCARDED, by, now)?);
        }
    }
    decide(tx, id, &ChangeSetState::Discarded, by)?;
    note(tx, by, AuditAction::RejudgeDiscarded, id.as_str(), serde_json::json!({ "cancelled": killed.len() }))?;
    Ok(Ok(killed))
}

fn decide(tx: &WriteTx<'_>, id: &ChangeSetId, state: &ChangeSetState, by: &UserId) -> rusqlite::Result<()> {
    let values: [(&str, &dyn rusqlite::ToSql); 4] =
        [(":id", &id.as_str()), (":state", &state.as_str()), (":wall", &tx.wall_ms()), (":by", &by.as_str())];
    DECIDE.execute(tx, &values)?;
    tx.emit(&NewEvent {
        event_type: if *state == ChangeSetState::Applied { "ChangeSetApplied" } else { "ChangeSetDiscarded" },
        aggregate_id: id.as_str(),
        aggregate_version: 2,
        causation_id: None,
        payload: "{}".to_owned(),
    })
}
