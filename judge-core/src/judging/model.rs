//! What judging takes and what it answers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::{fs, io};

use agon_contract::score::Score;
use agon_contract::submission::RunView;
use agon_contract::verdict::Verdict;

use super::error::PackageFault;
use crate::domain::comparison::DefaultValidatorArgs;
use crate::domain::language::{Language, language_by_id};
use crate::domain::limits::EffectiveLimits;
use crate::domain::rules::{CaseRules, JudgingRules};
use crate::domain::scoring::GroupResult;
use crate::package::{CheckedPackage, PackageCase, PackageSubmission, SubmissionFile};

/// A problem as far as judging needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeableProblem {
    /// Before the language's multiplier.
    pub limits: EffectiveLimits,
    /// For the default output validator, where the rules name no other.
    pub validator: DefaultValidatorArgs,
    pub rules: JudgingRules,
    /// Where the content that rules and cases name by its hash lies.
    pub contents: BTreeMap<String, PathBuf>,
    /// In judging order.
    pub cases: Vec<JudgeCase>,
}

impl JudgeableProblem {
    /// The package's cases under these limits.
    #[must_use]
    pub fn of_package(package: &CheckedPackage, limits: EffectiveLimits) -> Self {
        let case = |case: &PackageCase| JudgeCase {
            name: case.name.clone(),
            is_sample: case.is_sample,
            input: case.input.clone(),
            expected: Expected::Answer(case.answer.clone()),
            validator: case.validator.clone(),
            rules: case.rules.clone(),
        };
        Self {
            limits,
            validator: package.validator.clone(),
            rules: package.rules.clone(),
            contents: package.contents.clone(),
            cases: package.cases.iter().map(case).collect(),
        }
    }
}

/// One test case to run.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgeCase {
    pub name: String,
    pub is_sample: bool,
    pub input: PathBuf,
    pub expected: Expected,
    /// Overrides the problem's arguments.
    pub validator: Option<DefaultValidatorArgs>,
    pub rules: CaseRules,
}

/// What the output is held against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Compared with this file.
    Answer(PathBuf),
    /// Not compared (a preview on one's own input): a clean exit is AC.
    Anything,
}

/// The contestant's program.
#[derive(Clone, Debug)]
pub struct Program {
    pub language: Arc<Language>,
    pub files: Vec<ProgramFile>,
}

impl Program {
    /// An example submission of a package; `None` when no language of the table takes it.
    ///
    /// # Errors
    /// One of its files cannot be read.
    pub fn of_package(submission: &PackageSubmission) -> io::Result<Option<Self>> {
        let Some(language) = submission.language.as_ref().and_then(language_by_id) else { return Ok(None) };
        let read = |file: &SubmissionFile| Ok(ProgramFile { name: file.name.clone(), bytes: fs::read(&file.path)? });
        let files = submission.files.iter().map(read).collect::<io::Result<_>>()?;
        Ok(Some(Self { language: Arc::clone(language), files }))
    }
}

/// One source file: a relative name and its bytes (GBK comments and all).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// How far to go after a case that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeMode {
    /// The contest default.
    StopAtFirstFailure,
    /// Every case, whatever happens (`agon verify`, previews).
    RunAll,
}

/// The end of one judging.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    pub verdict: Verdict,
    /// What qualifies the verdict (`fork limit`, `idle`), or the package's fault; may be empty.
    pub reason: String,
    /// Set exactly when the verdict is JE.
    pub fault: Option<PackageFault>,
    pub compile: CompileReport,
    /// Of scoring problems.
    pub score: Option<f64>,
    /// `None` where it is unbounded or there are no scores.
    pub max_score: Option<f64>,
    /// In the order of the package.
    pub groups: Vec<GroupResult>,
    /// In judging order; shorter than the cases when it stopped early.
    pub runs: Vec<JudgedRun>,
    /// Name of the first failing test case.
    pub first_failing: Option<String>,
    /// Over all runs; `None` when there was none.
    pub max_cpu_ms: Option<u64>,
    pub max_wall_ms: Option<u64>,
    pub peak_memory_bytes: Option<u64>,
    /// Id or reference of the image it ran in.
    pub image_id: String,
}

/// What compiling said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileReport {
    pub succeeded: bool,
    /// The compiler's bytes as it wrote them, capped.
    pub text: Vec<u8>,
    pub is_text_truncated: bool,
    /// Why it failed beyond what the text says: `compile time limit`, `compiler memory` …; may be empty.
    pub reason: String,
    pub cpu_ms: u64,
    pub wall_ms: u64,
    pub from_cache: bool,
}

/// The judgement of one test case.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedRun {
    /// From 1.
    pub ordinal: u32,
    pub case_name: String,
    pub is_sample: bool,
    pub verdict: Verdict,
    /// In words: `exit 0`, `signal SIGSEGV`, `cpu limit` …
    pub outcome: String,
    pub cpu_ms: u64,
    pub wall_ms: u64,
    pub peak_memory_bytes: u64,
    /// stdout, as far as it was read.
    pub output_bytes: u64,
    /// The first difference, which quotes the answer, or what qualifies the verdict; may be empty. Who may read it is
    /// the caller's decision.
    pub message: String,
    /// The first bytes of stdout and stderr; who may see them is the caller's decision.
    pub output_head: Vec<u8>,
    pub stderr_head: Vec<u8>,
    /// The machine disturbed it, so it was repeated.
    pub is_disturbed: bool,
    /// Points, where the checker or the format gives some.
    pub score: Option<f64>,
    /// The output validator's words for the contestant.
    pub team_message: String,
}

impl JudgedRun {
    /// The run as the interface shows it; heads of output only if `shows_output`.
    #[must_use]
    pub fn view(&self, shows_output: bool) -> RunView {
        let shown =
            |bytes: &[u8]| if shows_output { String::from_utf8_lossy(bytes).into_owned() } else { String::new() };
        RunView {
            ordinal: self.ordinal,
            case_name: self.case_name.clone(),
            is_sample: self.is_sample,
            verdict: self.verdict.clone(),
            outcome: self.outcome.clone(),
            cpu_ms: self.cpu_ms,
            wall_ms: self.wall_ms,
            peak_memory_bytes: self.peak_memory_bytes,
            output_bytes: self.output_bytes,
            message: self.message.clone(),
            output_head: shown(&self.output_head),
            stderr_head: shown(&self.stderr_head),
            disturbed: self.is_disturbed,
            score: self.score.map(Score::of),
            team_message: self.team_message.clone(),
        }
    }
}

/// Is told what is going on; must not block.
pub trait JudgingProgress: Send + Sync {
    fn compiling(&self) {}
    fn running(&self, runs_total: u32) {
        let _ = runs_total;
    }
    fn run_finished(&self, run: &JudgedRun) {
        let _ = run;
    }
}

/// Nobody listens.
#[derive(Debug)]
pub struct NoProgress;

impl JudgingProgress for NoProgress {}
