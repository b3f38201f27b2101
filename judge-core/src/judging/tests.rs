//! The whole way on a scripted sandbox: order, stopping, faults, cancellation, cache.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use agon_contract::problem::TimeLimitSource;
use agon_contract::verdict::Verdict;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::domain::comparison::DefaultValidatorArgs;
use crate::domain::limits::EffectiveLimits;
use crate::domain::rules::{CaseRules, JudgingRules};
use crate::sandbox::fake::{FakeInvocation, FakeRun, FakeSandbox};
use crate::sandbox::{CollectedFile, ImageRef, Outcome, SandboxError};

/// A problem of three cases whose answer is the input doubled: `1` → `2`, `2` → `4`, `3` → `6`.
struct Bench {
    folder: TempDir,
    sandbox: FakeSandbox,
    judging: Judging,
    problem: JudgeableProblem,
}

/// `run` answers the runs of the program; compiling always works and prints a warning.
fn bench(run: impl Fn(&FakeInvocation) -> Result<FakeRun, SandboxError> + Send + Sync + 'static) -> Bench {
    let folder = tempfile::tempdir().expect("a temp folder");
    let sandbox = FakeSandbox::new(move |invocation| match invocation.argv[0].as_str() {
        "/usr/bin/g++" => Ok(compiled()),
        _ => run(invocation),
    });
    let case = |number: u32| {
        let file = |name: String, text: String| {
            fs::write(folder.path().join(&name), text).expect("a file");
            folder.path().join(name)
        };
        JudgeCase {
            name: format!("secret/{number}"),
            is_sample: number == 1,
            input: file(format!("{number}.in"), format!("{number}\n")),
            expected: Expected::Answer(file(format!("{number}.ans"), format!("{}\n", number * 2))),
            validator: None,
            rules: CaseRules::default(),
        }
    };
    let problem = JudgeableProblem {
        limits: EffectiveLimits {
            time_limit_ms: 1000,
            time_limit_source: TimeLimitSource::Package,
            memory_bytes: 256 << 20,
            output_bytes: 1 << 20,
            code_bytes: 1 << 16,
        },
        validator: DefaultValidatorArgs::default(),
        rules: JudgingRules::default(),
        contents: BTreeMap::new(),
        cases: (1..=3).map(case).collect(),
    };
    let image = ImageRef { reference: "agon-sandbox:test".into(), id: Some("sha256:1".into()) };
    let cache = CompileCache::new(folder.path().join("cache"), 1 << 20);
    let judging = Judging::new(Arc::new(sandbox.clone()), image, cache);
    Bench { folder, sandbox, judging, problem }
}

fn compiled() -> FakeRun {
    let program =
        CollectedFile { relative_path: PathBuf::from("/tmp/program"), bytes: b"ELF".to_vec(), executable: true };
    FakeRun { files: vec![program], stderr: b"warning: \xff\n".to_vec(), ..FakeRun::prints("") }
}

fn program(text: &str) -> Program {
    let language = Arc::clone(language_by_id(&"cpp20".into()).expect("in the table"));
    Program { language, files: vec![ProgramFile { name: "main.cpp".into(), bytes: text.as_bytes().to_vec() }] }
}

fn doubles(invocation: &FakeInvocation) -> FakeRun {
    let number: u32 = String::from_utf8_lossy(&invocation.stdin).trim().parse().expect("a number");
    FakeRun::prints(format!("{}\n", number * 2))
}

impl Bench {
    async fn judge(&self, mode: JudgeMode) -> Result<Judged, JudgeError> {
        self.judging.judge(&program("int main() {}"), &self.problem, mode, &NoProgress, &CancellationToken::new()).await
    }

    /// Nothing is left open.
    fn close(self) {
        assert_eq!(self.sandbox.boxes_alive(), 0, "every box is gone");
        self.folder.close().expect("the temp folder is removed");
    }
}

#[tokio::test]
async fn a_right_program_is_accepted_in_one_box() {
    let bench = bench(|invocation| {
        assert_eq!(invocation.argv, ["/agon/work/program"]);
        assert_eq!(invocation.work_files[&PathBuf::from("program")], b"ELF");
        assert_eq!((invocation.limits.cpu_ms, invocation.limits.wall_ms), (1000, 3000));
        Ok(doubles(invocation))
    });
    let judged = bench.judge(JudgeMode::StopAtFirstFailure).await.expect("judged");
    assert_eq!((judged.verdict, judged.first_failing, judged.runs.len()), (Verdict::Accepted, None, 3));
    assert_eq!(judged.compile.text, b"warning: \xff\n", "the compiler's bytes are kept as they are");
    assert_eq!((judged.max_cpu_ms, judged.max_wall_ms, judged.peak_memory_bytes), (Some(1), Some(2), Some(1 << 20)));
    assert_eq!((judged.image_id.as_str(), judged.runs[2].ordinal), ("sha256:1", 3));
    assert_eq!(bench.sandbox.boxes_opened(), 2, "one to compile, one to run");
    bench.close();
}

#[tokio::test]
async fn the_first_failing_case_decides_and_the_mode_says_whether_to_go_on() {
    let script = |invocation: &FakeInvocation| {
        Ok(match invocation.stdin.as_slice() {
            b"1\n" => doubles(invocation),
            b"2\n" => FakeRun::prints("5\n"),
            _ => FakeRun::ends(Outcome::Signalled(11)),
        })
    };
    let bench = bench(script);
    for (mode, runs) in [(JudgeMode::StopAtFirstFailure, 2), (JudgeMode::RunAll, 3)] {
        let judged = bench.judge(mode).await.expect("judged");
        assert_eq!((judged.verdict, judged.runs.len()), (Verdict::WrongAnswer, runs));
        assert_eq!(judged.first_failing.as_deref(), Some("secret/2"));
        assert_eq!(judged.reason, "token 1 (line 1, byte 1): expected `4`, found `5`");
        assert_eq!(judged.runs[1].output_head, b"5\n");
    }
    let all = bench.judge(JudgeMode::RunAll).await.expect("judged");
    assert_eq!((all.runs[2].verdict.clone(), all.runs[2].outcome.as_str()), (Verdict::RunTimeError, "signal SIGSEGV"));
    bench.close();
}

#[tokio::test]
async fn a_case_may_be_compared_in_its_own_way() {
    let mut bench = bench(|invocation| Ok(FakeRun::prints(format!(" {}", invocation.stdin.len() * 2))));
    bench.problem.cases.truncate(1);
    fs::write(bench.folder.path().join("1.ans"), "4\n").expect("a file");
    assert_eq!(bench.judge(JudgeMode::RunAll).await.expect("judged").verdict, Verdict::Accepted);
    bench.problem.cases[0].validator =
        Some(DefaultValidatorArgs { space_change_sensitive: true, ..Default::default() });
    assert_eq!(bench.judge(JudgeMode::RunAll).await.expect("judged").verdict, Verdict::WrongAnswer);
    bench.problem.cases[0].expected = Expected::Anything;
    assert_eq!(bench.judge(JudgeMode::RunAll).await.expect("judged").verdict, Verdict::Accepted);
    bench.close();
}

#[tokio::test]
async fn stdout_and_stderr_share_the_output_limit() {
    let bench = bench(|_| Ok(FakeRun { stderr: vec![b'e'; 600_000], ..FakeRun::prints(vec![b'o'; 600_000]) }));
    let judged = bench.judge(JudgeMode::StopAtFirstFailure).await.expect("judged");
    assert_eq!((judged.verdict, judged.runs[0].outcome.as_str()), (Verdict::OutputLimit, "output limit"));
    bench.close();
}

#[tokio::test]
async fn a_program_is_compiled_once() {
    let bench = bench(|invocation| Ok(doubles(invocation)));
    let first = bench.judge(JudgeMode::RunAll).await.expect("judged");
    let second = bench.judge(JudgeMode::RunAll).await.expect("judged");
    assert!(!first.compile.from_cache && second.compile.from_cache);
    assert_eq!(second.compile.text, first.compile.text);
    assert_eq!(bench.sandbox.boxes_opened(), 3, "the second judging opens no compile box");
    let other = program("int main() { return 0; }");
    let cancel = CancellationToken::new();
    let judged = bench.judging.judge(&other, &bench.problem, JudgeMode::RunAll, &NoProgress, &cancel).await;
    assert!(!judged.expect("judged").compile.from_cache);
    bench.close();
}

#[tokio::test]
async fn a_failing_compiler_is_a_compile_error_with_its_reason() {
    for (outcome, reason) in [
        (Outcome::Exited(1), ""),
        (Outcome::CpuLimit, "compile time limit"),
        (Outcome::WallLimit, "compile time limit"),
        (Outcome::MemoryLimit, "compiler memory limit"),
        (Outcome::OutputLimit, "compiler output limit"),
        (Outcome::Signalled(11), "the compiler was ended by SIGSEGV"),
    ] {
        let bench = bench(|_| panic!("nothing is run"));
        let sandbox =
            FakeSandbox::new(move |_| Ok(FakeRun { stderr: b"error: no\n".to_vec(), ..FakeRun::ends(outcome) }));
        let image = ImageRef { reference: "r".into(), id: None };
        let cache = CompileCache::new(bench.folder.path().join("other"), 1 << 20);
        let judging = Judging::new(Arc::new(sandbox), image, cache);
        let judged = judging
            .judge(&program("x"), &bench.problem, JudgeMode::RunAll, &NoProgress, &CancellationToken::new())
            .await
            .expect("judged");
        assert_eq!((judged.verdict, judged.reason.as_str()), (Verdict::CompileError, reason));
        assert_eq!((judged.compile.text.as_slice(), judged.runs.len()), (&b"error: no\n"[..], 0));
    }
}

#[tokio::test]
async fn a_disturbed_run_is_repeated_before_it_counts() {
    let seen = AtomicUsize::new(0);
    let bench = bench(move |invocation| {
        let is_first = invocation.stdin == b"2\n" && seen.fetch_add(1, Ordering::SeqCst) == 0;
        Ok(if is_first {
            FakeRun { disturbed: true, ..FakeRun::ends(Outcome::WallLimit) }
        } else {
            doubles(invocation)
        })
    });
    let judged = bench.judge(JudgeMode::StopAtFirstFailure).await.expect("judged");
    assert_eq!(judged.verdict, Verdict::Accepted);
    assert_eq!(judged.runs.iter().map(|run| run.is_disturbed).collect::<Vec<_>>(), [false, true, false]);
    bench.close();
}

#[tokio::test]
async fn a_machine_that_stands_still_blames_nobody_and_a_busy_program_cannot_hide_behind_it() {
    let disturbed = |outcome| move |_: &FakeInvocation| Ok(FakeRun { disturbed: true, ..FakeRun::ends(outcome) });
    let idle = bench(disturbed(Outcome::WallLimit));
    let error = idle.judge(JudgeMode::StopAtFirstFailure).await.expect_err("not judged");
    assert!(matches!(error, JudgeError::MachineBusy { .. }), "{error}");
    assert!(matches!(error.disposition(), Disposition::Retry { .. }));
    assert_eq!(idle.sandbox.runs(), 1 + 5, "the compiler, and the run five times");
    idle.close();
    for (outcome, verdict) in [
        (Outcome::CpuLimit, Verdict::TimeLimit),
        (Outcome::Exited(1), Verdict::RunTimeError),
        (Outcome::MemoryLimit, Verdict::MemoryLimit),
    ] {
        let bench = bench(disturbed(outcome));
        let judged = bench.judge(JudgeMode::StopAtFirstFailure).await.expect("judged");
        assert_eq!((judged.verdict, bench.sandbox.runs()), (verdict, 1 + 2), "{outcome:?}");
        bench.close();
    }
}

fn died() -> SandboxError {
    SandboxError::BoxDied { box_id: "b".into(), detail: "exit 137".into() }
}

#[tokio::test]
async fn one_death_is_forgiven_and_two_are_asked_about() {
    let deaths = AtomicUsize::new(0);
    let once = bench(
        move |invocation| {
            if deaths.fetch_add(1, Ordering::SeqCst) == 0 { Err(died()) } else { Ok(doubles(invocation)) }
        },
    );
    assert_eq!(once.judge(JudgeMode::StopAtFirstFailure).await.expect("judged").verdict, Verdict::Accepted);
    once.close();

    let always = bench(|invocation| match invocation.argv[0].as_str() {
        "/bin/true" => Ok(FakeRun::prints("")),
        _ => Err(died()),
    });
    let error = always.judge(JudgeMode::StopAtFirstFailure).await.expect_err("not judged");
    assert_eq!(error.disposition(), Disposition::AskStaff, "{error}");
    always.close();

    let engine_too = bench(|invocation| match invocation.argv[0].as_str() {
        "/bin/true" => Err(SandboxError::EngineTimeout { operation: "start", timeout_ms: 1 }),
        _ => Err(died()),
    });
    let error = engine_too.judge(JudgeMode::StopAtFirstFailure).await.expect_err("not judged");
    assert!(matches!(error.disposition(), Disposition::BackendAway { .. }), "{error}");
    engine_too.close();
}

#[tokio::test]
async fn an_absent_engine_is_nobodys_verdict() {
    let bench = bench(|invocation| Ok(doubles(invocation)));
    bench.sandbox.set_away(Some("stopped"));
    let error = bench.judge(JudgeMode::StopAtFirstFailure).await.expect_err("not judged");
    assert!(matches!(error.disposition(), Disposition::BackendAway { .. }), "{error}");
    bench.sandbox.set_away(None);
    assert_eq!(bench.judge(JudgeMode::StopAtFirstFailure).await.expect("judged").verdict, Verdict::Accepted);
    bench.close();
}

#[tokio::test]
async fn what_does_not_start_is_forgotten_and_tried_again() {
    let bench = bench(|_| Ok(FakeRun::ends(Outcome::LaunchFailed(8))));
    for _ in 0..2 {
        let error = bench.judge(JudgeMode::StopAtFirstFailure).await.expect_err("not judged");
        assert!(matches!(error, JudgeError::Launch { errno: 8, .. }), "{error}");
    }
    assert_eq!(bench.sandbox.boxes_opened(), 4, "the second attempt compiled again");
    bench.close();
}

#[tokio::test]
async fn a_busy_program_file_is_waited_for() {
    let busy = AtomicUsize::new(0);
    let bench = bench(move |invocation| match busy.fetch_add(1, Ordering::SeqCst) {
        0..3 => Ok(FakeRun::ends(Outcome::LaunchFailed(26))),
        _ => Ok(doubles(invocation)),
    });
    assert_eq!(bench.judge(JudgeMode::RunAll).await.expect("judged").verdict, Verdict::Accepted);
    assert_eq!(bench.sandbox.boxes_opened(), 2, "in the same box");
    bench.close();
}

#[tokio::test]
async fn faults_of_the_package_are_judge_errors_and_lost_data_is_ours() {
    let mut bench = bench(|invocation| Ok(doubles(invocation)));
    fs::remove_file(bench.folder.path().join("2.ans")).expect("there");
    let error = bench.judge(JudgeMode::RunAll).await.expect_err("not judged");
    assert!(matches!(&error, JudgeError::ReadCase { case_name, .. } if case_name == "secret/2"), "{error}");
    assert_eq!(error.disposition(), Disposition::AskStaff);

    bench.problem.limits.memory_bytes = 1 << 16;
    let judged = bench.judge(JudgeMode::RunAll).await.expect("judged");
    assert_eq!(judged.verdict, Verdict::JudgeError);
    assert!(matches!(judged.fault, Some(PackageFault::MemoryBelowMinimum { .. })), "{:?}", judged.fault);
    bench.problem.cases.clear();
    let judged = bench.judge(JudgeMode::RunAll).await.expect("judged");
    assert_eq!(judged.fault, Some(PackageFault::NoTestCases), "no case is no success");
    bench.close();
}

#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Heard {
    fn say(&self, word: String) {
        self.0.lock().expect("nobody panics while holding it").push(word);
    }
}

impl JudgingProgress for Heard {
    fn compiling(&self) {
        self.say("compiling".into());
    }

    fn running(&self, runs_total: u32) {
        self.say(format!("running {runs_total}"));
    }

    fn run_finished(&self, run: &JudgedRun) {
        self.say(format!("{} {}", run.case_name, run.verdict));
    }
}

#[tokio::test]
async fn progress_is_told_in_order_and_a_cancellation_ends_it() {
    let bench = bench(|invocation| Ok(doubles(invocation)));
    let heard = Heard::default();
    let cancel = CancellationToken::new();
    let judged = bench.judging.judge(&program("x"), &bench.problem, JudgeMode::RunAll, &heard, &cancel).await;
    judged.expect("judged");
    let words = heard.0.into_inner().expect("nobody panicked");
    assert_eq!(words, ["compiling", "running 3", "secret/1 AC", "secret/2 AC", "secret/3 AC"]);

    cancel.cancel();
    let judged = bench.judging.judge(&program("x"), &bench.problem, JudgeMode::RunAll, &NoProgress, &cancel).await;
    assert!(matches!(judged, Err(JudgeError::Cancelled)));
    bench.close();
}
