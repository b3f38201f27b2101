//! A throw-away place to judge in: no data folder, no queue, nothing left when it is closed.

use std::path::Path;
use std::sync::Arc;

use agon_contract::package::Severity;
use judge_core::judging::{
    self, DeriveError, DerivedTimeLimit, Disposition, JudgeError, JudgeMode, JudgeableProblem, Judged, Judging,
    JudgingProgress, Program,
};
use judge_core::package::{self, CheckedPackage, Inspection};
use judge_core::sandbox::{Sandbox, SandboxHealth};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::findings;
use crate::owned::{self, CommandError};

/// Judging a submission again after a fault of ours, the first time included.
const ATTEMPTS: u32 = 3;

/// Who reads what a command says about a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Solves the problem, and can do nothing about its package.
    Solver,
    /// Wrote the package, or looks after it.
    Setter,
}

/// The sandbox and what it needs, for as long as one command runs.
pub(crate) struct Workroom {
    folder: TempDir,
    sandbox: Arc<dyn Sandbox>,
    judging: Judging,
    /// Cancelled by Ctrl-C and SIGTERM; boxes die with it.
    stop: CancellationToken,
}

impl Workroom {
    /// Makes the place and checks that the sandbox can work at all.
    ///
    /// # Errors
    /// The sandbox says what it lacks.
    pub(crate) async fn open() -> Result<Self, CommandError> {
        let folder = tempfile::Builder::new().prefix("agon-").tempdir()?;
        let (sandbox, judging) = judge_core::judging_in(folder.path());
        let status = sandbox.status().await;
        match status.health {
            SandboxHealth::Ready | SandboxHealth::Starting => {}
            SandboxHealth::EngineAway
            | SandboxHealth::ImageMissing
            | SandboxHealth::ProfileRefused
            | SandboxHealth::DiskFull
            | SandboxHealth::Unknown(_) => return Err(CommandError::SandboxAway(status.message)),
        }
        let stop = CancellationToken::new();
        tokio::spawn(stop_on_signal(stop.clone()));
        Ok(Self { folder, sandbox, judging, stop })
    }

    /// Removes every box and file.
    pub(crate) async fn close(self) {
        self.sandbox.close().await;
        if let Err(error) = self.folder.close() {
            tracing::warn!(%error, "the throw-away folder could not be removed");
        }
    }

    /// Reads a package; errors are told and refuse it, warnings are told to those who can mend the package.
    ///
    /// # Errors
    /// It cannot be read or is refused; what is wrong was told on stderr.
    pub(crate) fn read(&self, source: &Path, audience: Audience) -> Result<CheckedPackage, CommandError> {
        let staging = tempfile::tempdir_in(self.folder.path())?;
        let inspection = package::read(source, staging.path())?;
        // The package's files may lie in the staging folder, which now lives as long as the workroom.
        let _ = staging.keep();
        tell_findings(&inspection, audience);
        inspection.package.ok_or(CommandError::PackageRefused(inspection.source_name))
    }

    /// Judges; a fault of ours on a healthy backend is tried again.
    ///
    /// # Errors
    /// The fault that remains.
    pub(crate) async fn judge(
        &self,
        program: &Program,
        problem: &JudgeableProblem,
        mode: JudgeMode,
        progress: &dyn JudgingProgress,
    ) -> Result<Judged, JudgeError> {
        let mut attempt = 1;
        loop {
            let error = match self.judging.judge(program, problem, mode, progress, &self.stop).await {
                Ok(judged) => return Ok(judged),
                Err(error) => error,
            };
            match error.disposition() {
                Disposition::Retry { after } if attempt < ATTEMPTS => {
                    tracing::warn!(%error, attempt, "judging failed by a fault of ours and is tried again");
                    attempt += 1;
                    tokio::time::sleep(after).await;
                }
                Disposition::Retry { .. }
                | Disposition::BackendAway { .. }
                | Disposition::GiveUp
                | Disposition::AskStaff => return Err(error),
            }
        }
    }
}

impl Workroom {
    /// Derives the time limit that a package does not state.
    ///
    /// # Errors
    /// Its example submissions do not bound one, or judging them failed.
    pub(crate) async fn derive_time_limit(&self, package: &CheckedPackage) -> Result<DerivedTimeLimit, DeriveError> {
        judging::derive_time_limit(&self.judging, package, &self.stop).await
    }
}

/// Runs a command's work in a workroom and closes it whatever came out.
pub(crate) async fn within<T>(work: impl AsyncFnOnce(&Workroom) -> Result<T, CommandError>) -> Result<T, CommandError> {
    let room = Workroom::open().await?;
    let done = work(&room).await;
    room.close().await;
    done
}

fn tell_findings(inspection: &Inspection, audience: Audience) {
    for finding in &inspection.findings {
        let is_told = match finding.severity {
            Severity::Error => true,
            Severity::Warning => audience == Audience::Setter,
            Severity::Note | Severity::Unknown(_) => false,
        };
        if is_told {
            owned::note(findings::describe(&inspection.source_name, finding));
        }
    }
}

async fn stop_on_signal(stop: CancellationToken) {
    match owned::stop_asked().await {
        Ok(()) => stop.cancel(),
        Err(error) => tracing::warn!(%error, "signals cannot be watched"),
    }
}
