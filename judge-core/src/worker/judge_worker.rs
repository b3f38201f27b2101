//! A judge worker: takes one judgement at a time, holds its lease while it judges, stores the verdict if it still may.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use tokio_util::sync::CancellationToken;

use super::gate::DISK_FULL;
use super::inputs::{self, InputError};
use super::{Board, Workshop};
use crate::judging::{Disposition, JudgeError, JudgeMode, Judged};
use crate::owner::submission::lifecycle::{Fault, Order, Step};
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
    Judged(Box<Judged>),
    Fault(Fault),
    /// Somebody else has the judgement: nothing may be stored.
    LeaseLost,
}

async fn judge_and_store(shop: &Workshop, order: Order, stop: &CancellationToken) {
    let lease = order.lease.clone();
    let id = lease.submission_id.clone();
    let ending = match AssertUnwindSafe(judge_holding_lease(shop, order, stop)).catch_unwind().await {
        Ok(ending) => ending,
        Err(_) => Ending::Fault(Fault::Ours { reason: "the judge worker panicked".to_owned(), after: RETRY_AFTER }),
    };
    let stored = match ending {
        Ending::Judged(judged) => {
            shop.gate.note_success();
            shop.submissions.settle(&lease, *judged, shop.machine.to_string()).await
        }
        Ending::Fault(fault) => {
            tracing::warn!(submission.id = %id, generation = lease.generation, ?fault, "a judging ended without a verdict");
            if let Fault::BackendAway { reason } = &fault {
                shop.gate.pause(reason);
            }
            shop.submissions.fail(&lease, fault).await
        }
        Ending::LeaseLost => Ok(Step::Stale),
    };
    match stored {
        Ok(Step::Done) => {}
        Ok(Step::Stale) => {
            shop.signals.count_stale_result();
            tracing::warn!(submission.id = %id, generation = lease.generation, "a result came after its lease was lost and was dropped");
        }
        // The lease ends by itself and the next generation is judged.
        Err(error) => store_failed(shop, &error, "the end of a judging could not be stored"),
    }
    shop.signals.saved.notify_one();
}

fn store_failed(shop: &Workshop, error: &StoreError, what: &str) {
    tracing::error!(error = %chain(error), "{what}");
    if error.is_disk_full() {
        shop.gate.pause(DISK_FULL);
    }
}

/// Judges while renewing the lease; a lost lease or a closing program kills the box.
async fn judge_holding_lease(shop: &Workshop, order: Order, stop: &CancellationToken) -> Ending {
    let lease = order.lease.clone();
    let cancel = stop.child_token();
    let judging = judge(shop, order, &shop.board, &cancel);
    tokio::pin!(judging);
    let mut is_lost = false;
    let result = loop {
        tokio::select! {
            result = &mut judging => break result,
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
        _ if is_lost => Ending::LeaseLost,
        Ok(judged) => Ending::Judged(Box::new(judged)),
        Err(_) if stop.is_cancelled() => Ending::Fault(Fault::HandedBack),
        Err(fault) => Ending::Fault(fault),
    }
}

async fn judge(shop: &Workshop, order: Order, board: &Board, cancel: &CancellationToken) -> Result<Judged, Fault> {
    let progress = board.judgement(&order.lease.judgement_id);
    let facts = order.saved.facts.problem;
    let files = shop.submissions.load_sources(order.saved.sources).await;
    let program = files.map_err(InputError::from).and_then(|files| inputs::program(&order.saved.language_id, files));
    let program = program.map_err(|error| input_fault(&error))?;
    let cases = shop.catalog.judge_cases(&facts.version_id, false).await;
    let cases = cases.map_err(|error| input_fault(&InputError::from(error)))?;
    let problem = inputs::problem(&facts, cases);
    let judged = shop.judging.judge(&program, &problem, JudgeMode::StopAtFirstFailure, &progress, cancel).await;
    judged.map_err(|error| judge_fault(&error))
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
