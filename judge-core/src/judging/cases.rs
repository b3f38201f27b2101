//! Runs the cases of one submission, in order, in one box.

use std::time::Duration;

use agon_contract::verdict::Verdict;

use super::artefact::{Artefact, ArtefactFile};
use super::control::Deaths;
use super::error::{JudgeError, TEXT_FILE_BUSY};
use super::jury::{Jury, OPERATION, Said};
use super::layout::Layout;
use super::model::{JudgeCase, JudgeMode, JudgeableProblem, JudgedRun, JudgingProgress};
use super::pass::{CaseRun, Pass, PassInput, Round};
use super::verdict;
use crate::domain::limits::EffectiveLimits;
use crate::domain::scoring::{CaseResult, Graded, GradedCase, Grading, Step};
use crate::sandbox::{
    BoxPurpose, BoxSpec, Content, ImageRef, Limits, Outcome, Sandbox, SandboxBox, SandboxError, WorkFile,
};

/// File descriptors a program may hold. (Source: sandbox.md, "The box".)
const OPEN_FILES: u32 = 128;
const BUSY_ATTEMPTS: u32 = 20;
const BUSY_PAUSE: Duration = Duration::from_millis(10);
/// Repeats of a run that the machine keeps from running, before its judging is put off.
const DISTURBED_REPEATS: u32 = 4;
/// Boxes that may die under the jury's programs of one submission before it is their fault.
const MOST_JURY_DEATHS: u32 = 1;

/// Everything that the runs of one submission share.
pub(super) struct Cases<'a> {
    pub(super) sandbox: &'a dyn Sandbox,
    pub(super) image: &'a ImageRef,
    pub(super) layout: &'a Layout<'a>,
    pub(super) artefact: &'a Artefact,
    pub(super) problem: &'a JudgeableProblem,
    /// With the language's multiplier.
    pub(super) limits: EffectiveLimits,
    pub(super) time_multiplier_percent: u32,
    pub(super) processes: u32,
    pub(super) open: Option<Box<dyn SandboxBox>>,
    pub(super) deaths: Deaths,
    /// Decides about outputs where the rules name a program; otherwise they are compared.
    pub(super) jury: Option<Jury<'a>>,
    /// Talks with the submission where that is not the checker itself.
    pub(super) interactor: Option<Jury<'a>>,
    pub(super) jury_deaths: u32,
    /// Of the output validator, where a case has none of its own.
    pub(super) checker_args: Vec<String>,
}

/// The cases that ran.
pub(super) struct Ran {
    pub(super) runs: Vec<JudgedRun>,
    /// `None`: a jury program failed, and nothing can be said about the submission.
    pub(super) graded: Option<Graded>,
}

impl Cases<'_> {
    /// Runs what grading asks for; a jury program that fails ends it.
    pub(super) async fn run_all(mut self, mode: JudgeMode, progress: &dyn JudgingProgress) -> Result<Ran, JudgeError> {
        let graded = |case: &JudgeCase| GradedCase {
            name: case.name.clone(),
            is_sample: case.is_sample,
            points: case.rules.points,
        };
        let cases: Vec<GradedCase> = self.problem.cases.iter().map(graded).collect();
        let mut grading = Grading::new(&self.problem.rules.scoring, &cases, mode == JudgeMode::RunAll);
        let mut runs = Vec::new();
        while let Step::Case(index) = grading.next() {
            let ordinal = u32::try_from(index + 1).unwrap_or(u32::MAX);
            let CaseRun { run, score, .. } = self.undisturbed(&self.problem.cases[index], ordinal).await?;
            progress.run_finished(&run);
            let verdict = run.verdict.clone();
            runs.push(run);
            if verdict == Verdict::JudgeError {
                return Ok(Ran { runs, graded: None });
            }
            grading.record(index, CaseResult { verdict, score });
        }
        Ok(Ran { runs, graded: Some(grading.graded()) })
    }

    /// One case, repeated once if the machine disturbed it and it failed. A run that only the clock on the wall ended,
    /// and that is disturbed again and again, is the machine's and blames nobody; one that used up its CPU, crashed or
    /// printed something wrong did so by itself.
    async fn undisturbed(&mut self, case: &JudgeCase, ordinal: u32) -> Result<CaseRun, JudgeError> {
        let mut done = self.run(case, ordinal).await?;
        let mut repeats = 0;
        while done.run.is_disturbed && !done.run.verdict.is_accepted() {
            let run = &done.run;
            let is_idle = done.is_jury_held_up || run.outcome == verdict::outcome_words(Outcome::WallLimit);
            if repeats >= 1 && !is_idle {
                break;
            }
            if repeats >= DISTURBED_REPEATS {
                return Err(JudgeError::MachineBusy { case_name: case.name.clone(), wall_ms: run.wall_ms });
            }
            tracing::info!(case.name = %case.name, outcome = %run.outcome, "a disturbed run is repeated");
            repeats += 1;
            done = self.run(case, ordinal).await?;
        }
        done.run.is_disturbed |= repeats > 0;
        Ok(done)
    }

    /// One case; a box that dies is replaced once.
    async fn run(&mut self, case: &JudgeCase, ordinal: u32) -> Result<CaseRun, JudgeError> {
        let mut busy = 0;
        loop {
            match self.attempt(case, ordinal).await {
                Ok(run) => return Ok(run),
                Err(JudgeError::Launch { errno: TEXT_FILE_BUSY, .. }) if busy < BUSY_ATTEMPTS => {
                    busy += 1;
                    tokio::time::sleep(BUSY_PAUSE).await;
                }
                Err(JudgeError::Sandbox { operation: OPERATION, source: SandboxError::BoxDied { detail, .. } }) => {
                    self.jury_deaths += 1;
                    tracing::warn!(case.name = %case.name, %detail, "a box died under a jury program");
                    if self.jury_deaths > MOST_JURY_DEATHS {
                        let said = self.jury_fault(case, &format!("killed its box twice: {detail}"));
                        return Ok(CaseRun::without_run(case, ordinal, said));
                    }
                }
                Err(error) => self.deaths.forgive(error, self.sandbox, self.image).await?,
            }
        }
    }

    /// One case, in as many passes as the jury's program asks for. (Problem Package Format, "Multi-pass")
    async fn attempt(&mut self, case: &JudgeCase, ordinal: u32) -> Result<CaseRun, JudgeError> {
        let limits = self.limits_of(case);
        let (mut input, mut number) = (PassInput::Case, 1);
        let mut whole: Option<Pass> = None;
        loop {
            let pass = self.pass(case, Round { ordinal, number, limits: &limits }, input).await?;
            let next = pass.checked.said.as_ref().and_then(|said| said.next_input.clone());
            let mut done = match whole.take() {
                Some(earlier) => earlier.followed_by(pass),
                None => pass,
            };
            let most = self.problem.rules.passes.max(1);
            match next {
                Some(_) if number >= most => {
                    let words = format!("asks for another pass after {most}");
                    done.checked.said = Some(self.jury_fault(case, &words));
                }
                Some(bytes) => {
                    (input, number, whole) = (PassInput::Bytes(bytes), number + 1, Some(done));
                    continue;
                }
                None => {}
            }
            return Ok(done.into_run(case, ordinal, &limits));
        }
    }

    /// What the jury's program did wrong.
    fn jury_fault(&self, case: &JudgeCase, words: &str) -> Said {
        let name = self.jury.as_ref().map(|jury| jury.program.name.as_str()).unwrap_or_default();
        Said::fault_of(name, words, &case.name)
    }

    /// The box of the submission, opened if there is none that can be used.
    pub(super) async fn take_box(&mut self) -> Result<Box<dyn SandboxBox>, JudgeError> {
        let failed = |source| JudgeError::Sandbox { operation: "running a test case", source };
        match self.open.take().filter(|open| open.is_usable()) {
            Some(open) => Ok(open),
            None => self.open_box().await.map_err(failed),
        }
    }

    /// The problem's limits, or what the case says instead of them.
    fn limits_of(&self, case: &JudgeCase) -> EffectiveLimits {
        let own = case.rules.time_limit_ms.map(|time_limit_ms| {
            let stated = EffectiveLimits { time_limit_ms, ..self.limits.clone() };
            stated.with_time_multiplier(self.time_multiplier_percent)
        });
        let limits = own.unwrap_or_else(|| self.limits.clone());
        EffectiveLimits { memory_bytes: case.rules.memory_bytes.unwrap_or(limits.memory_bytes), ..limits }
    }

    pub(super) fn run_limits(&self, limits: &EffectiveLimits) -> Limits {
        Limits {
            cpu_ms: limits.time_limit_ms,
            wall_ms: limits.wall_limit_ms(),
            memory_bytes: limits.memory_bytes,
            output_bytes: limits.output_bytes,
            stderr_bytes: limits.output_bytes,
            file_bytes: limits.output_bytes,
            processes: self.processes,
            open_files: OPEN_FILES,
        }
    }

    /// A fresh box with the artefact in it.
    async fn open_box(&self) -> Result<Box<dyn SandboxBox>, SandboxError> {
        let mut run_box = self.sandbox.open(&self.box_spec()).await?;
        for ArtefactFile { name, bytes, is_executable } in &self.artefact.files {
            let content = Content::Bytes(bytes.clone());
            run_box.put(WorkFile { relative_path: name.into(), content, executable: *is_executable }).await?;
        }
        Ok(run_box)
    }

    fn box_spec(&self) -> BoxSpec {
        BoxSpec {
            purpose: BoxPurpose::Run,
            image: self.image.clone(),
            memory_bytes: self.limits.memory_bytes,
            processes: self.processes,
        }
    }
}
