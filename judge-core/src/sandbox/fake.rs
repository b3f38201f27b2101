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
    /// Runs until its box is dropped.
    pub never_ends: bool,
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
            never_ends: false,
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
        if run.never_ends {
            std::future::pending::<()>().await;
        }
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
        // A script answers at once and talks to nobody.
        Stdin::Pipe(_) => Ok(Vec::new()),
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
    sink.ended();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{BoxPurpose, ImageRef, KeepHead, Limits};

    const LIMITS: Limits = Limits {
        cpu_ms: 1000,
        wall_ms: 3000,
        memory_bytes: 1 << 28,
        output_bytes: 10,
        stderr_bytes: 4,
        file_bytes: 1 << 20,
        processes: 8,
        open_files: 64,
    };

    fn spec() -> BoxSpec {
        let image = ImageRef { reference: "fake".into(), id: None };
        BoxSpec { purpose: BoxPurpose::Run, image, memory_bytes: 1 << 28, processes: 8 }
    }

    fn step(stdin: &str, keep_files: bool) -> RunStep {
        RunStep {
            argv: vec!["/agon/work/main".into()],
            env: Vec::new(),
            working_dir: "/tmp".into(),
            stdin: Stdin::Bytes(stdin.into()),
            limits: LIMITS,
            keep_files,
            stop: None,
        }
    }

    #[tokio::test]
    async fn a_script_sees_the_run_and_the_caps_hold() {
        let sandbox = FakeSandbox::new(|invocation| match invocation.stdin.as_slice() {
            b"long" => Ok(FakeRun::prints("0123456789x")),
            b"loud" => Ok(FakeRun { stderr: b"12345".to_vec(), ..FakeRun::prints("") }),
            other => Ok(FakeRun::prints(other)),
        });
        let mut opened = sandbox.open(&spec()).await.expect("open");
        let mut sink = KeepHead::new(100);
        let report = opened.run(step("echo", false), &mut sink).await.expect("a report");
        assert_eq!((report.outcome, sink.bytes()), (Outcome::Exited(0), &b"echo"[..]));
        let mut sink = KeepHead::new(100);
        let report = opened.run(step("long", false), &mut sink).await.expect("a report");
        assert_eq!((report.outcome, sink.bytes()), (Outcome::OutputLimit, &b"0123456789"[..]));
        let report = opened.run(step("loud", false), &mut KeepHead::new(0)).await.expect("a report");
        assert_eq!(
            (report.outcome, report.stderr, report.stderr_truncated),
            (Outcome::OutputLimit, b"1234".to_vec(), true)
        );
        assert_eq!((sandbox.runs(), sandbox.boxes_alive()), (3, 1));
        opened.destroy().await;
        assert_eq!((sandbox.boxes_opened(), sandbox.boxes_alive()), (1, 0));
    }

    #[tokio::test]
    async fn files_are_collected_only_when_they_were_kept() {
        let sandbox = FakeSandbox::new(|_invocation| {
            let file =
                |path: &str| CollectedFile { relative_path: path.into(), bytes: b"abc".to_vec(), executable: true };
            Ok(FakeRun { files: vec![file("/tmp/out/main"), file("/tmp/out/pkg/A")], ..FakeRun::prints("") })
        });
        let mut opened = sandbox.open(&spec()).await.expect("open");
        let caps = CollectCaps { total_bytes: 6, files: 2 };
        opened.run(step("", true), &mut KeepHead::new(0)).await.expect("a report");
        let files = opened.collect(Path::new("/tmp/out"), caps).await.expect("collected");
        let names: Vec<_> = files.iter().map(|file| file.relative_path.to_str().expect("text")).collect();
        assert_eq!(names, ["main", "pkg/A"]);
        let one = opened.collect(Path::new("/tmp/out/main"), caps).await.expect("collected");
        assert_eq!(one[0].relative_path, Path::new("main"));
        let few = CollectCaps { total_bytes: 5, ..caps };
        assert_eq!(opened.collect(Path::new("/tmp/out"), few).await.expect_err("caps").code(), "collect_refused");
        opened.run(step("", false), &mut KeepHead::new(0)).await.expect("a report");
        assert!(opened.collect(Path::new("/tmp/out"), caps).await.expect("collected").is_empty());
    }

    #[tokio::test]
    async fn an_engine_that_is_away_answers_like_a_real_one() {
        let sandbox = FakeSandbox::new(|_invocation| Ok(FakeRun::prints("")));
        let mut opened = sandbox.open(&spec()).await.expect("open");
        sandbox.set_away(Some("stopped"));
        assert_eq!(sandbox.status().await.health, SandboxHealth::EngineAway);
        assert_eq!(sandbox.open(&spec()).await.err().expect("away").code(), "engine_unreachable");
        assert!(opened.run(step("", false), &mut KeepHead::new(0)).await.is_err());
        sandbox.set_away(None);
        assert!(sandbox.open(&spec()).await.is_ok());
    }
}
