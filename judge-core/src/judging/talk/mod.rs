//! Interactive problems: the submission and a jury program talk, each in a box of its own, through two relays.
//!
//! ```text
//!   submission ──stdout──> Mouth ~~> Ear ──pipe──> jury program
//!              <──pipe──── Ear <~~ Mouth <──stdout──
//! ```
//!
//! Rules of the end (formats §1.7, where the reference implementations differ):
//! * the jury program closes its output, or ends: the submission sees the end of its input at once;
//! * the submission closes its output: nothing is seen until it has ended, so that who ended first is no race;
//! * the submission ended well: the jury program then sees the end of its input;
//! * the submission failed: the jury program first gets time to answer what was said, and is told the end when it has
//!   read everything and stayed quiet. What it rejects before that, it rejects for what was said;
//! * nobody dies of a broken pipe, because the relays keep reading both outputs to their ends.
//!
//! * the jury program rejected, or failed, before it was told the end: nothing that the submission still does matters,
//!   and it is stopped if it does not end by itself.
//!
//! Who is believed (in this order): a jury program that fails, whenever; its rejection before it was told the end; the
//! submission's own failure; the jury program. One exception from the first: a jury program that only waits, after a
//! submission that failed, has said nothing.

mod relay;
mod transcript;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_contract::verdict::Verdict;
use tokio_util::sync::CancellationToken;

use super::comparer::OUTPUT_HEAD_BYTES;
use super::error::JudgeError;
use super::jury::{Jury, Said, Turn};
use crate::sandbox::{Outcome, RunReport, RunStep, SandboxBox, SandboxError, Stdin};
use relay::direction;
use transcript::{Side, Transcript};

/// Queued for a listener at most, whatever output the problem allows. A jury program may say that much, too: what it
/// tells the submission is not what `validation_output` is about.
const MOST_OUTPUT_BYTES: u64 = 64 << 20;
/// Time for a jury program that was told the end after a submission that failed: only a fault of its own could still
/// matter, and one that hangs has shown none.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// Time to end by itself for a submission that nobody listens to any more.
const FAREWELL: Duration = Duration::from_millis(200);

/// How a conversation went.
pub(super) struct Talked {
    /// The submission's run.
    pub(super) report: RunReport,
    pub(super) transcript: Vec<u8>,
    /// `None`: the submission failed by itself, and that is what counts.
    pub(super) said: Option<Said>,
}

/// Lets `step` in `run_box` talk with the jury's program.
///
/// # Errors
/// Faults of ours or the machine's.
pub(super) async fn talk(
    run_box: &mut dyn SandboxBox,
    mut step: RunStep,
    jury: &mut Jury<'_>,
    turn: Turn<'_>,
) -> Result<Talked, JudgeError> {
    let unpiped = |source| JudgeError::Sandbox {
        operation: "making the pipes of a conversation",
        source: SandboxError::PrepareRun { what: "the pipes", source },
    };
    let transcript = Arc::new(Mutex::new(Transcript::new(OUTPUT_HEAD_BYTES)));
    let (mut says, to_jury, jury_listens, jury_stdin) =
        direction(Side::Submission, &transcript, false).map_err(unpiped)?;
    let (mut answers, to_submission, submission_listens, stdin) =
        direction(Side::Jury, &transcript, true).map_err(unpiped)?;
    let (mut room, mut jury_step) = jury.talk(turn, Stdin::Pipe(jury_stdin), step.limits.wall_ms).await?;
    step.stdin = Stdin::Pipe(stdin);
    step.limits.output_bytes = step.limits.output_bytes.min(MOST_OUTPUT_BYTES);
    jury_step.limits.output_bytes = jury_step.limits.output_bytes.max(MOST_OUTPUT_BYTES);
    let stop = CancellationToken::new();
    step.stop = Some(stop.clone());
    let (accepts, jury_stop) = (jury.accepts(), CancellationToken::new());
    jury_step.stop = Some(jury_stop.clone());
    let submission = async {
        let report = run_box.run(step, &mut says).await;
        submission_listens.gone.cancel();
        let is_clean = report.as_ref().is_ok_and(RunReport::exited_cleanly);
        says.end(!is_clean);
        if !is_clean {
            tokio::select! {
                () = jury_listens.gone.cancelled() => {}
                () = jury_listens.wait_after_end(LAST_WORDS) => jury_stop.cancel(),
            }
        }
        report
    };
    let program = async {
        let report = room.run(jury_step, &mut answers).await;
        let is_first = !jury_listens.was_told_end();
        jury_listens.gone.cancel();
        answers.end(false);
        if is_first
            && report.as_ref().is_ok_and(|report| report.outcome != accepts && report.outcome != Outcome::WallLimit)
        {
            tokio::select! {
                () = submission_listens.gone.cancelled() => {}
                () = tokio::time::sleep(FAREWELL) => stop.cancel(),
            }
        }
        (report, is_first)
    };
    let (report, (program, is_first), (), ()) =
        tokio::join!(submission, program, to_jury.listen(), to_submission.listen());
    let report = report.map_err(|source| JudgeError::Sandbox { operation: "running a test case", source })?;
    let program = program?;
    let said = jury.leave(room, turn, &program, &[]).await?;
    let transcript = transcript.lock().unwrap_or_else(PoisonError::into_inner).take();
    let only_waited = jury_stop.is_cancelled() || program.outcome == Outcome::WallLimit;
    let said = believed(said, (is_first, only_waited), &report, &program, &jury.program.name);
    Ok(Talked { report, transcript, said })
}

/// What counts of the jury program's words; see the module's rules.
fn believed(
    said: Said,
    (is_first, only_waited): (bool, bool),
    report: &RunReport,
    program: &RunReport,
    name: &str,
) -> Option<Said> {
    if report.exited_cleanly() {
        return Some(said);
    }
    match said.verdict {
        Verdict::JudgeError if !only_waited => Some(said),
        Verdict::WrongAnswer if is_first => Some(said),
        // It had the machine, and the submission waited for it.
        _ if report.outcome == Outcome::WallLimit && program.cpu_us > report.wall_us / 2 => Some(Said::fault(format!(
            "the jury's program {name} used {} ms of CPU while the submission waited for its {} ms",
            program.cpu_ms(),
            report.wall_ms(),
        ))),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
