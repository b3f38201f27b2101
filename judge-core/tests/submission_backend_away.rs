//! The backend goes away and comes back: nobody is blamed, everything is judged, the interface can say why it waits.

mod judge_support;

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use agon_contract::ErrorCode;
use agon_contract::command::{
    CreateAccount, GetOutboxCounts, GetSandboxStatus, GetSubmission, ListSubmissions, StartPreview,
};
use agon_contract::execution::PreviewCases;
use agon_contract::ids::{IdempotencyKey, LanguageId, ProblemId};
use agon_contract::settings::Role;
use agon_contract::submission::{JudgementState, SourceFile, Stage, SubmissionDetail};
use agon_contract::verdict::Verdict;
use judge_core::Actor;
use judge_core::sandbox::SandboxError;
use judge_core::sandbox::fake::FakeSandbox;
use judge_support::{Bench, RIGHT, obedient, obey, submission, until};

#[tokio::test(flavor = "multi_thread")]
async fn a_submission_made_while_the_engine_is_away_waits_and_is_judged_when_it_is_back() {
    let sandbox = obedient();
    sandbox.set_away(Some("stopped for lunch"));
    let bench = Bench::with(sandbox, None).await;
    let problem = bench.import().await;
    let receipt = bench.submit(&problem, RIGHT).await;
    let waiting = bench
        .until(&receipt.submission_id, |detail| {
            let progress = &detail.summary.progress;
            progress.stage == Stage::WaitingForSandbox && progress.reason.contains("lunch")
        })
        .await;
    assert_eq!(waiting.summary.verdict, None);
    let counts = bench.judge.outbox_counts(&bench.actor, GetOutboxCounts {}).await.expect("counted");
    assert_eq!((counts.saved + counts.queued, counts.needs_attention), (1, 0));
    assert!(counts.paused_reason.contains("lunch"), "{}", counts.paused_reason);
    let refused = bench.judge.start_preview(&bench.actor, preview(&problem)).await.expect_err("a run cannot wait");
    assert_eq!(refused.code, ErrorCode::SandboxUnavailable);

    bench.sandbox.set_away(None);
    let judged = bench.verdict(&receipt.submission_id).await;
    assert_eq!(judged.summary.verdict, Some(Verdict::Accepted));
    let counts = bench.judge.outbox_counts(&bench.actor, GetOutboxCounts {}).await.expect("counted");
    assert_eq!(counts.paused_reason, "");
    bench.close().await;
}

/// What only who looks after the machine may read.
const MACHINE: &str =
    "the supervisor program is not at /srv/agon/supervisor: build it with `cargo xtask build supervisor`";

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_look_after_the_machine_is_told_that_it_waits_and_not_how_the_machine_is_set_up() {
    let sandbox = obedient();
    sandbox.set_away(Some(MACHINE));
    let bench = Bench::with(sandbox, None).await;
    let problem = bench.import().await;
    let account = CreateAccount {
        name: "ann".into(),
        display_name: "Ann".into(),
        roles: vec![Role::Contestant],
        password: "correct horse".into(),
    };
    let ann = bench.judge.create_account(&bench.actor, account).await.expect("made");
    let ann = Actor { user_id: ann.user_id, roles: ann.roles };
    let receipt = bench.judge.submit(&ann, submission("hers", &problem, RIGHT)).await.expect("saved");
    let is_waiting = |detail: &SubmissionDetail| detail.summary.progress.stage == Stage::WaitingForSandbox;
    let staffs = bench.until(&receipt.submission_id, is_waiting).await;
    assert!(staffs.summary.progress.reason.contains("cargo xtask"), "{}", staffs.summary.progress.reason);

    let judge = &bench.judge;
    let hers = until(judge, &ann, &receipt.submission_id, is_waiting).await;
    assert_eq!(hers.summary.progress.reason, "judging is paused");
    let counts = judge.outbox_counts(&ann, GetOutboxCounts {}).await.expect("counted");
    assert_eq!(counts.paused_reason, "judging is paused");
    let list = ListSubmissions { problem_id: None, user_id: None, before_number: None, limit: 10 };
    let told = [
        format!("{:?}", judge.sandbox_status(&ann, GetSandboxStatus {}).await.expect("a status")),
        format!("{:?}", judge.list_submissions(&ann, list).await.expect("a page")),
        format!("{:?}", judge.start_preview(&ann, preview(&problem)).await.expect_err("a run cannot wait")),
    ];
    for text in told {
        assert!(!text.contains("xtask") && !text.contains("/srv"), "{text}");
    }
    let status = judge.sandbox_status(&bench.actor, GetSandboxStatus {}).await.expect("a status");
    assert!(status.message.contains("cargo xtask"), "staff see what to do: {status:?}");
    bench.close().await;
}

fn preview(problem: &ProblemId) -> StartPreview {
    StartPreview {
        idempotency_key: IdempotencyKey::from("p"),
        problem_id: problem.clone(),
        language_id: LanguageId::from("cpp20"),
        files: vec![SourceFile { name: "main.cpp".into(), text: RIGHT.into() }],
        cases: PreviewCases::Samples,
    }
}

/// Lets the script stop in the middle of a run until the test has looked.
#[derive(Default)]
struct Turnstile {
    state: Mutex<(bool, bool)>,
    moved: Condvar,
}

impl Turnstile {
    fn pass(&self) {
        let mut state = self.state.lock().expect("no panic");
        state.0 = true;
        self.moved.notify_all();
        drop(self.moved.wait_while(state, |(_, open)| !*open).expect("no panic"));
    }

    fn wait_until_reached(&self) {
        let state = self.state.lock().expect("no panic");
        drop(self.moved.wait_while(state, |(reached, _)| !*reached).expect("no panic"));
    }

    fn open(&self) {
        self.state.lock().expect("no panic").1 = true;
        self.moved.notify_all();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_engine_that_stops_in_mid_judging_costs_the_contestant_nothing() {
    let turnstile = Arc::new(Turnstile::default());
    let at_run = Arc::clone(&turnstile);
    let sandbox = FakeSandbox::new(move |invocation| {
        if invocation.stdin == b"4 5\n" && !at_run.state.lock().expect("no panic").1 {
            at_run.pass();
            return Err(SandboxError::EngineUnreachable { operation: "run", detail: "the daemon was stopped".into() });
        }
        obey(invocation)
    });
    let bench = Bench::with(sandbox, None).await;
    let problem = bench.import().await;
    let receipt = bench.submit(&problem, RIGHT).await;
    tokio::task::spawn_blocking({
        let turnstile = Arc::clone(&turnstile);
        move || turnstile.wait_until_reached()
    })
    .await
    .expect("the run was reached");
    let running = bench.detail(&receipt.submission_id).await;
    assert_eq!(running.summary.progress.stage, Stage::Running);
    assert_eq!((running.summary.progress.runs_done, running.summary.progress.runs_total), (1, 4));
    bench.sandbox.set_away(Some("the daemon was stopped"));
    turnstile.open();
    let waiting =
        bench.until(&receipt.submission_id, |detail| detail.summary.progress.stage == Stage::WaitingForSandbox).await;
    assert!(waiting.summary.progress.reason.contains("daemon was stopped"), "{}", waiting.summary.progress.reason);
    assert_eq!((waiting.summary.verdict, waiting.judgements[1].state.clone()), (None, JudgementState::Abandoned));

    bench.sandbox.set_away(None);
    let judged = bench.verdict(&receipt.submission_id).await;
    assert_eq!(judged.summary.verdict, Some(Verdict::Accepted));
    assert_eq!(judged.judgements.iter().filter(|judgement| judgement.verdict.is_some()).count(), 1);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_of_ours_on_a_healthy_backend_is_tried_again_and_ends_as_a_judge_error() {
    let clock = judge_core::ManualClock::starting_at(1_700_000_000_000);
    let sandbox = FakeSandbox::new(|invocation| match invocation.argv[0].as_str() {
        "/usr/bin/g++" => obey(invocation),
        _ => Err(SandboxError::Protocol { box_id: "b".into(), detail: "a file was left".into() }),
    });
    let bench = Bench::with(sandbox, Some(Arc::new(clock.clone()))).await;
    let problem = bench.import().await;
    let receipt = bench.submit(&problem, RIGHT).await;
    // Time goes on by itself, many times faster than on a wall.
    let passing = tokio::spawn(async move {
        loop {
            clock.advance(Duration::from_millis(500));
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    let ended = bench.verdict(&receipt.submission_id).await;
    assert_eq!(ended.summary.verdict, Some(Verdict::JudgeError));
    assert!(ended.judgements[0].reason.contains("a file was left"), "{}", ended.judgements[0].reason);
    assert!(ended.judgements.len() >= 3, "it was tried again: {:#?}", ended.judgements);
    passing.abort();
    bench.close().await;
}

/// The folder stands for a disk without room: whatever the backend says, nothing could be stored.
#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_takes_nothing_keeps_judging_paused_until_it_does() {
    let sandbox = obedient();
    sandbox.set_away(Some("not yet"));
    let bench = Bench::with(sandbox, None).await;
    let problem = bench.import().await;
    let receipt = bench.submit(&problem, RIGHT).await;
    let in_the_way = bench.folder.path().join("data/run/room");
    std::fs::create_dir(&in_the_way).expect("made");
    bench.sandbox.set_away(None);
    let waiting =
        bench.until(&receipt.submission_id, |detail| detail.summary.progress.reason.contains("trying to write")).await;
    assert_eq!((waiting.summary.verdict, waiting.judgements.len()), (None, 1), "nothing was taken");
    assert_eq!(bench.sandbox.boxes_opened(), 0, "no box was opened in vain");

    std::fs::remove_dir(&in_the_way).expect("removed");
    let judged = bench.verdict(&receipt.submission_id).await;
    assert_eq!((judged.summary.verdict, judged.judgements.len()), (Some(Verdict::Accepted), 1));
    bench.close().await;
}

/// Somebody else's hands on the database, from the moment the last case has run.
#[derive(Clone, Default)]
struct OtherHands(Arc<Mutex<Option<rusqlite::Connection>>>);

impl OtherHands {
    fn take(&self, database: &std::path::Path) {
        let connection = rusqlite::Connection::open(database).expect("it opens");
        connection.busy_timeout(Duration::from_secs(30)).expect("patient");
        connection.execute_batch("BEGIN IMMEDIATE").expect("between two writes of the judge");
        *self.0.lock().expect("no panic") = Some(connection);
    }

    fn let_go(&self) {
        drop(self.0.lock().expect("no panic").take());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_verdict_that_cannot_be_stored_is_kept_until_it_can_and_says_so() {
    let (hands, database) = (OtherHands::default(), Arc::new(Mutex::new(None::<std::path::PathBuf>)));
    let (grab, of) = (hands.clone(), Arc::clone(&database));
    let sandbox = FakeSandbox::new(move |invocation| {
        let answer = obey(invocation);
        if invocation.stdin == b"-1 1\n"
            && let Some(database) = of.lock().expect("no panic").take()
        {
            grab.take(&database);
        }
        answer
    });
    let bench = Bench::with(sandbox, None).await;
    let problem = bench.import().await;
    *database.lock().expect("no panic") = Some(bench.folder.path().join("data/agon.db"));
    let receipt = bench.submit(&problem, RIGHT).await;
    let waiting =
        bench.until(&receipt.submission_id, |detail| detail.summary.progress.stage == Stage::WaitingForSandbox).await;
    assert_eq!(waiting.judgements[0].state, JudgementState::Judging, "its lease is still held");
    assert!(waiting.summary.progress.reason.contains("locked"), "{}", waiting.summary.progress.reason);
    assert_eq!((waiting.summary.verdict, waiting.summary.progress.runs_done), (None, 4));

    hands.let_go();
    let judged = bench.verdict(&receipt.submission_id).await;
    assert_eq!((judged.summary.verdict, judged.judgements.len()), (Some(Verdict::Accepted), 1), "judged once");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_only_looks_sees_what_waits_and_moves_nothing() {
    let sandbox = obedient();
    sandbox.set_away(Some("not yet"));
    let bench = Bench::with(sandbox.clone(), None).await;
    let problem = bench.import().await;
    let receipt = bench.submit(&problem, RIGHT).await;
    bench.judge.close().await;
    sandbox.set_away(None);
    let database = bench.folder.path().join("data/agon.db");
    let before = std::fs::read(&database).expect("readable");

    let mut looking = judge_support::config(&bench.folder.path().join("data"), &sandbox);
    looking.only_looks = true;
    let judge = judge_core::Judge::open(looking).await.expect("it opens");
    let request = GetSubmission { submission_id: receipt.submission_id.clone() };
    let seen = judge.get_submission(&judge.local_actor(), request).await.expect("it is there");
    assert_eq!((seen.summary.progress.stage, seen.judgements.len()), (Stage::WaitingForSandbox, 1));
    assert_eq!(seen.summary.progress.reason, "no program judges on this data folder now");
    judge.close().await;
    assert_eq!(sandbox.boxes_opened(), 0);
    assert!(before == std::fs::read(&database).expect("readable"), "not a byte was changed");

    let judge = judge_core::Judge::open(judge_support::config(&bench.folder.path().join("data"), &sandbox)).await;
    let judge = judge.expect("it opens");
    let finished =
        |detail: &agon_contract::submission::SubmissionDetail| detail.summary.progress.stage == Stage::Finished;
    let judged = judge_support::until(&judge, &judge.local_actor(), &receipt.submission_id, finished).await;
    assert_eq!(judged.summary.verdict, Some(Verdict::Accepted));
    judge.close().await;
}
