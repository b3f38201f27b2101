//! How one generation ends and the next begins: outbox, queue, new judgement, event – in the caller's transaction.

use agon_contract::ids::SubmissionId;

use super::fence::Now;
use super::judgement::{self, NewJudgement, Origin};
use super::result;
use crate::delivery::judge_outbox;
use crate::delivery::queue::{EmbeddedQueue, JudgeQueue, Task};
use crate::store::{NewEvent, WriteTx};

/// How the next generation starts.
#[derive(Clone, Debug)]
pub(super) struct Next<'a> {
    /// Why the one before it ended.
    pub reason: &'a str,
    /// Spent of the budgets so far.
    pub faults: u32,
    pub lost_leases: u32,
    /// Steady milliseconds.
    pub due_at_ms: i64,
    pub needs_attention: bool,
}

impl<'a> Next<'a> {
    /// At once and with fresh budgets.
    pub(super) fn now(reason: &'a str, now: Now) -> Self {
        Self { reason, faults: 0, lost_leases: 0, due_at_ms: now.steady_ms, needs_attention: false }
    }
}

/// Closes what a finished generation left in outbox and queue.
pub(super) fn close(tx: &WriteTx<'_>, id: &SubmissionId, generation: u32) -> rusqlite::Result<()> {
    judge_outbox::close(tx, id, generation)?;
    let task = Task::new(id, generation);
    if !EmbeddedQueue.ack(tx, &task)? {
        EmbeddedQueue.close_dead(tx, &task)?;
    }
    Ok(())
}

/// After generation g was abandoned: g+1 of the same origin waits, with its own outbox row.
pub(super) fn succeed(tx: &WriteTx<'_>, id: &SubmissionId, generation: u32, next: &Next<'_>) -> rusqlite::Result<()> {
    let origin = judgement::origin(tx, id, generation)?;
    succeed_as(tx, id, generation, origin, next)
}

/// The same, where the next generation is of another origin.
pub(super) fn succeed_as(
    tx: &WriteTx<'_>,
    id: &SubmissionId,
    generation: u32,
    origin: Origin,
    next: &Next<'_>,
) -> rusqlite::Result<()> {
    close(tx, id, generation)?;
    let mut judgement = NewJudgement::new(id.clone(), generation + 1, origin);
    judgement.faults = next.faults;
    judgement.lost_leases = next.lost_leases;
    judgement::insert(tx, &judgement, tx.wall_ms())?;
    wish(tx, &judgement, next)?;
    emit(tx, "JudgementAbandoned", id, &judgement, next.reason)
}

/// Writes the wish that a new judgement be judged.
pub(super) fn wish(tx: &WriteTx<'_>, judgement: &NewJudgement, next: &Next<'_>) -> rusqlite::Result<()> {
    let row = judge_outbox::NewRow {
        submission_id: &judgement.submission_id,
        generation: judgement.generation,
        next_retry_at_ms: next.due_at_ms,
        last_error: next.reason,
        needs_attention: next.needs_attention,
    };
    judge_outbox::insert(tx, &row, tx.wall_ms())?;
    if next.needs_attention {
        result::tell_attention(tx, &judgement.submission_id, judgement.generation, next.reason)?;
    }
    Ok(())
}

fn emit(
    tx: &WriteTx<'_>,
    event_type: &'static str,
    id: &SubmissionId,
    judgement: &NewJudgement,
    detail: &str,
) -> rusqlite::Result<()> {
    tell(tx, event_type, id, judgement.generation, &judgement.origin, detail)
}

/// Emits an event of a judgement. One that a change set holds back is told as the change set's: what it finds is
/// nobody's business before it is applied.
pub(super) fn tell(
    tx: &WriteTx<'_>,
    event_type: &'static str,
    id: &SubmissionId,
    generation: u32,
    origin: &Origin,
    detail: &str,
) -> rusqlite::Result<()> {
    tx.emit(&NewEvent {
        event_type,
        aggregate_id: origin.held_by().unwrap_or(id.as_str()),
        aggregate_version: generation,
        causation_id: origin.change_set_id.as_deref(),
        payload: serde_json::json!({ "submission_id": id, "generation": generation, "detail": detail }).to_string(),
    })
}
