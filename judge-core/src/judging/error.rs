//! Faults that keep a submission from getting its verdict, and what is done about each.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::sandbox::{self, SandboxError};

/// A program whose file was written a moment ago is "busy" while some child of this process, forked by another thread
/// in that moment, has not yet reached its own exec and still holds the descriptor. It passes within milliseconds.
pub(super) const TEXT_FILE_BUSY: i32 = 26;

/// What the caller does about a [`JudgeError`]. (Rule: delivery, Fence.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// A fault on a healthy backend: a new generation after this long, within the budget of 3.
    Retry { after: Duration },
    /// Engine, image or disk is away: dispatch pauses, no budget is spent.
    BackendAway { reason: String },
    /// The caller ended it, or trying again changes nothing.
    GiveUp,
    /// A person must look: never an automatic JE.
    AskStaff,
}

/// Ours or the machine's; never the contestant's.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    #[error("the sandbox failed while {operation}: {source}")]
    Sandbox {
        operation: &'static str,
        #[source]
        source: SandboxError,
    },
    #[error("two boxes died under this submission while a control box was well: {detail}")]
    DiedTwice { detail: String },
    #[error("the program of test case {case_name} could not be started: errno {errno}")]
    Launch { case_name: String, errno: i32 },
    #[error(
        "the machine is too busy to judge: test case {case_name} got no CPU for most of {wall_ms} ms, time and again"
    )]
    MachineBusy { case_name: String, wall_ms: u64 },
    #[error("{path} of test case {case_name} cannot be read")]
    ReadCase {
        case_name: String,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("the output of test case {case_name} cannot be kept for its check")]
    KeepOutput {
        case_name: String,
        #[source]
        source: io::Error,
    },
    #[error("the source {name} cannot be used: {detail}")]
    BadSource { name: String, detail: String },
    #[error("judging was cancelled")]
    Cancelled,
}

/// The package's fault: the judgement is JE and stays pending for scoring.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackageFault {
    #[error("the problem has no test cases")]
    NoTestCases,
    #[error("the memory limit of {limit_bytes} bytes is below the {minimum_bytes} that {language} needs to start")]
    MemoryBelowMinimum { language: String, limit_bytes: u64, minimum_bytes: u64 },
    #[error("the jury's program {name} cannot be built: {detail}")]
    JuryProgram { name: String, detail: String },
    /// A jury program did not keep to its protocol; `0` says which, where and how.
    #[error("{0}")]
    JuryFailed(String),
    #[error("the problem's scoring cannot be: {0}")]
    Scoring(String),
    #[error("this version cannot judge {0} yet")]
    NotSupported(&'static str),
}

/// Time that a busy machine gets to calm down.
const BUSY_RETRY_AFTER: Duration = Duration::from_secs(30);
/// Time before a fault of one box is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(2);

impl JudgeError {
    /// What to do about it.
    #[must_use]
    pub fn disposition(&self) -> Disposition {
        match self {
            Self::Sandbox { source, .. } => match source.disposition() {
                sandbox::Disposition::BackendAway => Disposition::BackendAway { reason: source.to_string() },
                sandbox::Disposition::Retry | sandbox::Disposition::BoxDied => {
                    Disposition::Retry { after: RETRY_AFTER }
                }
                sandbox::Disposition::GiveUp => Disposition::GiveUp,
            },
            Self::DiedTwice { .. } | Self::ReadCase { .. } => Disposition::AskStaff,
            Self::Launch { .. } | Self::KeepOutput { .. } => Disposition::Retry { after: RETRY_AFTER },
            Self::MachineBusy { .. } => Disposition::Retry { after: BUSY_RETRY_AFTER },
            Self::BadSource { .. } | Self::Cancelled => Disposition::GiveUp,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sandbox(source: SandboxError) -> JudgeError {
        JudgeError::Sandbox { operation: "running", source }
    }

    #[test]
    fn an_absent_engine_pauses_and_says_why() {
        let error = sandbox(SandboxError::EngineUnreachable { operation: "open", detail: "no socket".into() });
        let Disposition::BackendAway { reason } = error.disposition() else { panic!("{error}") };
        assert!(reason.contains("no socket"), "{reason}");
    }

    #[test]
    fn nobody_can_choose_a_judge_error_for_himself() {
        assert_eq!(JudgeError::DiedTwice { detail: String::new() }.disposition(), Disposition::AskStaff);
        let died = sandbox(SandboxError::BoxDied { box_id: "b".into(), detail: String::new() });
        assert_eq!(died.disposition(), Disposition::Retry { after: RETRY_AFTER });
        assert_eq!(JudgeError::Cancelled.disposition(), Disposition::GiveUp);
    }
}
