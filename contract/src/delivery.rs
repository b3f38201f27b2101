//! The machinery that carries work, as staff sees it: what was set aside, and why two verdicts differ.

use serde::{Deserialize, Serialize};

use crate::ids::{JudgementId, SubmissionId};
use crate::verdict::Verdict;
use crate::wire_enum::wire_enum;

/// Everything that needs a person, oldest first. Needs `read_operations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListDeadLetters {
    /// 1 to 200.
    pub limit: u32,
}

wire_enum! {
    /// Where something was set aside.
    DeadLetterPlace {
        /// The wish to judge: out of attempts, malformed, or only a person can tell what to do.
        Outbox = "outbox",
        /// The queue: delivered too often, or the work cannot be read.
        Queue = "queue",
        /// The queue: bytes that name no work.
        Poison = "poison",
    }
}

/// Something that was set aside, with its reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadLetter {
    pub place: DeadLetterPlace,
    /// `None` for poison. `revive` takes it.
    pub submission_id: Option<SubmissionId>,
    pub number: Option<u64>,
    pub problem_slug: String,
    pub generation: u32,
    pub reason: String,
    pub since_ms: i64,
    /// Bytes that could not be read, base64; empty otherwise.
    pub payload_base64: String,
}

/// Why two judgements differ: of one submission or of two. Needs `read_submissions`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainDifference {
    pub first: JudgementId,
    pub second: JudgementId,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedJudgement {
    pub judgement_id: JudgementId,
    pub submission_id: SubmissionId,
    pub generation: u32,
    pub verdict: Option<Verdict>,
    pub first_failing: Option<String>,
}

wire_enum! {
    /// What can differ between two judgings.
    ManifestField {
        Sources = "sources",
        Language = "language",
        LanguageDefinition = "language_definition",
        Package = "package",
        TestData = "test_data",
        Validator = "validator",
        TimeLimitMs = "time_limit_ms",
        MemoryLimitBytes = "memory_limit_bytes",
        OutputLimitBytes = "output_limit_bytes",
        SandboxImage = "sandbox_image",
        PolicyVersion = "policy_version",
        /// Host and size; speed may differ.
        Machine = "machine",
    }
}

/// One field with its two values (hashes, numbers, names); empty where it was not recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldDifference {
    pub field: ManifestField,
    pub first: String,
    pub second: String,
}

/// Both judgements and every field that differs; no field means that the same judging gave what it gave twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestDifference {
    pub first: ComparedJudgement,
    pub second: ComparedJudgement,
    pub fields: Vec<FieldDifference>,
}
