//! The life of a judgement: each step of the fence with everything that follows from it, as one commit.

use std::time::Duration;

use agon_contract::ids::SubmissionId;
use agon_contract::submission::JudgementState;
use agon_contract::verdict::Verdict;

use super::Submissions;
use super::fence::{self, LEASE_LOST, Lease, Now, Settlement};
use super::judgement::{self, NewJudgement};
use super::saved::{self, Saved};
use crate::delivery::backoff::fault_delay;
use crate::delivery::{judge_outbox, queue};
use crate::judging::{Judged, JudgedRun};
use crate::store::{NewEvent, StoreError, WriteTx};

/// Faults of ours on a healthy backend before a submission gets a judge error. (Rule: delivery, "Fence".)
const FAULT_BUDGET: u32 = 3;

/// What a worker may judge now.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub lease: Lease,
    pub saved: Saved,
}

/// Why a judging ended without a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The backend is away: again when it is back, at no cost.
    BackendAway { reason: String },
    /// Ours, on a healthy backend: again after a while, within the budget.
    Ours { reason: String, after: Duration },
    /// Only a person can tell what to do.
    AskStaff { reason: String },
    /// The program is closing: again at the next start.
    HandedBack,
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Done,
    /// The lease was lost or the generation is old: the result was dropped.
    Stale,
}

impl Submissions {
    /// Sends due outbox rows into the queue; answers how many.
    pub(crate) async fn dispatch(&self) -> Result<usize, StoreError> {
        let now = self.now();
        let due = self.store.read("look for unsent work", move |c| judge_outbox::due(c, now.steady_ms)).await?;
        if due.is_empty() {
            return Ok(0);
        }
        self.store
            .write("send work to the queue", move |tx| {
                let mut sent = 0;
                for row in &due {
                    if judge_outbox::mark_sent(tx, row.id, tx.wall_ms())? {
                        queue::enqueue(tx, &row.submission_id, row.generation, tx.wall_ms())?;
                        sent += 1;
                    }
                }
                Ok(sent)
            })
            .await
    }

    /// Takes the next entry of the queue and the lease on its judgement. Entries whose judgement no longer waits are
    /// acknowledged on the way; one that cannot be read is set aside.
    pub(crate) async fn take(&self) -> Result<Option<Order>, StoreError> {
        let depth = self.store.read("look into the queue", queue::depth).await?;
        if depth == 0 {
            return Ok(None);
        }
        let (boot_id, now) = (self.boot_id.clone(), self.now());
        self.store
            .write("take work from the queue", move |tx| {
                while let Some(entry) = queue::poll(tx, &boot_id, now.steady_ms)? {
                    match claim(tx, &entry, &boot_id, now) {
                        Ok(Some(order)) => return Ok(Some(order)),
                        Ok(None) => queue::finish(tx, &entry.submission_id, entry.generation)?,
                        Err(error @ rusqlite::Error::FromSqlConversionFailure(..)) => {
                            tracing::error!(submission.id = %entry.submission_id, %error, "a queue entry was set aside");
                            queue::dead_letter(tx, entry.id, &error.to_string())?
                        }
                        Err(error) => return Err(error),
                    };
                }
                Ok(None)
            })
            .await
    }

    /// Prolongs the lease.
    pub(crate) async fn renew(&self, lease: &Lease) -> Result<Step, StoreError> {
        let (lease, now) = (lease.clone(), self.now());
        self.store.write("renew a lease", move |tx| Ok(step(fence::renew(tx, &lease, now)?))).await
    }

    /// Stores the verdict with its runs; it becomes the submission's current judgement.
    pub(crate) async fn settle(&self, lease: &Lease, judged: Judged, machine: String) -> Result<Step, StoreError> {
        let (lease, now) = (lease.clone(), self.now());
        self.store
            .write("store the verdict", move |tx| settle(tx, &lease, &settlement(&judged, machine), &judged.runs, now))
            .await
    }

    /// Ends a judging without a verdict: the next generation takes over, or, when the budget is spent, a judge error.
    pub(crate) async fn fail(&self, lease: &Lease, fault: Fault) -> Result<Step, StoreError> {
        let (lease, now) = (lease.clone(), self.now());
        self.store.write("store a fault", move |tx| fail(tx, &lease, &fault, now)).await
    }

    /// Gives judgements whose worker is gone to the next generation, and entries whose consumer is gone back to the
    /// queue; answers how many judgements.
    pub(crate) async fn recover(&self) -> Result<usize, StoreError> {
        let mut recovered = 0;
        loop {
            let (boot_id, now) = (self.boot_id.clone(), self.now());
            let found = {
                let boot_id = boot_id.clone();
                self.store.read("look for lost leases", move |c| fence::orphans(c, &boot_id, now)).await?
            };
            if found.is_empty() {
                return Ok(recovered);
            }
            recovered += self
                .store
                .write("recover lost leases", move |tx| {
                    let mut count = 0;
                    for orphan in &found {
                        if fence::recover(tx, orphan, &boot_id, now)? {
                            let next = Next { faults: orphan.faults, ..Next::now(LEASE_LOST, now) };
                            succeed(tx, &orphan.submission_id, orphan.generation, &next)?;
                            count += 1;
                        }
                    }
                    Ok(count)
                })
                .await?;
        }
    }

    /// Offers again what consumers took and never finished.
    pub(crate) async fn reclaim(&self) -> Result<(), StoreError> {
        let (boot_id, now) = (self.boot_id.clone(), self.now());
        let (dead, again) =
            self.store.write("reclaim queue entries", move |tx| queue::reclaim(tx, &boot_id, now.steady_ms)).await?;
        if dead + again > 0 {
            tracing::warn!(dead, again, "queue entries were left by their consumers");
        }
        Ok(())
    }
}

fn step(happened: bool) -> Step {
    if happened { Step::Done } else { Step::Stale }
}

/// The lease and the work of an entry; `None` when its judgement does not wait any more.
fn claim(tx: &WriteTx<'_>, entry: &queue::Entry, boot_id: &str, now: Now) -> rusqlite::Result<Option<Order>> {
    let Some(found) = judgement::find(tx, &entry.submission_id, entry.generation)? else { return Ok(None) };
    if found.state != JudgementState::Pending {
        return Ok(None);
    }
    let saved = saved::load(tx, &entry.submission_id)?;
    let lease = Lease::wanted(found.id, entry.submission_id.clone(), entry.generation, boot_id);
    if !fence::acquire(tx, &lease, now)? {
        return Ok(None);
    }
    emit(tx, "JudgementStarted", &lease.submission_id, lease.generation, lease.judgement_id.as_str())?;
    Ok(Some(Order { lease, saved }))
}

fn settlement(judged: &Judged, machine: String) -> Settlement {
    let fault = judged.fault.as_ref().map(ToString::to_string);
    let reason = match (&judged.verdict, judged.reason.is_empty(), fault) {
        (Verdict::JudgeError, true, fault) => fault.unwrap_or_else(|| "package fault".to_owned()),
        (Verdict::CompileError, true, _) => judged.compile.reason.clone(),
        _ => judged.reason.clone(),
    };
    Settlement {
        verdict: judged.verdict.clone(),
        reason,
        compiler_text: judged.compile.text.clone(),
        first_failing: judged.first_failing.clone(),
        max_cpu_ms: judged.max_cpu_ms,
        max_wall_ms: judged.max_wall_ms,
        peak_memory_bytes: judged.peak_memory_bytes,
        machine,
        image_id: judged.image_id.clone(),
    }
}

fn settle(
    tx: &WriteTx<'_>,
    lease: &Lease,
    settlement: &Settlement,
    runs: &[JudgedRun],
    now: Now,
) -> rusqlite::Result<Step> {
    if !fence::settle(tx, lease, settlement, now)? {
        return Ok(Step::Stale);
    }
    for run in runs {
        judgement::insert_run(tx, &lease.judgement_id, run)?;
    }
    saved::set_current(tx, &lease.submission_id, lease.judgement_id.as_str())?;
    judge_outbox::archive(tx, &lease.submission_id, lease.generation)?;
    queue::finish(tx, &lease.submission_id, lease.generation)?;
    emit(tx, "JudgementFinished", &lease.submission_id, lease.generation, lease.judgement_id.as_str())?;
    Ok(Step::Done)
}

fn fail(tx: &WriteTx<'_>, lease: &Lease, fault: &Fault, now: Now) -> rusqlite::Result<Step> {
    let before = judgement::find(tx, &lease.submission_id, lease.generation)?.map_or(0, |found| found.faults);
    let next = match fault {
        Fault::BackendAway { reason } => Next { faults: before, ..Next::now(reason, now) },
        Fault::HandedBack => Next { faults: before, ..Next::now("handed back at closing", now) },
        Fault::AskStaff { reason } => Next { faults: before, needs_attention: true, ..Next::now(reason, now) },
        Fault::Ours { reason, .. } if before + 1 >= FAULT_BUDGET => {
            let judge_error = out_of_budget(reason);
            return settle(tx, lease, &judge_error, &[], now);
        }
        Fault::Ours { reason, after } => {
            let delay = (*after).max(fault_delay(before + 1));
            let delay_ms = i64::try_from(delay.as_millis()).unwrap_or(i64::MAX);
            let mut next = Next { faults: before + 1, ..Next::now(reason, now) };
            next.due_at_ms = now.steady_ms.saturating_add(delay_ms);
            next
        }
    };
    if !fence::abandon(tx, lease, next.reason, now)? {
        return Ok(Step::Stale);
    }
    succeed(tx, &lease.submission_id, lease.generation, &next)?;
    Ok(Step::Done)
}

fn out_of_budget(reason: &str) -> Settlement {
    Settlement {
        verdict: Verdict::JudgeError,
        reason: format!("{FAULT_BUDGET} attempts failed; the last: {reason}"),
        compiler_text: Vec::new(),
        first_failing: None,
        max_cpu_ms: None,
        max_wall_ms: None,
        peak_memory_bytes: None,
        machine: String::new(),
        image_id: String::new(),
    }
}

/// How the next generation starts.
struct Next<'a> {
    reason: &'a str,
    faults: u32,
    due_at_ms: i64,
    needs_attention: bool,
}

impl<'a> Next<'a> {
    fn now(reason: &'a str, now: Now) -> Self {
        Self { reason, faults: 0, due_at_ms: now.steady_ms, needs_attention: false }
    }
}

/// After generation g was abandoned: g+1 waits, with its own outbox row; what g left in outbox and queue is closed.
fn succeed(tx: &WriteTx<'_>, id: &SubmissionId, generation: u32, next: &Next<'_>) -> rusqlite::Result<()> {
    judge_outbox::archive(tx, id, generation)?;
    queue::finish(tx, id, generation)?;
    let judgement = NewJudgement::new(id.clone(), generation + 1, next.faults);
    judgement::insert(tx, &judgement, tx.wall_ms())?;
    let wish = judge_outbox::NewRow {
        submission_id: id,
        generation: judgement.generation,
        next_retry_at_ms: next.due_at_ms,
        last_error: next.reason,
        needs_attention: next.needs_attention,
    };
    judge_outbox::insert(tx, &wish, tx.wall_ms())?;
    emit(tx, "JudgementAbandoned", id, judgement.generation, next.reason)
}

fn emit(
    tx: &WriteTx<'_>,
    event_type: &'static str,
    id: &SubmissionId,
    generation: u32,
    detail: &str,
) -> rusqlite::Result<()> {
    tx.emit(&NewEvent {
        event_type,
        aggregate_id: id.as_str(),
        aggregate_version: generation,
        causation_id: None,
        payload: serde_json::json!({ "generation": generation, "detail": detail }).to_string(),
    })
}
