//! The life of a judgement: each step of the fence with everything that follows from it, as one commit.

use agon_contract::reason::ReasonKind;
use std::sync::Arc;
use std::time::Duration;

use agon_contract::score::Score;
use agon_contract::submission::{GroupView, JudgementState};
use agon_contract::verdict::Verdict;

use super::fence::{self, LEASE_LOST, Lease, Now, Orphan, Settlement};
use super::judgement::{self, Found};
use super::manifest::Manifest;
use super::saved::{self, Saved};
use super::succession::{self, Next, succeed, tell};
use super::{Submissions, basis, result};
use crate::delivery::backoff::fault_delay;
use crate::delivery::judge_outbox::{self, Due};
use crate::delivery::queue::{Delivery, EmbeddedQueue, JudgeQueue, Moment, Polled, Reclaimed, Task, embedded};
use crate::domain::facts::ProblemFacts;
use crate::domain::language::Language;
use crate::judging::{Judged, JudgedRun};
use crate::store::{StoreError, WriteTx, json};

/// Faults of ours on a healthy backend before a submission gets a judge error. (Rule: delivery, "Fence".)
const FAULT_BUDGET: u32 = 3;

/// Leases that a submission may lose before a person must look: what takes the whole process down each time would
/// otherwise be judged for ever. Never an automatic judge error, so that nobody can choose one for himself.
pub(super) const LOST_LEASES_MAX: u32 = 3;

/// What a worker may judge now.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    pub lease: Lease,
    pub saved: Saved,
    /// By which facts: those sealed with the submission, or those that a rejudging took.
    pub problem: ProblemFacts,
    /// The language's definition as those facts name it; `None` when it was never kept.
    pub language: Option<Arc<Language>>,
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
    /// Its verdict could not be stored while the lease lived: again at once.
    CameLate,
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Done,
    /// The lease was lost or the generation is old: the result was dropped.
    Stale,
}

impl Submissions {
    /// Sends due outbox rows into the queue; answers how many left the outbox.
    pub(crate) async fn dispatch(&self) -> Result<usize, StoreError> {
        let clock = Arc::clone(&self.clock);
        let due =
            self.store.read_for_work("look for unsent work", move |c| judge_outbox::due(c, clock.steady_ms())).await?;
        if due.is_empty() {
            return Ok(0);
        }
        self.store.write("send work to the queue", move |tx| send(tx, &EmbeddedQueue, &due, Now::of(tx))).await
    }

    /// Takes the next entry of the queue and the lease on its judgement. Entries whose judgement no longer waits are
    /// acknowledged on the way; one that cannot be read is set aside.
    pub(crate) async fn take(&self) -> Result<Option<Order>, StoreError> {
        if !self.store.read_for_work("look into the queue", embedded::has_ready).await? {
            return Ok(None);
        }
        let boot_id = self.boot_id.clone();
        self.store.write("take work from the queue", move |tx| take(tx, &boot_id, Now::of(tx))).await
    }

    /// Whether the lease's worker still has the judgement: cancelled and superseded ones are killed.
    pub(crate) async fn holds(&self, lease: &Lease) -> Result<bool, StoreError> {
        let lease = lease.clone();
        self.store
            .read_for_work("look whether a judging is still wanted", move |connection| {
                judgement::is_held_by_attempt(connection, &lease.judgement_id, &lease.attempt_id)
            })
            .await
    }

    /// Prolongs the lease.
    pub(crate) async fn renew(&self, lease: &Lease) -> Result<Step, StoreError> {
        let lease = lease.clone();
        self.store.write("renew a lease", move |tx| Ok(step(fence::renew(tx, &lease, Now::of(tx))?))).await
    }

    /// Stores the verdict with its runs and what it was made with; it becomes the submission's current judgement,
    /// unless a change set holds it back.
    pub(crate) async fn settle(
        &self,
        lease: &Lease,
        judged: Judged,
        machine: String,
        manifest: Option<Manifest>,
    ) -> Result<Step, StoreError> {
        let lease = lease.clone();
        self.store
            .write("store the verdict", move |tx| {
                let mut settlement = settlement(&judged, machine);
                settlement.manifest = manifest.map(|manifest| json(&manifest));
                settle(tx, &lease, &settlement, &judged.runs, Now::of(tx))
            })
            .await
    }

    /// Ends a judging without a verdict: the next generation takes over, or, when the budget is spent, a judge error.
    pub(crate) async fn fail(&self, lease: &Lease, fault: Fault) -> Result<Step, StoreError> {
        let lease = lease.clone();
        self.store.write("store a fault", move |tx| fail(tx, &lease, &fault, Now::of(tx))).await
    }

    /// Gives judgements whose worker is gone to the next generation; answers how many.
    pub(crate) async fn recover(&self) -> Result<usize, StoreError> {
        let mut recovered = 0;
        loop {
            let boot_id = self.boot_id.clone();
            let found = {
                let (boot_id, this) = (boot_id.clone(), self.clone());
                self.store
                    .read_for_work("look for lost leases", move |c| fence::orphans(c, &boot_id, this.now()))
                    .await?
            };
            if found.is_empty() {
                return Ok(recovered);
            }
            let recover = move |tx: &WriteTx<'_>| recover(tx, &found, &boot_id, Now::of(tx));
            let now_recovered = self.store.write("recover lost leases", recover).await?;
            if now_recovered == 0 {
                // What looked lost was not, or somebody else was faster: the next round looks again.
                return Ok(recovered);
            }
            recovered += now_recovered;
        }
    }

    /// Offers again what consumers took and never finished; what is finished meanwhile is acknowledged.
    pub(crate) async fn reclaim(&self) -> Result<(), StoreError> {
        let boot_id = self.boot_id.clone();
        let Reclaimed { dead, again } =
            self.store.write("reclaim queue entries", move |tx| reclaim(tx, &boot_id, Now::of(tx))).await?;
        if dead + again > 0 {
            tracing::warn!(dead, again, "queue entries were left by their consumers");
        }
        Ok(())
    }
}

fn step(happened: bool) -> Step {
    if happened { Step::Done } else { Step::Stale }
}

impl From<Now> for Moment {
    fn from(now: Now) -> Self {
        Self { steady_ms: now.steady_ms, wall_ms: now.wall_ms }
    }
}

/// PENDING → SENT and into the queue, row by row: a row that the queue refuses waits, one that names no work is set
/// aside, and neither keeps the others back.
pub(super) fn send<'t, Q>(tx: &'t WriteTx<'_>, queue: &Q, due: &[Due], now: Now) -> rusqlite::Result<usize>
where
    Q: JudgeQueue<Link<'t> = &'t rusqlite::Connection, Error = rusqlite::Error>,
{
    let mut moved = 0;
    for row in due {
        if !row.lacks.is_empty() {
            moved += usize::from(judge_outbox::set_aside(tx, row.id, &ReasonKind::NamesNothing.say([&row.lacks]))?);
            continue;
        }
        tx.execute_batch("SAVEPOINT one_row")?;
        match send_one(tx, queue, row, now) {
            Ok(sent) => moved += usize::from(sent),
            // A disk that is full or away is nobody's fault: nothing of the batch happened.
            Err(error) if !is_the_rows(&error) => return Err(error),
            Err(error) => {
                tx.execute_batch("ROLLBACK TO one_row")?;
                tracing::error!(submission.id = %row.submission_id, %error, "the queue refused a submission");
                judge_outbox::note_refusal(tx, row, &error.to_string(), now.steady_ms)?;
            }
        }
        tx.execute_batch("RELEASE one_row")?;
    }
    Ok(moved)
}

/// Whether the row itself is refused, rather than the store failing for any row.
fn is_the_rows(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode as Code;
    matches!(error.sqlite_error_code(), None | Some(Code::ConstraintViolation | Code::TypeMismatch | Code::TooBig))
}

fn send_one<'t, Q>(tx: &'t WriteTx<'_>, queue: &Q, row: &Due, now: Now) -> rusqlite::Result<bool>
where
    Q: JudgeQueue<Link<'t> = &'t rusqlite::Connection, Error = rusqlite::Error>,
{
    if !judge_outbox::mark_sent(tx, row.id, tx.wall_ms())? {
        return Ok(false);
    }
    queue.enqueue(tx, &Task::new(&row.submission_id, row.generation), now.into())?;
    Ok(true)
}

/// The next entry with the lease on its judgement.
pub(super) fn take(tx: &WriteTx<'_>, boot_id: &str, now: Now) -> rusqlite::Result<Option<Order>> {
    let queue = EmbeddedQueue;
    loop {
        let delivery = match queue.poll(tx, boot_id, now.into())? {
            Polled::Empty => return Ok(None),
            Polled::Poison { reason } => {
                tracing::error!(%reason, "a queue entry was set aside");
                continue;
            }
            Polled::Task(delivery) => delivery,
        };
        match claim(tx, &delivery, boot_id, now) {
            Ok(Some(order)) => return Ok(Some(order)),
            Ok(None) => queue.ack(tx, &delivery.task)?,
            Err(error @ rusqlite::Error::FromSqlConversionFailure(..)) => {
                tracing::error!(submission.id = %delivery.task.submission_id, %error, "a queue entry was set aside");
                queue.dead_letter(tx, &delivery, &error.to_string())?
            }
            Err(error) => return Err(error),
        };
    }
}

/// The lease and the work of an entry; `None` when its judgement does not wait any more.
fn claim(tx: &WriteTx<'_>, delivery: &Delivery, boot_id: &str, now: Now) -> rusqlite::Result<Option<Order>> {
    let Task { submission_id, generation } = &delivery.task;
    let Some(found) = judgement::find(tx, submission_id, *generation)? else { return Ok(None) };
    if found.state != JudgementState::Pending {
        return Ok(None);
    }
    let saved = saved::load(tx, submission_id)?;
    let problem = match &found.origin.basis_hash {
        Some(hash) => basis::load(tx, hash)?,
        None => saved.facts.problem.clone(),
    };
    let language = match problem.language(&saved.language_id) {
        Some(facts) => basis::language(tx, &facts.hash)?.map(Arc::new),
        None => None,
    };
    let lease = Lease::wanted(found.id, submission_id.clone(), *generation, boot_id);
    if !fence::acquire(tx, &lease, now)? {
        return Ok(None);
    }
    tell(tx, "JudgementStarted", submission_id, *generation, &found.origin, lease.judgement_id.as_str())?;
    Ok(Some(Order { lease, saved, problem, language }))
}

/// Abandons what is still orphaned of `found`; the next generations wait.
pub(super) fn recover(tx: &WriteTx<'_>, found: &[Orphan], boot_id: &str, now: Now) -> rusqlite::Result<usize> {
    let mut count = 0;
    for orphan in found {
        if !fence::recover(tx, orphan, boot_id, now)? {
            continue;
        }
        let lost_leases = orphan.lost_leases + 1;
        let needs_attention = lost_leases >= LOST_LEASES_MAX;
        let reason = match needs_attention {
            true => ReasonKind::LostTimes.say([&lost_leases]),
            false => LEASE_LOST.to_owned(),
        };
        let next = Next { faults: orphan.faults, lost_leases, needs_attention, ..Next::now(&reason, now) };
        succeed(tx, &orphan.submission_id, orphan.generation, &next)?;
        count += 1;
    }
    Ok(count)
}

/// Offers idle entries again, after those whose judgement is finished were acknowledged.
pub(super) fn reclaim(tx: &WriteTx<'_>, boot_id: &str, now: Now) -> rusqlite::Result<Reclaimed> {
    let queue = EmbeddedQueue;
    for task in queue.idle(tx, boot_id, now.into())? {
        let is_open = judgement::find(tx, &task.submission_id, task.generation)?
            .is_some_and(|found| matches!(found.state, JudgementState::Pending | JudgementState::Judging));
        if !is_open {
            queue.ack(tx, &task)?;
        }
    }
    queue.reclaim(tx, boot_id, now.into())
}

fn settlement(judged: &Judged, machine: String) -> Settlement {
    let fault = judged.fault.as_ref().map(ToString::to_string);
    let reason = match (&judged.verdict, judged.reason.is_empty(), fault) {
        (Verdict::JudgeError, true, fault) => fault.unwrap_or_else(|| ReasonKind::PackageFault.words().to_owned()),
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
        manifest: None,
        score: judged.score.map(Score::of),
        max_score: judged.max_score.map(Score::of),
        groups: judged.groups.iter().map(GroupView::from).collect(),
    }
}

pub(super) fn settle(
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
    let previous = result::addressee(tx, &lease.submission_id)?;
    if fence::make_current(tx, &lease.submission_id, &lease.judgement_id)? {
        result::tell_verdict(tx, &previous, lease, &settlement.verdict)?;
    }
    succession::close(tx, &lease.submission_id, lease.generation)?;
    let origin = judgement::origin(tx, &lease.submission_id, lease.generation)?;
    tell(tx, "JudgementFinished", &lease.submission_id, lease.generation, &origin, lease.judgement_id.as_str())?;
    Ok(Step::Done)
}

pub(super) fn fail(tx: &WriteTx<'_>, lease: &Lease, fault: &Fault, now: Now) -> rusqlite::Result<Step> {
    let Some(before) = judgement::find(tx, &lease.submission_id, lease.generation)? else { return Ok(Step::Stale) };
    let same_budget = |reason| -> Next<'_> { spent(&before, reason, now) };
    let next = match fault {
        Fault::BackendAway { reason } => same_budget(reason),
        Fault::HandedBack => same_budget(ReasonKind::HandedBack.words()),
        Fault::CameLate => same_budget(ReasonKind::CameLate.words()),
        Fault::AskStaff { reason } => Next { needs_attention: true, ..same_budget(reason) },
        Fault::Ours { reason, .. } if before.faults + 1 >= FAULT_BUDGET => {
            let judge_error = out_of_budget(reason);
            return settle(tx, lease, &judge_error, &[], now);
        }
        Fault::Ours { reason, after } => {
            let faults = before.faults + 1;
            let delay_ms = i64::try_from((*after).max(fault_delay(faults)).as_millis()).unwrap_or(i64::MAX);
            Next { faults, due_at_ms: now.steady_ms.saturating_add(delay_ms), ..same_budget(reason) }
        }
    };
    if !fence::abandon(tx, lease, next.reason, now)? {
        return Ok(Step::Stale);
    }
    succeed(tx, &lease.submission_id, lease.generation, &next)?;
    Ok(Step::Done)
}

/// The next generation with what `before` has spent of the budgets.
fn spent<'a>(before: &Found, reason: &'a str, now: Now) -> Next<'a> {
    Next { faults: before.faults, lost_leases: before.lost_leases, ..Next::now(reason, now) }
}

fn out_of_budget(reason: &str) -> Settlement {
    Settlement {
        verdict: Verdict::JudgeError,
        reason: ReasonKind::OutOfAttempts.say([&FAULT_BUDGET, &reason]),
        compiler_text: Vec::new(),
        first_failing: None,
        max_cpu_ms: None,
        max_wall_ms: None,
        peak_memory_bytes: None,
        machine: String::new(),
        image_id: String::new(),
        manifest: None,
        score: None,
        max_score: None,
        groups: Vec::new(),
    }
}
