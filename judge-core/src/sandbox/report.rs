//! What a run was seen to do: the outcome and what it used.

/// What ended a run, in the words of the kernel. Program text and self-chosen exit numbers decide nothing here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    Exited(i32),
    Signalled(i32),
    /// The box's CPU passed the limit (our kill, or the backstop's SIGXCPU).
    CpuLimit,
    /// Wall time passed while CPU did not.
    WallLimit,
    /// The kernel killed something in the box for memory, or the peak passed the limit.
    MemoryLimit,
    /// Standard output, standard error or a file passed its cap.
    OutputLimit,
    /// A fork was refused by the limit and the program failed.
    ProcessLimit,
    /// `execve` failed with this errno: our artefact or our command is wrong.
    LaunchFailed(i32),
}

/// The measurements of one run. All sums are over every process of the box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunReport {
    pub outcome: Outcome,
    /// User and system CPU.
    pub cpu_us: u64,
    pub wall_us: u64,
    pub peak_memory_bytes: u64,
    /// Bytes the program wrote, as far as they were read.
    pub stdout_bytes: u64,
    /// The first `stderr_bytes` of it.
    pub stderr: Vec<u8>,
    pub stderr_truncated: bool,
    /// Processes reaped: 1 for a program that never forks.
    pub processes_seen: u32,
    pub oom_kills: u32,
    /// The machine, not the program, made this run slow: repeat it before it counts against anybody.
    pub disturbed: bool,
}

impl RunReport {
    /// CPU in whole milliseconds, rounded up: a run over its limit never shows a time below it.
    #[must_use]
    pub fn cpu_ms(&self) -> u64 {
        self.cpu_us.div_ceil(1000)
    }

    /// Wall time in whole milliseconds, rounded up.
    #[must_use]
    pub fn wall_ms(&self) -> u64 {
        self.wall_us.div_ceil(1000)
    }

    /// A run that exited 0 within its limits: the only one whose output is worth comparing.
    #[must_use]
    pub fn exited_cleanly(&self) -> bool {
        self.outcome == Outcome::Exited(0)
    }
}
