//! Runs outside of submissions: samples and one's own input, with receipts.

mod judge_support;

use agon_contract::ErrorCode;
use agon_contract::command::{CancelPreview, GetPreview, PollExecution, RunPreview, StartPreview};
use agon_contract::execution::{ExecutionJob, ExecutionState, PreviewCases, PreviewView, Visibility};
use agon_contract::ids::{IdempotencyKey, LanguageId, PreviewId, ProblemId};
use agon_contract::settings::Role;
use agon_contract::submission::SourceFile;
use agon_contract::verdict::Verdict;
use judge_core::Actor;
use judge_support::{BROKEN, Bench, PATIENCE, RIGHT, SAMPLE_ONLY, WRONG, obedient};

fn request(key: &str, problem: &ProblemId, text: &str, cases: PreviewCases) -> StartPreview {
    StartPreview {
        idempotency_key: IdempotencyKey::from(key),
        problem_id: problem.clone(),
        language_id: LanguageId::from("cpp20"),
        files: vec![SourceFile { name: "main.cpp".into(), text: text.into() }],
        cases,
    }
}

async fn ended(bench: &Bench, id: &PreviewId) -> PreviewView {
    let looking = async {
        let mut seen = agon_contract::command::WaitEvents { after_seq: -1, progress_counter: 0, wait_ms: 5_000 };
        loop {
            let batch = bench.judge.wait_events(&bench.actor, seen.clone()).await.expect("events");
            seen.after_seq = batch.last_seq;
            seen.progress_counter = batch.progress_counter;
            let request = GetPreview { preview_id: id.clone() };
            let view = bench.judge.get_preview(&bench.actor, request).await.expect("it exists");
            if view.state.is_terminal() {
                return view;
            }
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.expect("the preview ends")
}

#[tokio::test(flavor = "multi_thread")]
async fn samples_and_ones_own_input_run_and_are_answered() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let custom = || PreviewCases::Custom { input: "20 22\n".into() };
    let rows = [
        (RIGHT, PreviewCases::Samples, Verdict::Accepted, "3\n"),
        (WRONG, PreviewCases::Samples, Verdict::WrongAnswer, "0\n"),
        (RIGHT, custom(), Verdict::Accepted, "42\n"),
        (SAMPLE_ONLY, custom(), Verdict::Accepted, "0\n"),
    ];
    for (number, (text, cases, verdict, output)) in rows.into_iter().enumerate() {
        let key = format!("k{number}");
        let started = bench.judge.start_preview(&bench.actor, request(&key, &problem, text, cases)).await;
        let view = ended(&bench, &started.expect("started").id).await;
        assert_eq!(view.state, ExecutionState::Completed, "{text}: {}", view.reason);
        assert_eq!((view.cases_total, view.runs.len()), (1, 1), "{text}");
        assert_eq!((view.runs[0].verdict.clone(), view.runs[0].output_head.as_str()), (verdict, output), "{text}");
    }
    let started = bench.judge.start_preview(&bench.actor, request("b", &problem, BROKEN, PreviewCases::Samples)).await;
    let view = ended(&bench, &started.expect("started").id).await;
    assert!(view.compile_failed && view.runs.is_empty());
    assert_eq!(view.compiler_text, "main.cpp:1: error: broken\n");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_means_one_preview_and_only_its_owner_sees_it() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let start = |text| bench.judge.start_preview(&bench.actor, request("k", &problem, text, PreviewCases::Samples));
    let first = start(RIGHT).await.expect("started");
    assert_eq!(start(RIGHT).await.expect("the same").id, first.id);
    assert_eq!(start(WRONG).await.expect_err("another payload").code, ErrorCode::Conflict);
    let stranger = judge_core::Actor { user_id: "somebody".into(), roles: Vec::new() };
    let hidden = bench.judge.get_preview(&stranger, GetPreview { preview_id: first.id.clone() }).await;
    assert_eq!(hidden.expect_err("not theirs").code, ErrorCode::NotFound);
    let done = ended(&bench, &first.id).await;
    let cancelled = bench.judge.cancel_preview(&bench.actor, CancelPreview { preview_id: first.id.clone() }).await;
    assert_eq!(cancelled.expect("asked"), done, "terminal is final");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queued_preview_can_be_cancelled_and_stays_so() {
    let sandbox = obedient();
    let bench = Bench::with(sandbox, None).await;
    let problem = bench.import().await;
    // The preview slot is kept busy by many; the last of them is cancelled while it waits or runs.
    let mut ids = Vec::new();
    for number in 0..20 {
        let key = format!("k{number}");
        let started = bench.judge.start_preview(&bench.actor, request(&key, &problem, RIGHT, PreviewCases::Samples));
        ids.push(started.await.expect("started").id);
    }
    let last = ids.pop().expect("there are twenty");
    let view = bench.judge.cancel_preview(&bench.actor, CancelPreview { preview_id: last.clone() }).await;
    let view = view.expect("asked");
    assert!(view.state.is_terminal());
    for id in &ids {
        assert_eq!(ended(&bench, id).await.state, ExecutionState::Completed);
    }
    assert_eq!(ended(&bench, &last).await.state, view.state);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_long_an_input_and_an_unknown_problem_are_refused() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let long = PreviewCases::Custom { input: "x".repeat(1024 * 1024 + 1) };
    let refused = bench.judge.start_preview(&bench.actor, request("k", &problem, RIGHT, long)).await;
    assert_eq!(refused.expect_err("too long").code, ErrorCode::BadRequest);
    let nowhere = request("k", &ProblemId::from("none"), RIGHT, PreviewCases::Samples);
    assert_eq!(bench.judge.start_preview(&bench.actor, nowhere).await.expect_err("unknown").code, ErrorCode::NotFound);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_that_is_waited_for_answers_with_its_end_and_both_kinds_of_job_have_receipts() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let preview = || StartPreview {
        idempotency_key: IdempotencyKey::from("waited for"),
        problem_id: problem.clone(),
        language_id: LanguageId::from("cpp20"),
        files: vec![SourceFile { name: "main.cpp".into(), text: RIGHT.into() }],
        cases: PreviewCases::Samples,
    };
    let run = |visibility| RunPreview { preview: preview(), visibility, wait_ms: 30_000 };
    for secret in [Visibility::Private, Visibility::Hidden] {
        let refused = bench.judge.run_preview(&bench.actor, run(secret)).await.expect_err("never at a person's wish");
        assert_eq!(refused.code, ErrorCode::BadRequest);
    }
    let ended = bench.judge.run_preview(&bench.actor, run(Visibility::PublicPreview)).await.expect("it ran");
    assert_eq!((ended.state.clone(), ended.runs.len()), (ExecutionState::Completed, 1));
    let again = bench.judge.run_preview(&bench.actor, run(Visibility::PublicPreview)).await.expect("the same");
    assert_eq!(again.id, ended.id);

    let contestant = Actor { user_id: bench.actor.user_id.clone(), roles: vec![Role::Contestant] };
    let stranger = Actor { user_id: "somebody".into(), roles: vec![Role::Contestant] };
    let poll = async |actor: &Actor, job: ExecutionJob| bench.judge.poll_execution(actor, PollExecution { job }).await;
    let job = ExecutionJob::Preview { preview_id: ended.id.clone() };
    let polled = poll(&contestant, job.clone()).await.expect("their own");
    assert_eq!(polled.receipts[0].key, format!("{}:sample/1", ended.id));
    assert_eq!(
        (polled.receipts[0].state.clone(), polled.receipts[0].result.is_some()),
        (ExecutionState::Completed, true)
    );
    assert_eq!(poll(&stranger, job).await.expect_err("not theirs").code, ErrorCode::NotFound);

    let id = bench.submit(&problem, SAMPLE_ONLY).await.submission_id;
    let judged = bench.verdict(&id).await.judgements.remove(0);
    let job = ExecutionJob::Judgement { judgement_id: judged.id.clone() };
    let polled = poll(&contestant, job.clone()).await.expect("their own");
    assert_eq!(polled.state, ExecutionState::Completed);
    let keys: Vec<_> = polled.receipts.iter().map(|receipt| receipt.key.clone()).collect();
    assert_eq!(keys, [format!("{}:sample/1", judged.id), format!("{}:secret/1", judged.id)]);
    let hidden = polled.receipts[1].result.as_ref().expect("it ran");
    assert_eq!((polled.receipts[1].visibility.clone(), hidden.message.as_str()), (Visibility::Hidden, ""));
    assert!(!polled.reason.contains('9'), "the answer is 9: {}", polled.reason);
    assert_eq!(poll(&stranger, job).await.expect_err("not theirs").code, ErrorCode::NotFound);
    bench.close().await;
}
