//! From the results of the cases to verdict and score, and which case is worth running next.
//!
//! One tree of groups serves every format; what differs is how a group comes to its verdict and score, and when its
//! remaining cases no longer matter. Pure: running cases, and running a custom grader, is the caller's.
//!
//! ```text
//! Grading::new(rules, cases) ──> next() ── Case(i) ──> caller runs it ──> record(i, result) ──┐
//!          ^                       │                                                           │
//!          └───────────────────────┼── Grade(program, children) ──> record_grade(…) ───────────┤
//!                                  └── Done ──> graded()                                       │
//!          ^────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! Invariants: a case is asked for at most once and in judging order; `Done` is final; for pass-fail problems the
//! verdict is that of the first failing case in judging order; a score is never negative nor above the maximum that
//! the rules state, and what would break that is a fault of the package (JE), never clamped in silence.

use agon_contract::score::Score;
use agon_contract::submission::GroupView;
use agon_contract::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// How results are put together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoringRules {
    /// Accepted iff every case is.
    #[default]
    PassFail,
}

/// A case as far as grading knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct GradedCase {
    /// e.g. `secret/group1/03`.
    pub name: String,
    pub is_sample: bool,
    /// Points stated for it, if its format does so.
    pub points: Option<f64>,
}

/// What a checker said beyond the verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum CaseScore {
    #[default]
    Unstated,
    /// Of what the case is worth; 0 to 1.
    Multiplier(f64),
    Points(f64),
}

/// The end of one case.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseResult {
    pub verdict: Verdict,
    pub score: CaseScore,
}

/// What the caller does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Run the case with this index and record its result.
    Case(usize),
    Done,
}

/// The judgement of a submission.
#[derive(Clone, Debug, PartialEq)]
pub struct Graded {
    pub verdict: Verdict,
    /// `None` for pass-fail problems.
    pub score: Option<f64>,
    pub max_score: Option<f64>,
    /// Index of the case that decided the verdict.
    pub first_failing: Option<usize>,
    /// In the order of the package; empty for pass-fail problems.
    pub groups: Vec<GroupResult>,
    /// The package's fault, in words; the verdict is JE exactly then.
    pub fault: Option<String>,
}

/// What one group came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupResult {
    pub name: String,
    pub verdict: Verdict,
    pub score: f64,
    /// `None`: unbounded.
    pub max_score: Option<f64>,
    /// Not run, because a group it requires was not passed.
    pub is_blocked: bool,
}

impl From<&GroupResult> for GroupView {
    fn from(group: &GroupResult) -> Self {
        Self {
            name: group.name.clone(),
            verdict: group.verdict.clone(),
            score: Score::of(group.score),
            max_score: group.max_score.map(Score::of),
            is_blocked: group.is_blocked,
        }
    }
}

/// Grading of one submission.
#[derive(Debug)]
pub struct Grading {
    results: Vec<Option<CaseResult>>,
    runs_all: bool,
}

impl ScoringRules {
    /// Content hashes of custom graders.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = &str> {
        match self {
            Self::PassFail => std::iter::empty(),
        }
    }
}

impl Grading {
    /// `runs_all`: ask for every case, also those that can change nothing.
    #[must_use]
    pub fn new(rules: &ScoringRules, cases: &[GradedCase], runs_all: bool) -> Self {
        match rules {
            ScoringRules::PassFail => Self { results: vec![None; cases.len()], runs_all },
        }
    }

    #[must_use]
    pub fn next(&self) -> Step {
        let has_failed = self.results.iter().flatten().any(|result| !result.verdict.is_accepted());
        match self.results.iter().position(Option::is_none) {
            Some(index) if self.runs_all || !has_failed => Step::Case(index),
            Some(_) | None => Step::Done,
        }
    }

    pub fn record(&mut self, index: usize, result: CaseResult) {
        self.results[index] = Some(result);
    }

    #[must_use]
    pub fn graded(self) -> Graded {
        let failing =
            self.results.iter().position(|result| result.as_ref().is_some_and(|result| !result.verdict.is_accepted()));
        let verdict = failing.and_then(|index| self.results[index].as_ref()).map(|result| result.verdict.clone());
        Graded {
            verdict: verdict.unwrap_or(Verdict::Accepted),
            score: None,
            max_score: None,
            first_failing: failing,
            groups: Vec::new(),
            fault: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grade(results: &[&str], runs_all: bool) -> (Graded, usize) {
        let case = |n: usize| GradedCase { name: format!("secret/{n}"), is_sample: false, points: None };
        let cases: Vec<GradedCase> = (0..results.len()).map(case).collect();
        let mut grading = Grading::new(&ScoringRules::PassFail, &cases, runs_all);
        let mut ran = 0;
        while let Step::Case(index) = grading.next() {
            assert_eq!(index, ran, "in judging order, once each");
            ran += 1;
            grading.record(index, CaseResult { verdict: Verdict::from(results[index]), score: CaseScore::Unstated });
        }
        (grading.graded(), ran)
    }

    #[test]
    fn a_pass_fail_problem_ends_at_its_first_failure() {
        let (graded, ran) = grade(&["AC", "TLE", "WA"], false);
        assert_eq!((graded.verdict.as_str(), graded.first_failing, ran), ("TLE", Some(1), 2));
        let (graded, ran) = grade(&["AC", "TLE", "WA"], true);
        assert_eq!((graded.verdict.as_str(), graded.first_failing, ran), ("TLE", Some(1), 3));
        let (graded, ran) = grade(&["AC", "AC"], false);
        assert_eq!((graded.verdict.as_str(), graded.first_failing, graded.score, ran), ("AC", None, None, 2));
    }
}
