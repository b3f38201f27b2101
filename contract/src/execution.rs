//! Previews: running a program on samples or on one's own input, outside any submission.

use serde::{Deserialize, Serialize};

use crate::command::StartPreview;
use crate::ids::{JudgementId, PreviewId};
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

wire_enum! {
    /// Who may see what an execution shows (delivery, "Execution contract").
    Visibility {
        /// Samples and one's own input: everything is shown. The only kind that may be waited for.
        PublicPreview = "public_preview",
        /// A submission's samples: shown to whoever handed it in.
        Private = "private",
        /// Secret test data: messages and streams are for staff.
        Hidden = "hidden",
    }
}

/// A durable job: one press of "Run", or one judging of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ExecutionJob {
    Preview { preview_id: PreviewId },
    Judgement { judgement_id: JudgementId },
}

/// What a job says of one test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutionReceipt {
    /// `run id:case`, the same for ever.
    pub key: String,
    pub case_name: String,
    pub visibility: Visibility,
    pub state: ExecutionState,
    /// Set exactly when completed.
    pub result: Option<RunView>,
}

/// A job with the receipts of its cases. A judging's receipts are stored with its verdict, a preview's from the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutionJobView {
    pub job: ExecutionJob,
    pub state: ExecutionState,
    pub reason: String,
    pub receipts: Vec<ExecutionReceipt>,
}

/// A job as it stands; one's own, or for staff anybody's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PollExecution {
    pub job: ExecutionJob,
}

/// Starts a preview and waits for its end, or for `wait_ms` (at most 30,000); the same key may be asked again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPreview {
    pub preview: StartPreview,
    /// Anything but `public_preview` is refused: secret data is not run at a person's wish.
    pub visibility: Visibility,
    pub wait_ms: u32,
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
