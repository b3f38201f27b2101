//! A sandbox without an engine, for unit tests: each run is answered by a script.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use super::{
    BoxSpec, CollectCaps, CollectedFile, Content, Outcome, OutputSink, RunReport, RunStep, Sandbox, SandboxBox,
    SandboxError, SandboxHealth, SandboxStatus, Stdin, WorkFile,
};

/// What a script may look at: the step with its input read, and the files put into the box so far.
#[derive(Clone, Debug)]
pub struct FakeInvocation {
    pub spec: BoxSpec,
    pub argv: Vec<String>,
    pub stdin: Vec<u8>,
    pub work_files: BTreeMap<PathBuf, Vec<u8>>,
    pub limits: super::Limits,
    /// Counts the runs of all boxes, from 0.
    pub index: usize,
}

/// What the program "does". Caps and outcome follow the same rules as in a real box.
#[derive(Clone, Debug)]
pub struct FakeRun {
    pub outcome: Outcome,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub cpu_us: u64,
    pub wall_us: u64,
    pub peak_memory_bytes: u64,
    pub disturbed: bool,
    /// Files it leaves behind for `collect`, by absolute path.
    pub files: Vec<CollectedFile>,
}

impl FakeRun {
    /// Exits 0 after 1 ms with this output.
    #[must_use]
    pub fn prints(stdout: impl Into<Vec<u8>>) -> Self {
        Self { stdout: stdout.into(), ..Self::ends(Outcome::Exited(0)) }
    }

    /// Ends so, with no output.
    #[must_use]
    pub fn ends(outcome: Outcome) -> Self {
        Self {
            outcome,
            stdout: Vec::new(),
            stderr: Vec::new(),
            cpu_us: 1000,
            wall_us: 1500,
            peak_memory_bytes: 1 << 20,
            disturbed: false,
            files: Vec::new(),
        }
    }
}

type Script = dyn Fn(&FakeInvocation) -> Result<FakeRun, SandboxError> + Send + Sync;

/// Opens boxes whose runs the script answers.
#[derive(Clone)]
pub struct FakeSandbox {
    script: Arc<Script>,
    counters: Arc<Counters>,
    away: Arc<Mutex<Option<&'static str>>>,
}

#[derive(Default)]
struct Counters {
    opened: AtomicUsize,
    alive: AtomicUsize,
    runs: AtomicUsize,
}

impl FakeSandbox {
    #[must_use]
    pub fn new(script: impl Fn(&FakeInvocation) -> Result<FakeRun, SandboxError> + Send + Sync + 'static) -> Self {
        Self { script: Arc::new(script), counters: Arc::default(), away: Arc::default() }
    }

    /// From now on the engine "is away" (`Some`) or back (`None`).
    pub fn set_away(&self, detail: Option<&'static str>) {
        *self.away.lock().unwrap_or_else(PoisonError::into_inner) = detail;
    }

    #[must_use]
    pub fn boxes_opened(&self) -> usize {
        self.counters.opened.load(Ordering::SeqCst)
    }

    /// Boxes neither destroyed nor dropped: 0 when a test ends.
    #[must_use]
    pub fn boxes_alive(&self) -> usize {
        self.counters.alive.load(Ordering::SeqCst)
    }

    #[must_use]
    pub fn runs(&self) -> usize {
        self.counters.runs.load(Ordering::SeqCst)
    }

    fn unreachable(&self) -> Option<SandboxError> {
        let away = *self.away.lock().unwrap_or_else(PoisonError::into_inner);
        away.map(|detail| SandboxError::EngineUnreachable { operation: "open", detail: detail.to_owned() })
    }
}

#[async_trait]
impl Sandbox for FakeSandbox {
    async fn status(&self) -> SandboxStatus {
        let (health, message) = match self.unreachable() {
            None => (SandboxHealth::Ready, String::new()),
            Some(error) => (error.health(), error.to_string()),
        };
        SandboxStatus {
            backend: "fake".to_owned(),
            health,
            message,
            engine_version: String::new(),
            image: String::new(),
            image_id: String::new(),
            protections: Vec::new(),
            warm_boxes: 0,
        }
    }

    async fn open(&self, spec: &BoxSpec) -> Result<Box<dyn SandboxBox>, SandboxError> {
        if let Some(error) = self.unreachable() {
            return Err(error);
        }
        let number = self.counters.opened.fetch_add(1, Ordering::SeqCst);
        self.counters.alive.fetch_add(1, Ordering::SeqCst);
        Ok(Box::new(FakeBox {
            id: format!("fake-{number}"),
            spec: spec.clone(),
            sandbox: self.clone(),
            work_files: BTreeMap::new(),
            made: Vec::new(),
        }))
    }

    fn prewarm(&self, _spec: &BoxSpec) {}

    async fn sweep_orphans(&self) -> Result<usize, SandboxError> {
        self.unreachable().map_or(Ok(0), Err)
    }

    async fn close(&self) {}
}

struct FakeBox {
    id: String,
    spec: BoxSpec,
    sandbox: FakeSandbox,
    work_files: BTreeMap<PathBuf, Vec<u8>>,
    made: Vec<CollectedFile>,
}

impl Drop for FakeBox {
    fn drop(&mut self) {
        self.sandbox.counters.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl SandboxBox for FakeBox {
    fn id(&self) -> &str {
        &self.id
    }

    fn is_usable(&self) -> bool {
        true
    }

    async fn put(&mut self, file: WorkFile) -> Result<(), SandboxError> {
        let bytes = match file.content {
            Content::Bytes(bytes) => bytes,
            Content::Path(path) => std::fs::read(&path).map_err(|source| SandboxError::PutFile { path, source })?,
        };
        self.work_files.insert(file.relative_path, bytes);
        Ok(())
    }

    async fn run(&mut self, step: RunStep, stdout: &mut dyn OutputSink) -> Result<RunReport, SandboxError> {
        if let Some(error) = self.sandbox.unreachable() {
            return Err(error);
        }
        let invocation = FakeInvocation {
            spec: self.spec.clone(),
            argv: step.argv,
            stdin: read_stdin(step.stdin)?,
            work_files: self.work_files.clone(),
            limits: step.limits,
            index: self.sandbox.counters.runs.fetch_add(1, Ordering::SeqCst),
        };
        let run = (self.sandbox.script)(&invocation)?;
        self.made = if step.keep_files { run.files.clone() } else { Vec::new() };
        Ok(report(run, &step.limits, stdout))
    }

    async fn collect(&mut self, dir: &Path, caps: CollectCaps) -> Result<Vec<CollectedFile>, SandboxError> {
        let below: Vec<CollectedFile> = self
            .made
            .iter()
            .filter_map(|file| {
                let rest = file.relative_path.strip_prefix(dir).ok()?;
                let name = if rest.as_os_str().is_empty() { dir.file_name()?.into() } else { rest.into() };
                Some(CollectedFile { relative_path: name, ..file.clone() })
            })
            .collect();
        let total: u64 = below.iter().map(|file| file.bytes.len() as u64).sum();
        if below.len() > caps.files || total > caps.total_bytes {
            return Err(SandboxError::CollectRefused { detail: "more than the caps".to_owned() });
        }
        Ok(below)
    }

    async fn destroy(self: Box<Self>) {}
}

fn read_stdin(stdin: Stdin) -> Result<Vec<u8>, SandboxError> {
    match stdin {
        Stdin::Empty => Ok(Vec::new()),
        Stdin::Bytes(bytes) => Ok(bytes),
        Stdin::File(mut file) => {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut file, &mut bytes)
                .map_err(|source| SandboxError::PrepareRun { what: "standard input", source })?;
            Ok(bytes)
        }
    }
}

/// Feeds the sink in small chunks, as a pipe would, and applies the output caps.
fn report(run: FakeRun, limits: &super::Limits, sink: &mut dyn OutputSink) -> RunReport {
    let cap = usize::try_from(limits.output_bytes).unwrap_or(usize::MAX);
    let shown = &run.stdout[..run.stdout.len().min(cap)];
    for chunk in shown.chunks(4096) {
        if sink.accept(chunk).is_break() {
            break;
        }
    }
    let stderr_cap = usize::try_from(limits.stderr_bytes).unwrap_or(usize::MAX);
    let stderr_truncated = run.stderr.len() > stderr_cap;
    let overflown = run.stdout.len() > cap || stderr_truncated;
    let mut stderr = run.stderr;
    stderr.truncate(stderr_cap);
    RunReport {
        outcome: if overflown { Outcome::OutputLimit } else { run.outcome },
        cpu_us: run.cpu_us,
        wall_us: run.wall_us,
        peak_memory_bytes: run.peak_memory_bytes,
        stdout_bytes: run.stdout.len() as u64,
        stderr,
        stderr_truncated,
        processes_seen: 1,
        oom_kills: u32::from(run.outcome == Outcome::MemoryLimit),
        disturbed: run.disturbed,
    }
}
