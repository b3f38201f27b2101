//! What a package says about one of its own submissions, and whether a judging agrees.

use agon_contract::verdict::Verdict;

/// What an example submission is expected to do (Problem Package Format, `submissions/`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// Rules over the verdicts of its runs: the directory's, and those of `submissions.yaml`. All must hold.
    Runs(Vec<ExpectationRule>),
    /// The final verdict is one of these: an annotation `@EXPECTED_RESULTS@`, or a directory such as `compiler_error`.
    Final(Vec<Verdict>),
    /// Nothing says what it should do.
    Unstated,
}

/// One rule over the runs that its scope covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectationRule {
    /// A glob over test case and group names (`secret/group1`); empty covers every test case.
    pub scope: String,
    /// Classes of verdicts that may occur.
    pub permitted: Vec<Verdict>,
    /// At least one run has one of these; empty asks for nothing.
    pub required: Vec<Verdict>,
}

/// What an example submission says about the time limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLimitUse {
    /// It must fit: the limit is at least its time × `ac_to_time_limit`.
    pub bounds_from_below: bool,
    /// It must be too slow: the limit × `time_limit_to_tle` is at most its time.
    pub bounds_from_above: bool,
}
