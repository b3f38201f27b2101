//! What was submitted is judged once, whatever happens to the judge or to the engine meanwhile.

use std::time::Duration;

use agon_contract::command::{GetOutboxCounts, GetSandboxStatus};
use agon_contract::ids::SubmissionId;
use agon_contract::sandbox::SandboxHealth;
use agon_contract::submission::{JudgementState, Stage};
use agon_contract::verdict::Verdict;
use agon_tests::cli::agon;
use agon_tests::engine::Engine;
use agon_tests::problem::{SUMS, write_sums};
use agon_tests::programs::{RIGHT, SLOW};
use agon_tests::rooms::TempData;
use agon_tests::serve::{JUDGED_WITHIN, Serve};
use agon_tests::{part, parts, wait};

const SECRET_CASES: u32 = 24;
/// The engine's health is looked at every few seconds.
const NOTICED_WITHIN: Duration = Duration::from_secs(60);

fn import_sums(place: &TempData) {
    let package = write_sums(&place.path().join("home"), SECRET_CASES);
    let said = agon(place, &["import", &package.to_string_lossy()]).expect("agon was there a moment ago");
    assert_eq!(said.code, 0, "{said:#?}");
}

/// Waits until a judging is well under way: some tests are done, some are not.
fn wait_until_running(server: &Serve, id: &SubmissionId) {
    wait::until("a judging under way", JUDGED_WITHIN, || {
        let progress = server.submission(id).summary.progress;
        let under_way = progress.stage == Stage::Running && (2..SECRET_CASES).contains(&progress.runs_done);
        if under_way { Ok(()) } else { Err(format!("{progress:?}")) }
    });
}

/// Whatever was tried before, exactly one judgement has a verdict, and it counts.
fn assert_judged_once(server: &Serve, id: &SubmissionId) {
    let (verdict, judgement) = server.verdict(id);
    assert_eq!(verdict, Verdict::Accepted, "{judgement:#?}");
    let judgements = server.submission(id).judgements;
    let judged: Vec<_> = judgements.iter().filter(|one| one.state == JudgementState::Judged).collect();
    assert_eq!(judged.len(), 1, "{judgements:#?}");
    assert!(judged[0].is_current, "{judgements:#?}");
    for other in judgements.iter().filter(|one| one.state != JudgementState::Judged) {
        assert_eq!((&other.state, &other.verdict), (&JudgementState::Abandoned, &None), "{judgements:#?}");
    }
}

#[test]
fn kill_nine_in_mid_judging_costs_no_submission_and_doubles_none() {
    part!(parts::sandbox());
    part!(parts::headless());
    let place = TempData::new();
    import_sums(&place);
    let mut server = part!(Serve::start(&place));
    let problem = server.problem(SUMS);
    let receipts = [SLOW, SLOW, SLOW].map(|program| server.submit(&problem, program));
    wait_until_running(&server, &receipts[0].submission_id);
    let later = server.submission(&receipts[2].submission_id);
    assert_eq!(later.summary.verdict, None, "the third still waits");
    server.process().crash();
    drop(server);

    let server = part!(Serve::start(&place));
    for receipt in &receipts {
        assert_judged_once(&server, &receipt.submission_id);
    }
    server.stop();
    place.assert_nothing_left();
}

#[test]
fn a_server_that_is_asked_to_stop_hands_its_work_back() {
    part!(parts::sandbox());
    part!(parts::headless());
    let place = TempData::new();
    import_sums(&place);
    let server = part!(Serve::start(&place));
    let receipt = server.submit(&server.problem(SUMS), SLOW);
    wait_until_running(&server, &receipt.submission_id);
    server.stop();
    assert_eq!(place.boxes(), Vec::<String>::new(), "an orderly end leaves no box for a later sweep");

    let server = part!(Serve::start(&place));
    assert_judged_once(&server, &receipt.submission_id);
    server.stop();
    place.assert_nothing_left();
}

#[test]
fn an_engine_that_goes_away_is_nobodys_run_time_error() {
    part!(parts::sandbox());
    part!(parts::headless());
    let mut place = TempData::new();
    import_sums(&place);
    let server = part!(Serve::start(&place));
    let image = server.call(&GetSandboxStatus {}).expect("a status").image;
    server.stop();

    let mut engine = part!(Engine::start_own(&image));
    place.use_engine(&engine.address());
    let server = part!(Serve::start(&place));
    let problem = server.problem(SUMS);
    let running = server.submit(&problem, SLOW);
    let queued = server.submit(&problem, RIGHT);
    wait_until_running(&server, &running.submission_id);
    engine.stop();

    for receipt in [&running, &queued] {
        wait::until("the submission to wait for the engine", NOTICED_WITHIN, || {
            let summary = server.submission(&receipt.submission_id).summary;
            assert_eq!(summary.verdict, None, "no verdict without an engine");
            let waits = summary.progress.stage == Stage::WaitingForSandbox && !summary.progress.reason.is_empty();
            if waits { Ok(()) } else { Err(format!("{:?}", summary.progress)) }
        });
    }
    wait::until("the indicator to say so", NOTICED_WITHIN, || {
        let status = server.call(&GetSandboxStatus {}).expect("a status");
        let paused = server.call(&GetOutboxCounts {}).expect("counts").paused_reason;
        let says_so = status.health == SandboxHealth::EngineAway && !status.message.is_empty() && !paused.is_empty();
        if says_so { Ok(()) } else { Err(format!("{status:?} {paused:?}")) }
    });

    engine.start();
    for receipt in [&running, &queued] {
        assert_judged_once(&server, &receipt.submission_id);
    }
    server.stop();
    // Boxes that could not be removed while the engine was away are left to the next start.
    let server = part!(Serve::start(&place));
    wait::until("boxes of the time without an engine to be swept", NOTICED_WITHIN, || {
        let dead: Vec<_> = place.boxes().into_iter().filter(|line| line.contains("Exited")).collect();
        if dead.is_empty() { Ok(()) } else { Err(dead.join("\n")) }
    });
    server.stop();
    place.assert_nothing_left();
}
