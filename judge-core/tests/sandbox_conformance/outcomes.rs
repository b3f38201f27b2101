//! What a program does and what the sandbox calls it: the outcome table, row by row.

use std::time::Duration;

use judge_core::sandbox::{Limits, Outcome, RunReport, RunStep, Stdin};

use crate::rig::{LIMITS, MIB, Rig, behave, docker, run, step};

/// Runs one behaviour in a box of its own backend under these limits.
async fn outcome_of(rig: &Rig, arguments: &[&str], limits: Limits) -> (RunReport, String) {
    let mut opened = rig.open().await;
    let seen = run(&mut opened, RunStep { limits, ..behave(arguments) }).await;
    let (sum, output) = run(&mut opened, RunStep { stdin: Stdin::Bytes(b"3 4".to_vec()), ..behave(&["sum"]) }).await;
    assert_eq!((sum.outcome, output.as_str()), (Outcome::Exited(0), "7\n"), "the next test after {arguments:?}");
    opened.destroy().await;
    seen
}

#[tokio::test(flavor = "multi_thread")]
async fn each_behaviour_has_its_outcome_and_the_next_test_is_normal() {
    let Some(rig) = Rig::new(0).await else { return };
    let short = Limits { cpu_ms: 300, wall_ms: 900, ..LIMITS };
    let little_cpu = Limits { cpu_ms: 300, wall_ms: 60_000, ..LIMITS };
    let rows: &[(&[&str], Limits, Outcome)] = &[
        (&["exit", "0"], LIMITS, Outcome::Exited(0)),
        (&["exit", "1"], LIMITS, Outcome::Exited(1)),
        (&["exit", "137"], LIMITS, Outcome::Exited(137)),
        (&["exit", "125"], LIMITS, Outcome::Exited(125)),
        (&["exit", "127"], LIMITS, Outcome::Exited(127)),
        (&["print-exit", "1", "OCI runtime create failed: out of memory"], LIMITS, Outcome::Exited(1)),
        (&["print-exit", "126", "exec format error"], LIMITS, Outcome::Exited(126)),
        (&["segv"], LIMITS, Outcome::Signalled(11)),
        (&["fpe"], LIMITS, Outcome::Signalled(8)),
        (&["abort"], LIMITS, Outcome::Signalled(6)),
        (&["raise", "9"], LIMITS, Outcome::Signalled(9)),
        (&["raise", "15"], LIMITS, Outcome::Signalled(15)),
        (&["raise", "24"], LIMITS, Outcome::Signalled(24)),
        (&["malloc-huge"], LIMITS, Outcome::Signalled(6)),
        (&["spin"], little_cpu, Outcome::CpuLimit),
        (&["spin-many", "6"], little_cpu, Outcome::CpuLimit),
        (&["sleep", "10000"], short, Outcome::WallLimit),
        (&["touch", "600"], LIMITS, Outcome::MemoryLimit),
        (&["child-oom", "600"], LIMITS, Outcome::MemoryLimit),
        (&["static-array"], LIMITS, Outcome::MemoryLimit),
        (&["stack", "64"], LIMITS, Outcome::Exited(0)),
        (&["flood"], LIMITS, Outcome::OutputLimit),
        (&["flood-lines"], LIMITS, Outcome::OutputLimit),
        (&["flood-err"], LIMITS, Outcome::OutputLimit),
        (&["big-file", "48"], LIMITS, Outcome::OutputLimit),
        (&["fork-bomb"], LIMITS, Outcome::ProcessLimit),
        (&["fork-try", "100"], LIMITS, Outcome::ProcessLimit),
        (&["fork-ok", "200"], LIMITS, Outcome::Exited(0)),
        (&["print-exit", "1", "Cannot fork"], LIMITS, Outcome::Exited(1)),
        (&["zombies", "100"], LIMITS, Outcome::Exited(0)),
        (&["close-stdin"], LIMITS, Outcome::Exited(0)),
        (&["close-stdout"], LIMITS, Outcome::Exited(0)),
        (&["hold-stdout"], LIMITS, Outcome::Exited(0)),
    ];
    for (arguments, limits, outcome) in rows {
        let (report, _output) = outcome_of(&rig, arguments, *limits).await;
        assert_eq!(report.outcome, *outcome, "{arguments:?}: {report:?}");
    }
    rig.finish().await;
}

/// S19: a sleeper is stopped by the wall, and both times are there to be shown.
#[tokio::test(flavor = "multi_thread")]
async fn a_sleeper_shows_little_cpu_and_the_wall_it_used() {
    let Some(rig) = Rig::new(0).await else { return };
    let limits = Limits { cpu_ms: 1000, wall_ms: 1200, ..LIMITS };
    let (report, _output) = outcome_of(&rig, &["sleep", "10000"], limits).await;
    assert_eq!(report.outcome, Outcome::WallLimit);
    assert!(report.wall_ms() >= 1200, "{report:?}");
    assert!(report.cpu_ms() < 200, "{report:?}");
    rig.finish().await;
}

/// S20: what is shown is what was compared, so a time limit never shows a time below it.
#[tokio::test(flavor = "multi_thread")]
async fn cpu_is_the_sum_of_user_and_system_over_all_processes() {
    let Some(rig) = Rig::new(0).await else { return };
    let limits = Limits { cpu_ms: 200, wall_ms: 60_000, ..LIMITS };
    for arguments in [&["spin-many", "4"][..], &["flush-lines", "100000000"], &["burn", "400"]] {
        let (report, _output) = outcome_of(&rig, arguments, Limits { output_bytes: 1 << 40, ..limits }).await;
        assert_eq!(report.outcome, Outcome::CpuLimit, "{arguments:?}: {report:?}");
        assert!(report.cpu_ms() > 200, "{arguments:?}: {report:?}");
    }
    let (report, _output) = outcome_of(&rig, &["burn", "150"], LIMITS).await;
    assert!((150..400).contains(&report.cpu_ms()), "{report:?}");
    rig.finish().await;
}

/// S18 with its own numbers: 10⁸ × 8 bytes touched under 512 MiB.
#[tokio::test(flavor = "multi_thread")]
async fn a_huge_static_array_is_named_as_memory() {
    let Some(rig) = Rig::new(0).await else { return };
    let limits = Limits { memory_bytes: 512 * MIB, cpu_ms: 5000, wall_ms: 20_000, ..LIMITS };
    let (report, _output) = outcome_of(&rig, &["static-array"], limits).await;
    assert_eq!(report.outcome, Outcome::MemoryLimit, "{report:?}");
    assert!(report.peak_memory_bytes > 480 * MIB, "{report:?}");
    let enough = Limits { memory_bytes: 900 * MIB, ..limits };
    let (report, _output) = outcome_of(&rig, &["static-array"], enough).await;
    assert_eq!(report.outcome, Outcome::Exited(0), "{report:?}");
    rig.finish().await;
}

/// Peak memory: of one process, of many, and of a small run after a large one in the same box.
#[tokio::test(flavor = "multi_thread")]
async fn peak_memory_is_the_runs_own() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let mut peak = async |arguments: &[&str]| {
        let (report, _output) = run(&mut opened, behave(arguments)).await;
        assert_eq!(report.outcome, Outcome::Exited(0), "{arguments:?}: {report:?}");
        report.peak_memory_bytes / MIB
    };
    let small = peak(&["exit", "0"]).await;
    assert!(small < 8, "an empty program: {small} MiB");
    let one = peak(&["touch", "50"]).await;
    assert!((50..56).contains(&one), "one process: {one} MiB");
    let four = peak(&["child-touch", "20"]).await;
    assert!((78..96).contains(&four), "four children of 20 MiB: {four} MiB");
    let again = peak(&["touch", "10"]).await;
    assert!((10..16).contains(&again), "a small run after a large one: {again} MiB");
    opened.destroy().await;
    rig.finish().await;
}

/// S28: a limit of one run is not the next run's. S27: limits below what a program needs are named or harmless.
#[tokio::test(flavor = "multi_thread")]
async fn limits_belong_to_one_run() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let mut under = async |arguments: &[&str], memory_bytes, processes| {
        let limits = Limits { memory_bytes, processes, ..LIMITS };
        run(&mut opened, RunStep { limits, ..behave(arguments) }).await.0.outcome
    };
    assert_eq!(under(&["touch", "40"], 12 * MIB, 8).await, Outcome::MemoryLimit);
    assert_eq!(under(&["touch", "40"], 128 * MIB, 8).await, Outcome::Exited(0));
    assert_eq!(under(&["fork-try", "20"], 128 * MIB, 8).await, Outcome::ProcessLimit);
    assert_eq!(under(&["fork-try", "20"], 128 * MIB, 32).await, Outcome::Exited(0));
    let tiny = under(&["exit", "0"], MIB, 8).await;
    assert!(matches!(tiny, Outcome::Exited(0) | Outcome::MemoryLimit), "an empty main under 1 MiB: {tiny:?}");
    opened.destroy().await;
    rig.finish().await;
}

/// What cannot be started is ours to explain: the errno says what is wrong with the artefact.
#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_cannot_start_is_a_launch_failure_with_its_errno() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    for (name, bytes, executable) in [("bad-elf", &b"\x7fELF nonsense"[..], true), ("text", b"no program", false)] {
        let file = judge_core::sandbox::WorkFile {
            relative_path: name.into(),
            content: judge_core::sandbox::Content::Bytes(bytes.to_vec()),
            executable,
        };
        opened.put(file).await.expect("put");
    }
    let rows = [
        ("/agon/work/absent", libc_errno("ENOENT")),
        ("/agon/work/bad-elf", libc_errno("ENOEXEC")),
        ("/agon/work/text", libc_errno("EACCES")),
        ("/tmp", libc_errno("EACCES")),
    ];
    for (program, errno) in rows {
        let (report, _output) = run(&mut opened, step(&[program])).await;
        assert_eq!(report.outcome, Outcome::LaunchFailed(errno), "{program}");
    }
    let nowhere = RunStep { working_dir: "/absent".into(), ..behave(&["exit", "0"]) };
    let (report, _output) = run(&mut opened, nowhere).await;
    assert_eq!(report.outcome, Outcome::LaunchFailed(libc_errno("ENOENT")));
    opened.destroy().await;
    rig.finish().await;
}

fn libc_errno(name: &str) -> i32 {
    match name {
        "ENOENT" => 2,
        "ENOEXEC" => 8,
        "EACCES" => 13,
        other => panic!("{other} is not in this table"),
    }
}

/// What a program finds around itself: its limits, no stray descriptors, default signals, the environment it was given.
#[tokio::test(flavor = "multi_thread")]
async fn a_program_starts_with_a_plain_world() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let mut says = async |arguments: &[&str]| run(&mut opened, behave(arguments)).await.1;
    let stack = LIMITS.memory_bytes;
    let files = LIMITS.file_bytes;
    assert_eq!(says(&["limits"]).await, format!("nofile 64\ncore 1\nstack {stack}\nfsize {files}\n"));
    assert_eq!(says(&["fds"]).await, "");
    assert_eq!(says(&["many-files"]).await, "61\n", "64 less the three standard ones");
    assert_eq!(says(&["sigpipe"]).await, "default 0\n");
    assert_eq!(says(&["env"]).await, "PATH=/usr/bin:/bin\n/tmp\n1 60600\n");
    opened.destroy().await;
    rig.finish().await;
}

/// S22: a machine that stands still for two seconds makes nobody late, and the run is marked for repetition.
#[tokio::test(flavor = "multi_thread")]
async fn a_stalled_machine_is_not_the_programs_time() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let name = format!("agon-{}", opened.id());
    let stall = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        docker().pause_container(&name).await.expect("paused");
        tokio::time::sleep(Duration::from_secs(2)).await;
        docker().unpause_container(&name).await.expect("unpaused");
    });
    let limits = Limits { cpu_ms: 1000, wall_ms: 1500, ..LIMITS };
    let (report, _output) = run(&mut opened, RunStep { limits, ..behave(&["sleep", "1200"]) }).await;
    assert_eq!(report.outcome, Outcome::Exited(0), "{report:?}");
    assert!(report.disturbed && report.wall_ms() > 1500, "{report:?}");
    stall.await.expect("it ends");
    opened.destroy().await;
    rig.finish().await;
}
