//! What the frames say. Times are microseconds unless a name says otherwise; sizes are bytes.

use serde::{Deserialize, Serialize};

/// From the judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToBox {
    /// Run one program. Descriptors: its standard input, output and error. Answer: one [`ToHost::Report`].
    Run(RunRequest),
    /// Kill the run of this number if it still runs. Answer: none beyond that run's report.
    Stop { run: u32 },
    /// Send the regular files below a path. Answer: any number of [`ToHost::Collected`], then [`ToHost::CollectEnd`].
    Collect(CollectRequest),
    /// Exit; the box ends with its PID 1. Answer: none.
    Shutdown,
}

/// From the supervisor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToHost {
    Hello(Hello),
    /// Instead of a `Hello`: why the supervisor will not work here.
    Refused(String),
    Report(Report),
    /// Descriptor: the file, opened for reading.
    Collected(CollectedEntry),
    /// `Some` is the reason why the collection is not complete and must not be used.
    CollectEnd(Option<String>),
}

/// The first frame: who speaks and what it found around itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    pub protocol: u32,
    pub box_id: String,
    pub probes: Vec<Probe>,
}

/// A protection or a counter, as seen from inside, not as configured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    pub name: String,
    pub active: bool,
    pub detail: String,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRequest {
    /// Counts up within a box; a [`ToBox::Stop`] names it.
    pub run: u32,
    pub argv: Vec<String>,
    /// `NAME=value`, the whole environment.
    pub env: Vec<String>,
    pub working_dir: String,
    pub cpu_limit_us: u64,
    /// From exec on; time in which the machine held the program up is not counted.
    pub wall_limit_us: u64,
    pub stack_bytes: u64,
    pub file_bytes: u64,
    pub open_files: u64,
    /// Leave the writable folders as they are.
    pub keep_files: bool,
}

/// How the program itself ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    Exited(i32),
    Signalled(i32),
    /// It never began: errno of `execve` or of a step before it.
    NotLaunched(i32),
}

/// Why the supervisor killed it, if it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stopped {
    CpuLimit,
    WallLimit,
    /// Forks were refused by the hundreds: it would only burn CPU until another limit.
    ForkLimit,
    /// The judge asked ([`ToBox::Stop`]).
    OnRequest,
}

/// What a run did and used. When it is sent, no process of the run lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    pub run: u32,
    pub end: End,
    pub stopped: Option<Stopped>,
    /// CPU of the whole box less the supervisor's own; the sum of the reaped processes where no counter is visible.
    pub cpu_us: u64,
    pub wall_us: u64,
    pub peak_memory_bytes: u64,
    /// Rise of the kernel's counters during the run.
    pub oom_kills: u32,
    pub forks_refused: u32,
    /// Processes reaped.
    pub processes_seen: u32,
    /// Time that the machine, not the program, used up: getting it started, letting it wait for a core, or standing still
    /// altogether. Looked at only where it could matter.
    pub held_up_us: u64,
    /// Why the box cannot be proved clean; the judge discards it.
    pub unclean: Option<String>,
}

/// What to collect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectRequest {
    /// A folder or one regular file, inside a writable folder.
    pub path: String,
    pub max_files: u32,
    pub max_bytes: u64,
}

/// A regular file, announced with its descriptor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectedEntry {
    /// Relative to the collected folder; raw bytes, as names are.
    pub relative_path: Vec<u8>,
    pub size_bytes: u64,
    pub executable: bool,
}
