//! The way from sources to a verdict.

use std::sync::Arc;

use agon_contract::verdict::Verdict;
use tokio_util::sync::CancellationToken;

use super::cache::CompileCache;
use super::cases::{Cases, Ran};
use super::compile::{self, Compiled};
use super::control::Deaths;
use super::error::{JudgeError, PackageFault};
use super::jury::program::{self, Build};
use super::jury::{BuiltProgram, Jury};
use super::layout::Layout;
use super::model::{
    CompileReport, JudgeMode, JudgeableProblem, Judged, JudgedRun, JudgingProgress, Program, ProgramFile,
};
use crate::domain::jury::JuryProgram;
use crate::domain::rules::{Checker, CheckerProtocol, Conduct};
use crate::domain::scoring::Graded;
use crate::sandbox::{BoxPurpose, BoxSpec, ImageRef, Sandbox};

/// Memory class that is kept warm for runs: the limit most problems have.
const WARM_MEMORY_BYTES: u64 = 256 * 1024 * 1024;
const WARM_PROCESSES: u32 = 64;

/// Judges submissions; calls may run side by side.
#[derive(Clone)]
pub struct Judging {
    sandbox: Arc<dyn Sandbox>,
    image: ImageRef,
    cache: CompileCache,
}

impl Judging {
    /// Judges in boxes of `image`.
    #[must_use]
    pub fn new(sandbox: Arc<dyn Sandbox>, image: ImageRef, cache: CompileCache) -> Self {
        Self { sandbox, image, cache }
    }

    /// Id, or else reference, of the image that judgements name.
    #[must_use]
    pub fn image_id(&self) -> &str {
        self.image.id.as_deref().unwrap_or(&self.image.reference)
    }

    /// Lets the sandbox fill its warm pool with the boxes that the next submission will most likely want.
    pub fn prewarm(&self) {
        self.prewarm_for(WARM_MEMORY_BYTES);
    }

    /// The same where the problem is known: a box is kept for its memory limit. The pool keeps few classes, so the
    /// right one matters.
    pub fn prewarm_for(&self, memory_bytes: u64) {
        self.sandbox.prewarm(&compile::box_spec(&self.image));
        self.sandbox.prewarm(&BoxSpec {
            purpose: BoxPurpose::Run,
            image: self.image.clone(),
            memory_bytes,
            processes: WARM_PROCESSES,
        });
    }

    /// Compiles `program` and runs the problem's cases. A preview is this with the samples or with one case that
    /// expects [`Anything`](super::Expected::Anything), in [`RunAll`](JudgeMode::RunAll).
    ///
    /// # Errors
    /// Faults of ours or the machine's; ask their [`disposition`](JudgeError::disposition). After a cancellation the
    /// box is dead.
    pub async fn judge(
        &self,
        program: &Program,
        problem: &JudgeableProblem,
        mode: JudgeMode,
        progress: &dyn JudgingProgress,
        cancel: &CancellationToken,
    ) -> Result<Judged, JudgeError> {
        // Dropping the work's future kills its box (the sandbox port's rule).
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(JudgeError::Cancelled),
            judged = self.judge_to_the_end(program, problem, mode, progress) => judged,
        }
    }

    async fn judge_to_the_end(
        &self,
        program: &Program,
        problem: &JudgeableProblem,
        mode: JudgeMode,
        progress: &dyn JudgingProgress,
    ) -> Result<Judged, JudgeError> {
        if let Some(fault) = fault_of(program, problem) {
            return Ok(self.faulty(fault));
        }
        let program = &with_includes(program, problem)?;
        let layout = Layout::of(program)?;
        progress.compiling();
        let key = compile::cache_key(program, &self.image);
        let mut deaths = Deaths::default();
        let (artefact, report) = match self.compile(&key, &layout, &mut deaths).await? {
            Compiled::Ready(artefact, report) => (artefact, report),
            Compiled::Failed(report) => return Ok(self.compile_error(report)),
        };
        let seated = self.seated(program, problem, &mut deaths).await?;
        let Seated { jury, interactor, checker_args } = match seated {
            Ok(seated) => seated,
            Err(fault) => return Ok(Judged { compile: report, ..self.faulty(fault) }),
        };
        progress.running(u32::try_from(problem.cases.len()).unwrap_or(u32::MAX));
        let cases = Cases {
            sandbox: self.sandbox.as_ref(),
            image: &self.image,
            layout: &layout,
            artefact: &artefact,
            problem,
            limits: problem.limits.with_time_multiplier(program.language.time_multiplier_percent),
            time_multiplier_percent: program.language.time_multiplier_percent,
            processes: program.language.processes,
            open: None,
            deaths,
            jury,
            interactor,
            jury_deaths: 0,
            checker_args,
        };
        let ran = cases.run_all(mode, progress).await;
        if let Err(JudgeError::Launch { .. }) = &ran {
            self.cache.forget(&key).await;
        }
        Ok(self.judged(report, ran?))
    }

    /// Builds the jury's programs that the rules name; the inner error is the package's.
    async fn seated<'a>(
        &'a self,
        program: &'a Program,
        problem: &'a JudgeableProblem,
        deaths: &mut Deaths,
    ) -> Result<Result<Seated<'a>, PackageFault>, JudgeError> {
        let mut seated = Seated::default();
        let interactor = match &problem.rules.conduct {
            Conduct::InteractorThenChecker(interactor) => Some((interactor, CheckerProtocol::Testlib)),
            Conduct::Batch | Conduct::Interactive | Conduct::Manager { .. } | Conduct::SubmitAnswer => None,
        };
        let checker = match &problem.rules.checker {
            Checker::Program { program, protocol, args } => {
                seated.checker_args.clone_from(args);
                Some((program, *protocol))
            }
            Checker::Default | Checker::Lines | Checker::WhiteDiff | Checker::Exact => None,
        };
        for (place, named) in [(&mut seated.interactor, interactor), (&mut seated.jury, checker)] {
            let Some((jury, protocol)) = named else { continue };
            let built = match self.build_jury(jury, problem, deaths).await? {
                Ok(built) => built,
                Err(detail) => return Ok(Err(PackageFault::JuryProgram { name: jury.name.clone(), detail })),
            };
            *place = Some(Jury {
                sandbox: self.sandbox.as_ref(),
                image: &self.image,
                program: built,
                protocol,
                limits: problem.rules.jury_limits,
                sources: &program.files,
                open: None,
            });
        }
        Ok(Ok(seated))
    }

    /// A jury program ready to be started, or why it cannot be: the package's fault.
    async fn build_jury(
        &self,
        jury: &JuryProgram,
        problem: &JudgeableProblem,
        deaths: &mut Deaths,
    ) -> Result<Result<BuiltProgram, String>, JudgeError> {
        match program::plan(jury, &problem.contents)? {
            Build::Impossible(detail) => Ok(Err(detail)),
            Build::AsItIs { built } => Ok(Ok(built)),
            Build::Compile { program } => {
                let layout = match Layout::of_jury(&program) {
                    Ok(layout) => layout,
                    Err(error) => return Ok(Err(error.to_string())),
                };
                let key = compile::cache_key(&program, &self.image);
                Ok(match self.compile(&key, &layout, deaths).await? {
                    Compiled::Ready(artefact, _) => {
                        Ok(program::compiled(jury, &layout, artefact, problem.rules.jury_limits.memory_bytes))
                    }
                    Compiled::Failed(report) => {
                        let text = program::head_of(&String::from_utf8_lossy(&report.text));
                        Err(format!("{} {text}", report.reason).trim().to_owned())
                    }
                })
            }
            Build::Scripts { files } => {
                let key = program::scripts_key(&files, &self.image);
                if let Some((artefact, _)) = self.cache.load(&key).await {
                    return Ok(Ok(program::scripts(jury, artefact, "run")));
                }
                Ok(match program::build_scripts(self.sandbox.as_ref(), &self.image, &files).await? {
                    Ok((artefact, report)) => {
                        self.cache.store(&key, &artefact, &report).await;
                        Ok(program::scripts(jury, artefact, "run"))
                    }
                    Err(detail) => Err(detail),
                })
            }
        }
    }

    async fn compile(&self, key: &str, layout: &Layout<'_>, deaths: &mut Deaths) -> Result<Compiled, JudgeError> {
        if let Some((artefact, report)) = self.cache.load(key).await {
            return Ok(Compiled::Ready(artefact, report));
        }
        let sandbox = self.sandbox.as_ref();
        let compiled = loop {
            match compile::compile(sandbox, &self.image, layout).await {
                Ok(compiled) => break compiled,
                Err(error) => deaths.forgive(error, sandbox, &self.image).await?,
            }
        };
        if let Compiled::Ready(artefact, report) = &compiled {
            self.cache.store(key, artefact, report).await;
        }
        Ok(compiled)
    }

    fn judged(&self, compile: CompileReport, Ran { runs, graded }: Ran) -> Judged {
        let ended = self.ended(compile, &runs);
        let judged = match graded {
            // A jury program that failed says nothing about the submission, whatever other cases said.
            None => {
                let broken = runs.iter().find(|run| run.verdict == Verdict::JudgeError);
                let said = broken.map(|run| run.message.clone()).unwrap_or_default();
                let first_failing = broken.map(|run| run.case_name.clone());
                Judged { reason: said.clone(), fault: Some(PackageFault::JuryFailed(said)), first_failing, ..ended }
            }
            Some(Graded { fault: Some(detail), .. }) => {
                Judged { reason: detail.clone(), fault: Some(PackageFault::Scoring(detail)), ..ended }
            }
            Some(Graded { verdict, score, max_score, first_failing, groups, fault: None }) => {
                let ordinal = first_failing.map(|index| index + 1);
                let failing = runs.iter().find(|run| Some(run.ordinal as usize) == ordinal);
                let reason = failing.map(|run| run.message.clone()).unwrap_or_default();
                let first_failing = failing.map(|run| run.case_name.clone());
                Judged { verdict, reason, score, max_score, groups, first_failing, ..ended }
            }
        };
        Judged { runs, ..judged }
    }

    /// What every judging ends with, as long as nothing else is known of it.
    fn ended(&self, compile: CompileReport, runs: &[JudgedRun]) -> Judged {
        Judged {
            verdict: Verdict::JudgeError,
            reason: String::new(),
            fault: None,
            compile,
            score: None,
            max_score: None,
            groups: Vec::new(),
            first_failing: None,
            max_cpu_ms: runs.iter().map(|run| run.cpu_ms).max(),
            max_wall_ms: runs.iter().map(|run| run.wall_ms).max(),
            peak_memory_bytes: runs.iter().map(|run| run.peak_memory_bytes).max(),
            runs: Vec::new(),
            image_id: self.image_id().to_owned(),
        }
    }

    fn compile_error(&self, compile: CompileReport) -> Judged {
        let reason = compile.reason.clone();
        Judged { verdict: Verdict::CompileError, reason, ..self.ended(compile, &[]) }
    }

    fn faulty(&self, fault: PackageFault) -> Judged {
        let reason = fault.to_string();
        let ended = self.ended(CompileReport::default(), &[]);
        Judged { reason, fault: Some(fault), ..ended }
    }
}

/// The jury's programs of one judging.
#[derive(Default)]
struct Seated<'a> {
    jury: Option<Jury<'a>>,
    interactor: Option<Jury<'a>>,
    checker_args: Vec<String>,
}

/// What makes a verdict impossible before anything runs.
fn fault_of(program: &Program, problem: &JudgeableProblem) -> Option<PackageFault> {
    if problem.cases.is_empty() {
        return Some(PackageFault::NoTestCases);
    }
    if let Some(what) = unsupported(problem) {
        return Some(PackageFault::NotSupported(what));
    }
    let minimum_bytes = program.language.minimum_memory_bytes();
    (problem.limits.memory_bytes < minimum_bytes).then(|| PackageFault::MemoryBelowMinimum {
        language: program.language.name.clone(),
        limit_bytes: problem.limits.memory_bytes,
        minimum_bytes,
    })
}

/// What the rules ask for and this version does not do: never judged in some other way instead.
fn unsupported(problem: &JudgeableProblem) -> Option<&'static str> {
    let rules = &problem.rules;
    let has_program = matches!(rules.checker, Checker::Program { .. });
    let conduct = match &rules.conduct {
        Conduct::Batch | Conduct::InteractorThenChecker(_) => None,
        Conduct::Interactive => (!has_program).then_some("an interactive problem without a program that talks"),
        Conduct::Manager { .. } => Some("problems with a manager"),
        Conduct::SubmitAnswer => Some("submit-answer problems"),
    };
    let asks_again = matches!(rules.checker, Checker::Program { protocol: CheckerProtocol::Icpc, .. });
    let has_files = problem.cases.iter().any(|case| !case.rules.files.is_empty());
    conduct
        .or((rules.passes > 1 && !asks_again).then_some("several passes without a validator that asks for them"))
        .or((rules.file_io.input.is_some() || rules.file_io.output.is_some()).then_some("input and output in files"))
        .or(rules.static_validator.is_some().then_some("static validators"))
        .or(has_files.then_some("files beside a test case"))
}

/// The submission with the problem's own files laid over it: those for its language, else those for any.
/// (Problem Package Format, "Included Files")
fn with_includes(program: &Program, problem: &JudgeableProblem) -> Result<Program, JudgeError> {
    let codes = &program.language.package_codes;
    let for_language = problem.rules.includes.iter().find(|include| codes.contains(&include.language));
    let for_any = || problem.rules.includes.iter().find(|include| include.language == "default");
    let mut program = program.clone();
    let Some(include) = for_language.or_else(for_any) else { return Ok(program) };
    for file in &include.files {
        let bytes = program::read_content("include", file, &problem.contents)?;
        program.files.retain(|own| own.name != file.name);
        program.files.push(ProgramFile { name: file.name.clone(), bytes });
    }
    Ok(program)
}
