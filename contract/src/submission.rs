//! Submissions, their judgements and runs.

use serde::{Deserialize, Serialize};

use crate::ids::{ContestId, JudgementId, LanguageId, ProblemId, SubmissionId, TeamId, UserId};
use crate::problem::{LimitsView, LocalText};
use crate::score::Score;
use crate::verdict::Verdict;
use crate::wire_enum::wire_enum;

/// One submitted source file; text is UTF-8, sent whole (limit: the problem's code limit).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// A plain name without directories, e.g. `main.cpp`.
    pub name: String,
    pub text: String,
}

/// The answer to `submit`: it is on disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmitReceipt {
    pub submission_id: SubmissionId,
    /// Short number for people, per data folder.
    pub number: u64,
    pub saved_at_ms: i64,
    /// True when this key was known: the receipt is the original one and nothing new was written.
    pub repeated: bool,
}

/// Where a submission belongs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SubmissionContext {
    Practice,
    Contest { contest_id: ContestId, team_id: TeamId, contest_time_ms: i64 },
}

wire_enum! {
    /// State of a judgement (delivery, Fence).
    JudgementState {
        /// Waits for a worker.
        Pending = "pending",
        /// One worker holds its lease.
        Judging = "judging",
        /// Has its verdict; final.
        Judged = "judged",
        /// Superseded, lost its lease or ended by our own fault; a newer generation goes on. Never shown as a verdict.
        Abandoned = "abandoned",
        Cancelled = "cancelled",
    }
}

wire_enum! {
    /// What is going on inside a pending or running judgement, for the state line.
    Stage {
        /// Durable, not yet handed to a worker.
        Saved = "saved",
        /// In the queue.
        Queued = "queued",
        Compiling = "compiling",
        Running = "running",
        /// The backend or the store is away: a judgement waits without blame to be begun, or to be stored.
        WaitingForSandbox = "waiting_for_sandbox",
        /// Judged, abandoned or cancelled.
        Finished = "finished",
        /// Out of automatic attempts: staff must look.
        NeedsAttention = "needs_attention",
    }
}

/// Live progress of the newest judgement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    pub stage: Stage,
    pub runs_done: u32,
    pub runs_total: u32,
    /// Why it waits or needs attention; empty otherwise.
    pub reason: String,
}

/// A row of the submissions list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionSummary {
    pub id: SubmissionId,
    pub number: u64,
    pub user_id: UserId,
    /// What the person is called now; told to who may read everybody's submissions.
    #[serde(default)]
    pub user_name: Option<String>,
    pub problem_id: ProblemId,
    pub problem_slug: String,
    pub problem_titles: Vec<LocalText>,
    pub language_id: LanguageId,
    pub context: SubmissionContext,
    pub submitted_at_ms: i64,
    pub progress: Progress,
    /// The current judgement's verdict; `None` while there is none.
    pub verdict: Option<Verdict>,
    /// Name of the first failing test case of the current judgement.
    pub first_failing: Option<String>,
    pub max_cpu_ms: Option<u64>,
    pub peak_memory_bytes: Option<u64>,
    /// The current judgement's, of scoring problems.
    #[serde(default)]
    pub score: Option<Score>,
    /// What could be reached; absent when that is unbounded or the problem has no scores.
    #[serde(default)]
    pub max_score: Option<Score>,
}

/// A page of submissions, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionPage {
    pub rows: Vec<SubmissionSummary>,
    /// Pass as `before_number` for the next page; `None` at the end.
    pub next_before_number: Option<u64>,
}

/// Everything the submission screen shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionDetail {
    pub summary: SubmissionSummary,
    pub files: Vec<SourceFile>,
    pub limits: LimitsView,
    /// Every judgement, newest generation first.
    pub judgements: Vec<JudgementView>,
    pub manifest: ManifestView,
}

/// What is sealed with a submission, so that its verdict can be explained later (delivery, "sealed manifest").
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestView {
    pub sources_hash: String,
    pub package_hash: String,
    pub data_hash: String,
    pub validator_hash: String,
    pub language_hash: String,
    pub policy_version: u32,
    /// The sandbox image it is meant to be judged in; each judgement names the one it was judged in.
    #[serde(default)]
    pub image: String,
}

/// One judging of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgementView {
    pub id: JudgementId,
    pub generation: u32,
    pub is_current: bool,
    pub state: JudgementState,
    pub verdict: Option<Verdict>,
    /// Why it was abandoned, what our fault was, or what qualifies the verdict (e.g. `fork limit`, `idle`).
    pub reason: String,
    pub created_at_ms: i64,
    pub started_at_ms: Option<i64>,
    pub finished_at_ms: Option<i64>,
    /// Compiler output, lossily as text, capped.
    pub compiler_text: String,
    pub first_failing: Option<String>,
    pub max_cpu_ms: Option<u64>,
    pub max_wall_ms: Option<u64>,
    pub peak_memory_bytes: Option<u64>,
    /// In judging order; empty until runs were stored.
    pub runs: Vec<RunView>,
    /// The machine, backend and image that judged it.
    pub machine: String,
    pub image_id: String,
    /// Of scoring problems.
    #[serde(default)]
    pub score: Option<Score>,
    #[serde(default)]
    pub max_score: Option<Score>,
    /// In the order of the package; empty for problems without test data groups.
    #[serde(default)]
    pub groups: Vec<GroupView>,
    /// A change set holds its verdict back until it is applied; only told to staff.
    #[serde(default)]
    pub is_held: bool,
}

/// What one test data group came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupView {
    /// Under `data/`, e.g. `secret/group1`.
    pub name: String,
    pub verdict: Verdict,
    pub score: Score,
    /// Absent when it is unbounded.
    pub max_score: Option<Score>,
    /// Not run, because a group it requires was not passed.
    pub is_blocked: bool,
}

/// The judgement of one test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunView {
    /// From 1, in judging order.
    pub ordinal: u32,
    /// The test case's name under `data/`, e.g. `secret/group1/03`.
    pub case_name: String,
    pub is_sample: bool,
    pub verdict: Verdict,
    /// What the sandbox saw, in words: `exit 0`, `signal SIGSEGV`, `cpu limit` …
    /// To contestants empty on secret data, except for limits.
    pub outcome: String,
    pub cpu_ms: u64,
    pub wall_ms: u64,
    pub peak_memory_bytes: u64,
    /// To contestants 0 on secret data.
    pub output_bytes: u64,
    /// What qualifies the verdict: the comparer's first difference, `idle`, `fork limit` …
    pub message: String,
    /// Only where the person may see them (samples, or full feedback): the heads of output and stderr.
    pub output_head: String,
    pub stderr_head: String,
    /// The run was disturbed (stall without CPU) and repeated.
    pub disturbed: bool,
    /// Points of this test case, where its checker or format gives some.
    #[serde(default)]
    pub score: Option<Score>,
    /// What the output validator has to say to the contestant.
    #[serde(default)]
    pub team_message: String,
}
