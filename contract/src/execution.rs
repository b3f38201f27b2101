//! Previews: running a program on samples or on one's own input, outside any submission.

use serde::{Deserialize, Serialize};

use crate::ids::PreviewId;
use crate::problem::LimitsView;
use crate::submission::RunView;
use crate::wire_enum::wire_enum;

/// What to run on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PreviewCases {
    /// The problem's samples, compared with their answers.
    Samples,
    /// One's own input, not compared.
    Custom { input: String },
}

wire_enum! {
    /// State of an execution (delivery, "Execution contract").
    ExecutionState {
        Queued = "queued",
        Running = "running",
        Completed = "completed",
        Failed = "failed",
        Cancelled = "cancelled",
        TimedOut = "timed_out",
    }
}

impl ExecutionState {
    /// Terminal is final.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        match self {
            Self::Queued | Self::Running => false,
            Self::Completed | Self::Failed | Self::Cancelled | Self::TimedOut | Self::Unknown(_) => true,
        }
    }
}

/// A preview as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewView {
    pub id: PreviewId,
    pub state: ExecutionState,
    /// Why it failed or was refused; empty otherwise.
    pub reason: String,
    /// Set when compiling was not successful or printed something.
    pub compiler_text: String,
    pub compile_failed: bool,
    pub limits: LimitsView,
    pub cases_total: u32,
    /// One per finished case. For a custom input the verdict is `AC` when the program exits 0 in its limits.
    pub runs: Vec<RunView>,
}
