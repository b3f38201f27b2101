//! The preview slot: runs one preview at a time beside the judge workers, so that "Run" never waits for a long queue.

use agon_contract::reason::ReasonKind;
use std::io::Write;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::time::Duration;

use agon_contract::execution::{ExecutionState, PreviewCases};
use agon_contract::verdict::Verdict;
use futures_util::FutureExt;
use tempfile::NamedTempFile;
use tokio_util::sync::CancellationToken;

use super::Workshop;
use super::inputs::{self, InputError};
use super::patience::Patience;
use crate::domain::rules::CaseRules;
use crate::execution::{Begun, Ended};
use crate::judging::{Disposition, Expected, JudgeCase, JudgeError, JudgeMode, Judged, JudgingProgress};
use crate::store::chain;
use crate::store::folder::STAGING_PREFIX;

/// Between two looks without a wake-up.
const TICK: Duration = Duration::from_secs(2);
/// A preview that takes longer is timed out.
const TIME_MAX: Duration = Duration::from_secs(5 * 60);

/// Name of the one case of a preview on one's own input.
pub(crate) const CUSTOM_CASE: &str = "custom";

pub(super) async fn run(shop: Workshop, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = shop.gate.opened() => {}
        }
        match shop.executions.begin().await {
            Ok(Some(begun)) => {
                run_and_store(&shop, begun, &stop).await;
                continue;
            }
            Ok(None) => {}
            Err(error) => tracing::error!(error = %chain(&error), "no preview could be taken"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = shop.signals.preview.notified() => {}
            () = shop.clock.sleep(TICK) => {}
        }
    }
}

async fn run_and_store(shop: &Workshop, begun: Begun, stop: &CancellationToken) {
    let id = begun.id.clone();
    let ended = match AssertUnwindSafe(run_until_ended(shop, begun, stop)).catch_unwind().await {
        Ok(ended) => ended,
        Err(_) => Some(failed("the preview worker panicked".to_owned())),
    };
    let Some(ended) = ended else { return };
    let mut patience = Patience::new(shop, stop, "a preview's end");
    let stored = loop {
        match shop.executions.end(&id, ended.clone()).await {
            Ok(is_new) => break Ok(is_new),
            Err(error) => match patience.wait(error, |_| {}).await {
                Ok(()) => {}
                Err(error) => break Err(error),
            },
        }
    };
    match stored {
        Ok(true) => {}
        Ok(false) => tracing::info!(preview.id = %id, "a preview was cancelled before its end was stored"),
        Err(error) => tracing::error!(preview.id = %id, error = %chain(&error), "a preview's end could not be stored"),
    }
}

/// Runs a preview; `None` when it was cancelled, which is stored already.
async fn run_until_ended(shop: &Workshop, begun: Begun, stop: &CancellationToken) -> Option<Ended> {
    let id = begun.id.clone();
    let cancel = stop.child_token();
    let progress = shop.board.preview(&id, cancel.clone());
    // A cancellation before the preview was on the board reached nobody.
    if !shop.executions.is_running(&id).await.unwrap_or(true) {
        return None;
    }
    let judging = judge(shop, begun, &progress, &cancel);
    let time_is_up = shop.clock.sleep(TIME_MAX);
    tokio::pin!(judging, time_is_up);
    let mut is_timed_out = false;
    let result = loop {
        tokio::select! {
            result = &mut judging => break result,
            () = &mut time_is_up, if !is_timed_out => {
                is_timed_out = true;
                cancel.cancel();
            }
        }
    };
    Some(match result {
        Ok(judged) => completed(&judged),
        Err(_) if is_timed_out => {
            let reason = ReasonKind::TookLonger.say([&TIME_MAX.as_secs()]);
            Ended { state: ExecutionState::TimedOut, ..failed(reason) }
        }
        Err(_) if stop.is_cancelled() => failed(ReasonKind::ProgramClosed.words().to_owned()),
        Err(_) if cancel.is_cancelled() => return None,
        Err(reason) => failed(reason),
    })
}

async fn judge(
    shop: &Workshop,
    begun: Begun,
    progress: &dyn JudgingProgress,
    cancel: &CancellationToken,
) -> Result<Judged, String> {
    let program = inputs::program(&begun.language_id, begun.files).map_err(|error| chain(&error))?;
    // Holds one's own input for as long as the judging may read it.
    let mut own_input = None;
    let cases = match &begun.cases {
        PreviewCases::Samples => {
            let samples = shop.catalog.judge_cases(&begun.facts.version_id, true).await;
            samples.map_err(|error| chain(&InputError::from(error)))?
        }
        PreviewCases::Custom { input } => {
            let file = input_file(&shop.folder.run(), input)
                .map_err(|error| format!("one's own input cannot be written: {error}"))?;
            vec![custom_case(own_input.insert(file))]
        }
    };
    let problem = inputs::problem(&shop.catalog, &begun.facts, cases).await.map_err(|error| chain(&error))?;
    let judged = shop.judging.judge(&program, &problem, JudgeMode::RunAll, progress, cancel).await;
    judged.map_err(|error| {
        pause_if_away(shop, &error);
        chain(&error)
    })
}

/// In a folder that the next start clears: a process that is killed removes nothing.
fn input_file(folder: &Path, input: &str) -> std::io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix(STAGING_PREFIX).tempfile_in(folder)?;
    file.write_all(input.as_bytes())?;
    file.flush()?;
    Ok(file)
}

fn custom_case(file: &NamedTempFile) -> JudgeCase {
    JudgeCase {
        name: CUSTOM_CASE.to_owned(),
        is_sample: true,
        input: file.path().to_owned(),
        expected: Expected::Anything,
        validator: None,
        rules: CaseRules::default(),
    }
}

fn pause_if_away(shop: &Workshop, error: &JudgeError) {
    match error.disposition() {
        Disposition::BackendAway { reason } => shop.gate.pause(&reason),
        Disposition::Retry { .. } | Disposition::GiveUp | Disposition::AskStaff => {}
    }
}

fn completed(judged: &Judged) -> Ended {
    let text = String::from_utf8_lossy(&judged.compile.text).into_owned();
    let compile_failed = judged.verdict == Verdict::CompileError;
    let fault = judged.fault.as_ref().map(ToString::to_string);
    if let Some(reason) = fault {
        return Ended { compiler_text: text, ..failed(reason) };
    }
    Ended {
        state: ExecutionState::Completed,
        reason: if compile_failed { judged.compile.reason.clone() } else { judged.reason.clone() },
        compiler_text: text,
        compile_failed,
        runs: judged.runs.iter().map(|run| run.view(true)).collect(),
    }
}

fn failed(reason: String) -> Ended {
    Ended {
        state: ExecutionState::Failed,
        reason,
        compiler_text: String::new(),
        compile_failed: false,
        runs: Vec::new(),
    }
}
