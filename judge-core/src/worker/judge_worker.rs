//! A judge worker: takes one judgement at a time, holds its lease while it judges, stores the verdict if it still may.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use tokio_util::sync::CancellationToken;

use super::Workshop;
use super::board::JudgementEntry;
use super::gate::DISK_FULL;
use super::inputs::{self, InputError};
use super::patience::Patience;
use crate::judging::{Disposition, JudgeError, JudgeMode, Judged, JudgingProgress};
use crate::owner::submission::fence::Lease;
use crate::owner::submission::lifecycle::{Fault, Order, Step};
use crate::owner::submission::manifest::Manifest;
use crate::store::{StoreError, chain};

/// Between two looks into the queue without a wake-up.
const TICK: Duration = Duration::from_secs(2);
/// Between two renewals: a third of a lease, so that one may fail.
const RENEW_EVERY: Duration = Duration::from_secs(20);
/// Wait of a retry after a fault that names no time of its own.
const RETRY_AFTER: Duration = Duration::from_secs(2);

pub(super) async fn run(shop: Workshop, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = shop.gate.opened() => {}
        }
        match shop.submissions.take().await {
            Ok(Some(order)) => {
                judge_and_store(&shop, order, &stop).await;
                continue;
            }
            Ok(None) => {}
            Err(error) => store_failed(&shop, &error, "no work could be taken from the queue"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = shop.signals.queued.notified() => {}
            () = shop.clock.sleep(TICK) => {}
        }
    }
}

/// How a judging ended, before anything is stored.
enum Ending {
    Judged(Box<(Judged, Manifest)>),
    Fault(Fault),
    /// Somebody else has the judgement: nothing may be stored.
    LeaseLost,
    /// It was cancelled or superseded, which is stored already.
    Unwanted,
}

async fn judge_and_store(shop: &Workshop, order: Order, stop: &CancellationToken) {
    let lease = order.lease.clone();
    let (id, generation) = (lease.submission_id.clone(), lease.generation);
    let kill = CancellationToken::new();
    let progress = shop.board.judgement(&lease.judgement_id, kill.clone());
    let judging = judge_holding_lease(shop, order, &progress, &kill, stop);
    let ending = match AssertUnwindSafe(judging).catch_unwind().await {
        Ok(ending) => ending,
        Err(_) => Ending::Fault(Fault::Ours { reason: "the judge worker panicked".to_owned(), after: RETRY_AFTER }),
    };
    note(shop, &lease, &ending);
    let mut patience = Patience::new(shop, stop, "the end of a judging");
    let stored = loop {
        match store(shop, &lease, &ending, patience.has_waited()).await {
            Ok(step) => break Ok(step),
            Err(error) => match patience.wait(error, |reason| progress.waits_for_store(reason)).await {
                Ok(()) => {}
                Err(error) => break Err(error),
            },
        }
    };
    match stored {
        Ok(Step::Done) => {}
        Ok(Step::Stale) => {
            shop.signals.count_stale_result();
            tracing::warn!(submission.id = %id, generation, "a result came after its lease was lost and was dropped");
        }
        // The lease ends by itself and the next generation is judged.
        Err(error) => store_failed(shop, &error, "the end of a judging could not be stored"),
    }
    shop.signals.saved.notify_one();
}

/// Says what is worth saying of an end, before it is stored.
fn note(shop: &Workshop, lease: &Lease, ending: &Ending) {
    let (id, generation) = (&lease.submission_id, lease.generation);
    match ending {
        Ending::Judged(_) => shop.gate.note_success(),
        Ending::Fault(fault) => {
            tracing::warn!(submission.id = %id, generation, ?fault, "a judging ended without a verdict");
            if let Fault::BackendAway { reason } = fault {
                shop.gate.pause(reason);
            }
        }
        Ending::LeaseLost => {}
        Ending::Unwanted => {
            tracing::info!(submission.id = %id, generation, "a judging that nobody wants any more was killed");
        }
    }
}

/// One try to store an end. A verdict that had to wait (`is_late`) may find its lease over: then the lease is handed back,
/// so that the next generation need not wait for somebody to notice.
async fn store(shop: &Workshop, lease: &Lease, ending: &Ending, is_late: bool) -> Result<Step, StoreError> {
    match ending {
        Ending::Judged(judged) => {
            let (judged, manifest) = judged.as_ref().clone();
            let settled = shop.submissions.settle(lease, judged, shop.machine.to_string(), Some(manifest)).await?;
            match settled {
                Step::Stale if is_late => shop.submissions.fail(lease, Fault::CameLate).await,
                Step::Stale | Step::Done => Ok(settled),
            }
        }
        Ending::Fault(fault) => shop.submissions.fail(lease, fault.clone()).await,
        Ending::LeaseLost => Ok(Step::Stale),
        Ending::Unwanted => Ok(Step::Done),
    }
}

fn store_failed(shop: &Workshop, error: &StoreError, what: &str) {
    tracing::error!(error = %chain(error), "{what}");
    if error.is_disk_full() {
        shop.gate.pause(DISK_FULL);
    }
}

/// Judges while renewing the lease; a lost lease, staff who end the judging, or a closing program kill the box.
async fn judge_holding_lease(
    shop: &Workshop,
    order: Order,
    progress: &JudgementEntry,
    kill: &CancellationToken,
    stop: &CancellationToken,
) -> Ending {
    let lease = order.lease.clone();
    let cancel = stop.child_token();
    // An end that was stored before the judgement was on the board reached nobody.
    if let Ok(false) = shop.submissions.holds(&lease).await {
        return Ending::Unwanted;
    }
    let judging = judge(shop, order, progress, &cancel);
    tokio::pin!(judging);
    let mut is_lost = false;
    let result = loop {
        tokio::select! {
            result = &mut judging => break result,
            () = kill.cancelled(), if !cancel.is_cancelled() => cancel.cancel(),
            () = shop.clock.sleep(RENEW_EVERY), if !is_lost => match shop.submissions.renew(&lease).await {
                Ok(Step::Done) => {}
                Ok(Step::Stale) => {
                    is_lost = true;
                    cancel.cancel();
                }
                // The next renewal may work; if none does, the lease ends and the fence decides.
                Err(error) => store_failed(shop, &error, "a lease could not be renewed"),
            },
        }
    };
    match result {
        _ if kill.is_cancelled() => Ending::Unwanted,
        _ if is_lost => Ending::LeaseLost,
        Ok(judged) => Ending::Judged(Box::new(judged)),
        Err(_) if stop.is_cancelled() => Ending::Fault(Fault::HandedBack),
        Err(fault) => Ending::Fault(fault),
    }
}

async fn judge(
    shop: &Workshop,
    order: Order,
    progress: &dyn JudgingProgress,
    cancel: &CancellationToken,
) -> Result<(Judged, Manifest), Fault> {
    let (saved, facts) = (order.saved, order.problem);
    let files = shop.submissions.load_sources(saved.sources).await;
    let program = files.map_err(InputError::from).and_then(|files| match &order.language {
        Some(language) => Ok(inputs::program_in(language, files)),
        // Never kept: the table's row of now; the manifest says so by its hash.
        None => inputs::program(&saved.language_id, files),
    });
    let program = program.map_err(|error| input_fault(&error))?;
    let cases = shop.catalog.judge_cases(&facts.version_id, false).await;
    let cases = cases.map_err(|error| input_fault(&InputError::from(error)))?;
    let problem = inputs::problem(&shop.catalog, &facts, cases).await.map_err(|error| input_fault(&error))?;
    let judged = shop.judging.judge(&program, &problem, JudgeMode::StopAtFirstFailure, progress, cancel).await;
    let judged = judged.map_err(|error| judge_fault(&error))?;
    let manifest = saved.manifest.made_with(&facts, &program.language, &judged.image_id);
    Ok((judged, manifest))
}

/// What is missing on this machine stays missing: a person must look.
fn input_fault(error: &InputError) -> Fault {
    Fault::AskStaff { reason: chain(error) }
}

fn judge_fault(error: &JudgeError) -> Fault {
    let reason = chain(error);
    match error.disposition() {
        Disposition::Retry { after } => Fault::Ours { reason, after },
        Disposition::BackendAway { reason } => Fault::BackendAway { reason },
        Disposition::GiveUp | Disposition::AskStaff => Fault::AskStaff { reason },
    }
}
