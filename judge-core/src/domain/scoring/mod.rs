//! From the results of the cases to verdict and score, and which case is worth running next.
//!
//! One tree of groups serves every format; what differs is how a group comes to its verdict and score, and when its
//! remaining cases no longer matter. Pure: running cases is the caller's. (Custom graders
//! are refused by the readers.)
//!
//! ```text
//! Grading::new(rules, cases) ──> next() ── Case(i) ──> caller runs it ──> record(i, result) ──┐
//!          ^                       │                                                           │
//!          └───────────────────────┤                                                           │
//!                                  └── Done ──> graded()                                       │
//!          ^────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! Invariants: a case is asked for at most once and in judging order; `Done` is final; for pass-fail problems the
//! verdict is that of the first failing case in judging order; a score is never outside of what the rules state, and what would break that is a fault of the package (JE), never clamped in silence.

pub mod groups;
#[cfg(test)]
mod tests;
mod tree;

use agon_contract::score::Score;
use agon_contract::submission::GroupView;
use agon_contract::verdict::Verdict;
use serde::{Deserialize, Serialize};

use groups::Group;
use tree::{Stop, Tree};

/// How results are put together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoringRules {
    /// Accepted iff every case is.
    #[default]
    PassFail,
    /// Points by groups: the root of the tree.
    Groups(Box<Group>),
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
    /// `None` for pass-fail problems.
    tree: Option<Tree>,
}

impl ScoringRules {
    /// Content hashes of custom graders.
    pub(crate) fn hashes(&self) -> impl Iterator<Item = &str> {
        match self {
            Self::PassFail | Self::Groups(_) => std::iter::empty(),
        }
    }
}

impl Grading {
    /// `runs_all`: ask for every case, also those that can change nothing.
    #[must_use]
    pub fn new(rules: &ScoringRules, cases: &[GradedCase], runs_all: bool) -> Self {
        let tree = match rules {
            ScoringRules::PassFail => None,
            ScoringRules::Groups(root) => Some(Tree::new(root, cases)),
        };
        Self { results: vec![None; cases.len()], runs_all, tree }
    }

    #[must_use]
    pub fn next(&self) -> Step {
        let first_open = self.results.iter().position(Option::is_none);
        let Some(tree) = &self.tree else {
            return match first_open {
                Some(index) if self.runs_all || self.failing().is_none() => Step::Case(index),
                Some(_) | None => Step::Done,
            };
        };
        match (first_open, tree.look(&self.results)) {
            _ if self.judge_error().is_some() => Step::Done,
            (_, Err(Stop::Fault(_))) | (None, _) => Step::Done,
            (Some(index), _) if self.runs_all => Step::Case(index),
            (Some(_), Err(Stop::Wants(index))) => Step::Case(index),
            (Some(_), Ok(_)) => Step::Done,
        }
    }

    pub fn record(&mut self, index: usize, result: CaseResult) {
        self.results[index] = Some(result);
    }

    #[must_use]
    pub fn graded(self) -> Graded {
        let Some(tree) = &self.tree else {
            let failing = self.failing();
            let verdict = failing.and_then(|index| self.results[index].as_ref()).map(|result| result.verdict.clone());
            return Graded {
                verdict: verdict.unwrap_or(Verdict::Accepted),
                first_failing: failing,
                ..Graded::default()
            };
        };
        let fault = |words, first_failing| Graded {
            verdict: Verdict::JudgeError,
            first_failing,
            fault: Some(words),
            ..Graded::default()
        };
        if let Some(case) = self.judge_error() {
            return fault("a case ended with a judge error".into(), Some(case));
        }
        match tree.look(&self.results) {
            Ok(whole) => Graded {
                verdict: whole.verdict,
                score: Some(whole.score),
                max_score: whole.max_score,
                first_failing: whole.deciding,
                groups: whole.groups,
                fault: None,
            },
            Err(Stop::Fault(words)) => fault(words, None),
            Err(Stop::Wants(_)) => fault("the judging ended before the score was known".into(), None),
        }
    }

    fn failing(&self) -> Option<usize> {
        self.results.iter().position(|result| result.as_ref().is_some_and(|result| !result.verdict.is_accepted()))
    }

    fn judge_error(&self) -> Option<usize> {
        let is_one = |result: &CaseResult| result.verdict == Verdict::JudgeError;
        self.results.iter().position(|result| result.as_ref().is_some_and(is_one))
    }
}

impl Default for Graded {
    fn default() -> Self {
        Self {
            verdict: Verdict::Accepted,
            score: None,
            max_score: None,
            first_failing: None,
            groups: Vec::new(),
            fault: None,
        }
    }
}
