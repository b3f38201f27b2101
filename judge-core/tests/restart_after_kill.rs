//! kill −9 in the middle of judging: after the next start every acknowledged submission has exactly one verdict.
//!
//! The victim is this test program itself, started again with a folder to work in; its sandbox stops at a run and
//! never returns, so that the kill always comes in mid-judging.

mod judge_support;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use agon_contract::command::{GetPreview, ListSubmissions, StartPreview, WaitEvents};
use agon_contract::event::EventBatch;
use agon_contract::execution::{ExecutionState, PreviewCases};
use agon_contract::ids::{IdempotencyKey, LanguageId, PreviewId, SubmissionId};
use agon_contract::submission::{JudgementState, SourceFile, Stage};
use agon_contract::verdict::Verdict;
use judge_core::sandbox::SandboxError;
use judge_core::sandbox::fake::FakeSandbox;
use judge_core::{Judge, OpenError};
use judge_support::{RIGHT, config, import, obedient, obey, submission, until};

/// Says to the child which folder is its.
const FOLDER: &str = "AGON_TEST_VICTIM_FOLDER";

/// Not a test of its own: the victim's program.
#[test]
fn victim() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else { return };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(8).enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let stuck = FakeSandbox::new(|invocation| {
            if invocation.stdin == b"4 5\n" || invocation.stdin == b"7 7\n" {
                say("stuck");
                loop {
                    std::thread::park();
                }
            }
            obey(invocation)
        });
        let judge = Judge::open(config(&folder.join("data"), &stuck)).await.expect("the folder is free");
        let actor = judge.local_actor();
        let problem = import(&judge, &folder).await;
        for number in 0..3 {
            let key = format!("k{number}");
            let receipt = judge.submit(&actor, submission(&key, &problem, RIGHT)).await.expect("saved");
            say(&format!("saved {}", receipt.submission_id));
        }
        let preview = StartPreview {
            idempotency_key: IdempotencyKey::from("p"),
            problem_id: problem,
            language_id: LanguageId::from("cpp20"),
            files: vec![SourceFile { name: "main.cpp".into(), text: RIGHT.into() }],
            cases: PreviewCases::Custom { input: "7 7\n".into() },
        };
        let preview = judge.start_preview(&actor, preview).await.expect("started");
        say(&format!("preview {}", preview.id));
        std::future::pending::<()>().await;
    });
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // The test harness may have written half a line before.
    writeln!(out, "\nVICTIM {line}").and_then(|()| out.flush()).expect("the parent listens");
}

struct Victim {
    child: Child,
    saved: Vec<SubmissionId>,
    preview: PreviewId,
}

/// Starts the victim and waits until a judging and a preview are stuck in their boxes.
fn start_victim(folder: &Path) -> Victim {
    let program = std::env::current_exe().expect("this program has a path");
    let mut child = Command::new(program)
        .args(["victim", "--exact", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut saved = Vec::new();
    let mut preview = None;
    let mut stuck = 0;
    let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    for line in lines.map(|line| line.expect("text")) {
        match line.strip_prefix("VICTIM ").and_then(|said| said.split_once(' ').or(Some((said, "")))) {
            Some(("saved", id)) => saved.push(SubmissionId::from(id)),
            Some(("preview", id)) => preview = Some(PreviewId::from(id)),
            Some(("stuck", _)) => stuck += 1,
            _ => {}
        }
        if stuck == 2 && saved.len() == 3 && preview.is_some() {
            break;
        }
    }
    Victim { child, saved, preview: preview.expect("the victim said so before it ended") }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_submission_has_one_verdict_after_a_kill_and_a_restart() {
    let folder = tempfile::tempdir().expect("a temp folder");
    let mut victim = start_victim(folder.path());
    let data = folder.path().join("data");

    let refused = Judge::open(config(&data, &obedient())).await.err().expect("the victim lives");
    let OpenError::Occupied { process_id, .. } = &refused else { panic!("{refused}") };
    assert_eq!(*process_id, victim.child.id());
    assert!(refused.to_string().contains("a test"), "{refused}");

    victim.child.kill().expect("SIGKILL");
    victim.child.wait().expect("it is dead");
    let sandbox = obedient();
    let judge = Judge::open(config(&data, &sandbox)).await.expect("the dead hold no lock");
    let actor = judge.local_actor();
    for id in &victim.saved {
        let detail = until(&judge, &actor, id, |detail| detail.summary.progress.stage == Stage::Finished).await;
        assert_eq!(detail.summary.verdict, Some(Verdict::Accepted));
        let verdicts = detail.judgements.iter().filter(|judgement| judgement.verdict.is_some()).count();
        assert_eq!((verdicts, detail.judgements.iter().filter(|judgement| judgement.is_current).count()), (1, 1));
    }
    let interrupted = until(&judge, &actor, &victim.saved[0], |_| true).await;
    assert_eq!(interrupted.judgements.len(), 2, "the first was in its box when the process died");
    assert_eq!(interrupted.judgements[1].state, JudgementState::Abandoned);
    assert_eq!(interrupted.judgements[1].reason, "lease lost");

    let preview =
        judge.get_preview(&actor, GetPreview { preview_id: victim.preview }).await.expect("its receipt is there");
    assert_eq!(preview.state, ExecutionState::Failed);
    assert!(preview.reason.contains("ended while this ran"), "{}", preview.reason);

    let again = judge.submit(&actor, submission("k0", &interrupted.summary.problem_id, RIGHT)).await.expect("known");
    assert!(again.repeated && again.submission_id == victim.saved[0]);
    let all = ListSubmissions { problem_id: None, user_id: None, before_number: None, limit: 200 };
    assert_eq!(judge.list_submissions(&actor, all).await.expect("a page").rows.len(), 3, "none twice");
    judge.close().await;
    assert_eq!(sandbox.boxes_alive(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn closing_hands_running_work_back_and_the_next_start_goes_on() {
    let folder = tempfile::tempdir().expect("a temp folder");
    let data = folder.path().join("data");
    let (reached, mut at_run) = tokio::sync::mpsc::unbounded_channel();
    let (closing, closed) = std::sync::mpsc::channel();
    let closed = std::sync::Mutex::new(closed);
    let slow = FakeSandbox::new(move |invocation| {
        if invocation.stdin == b"4 5\n" {
            let _gone = reached.send(());
            closed.lock().expect("no panic").recv().expect("the test closes the judge");
            return Err(SandboxError::Closed);
        }
        obey(invocation)
    });
    let judge = Judge::open(config(&data, &slow)).await.expect("it opens");
    let actor = judge.local_actor();
    let problem = import(&judge, folder.path()).await;
    let receipt = judge.submit(&actor, submission("k", &problem, RIGHT)).await.expect("saved");
    at_run.recv().await.expect("a run began");
    // A long poll ends when the judge begins to close; only then does the run see its box gone.
    let now = judge.wait_events(&actor, WaitEvents { after_seq: -1, progress_counter: 0, wait_ms: 0 });
    let mut seen = now.await.expect("events");
    let close = tokio::spawn({
        let judge = judge.clone();
        async move { judge.close().await }
    });
    while !is_closing(&judge, &mut seen).await {}
    closing.send(()).expect("the run waits");
    close.await.expect("no panic");
    assert_eq!(slow.boxes_alive(), 0);

    let judge = Judge::open(config(&data, &obedient())).await.expect("the folder is free");
    let finished =
        |detail: &agon_contract::submission::SubmissionDetail| detail.summary.progress.stage == Stage::Finished;
    let detail = until(&judge, &actor, &receipt.submission_id, finished).await;
    assert_eq!(detail.summary.verdict, Some(Verdict::Accepted));
    assert_eq!(detail.judgements.len(), 2);
    assert_eq!(detail.judgements[1].reason, "handed back at closing");
    judge.close().await;
}

/// Waits for the answer without news that a long poll gets from a closing judge.
async fn is_closing(judge: &Judge, seen: &mut EventBatch) -> bool {
    let request = WaitEvents { after_seq: seen.last_seq, progress_counter: seen.progress_counter, wait_ms: 30_000 };
    let batch = judge.wait_events(&judge.local_actor(), request).await.expect("events");
    let has_news = !batch.events.is_empty() || batch.progress_counter != seen.progress_counter;
    *seen = batch;
    !has_news
}
