//! Each row of the fence, with each of its conditions broken in turn; and the races that it decides.

use std::sync::Arc;
use std::time::Duration;

use agon_contract::command::Submit;
use agon_contract::ids::{IdempotencyKey, JudgementId, LanguageId, SubmissionId};
use agon_contract::submission::{JudgementState, SourceFile, Stage};
use agon_contract::verdict::Verdict;
use tempfile::TempDir;

use super::Submissions;
use super::fence::{self, LEASE_MS, Lease, Now, Orphan, Settlement};
use super::judgement::Feedback;
use super::lifecycle::{Fault, Order, Step};
use super::page::Present;
use crate::clock::{Clock, ManualClock};
use crate::delivery::lease;
use crate::delivery::outbox::Carrier;
use crate::domain::facts::tests::facts;
use crate::judging::{CompileReport, Judged};
use crate::owner::SCHEMA;
use crate::owner::submission::staff::RECONCILER_LEASE;
use crate::store::authorizer::Owner;
use crate::store::blobs::Blobs;
use crate::store::{Store, StoreError};

const BOOT: &str = "boot-1";

pub(super) struct Bench {
    pub(super) submissions: Submissions,
    pub(super) clock: ManualClock,
    store: Store,
    folder: TempDir,
}

pub(super) fn bench() -> Bench {
    let folder = tempfile::tempdir().expect("a temp folder");
    let clock = ManualClock::starting_at(1_000_000);
    let path = folder.path().join("agon.db");
    let store = Store::open(&path, &folder.path().join("backups"), Arc::new(clock.clone()), SCHEMA).expect("it opens");
    let submissions = process(&store, &folder, &clock, BOOT);
    Bench { submissions, clock, store, folder }
}

/// The submission owner as a process with this boot id has it.
fn process(store: &Store, folder: &TempDir, clock: &ManualClock, boot_id: &str) -> Submissions {
    let owner = store.owner(Owner::Submission).expect("it opens");
    Submissions::new(owner, Blobs::at(folder.path().to_owned()), Arc::new(clock.clone()), boot_id, "image 1")
}

impl Bench {
    pub(super) async fn save(&self) -> SubmissionId {
        let mut facts = facts();
        facts.captured_at_ms = self.clock.wall_ms();
        let request = Submit {
            idempotency_key: IdempotencyKey(crate::ids::new_id()),
            problem_id: facts.problem.id.clone(),
            language_id: LanguageId::from("cpp20"),
            files: vec![SourceFile { name: "a.cpp".into(), text: "x".into() }],
        };
        let user = facts.user_id.clone();
        self.submissions.submit(&user, request, facts).await.expect("saved").submission_id
    }

    /// Saves a submission and takes it, as a worker does.
    pub(super) async fn order(&self) -> Order {
        self.save().await;
        self.take().await.expect("there is work")
    }

    async fn take(&self) -> Option<Order> {
        self.submissions.dispatch().await.expect("dispatched");
        self.submissions.take().await.expect("taken")
    }

    async fn fenced(
        &self,
        work: impl FnOnce(&crate::store::WriteTx<'_>) -> rusqlite::Result<bool> + Send + 'static,
    ) -> bool {
        self.submissions.store.write("test the fence", work).await.expect("the statement runs")
    }

    fn now(&self) -> Now {
        self.submissions.now()
    }

    async fn judgements(&self, id: &SubmissionId) -> Vec<(u32, JudgementState, Option<Verdict>)> {
        let detail = self
            .submissions
            .detail(id, None, Feedback::Full, Arc::new(Present::default()))
            .await
            .expect("readable")
            .expect("there");
        detail.judgements.into_iter().map(|j| (j.generation, j.state, j.verdict)).collect()
    }

    async fn stage(&self, id: &SubmissionId) -> (Stage, String) {
        let detail = self.submissions.detail(id, None, Feedback::Full, Arc::new(Present::default())).await;
        let progress = detail.expect("readable").expect("there").summary.progress;
        (progress.stage, progress.reason)
    }
}

pub(super) fn accepted() -> Judged {
    Judged {
        score: None,
        max_score: None,
        groups: Vec::new(),
        verdict: Verdict::Accepted,
        reason: String::new(),
        fault: None,
        compile: CompileReport::default(),
        runs: Vec::new(),
        first_failing: None,
        max_cpu_ms: None,
        max_wall_ms: None,
        peak_memory_bytes: None,
        image_id: "sha256:1".into(),
    }
}

fn settlement() -> Settlement {
    Settlement {
        verdict: Verdict::WrongAnswer,
        reason: String::new(),
        compiler_text: Vec::new(),
        first_failing: None,
        max_cpu_ms: None,
        max_wall_ms: None,
        peak_memory_bytes: None,
        machine: String::new(),
        image_id: String::new(),
        manifest: None,
        score: None,
        max_score: None,
        groups: Vec::new(),
    }
}

/// The same lease with one field changed, for each field that the fence asks for.
fn foreign(lease: &Lease) -> Vec<(&'static str, Lease)> {
    vec![
        ("judgement", Lease { judgement_id: JudgementId::from("other"), ..lease.clone() }),
        ("generation", Lease { generation: lease.generation + 1, ..lease.clone() }),
        ("attempt", Lease { attempt_id: "other".into(), ..lease.clone() }),
    ]
}

#[tokio::test]
async fn acquire_needs_the_judgement_its_generation_and_that_it_waits() {
    let bench = bench();
    let id = bench.save().await;
    let found = bench.submissions.store.read("find", move |c| super::judgement::find(c, &id, 1)).await;
    let judgement = found.expect("readable").expect("there").id;
    let lease = Lease::wanted(judgement, SubmissionId::from("unused"), 1, BOOT);
    let now = bench.now();
    for (what, wrong) in foreign(&lease).into_iter().filter(|(what, _)| *what != "attempt") {
        assert!(!bench.fenced(move |tx| fence::acquire(tx, &wrong, now)).await, "{what}");
    }
    let taken = lease.clone();
    assert!(bench.fenced(move |tx| fence::acquire(tx, &taken, now)).await);
    let second = Lease { attempt_id: "second".into(), ..lease };
    assert!(!bench.fenced(move |tx| fence::acquire(tx, &second, now)).await, "it no longer waits");
}

#[tokio::test]
async fn renew_needs_a_live_lease_of_this_attempt_and_generation() {
    let bench = bench();
    let lease = bench.order().await.lease;
    let now = bench.now();
    for (what, wrong) in foreign(&lease) {
        assert!(!bench.fenced(move |tx| fence::renew(tx, &wrong, now)).await, "{what}");
    }
    let at = |offset: i64| Now { steady_ms: now.steady_ms + offset, ..now };
    for (what, when) in [("ended", at(LEASE_MS)), ("too far ahead", at(-1))] {
        let own = lease.clone();
        assert!(!bench.fenced(move |tx| fence::renew(tx, &own, when)).await, "{what}");
    }
    let (own, last) = (lease.clone(), at(LEASE_MS - 1));
    assert!(bench.fenced(move |tx| fence::renew(tx, &own, last)).await, "one millisecond before its end");
    let (own, later) = (lease, at(2 * LEASE_MS - 2));
    assert!(bench.fenced(move |tx| fence::renew(tx, &own, later)).await, "the renewal holds");
}

#[tokio::test]
async fn a_verdict_needs_a_live_lease_of_this_attempt_and_generation() {
    let bench = bench();
    let lease = bench.order().await.lease;
    let now = bench.now();
    for (what, wrong) in foreign(&lease) {
        assert!(!bench.fenced(move |tx| fence::settle(tx, &wrong, &settlement(), now)).await, "{what}");
    }
    for (what, offset) in [("ended", LEASE_MS), ("too far ahead", -1)] {
        let (own, when) = (lease.clone(), Now { steady_ms: now.steady_ms + offset, ..now });
        assert!(!bench.fenced(move |tx| fence::settle(tx, &own, &settlement(), when)).await, "{what}");
    }
    let own = lease.clone();
    assert!(bench.fenced(move |tx| fence::settle(tx, &own, &settlement(), now)).await);
    assert!(!bench.fenced(move |tx| fence::settle(tx, &lease, &settlement(), now)).await, "it is judged already");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_recovery_that_had_to_wait_takes_no_lease_that_was_made_meanwhile() {
    let bench = bench();
    bench.save().await;
    bench.submissions.dispatch().await.expect("dispatched");
    let (release, held) = std::sync::mpsc::channel::<()>();
    let busy = bench.submissions.store.occupy_for_tests(held);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let submissions = bench.submissions.clone();
    let recovery = tokio::spawn(async move { submissions.recover().await });
    // Whether the recovery has asked for its reader by now decides only how much the test can see.
    tokio::time::sleep(Duration::from_millis(50)).await;
    bench.clock.advance(Duration::from_millis(500));
    let order = bench
        .submissions
        .store
        .write("take work", |tx| super::lifecycle::take(tx, BOOT, Now::of(tx)))
        .await
        .expect("taken")
        .expect("there is work");
    drop(release);
    assert_eq!(recovery.await.expect("no panic").expect("recovered"), 0, "the lease is half a second old");
    busy.await.expect("no panic");
    assert!(bench.submissions.holds(&order.lease).await.expect("readable"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_singleton_that_had_to_wait_takes_no_lease_that_was_made_meanwhile() {
    let bench = bench();
    let holder = |token: &str| Carrier { token: token.to_owned(), boot_id: BOOT.to_owned() };
    let (release, held) = std::sync::mpsc::channel::<()>();
    let (store, first) = (bench.submissions.store.clone(), holder("first"));
    let clock = bench.clock.clone();
    let taking = tokio::spawn(async move {
        store
            .write("take it slowly", move |tx| {
                let _ = held.recv();
                clock.advance(Duration::from_millis(500));
                lease::acquire(tx, RECONCILER_LEASE, &first, clock.steady_ms())
            })
            .await
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    let (store, second) = (bench.submissions.store.clone(), holder("second"));
    let late = tokio::spawn(async move {
        store.write("take it late", move |tx| lease::acquire(tx, RECONCILER_LEASE, &second, tx.steady_ms())).await
    });
    tokio::time::sleep(Duration::from_millis(50)).await;
    drop(release);
    assert!(taking.await.expect("no panic").expect("written").is_some());
    assert_eq!(late.await.expect("no panic").expect("written"), None, "somebody holds it");
}

#[tokio::test]
async fn our_fault_needs_this_attempt_and_generation_but_no_live_lease() {
    let bench = bench();
    let lease = bench.order().await.lease;
    let late = Now { steady_ms: bench.now().steady_ms + 10 * LEASE_MS, ..bench.now() };
    for (what, wrong) in foreign(&lease) {
        assert!(!bench.fenced(move |tx| fence::abandon(tx, &wrong, "fault", late)).await, "{what}");
    }
    let own = lease.clone();
    assert!(bench.fenced(move |tx| fence::abandon(tx, &own, "fault", late)).await);
    assert!(!bench.fenced(move |tx| fence::abandon(tx, &lease, "fault", late)).await, "it is abandoned already");
}

#[tokio::test]
async fn recovery_takes_ended_absurd_and_foreign_leases_and_no_others() {
    let bench = bench();
    let lease = bench.order().await.lease;
    let orphan = Orphan {
        judgement_id: lease.judgement_id.clone(),
        submission_id: lease.submission_id.clone(),
        generation: lease.generation,
        faults: 0,
        lost_leases: 0,
    };
    let now = bench.now();
    let found = |boot: &'static str, offset: i64| {
        let when = Now { steady_ms: now.steady_ms + offset, ..now };
        bench.submissions.store.read("look", move |c| fence::orphans(c, boot, when))
    };
    assert_eq!(found(BOOT, 0).await.expect("readable"), [], "it lives");
    assert_eq!(found(BOOT, LEASE_MS).await.expect("readable"), std::slice::from_ref(&orphan), "it ended");
    assert_eq!(found(BOOT, -1).await.expect("readable"), std::slice::from_ref(&orphan), "no lease lies that far ahead");
    assert_eq!(found("boot-2", 0).await.expect("readable"), std::slice::from_ref(&orphan), "its process is gone");

    let living = orphan.clone();
    assert!(!bench.fenced(move |tx| fence::recover(tx, &living, BOOT, now)).await, "it lives");
    let old = Orphan { generation: 2, ..orphan.clone() };
    assert!(!bench.fenced(move |tx| fence::recover(tx, &old, "boot-2", now)).await, "another generation");
    let lost = orphan.clone();
    assert!(bench.fenced(move |tx| fence::recover(tx, &lost, "boot-2", now)).await);
    assert!(!bench.fenced(move |tx| fence::recover(tx, &orphan, "boot-2", now)).await, "it is abandoned already");
}

#[tokio::test]
async fn a_worker_that_lost_its_lease_cannot_store_its_verdict_and_the_next_one_can() {
    let bench = bench();
    let slow = bench.order().await.lease;
    bench.clock.advance(Duration::from_millis(LEASE_MS.unsigned_abs()));
    assert_eq!(bench.submissions.renew(&slow).await.expect("asked"), Step::Stale);
    assert_eq!(bench.submissions.settle(&slow, accepted(), "m".into(), None).await.expect("asked"), Step::Stale);
    assert_eq!(bench.submissions.recover().await.expect("recovered"), 1);
    let next = bench.take().await.expect("the next generation waits").lease;
    assert_eq!((next.generation, next.submission_id.clone()), (2, slow.submission_id.clone()));
    assert_eq!(bench.submissions.settle(&slow, accepted(), "m".into(), None).await.expect("asked"), Step::Stale);
    let fault = Fault::HandedBack;
    assert_eq!(bench.submissions.fail(&slow, fault).await.expect("asked"), Step::Stale, "nor hand it back");
    assert_eq!(bench.submissions.settle(&next, accepted(), "m".into(), None).await.expect("asked"), Step::Done);
    assert_eq!(
        bench.judgements(&slow.submission_id).await,
        [(2, JudgementState::Judged, Some(Verdict::Accepted)), (1, JudgementState::Abandoned, None),]
    );
    assert!(bench.take().await.is_none(), "nothing is judged twice");
}

#[tokio::test]
async fn a_verdict_that_came_late_hands_its_lease_back_and_nobody_waits_for_recovery() {
    let bench = bench();
    let late = bench.order().await.lease;
    bench.clock.advance(Duration::from_millis(LEASE_MS.unsigned_abs()));
    assert_eq!(bench.submissions.settle(&late, accepted(), "m".into(), None).await.expect("asked"), Step::Stale);
    assert_eq!(bench.submissions.fail(&late, Fault::CameLate).await.expect("asked"), Step::Done);
    let next = bench.take().await.expect("the next generation waits").lease;
    assert_eq!(next.generation, 2);
    assert_eq!(bench.submissions.fail(&late, Fault::CameLate).await.expect("asked"), Step::Stale, "once");
    assert_eq!(bench.submissions.settle(&late, accepted(), "m".into(), None).await.expect("asked"), Step::Stale);
    assert_eq!(bench.submissions.settle(&next, accepted(), "m".into(), None).await.expect("asked"), Step::Done);
}

#[tokio::test]
async fn leases_and_queue_entries_of_a_process_that_is_gone_are_taken_over_at_once() {
    let bench = bench();
    let dead = bench.order().await.lease;
    let second = process(&bench.store, &bench.folder, &bench.clock, "boot-2");
    assert_eq!(second.recover().await.expect("recovered"), 1);
    second.reclaim().await.expect("reclaimed");
    assert_eq!(second.dispatch().await.expect("dispatched"), 1);
    let lease = second.take().await.expect("taken").expect("it waits").lease;
    assert_eq!((lease.submission_id.clone(), lease.generation), (dead.submission_id.clone(), 2));
    assert_eq!(second.settle(&lease, accepted(), "m".into(), None).await.expect("asked"), Step::Done);
    assert_eq!(bench.submissions.settle(&dead, accepted(), "m".into(), None).await.expect("asked"), Step::Stale);
}

#[tokio::test]
async fn a_wall_clock_that_steps_by_a_day_loses_no_lease() {
    let bench = bench();
    let lease = bench.order().await.lease;
    for by_ms in [86_400_000, -2 * 86_400_000] {
        bench.clock.step_wall(by_ms);
        assert_eq!(bench.submissions.recover().await.expect("asked"), 0);
        assert_eq!(bench.submissions.renew(&lease).await.expect("asked"), Step::Done);
    }
    assert_eq!(bench.submissions.settle(&lease, accepted(), "m".into(), None).await.expect("asked"), Step::Done);
}

#[tokio::test]
async fn three_faults_of_ours_are_a_judge_error_and_waits_grow_between_them() {
    let bench = bench();
    let id = bench.save().await;
    for (attempt, wait_ms) in [(1, 2_000), (2, 4_000)] {
        let order = bench.take().await.expect("it waits");
        let fault = Fault::Ours { reason: "box died".into(), after: Duration::from_secs(2) };
        assert_eq!(bench.submissions.fail(&order.lease, fault).await.expect("asked"), Step::Done);
        assert_eq!(bench.stage(&id).await, (Stage::Saved, "box died".to_owned()), "attempt {attempt}");
        bench.clock.advance(Duration::from_millis(wait_ms - 1));
        assert!(bench.take().await.is_none(), "attempt {attempt}: its time has not come");
        bench.clock.advance(Duration::from_millis(1));
    }
    let order = bench.take().await.expect("it waits");
    let fault = Fault::Ours { reason: "box died".into(), after: Duration::ZERO };
    bench.submissions.fail(&order.lease, fault).await.expect("asked");
    let judgements = bench.judgements(&id).await;
    assert_eq!(judgements[0], (3, JudgementState::Judged, Some(Verdict::JudgeError)));
    assert_eq!(judgements.len(), 3);
    let standing = bench.submissions.standings(&facts().user_id).await.expect("readable");
    assert_eq!(standing[&facts().problem.id].best_verdict, None, "a judge error is nobody's verdict");
}

#[tokio::test]
async fn a_backend_that_is_away_costs_nothing_however_often() {
    let bench = bench();
    let id = bench.save().await;
    for _ in 0..10 {
        let order = bench.take().await.expect("it waits");
        let fault = Fault::BackendAway { reason: "the engine is away".into() };
        bench.submissions.fail(&order.lease, fault).await.expect("asked");
    }
    let order = bench.take().await.expect("it waits");
    bench.submissions.settle(&order.lease, accepted(), "m".into(), None).await.expect("asked");
    assert_eq!(bench.judgements(&id).await[0], (11, JudgementState::Judged, Some(Verdict::Accepted)));
}

#[tokio::test]
async fn what_takes_the_process_down_each_time_ends_at_staff_and_never_as_a_judge_error() {
    let bench = bench();
    let id = bench.save().await;
    for boot in 1..=3 {
        let process = process(&bench.store, &bench.folder, &bench.clock, &format!("dying {boot}"));
        process.recover().await.expect("recovered");
        process.reclaim().await.expect("reclaimed");
        process.dispatch().await.expect("dispatched");
        process.take().await.expect("taken").unwrap_or_else(|| panic!("boot {boot} judges it"));
    }
    assert_eq!(bench.submissions.recover().await.expect("recovered"), 1);
    assert!(bench.take().await.is_none(), "it is not judged a fourth time");
    let (stage, reason) = bench.stage(&id).await;
    assert_eq!((stage, reason.as_str()), (Stage::NeedsAttention, "its judging ended without a trace 3 times"));
    assert!(bench.judgements(&id).await.iter().all(|(_, _, verdict)| verdict.is_none()));

    bench.submissions.revive(&id, &"staff".into()).await.expect("revived");
    let order = bench.take().await.expect("with a fresh budget");
    bench.submissions.settle(&order.lease, accepted(), "m".into(), None).await.expect("asked");
    assert_eq!(bench.judgements(&id).await[0].2, Some(Verdict::Accepted));
}

#[tokio::test]
async fn a_lost_lease_now_and_then_is_not_held_against_the_next_rejudging() {
    let bench = bench();
    let id = bench.save().await;
    for _ in 0..2 {
        bench.take().await.expect("it waits");
        bench.clock.advance(Duration::from_millis(LEASE_MS.unsigned_abs()));
        bench.submissions.recover().await.expect("recovered");
    }
    let found = bench.submissions.store.read("look", move |c| super::judgement::newest(c, &id)).await;
    assert_eq!(found.expect("readable").expect("there").lost_leases, 2);
    let order = bench.take().await.expect("it waits");
    let fault = Fault::Ours { reason: "box died".into(), after: Duration::ZERO };
    bench.submissions.fail(&order.lease, fault).await.expect("asked");
    let id = order.lease.submission_id;
    let found = bench.submissions.store.read("look", move |c| super::judgement::newest(c, &id)).await;
    let found = found.expect("readable").expect("there");
    assert_eq!((found.faults, found.lost_leases), (1, 2), "both budgets are kept");
}

#[tokio::test]
async fn a_row_that_the_queue_refuses_waits_longer_each_time_and_holds_nobody_up() {
    let bench = bench();
    let refused = bench.save().await;
    let sql = format!(
        "CREATE TRIGGER refuse BEFORE INSERT ON submission_queue_entry WHEN NEW.submission_id = '{refused}'
         BEGIN SELECT RAISE(ABORT, 'not this one'); END"
    );
    let path = bench.folder.path().join("agon.db");
    let outside = crate::store::connection::open_unbounded(&path).expect("it opens");
    outside.execute_batch(&sql).expect("a trigger");
    let other = bench.save().await;
    let order = bench.take().await.expect("the other one passes");
    assert_eq!(order.lease.submission_id, other);
    let (stage, reason) = bench.stage(&refused).await;
    assert_eq!((stage, reason.contains("not this one")), (Stage::Saved, true), "{reason}");
    for attempt in 2..=crate::delivery::judge_outbox::ATTEMPTS_MAX {
        assert_eq!(bench.submissions.dispatch().await.expect("asked"), 0, "attempt {attempt}");
        bench.clock.advance(Duration::from_secs(60));
        bench.submissions.dispatch().await.expect("asked");
    }
    let (stage, reason) = bench.stage(&refused).await;
    assert_eq!(stage, Stage::NeedsAttention, "{reason}");
    assert!(reason.contains("refused it 10 times"), "{reason}");
    outside.execute_batch("DROP TRIGGER refuse").expect("dropped");
    bench.submissions.revive(&refused, &"staff".into()).await.expect("revived");
    assert_eq!(bench.take().await.expect("it goes on").lease.submission_id, refused);
}

#[tokio::test]
async fn a_lost_queue_entry_is_found_and_its_work_sent_again() {
    let bench = bench();
    let id = bench.save().await;
    bench.submissions.dispatch().await.expect("dispatched");
    assert_eq!(bench.submissions.reconcile().await.expect("looked"), 0, "it is in the queue");
    let lose = |tx: &crate::store::WriteTx<'_>| tx.execute("DELETE FROM submission_queue_entry", []);
    bench.submissions.store.write("lose it", lose).await.expect("lost");
    assert!(bench.take().await.is_none());
    // Nothing is sent while another has the lease, nor under one that is over.
    let (other, now) = (Carrier { token: "other".to_owned(), boot_id: BOOT.to_owned() }, bench.now());
    let take = move |tx: &crate::store::WriteTx<'_>| lease::acquire(tx, RECONCILER_LEASE, &other, now.steady_ms);
    let hold = bench.submissions.store.write("take", take).await.expect("written").expect("free");
    assert_eq!(bench.submissions.reconcile().await.expect("looked"), 0, "somebody else's work");
    let release = move |tx: &crate::store::WriteTx<'_>| {
        lease::release(tx, &hold)?;
        lease::is_held(tx, &hold, now.steady_ms)
    };
    assert!(!bench.submissions.store.write("release", release).await.expect("written"));
    assert_eq!(bench.submissions.reconcile().await.expect("looked"), 1);
    let rows = |connection: &rusqlite::Connection| lease::list(connection, Owner::Submission);
    let rows = bench.submissions.store.read("look", rows).await.expect("readable");
    assert_eq!((rows[0].name.as_str(), rows[0].fence_token, rows[0].owner_token.clone()), (RECONCILER_LEASE, 2, None));
    let lease = bench.take().await.expect("sent again").lease;
    assert_eq!((lease.submission_id, lease.generation), (id, 2));
}

#[tokio::test]
async fn a_submission_whose_entry_names_no_source_is_set_aside_with_the_reason() {
    let bench = bench();
    let id = bench.save().await;
    let outside = crate::store::connection::open_unbounded(&bench.folder.path().join("agon.db")).expect("it opens");
    outside
        .execute_batch("DROP TRIGGER submission_source_kept; DELETE FROM submission_source")
        .expect("damaged on purpose");
    assert!(bench.take().await.is_none());
    assert_eq!(bench.stage(&id).await, (Stage::NeedsAttention, "it names no source".to_owned()));
}

#[tokio::test]
async fn what_needs_a_person_waits_for_one_and_says_why() {
    let bench = bench();
    let order = bench.order().await;
    let fault = Fault::AskStaff { reason: "two boxes died".into() };
    bench.submissions.fail(&order.lease, fault).await.expect("asked");
    assert!(bench.take().await.is_none());
    assert_eq!(bench.stage(&order.lease.submission_id).await, (Stage::NeedsAttention, "two boxes died".to_owned()));
    let counts = bench.submissions.outbox_counts(None).await.expect("counted");
    assert_eq!((counts.needs_attention, counts.saved, counts.queued, counts.judging), (1, 0, 0, 0));
}

#[tokio::test]
async fn the_store_refuses_rows_that_must_not_exist() {
    let bench = bench();
    let order = bench.order().await;
    bench.submissions.settle(&order.lease, accepted(), "m".into(), None).await.expect("judged");
    let judgement = order.lease.judgement_id.as_str();
    let submission = order.lease.submission_id.as_str();
    let pending = bench.save().await;
    let statements = [
        format!("UPDATE submission_judgement SET verdict = 'WA' WHERE id = '{judgement}'"),
        format!("DELETE FROM submission_judgement WHERE id = '{judgement}'"),
        format!("UPDATE submission_submission SET language_id = 'c' WHERE id = '{submission}'"),
        format!("DELETE FROM submission_submission WHERE id = '{submission}'"),
        format!("UPDATE submission_source SET text = 'y' WHERE submission_id = '{submission}'"),
        format!("UPDATE submission_judgement SET state = 'judging' WHERE submission_id = '{pending}'"),
        format!("UPDATE submission_judgement SET state = 'judged' WHERE submission_id = '{pending}'"),
        format!(
            "UPDATE submission_judgement SET state = 'abandoned', finished_at_ms = 1 WHERE submission_id = '{pending}'"
        ),
        format!("UPDATE submission_judgement SET generation = 0 WHERE submission_id = '{pending}'"),
        format!(
            "INSERT INTO submission_judgement (id, submission_id, generation, state, faults, created_at_ms)
             VALUES ('{}', '{pending}', 2, 'pending', 0, 1)",
            crate::ids::new_id()
        ),
        format!("UPDATE submission_judge_outbox SET state = 'dead' WHERE submission_id = '{pending}'"),
        format!("UPDATE submission_judge_outbox SET state = 'sent' WHERE submission_id = '{pending}'"),
        "INSERT INTO submission_queue_entry (submission_id, generation, state, enqueued_at_ms)
         VALUES ('s', 1, 'taken', 1)"
            .to_owned(),
    ];
    for sql in statements {
        let text = sql.clone();
        let refused = bench.submissions.store.write("break a rule", move |tx| tx.execute(&sql, [])).await;
        let Err(StoreError::Write { source, .. }) = refused else { panic!("it was taken: {text}") };
        assert_eq!(source.sqlite_error_code(), Some(rusqlite::ErrorCode::ConstraintViolation), "{text}: {source}");
    }
}
