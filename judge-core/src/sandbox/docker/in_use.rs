//! A box in a submission's hands.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_supervisor::wire::{CollectRequest, CollectedEntry, Received, RunRequest, ToBox, ToHost, WireError};
use async_trait::async_trait;
use tokio::io::AsyncReadExt;

use super::Shared;
use super::control::Control;
use super::create::{MOST_OPEN_FILES, engine_memory, engine_processes};
use super::engine::BoxState;
use super::exchange::{ExchangeError, Exchanged, READ_BUFFER_BYTES, REPORT_GRACE, exchange};
use super::opened::{OpenedBox, container_name};
use crate::sandbox::{
    CollectCaps, CollectedFile, Limits, Outcome, OutputSink, RunReport, RunStep, SandboxBox, SandboxError, Stdin,
    WorkFile, input, outcome,
};

/// Longest wait for the next file of a collection.
const COLLECT_PATIENCE: Duration = Duration::from_secs(30);
/// How often and for how long the engine is asked about a box that is gone.
const DEATH_LOOK: Duration = Duration::from_millis(100);
const DEATH_LOOKS: u32 = 30;

/// Implements the port over an opened box. Dropped or destroyed, the box is removed.
pub(super) struct BoxInUse {
    opened: Option<OpenedBox>,
    id: String,
    shared: Arc<Shared>,
    buffer: Vec<u8>,
    runs: u32,
    /// False while a call is under way and after one that failed: a dropped call leaves it false.
    usable: bool,
}

impl BoxInUse {
    pub(super) fn new(opened: OpenedBox, shared: Arc<Shared>) -> Self {
        Self {
            id: opened.id.clone(),
            opened: Some(opened),
            shared,
            buffer: vec![0; READ_BUFFER_BYTES],
            runs: 0,
            usable: true,
        }
    }

    /// The box for one call; `usable` is false until the call sets it again.
    fn begin(&mut self) -> Result<(), SandboxError> {
        if !std::mem::replace(&mut self.usable, false) || self.opened.is_none() {
            return Err(SandboxError::BoxGone { box_id: self.id.clone() });
        }
        Ok(())
    }

    fn opened(&mut self) -> Result<&mut OpenedBox, SandboxError> {
        let box_id = &self.id;
        self.opened.as_mut().ok_or_else(|| SandboxError::BoxGone { box_id: box_id.clone() })
    }

    /// Sets memory and processes where they differ from what the box has.
    async fn set_limits(&mut self, limits: &Limits) -> Result<(), SandboxError> {
        let shared = Arc::clone(&self.shared);
        let spec = &mut self.opened()?.spec;
        if spec.memory_bytes == limits.memory_bytes && spec.processes == limits.processes {
            return Ok(());
        }
        let (memory, processes) = (engine_memory(limits.memory_bytes), engine_processes(limits.processes));
        shared.engine.update(&container_name(&self.id), memory, processes).await?;
        let spec = &mut self.opened()?.spec;
        spec.memory_bytes = limits.memory_bytes;
        spec.processes = limits.processes;
        Ok(())
    }

    async fn run_step(&mut self, step: RunStep, sink: &mut dyn OutputSink) -> Result<RunReport, SandboxError> {
        self.set_limits(&step.limits).await?;
        self.runs += 1;
        let limits = step.limits;
        let stop = step.stop.clone().unwrap_or_default();
        let (request, stdin) = request(self.runs, step);
        let stdin = input::sealed(stdin).await?;
        let shared = Arc::clone(&self.shared);
        let _counted = Counted::begin(&shared);
        let started = Instant::now();
        let mut buffer = std::mem::take(&mut self.buffer);
        let opened = self.opened()?;
        let mut hang_up = HangUpOnDrop { control: &mut opened.control, armed: true };
        let exchanged = exchange(hang_up.control, request, stdin, &limits, &stop, &mut buffer, sink).await;
        hang_up.armed = exchanged.is_err();
        drop(hang_up);
        self.buffer = buffer;
        match exchanged {
            Ok(exchanged) => {
                self.usable = exchanged.report.unclean.is_none();
                if let Some(reason) = &exchanged.report.unclean {
                    tracing::warn!(box_id = %self.id, reason, "a box is not clean after a run and is discarded");
                }
                Ok(run_report(exchanged, &limits))
            }
            Err(error) => self.failed(error, &limits, started.elapsed()).await,
        }
    }

    /// What a failed exchange means. A box that is gone without a report is asked about at the engine.
    async fn failed(&self, error: ExchangeError, limits: &Limits, wall: Duration) -> Result<RunReport, SandboxError> {
        let box_id = self.id.clone();
        match error {
            ExchangeError::Prepare(source) => Err(SandboxError::PrepareRun { what: "the pipes", source }),
            ExchangeError::Overdue => Err(SandboxError::Unresponsive {
                box_id,
                overdue_ms: u64::try_from(REPORT_GRACE.as_millis()).unwrap_or(u64::MAX),
            }),
            ExchangeError::Unexpected(detail) => Err(SandboxError::Protocol { box_id, detail }),
            ExchangeError::Wire(WireError::Closed) => {
                let state = self.state_after_death().await?;
                if state.oom_killed {
                    return Ok(killed_for_memory(limits, wall));
                }
                Err(SandboxError::BoxDied { box_id, detail: state.detail })
            }
            ExchangeError::Wire(error @ (WireError::Socket(_) | WireError::TooLong | WireError::Malformed(_))) => {
                Err(SandboxError::Protocol { box_id, detail: error.to_string() })
            }
        }
    }

    /// The engine needs a moment to notice. When it is gone too, that is the fault, and not the box's.
    async fn state_after_death(&self) -> Result<BoxState, SandboxError> {
        let mut looks = DEATH_LOOKS;
        loop {
            let state = self.shared.engine.state(&container_name(&self.id)).await?;
            looks -= 1;
            if !state.running || looks == 0 {
                return Ok(state);
            }
            tokio::time::sleep(DEATH_LOOK).await;
        }
    }

    async fn collect_files(&mut self, dir: &Path, caps: CollectCaps) -> Result<Vec<CollectedFile>, SandboxError> {
        let refused = |detail: String| SandboxError::CollectRefused { detail };
        let path = dir.to_str().ok_or_else(|| refused("the path is no text".to_owned()))?;
        let request = CollectRequest {
            path: path.to_owned(),
            max_files: u32::try_from(caps.files).unwrap_or(u32::MAX),
            max_bytes: caps.total_bytes,
        };
        let box_id = self.id.clone();
        let protocol = |detail: String| SandboxError::Protocol { box_id: box_id.clone(), detail };
        let control = &mut self.opened()?.control;
        control.send(&ToBox::Collect(request), &[]).await.map_err(|error| protocol(error.to_string()))?;
        let mut files = Vec::new();
        let mut bytes_left = caps.total_bytes;
        loop {
            let received = tokio::time::timeout(COLLECT_PATIENCE, control.receive())
                .await
                .map_err(|_elapsed| protocol("the next file did not come".to_owned()))?
                .map_err(|error| protocol(error.to_string()))?;
            match received {
                Received { frame: ToHost::Collected(entry), descriptors } => {
                    let descriptor = descriptors.into_iter().next();
                    let file = read_collected(&entry, descriptor, bytes_left).await.map_err(refused)?;
                    bytes_left -= file.bytes.len() as u64;
                    files.push(file);
                }
                Received { frame: ToHost::CollectEnd(None), .. } => return Ok(files),
                Received { frame: ToHost::CollectEnd(Some(reason)), .. } => return Err(refused(reason)),
                Received { frame, .. } => return Err(protocol(format!("{frame:?} is no file"))),
            }
        }
    }
}

#[async_trait]
impl SandboxBox for BoxInUse {
    fn id(&self) -> &str {
        &self.id
    }

    fn is_usable(&self) -> bool {
        self.usable
    }

    async fn put(&mut self, file: WorkFile) -> Result<(), SandboxError> {
        self.begin()?;
        let shared = Arc::clone(&self.opened()?.folder);
        let put = tokio::task::spawn_blocking(move || shared.put(&file)).await;
        // A file that could not be put leaves the box as it was.
        self.usable = true;
        put.map_err(|error| SandboxError::PutFile { path: PathBuf::new(), source: std::io::Error::other(error) })?
    }

    async fn run(&mut self, step: RunStep, stdout: &mut dyn OutputSink) -> Result<RunReport, SandboxError> {
        self.begin()?;
        self.run_step(step, stdout).await
    }

    async fn collect(&mut self, dir: &Path, caps: CollectCaps) -> Result<Vec<CollectedFile>, SandboxError> {
        self.begin()?;
        let collected = self.collect_files(dir, caps).await;
        self.usable = matches!(collected, Ok(_) | Err(SandboxError::CollectRefused { .. }));
        collected
    }

    async fn destroy(mut self: Box<Self>) {
        if let Some(opened) = self.opened.take() {
            // A panic in the removal was already reported by the runtime; the sweep finds what is left.
            let _removed = self.shared.removal.schedule(opened).await;
        }
    }
}

impl Drop for BoxInUse {
    fn drop(&mut self) {
        if let Some(opened) = self.opened.take() {
            self.shared.removal.schedule(opened);
        }
    }
}

/// A run whose future is dropped must not go on: hanging up kills everything in the box.
struct HangUpOnDrop<'a> {
    control: &'a mut Control,
    armed: bool,
}

impl Drop for HangUpOnDrop<'_> {
    fn drop(&mut self) {
        if self.armed {
            self.control.hang_up();
        }
    }
}

/// Tells the pool that a program runs, for as long as it lives.
struct Counted<'a>(&'a Shared);

impl<'a> Counted<'a> {
    fn begin(shared: &'a Shared) -> Self {
        shared.pool.run_begins();
        Self(shared)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.pool.run_ends();
    }
}

fn request(run: u32, step: RunStep) -> (RunRequest, Stdin) {
    let limits = step.limits;
    let request = RunRequest {
        run,
        argv: step.argv,
        env: step.env.into_iter().map(|(name, value)| format!("{name}={value}")).collect(),
        working_dir: step.working_dir,
        cpu_limit_us: limits.cpu_ms.saturating_mul(1000),
        wall_limit_us: limits.wall_ms.saturating_mul(1000),
        stack_bytes: limits.memory_bytes,
        file_bytes: limits.file_bytes,
        open_files: u64::from(limits.open_files.min(MOST_OPEN_FILES)),
        keep_files: step.keep_files,
    };
    (request, step.stdin)
}

fn run_report(exchanged: Exchanged, limits: &Limits) -> RunReport {
    let report = &exchanged.report;
    RunReport {
        outcome: outcome::decide(report, limits, exchanged.stdout_overflown || exchanged.stderr_overflown),
        cpu_us: report.cpu_us,
        wall_us: report.wall_us,
        peak_memory_bytes: report.peak_memory_bytes,
        stdout_bytes: exchanged.stdout_bytes,
        stderr_truncated: exchanged.stderr_overflown,
        processes_seen: report.processes_seen,
        oom_kills: report.oom_kills,
        disturbed: outcome::is_disturbed(report),
        stderr: exchanged.stderr.into_bytes(),
    }
}

/// The kernel took the supervisor with the program: the engine's word, and the only numbers that are known.
fn killed_for_memory(limits: &Limits, wall: Duration) -> RunReport {
    RunReport {
        outcome: Outcome::MemoryLimit,
        cpu_us: 0,
        wall_us: u64::try_from(wall.as_micros()).unwrap_or(u64::MAX),
        peak_memory_bytes: limits.memory_bytes,
        stdout_bytes: 0,
        stderr: Vec::new(),
        stderr_truncated: false,
        processes_seen: 1,
        oom_kills: 1,
        disturbed: false,
    }
}

/// Reads one file out of the box. The box is not believed: kind, size and name are looked at again.
async fn read_collected(
    entry: &CollectedEntry,
    descriptor: Option<OwnedFd>,
    bytes_left: u64,
) -> Result<CollectedFile, String> {
    let relative_path = PathBuf::from(OsStr::from_bytes(&entry.relative_path));
    if !relative_path.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(format!("{} leaves its folder", relative_path.display()));
    }
    let file = std::fs::File::from(descriptor.ok_or("a file came without its descriptor")?);
    let is_file = file.metadata().map(|metadata| metadata.is_file());
    if !matches!(is_file, Ok(true)) {
        return Err(format!("{} is no regular file", relative_path.display()));
    }
    let mut bytes = Vec::new();
    let mut capped = tokio::fs::File::from_std(file).take(bytes_left + 1);
    capped.read_to_end(&mut bytes).await.map_err(|error| error.to_string())?;
    if bytes.len() as u64 > bytes_left {
        return Err("more bytes than the cap".to_owned());
    }
    Ok(CollectedFile { relative_path, bytes, executable: entry.executable })
}
