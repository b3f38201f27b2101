//! How a problem is judged: what its format said, in one shape for all formats.
//!
//! Every importer translates into this; judging knows no format. The default is a pass-fail problem whose submission
//! reads standard input, prints, and is compared by the default output validator.
//!
//! ```text
//! package ──importer──> JudgingRules + cases ──sealed in the facts──> judging
//!                            │
//!        conduct ────────────┤  who talks to whom, how many passes
//!        checker ────────────┤  who decides about one case, by which protocol
//!        scoring ────────────┤  what the cases' results come to (domain/scoring)
//!        file_io, includes ──┘  what lies beside the submission
//! ```

use serde::{Deserialize, Serialize};

use super::jury::{JuryFile, JuryProgram};
use super::scoring::ScoringRules;

/// The whole of it. Serialised into facts and catalogue, so every field has a default that means "as before".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct JudgingRules {
    pub conduct: Conduct,
    /// Runs of the submission per case at most; 0 and 1 mean single-pass.
    pub passes: u32,
    pub checker: Checker,
    pub scoring: ScoringRules,
    pub file_io: FileIo,
    /// Compiled and run with each submission.
    pub includes: Vec<Include>,
    /// Looks at the sources before anything runs.
    pub static_validator: Option<StaticValidator>,
    pub jury_limits: JuryLimits,
}

/// Who talks to whom while a case runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conduct {
    /// The submission reads the input and prints; then it is checked.
    #[default]
    Batch,
    /// The checker itself talks with the submission. (Problem Package Format: interactive.)
    Interactive,
    /// An interactor talks with the submission and writes what the checker then gets as output. (testlib)
    InteractorThenChecker(JuryProgram),
    /// A manager talks with `processes` copies of the submission and itself gives the score. (CMS Communication)
    Manager { program: JuryProgram, processes: u32, uses_standard_streams: bool },
    /// The submission is the output: `<case base name>.out` (or the only file) of what was handed in.
    SubmitAnswer,
}

/// Who decides about one case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Checker {
    /// Token comparison with the problem's `DefaultValidatorArgs`.
    #[default]
    Default,
    /// Lines, with blanks at their ends and empty last lines ignored. (Hydro, Luogu, QDUOJ, Lemon line by line)
    Lines,
    /// Lines, runs of blanks equal, blanks at both ends and empty last lines ignored. (CMS white diff)
    WhiteDiff,
    /// Byte for byte.
    Exact,
    Program {
        program: JuryProgram,
        protocol: CheckerProtocol,
        args: Vec<String>,
    },
}

/// How a jury program is called and how it answers. (Sources: formats §1.7, §6.2, §7)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckerProtocol {
    /// `input answer feedback/ args < output`, 42/43, feedback files.
    Icpc,
    /// `input output answer`, 0 ok, 1 wa, 2 pe, 3 fail, 7 points; the message decides about `_pc`.
    Testlib,
    /// `input answer output`, stdout's first line is the score in 0..1, stderr's first the message.
    Cms,
    /// `input output answer full_score score_file message_file`.
    Lemon,
    /// `input output`, 0 accepted, 1 wrong.
    Qduoj,
    /// `input answer output`, 0 accepted, 1 wrong. (HUSTOJ and its kin)
    Hustoj,
    /// `input user_out answer` by file names in the working folder; stdout's first number is a score of 100. (SYZOJ)
    Syzoj,
}

/// Where the submission's input and output are when they are no streams.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileIo {
    /// Name in the working folder; `None`: standard input.
    pub input: Option<String>,
    pub output: Option<String>,
}

/// Files laid over the submission before it is compiled, on collision instead of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Include {
    /// Codes of the format's languages (`cpp`, `python3`, …); `default` is for those without a row of their own.
    pub language: String,
    pub files: Vec<JuryFile>,
    /// The file that holds the entry point, where a grader replaces the submission's. (CMS `sol/grader.*`)
    pub entry: Option<String>,
}

/// A program that looks at the sources. (Problem Package Format 2025-09, "Static validator")
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaticValidator {
    pub program: JuryProgram,
    pub args: Vec<String>,
}

/// What a jury program may take; past it is a judge error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JuryLimits {
    /// CPU; time spent waiting for the submission does not count.
    pub time_ms: u64,
    pub memory_bytes: u64,
    pub output_bytes: u64,
}

impl Default for JuryLimits {
    /// (Problem Package Format, `limits.validation_*`)
    fn default() -> Self {
        Self { time_ms: 60_000, memory_bytes: 2048 << 20, output_bytes: 8 << 20 }
    }
}

/// What one case says beyond its input and answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CaseRules {
    /// Command line of the submission.
    pub args: Vec<String>,
    /// Instead of the checker's own.
    pub checker_args: Option<Vec<String>>,
    /// Laid into the working folder.
    pub files: Vec<JuryFile>,
    /// Instead of the problem's.
    pub time_limit_ms: Option<u64>,
    pub memory_bytes: Option<u64>,
    /// Points of an accepted run, for formats that give them by case.
    pub points: Option<f64>,
    /// Hidden even from those who see samples; `Some(true)` shows all feedback.
    pub full_feedback: Option<bool>,
    pub hint: String,
    pub description: String,
    /// Of a sample, what people are shown instead of input and answer.
    pub interaction: String,
}

impl JudgingRules {
    /// Every content hash that judging by these rules needs.
    #[must_use]
    pub fn hashes(&self) -> Vec<&str> {
        let mut hashes: Vec<&str> = Vec::new();
        match &self.conduct {
            Conduct::Batch | Conduct::Interactive | Conduct::SubmitAnswer => {}
            Conduct::InteractorThenChecker(program) | Conduct::Manager { program, .. } => {
                hashes.extend(program.hashes());
            }
        }
        if let Checker::Program { program, .. } = &self.checker {
            hashes.extend(program.hashes());
        }
        if let Some(validator) = &self.static_validator {
            hashes.extend(validator.program.hashes());
        }
        hashes.extend(self.includes.iter().flat_map(|include| &include.files).map(|file| file.hash.as_str()));
        hashes.extend(self.scoring.hashes());
        hashes.sort_unstable();
        hashes.dedup();
        hashes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_said_means_a_plain_problem() {
        let rules: JudgingRules = serde_json::from_str("{}").expect("every field has a default");
        assert_eq!(rules, JudgingRules::default());
        assert!(rules.hashes().is_empty());
        let case: CaseRules = serde_json::from_str("{}").expect("every field has a default");
        assert_eq!(case, CaseRules::default());
    }

    #[test]
    fn every_program_and_file_is_named_once() {
        let file = |hash: &str| JuryFile { name: "f".into(), hash: hash.into(), bytes: 1, is_executable: false };
        let program = |hash: &str| JuryProgram {
            name: "p".into(),
            build: super::super::jury::JuryBuild::Scripts,
            files: vec![file(hash), file("shared")],
        };
        let rules = JudgingRules {
            conduct: Conduct::InteractorThenChecker(program("a")),
            checker: Checker::Program { program: program("b"), protocol: CheckerProtocol::Testlib, args: vec![] },
            static_validator: Some(StaticValidator { program: program("c"), args: vec![] }),
            includes: vec![Include { language: "default".into(), files: vec![file("d")], entry: None }],
            ..JudgingRules::default()
        };
        assert_eq!(rules.hashes(), ["a", "b", "c", "d", "shared"]);
        let text = serde_json::to_string(&rules).expect("plain data");
        assert_eq!(serde_json::from_str::<JudgingRules>(&text).expect("its own words"), rules);
    }
}
