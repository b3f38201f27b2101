//! The way from sources to a verdict.

use std::sync::Arc;

use agon_contract::verdict::Verdict;
use tokio_util::sync::CancellationToken;

use super::cache::CompileCache;
use super::cases::{Cases, verdict_of};
use super::compile::{self, Compiled};
use super::control::Deaths;
use super::error::{JudgeError, PackageFault};
use super::layout::Layout;
use super::model::{CompileReport, JudgeMode, JudgeableProblem, Judged, JudgedRun, JudgingProgress, Program};
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
        let layout = Layout::of(program)?;
        progress.compiling();
        let key = compile::cache_key(program, &self.image);
        let mut deaths = Deaths::default();
        let (artefact, report) = match self.compile(&key, &layout, &mut deaths).await? {
            Compiled::Ready(artefact, report) => (artefact, report),
            Compiled::Failed(report) => return Ok(self.compile_error(report)),
        };
        progress.running(u32::try_from(problem.cases.len()).unwrap_or(u32::MAX));
        let cases = Cases {
            sandbox: self.sandbox.as_ref(),
            image: &self.image,
            layout: &layout,
            artefact: &artefact,
            problem,
            limits: problem.limits.with_time_multiplier(program.language.time_multiplier_percent),
            processes: program.language.processes,
            open: None,
            deaths,
        };
        let runs = cases.run_all(mode, progress).await;
        if let Err(JudgeError::Launch { .. }) = &runs {
            self.cache.forget(&key).await;
        }
        Ok(self.judged(report, runs?))
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

    fn judged(&self, compile: CompileReport, runs: Vec<JudgedRun>) -> Judged {
        let (verdict, first) = verdict_of(&runs);
        let failing = first.map(|index| &runs[index]);
        Judged {
            verdict,
            reason: failing.map(|run| run.message.clone()).unwrap_or_default(),
            fault: None,
            compile,
            score: None,
            max_score: None,
            groups: Vec::new(),
            first_failing: failing.map(|run| run.case_name.clone()),
            max_cpu_ms: runs.iter().map(|run| run.cpu_ms).max(),
            max_wall_ms: runs.iter().map(|run| run.wall_ms).max(),
            peak_memory_bytes: runs.iter().map(|run| run.peak_memory_bytes).max(),
            runs,
            image_id: self.image_id().to_owned(),
        }
    }

    fn compile_error(&self, compile: CompileReport) -> Judged {
        let reason = compile.reason.clone();
        Judged { verdict: Verdict::CompileError, reason, ..self.judged(compile, Vec::new()) }
    }

    fn faulty(&self, fault: PackageFault) -> Judged {
        let reason = fault.to_string();
        let judged = self.judged(CompileReport::default(), Vec::new());
        Judged { verdict: Verdict::JudgeError, reason, fault: Some(fault), ..judged }
    }
}

/// What makes a verdict impossible before anything runs.
fn fault_of(program: &Program, problem: &JudgeableProblem) -> Option<PackageFault> {
    if problem.cases.is_empty() {
        return Some(PackageFault::NoTestCases);
    }
    let minimum_bytes = program.language.minimum_memory_bytes();
    (problem.limits.memory_bytes < minimum_bytes).then(|| PackageFault::MemoryBelowMinimum {
        language: program.language.name.clone(),
        limit_bytes: problem.limits.memory_bytes,
        minimum_bytes,
    })
}
