//! Derives a missing time limit by running the example submissions that bound it.

use std::io;

use agon_contract::problem::TimeLimitSource;
use agon_contract::verdict::Verdict;
use tokio_util::sync::CancellationToken;

use super::error::JudgeError;
use super::judge::Judging;
use super::model::{JudgeMode, JudgeableProblem, Judged, JudgedRun, NoProgress, Program};
use crate::domain::glob;
use crate::package::{CheckedPackage, PackageSubmission};

/// No submission that has to pass takes longer; past it the package has to state its limit.
const MEASURING_LIMIT_MS: u64 = 60_000;

/// A time limit that follows from this machine's runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DerivedTimeLimit {
    pub time_limit_ms: u64,
    /// The submission that takes longest of those that must pass, and its CPU time.
    pub slowest: (String, u64),
    /// Submissions that must be too slow and are not slow enough under this limit: the setter's to look at.
    pub too_fast: Vec<String>,
    /// Submissions that no compiler here takes (another dialect, a missing library), so that they measured nothing.
    pub not_compiled: Vec<String>,
}

/// Why none can be derived.
#[derive(Debug, thiserror::Error)]
pub enum DeriveError {
    #[error("no submission bounds the time limit from below")]
    NothingToMeasure,
    #[error("{path} must pass in time but ended in {verdict} on {case_name}: {reason}")]
    Fails { path: String, verdict: Verdict, case_name: String, reason: String },
    #[error("{path} cannot be read")]
    ReadSubmission {
        path: String,
        #[source]
        source: io::Error,
    },
    #[error(transparent)]
    Judge(#[from] JudgeError),
}

/// Runs every submission that bounds the limit from below, then checks those that bound it from above.
///
/// # Errors
/// See [`DeriveError`]; a [`JudgeError`] keeps its disposition.
pub async fn derive_time_limit(
    judging: &Judging,
    package: &CheckedPackage,
    cancel: &CancellationToken,
) -> Result<DerivedTimeLimit, DeriveError> {
    let rule = package.limits.time_limit_rule;
    let (mut slowest, mut not_compiled): (Option<(String, u64)>, Vec<String>) = (None, Vec::new());
    for submission in &package.submissions {
        let scopes = &submission.time_limit_use.bounds_from_below;
        let judged =
            measure(judging, package, submission, scopes, (MEASURING_LIMIT_MS, JudgeMode::RunAll), cancel).await?;
        let Some(judged) = judged else { continue };
        if judged.verdict == Verdict::CompileError {
            not_compiled.push(submission.path.clone());
            continue;
        }
        let cpu_ms = time_of(submission, &judged)?;
        if slowest.as_ref().is_none_or(|(_, known)| *known < cpu_ms) {
            slowest = Some((submission.path.clone(), cpu_ms));
        }
    }
    let slowest = slowest.ok_or(DeriveError::NothingToMeasure)?;
    let time_limit_ms = rule.limit_ms(slowest.1);
    let mut too_fast = Vec::new();
    for submission in &package.submissions {
        let scopes = &submission.time_limit_use.bounds_from_above;
        let too_slow_ms = rule.too_slow_ms(time_limit_ms);
        // One case that takes too long is enough; all of them would take minutes.
        let first = JudgeMode::StopAtFirstFailure;
        let mut judged = measure(judging, package, submission, scopes, (too_slow_ms, first), cancel).await?;
        if judged.as_ref().is_some_and(|judged| !judged.verdict.is_accepted() && !is_too_slow(judged)) {
            let all = (too_slow_ms, JudgeMode::RunAll);
            judged = measure(judging, package, submission, scopes, all, cancel).await?;
        }
        if judged.is_some_and(|judged| !is_too_slow(&judged)) {
            too_fast.push(submission.path.clone());
        }
    }
    tracing::info!(problem = %package.slug, time_limit_ms, slowest = %slowest.0, "a time limit was derived");
    Ok(DerivedTimeLimit { time_limit_ms, slowest, too_fast, not_compiled })
}

fn is_too_slow(judged: &Judged) -> bool {
    judged.runs.iter().any(|run| run.verdict == Verdict::TimeLimit)
}

/// The cases that a scope covers, under one limit; `None` when there is none or no language takes the submission.
async fn measure(
    judging: &Judging,
    package: &CheckedPackage,
    submission: &PackageSubmission,
    scopes: &[String],
    (limit_ms, mode): (u64, JudgeMode),
    cancel: &CancellationToken,
) -> Result<Option<Judged>, DeriveError> {
    let covered = |name: &str| scopes.iter().any(|scope| glob::covers(scope, name));
    if !package.cases.iter().any(|case| covered(&case.name)) {
        return Ok(None);
    }
    let program = Program::of_package(submission)
        .map_err(|source| DeriveError::ReadSubmission { path: submission.path.clone(), source })?;
    let Some(program) = program else { return Ok(None) };
    let limits = package.limits.effective(limit_ms, TimeLimitSource::Derived);
    let mut problem = JudgeableProblem::of_package(package, limits);
    problem.cases.retain(|case| covered(&case.name));
    Ok(Some(judging.judge(&program, &problem, mode, &NoProgress, cancel).await?))
}

/// The slowest run of a submission that has to end in time; one that runs out of it, or is to be accepted and is not,
/// measures nothing. Whatever else it ends in is for `agon verify` to judge.
fn time_of(submission: &PackageSubmission, judged: &Judged) -> Result<u64, DeriveError> {
    let fails = |case_name: &str, verdict: &Verdict, reason: &str| DeriveError::Fails {
        path: submission.path.clone(),
        verdict: verdict.clone(),
        case_name: case_name.to_owned(),
        reason: reason.to_owned(),
    };
    if let Some(run) = judged.runs.iter().find(|run| run.verdict == Verdict::TimeLimit) {
        return Err(fails(&run.case_name, &run.verdict, &run.message));
    }
    let must_be_accepted = submission.expected.final_verdicts() == [Verdict::Accepted];
    // A run that was rejected before its end says nothing about how long it would have taken.
    let has_ended = |run: &&JudgedRun| run.verdict != Verdict::WrongAnswer || run.outcome.starts_with("exit");
    let measured = judged.runs.iter().filter(has_ended).map(|run| run.cpu_ms).max();
    match measured.or(judged.max_cpu_ms) {
        Some(cpu_ms) if judged.verdict.is_accepted() || !must_be_accepted => Ok(cpu_ms),
        Some(_) | None => {
            let case_name = judged.first_failing.as_deref().unwrap_or("compiling");
            Err(fails(case_name, &judged.verdict, &judged.reason))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::Arc;

    use tempfile::TempDir;

    use super::*;
    use crate::judging::CompileCache;
    use crate::sandbox::fake::{FakeRun, FakeSandbox};
    use crate::sandbox::{CollectedFile, ImageRef, Outcome};

    /// A package whose submissions say in their text how many milliseconds they take and what they print.
    fn package(version: &str, submissions: &[(&str, &str)]) -> (TempDir, CheckedPackage) {
        let folder = tempfile::tempdir().expect("a temp folder");
        let metadata = format!("problem_format_version: {version}\nname: Sum\nuuid: u\n");
        let mut files = vec![("problem.yaml", metadata.as_str())];
        files.extend([("data/secret/1.in", "1\n"), ("data/secret/1.ans", "3\n")]);
        let named: Vec<(String, &str)> =
            submissions.iter().map(|(name, text)| (format!("submissions/{name}"), *text)).collect();
        files.extend(named.iter().map(|(name, text)| (name.as_str(), *text)));
        for (name, text) in files {
            let path = folder.path().join("p").join(name);
            fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        let staging = folder.path().join("staging");
        fs::create_dir(&staging).expect("a folder");
        let inspection = crate::package::read(&folder.path().join("p"), &staging).expect("readable");
        let package = inspection.package.unwrap_or_else(|| panic!("{:?}", inspection.findings));
        (folder, package)
    }

    async fn derive(version: &str, submissions: &[(&str, &str)]) -> Result<DerivedTimeLimit, DeriveError> {
        let (folder, package) = package(version, submissions);
        let sandbox = FakeSandbox::new(|invocation| {
            if invocation.argv[0] == "/usr/bin/g++" {
                let bytes = invocation.work_files.values().next().expect("a source").clone();
                if bytes == b"broken" {
                    return Ok(FakeRun::ends(Outcome::Exited(1)));
                }
                let program = CollectedFile { relative_path: PathBuf::from("/tmp/program"), bytes, executable: true };
                return Ok(FakeRun { files: vec![program], ..FakeRun::prints("") });
            }
            let text = String::from_utf8_lossy(&invocation.work_files[&PathBuf::from("program")]).into_owned();
            let (cpu_ms, output) = text.trim().split_once(' ').expect("time and output");
            let cpu_ms: u64 = cpu_ms.parse().expect("a time");
            let ends = if cpu_ms > invocation.limits.cpu_ms { Outcome::CpuLimit } else { Outcome::Exited(0) };
            Ok(FakeRun { cpu_us: cpu_ms * 1000, outcome: ends, ..FakeRun::prints(output) })
        });
        let image = ImageRef { reference: "r".into(), id: None };
        let cache = CompileCache::new(folder.path().join("cache"), 1 << 20);
        let judging = Judging::new(Arc::new(sandbox.clone()), image, cache);
        let derived = derive_time_limit(&judging, &package, &CancellationToken::new()).await;
        assert_eq!(sandbox.boxes_alive(), 0);
        derived
    }

    #[tokio::test]
    async fn the_slowest_that_must_pass_sets_the_limit() {
        let derived = derive(
            "legacy",
            &[("accepted/a.cpp", "250 3"), ("accepted/b.cpp", "410 3"), ("wrong_answer/c.cpp", "9000 4")],
        );
        let derived = derived.await.expect("derived");
        assert_eq!(derived.time_limit_ms, 3000, "410 ms × 5, rounded up");
        assert_eq!(derived.slowest, ("accepted/b.cpp".to_owned(), 410));

        let derived =
            derive("2025-09", &[("accepted/a.cpp", "250 3"), ("wrong_answer/c.cpp", "900 4")]).await.expect("derived");
        assert_eq!(derived.time_limit_ms, 2000, "a wrong answer must not be too slow either: 900 ms × 2");
    }

    #[tokio::test]
    async fn what_must_be_too_slow_is_checked_with_its_margin() {
        let slow = ("time_limit_exceeded/s.cpp", "1600 3");
        let quick = ("time_limit_exceeded/q.cpp", "1400 3");
        let derived = derive("2025-09", &[("accepted/a.cpp", "100 3"), slow, quick]).await.expect("derived");
        assert_eq!((derived.time_limit_ms, derived.too_fast), (1000, vec!["time_limit_exceeded/q.cpp".to_owned()]));
    }

    #[tokio::test]
    async fn what_does_not_compile_here_measures_nothing_and_is_named() {
        let derived =
            derive("legacy", &[("accepted/a.cpp", "250 3"), ("accepted/b.cpp", "broken")]).await.expect("derived");
        assert_eq!((derived.time_limit_ms, derived.not_compiled), (2000, vec!["accepted/b.cpp".to_owned()]));
        let none = derive("legacy", &[("accepted/b.cpp", "broken")]).await.expect_err("nothing is left to measure");
        assert!(matches!(none, DeriveError::NothingToMeasure));
    }

    #[tokio::test]
    async fn a_rule_about_some_cases_is_measured_on_those() {
        let slow = ("time_limit_exceeded/s.cpp", "5000 3");
        let fits = |scope: &str| format!("time_limit_exceeded/*:\n  {scope}:\n    permitted: [AC]\n");
        let elsewhere = fits("sample");
        let files = [("accepted/a.cpp", "100 3"), slow, ("submissions.yaml", elsewhere.as_str())];
        let derived = derive("2025-09", &files).await.expect("derived");
        assert_eq!(
            derived.slowest,
            ("accepted/a.cpp".to_owned(), 100),
            "it must fit on samples only, and there is none"
        );
        assert_eq!(derived.too_fast, Vec::<String>::new());

        let here = fits("secret/1");
        let files = [("accepted/a.cpp", "100 3"), slow, ("submissions.yaml", here.as_str())];
        let derived = derive("2025-09", &files).await.expect("derived");
        assert_eq!(derived.slowest, ("time_limit_exceeded/s.cpp".to_owned(), 5000));
        assert_eq!(derived.too_fast, ["time_limit_exceeded/s.cpp"], "the package contradicts itself");
    }

    #[tokio::test]
    async fn a_model_solution_that_fails_derives_nothing() {
        let wrong = derive("legacy", &[("accepted/a.cpp", "100 4")]).await.expect_err("a wrong model");
        assert!(matches!(&wrong, DeriveError::Fails { verdict: Verdict::WrongAnswer, .. }), "{wrong}");
        let endless = derive("legacy", &[("accepted/a.cpp", "70000 3")]).await.expect_err("too slow for any limit");
        assert!(matches!(&endless, DeriveError::Fails { verdict: Verdict::TimeLimit, .. }), "{endless}");
        let unknown = derive("legacy", &[("accepted/a.hs", "x")]).await.expect_err("no language takes it");
        assert!(matches!(unknown, DeriveError::NothingToMeasure));
    }
}
