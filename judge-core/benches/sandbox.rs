//! What a test costs in a warm box, as ratios to a bare fork+exec+wait and to the engine's own exec in the same run.
#![expect(clippy::print_stdout, reason = "a bench reports to its reader")]

mod report;
#[path = "../tests/sandbox_conformance/rig.rs"]
#[expect(dead_code, reason = "the suites use more of it")]
mod rig;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bollard::exec::{StartExecOptions, StartExecResults};
use bollard::models::ExecConfig;
use futures_util::StreamExt;
use judge_core::sandbox::{BOX_WORK, Discard, KeepHead, Limits, Outcome, RunStep, Sandbox, SandboxBox, Stdin};

use crate::report::{cores, load, show, target, timed};
use crate::rig::{LIMITS, MIB, Rig, behave};

const TESTS: usize = 400;
const EXECS: usize = 20;
const SUBMISSIONS: usize = 15;
const TESTS_PER_SUBMISSION: usize = 20;
const LARGE_BYTES: usize = 50_000_000;
/// Targets of the sandbox page.
const MOST_FLOORS: f64 = 2.0;
const LEAST_EXEC_RATIO: f64 = 20.0;
const SUBMISSION_TARGET_MS: f64 = 150.0;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    let Some(rig) = Rig::new(4).await else { return };
    let status = rig.sandbox.status().await;
    println!("engine {}, {} cores, load {}", status.engine_version, cores(), load());
    let folder = tempfile::tempdir().expect("a temp folder");
    let mut opened = rig.open().await;
    let program = fetch_probe(&mut opened, folder.path()).await;
    per_test(&mut opened, &program).await;
    large(&mut opened).await;
    drop(opened);
    submissions(&rig).await;
    rig.finish().await;
}

/// Floor, ours and the engine's exec, interleaved so that a busy moment hits all alike.
async fn per_test(opened: &mut Box<dyn SandboxBox>, program: &Path) {
    let (mut floor, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..TESTS {
        floor.push(timed(|| bare(program)));
        let start = Instant::now();
        let report = opened.run(sum(), &mut KeepHead::new(64)).await.expect("a report");
        ours.push(start.elapsed());
        assert_eq!(report.outcome, Outcome::Exited(0));
    }
    let mut exec = Vec::new();
    for _ in 0..EXECS {
        let start = Instant::now();
        engine_exec(opened.id()).await;
        exec.push(start.elapsed());
    }
    let floor = show("bare fork+exec+wait", floor);
    let ours = show("one test in a warm box", ours);
    let exec = show("one engine exec over the API", exec);
    target("test / bare", ours / floor, "<=", MOST_FLOORS);
    target("exec / test", exec / ours, ">=", LEAST_EXEC_RATIO);
}

async fn submissions(rig: &Rig) {
    let mut latencies = Vec::new();
    for _ in 0..SUBMISSIONS {
        while rig.sandbox.status().await.warm_boxes < 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let start = Instant::now();
        let mut opened = rig.open().await;
        for _ in 0..TESTS_PER_SUBMISSION {
            let report = opened.run(sum(), &mut KeepHead::new(64)).await.expect("a report");
            assert_eq!(report.outcome, Outcome::Exited(0));
        }
        latencies.push(start.elapsed());
    }
    let median = show("20-test submission, warm pool", latencies);
    target("submission, ms", median, "<=", SUBMISSION_TARGET_MS);
}

async fn large(opened: &mut Box<dyn SandboxBox>) {
    let limits = Limits { output_bytes: 64 * MIB, cpu_ms: 20_000, ..LIMITS };
    let mut times = Vec::new();
    for _ in 0..5 {
        let stdin = Stdin::Bytes(vec![b'7'; LARGE_BYTES]);
        let start = Instant::now();
        let report = opened.run(RunStep { stdin, limits, ..behave(&["cat"]) }, &mut Discard).await.expect("a report");
        times.push(start.elapsed());
        assert_eq!(report.stdout_bytes, LARGE_BYTES as u64);
    }
    let median = show("50 MB in and 50 MB out", times);
    println!("{:34} {:>10.0} MB/s", "", LARGE_BYTES as f64 / 1e3 / median);
}

fn sum() -> RunStep {
    RunStep { stdin: Stdin::Bytes(b"3 4\n".to_vec()), ..behave(&["sum"]) }
}

fn bare(program: &Path) {
    let status = Command::new(program)
        .args(["exit", "0"])
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .expect("the probe starts");
    assert!(status.success());
}

async fn engine_exec(box_id: &str) {
    let engine = rig::docker();
    let config = ExecConfig {
        attach_stdout: Some(true),
        attach_stderr: Some(true),
        cmd: Some(vec![format!("{BOX_WORK}/behave"), "exit".to_owned(), "0".to_owned()]),
        ..Default::default()
    };
    let exec = engine.create_exec(&format!("agon-{box_id}"), config).await.expect("created");
    let started = engine.start_exec(&exec.id, None::<StartExecOptions>).await.expect("started");
    if let StartExecResults::Attached { mut output, .. } = started {
        while output.next().await.is_some() {}
    }
    let ended = engine.inspect_exec(&exec.id).await.expect("inspected");
    assert_eq!(ended.exit_code, Some(0));
}

/// The probe program on this side: the floor runs the very same file.
async fn fetch_probe(opened: &mut Box<dyn SandboxBox>, folder: &Path) -> std::path::PathBuf {
    let copy = "cp /agon/work/behave /tmp/behave";
    let step = RunStep { keep_files: true, ..rig::step(&["/bin/sh", "-c", copy]) };
    opened.run(step, &mut Discard).await.expect("copied");
    let caps = judge_core::sandbox::CollectCaps { total_bytes: 8 * MIB, files: 1 };
    let files = opened.collect(Path::new("/tmp/behave"), caps).await.expect("collected");
    let path = folder.join("behave");
    std::fs::write(&path, &files[0].bytes).expect("written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, mode).expect("executable");
    path
}
