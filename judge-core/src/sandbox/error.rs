//! Faults of the machine or of ours, each named after the operation that failed.

use std::io;
use std::path::PathBuf;

use agon_contract::sandbox::SandboxHealth;

/// What the judge does about a fault. Decided here and nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// The backend is away: pause dispatch, spend no budget, try again when [`Sandbox::status`](super::Sandbox::status)
    /// says so.
    BackendAway,
    /// A fault of one box on a healthy backend: again, within the budget.
    Retry,
    /// The box died and nobody knows why: again once, then ask staff (two deaths with a healthy control box).
    BoxDied,
    /// The caller asked for something impossible; trying again changes nothing.
    GiveUp,
}

/// Never the contestant's fault.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    #[error("the engine cannot be reached ({operation}): {detail}")]
    EngineUnreachable { operation: &'static str, detail: String },
    #[error("the engine did not answer {operation} within {timeout_ms} ms")]
    EngineTimeout { operation: &'static str, timeout_ms: u64 },
    #[error("the engine refused {operation} with status {status}: {message}")]
    EngineRefused { operation: &'static str, status: u16, message: String },
    #[error("image {reference} is not here: build it with `cargo xtask setup image`")]
    ImageMissing { reference: String },
    #[error("image {reference} is {found}, expected {expected}")]
    ImageChanged { reference: String, expected: String, found: String },
    #[error("the seccomp profile was refused: {detail}")]
    ProfileRefused { detail: String },
    #[error("the disk is full ({operation})")]
    DiskFull { operation: &'static str },
    #[error("the supervisor program is not at {path}: build it with `cargo xtask build supervisor`")]
    SupervisorMissing { path: PathBuf },
    #[error(
        "the supervisor program is not of this version of Agon ({detail}): build it with `cargo xtask build supervisor`, or install Agon again"
    )]
    SupervisorOutdated { detail: String },
    #[error("preparing the work folder {path} failed")]
    PrepareFolder {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// Nothing of a submission has run then: whatever failed is the machine's.
    #[error("the supervisor of box {box_id} did not report for duty: {detail}")]
    Handshake { box_id: String, detail: String },
    #[error("the supervisor of box {box_id} refuses to work: {detail}")]
    SupervisorRefused { box_id: String, detail: String },
    #[error("putting {path} into the box failed")]
    PutFile {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("preparing {what} for a run failed")]
    PrepareRun {
        what: &'static str,
        #[source]
        source: io::Error,
    },
    #[error("talking to box {box_id} failed: {detail}")]
    Protocol { box_id: String, detail: String },
    #[error("box {box_id} did not report {overdue_ms} ms after its wall limit")]
    Unresponsive { box_id: String, overdue_ms: u64 },
    #[error("box {box_id} died without a report: {detail}")]
    BoxDied { box_id: String, detail: String },
    #[error("box {box_id} was cancelled or has ended; open another")]
    BoxGone { box_id: String },
    #[error("collecting from the box was refused: {detail}")]
    CollectRefused { detail: String },
    #[error("the sandbox is closed")]
    Closed,
}

impl SandboxError {
    /// What to do about it.
    #[must_use]
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::EngineUnreachable { .. }
            | Self::EngineTimeout { .. }
            | Self::ImageMissing { .. }
            | Self::ImageChanged { .. }
            | Self::ProfileRefused { .. }
            | Self::DiskFull { .. }
            | Self::SupervisorMissing { .. }
            | Self::SupervisorOutdated { .. }
            | Self::PrepareFolder { .. }
            | Self::Handshake { .. }
            | Self::SupervisorRefused { .. }
            | Self::Closed => Disposition::BackendAway,
            Self::EngineRefused { .. }
            | Self::PutFile { .. }
            | Self::PrepareRun { .. }
            | Self::Protocol { .. }
            | Self::Unresponsive { .. }
            | Self::BoxGone { .. } => Disposition::Retry,
            Self::BoxDied { .. } => Disposition::BoxDied,
            Self::CollectRefused { .. } => Disposition::GiveUp,
        }
    }

    /// The backend's health as this fault shows it; a fault of one box says nothing against the backend.
    #[must_use]
    pub fn health(&self) -> SandboxHealth {
        match self {
            Self::EngineUnreachable { .. } | Self::EngineTimeout { .. } | Self::Closed => SandboxHealth::EngineAway,
            Self::ImageMissing { .. } | Self::ImageChanged { .. } => SandboxHealth::ImageMissing,
            Self::ProfileRefused { .. }
            | Self::EngineRefused { .. }
            | Self::SupervisorMissing { .. }
            | Self::SupervisorOutdated { .. }
            | Self::SupervisorRefused { .. }
            | Self::Handshake { .. }
            | Self::PrepareFolder { .. } => SandboxHealth::ProfileRefused,
            Self::DiskFull { .. } => SandboxHealth::DiskFull,
            Self::PutFile { .. }
            | Self::PrepareRun { .. }
            | Self::Protocol { .. }
            | Self::Unresponsive { .. }
            | Self::BoxDied { .. }
            | Self::BoxGone { .. }
            | Self::CollectRefused { .. } => SandboxHealth::Ready,
        }
    }

    /// A stable name for records and the interface; the texts above are for logs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::EngineUnreachable { .. } => "engine_unreachable",
            Self::EngineTimeout { .. } => "engine_timeout",
            Self::EngineRefused { .. } => "engine_refused",
            Self::ImageMissing { .. } => "image_missing",
            Self::ImageChanged { .. } => "image_changed",
            Self::ProfileRefused { .. } => "profile_refused",
            Self::DiskFull { .. } => "disk_full",
            Self::SupervisorMissing { .. } => "supervisor_missing",
            Self::SupervisorOutdated { .. } => "supervisor_outdated",
            Self::PrepareFolder { .. } => "prepare_folder",
            Self::Handshake { .. } => "handshake",
            Self::SupervisorRefused { .. } => "supervisor_refused",
            Self::PutFile { .. } => "put_file",
            Self::PrepareRun { .. } => "prepare_run",
            Self::Protocol { .. } => "protocol",
            Self::Unresponsive { .. } => "unresponsive",
            Self::BoxDied { .. } => "box_died",
            Self::BoxGone { .. } => "box_gone",
            Self::CollectRefused { .. } => "collect_refused",
            Self::Closed => "closed",
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_contract::reason::Reason;

    use super::*;

    #[test]
    fn a_backend_that_is_away_is_never_shown_as_ready() {
        let away = [
            SandboxError::EngineUnreachable { operation: "open", detail: String::new() },
            SandboxError::EngineTimeout { operation: "open", timeout_ms: 1 },
            SandboxError::ImageMissing { reference: String::new() },
            SandboxError::ProfileRefused { detail: String::new() },
            SandboxError::DiskFull { operation: "open" },
            SandboxError::SupervisorMissing { path: PathBuf::new() },
            SandboxError::SupervisorOutdated { detail: String::new() },
            SandboxError::Handshake { box_id: "b".into(), detail: "it never called".into() },
            SandboxError::Closed,
        ];
        for error in away {
            assert!(Reason::read(&error.to_string()).is_some(), "{error}: can be said in other languages");
            assert_eq!(error.disposition(), Disposition::BackendAway, "{error}");
            assert_ne!(error.health(), SandboxHealth::Ready, "{error}");
        }
    }

    #[test]
    fn a_box_that_died_pauses_nothing() {
        let died = SandboxError::BoxDied { box_id: "b".into(), detail: String::new() };
        assert_eq!(died.disposition(), Disposition::BoxDied);
        assert_eq!(died.health(), SandboxHealth::Ready);
    }
}
