//! What a checked package consists of.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agon_contract::ids::LanguageId;
use agon_contract::problem::{LocalText, StatementFormat, TimeLimitSource};

use crate::domain::comparison::DefaultValidatorArgs;
use crate::domain::expectation::{Expectation, TimeLimitUse};
use crate::domain::limits::EffectiveLimits;
use crate::domain::rules::{CaseRules, JudgingRules, JuryLimits};
pub use crate::domain::time_limit::TimeLimitRule;

/// Version of the Problem Package Format, drafts with their family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageFormat {
    Legacy,
    LegacyIcpc,
    /// `2023-07`, `2023-07-draft`: whatever draft existed that month.
    Draft2023,
    V2025,
    /// Pairs of files and nothing that says more.
    Bare,
    Hydro,
}

/// A package that can be judged as its format says.
#[derive(Clone, Debug)]
pub struct CheckedPackage {
    /// Base name of the directory or archive: `[a-z0-9]+` in a well-formed one.
    pub slug: String,
    /// By language; never empty.
    pub titles: Vec<LocalText>,
    pub uuid: Option<String>,
    /// The package's own version text.
    pub version: Option<String>,
    pub format: PackageFormat,
    pub limits: PackageLimits,
    pub keywords: Vec<String>,
    /// Languages of the table that the package admits.
    pub languages: Vec<LanguageId>,
    /// For the default output validator, where the rules name no other.
    pub validator: DefaultValidatorArgs,
    pub rules: JudgingRules,
    /// Where the content that the rules and cases name by its hash lies.
    pub contents: BTreeMap<String, PathBuf>,
    /// In judging order: sample then secret, each by the bytes of its name.
    pub cases: Vec<PackageCase>,
    pub statements: Vec<PackageStatement>,
    pub submissions: Vec<PackageSubmission>,
    /// For people: authors and others.
    pub credits: String,
    pub license: String,
    pub source: String,
    /// Hex sha256 over the canonical listing of the files that were read.
    pub package_hash: String,
    /// Hex sha256 over names and hashes of the test cases and the validator's arguments.
    pub data_hash: String,
}

/// Limits as the package states them, defaults filled in except for the time limit.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageLimits {
    /// CPU per test case; `None`: derive it from the accepted submissions by `time_limit_rule`.
    pub time_limit_ms: Option<u64>,
    pub time_limit_rule: TimeLimitRule,
    pub memory_bytes: u64,
    /// stdout, stderr and files.
    pub output_bytes: u64,
    /// Sum of the submitted files.
    pub code_bytes: u64,
    pub compilation: CompilationLimits,
    /// Runs per test case at most, in multi-pass problems.
    pub passes: u32,
    /// Of validators and their like.
    pub jury: JuryLimits,
}

impl PackageLimits {
    /// The limits to judge with, given the time limit: the package's own, or the one derived.
    #[must_use]
    pub fn effective(&self, time_limit_ms: u64, time_limit_source: TimeLimitSource) -> EffectiveLimits {
        EffectiveLimits {
            time_limit_ms,
            time_limit_source,
            memory_bytes: self.memory_bytes,
            output_bytes: self.output_bytes,
            code_bytes: self.code_bytes,
        }
    }
}

/// What compiling may take; past it is a compile error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompilationLimits {
    pub time_ms: u64,
    pub memory_bytes: u64,
}

/// One test case.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageCase {
    /// Path under `data/` without extension, e.g. `secret/group1/03`.
    pub name: String,
    pub is_sample: bool,
    pub input: PathBuf,
    pub answer: PathBuf,
    pub input_bytes: u64,
    pub answer_bytes: u64,
    /// Hex sha256.
    pub input_hash: String,
    pub answer_hash: String,
    /// Arguments of this case or its group, where they differ from the package's.
    pub validator: Option<DefaultValidatorArgs>,
    pub rules: CaseRules,
}

/// One statement in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageStatement {
    pub language: String,
    pub format: StatementFormat,
    /// The file it was made from.
    pub path: PathBuf,
    /// Sanitised HTML; empty for PDF.
    pub html: String,
    /// Samples that the text places itself, from the first.
    pub placed_samples: u32,
    /// Images that the text names in `data-statement-file`.
    pub files: Vec<StatementFile>,
}

/// A file beside a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementFile {
    /// As the text names it.
    pub name: String,
    pub path: PathBuf,
}

/// An example submission.
#[derive(Clone, Debug, PartialEq)]
pub struct PackageSubmission {
    /// Relative to `submissions/`, e.g. `accepted/solution.cpp`; a directory is one submission.
    pub path: String,
    pub files: Vec<SubmissionFile>,
    /// `None`: no language of the table fits (a finding says so).
    pub language: Option<LanguageId>,
    pub expected: Expectation,
    pub time_limit_use: TimeLimitUse,
}

/// A source file of an example submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmissionFile {
    /// Relative to the submission, e.g. `main.cpp`.
    pub name: String,
    pub path: PathBuf,
}
