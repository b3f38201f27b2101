//! What a package says about one of its own submissions, and whether a judging agrees.

use agon_contract::verdict::Verdict;

use super::glob;
use super::scoring::GroupResult;

/// What an example submission is expected to do (Problem Package Format, `submissions/`).
#[derive(Clone, Debug, PartialEq)]
pub enum Expectation {
    /// Rules over the verdicts of its runs: the directory's, and those of `submissions.yaml`. All must hold.
    Runs(Vec<ExpectationRule>),
    /// The final verdict is one of these: an annotation `@EXPECTED_RESULTS@`, or a directory such as `compiler_error`.
    Final(Vec<Verdict>),
    /// Accepted with less than the most points. (legacy scoring, `partially_accepted`)
    Partial,
    /// Nothing says what it should do.
    Unstated,
}

/// One rule over the runs that its scope covers.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectationRule {
    /// A glob over test case and group names (`secret/group1`); empty covers every test case.
    pub scope: String,
    /// Classes of verdicts that may occur.
    pub permitted: Vec<Verdict>,
    /// At least one run has one of these; empty asks for nothing.
    pub required: Vec<Verdict>,
    /// Points of the scope, inclusive: of a group where it names one, else of the whole.
    pub score: Option<(f64, f64)>,
    /// Part of what the validator says to the jury in one of the runs.
    pub message: Option<String>,
}

/// A judging of every test case, as rules look at it.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    pub verdict: &'a Verdict,
    pub runs: &'a [SeenRun<'a>],
    /// `None` for pass-fail problems.
    pub score: Option<f64>,
    pub max_score: Option<f64>,
    pub groups: &'a [GroupResult],
}

/// One of its runs.
#[derive(Clone, Copy, Debug)]
pub struct SeenRun<'a> {
    pub case_name: &'a str,
    pub verdict: &'a Verdict,
    pub message: &'a str,
}

/// Differences of points that are none.
const NOISE: f64 = 1e-6;

/// What an example submission says about the time limit: on which test cases, as globs; the empty one covers all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeLimitUse {
    /// It must fit there: the limit is at least its slowest time there × `ac_to_time_limit`.
    pub bounds_from_below: Vec<String>,
    /// It must be too slow there: the limit × `time_limit_to_tle` is at most its slowest time there.
    pub bounds_from_above: Vec<String>,
}

/// The verdict classes that rules speak of.
pub const CLASSES: [Verdict; 4] = [Verdict::Accepted, Verdict::WrongAnswer, Verdict::TimeLimit, Verdict::RunTimeError];

/// The class a run's verdict counts as: memory is a run-time error, too much output a wrong answer (CCS "Big 5").
fn class(verdict: &Verdict) -> Verdict {
    match verdict {
        Verdict::MemoryLimit => Verdict::RunTimeError,
        Verdict::OutputLimit => Verdict::WrongAnswer,
        Verdict::Accepted
        | Verdict::WrongAnswer
        | Verdict::TimeLimit
        | Verdict::RunTimeError
        | Verdict::CompileError
        | Verdict::JudgeError
        | Verdict::Unknown(_) => verdict.clone(),
    }
}

impl ExpectationRule {
    /// A rule over every test case.
    #[must_use]
    pub fn over_all(permitted: &[Verdict], required: &[Verdict]) -> Self {
        Self {
            scope: String::new(),
            permitted: permitted.to_vec(),
            required: required.to_vec(),
            score: None,
            message: None,
        }
    }

    /// The rule of a directory below `submissions/`; the legacy formats ask less of the slow and the crashing.
    #[must_use]
    pub fn of_directory(directory: &str, is_legacy: bool) -> Option<Self> {
        use Verdict::{Accepted as Ac, RunTimeError as Rte, TimeLimit as Tle, WrongAnswer as Wa};
        let rule = match (directory, is_legacy) {
            ("accepted", _) => Self::over_all(&[Ac], &[]),
            ("wrong_answer", _) => Self::over_all(&[Ac, Wa], &[Wa]),
            ("time_limit_exceeded", true) => Self::over_all(&[Ac, Wa, Tle], &[Tle]),
            ("time_limit_exceeded", false) => Self::over_all(&[Ac, Tle], &[Tle]),
            ("run_time_error", true) => Self::over_all(&CLASSES, &[Rte]),
            ("run_time_error", false) => Self::over_all(&[Ac, Rte], &[Rte]),
            ("rejected", false) => Self::over_all(&CLASSES, &[Rte, Tle, Wa]),
            ("brute_force", false) => Self::over_all(&[Ac, Rte, Tle], &[Rte, Tle]),
            _ => return None,
        };
        Some(rule)
    }

    /// What the rule means for the time limit, unless `use_for_time_limit` says otherwise.
    #[must_use]
    pub fn time_limit_use(&self) -> TimeLimitUse {
        let scope_if = |holds: bool| holds.then(|| self.scope.clone()).into_iter().collect();
        TimeLimitUse {
            bounds_from_below: scope_if(!self.permitted.contains(&Verdict::TimeLimit)),
            bounds_from_above: scope_if(self.required == [Verdict::TimeLimit]),
        }
    }

    fn disagreement(&self, seen: &Seen<'_>) -> Option<String> {
        let covered = || seen.runs.iter().filter(|run| glob::covers(&self.scope, run.case_name));
        let scope = if self.scope.is_empty() { String::new() } else { format!(" in {}", self.scope) };
        if let Some(run) = covered().find(|run| !self.permitted.contains(&class(run.verdict))) {
            let SeenRun { case_name, verdict, .. } = run;
            return Some(format!("{verdict} on {case_name}, permitted{scope}: {}", list(&self.permitted)));
        }
        let is_met = self.required.is_empty() || covered().any(|run| self.required.contains(&class(run.verdict)));
        if !is_met {
            return Some(format!("no test case{scope} ended in {}", list(&self.required)));
        }
        if let Some(wanted) = &self.message
            && !covered().any(|run| run.message.contains(wanted))
        {
            return Some(format!("no message{scope} holds `{wanted}`"));
        }
        let (least, most) = self.score?;
        let expected = if (most - least).abs() < NOISE { least.to_string() } else { format!("{least} to {most}") };
        let of_group = || seen.groups.iter().find(|group| glob::covers(&self.scope, &group.name));
        let score = if self.scope.is_empty() { seen.score } else { of_group().map(|group| group.score) };
        match score {
            Some(score) if score >= least - NOISE && score <= most + NOISE => None,
            Some(score) => Some(format!("{score} points{scope}, expected {expected}")),
            None => Some(format!("no points{scope}, expected {expected}")),
        }
    }
}

fn list(verdicts: &[Verdict]) -> String {
    verdicts.iter().map(Verdict::as_str).collect::<Vec<_>>().join(", ")
}

impl Expectation {
    /// DOMjudge's directories, which speak of the final verdict.
    #[must_use]
    pub fn of_other_directory(directory: &str) -> Option<Self> {
        let verdict = match directory {
            "compiler_error" => Verdict::CompileError,
            "no_output" => Verdict::WrongAnswer,
            "output_limit" => Verdict::OutputLimit,
            "memory_limit" => Verdict::MemoryLimit,
            _ => return None,
        };
        Some(Self::Final(vec![verdict]))
    }

    /// The final verdicts that can be right, the required ones first; empty when nothing is stated.
    #[must_use]
    pub fn final_verdicts(&self) -> Vec<Verdict> {
        match self {
            Self::Unstated => Vec::new(),
            Self::Partial => vec![Verdict::Accepted],
            Self::Final(verdicts) => verdicts.clone(),
            Self::Runs(rules) => {
                let Some(rule) = rules.iter().find(|rule| rule.scope.is_empty()).or(rules.first()) else {
                    return Vec::new();
                };
                let may_pass = rule.required.is_empty() || rule.required.contains(&Verdict::Accepted);
                let mut verdicts = rule.required.clone();
                verdicts.extend(rule.permitted.iter().filter(|verdict| !rule.required.contains(verdict)).cloned());
                verdicts.retain(|verdict| may_pass || *verdict != Verdict::Accepted);
                verdicts
            }
        }
    }

    /// Why a judging of every test case does not agree; `None` when it does.
    #[must_use]
    pub fn disagreement(&self, seen: &Seen<'_>) -> Option<String> {
        let verdict = seen.verdict;
        match self {
            _ if *verdict == Verdict::JudgeError => Some("it could not be judged".to_owned()),
            Self::Unstated => None,
            Self::Final(verdicts) => {
                let agrees = verdicts.contains(verdict) || verdicts.contains(&class(verdict));
                (!agrees).then(|| format!("{verdict}, expected {}", list(verdicts)))
            }
            Self::Partial if !verdict.is_accepted() => {
                Some(format!("{verdict}, expected AC with a part of the points"))
            }
            Self::Partial => match (seen.score, seen.max_score) {
                (Some(score), Some(most)) if score >= most - NOISE => {
                    Some(format!("all {most} points, expected a part of them"))
                }
                (Some(_) | None, _) => None,
            },
            Self::Runs(_) if *verdict == Verdict::CompileError => Some("it does not compile".to_owned()),
            Self::Runs(rules) => rules.iter().find_map(|rule| rule.disagreement(seen)),
        }
    }
}

/// What an annotation `@EXPECTED_RESULTS@: A, B` in a source says: `None` without one, `Err` with the word that is no
/// result. (DOMjudge; the words of the Problem Package Format count too.)
#[must_use]
pub fn annotated(source: &[u8]) -> Option<Result<Vec<Verdict>, String>> {
    const MARK: &[u8] = b"@EXPECTED_RESULTS@:";
    let at = source.windows(MARK.len()).position(|window| window == MARK)? + MARK.len();
    let line = source[at..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let line = line.trim().trim_end_matches("*/").trim_end_matches("-->");
    Some(line.split(',').map(|word| result_word(word.trim())).collect())
}

fn result_word(word: &str) -> Result<Verdict, String> {
    match word.to_ascii_uppercase().replace('_', "-").as_str() {
        "CORRECT" | "ACCEPTED" => Ok(Verdict::Accepted),
        "WRONG-ANSWER" | "NO-OUTPUT" | "PRESENTATION-ERROR" => Ok(Verdict::WrongAnswer),
        "TIMELIMIT" | "TIME-LIMIT-EXCEEDED" => Ok(Verdict::TimeLimit),
        "RUN-ERROR" | "RUN-TIME-ERROR" => Ok(Verdict::RunTimeError),
        "COMPILER-ERROR" => Ok(Verdict::CompileError),
        "OUTPUT-LIMIT" => Ok(Verdict::OutputLimit),
        "MEMORY-LIMIT" => Ok(Verdict::MemoryLimit),
        _ => Err(word.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(text: &str) -> Verdict {
        Verdict::from(text)
    }

    fn seen<'a>(verdict: &'a Verdict, runs: &'a [SeenRun<'a>], score: Option<f64>) -> Seen<'a> {
        Seen { verdict, runs, score, max_score: Some(100.0), groups: &[] }
    }

    #[test]
    fn points_and_messages_are_held_against_what_was_said() {
        let rule = |score, message: Option<&str>| {
            let message = message.map(str::to_owned);
            Expectation::Runs(vec![ExpectationRule { score, message, ..ExpectationRule::over_all(&CLASSES, &[]) }])
        };
        let runs = [SeenRun { case_name: "secret/1", verdict: &Verdict::Accepted, message: "close call" }];
        let agrees = |expectation: &Expectation, score| {
            expectation.disagreement(&seen(&Verdict::Accepted, &runs, score)).is_none()
        };
        for (score, expected) in [(Some(30.0), true), (Some(29.9), false), (Some(41.0), false), (None, false)] {
            assert_eq!(agrees(&rule(Some((30.0, 40.0)), None), score), expected, "{score:?}");
        }
        assert!(agrees(&rule(None, Some("close")), None) && !agrees(&rule(None, Some("far")), None));
        for (score, expected) in [(Some(30.0), true), (Some(100.0), false), (Some(0.0), true)] {
            assert_eq!(agrees(&Expectation::Partial, score), expected, "{score:?}");
        }
        let rejected = Expectation::Partial.disagreement(&seen(&Verdict::WrongAnswer, &runs, Some(30.0)));
        assert!(rejected.is_some());
        let group = GroupResult {
            name: "secret/g".into(),
            verdict: Verdict::Accepted,
            score: 5.0,
            max_score: None,
            is_blocked: false,
        };
        let scoped = |score| ExpectationRule {
            scope: "secret/g".into(),
            score: Some(score),
            ..ExpectationRule::over_all(&CLASSES, &[])
        };
        let of_group = Seen { groups: &[group], ..seen(&Verdict::Accepted, &runs, Some(30.0)) };
        assert!(Expectation::Runs(vec![scoped((5.0, 5.0))]).disagreement(&of_group).is_none());
        assert!(Expectation::Runs(vec![scoped((30.0, 30.0))]).disagreement(&of_group).is_some());
    }

    /// Judges `runs` such as `AC WA` on cases `secret/1` … against a directory's rule.
    fn of_directory(directory: &str, is_legacy: bool, runs: &str) -> bool {
        let rule = ExpectationRule::of_directory(directory, is_legacy).expect("a known directory");
        agrees(&Expectation::Runs(vec![rule]), runs)
    }

    fn agrees(expectation: &Expectation, runs: &str) -> bool {
        let verdicts: Vec<Verdict> = runs.split(' ').map(verdict).collect();
        let names: Vec<String> = (1..=verdicts.len()).map(|number| format!("secret/{number}")).collect();
        let run = |(name, verdict)| SeenRun { case_name: name, verdict, message: "close" };
        let runs: Vec<SeenRun<'_>> = names.iter().map(String::as_str).zip(&verdicts).map(run).collect();
        let last = verdicts.iter().find(|verdict| !verdict.is_accepted()).unwrap_or(&Verdict::Accepted);
        expectation.disagreement(&seen(last, &runs, None)).is_none()
    }

    #[test]
    fn directories_of_both_families() {
        for (directory, is_legacy, runs, expected) in [
            ("accepted", true, "AC AC", true),
            ("accepted", false, "AC WA", false),
            ("wrong_answer", true, "AC WA", true),
            ("wrong_answer", true, "AC AC", false),
            ("wrong_answer", false, "WA TLE", false),
            ("wrong_answer", false, "AC OLE", true),
            ("time_limit_exceeded", true, "WA TLE", true),
            ("time_limit_exceeded", false, "WA TLE", false),
            ("run_time_error", false, "AC MLE", true),
            ("run_time_error", false, "TLE RTE", false),
            ("run_time_error", true, "TLE RTE", true),
            ("rejected", false, "AC TLE", true),
            ("brute_force", false, "TLE WA", false),
        ] {
            assert_eq!(of_directory(directory, is_legacy, runs), expected, "{directory} {is_legacy} {runs}");
        }
        assert_eq!(ExpectationRule::of_directory("rejected", true), None);
    }

    #[test]
    fn scoped_rules_bind_their_cases_only() {
        let scoped = |scope: &str, permitted: &[Verdict], required: &[Verdict]| ExpectationRule {
            scope: scope.to_owned(),
            ..ExpectationRule::over_all(permitted, required)
        };
        let expectation = Expectation::Runs(vec![
            scoped("secret/1", &[Verdict::Accepted], &[]),
            scoped("secret/{2,3}", &CLASSES, &[Verdict::TimeLimit]),
        ]);
        assert!(agrees(&expectation, "AC TLE AC"));
        assert!(!agrees(&expectation, "TLE TLE AC"));
        assert!(!agrees(&expectation, "AC WA AC"));
    }

    #[test]
    fn a_judge_error_never_agrees_and_a_compile_error_only_if_asked_for() {
        let accepted = ExpectationRule::over_all(&CLASSES, &[]);
        assert!(Expectation::Runs(vec![accepted]).disagreement(&seen(&Verdict::CompileError, &[], None)).is_some());
        let compiler = Expectation::of_other_directory("compiler_error").expect("known");
        assert_eq!(compiler.disagreement(&seen(&Verdict::CompileError, &[], None)), None);
        assert!(Expectation::Unstated.disagreement(&seen(&Verdict::JudgeError, &[], None)).is_some());
        assert_eq!(Expectation::Unstated.disagreement(&seen(&Verdict::WrongAnswer, &[], None)), None);
    }

    #[test]
    fn annotations_are_read() {
        let read = |text: &str| annotated(text.as_bytes());
        assert_eq!(read("int main() {}"), None);
        let both = Some(Ok(vec![Verdict::WrongAnswer, Verdict::TimeLimit]));
        assert_eq!(read("// @EXPECTED_RESULTS@: wrong-answer, TIMELIMIT\r\nx"), both);
        assert_eq!(read("/* @EXPECTED_RESULTS@: RUN_TIME_ERROR */"), Some(Ok(vec![Verdict::RunTimeError])));
        assert_eq!(read("# @EXPECTED_RESULTS@: FAST"), Some(Err("FAST".to_owned())));
    }

    #[test]
    fn what_can_be_right_in_the_end() {
        let rule = |directory, is_legacy| {
            let rule = ExpectationRule::of_directory(directory, is_legacy).expect("known");
            list(&Expectation::Runs(vec![rule]).final_verdicts())
        };
        assert_eq!(rule("accepted", false), "AC");
        assert_eq!(rule("time_limit_exceeded", true), "TLE, WA");
        assert_eq!(rule("rejected", false), "RTE, TLE, WA");
    }

    #[test]
    fn the_time_limit_is_bounded_as_the_format_says() {
        let using = |directory: &str| {
            ExpectationRule::of_directory(directory, false).map(|rule| rule.time_limit_use()).expect("known")
        };
        assert_eq!([using("accepted"), using("wrong_answer")].map(|using| using.bounds_from_below), [[""], [""]]);
        assert_eq!(using("time_limit_exceeded").bounds_from_above, [""]);
        assert_eq!(using("brute_force"), TimeLimitUse::default());
    }
}
