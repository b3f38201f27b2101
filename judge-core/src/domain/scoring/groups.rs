//! What the formats say about groups of cases, in one tree.
//!
//! A case belongs to the deepest group whose name is a folder of its own name. Cases outside of the tree (the samples
//! of 2025-09) bear on the verdict only.

use agon_contract::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Folder under `data`, e.g. `secret/group1`; empty for the root of legacy packages.
    pub name: String,
    /// `None`: unbounded.
    #[serde(default)]
    pub max_score: Option<f64>,
    pub rule: GroupRule,
    /// Names of earlier groups, or `sample`, that have to be accepted; else this one is blocked.
    #[serde(default)]
    pub requires: Vec<String>,
    #[serde(default)]
    pub groups: Vec<Group>,
}

/// How a group comes to verdict and score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupRule {
    /// Its maximum is shared out to its cases. (Problem Package Format 2025-09, and formats of subtasks.)
    Share(Share),
    /// The default grader. (Problem Package Format legacy, "Graders".)
    Grader(Grader),
}

/// Of a group's children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Share {
    /// The maximum, if all are accepted.
    PassFail,
    /// A case is worth its points, or an equal part of the maximum.
    Sum,
    Min,
    Max,
}

/// The default grader and what a case is worth to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Grader {
    pub verdict: VerdictMode,
    pub score: ScoreMode,
    pub accepts_if_any_accepted: bool,
    /// `sample` is run and counts for nothing.
    pub ignores_sample: bool,
    /// `on_reject: break`: children after a rejected one count for nothing.
    pub breaks: bool,
    pub accept_score: f64,
    pub reject_score: f64,
    /// Bounds of the group's score; `None`: infinite.
    pub least: Option<f64>,
    pub most: Option<f64>,
}

/// Which child's verdict becomes the group's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictMode {
    #[default]
    WorstError,
    FirstError,
    AlwaysAccept,
}

/// What the children's scores come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreMode {
    #[default]
    Sum,
    Average,
    Min,
    Max,
}

/// (Problem Package Format legacy, `testdata.yaml`.)
impl Default for Grader {
    fn default() -> Self {
        Self {
            verdict: VerdictMode::default(),
            score: ScoreMode::default(),
            accepts_if_any_accepted: false,
            ignores_sample: false,
            breaks: true,
            accept_score: 1.0,
            reject_score: 0.0,
            least: None,
            most: None,
        }
    }
}

impl Grader {
    /// Takes `grader_flags`; of those that exclude each other, the last counts. The first unknown flag is the error.
    pub fn take_flags<'a>(&mut self, flags: impl IntoIterator<Item = &'a str>) -> Result<(), &'a str> {
        for flag in flags {
            match flag {
                "worst_error" | "no_errors" => self.verdict = VerdictMode::WorstError,
                "first_error" => self.verdict = VerdictMode::FirstError,
                "always_accept" => self.verdict = VerdictMode::AlwaysAccept,
                "sum" => self.score = ScoreMode::Sum,
                "avg" => self.score = ScoreMode::Average,
                "min" => self.score = ScoreMode::Min,
                "max" => self.score = ScoreMode::Max,
                "ignore_sample" => self.ignores_sample = true,
                "accept_if_any_accepted" => self.accepts_if_any_accepted = true,
                unknown => return Err(unknown),
            }
        }
        Ok(())
    }
}

impl ScoreMode {
    /// Of no scores: 0.
    pub(super) fn of(self, scores: &[f64]) -> f64 {
        let sum = || scores.iter().sum::<f64>();
        match self {
            _ if scores.is_empty() => 0.0,
            Self::Sum => sum(),
            Self::Average => sum() / scores.len() as f64,
            Self::Min => scores.iter().copied().fold(f64::INFINITY, f64::min),
            Self::Max => scores.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

impl Grader {
    /// The group's verdict from its children's, and the case that decided it.
    pub(super) fn choose(&self, verdicts: &[(Verdict, Option<usize>)]) -> (Verdict, Option<usize>) {
        let mut failures = verdicts.iter().filter(|(verdict, _)| !verdict.is_accepted());
        let any_accepted = verdicts.iter().any(|(verdict, _)| verdict.is_accepted());
        let chosen = match self.verdict {
            _ if self.accepts_if_any_accepted && any_accepted => None,
            VerdictMode::AlwaysAccept => None,
            VerdictMode::FirstError => failures.next(),
            VerdictMode::WorstError => failures.min_by_key(|(verdict, _)| rank(verdict)),
        };
        chosen.cloned().unwrap_or((Verdict::Accepted, None))
    }
}

/// 0 is the worst. (Legacy, "Default grader": JE, IF, RTE, MLE, TLE, OLE, WA.)
fn rank(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::JudgeError | Verdict::CompileError => 0,
        Verdict::Unknown(_) => 1,
        Verdict::RunTimeError => 2,
        Verdict::MemoryLimit => 3,
        Verdict::TimeLimit => 4,
        Verdict::OutputLimit => 5,
        Verdict::WrongAnswer => 6,
        Verdict::Accepted => 7,
    }
}
