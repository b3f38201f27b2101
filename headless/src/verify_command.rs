//! `agon verify`: does every example submission of a package do what the package says it does?

use std::path::PathBuf;

use agon_contract::score::Score;
use agon_contract::verdict::Verdict;
use judge_core::domain::expectation::{Seen, SeenRun};
use judge_core::domain::glob;
use judge_core::judging::{JudgeMode, JudgeableProblem, Judged, JudgedRun, NoProgress, Program};
use judge_core::package::{CheckedPackage, PackageSubmission};
use serde::Serialize;

use crate::derive;
use crate::exit::Exit;
use crate::owned::{self, CommandError};
use crate::table;
use crate::workroom::{self, Audience, Workroom};

/// What was asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Asked {
    /// Problem packages: folders or zips.
    #[arg(required = true)]
    packages: Vec<PathBuf>,
    /// One JSON object per submission and line.
    #[arg(long)]
    json: bool,
    /// Only submissions whose path below `submissions/` matches, e.g. `accepted/*` or `{accepted,wrong_answer}`.
    #[arg(long, value_name = "GLOB", default_value = "")]
    filter: String,
    /// Seconds of CPU time instead of the packages' limits; packages without one are then not measured.
    #[arg(long, value_name = "SECONDS", value_parser = derive::asked_limit)]
    time_limit: Option<u64>,
}

/// One submission's line.
#[derive(Debug, Serialize)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<String>,
    submission: String,
    language: Option<String>,
    expected: Vec<String>,
    verdict: Option<String>,
    first_failing: Option<String>,
    max_cpu_ms: Option<u64>,
    max_wall_ms: Option<u64>,
    peak_memory_bytes: Option<u64>,
    /// Pass-fail problems have none.
    score: Option<f64>,
    /// Its slowest test lies within 20 % of the time limit: elsewhere it may end otherwise.
    near_limit: bool,
    ok: bool,
    reason: String,
}

/// Judges every matching submission on every test; `Success` means that all did as expected.
pub(crate) async fn run(asked: Asked) -> Result<Exit, CommandError> {
    workroom::within(async |room: &Workroom| {
        let mut tally = Tally::default();
        for source in &asked.packages {
            let package = room.read(source, Audience::Setter)?;
            verify(room, &asked, &package, &mut tally).await?;
        }
        if tally.judged == 0 {
            return Err(CommandError::NothingToVerify);
        }
        if !asked.json {
            owned::say(format_args!("{} of {} as expected", tally.judged - tally.failed, tally.judged))?;
        }
        Ok(if tally.failed == 0 { Exit::Success } else { Exit::Negative })
    })
    .await
}

#[derive(Default)]
struct Tally {
    judged: u32,
    failed: u32,
}

async fn verify(
    room: &Workroom,
    asked: &Asked,
    package: &CheckedPackage,
    tally: &mut Tally,
) -> Result<(), CommandError> {
    let chosen: Vec<_> = package.submissions.iter().filter(|one| glob::covers(&asked.filter, &one.path)).collect();
    if chosen.is_empty() {
        return Ok(());
    }
    let problem = derive::with_time_limit(room, package, asked.time_limit).await?;
    let shown = (asked.packages.len() > 1).then(|| package.slug.clone());
    if !asked.json {
        let limit = table::seconds(problem.limits.time_limit_ms);
        owned::say(format_args!("{}: time limit {limit} ({})", package.slug, problem.limits.time_limit_source))?;
    }
    for submission in chosen {
        let line = Line { package: shown.clone(), ..judge(room, &problem, submission).await? };
        tally.judged += 1;
        tally.failed += u32::from(!line.ok);
        if asked.json {
            owned::say(serde_json::to_string(&line).expect("a line is text and numbers"))?;
        } else {
            owned::say(readable(&line))?;
        }
    }
    Ok(())
}

async fn judge(
    room: &Workroom,
    problem: &JudgeableProblem,
    submission: &PackageSubmission,
) -> Result<Line, CommandError> {
    let unreadable = |source| CommandError::Source { path: submission.path.clone().into(), source };
    let Some(program) = Program::of_package(submission).map_err(unreadable)? else {
        return Ok(Line { reason: "no language of the table fits its files".to_owned(), ..unjudged(submission) });
    };
    let judged = room.judge(&program, problem, JudgeMode::RunAll, &NoProgress).await?;
    let near_limit = match judged.max_cpu_ms {
        _ if judged.runs.iter().any(is_out_of_cpu) => {
            passes_with_a_fifth_more(room, problem, &program, &judged).await?
        }
        Some(cpu_ms) => cpu_ms * 5 >= time_limit_of(problem, &program) * 4,
        None => false,
    };
    Ok(Line { near_limit, ..line_of(submission, &program, &judged) })
}

/// With the language's own allowance.
fn time_limit_of(problem: &JudgeableProblem, program: &Program) -> u64 {
    problem.limits.with_time_multiplier(program.language.time_multiplier_percent).time_limit_ms
}

fn unjudged(submission: &PackageSubmission) -> Line {
    Line {
        package: None,
        submission: submission.path.clone(),
        language: submission.language.as_ref().map(ToString::to_string),
        expected: submission.expected.final_verdicts().iter().map(ToString::to_string).collect(),
        verdict: None,
        first_failing: None,
        max_cpu_ms: None,
        max_wall_ms: None,
        peak_memory_bytes: None,
        score: None,
        near_limit: false,
        ok: false,
        reason: String::new(),
    }
}

/// Killed at its limit: how long it would have taken is not known.
fn is_out_of_cpu(run: &JudgedRun) -> bool {
    run.verdict == Verdict::TimeLimit && run.outcome == "cpu limit"
}

/// Whether every test that was too slow would pass in time within a fifth more.
async fn passes_with_a_fifth_more(
    room: &Workroom,
    problem: &JudgeableProblem,
    program: &Program,
    judged: &Judged,
) -> Result<bool, CommandError> {
    let mut longer = problem.clone();
    longer.limits.time_limit_ms = problem.limits.time_limit_ms * 6 / 5;
    let was_slow = |name: &str| judged.runs.iter().any(|run| run.case_name == name && is_out_of_cpu(run));
    longer.cases.retain(|case| was_slow(&case.name));
    let again = room.judge(program, &longer, JudgeMode::StopAtFirstFailure, &NoProgress).await?;
    Ok(!again.runs.iter().any(is_out_of_cpu))
}

fn line_of<'a>(submission: &PackageSubmission, program: &Program, judged: &'a Judged) -> Line {
    let seen = |run: &'a JudgedRun| SeenRun { case_name: &run.case_name, verdict: &run.verdict, message: &run.message };
    let runs: Vec<SeenRun<'_>> = judged.runs.iter().map(seen).collect();
    let Judged { score, max_score, .. } = *judged;
    let seen = Seen { verdict: &judged.verdict, runs: &runs, score, max_score, groups: &judged.groups };
    let disagreement = submission.expected.disagreement(&seen);
    Line {
        language: Some(program.language.id.to_string()),
        verdict: Some(judged.verdict.to_string()),
        first_failing: judged.first_failing.clone(),
        max_cpu_ms: judged.max_cpu_ms,
        max_wall_ms: judged.max_wall_ms,
        peak_memory_bytes: judged.peak_memory_bytes,
        score,
        ok: disagreement.is_none(),
        reason: match disagreement {
            None => judged.reason.clone(),
            Some(disagreement) if judged.reason.is_empty() => disagreement,
            Some(disagreement) => format!("{disagreement} ({})", judged.reason),
        },
        ..unjudged(submission)
    }
}

fn readable(line: &Line) -> String {
    let mark = if line.ok { "ok  " } else { "FAIL" };
    let verdict = line.verdict.as_deref().unwrap_or("-");
    let time = line.max_cpu_ms.map_or_else(String::new, |ms| format!("  {}", table::seconds(ms)));
    let score = line.score.map_or_else(String::new, |score| format!("  {} points", Score::of(score)));
    let near = if line.near_limit { "  within 20 % of the time limit" } else { "" };
    let place = line.first_failing.as_ref().map_or_else(String::new, |name| format!(", first on {name}"));
    let words = in_one_line(&line.reason);
    let reason = match (words.as_str(), line.ok) {
        ("", _) => String::new(),
        (reason, true) => format!(" ({reason})"),
        (reason, false) => format!("\n        not as the package says: {reason}"),
    };
    format!("  {mark}  {verdict:4}  {}{score}{time}{near}{place}{reason}", line.submission)
}

/// A validator's message may be many lines.
fn in_one_line(reason: &str) -> String {
    const CHARS: usize = 200;
    let joined = reason.split('\n').map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" / ");
    match joined.char_indices().nth(CHARS) {
        Some((at, _)) => format!("{}…", &joined[..at]),
        None => joined,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_many_lines_is_one_line() {
        assert_eq!(in_one_line("a\n\n b\n"), "a / b");
        assert_eq!(in_one_line(&"é".repeat(300)).chars().count(), 201);
    }

    #[test]
    fn a_line_has_the_promised_keys_in_their_order() {
        let line = Line {
            package: None,
            submission: "accepted/a.cpp".to_owned(),
            language: Some("cpp20".to_owned()),
            expected: vec!["AC".to_owned()],
            verdict: Some("WA".to_owned()),
            first_failing: Some("secret/2".to_owned()),
            max_cpu_ms: Some(12),
            max_wall_ms: Some(15),
            peak_memory_bytes: Some(1 << 20),
            score: None,
            near_limit: false,
            ok: false,
            reason: "WA on secret/2, permitted: AC".to_owned(),
        };
        let json = serde_json::to_string(&line).expect("a line is text and numbers");
        assert_eq!(
            json,
            r#"{"submission":"accepted/a.cpp","language":"cpp20","expected":["AC"],"verdict":"WA","first_failing":"secret/2","max_cpu_ms":12,"max_wall_ms":15,"peak_memory_bytes":1048576,"score":null,"near_limit":false,"ok":false,"reason":"WA on secret/2, permitted: AC"}"#
        );
        assert_eq!(
            readable(&line),
            "  FAIL  WA    accepted/a.cpp  0.012 s, first on secret/2\n        \
             not as the package says: WA on secret/2, permitted: AC"
        );
    }
}
