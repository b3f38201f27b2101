//! What the import doctor says about a package.

use serde::{Deserialize, Serialize};

use crate::ids::{ProblemId, UploadId};
use crate::problem::{LimitsView, LocalText};
use crate::wire_enum::wire_enum;

/// Where a package to look at comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PackageSource {
    /// A file or folder of this machine. Only the desktop window and the local command line may name one.
    Path { path: String },
    /// Bytes uploaded before through the HTTP transport.
    Upload { upload_id: UploadId },
}

wire_enum! {
    /// How serious a finding is.
    Severity {
        /// The package cannot be judged as its format says; it is refused.
        Error = "error",
        /// It can be judged; somebody should look.
        Warning = "warning",
        /// What was read or ignored, for the record.
        Note = "note",
    }
}

/// One thing the doctor saw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub severity: Severity,
    /// Stable code to branch and translate on, e.g. `answer_missing`, `zip_slip`, `crlf_data`.
    pub code: String,
    /// The file or entry concerned, relative to the package; empty for the package as a whole.
    pub path: String,
    /// What is wrong, on what.
    pub message: String,
    /// What to do about it; may be empty.
    pub remedy: String,
}

/// The doctor's report on one package. `problem` is absent exactly when an error was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportReport {
    /// The format found, e.g. `legacy`, `2025-09`; empty when none was recognised.
    pub format: String,
    pub source_name: String,
    pub findings: Vec<Finding>,
    pub problem: Option<PackageOverview>,
}

impl ImportReport {
    /// Whether any finding is an error.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.problem.is_none() || self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }
}

/// What an acceptable package would become.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackageOverview {
    pub slug: String,
    pub titles: Vec<LocalText>,
    /// `time_limit_ms` is 0 while the time limit has yet to be derived by `import_package`.
    pub limits: LimitsView,
    pub sample_case_count: u32,
    pub secret_case_count: u32,
    pub data_bytes: u64,
    pub statement_languages: Vec<String>,
    pub submission_count: u32,
    /// sha256 over the canonical listing of the package's files.
    pub package_hash: String,
    /// The catalogue's problem with the same short name, if there is one, and whether its content is the same.
    pub existing: Option<ExistingProblem>,
}

/// A problem that is already there under the same short name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExistingProblem {
    pub problem_id: ProblemId,
    pub same_content: bool,
}
