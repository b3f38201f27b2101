//! The bounds of previews: how many may live, how long they are kept, and that terminal is final.

use std::sync::Arc;
use std::time::Duration;

use agon_contract::execution::{ExecutionState, PreviewCases};
use agon_contract::ids::{IdempotencyKey, LanguageId, PreviewId, UserId};
use agon_contract::problem::LimitsView;
use agon_contract::verdict::Verdict;
use tempfile::TempDir;

use crate::clock::ManualClock;
use crate::domain::facts::tests::facts;
use crate::execution::{Ended, Executions, KEPT_MS, LIVE_MAX, NewPreview, PreviewError};
use crate::ids::new_id;
use crate::judging::JudgedRun;
use crate::owner::SCHEMA;
use crate::store::Store;
use crate::store::authorizer::Owner;

struct Bench {
    executions: Executions,
    clock: ManualClock,
    _folder: TempDir,
}

fn bench() -> Bench {
    let folder = tempfile::tempdir().expect("a temp folder");
    let clock = ManualClock::starting_at(10_000_000);
    let store = Store::open(&folder.path().join("agon.db"), &folder.path().join("b"), Arc::new(clock.clone()), SCHEMA)
        .expect("it opens");
    let owner = store.owner(Owner::Submission).expect("it opens");
    Bench { executions: Executions::new(owner, "boot-1"), clock, _folder: folder }
}

fn preview(key: &str, cases: u32) -> NewPreview {
    NewPreview {
        id: PreviewId(new_id()),
        user_id: UserId::from("u"),
        idempotency_key: IdempotencyKey::from(key),
        fingerprint: "f".repeat(64),
        language_id: LanguageId::from("cpp20"),
        limits: LimitsView::from(&facts().problem.limits),
        facts: facts().problem,
        cases: PreviewCases::Samples,
        case_names: (0..cases).map(|number| format!("sample/{number}")).collect(),
        files: Vec::new(),
    }
}

fn completed(case_name: &str) -> Ended {
    let run = JudgedRun {
        ordinal: 1,
        case_name: case_name.to_owned(),
        is_sample: true,
        verdict: Verdict::Accepted,
        outcome: "exit 0".into(),
        cpu_ms: 1,
        wall_ms: 1,
        peak_memory_bytes: 1,
        output_bytes: 1,
        message: String::new(),
        output_head: Vec::new(),
        stderr_head: Vec::new(),
        is_disturbed: false,
        score: None,
        team_message: String::new(),
    };
    Ended {
        state: ExecutionState::Completed,
        reason: String::new(),
        compiler_text: String::new(),
        compile_failed: false,
        runs: vec![run.view(true)],
    }
}

#[tokio::test]
async fn the_live_bound_counts_cases_and_frees_them_when_they_end() {
    let bench = bench();
    let first = bench.executions.start(preview("a", LIVE_MAX - 1)).await.expect("there is room");
    bench.executions.start(preview("b", 1)).await.expect("there is room for one");
    let refused = bench.executions.start(preview("c", 1)).await.expect_err("full");
    assert!(matches!(refused, PreviewError::Full), "{refused}");
    assert!(bench.executions.cancel(&first.id).await.expect("asked"));
    bench.executions.start(preview("c", 1)).await.expect("there is room again");
    let empty = bench.executions.start(preview("d", 0)).await.expect_err("nothing to run on");
    assert!(matches!(empty, PreviewError::NoSamples), "{empty}");
}

#[tokio::test]
async fn terminal_is_final_and_forgotten_after_its_time() {
    let bench = bench();
    let started = bench.executions.start(preview("a", 1)).await.expect("queued");
    let begun = bench.executions.begin().await.expect("asked").expect("it waits");
    assert_eq!(begun.id, started.id);
    assert!(bench.executions.begin().await.expect("asked").is_none(), "taken once");
    assert!(bench.executions.end(&begun.id, completed("sample/0")).await.expect("asked"));
    assert!(!bench.executions.end(&begun.id, completed("sample/0")).await.expect("asked"), "twice");
    assert!(!bench.executions.cancel(&begun.id).await.expect("asked"), "too late");
    let user = UserId::from("u");
    let view = bench.executions.view(&user, &begun.id).await.expect("readable").expect("kept");
    assert_eq!((view.state, view.runs.len()), (ExecutionState::Completed, 1));

    bench.clock.advance(Duration::from_millis(KEPT_MS.unsigned_abs()));
    bench.executions.start(preview("b", 1)).await.expect("queued");
    assert!(bench.executions.view(&user, &begun.id).await.expect("readable").is_some(), "its time is not over");
    bench.clock.advance(Duration::from_millis(1));
    bench.executions.start(preview("c", 1)).await.expect("queued");
    assert!(bench.executions.view(&user, &begun.id).await.expect("readable").is_none(), "forgotten");
}

#[tokio::test]
async fn a_cancelled_preview_keeps_no_late_result() {
    let bench = bench();
    bench.executions.start(preview("a", 1)).await.expect("queued");
    let begun = bench.executions.begin().await.expect("asked").expect("it waits");
    assert!(bench.executions.cancel(&begun.id).await.expect("asked"));
    assert!(!bench.executions.end(&begun.id, completed("sample/0")).await.expect("asked"));
    let view = bench.executions.view(&UserId::from("u"), &begun.id).await.expect("readable").expect("kept");
    assert_eq!((view.state, view.runs.len()), (ExecutionState::Cancelled, 0));
}
