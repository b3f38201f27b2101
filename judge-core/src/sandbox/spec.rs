//! What is asked of a box: its class, its files, a step to run and the limits of that step.

use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::PathBuf;

use tokio_util::sync::CancellationToken;

/// Where a box sees the files of [`WorkFile`], read-only.
pub const BOX_WORK: &str = "/agon/work";
/// The only folder a program may write to (with `/dev/shm`): an own tmpfs, wiped after each run.
pub const BOX_TMP: &str = "/tmp";

/// The image a box is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ImageRef {
    /// Name and tag the engine knows it by, or an image id.
    pub reference: String,
    /// The id (`sha256:…`) the image must have; `None` takes whatever the reference names.
    pub id: Option<String>,
}

/// What a box is for; decides its file system and never its trust: all three are locked in alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoxPurpose {
    /// A compiler over submitted sources: larger `/tmp`, two cores' worth of CPU.
    Compile,
    /// The submission's program.
    Run,
    /// The problem setter's program (validator, interactor).
    Jury,
}

/// The class of box to open. Exact limits belong to each [`RunStep`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoxSpec {
    pub purpose: BoxPurpose,
    pub image: ImageRef,
    /// Memory the box starts with; memory and swap together.
    pub memory_bytes: u64,
    /// Processes and threads of the program at one time.
    pub processes: u32,
}

/// Limits of one run. Each is enforced by the kernel or by the host, never by the program's good will.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// CPU of the whole box, user and system, all processes together.
    pub cpu_ms: u64,
    /// Monotonic time from exec to exit, less the time in which the program was ready and had to wait for a core.
    pub wall_ms: u64,
    /// Memory and swap of the whole box, `/tmp` included.
    pub memory_bytes: u64,
    /// Standard output; one byte more is [`Outcome::OutputLimit`](super::Outcome::OutputLimit).
    pub output_bytes: u64,
    /// Standard error kept and allowed.
    pub stderr_bytes: u64,
    /// Size of any one file the program writes (SIGXFSZ past it).
    pub file_bytes: u64,
    /// Processes and threads at one time.
    pub processes: u32,
    /// File descriptors per process.
    pub open_files: u32,
}

/// Bytes that are in memory or in a file of the host.
#[derive(Debug)]
pub enum Content {
    Bytes(Vec<u8>),
    /// Copied; the box never holds the host's own file.
    Path(PathBuf),
}

/// A file for [`BOX_WORK`].
#[derive(Debug)]
pub struct WorkFile {
    /// Relative, without `..`; missing folders are made.
    pub relative_path: PathBuf,
    pub content: Content,
    pub executable: bool,
}

/// What the program reads. Bytes and files reach the box as a sealed copy: a descriptor of the host's own file would let
/// a program of the same uid re-open it for writing through `/proc/self/fd/0`.
#[derive(Debug, Default)]
pub enum Stdin {
    #[default]
    Empty,
    Bytes(Vec<u8>),
    /// Read from its current position to its end.
    File(File),
    /// The reading end of a pipe that the caller writes while the program runs, made for this run alone: whoever holds
    /// it in the box can do nothing with it but talk to itself.
    Pipe(OwnedFd),
}

/// One program run.
#[derive(Debug)]
pub struct RunStep {
    /// Absolute program path and its arguments; `argv[0]` is looked up nowhere.
    pub argv: Vec<String>,
    /// The whole environment.
    pub env: Vec<(String, String)>,
    /// Absolute, inside the box.
    pub working_dir: String,
    pub stdin: Stdin,
    pub limits: Limits,
    /// Leaves `/tmp` as the program left it (to collect an artefact). Processes die in any case.
    pub keep_files: bool,
    /// Once cancelled, the program is killed and the run is reported as it was until then.
    pub stop: Option<CancellationToken>,
}

/// How much may leave a box at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollectCaps {
    pub total_bytes: u64,
    pub files: usize,
}

/// A regular file that came out of a box. Links and devices are never followed or copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectedFile {
    /// Relative to the collected folder, without `..`.
    pub relative_path: PathBuf,
    pub bytes: Vec<u8>,
    pub executable: bool,
}
