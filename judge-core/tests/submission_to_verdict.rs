//! The whole way from a click to a verdict, on the real store and a scripted sandbox.

mod judge_support;

use agon_contract::ErrorCode;
use agon_contract::command::{GetOutboxCounts, GetProblem, ListProblems, ListSubmissions, WaitEvents};
use agon_contract::event::EventBatch;
use agon_contract::ids::{LanguageId, ProblemId};
use agon_contract::settings::Role;
use agon_contract::submission::JudgementState;
use agon_contract::verdict::Verdict;
use judge_core::Actor;
use judge_support::{BROKEN, Bench, CRASHING, RIGHT, SAMPLE_ONLY, WRONG, submission};

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_program_gets_its_verdict_with_its_runs() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let expectations = [
        (RIGHT, Verdict::Accepted, None, 4),
        (WRONG, Verdict::WrongAnswer, Some("sample/1"), 1),
        (SAMPLE_ONLY, Verdict::WrongAnswer, Some("secret/1"), 2),
        (CRASHING, Verdict::RunTimeError, Some("sample/1"), 1),
        (BROKEN, Verdict::CompileError, None, 0),
    ];
    for (text, verdict, first_failing, runs) in expectations {
        let receipt = bench.submit(&problem, text).await;
        let detail = bench.verdict(&receipt.submission_id).await;
        let judgement = &detail.judgements[0];
        assert_eq!(detail.summary.verdict.as_ref(), Some(&verdict), "{text}: {judgement:?}");
        assert_eq!(detail.summary.first_failing.as_deref(), first_failing, "{text}");
        assert_eq!(judgement.runs.len(), runs, "{text}");
        assert_eq!((detail.judgements.len(), judgement.generation, judgement.is_current), (1, 1, true), "{text}");
        assert_eq!(judgement.state, JudgementState::Judged);
        assert_eq!(detail.files[0].text, text);
        assert!(judgement.machine.contains("cores"), "{}", judgement.machine);
    }
    let broken = bench.judge.list_submissions(&bench.actor, page(None)).await.expect("a page");
    let detail = bench.detail(&broken.rows[0].id).await;
    assert_eq!(detail.judgements[0].compiler_text, "main.cpp:1: error: broken\n");
    let listed = bench.judge.list_problems(&bench.actor, ListProblems { query: "MATHS".into() }).await.expect("a list");
    assert_eq!((listed[0].attempts, listed[0].best_verdict.clone()), (5, Some(Verdict::Accepted)));
    let counts = bench.judge.outbox_counts(&bench.actor, GetOutboxCounts {}).await.expect("counts");
    assert_eq!(counts, agon_contract::event::OutboxCounts::default(), "nothing is left to do");
    bench.close().await;
}

fn page(before_number: Option<u64>) -> ListSubmissions {
    ListSubmissions { problem_id: None, user_id: None, before_number, limit: 2 }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_means_one_intent_for_ever() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let first = bench.judge.submit(&bench.actor, submission("k", &problem, RIGHT)).await.expect("saved");
    let again = bench.judge.submit(&bench.actor, submission("k", &problem, RIGHT)).await.expect("the same receipt");
    assert_eq!(
        (again.submission_id, again.number, again.saved_at_ms, again.repeated),
        (first.submission_id.clone(), first.number, first.saved_at_ms, true)
    );
    let other = bench.judge.submit(&bench.actor, submission("k", &problem, WRONG)).await.expect_err("another intent");
    assert_eq!(other.code, ErrorCode::Conflict);
    bench
        .judge
        .remove_problem(&bench.actor, agon_contract::command::RemoveProblem { problem_id: problem.clone() })
        .await
        .expect("removed");
    let late =
        bench.judge.submit(&bench.actor, submission("k", &problem, RIGHT)).await.expect("the receipt outlives it");
    assert_eq!(late.submission_id, first.submission_id);
    let fresh = bench.judge.submit(&bench.actor, submission("k2", &problem, RIGHT)).await.expect_err("it is gone");
    assert_eq!(fresh.code, ErrorCode::NotFound);
    bench.verdict(&first.submission_id).await;
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_click_from_many_threads_is_saved_once() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let clicks = (0..8).map(|_| {
        let (judge, actor, request) = (bench.judge.clone(), bench.actor.clone(), submission("k", &problem, RIGHT));
        tokio::spawn(async move { judge.submit(&actor, request).await.expect("a receipt") })
    });
    let mut receipts = Vec::new();
    for click in clicks.collect::<Vec<_>>() {
        receipts.push(click.await.expect("no panic"));
    }
    assert_eq!(receipts.iter().filter(|receipt| !receipt.repeated).count(), 1);
    assert!(receipts.iter().all(|receipt| receipt.submission_id == receipts[0].submission_id));
    bench.verdict(&receipts[0].submission_id).await;
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_judged_is_refused_before_it_is_saved() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let mut language = submission("a", &problem, RIGHT);
    language.language_id = LanguageId::from("cobol");
    let mut name = submission("b", &problem, RIGHT);
    name.files[0].name = "../main.cpp".into();
    let mut size = submission("c", &problem, RIGHT);
    size.files[0].text = "x".repeat(200 * 1024);
    for request in [language, name, size, submission("", &problem, RIGHT)] {
        let refused = bench.judge.submit(&bench.actor, request).await.expect_err("refused");
        assert_eq!(refused.code, ErrorCode::BadRequest, "{refused}");
    }
    let nowhere = bench.judge.submit(&bench.actor, submission("d", &ProblemId::from("none"), RIGHT)).await;
    assert_eq!(nowhere.expect_err("refused").code, ErrorCode::NotFound);
    let rows = bench.judge.list_submissions(&bench.actor, page(None)).await.expect("a page").rows;
    assert_eq!(rows, []);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_newest_first_and_contestants_see_their_own() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    for _ in 0..3 {
        let receipt = bench.submit(&problem, RIGHT).await;
        bench.verdict(&receipt.submission_id).await;
    }
    let first = bench.judge.list_submissions(&bench.actor, page(None)).await.expect("a page");
    assert_eq!(first.rows.iter().map(|row| row.number).collect::<Vec<_>>(), [3, 2]);
    assert_eq!(first.next_before_number, Some(2));
    let last = bench.judge.list_submissions(&bench.actor, page(first.next_before_number)).await.expect("a page");
    assert_eq!(last.rows.iter().map(|row| row.number).collect::<Vec<_>>(), [1]);
    assert_eq!(last.next_before_number, None);

    let stranger = Actor { user_id: "somebody".into(), roles: vec![Role::Contestant] };
    let theirs = bench.judge.list_submissions(&stranger, page(None)).await.expect("a page");
    assert_eq!(theirs.rows, []);
    let request = agon_contract::command::GetSubmission { submission_id: last.rows[0].id.clone() };
    let hidden = bench.judge.get_submission(&stranger, request).await.expect_err("not theirs");
    assert_eq!(hidden.code, ErrorCode::NotFound);
    let unknown = bench.judge.submit(&stranger, submission("k", &problem, RIGHT)).await.expect_err("nobody");
    assert_eq!(unknown.code, ErrorCode::Forbidden);
    let problem = bench.judge.get_problem(&stranger, GetProblem { problem_id: problem }).await.expect("public");
    assert_eq!((problem.summary.attempts, problem.secret_case_count, problem.samples.len()), (0, 3, 1));
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contestant_learns_nothing_of_secret_data_from_a_wrong_answer() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let contestant = Actor { user_id: bench.actor.user_id.clone(), roles: vec![Role::Contestant] };
    let look = async |text| {
        let receipt = bench.submit(&problem, text).await;
        bench.verdict(&receipt.submission_id).await;
        let request = || agon_contract::command::GetSubmission { submission_id: receipt.submission_id.clone() };
        let own = bench.judge.get_submission(&contestant, request()).await.expect("their own");
        let staff = bench.judge.get_submission(&bench.actor, request()).await.expect("everybody's");
        (own.judgements[0].clone(), staff.judgements[0].clone())
    };
    let (own, staff) = look(SAMPLE_ONLY).await;
    assert!(staff.reason.contains('9') && staff.runs[1].message.contains('9'), "the answer is 9: {staff:?}");
    assert_eq!((own.reason.as_str(), own.runs[1].message.as_str(), own.runs[1].output_head.as_str()), ("", "", ""));
    assert_eq!(own.runs[0].output_head, "3\n", "samples are public");
    // What a submission chooses itself could carry the data out.
    assert!(staff.runs[1].output_bytes > 0 && staff.runs[1].outcome == "exit 0");
    assert_eq!((own.runs[1].output_bytes, own.runs[1].outcome.as_str()), (0, ""));
    assert_eq!((own.runs[0].output_bytes, own.runs[0].outcome.as_str()), (2, "exit 0"));
    let (own, staff) = look(WRONG).await;
    assert_eq!(own, staff, "it failed on a sample, which is public");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_contestant_hears_of_his_own_work_and_of_the_catalogue_only() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let receipt = bench.submit(&problem, RIGHT).await;
    bench.verdict(&receipt.submission_id).await;
    let heard_by = async |actor: &Actor| {
        let all = WaitEvents { after_seq: 0, progress_counter: u64::MAX, wait_ms: 0 };
        bench.judge.wait_events(actor, all).await.expect("a batch")
    };
    let staff = heard_by(&bench.actor).await;
    let contestant = Actor { roles: vec![Role::Contestant], ..bench.actor.clone() };
    let own = heard_by(&contestant).await;
    let stranger = heard_by(&Actor { user_id: "somebody".into(), ..contestant }).await;
    let about = |batch: &EventBatch, id: &str| batch.events.iter().filter(|event| event.aggregate_id == id).count();
    let submission = receipt.submission_id.as_str();
    assert_eq!((about(&staff, submission), about(&own, submission), about(&stranger, submission)), (3, 3, 0));
    assert!(about(&stranger, problem.as_str()) > 0, "the catalogue is everybody's");
    assert_eq!(
        (own.last_seq, stranger.last_seq),
        (staff.last_seq, staff.last_seq),
        "what was passed over is not read again"
    );
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_whose_place_is_not_in_the_log_is_told_to_read_everything_again() {
    let bench = Bench::open().await;
    bench.import().await;
    let ask = |after_seq| WaitEvents { after_seq, progress_counter: 0, wait_ms: 30_000 };
    let now = bench.judge.wait_events(&bench.actor, ask(-1)).await.expect("the present position");
    assert!(!now.is_resync && now.last_seq > 0, "{now:?}");
    let lost = bench.judge.wait_events(&bench.actor, ask(now.last_seq + 1_000)).await.expect("answered at once");
    assert!(lost.is_resync && lost.events.is_empty(), "{lost:?}");
    assert!(lost.last_seq >= now.last_seq, "go on from here: {lost:?}");
    let start = bench.judge.wait_events(&bench.actor, ask(0)).await.expect("the log reaches to its beginning");
    assert!(!start.is_resync && !start.events.is_empty(), "{start:?}");
    bench.close().await;
}
