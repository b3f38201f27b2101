//! One pass over one case: the submission runs, by itself or in conversation, and what it did is looked at.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use agon_contract::verdict::Verdict;

use super::cases::Cases;
use super::comparer::Comparer;
use super::error::JudgeError;
use super::jury::output::{Kept, Output};
use super::jury::{Jury, Said, Turn};
use super::model::{Expected, JudgeCase, JudgedRun};
use super::talk::{Talked, talk};
use super::verdict;
use crate::domain::comparison::{Difference, NormalForm};
use crate::domain::limits::EffectiveLimits;
use crate::domain::rules::{Checker, Conduct};
use crate::domain::scoring::CaseScore;
use crate::sandbox::{BOX_TMP, Outcome, OutputSink, RunReport, RunStep, Stdin};

/// Stderr of a run that is kept for people.
const STDERR_HEAD_BYTES: usize = 16 * 1024;

/// What the submission reads.
pub(super) enum PassInput {
    /// The case's input.
    Case,
    /// What the jury's program left for this pass.
    Bytes(Vec<u8>),
}

/// Which pass over which case.
#[derive(Clone, Copy)]
pub(super) struct Round<'a> {
    pub(super) ordinal: u32,
    /// From 1.
    pub(super) number: u32,
    pub(super) limits: &'a EffectiveLimits,
}

/// What happened in one pass, or in several that followed each other.
pub(super) struct Pass {
    report: RunReport,
    pub(super) checked: Checked,
}

/// What was made of an output.
pub(super) struct Checked {
    difference: Option<Difference>,
    pub(super) said: Option<Said>,
    output_head: Vec<u8>,
}

/// One case with everything that grading wants to know.
pub(super) struct CaseRun {
    pub(super) run: JudgedRun,
    pub(super) score: CaseScore,
    /// The machine kept the jury's program from running.
    pub(super) is_jury_held_up: bool,
}

/// Takes a run's output.
enum Observer {
    /// Compares it as it flows.
    Comparer(Box<Comparer>),
    /// Keeps it for who looks at it afterwards.
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

impl Cases<'_> {
    /// Runs the submission once over `case` and has the result looked at.
    pub(super) async fn pass(
        &mut self,
        case: &JudgeCase,
        round: Round<'_>,
        input: PassInput,
    ) -> Result<Pass, JudgeError> {
        match (&self.problem.rules.conduct, &case.expected) {
            (_, Expected::Anything) => self.read_and_print(case, round, input).await,
            (Conduct::Interactive | Conduct::InteractorThenChecker(_), Expected::Answer(_)) => {
                self.converse(case, round).await
            }
            (Conduct::Batch | Conduct::Manager { .. } | Conduct::SubmitAnswer, Expected::Answer(_)) => {
                self.read_and_print(case, round, input).await
            }
        }
    }

    async fn read_and_print(
        &mut self,
        case: &JudgeCase,
        round: Round<'_>,
        input: PassInput,
    ) -> Result<Pass, JudgeError> {
        let stdin = match input {
            PassInput::Case => {
                Stdin::File(File::open(&case.input).map_err(|source| unreadable(case, &case.input, source))?)
            }
            PassInput::Bytes(bytes) => Stdin::Bytes(bytes),
        };
        let mut observer = self.observer(case)?;
        let step = self.step(case, round, stdin);
        let mut run_box = self.take_box().await?;
        let failed = |source| JudgeError::Sandbox { operation: "running a test case", source };
        let report = run_box.run(step, observer.sink()).await.map_err(failed)?;
        self.open = Some(run_box);
        let report = settled(report, case, round.limits)?;
        let checked = self.checked(case, round, observer, report.exited_cleanly()).await?;
        Ok(Pass { report, checked })
    }

    /// The submission in conversation with the checker or the interactor.
    async fn converse(&mut self, case: &JudgeCase, round: Round<'_>) -> Result<Pass, JudgeError> {
        let step = self.step(case, round, Stdin::Empty);
        let mut run_box = self.take_box().await?;
        let args = case.rules.checker_args.as_ref().unwrap_or(&self.checker_args);
        let has_interactor = self.interactor.is_some();
        let args: &[String] = if has_interactor { &[] } else { args };
        let turn = Turn { case, ordinal: round.ordinal, pass: round.number, args };
        let program = self.interactor.as_mut().or(self.jury.as_mut());
        let program: &mut Jury<'_> = program.expect("judging builds the program of an interactive problem");
        let Talked { report, transcript, said } = talk(run_box.as_mut(), step, program, turn).await?;
        self.open = Some(run_box);
        let report = settled(report, case, round.limits)?;
        let said = match said {
            Some(said) if has_interactor && said.verdict.is_accepted() => {
                let left = Output::Memory(said.left_output.clone().unwrap_or_default());
                let checked = self.looked_at(case, round, left).await?;
                Some(checked.unwrap_or(said))
            }
            said => said,
        };
        Ok(Pass { report, checked: Checked { difference: None, said, output_head: transcript } })
    }

    fn step(&self, case: &JudgeCase, round: Round<'_>, stdin: Stdin) -> RunStep {
        let mut argv = self.layout.run_argv(round.limits.memory_bytes);
        argv.extend(case.rules.args.iter().cloned());
        RunStep {
            argv,
            env: self.layout.env(),
            working_dir: BOX_TMP.to_owned(),
            stdin,
            limits: self.run_limits(round.limits),
            keep_files: false,
            stop: None,
        }
    }

    fn observer(&self, case: &JudgeCase) -> Result<Observer, JudgeError> {
        let Expected::Answer(path) = &case.expected else {
            return Ok(Observer::Comparer(Box::new(Comparer::without_answer())));
        };
        if self.jury.is_some() || self.normal_form().is_some() {
            return Ok(Observer::Kept(Kept::new()));
        }
        let answer = File::open(path).map_err(|source| unreadable(case, path, source))?;
        let args = case.validator.as_ref().unwrap_or(&self.problem.validator);
        Ok(Observer::Comparer(Box::new(Comparer::with_answer(args.clone(), answer))))
    }

    /// The output against the answer; only a clean run's is looked at.
    async fn checked(
        &mut self,
        case: &JudgeCase,
        round: Round<'_>,
        observer: Observer,
        is_clean: bool,
    ) -> Result<Checked, JudgeError> {
        match observer {
            Observer::Comparer(comparer) => {
                let finished = comparer.finish(is_clean);
                let (difference, output_head) = finished.map_err(|source| unreadable(case, answer_of(case), source))?;
                Ok(Checked { difference, said: None, output_head })
            }
            Observer::Kept(kept) => {
                let unkept = |source| JudgeError::KeepOutput { case_name: case.name.clone(), source };
                let (output, output_head) = kept.finish().map_err(unkept)?;
                let said = if is_clean { self.looked_at(case, round, output).await? } else { None };
                Ok(Checked { difference: None, said, output_head })
            }
        }
    }

    /// A whole output, looked at by the checker or by a plain comparison.
    async fn looked_at(
        &mut self,
        case: &JudgeCase,
        round: Round<'_>,
        output: Output,
    ) -> Result<Option<Said>, JudgeError> {
        let args = case.rules.checker_args.as_ref().unwrap_or(&self.checker_args);
        match &mut self.jury {
            Some(jury) => {
                let turn = Turn { case, ordinal: round.ordinal, pass: round.number, args };
                Ok(Some(jury.check(turn, output).await?))
            }
            None => self.compared(case, output).map_err(|source| unreadable(case, answer_of(case), source)),
        }
    }

    /// A whole output against the answer, where the rules name a plain comparison.
    fn compared(&self, case: &JudgeCase, output: Output) -> io::Result<Option<Said>> {
        let (Some(form), Expected::Answer(path)) = (self.normal_form(), &case.expected) else { return Ok(None) };
        let difference = form.first_difference(output.into_reader(), File::open(path)?)?;
        let verdict = if difference.is_none() { Verdict::Accepted } else { Verdict::WrongAnswer };
        let message = difference.map(|line| format!("line {line} differs")).unwrap_or_default();
        Ok(Some(Said::of(verdict, CaseScore::Unstated, message)))
    }

    fn normal_form(&self) -> Option<NormalForm> {
        match &self.problem.rules.checker {
            Checker::Lines => Some(NormalForm::Lines),
            Checker::WhiteDiff => Some(NormalForm::WhiteDiff),
            Checker::Exact => Some(NormalForm::Exact),
            Checker::Default | Checker::Program { .. } => None,
        }
    }
}

impl Pass {
    /// Both as one: times and sizes are the largest of any pass, words the last one's.
    pub(super) fn followed_by(self, later: Self) -> Self {
        let (before, after) = (self.report, later.report);
        let report = RunReport {
            cpu_us: before.cpu_us.max(after.cpu_us),
            wall_us: before.wall_us.max(after.wall_us),
            peak_memory_bytes: before.peak_memory_bytes.max(after.peak_memory_bytes),
            stdout_bytes: before.stdout_bytes.max(after.stdout_bytes),
            disturbed: before.disturbed || after.disturbed,
            ..after
        };
        let mut output_head = self.checked.output_head;
        output_head.extend_from_slice(b"---\n");
        output_head.extend(later.checked.output_head);
        output_head.truncate(super::comparer::OUTPUT_HEAD_BYTES);
        Self { report, checked: Checked { output_head, ..later.checked } }
    }

    pub(super) fn into_run(self, case: &JudgeCase, ordinal: u32, limits: &EffectiveLimits) -> CaseRun {
        let Self { report, checked: Checked { difference, said, output_head } } = self;
        let (verdict, message) = match &said {
            Some(said) => (said.verdict.clone(), said.message.clone()),
            None => verdict::of_run(report.outcome, difference, &report, limits),
        };
        let score = said.as_ref().map(|said| said.score).unwrap_or_default();
        let is_jury_held_up = said.as_ref().is_some_and(|said| said.is_held_up);
        let mut stderr_head = report.stderr.clone();
        stderr_head.truncate(STDERR_HEAD_BYTES);
        let run = JudgedRun {
            ordinal,
            case_name: case.name.clone(),
            is_sample: case.is_sample,
            verdict,
            outcome: verdict::outcome_words(report.outcome),
            cpu_ms: report.cpu_ms(),
            wall_ms: report.wall_ms(),
            peak_memory_bytes: report.peak_memory_bytes,
            output_bytes: report.stdout_bytes,
            message,
            output_head,
            stderr_head,
            is_disturbed: report.disturbed || is_jury_held_up,
            score: points(score, case.rules.points),
            team_message: said.map(|said| said.team_message).unwrap_or_default(),
        };
        CaseRun { run, score, is_jury_held_up }
    }
}

impl CaseRun {
    /// The word about a case whose run cannot be told about.
    pub(super) fn without_run(case: &JudgeCase, ordinal: u32, said: Said) -> Self {
        let run = JudgedRun {
            ordinal,
            case_name: case.name.clone(),
            is_sample: case.is_sample,
            verdict: said.verdict,
            outcome: String::new(),
            cpu_ms: 0,
            wall_ms: 0,
            peak_memory_bytes: 0,
            output_bytes: 0,
            message: said.message,
            output_head: Vec::new(),
            stderr_head: Vec::new(),
            is_disturbed: false,
            score: None,
            team_message: String::new(),
        };
        Self { run, score: CaseScore::Unstated, is_jury_held_up: false }
    }
}

/// The report with what the two output streams come to together; a program that was not started is no run.
fn settled(report: RunReport, case: &JudgeCase, limits: &EffectiveLimits) -> Result<RunReport, JudgeError> {
    if let Outcome::LaunchFailed(errno) = report.outcome {
        return Err(JudgeError::Launch { case_name: case.name.clone(), errno });
    }
    let is_overflown = report.stdout_bytes + report.stderr.len() as u64 > limits.output_bytes;
    let outcome = if is_overflown && report.exited_cleanly() { Outcome::OutputLimit } else { report.outcome };
    Ok(RunReport { outcome, ..report })
}

fn answer_of(case: &JudgeCase) -> &Path {
    match &case.expected {
        Expected::Answer(path) => path,
        Expected::Anything => &case.input,
    }
}

fn unreadable(case: &JudgeCase, path: &Path, source: io::Error) -> JudgeError {
    JudgeError::ReadCase { case_name: case.name.clone(), path: PathBuf::from(path), source }
}

/// Points as far as the case itself tells them; a part of a group's points is known to the scoring alone.
fn points(score: CaseScore, of_case: Option<f64>) -> Option<f64> {
    match score {
        CaseScore::Unstated => None,
        CaseScore::Multiplier(part) => of_case.map(|points| points * part),
        CaseScore::Points(points) => Some(points),
    }
}
