//! The port through which everything untrusted runs: a sandbox opens boxes, a box runs steps, a step ends in a report.
//!
//! What is deliberately not here: verdicts, answers, problems, languages. A report says what the kernel and the
//! backend saw ([`Outcome`]), never "accepted". Isolation is never weakened to make something run: what cannot be
//! protected is a [`SandboxError`] that names itself.

mod classify;
pub mod docker;
mod error;
#[cfg(any(test, feature = "testing"))]
pub mod fake;
mod input;
mod outcome;
mod report;
mod sink;
mod spec;
mod supervisor;

use std::path::Path;

use async_trait::async_trait;

pub use agon_contract::sandbox::{Protection, ProtectionState, SandboxHealth, SandboxStatus};
pub use classify::{signal_name, verdict_for};
pub use error::{Disposition, SandboxError};
pub use report::{Outcome, RunReport};
pub use sink::{Discard, KeepHead, OutputSink};
pub use spec::{
    BOX_TMP, BOX_WORK, BoxPurpose, BoxSpec, CollectCaps, CollectedFile, Content, ImageRef, Limits, RunStep, Stdin,
    WorkFile,
};
pub(crate) use supervisor::check_supervisor;
pub use supervisor::find_supervisor;

/// A backend that opens boxes. Shared by all workers of the process.
#[async_trait]
pub trait Sandbox: Send + Sync {
    /// What the backend is, whether it can be reached now, and which protections its boxes really have.
    async fn status(&self) -> SandboxStatus;

    /// Opens an empty box, from the warm pool when one of its class is ready.
    ///
    /// # Errors
    /// Any [`SandboxError`]; ask its [`disposition`](SandboxError::disposition) what to do.
    async fn open(&self, spec: &BoxSpec) -> Result<Box<dyn SandboxBox>, SandboxError>;

    /// A hint that boxes of this class will be wanted soon. Never fails; the pool fills in idle time.
    fn prewarm(&self, spec: &BoxSpec);

    /// Removes boxes and work folders whose owning process is gone; returns how many boxes. Called at start.
    ///
    /// # Errors
    /// [`SandboxError::EngineUnreachable`] and its like when the backend cannot list or remove.
    async fn sweep_orphans(&self) -> Result<usize, SandboxError>;

    /// Drains the pool and waits until every box of this instance is removed. Later `open` calls fail.
    async fn close(&self);
}

/// One box: for one submission's steps, never reused for another.
///
/// Dropping it without [`destroy`](Self::destroy) schedules its removal. Dropping the future of a call kills the box:
/// its processes die at once and every later call answers [`SandboxError::BoxGone`].
#[async_trait]
pub trait SandboxBox: Send + Sync {
    /// The value of the box's `agon.box` label.
    fn id(&self) -> &str;

    /// False after a run that left something behind (or that was cancelled): the next test needs a fresh box. Every call
    /// but [`destroy`](Self::destroy) answers [`SandboxError::BoxGone`] then.
    fn is_usable(&self) -> bool;

    /// Puts one file under [`BOX_WORK`]; the box sees it read-only, mode 0444 or 0555.
    ///
    /// # Errors
    /// [`SandboxError::PutFile`] when the path leaves the folder, exists, or cannot be written.
    async fn put(&mut self, file: WorkFile) -> Result<(), SandboxError>;

    /// Runs one program to its end, feeding its standard output to `stdout` as it flows. Afterwards no process of it
    /// lives and, unless `keep_files`, no file it made is left.
    ///
    /// # Errors
    /// Only faults of ours or the machine's; whatever the program did is in the report.
    async fn run(&mut self, step: RunStep, stdout: &mut dyn OutputSink) -> Result<RunReport, SandboxError>;

    /// Copies the regular files below `dir` (inside [`BOX_TMP`], or a single file's path) out of the box.
    ///
    /// # Errors
    /// [`SandboxError::CollectRefused`] past a cap, or when `dir` is absent.
    async fn collect(&mut self, dir: &Path, caps: CollectCaps) -> Result<Vec<CollectedFile>, SandboxError>;

    /// Removes the box and waits for it. Failure is logged and left to the orphan sweep.
    async fn destroy(self: Box<Self>);
}
