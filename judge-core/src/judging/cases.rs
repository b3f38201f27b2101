//! Runs the cases of one submission, in order, in one box.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_contract::verdict::Verdict;

use super::artefact::{Artefact, ArtefactFile};
use super::comparer::Comparer;
use super::control::Deaths;
use super::error::JudgeError;
use super::jury::output::Kept;
use super::jury::{Jury, Said};
use super::layout::Layout;
use super::model::{Expected, JudgeCase, JudgeMode, JudgeableProblem, JudgedRun, JudgingProgress};
use super::verdict;
use crate::domain::comparison::{Difference, NormalForm};
use crate::domain::limits::EffectiveLimits;
use crate::domain::rules::Checker;
use crate::domain::scoring::{CaseResult, CaseScore, Graded, GradedCase, Grading, Step};
use crate::sandbox::{
    BOX_TMP, BoxPurpose, BoxSpec, Content, ImageRef, Limits, Outcome, OutputSink, RunReport, RunStep, Sandbox,
    SandboxBox, SandboxError, Stdin, WorkFile,
};

/// File descriptors a program may hold. (Source: sandbox.md, "The box".)
const OPEN_FILES: u32 = 128;
/// A program whose file was written a moment ago is "busy" while some child of this process, forked by another thread
/// in that moment, has not yet reached its own exec and still holds the descriptor. It passes within milliseconds.
const TEXT_FILE_BUSY: i32 = 26;
const BUSY_ATTEMPTS: u32 = 20;
const BUSY_PAUSE: Duration = Duration::from_millis(10);
/// Repeats of a run that the machine keeps from running, before its judging is put off.
const DISTURBED_REPEATS: u32 = 4;
/// Stderr of a run that is kept for people.
const STDERR_HEAD_BYTES: usize = 16 * 1024;

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
    /// Of the output validator, where a case has none of its own.
    pub(super) checker_args: Vec<String>,
}

/// Takes a run's output.
enum Observer {
    /// Compares it as it flows.
    Comparer(Box<Comparer>),
    /// Keeps it for the output validator.
    Kept(Kept),
}

impl Observer {
    fn sink(&mut self) -> &mut dyn OutputSink {
        match self {
            Self::Comparer(comparer) => comparer.as_mut(),
            Self::Kept(kept) => kept,
        }
    }
}

/// The cases that ran.
pub(super) struct Ran {
    pub(super) runs: Vec<JudgedRun>,
    /// `None`: a jury program failed, and nothing can be said about the submission.
    pub(super) graded: Option<Graded>,
}

/// One case with everything that grading wants to know.
struct CaseRun {
    run: JudgedRun,
    score: CaseScore,
}

/// What was made of an output.
#[derive(Default)]
struct Checked {
    difference: Option<Difference>,
    said: Option<Said>,
    output_head: Vec<u8>,
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
            let CaseRun { run, score } = self.undisturbed(&self.problem.cases[index], ordinal).await?;
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
            let is_idle = run.outcome == verdict::outcome_words(Outcome::WallLimit);
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
                Err(error) => self.deaths.forgive(error, self.sandbox, self.image).await?,
            }
        }
    }

    async fn attempt(&mut self, case: &JudgeCase, ordinal: u32) -> Result<CaseRun, JudgeError> {
        let limits = self.limits_of(case);
        let unreadable =
            |path: &Path, source| JudgeError::ReadCase { case_name: case.name.clone(), path: path.to_owned(), source };
        let input = File::open(&case.input).map_err(|source| unreadable(&case.input, source))?;
        let args = case.validator.as_ref().unwrap_or(&self.problem.validator);
        let mut observer = match (&case.expected, &self.jury) {
            (Expected::Anything, _) => Observer::Comparer(Box::new(Comparer::without_answer())),
            (Expected::Answer(_), Some(_)) => Observer::Kept(Kept::new()),
            (Expected::Answer(_), None) if self.normal_form().is_some() => Observer::Kept(Kept::new()),
            (Expected::Answer(path), None) => {
                let answer = File::open(path).map_err(|source| unreadable(path, source))?;
                Observer::Comparer(Box::new(Comparer::with_answer(args.clone(), answer)))
            }
        };
        let mut argv = self.layout.run_argv(limits.memory_bytes);
        argv.extend(case.rules.args.iter().cloned());
        let step = RunStep {
            argv,
            env: self.layout.env(),
            working_dir: BOX_TMP.to_owned(),
            stdin: Stdin::File(input),
            limits: self.run_limits(&limits),
            keep_files: false,
        };
        let failed = |source| JudgeError::Sandbox { operation: "running a test case", source };
        let mut run_box = match self.open.take().filter(|open| open.is_usable()) {
            Some(open) => open,
            None => self.open_box().await.map_err(failed)?,
        };
        let report = run_box.run(step, observer.sink()).await.map_err(failed)?;
        self.open = Some(run_box);
        if let Outcome::LaunchFailed(errno) = report.outcome {
            return Err(JudgeError::Launch { case_name: case.name.clone(), errno });
        }
        self.judged(case, ordinal, (report, limits), observer).await
    }

    async fn judged(
        &mut self,
        case: &JudgeCase,
        ordinal: u32,
        (report, limits): (RunReport, EffectiveLimits),
        observer: Observer,
    ) -> Result<CaseRun, JudgeError> {
        let overflown = report.stdout_bytes + report.stderr.len() as u64 > limits.output_bytes;
        let outcome = if overflown && report.exited_cleanly() { Outcome::OutputLimit } else { report.outcome };
        let is_clean = outcome == Outcome::Exited(0);
        let Checked { difference, said, output_head } = self.checked(case, ordinal, observer, is_clean).await?;
        let (verdict, message) = match &said {
            Some(said) => (said.verdict.clone(), said.message.clone()),
            None => verdict::of_run(outcome, difference, &report, &limits),
        };
        let mut stderr_head = report.stderr.clone();
        stderr_head.truncate(STDERR_HEAD_BYTES);
        let score = said.as_ref().map(|said| said.score).unwrap_or_default();
        let run = JudgedRun {
            ordinal,
            case_name: case.name.clone(),
            is_sample: case.is_sample,
            verdict,
            outcome: verdict::outcome_words(outcome),
            cpu_ms: report.cpu_ms(),
            wall_ms: report.wall_ms(),
            peak_memory_bytes: report.peak_memory_bytes,
            output_bytes: report.stdout_bytes,
            message,
            output_head,
            stderr_head,
            is_disturbed: report.disturbed,
            score: points(score, case.rules.points),
            team_message: said.map(|said| said.team_message).unwrap_or_default(),
        };
        Ok(CaseRun { run, score })
    }

    /// The output against the answer, by comparison or by the output validator; only a clean run's is looked at.
    async fn checked(
        &mut self,
        case: &JudgeCase,
        ordinal: u32,
        observer: Observer,
        is_clean: bool,
    ) -> Result<Checked, JudgeError> {
        let unreadable = |source| JudgeError::ReadCase {
            case_name: case.name.clone(),
            path: match &case.expected {
                Expected::Answer(path) => path.clone(),
                Expected::Anything => PathBuf::new(),
            },
            source,
        };
        let kept = match observer {
            Observer::Comparer(comparer) => {
                let (difference, output_head) = comparer.finish(is_clean).map_err(unreadable)?;
                return Ok(Checked { difference, said: None, output_head });
            }
            Observer::Kept(kept) => kept,
        };
        let (output, output_head) = kept.finish().map_err(unreadable)?;
        let said = match &mut self.jury {
            Some(jury) if is_clean => {
                let args = case.rules.checker_args.as_ref().unwrap_or(&self.checker_args);
                Some(jury.check(case, ordinal, args, output).await?)
            }
            None if is_clean => self.compared(case, output).map_err(unreadable)?,
            Some(_) | None => None,
        };
        Ok(Checked { difference: None, said, output_head })
    }

    /// A whole output against the answer, where the rules name a plain comparison.
    fn compared(&self, case: &JudgeCase, output: Stdin) -> io::Result<Option<Said>> {
        let (Some(form), Expected::Answer(path)) = (self.normal_form(), &case.expected) else { return Ok(None) };
        let answer = File::open(path)?;
        let difference = match output {
            Stdin::Empty => form.first_difference(io::empty(), answer),
            Stdin::Bytes(bytes) => form.first_difference(bytes.as_slice(), answer),
            Stdin::File(file) => form.first_difference(file, answer),
        }?;
        let verdict = if difference.is_none() { Verdict::Accepted } else { Verdict::WrongAnswer };
        let message = difference.map(|line| format!("line {line} differs")).unwrap_or_default();
        Ok(Some(Said { verdict, score: CaseScore::Unstated, message, team_message: String::new() }))
    }

    fn normal_form(&self) -> Option<NormalForm> {
        match &self.problem.rules.checker {
            Checker::Lines => Some(NormalForm::Lines),
            Checker::WhiteDiff => Some(NormalForm::WhiteDiff),
            Checker::Exact => Some(NormalForm::Exact),
            Checker::Default | Checker::Program { .. } => None,
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

    fn run_limits(&self, limits: &EffectiveLimits) -> Limits {
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

/// Points as far as the case itself tells them; a part of a group's points is known to the scoring alone.
fn points(score: CaseScore, of_case: Option<f64>) -> Option<f64> {
    match score {
        CaseScore::Unstated => None,
        CaseScore::Multiplier(part) => of_case.map(|points| points * part),
        CaseScore::Points(points) => Some(points),
    }
}
