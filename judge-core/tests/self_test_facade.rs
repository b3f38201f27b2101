//! The self-test as a command: staff only, on the folder and the sandbox that judging uses, and it disturbs no submission.

mod judge_support;

use agon_contract::ErrorCode;
use agon_contract::command::{GetSelfTestProgress, RunSelfTest};
use agon_contract::sandbox::SandboxHealth;
use agon_contract::settings::Role;
use agon_contract::verdict::Verdict;
use judge_core::Actor;
use judge_core::sandbox::fake::{FakeRun, FakeSandbox};
use judge_support::{Bench, RIGHT, obey};

#[tokio::test(flavor = "multi_thread")]
async fn staff_get_a_report_of_the_sandbox_and_folder_that_judge() {
    let bench = Bench::open().await;
    bench.sandbox.set_away(Some("no socket"));
    let report = bench.judge.self_test(&bench.actor, RunSelfTest {}).await.expect("a report");
    assert!(!report.passed);
    assert_eq!(report.sandbox.health, SandboxHealth::EngineAway);
    assert!(report.items[0].detail.contains("no socket"), "{:?}", report.items[0]);
    let disk = report.items.iter().find(|item| item.name == "disk").expect("the disk is looked at");
    let data = bench.folder.path().join("data").display().to_string();
    assert!(disk.detail.ends_with(&data), "{disk:?} is about {data}");
    let contestant = Actor { roles: vec![Role::Contestant], ..bench.actor.clone() };
    let refused = bench.judge.self_test(&contestant, RunSelfTest {}).await.expect_err("refused");
    assert_eq!(refused.code, ErrorCode::Forbidden);
    bench.sandbox.set_away(None);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_submission_beside_a_self_test_is_judged_as_ever() {
    // Probes bring no files; on them this sandbox says anything.
    let sandbox =
        FakeSandbox::new(|run| if run.work_files.is_empty() { Ok(FakeRun::prints("0\n")) } else { obey(run) });
    let bench = Bench::with(sandbox, None).await;
    let problem = bench.import().await;
    // On this sandbox most trials fail, boxes open and close, and nothing of it may reach the submission.
    let tested = bench.judge.self_test(&bench.actor, RunSelfTest {});
    let judged = async {
        let receipt = bench.submit(&problem, RIGHT).await;
        bench.verdict(&receipt.submission_id).await
    };
    let (report, detail) = tokio::join!(tested, judged);
    let report = report.expect("a report");
    let seen = bench.judge.self_test_progress(&bench.actor, GetSelfTestProgress {}).await.expect("progress");
    assert_eq!((seen.is_running, seen.done, seen.total), (false, seen.total, report.items.len() as u32), "{seen:?}");
    assert_eq!(seen.failed as usize, report.items.iter().filter(|item| !item.passed).count());
    assert!(report.items.iter().any(|item| item.name == "box" && item.passed));
    assert_eq!(detail.summary.verdict, Some(Verdict::Accepted));
    bench.close().await;
}
