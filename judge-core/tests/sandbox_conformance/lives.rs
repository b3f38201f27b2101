//! Boxes come, work and go: pool, cancellation, crash, sweep, and a hundred submissions.

use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::StreamExt;
use judge_core::sandbox::docker::{DockerSandbox, DockerSettings};
use judge_core::sandbox::{BoxPurpose, Discard, Outcome, RunStep, Sandbox, SandboxHealth, Stdin};

use crate::rig::{LIMITS, Rig, behave, boxes_below, run};

/// Waits for what the background does, without a fixed pause.
async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..600 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{what} did not come true");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pool_fills_gives_and_refills_and_ends_empty() {
    let Some(rig) = Rig::new(2).await else { return };
    rig.sandbox.prewarm(&rig.spec(BoxPurpose::Run));
    let warm = async || rig.sandbox.status().await.warm_boxes;
    eventually("two warm boxes", async || warm().await == 2).await;
    let first = rig.sandbox.open(&rig.spec(BoxPurpose::Run)).await.expect("a warm box");
    assert!(warm().await <= 2);
    eventually("a refilled pool", async || warm().await == 2).await;
    assert_eq!(boxes_below(rig.root.path()).await.len(), 3);
    first.destroy().await;
    rig.sandbox.close().await;
    let closed = rig.sandbox.open(&rig.spec(BoxPurpose::Run)).await.err().expect("closed");
    assert_eq!(closed.code(), "closed");
    assert_ne!(rig.sandbox.status().await.health, SandboxHealth::Ready);
    rig.finish().await;
}

/// S32: stopping a run ends it at once; the box is gone for the caller and then for the engine.
#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_run_kills_its_box() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let endless = RunStep {
        limits: judge_core::sandbox::Limits { cpu_ms: 100_000, wall_ms: 300_000, ..LIMITS },
        ..behave(&["spin"])
    };
    let name = format!("agon-{}", opened.id());
    let mut sink = Discard;
    let stopped = tokio::time::timeout(Duration::from_millis(500), opened.run(endless, &mut sink)).await;
    assert!(stopped.is_err(), "it would have run on");
    assert!(!opened.is_usable());
    let state = async || {
        let inspected = crate::rig::docker().inspect_container(&name, None).await.expect("it is still listed");
        inspected.state.and_then(|state| state.running).unwrap_or(false)
    };
    eventually("the end of the box", async || !state().await).await;
    drop(opened);
    eventually("the removal of the box", async || boxes_below(rig.root.path()).await.is_empty()).await;
    rig.finish().await;
}

/// A caller that goes away in mid-opening, as a worker does at the end of the program, leaves no box: the engine would
/// create one all the same. Seen in the story of a power loss, one time in many.
#[tokio::test(flavor = "multi_thread")]
async fn an_opening_whose_caller_goes_away_leaves_no_box() {
    let Some(rig) = Rig::new(0).await else { return };
    let spec = rig.spec(BoxPurpose::Run);
    // Each time the caller waits a little longer, through looking for the image, creation, start and hand-shake.
    for patience_ms in [0, 2, 5, 10, 20, 40, 80, 120, 160, 240, 320] {
        let opened = tokio::time::timeout(Duration::from_millis(patience_ms), rig.sandbox.open(&spec)).await;
        drop(opened);
    }
    rig.finish().await;
}

/// A killed process leaves boxes and folders behind; the next start removes them and nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn a_sweep_removes_what_a_crash_left_and_spares_the_living() {
    let Some(rig) = Rig::new(0).await else { return };
    let opened = rig.open().await;
    crash_with_an_open_box(rig.root.path()).await;
    assert_eq!(boxes_below(rig.root.path()).await.len(), 3);
    assert_eq!(instances(&rig).len(), 2);
    let removed = rig.sandbox.sweep_orphans().await.expect("swept");
    assert!(removed >= 2, "{removed}: the instance's second box goes too, though its folder went with the first");
    assert_eq!(boxes_below(rig.root.path()).await, [format!("/agon-{}", opened.id())]);
    assert_eq!(instances(&rig).len(), 1, "the dead instance's folder is gone, the living one's is not");
    opened.destroy().await;
    rig.finish().await;
}

fn instances(rig: &Rig) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(&rig.settings.work_root).expect("the work root is there");
    entries.flatten().map(|entry| entry.path()).collect()
}

/// Starts this test program as another process that opens two boxes, and kills it with SIGKILL.
async fn crash_with_an_open_box(root: &Path) {
    let ready = root.join("ready");
    let program = std::env::current_exe().expect("this program has a path");
    let mut child = std::process::Command::new(program)
        .args(["--exact", "lives::another_process_that_will_be_killed", "--ignored"])
        .env(CRASH_ROOT, root)
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("it starts");
    eventually("a box of the other process", async || ready.exists()).await;
    child.kill().expect("killed");
    child.wait().expect("reaped");
}

const CRASH_ROOT: &str = "AGON_TEST_CRASH_ROOT";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "started by the sweep's test as a process of its own"]
async fn another_process_that_will_be_killed() {
    let Some(root) = std::env::var_os(CRASH_ROOT).map(PathBuf::from) else { return };
    let Some(rig) = Rig::new(0).await else { return };
    let settings = DockerSettings { work_root: root.join("boxes"), ..rig.settings.clone() };
    let sandbox = DockerSandbox::new(settings);
    let _first = sandbox.open(&rig.spec(BoxPurpose::Run)).await.expect("a box opens");
    let second = sandbox.open(&rig.spec(BoxPurpose::Run)).await.expect("a second box opens");
    std::fs::write(root.join("ready"), second.id()).expect("written");
    std::future::pending::<()>().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_submissions_of_twenty_tests_leave_nothing() {
    let Some(rig) = Rig::new(4).await else { return };
    rig.sandbox.prewarm(&rig.spec(BoxPurpose::Run));
    let submissions = (0..100).map(async |number: u32| {
        let mut opened = rig.open().await;
        for test in 0..20 {
            let stdin = Stdin::Bytes(format!("{number} {test}").into_bytes());
            let (report, output) = run(&mut opened, RunStep { stdin, ..behave(&["sum"]) }).await;
            assert_eq!(report.outcome, Outcome::Exited(0));
            assert_eq!(output, format!("{}\n", number + test));
        }
    });
    futures_util::stream::iter(submissions).buffer_unordered(2).collect::<Vec<()>>().await;
    rig.finish().await;
}
