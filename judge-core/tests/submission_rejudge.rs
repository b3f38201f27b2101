//! Judging again through the commands: directly, as a reviewed change set; cancel; what needs attention.

mod judge_support;

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use agon_contract::ErrorCode;
use agon_contract::command::{
    ApplyChangeSet, CancelJudging, DiscardChangeSet, ExplainDifference, GetChangeSet, GetSubmission, ImportPackage,
    ListChangeSets, ListDeadLetters, PollExecution, Rejudge, Revive,
};
use agon_contract::delivery::{DeadLetterPlace, ManifestField};
use agon_contract::execution::ExecutionJob;
use agon_contract::ids::{IdempotencyKey, ProblemId, SubmissionId};
use agon_contract::package::PackageSource;
use agon_contract::rejudge::{
    ChangeSetItemState, ChangeSetState, ChangeSetView, RejudgeBasis, RejudgeMode, RejudgeSelection,
};
use agon_contract::settings::Role;
use agon_contract::submission::{JudgementState, Stage};
use agon_contract::verdict::Verdict;
use judge_core::sandbox::fake::{FakeRun, FakeSandbox};
use judge_core::sandbox::{Outcome, SandboxError};
use judge_core::{Actor, ManualClock};
use judge_support::{Bench, PATIENCE, RIGHT, SAMPLE_ONLY, WRONG, obey, text_of, write_package};

fn of_problem(problem: &ProblemId) -> RejudgeSelection {
    RejudgeSelection::Matching { problem_id: Some(problem.clone()), language_id: None, verdict: None, contest_id: None }
}

fn wish(key: &str, selection: RejudgeSelection, mode: RejudgeMode) -> Rejudge {
    Rejudge { idempotency_key: IdempotencyKey::from(key), selection, mode, basis: RejudgeBasis::Newest }
}

/// Makes 0 the right answer to everything secret, so that `WRONG`'s output is right there.
async fn replace_test_data(bench: &Bench) {
    let root = write_package(bench.folder.path());
    for number in 1..=3 {
        fs::write(root.join(format!("data/secret/{number}.ans")), "0\n").expect("a file");
    }
    let request =
        ImportPackage { source: PackageSource::Path { path: root.display().to_string() }, replace_existing: true };
    bench.judge.import_package(&bench.actor, request).await.expect("a new version");
}

async fn when_judged(bench: &Bench, made: &ChangeSetView) -> ChangeSetView {
    let looking = async {
        loop {
            let request =
                GetChangeSet { change_set_id: made.id.clone(), after_ordinal: 0, limit: 200, only_changed: false };
            let view = bench.judge.get_change_set(&bench.actor, request).await.expect("it exists");
            if view.counts.waiting + view.counts.judging == 0 {
                return view;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.expect("it is judged")
}

#[tokio::test(flavor = "multi_thread")]
async fn new_test_data_gives_a_new_verdict_and_the_difference_can_be_told() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let receipt = bench.submit(&problem, SAMPLE_ONLY).await;
    bench.verdict(&receipt.submission_id).await;
    replace_test_data(&bench).await;
    let one = RejudgeSelection::Submission { submission_id: receipt.submission_id.clone() };
    let made = bench.judge.rejudge(&bench.actor, wish("k", one, RejudgeMode::Direct)).await.expect("judged again");
    assert_eq!((made.number, made.counts.total, made.state.clone()), (1, 1, ChangeSetState::Applied));
    let view = when_judged(&bench, &made).await;
    assert_eq!((view.counts.changed, view.counts.people_affected), (1, 1));
    let detail = bench.detail(&receipt.submission_id).await;
    assert_eq!(detail.summary.verdict, Some(Verdict::Accepted));
    let [new, old] = &detail.judgements[..] else { panic!("history is kept: {:#?}", detail.judgements) };
    assert_eq!((new.generation, new.is_current, old.is_current), (2, true, false));
    assert_eq!(old.verdict, Some(Verdict::WrongAnswer));

    let request = ExplainDifference { first: old.id.clone(), second: new.id.clone() };
    let difference = bench.judge.explain_difference(&bench.actor, request).await.expect("both exist");
    let fields: Vec<_> = difference.fields.iter().map(|difference| difference.field.clone()).collect();
    assert_eq!(fields, [ManifestField::Package, ManifestField::TestData]);
    assert_ne!(difference.fields[0].first, difference.fields[0].second);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn as_handed_in_judges_by_the_old_test_data() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let receipt = bench.submit(&problem, SAMPLE_ONLY).await;
    bench.verdict(&receipt.submission_id).await;
    replace_test_data(&bench).await;
    let asked = Rejudge { basis: RejudgeBasis::AsHandedIn, ..wish("k", of_problem(&problem), RejudgeMode::Direct) };
    let made = bench.judge.rejudge(&bench.actor, asked).await.expect("judged again");
    assert_eq!(when_judged(&bench, &made).await.counts.changed, 0);
    let detail = bench.detail(&receipt.submission_id).await;
    let [new, old] = &detail.judgements[..] else { panic!("two: {:#?}", detail.judgements) };
    assert_eq!((new.verdict.clone(), new.is_current), (Some(Verdict::WrongAnswer), true));
    let request = ExplainDifference { first: old.id.clone(), second: new.id.clone() };
    assert_eq!(bench.judge.explain_difference(&bench.actor, request).await.expect("both exist").fields, []);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_set_counts_only_when_it_is_applied_and_only_where_nothing_moved() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let mut ids = Vec::new();
    for text in [SAMPLE_ONLY, RIGHT, SAMPLE_ONLY] {
        let receipt = bench.submit(&problem, text).await;
        bench.verdict(&receipt.submission_id).await;
        ids.push(receipt.submission_id);
    }
    replace_test_data(&bench).await;
    let asked = || wish("k", of_problem(&problem), RejudgeMode::Reviewed);
    let made = bench.judge.rejudge(&bench.actor, asked()).await.expect("judged again");
    let again = bench.judge.rejudge(&bench.actor, asked()).await.expect("pressed twice");
    assert_eq!(again.id, made.id);
    let other = wish("k", of_problem(&problem), RejudgeMode::Direct);
    assert_eq!(bench.judge.rejudge(&bench.actor, other).await.expect_err("another").code, ErrorCode::Conflict);
    let late = bench.submit(&problem, WRONG).await.submission_id;

    let view = when_judged(&bench, &made).await;
    let verdicts: Vec<_> = view.items.iter().map(|item| (item.old_verdict.clone(), item.new_verdict.clone())).collect();
    let (accepted, wrong) = (Some(Verdict::Accepted), Some(Verdict::WrongAnswer));
    let expected =
        [(wrong.clone(), accepted.clone()), (accepted.clone(), wrong.clone()), (wrong.clone(), accepted.clone())];
    assert_eq!(verdicts, expected, "the late one is not in it");
    assert_eq!((view.counts.changed, view.counts.people_affected), (3, 1));
    let shown = |id: &SubmissionId| GetSubmission { submission_id: id.clone() };
    let contestant = Actor { user_id: bench.actor.user_id.clone(), roles: vec![Role::Contestant] };
    let own = bench.judge.get_submission(&contestant, shown(&ids[0])).await.expect("their own");
    assert_eq!((own.summary.verdict, own.judgements.len()), (wrong.clone(), 1), "nothing of it is seen before");
    assert_eq!(own.summary.progress.stage, Stage::Finished);

    // Meanwhile another judgement of the last one comes to count.
    let one = RejudgeSelection::Submission { submission_id: ids[2].clone() };
    let direct = bench.judge.rejudge(&bench.actor, wish("other", one, RejudgeMode::Direct)).await.expect("again");
    when_judged(&bench, &direct).await;
    let apply = || ApplyChangeSet { change_set_id: made.id.clone() };
    let applied = bench.judge.apply_change_set(&bench.actor, apply()).await.expect("applied");
    assert_eq!((applied.counts.applied, applied.counts.refused, applied.state), (2, 1, ChangeSetState::Applied));
    assert_eq!(
        (applied.items[2].state.clone(), applied.items[2].reason.as_str()),
        (ChangeSetItemState::Refused, "current_moved")
    );
    let twice = bench.judge.apply_change_set(&bench.actor, apply()).await.expect("applied already");
    assert_eq!(twice.counts.applied, 2);
    let own = bench.judge.get_submission(&contestant, shown(&ids[0])).await.expect("their own");
    assert_eq!((own.summary.verdict, own.judgements.len(), own.judgements[0].is_current), (accepted, 2, true));
    let discard = DiscardChangeSet { change_set_id: made.id.clone() };
    let refused = bench.judge.discard_change_set(&bench.actor, discard).await.expect_err("too late");
    assert_eq!(refused.code, ErrorCode::Conflict);
    let listed = bench.judge.list_change_sets(&bench.actor, ListChangeSets { before_number: None, limit: 1 }).await;
    assert_eq!(listed.expect("a page").next_before_number, Some(2));
    bench.verdict(&late).await;
    bench.close().await;
}

/// A program that runs until it is killed.
const ENDLESS: &str = "never ends";

fn with_endless() -> FakeSandbox {
    FakeSandbox::new(|invocation| {
        if invocation.argv[0] != "/usr/bin/g++" && text_of(invocation) == ENDLESS {
            return Ok(FakeRun { never_ends: true, ..FakeRun::prints("") });
        }
        obey(invocation)
    })
}

async fn until_no_box_lives(bench: &Bench) {
    let waiting = async {
        while bench.sandbox.boxes_alive() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("the box is killed");
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_kills_the_box_without_waiting_for_a_renewal() {
    // The clock stands still: no renewal will ever come.
    let clock = ManualClock::starting_at(1_700_000_000_000);
    let bench = Bench::with(with_endless(), Some(Arc::new(clock))).await;
    let problem = bench.import().await;
    let id = bench.submit(&problem, ENDLESS).await.submission_id;
    bench.until(&id, |detail| detail.summary.progress.stage == Stage::Running).await;
    let cancel = || CancelJudging { submission_id: id.clone() };
    let detail = bench.judge.cancel_judging(&bench.actor, cancel()).await.expect("cancelled");
    assert_eq!((detail.judgements[0].state.clone(), detail.summary.verdict), (JudgementState::Cancelled, None));
    until_no_box_lives(&bench).await;
    let twice = bench.judge.cancel_judging(&bench.actor, cancel()).await.expect_err("nothing is open");
    assert_eq!(twice.code, ErrorCode::Conflict);
    // The worker is free again.
    let next = bench.submit(&problem, RIGHT).await.submission_id;
    assert_eq!(bench.verdict(&next).await.summary.verdict, Some(Verdict::Accepted));
    assert_eq!(bench.detail(&id).await.judgements[0].state, JudgementState::Cancelled, "it stays cancelled");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rejudging_supersedes_what_runs_and_a_discard_ends_what_it_held() {
    let clock = ManualClock::starting_at(1_700_000_000_000);
    let bench = Bench::with(with_endless(), Some(Arc::new(clock))).await;
    let problem = bench.import().await;
    let id = bench.submit(&problem, ENDLESS).await.submission_id;
    bench.until(&id, |detail| detail.summary.progress.stage == Stage::Running).await;
    let reviewed = wish("r", of_problem(&problem), RejudgeMode::Reviewed);
    let refused =
        bench.judge.rejudge(&bench.actor, reviewed).await.expect_err("the only one that fits is being judged");
    assert_eq!(refused.code, ErrorCode::Conflict);
    assert!(refused.message.contains("1 are being judged") && refused.hint.is_some(), "{refused:?}");
    let page = ListChangeSets { before_number: None, limit: 10 };
    let page = bench.judge.list_change_sets(&bench.actor, page).await.expect("listed");
    assert!(page.rows.is_empty(), "nothing was half made: {page:?}");
    let direct = wish("d", of_problem(&problem), RejudgeMode::Direct);
    bench.judge.rejudge(&bench.actor, direct).await.expect("made");
    let detail = bench
        .until(&id, |detail| detail.judgements.len() == 2 && detail.summary.progress.stage == Stage::Running)
        .await;
    assert_eq!(detail.judgements[1].state, JudgementState::Abandoned);
    bench.judge.cancel_judging(&bench.actor, CancelJudging { submission_id: id.clone() }).await.expect("cancelled");

    let held = wish("h", of_problem(&problem), RejudgeMode::Reviewed);
    let made = bench.judge.rejudge(&bench.actor, held).await.expect("made");
    let apply = ApplyChangeSet { change_set_id: made.id.clone() };
    assert_eq!(
        bench.judge.apply_change_set(&bench.actor, apply).await.expect_err("too early").code,
        ErrorCode::Conflict
    );
    let discard = DiscardChangeSet { change_set_id: made.id };
    let view = bench.judge.discard_change_set(&bench.actor, discard).await.expect("discarded");
    assert_eq!((view.state, view.counts.ended), (ChangeSetState::Discarded, 1));
    until_no_box_lives(&bench).await;
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_needs_attention_is_listed_and_set_going_with_one_click() {
    let is_well = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let seen = Arc::clone(&is_well);
    let sandbox = FakeSandbox::new(move |invocation| {
        let is_control = invocation.argv[0] == "/bin/true";
        if is_control || seen.load(std::sync::atomic::Ordering::SeqCst) {
            return if is_control { Ok(FakeRun::ends(Outcome::Exited(0))) } else { obey(invocation) };
        }
        Err(SandboxError::BoxDied { box_id: "b".into(), detail: "it went away".into() })
    });
    let bench = Bench::with(sandbox, None).await;
    let problem = bench.import().await;
    let id = bench.submit(&problem, RIGHT).await.submission_id;
    bench.until(&id, |detail| detail.summary.progress.stage == Stage::NeedsAttention).await;
    let letters = bench.judge.list_dead_letters(&bench.actor, ListDeadLetters { limit: 10 }).await.expect("listed");
    assert_eq!((letters.len(), letters[0].place.clone()), (1, DeadLetterPlace::Outbox));
    assert_eq!((letters[0].submission_id.as_ref(), letters[0].number), (Some(&id), Some(1)));
    assert!(letters[0].reason.contains("two boxes died"), "{}", letters[0].reason);
    is_well.store(true, std::sync::atomic::Ordering::SeqCst);
    let revive = || Revive { submission_id: id.clone() };
    bench.judge.revive(&bench.actor, revive()).await.expect("revived");
    assert_eq!(bench.verdict(&id).await.summary.verdict, Some(Verdict::Accepted));
    let refused = bench.judge.revive(&bench.actor, revive()).await.expect_err("it is well");
    assert_eq!(refused.code, ErrorCode::Conflict);
    let letters = bench.judge.list_dead_letters(&bench.actor, ListDeadLetters { limit: 10 }).await.expect("listed");
    assert_eq!(letters, []);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_without_the_permission_judges_again() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let id = bench.submit(&problem, RIGHT).await.submission_id;
    bench.verdict(&id).await;
    let contestant = Actor { user_id: bench.actor.user_id.clone(), roles: vec![Role::Contestant] };
    let coach = Actor { roles: vec![Role::Contestant, Role::Coach], ..contestant.clone() };
    let judge = &bench.judge;
    let refusals = [
        judge.rejudge(&coach, wish("k", of_problem(&problem), RejudgeMode::Direct)).await.map(drop),
        judge.list_change_sets(&coach, ListChangeSets { before_number: None, limit: 1 }).await.map(drop),
        judge.apply_change_set(&coach, ApplyChangeSet { change_set_id: "c".into() }).await.map(drop),
        judge.discard_change_set(&coach, DiscardChangeSet { change_set_id: "c".into() }).await.map(drop),
        judge.cancel_judging(&coach, CancelJudging { submission_id: id.clone() }).await.map(drop),
        judge.revive(&coach, Revive { submission_id: id.clone() }).await.map(drop),
        judge.list_dead_letters(&coach, ListDeadLetters { limit: 1 }).await.map(drop),
        judge
            .explain_difference(&contestant, ExplainDifference { first: "a".into(), second: "b".into() })
            .await
            .map(drop),
    ];
    for refused in refusals {
        assert_eq!(refused.expect_err("refused").code, ErrorCode::Forbidden);
    }
    let nothing = RejudgeSelection::Matching { problem_id: None, language_id: None, verdict: None, contest_id: None };
    let refused = judge.rejudge(&bench.actor, wish("k", nothing, RejudgeMode::Direct)).await.expect_err("all?");
    assert_eq!(refused.code, ErrorCode::BadRequest);
    let nobody = of_problem(&ProblemId::from("none"));
    let refused = judge.rejudge(&bench.actor, wish("k", nobody, RejudgeMode::Direct)).await.expect_err("none fits");
    assert_eq!(refused.code, ErrorCode::NotFound);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_asks_for_a_job_sees_no_more_of_it_than_of_the_submission() {
    let bench = Bench::open().await;
    let problem = bench.import().await;
    let student = Actor { user_id: bench.actor.user_id.clone(), roles: vec![Role::Contestant] };
    let coach = Actor { user_id: "coach".into(), roles: vec![Role::Coach] };
    let id = bench.submit(&problem, SAMPLE_ONLY).await.submission_id;
    let judged = bench.verdict(&id).await;
    let poll = |id: &agon_contract::ids::JudgementId| PollExecution {
        job: ExecutionJob::Judgement { judgement_id: id.clone() },
    };
    let first = judged.judgements[0].id.clone();
    for who in [&student, &coach] {
        let job = bench.judge.poll_execution(who, poll(&first)).await.expect("it may be read");
        let secret = job.receipts.iter().filter(|receipt| !receipt.case_name.starts_with("sample"));
        let said: Vec<String> =
            secret.filter_map(|receipt| receipt.result.as_ref()).map(|run| run.message.clone()).collect();
        assert!(!said.is_empty() && said.iter().all(String::is_empty), "{said:?}");
        assert_eq!(job.reason, "", "a wrong answer's reason quotes the right one");
    }

    replace_test_data(&bench).await;
    let made = bench.judge.rejudge(&bench.actor, wish("again", of_problem(&problem), RejudgeMode::Reviewed)).await;
    let made = made.expect("made");
    let held = bench.until(&id, |detail| detail.judgements.len() == 2 && detail.judgements[0].verdict.is_some()).await;
    assert!(held.judgements[0].is_held, "staff is told");
    let second = held.judgements[0].id.clone();
    for who in [&student, &coach] {
        let hidden = bench.judge.poll_execution(who, poll(&second)).await.expect_err("it is held back");
        assert_eq!(hidden.code, ErrorCode::NotFound);
        assert!(hidden.message.ends_with(second.as_str()), "{}", hidden.message);
    }
    let compared = ExplainDifference { first: first.clone(), second: second.clone() };
    let hidden = bench.judge.explain_difference(&coach, compared.clone()).await.expect_err("it is held back");
    assert_eq!(hidden.code, ErrorCode::NotFound);
    bench.judge.explain_difference(&bench.actor, compared.clone()).await.expect("staff compares");

    bench.judge.apply_change_set(&bench.actor, ApplyChangeSet { change_set_id: made.id }).await.expect("applied");
    for who in [&student, &coach] {
        let job = bench.judge.poll_execution(who, poll(&second)).await.expect("it counts now");
        assert!(job.state.is_terminal());
    }
    bench.judge.explain_difference(&coach, compared).await.expect("it counts now");
    bench.close().await;
}
