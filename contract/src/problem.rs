//! Problems of the catalogue: list rows, details, statements, samples, limits.

use serde::{Deserialize, Serialize};

use crate::ids::{LanguageId, ProblemId};
use crate::package::Finding;
use crate::verdict::Verdict;
use crate::wire_enum::wire_enum;

/// A row of the problem list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemSummary {
    pub id: ProblemId,
    /// The package's short name, unique in the catalogue, e.g. `twosums`.
    pub slug: String,
    /// Titles by language code (`en`, `zh`, `ja` …); never empty.
    pub titles: Vec<LocalText>,
    pub keywords: Vec<String>,
    pub time_limit_ms: u64,
    pub memory_limit_bytes: u64,
    /// The acting person's best verdict so far; `None` when nothing was judged yet.
    pub best_verdict: Option<Verdict>,
    /// How many submissions the acting person made.
    pub attempts: u32,
    pub imported_at_ms: i64,
}

/// A text in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalText {
    /// ISO 639 code, optionally with a country: `en`, `pt-BR`.
    pub language: String,
    pub text: String,
}

/// Effective limits of one run, units in the names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitsView {
    /// CPU time per test case.
    pub time_limit_ms: u64,
    /// Wall-clock guard per test case: 2 × CPU + 1 s.
    pub wall_limit_ms: u64,
    pub memory_limit_bytes: u64,
    /// stdout + stderr.
    pub output_limit_bytes: u64,
    /// Sum of submitted files.
    pub code_limit_bytes: u64,
    /// Where the time limit comes from.
    pub time_limit_source: TimeLimitSource,
}

wire_enum! {
    /// Where a problem's time limit comes from (Problem Package Format, limits).
    TimeLimitSource {
        /// The package says it.
        Package = "package",
        /// Derived from the accepted submissions on this machine, and recorded.
        Derived = "derived",
    }
}

/// Everything the problem screen needs besides statements and test data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemDetail {
    pub summary: ProblemSummary,
    pub limits: LimitsView,
    /// Languages this problem admits.
    pub languages: Vec<LanguageId>,
    pub statements: Vec<StatementRef>,
    pub samples: Vec<SampleView>,
    pub secret_case_count: u32,
    /// How output is compared, in words of the format, e.g. `float_tolerance 1e-6`.
    pub validator_args: Vec<String>,
    pub credits: String,
    pub license: String,
    pub source: String,
    /// What the import doctor noted when the problem was taken in.
    pub findings: Vec<Finding>,
}

wire_enum! {
    /// How a statement is shown.
    StatementFormat {
        /// Sanitised HTML made from Markdown.
        Html = "html",
        /// Readable text taken from LaTeX, as sanitised HTML.
        LatexText = "latex_text",
        /// PDF bytes, fetched by `read_statement_file`.
        Pdf = "pdf",
    }
}

/// A statement that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementRef {
    pub language: String,
    pub format: StatementFormat,
}

/// A statement ready to show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementView {
    pub language: String,
    pub format: StatementFormat,
    /// Sanitised HTML for `html` and `latex_text`; empty for `pdf`. Samples are not in it unless placed by the text.
    pub html: String,
    /// Indices of samples the text placed itself (`{{nextsample}}`); the rest are appended by the interface.
    pub placed_samples: u32,
}

/// A sample test case, whole when small.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleView {
    /// The test case's name, e.g. `sample/1`.
    pub name: String,
    /// The first [`SAMPLE_PREVIEW_BYTES`] bytes, lossily as text.
    pub input: String,
    pub input_bytes: u64,
    pub answer: String,
    pub answer_bytes: u64,
    /// Of an interactive problem, what is shown instead of both, which are empty then: `<` before what the submission
    /// reads, `>` before what it writes, `---` between passes. (Problem Package Format, "Interaction")
    #[serde(default)]
    pub interaction: String,
}

/// How much of a sample is sent with the problem; the rest is paged.
pub const SAMPLE_PREVIEW_BYTES: u64 = 16 * 1024;
