//! The self-test against a scripted sandbox: what is wrong is red, alone, and says what to do.

use std::path::Path;
use std::sync::Arc;

use agon_contract::sandbox::{ProtectionState, SandboxHealth, SandboxStatus, SelfTestItem};
use async_trait::async_trait;
use tempfile::TempDir;

use super::bench::Bench;
use super::isolation::{self, WALLS};
use super::ledger::Ledger;
use super::limits::{self, PROVOCATIONS};
use super::{Parts, answers, backend, protections, run, toolchains};
use crate::clock::SystemClock;
use crate::judging::languages;
use crate::sandbox::fake::{FakeInvocation, FakeRun, FakeSandbox};
use crate::sandbox::{
    BoxPurpose, BoxSpec, CollectedFile, ImageRef, Outcome, Protection, Sandbox, SandboxBox, SandboxError,
};

type Answer = Result<FakeRun, SandboxError>;
type End = fn() -> FakeRun;

/// A machine on which everything is as it should be.
fn healthy(invocation: &FakeInvocation) -> Answer {
    let program = invocation.argv.last().expect("a program").as_str();
    let provoked = PROVOCATIONS.iter().find(|one| one.program == program).map(|one| one.expected);
    Ok(match provoked {
        Some(Outcome::Exited(0)) => FakeRun::prints("normal\n"),
        Some(outcome) => FakeRun::ends(outcome),
        None => FakeRun::prints("held\n"),
    })
}

/// The same machine with its toolchains.
fn complete(invocation: &FakeInvocation) -> Answer {
    if invocation.argv.last().is_some_and(|last| last == "--version") {
        return Ok(FakeRun::prints("compiler 1.2.3\nlicence\n"));
    }
    if invocation.spec.purpose == BoxPurpose::Compile {
        let program = CollectedFile { relative_path: "/tmp/program".into(), bytes: b"ELF".to_vec(), executable: true };
        return Ok(FakeRun { files: vec![program], ..FakeRun::prints("") });
    }
    match invocation.stdin.as_slice() {
        b"20 22\n" => Ok(FakeRun::prints("hello 42\n")),
        b"hunt\n" => Ok(FakeRun::prints("nothing in 9 files\n")),
        _ => healthy(invocation),
    }
}

/// The whole self-test on a scripted machine.
async fn try_all(script: impl Fn(&FakeInvocation) -> Answer + Send + Sync + 'static) -> Vec<SelfTestItem> {
    let sandbox = FakeSandbox::new(script);
    let (_folder, parts) = parts(Arc::new(sandbox.clone()));
    let report = run(&parts, &|_| {}).await;
    assert_eq!(report.passed, report.items.iter().all(|item| item.passed));
    assert_eq!(sandbox.boxes_alive(), 0, "a box was left");
    report.items
}

fn parts(sandbox: Arc<dyn Sandbox>) -> (TempDir, Parts) {
    let folder = tempfile::tempdir().expect("a temp folder");
    let supervisor = folder.path().join("agon-supervisor");
    std::fs::write(&supervisor, agon_supervisor::wire::PROGRAM_MARK).expect("written");
    let parts = Parts {
        sandbox,
        image: ImageRef { reference: "agon-sandbox:test".into(), id: None },
        supervisor,
        data_folder: folder.path().to_owned(),
        clock: Arc::new(SystemClock::new()),
    };
    (folder, parts)
}

/// Runs the walls and the limits in one box, as the whole self-test does.
async fn try_box(sandbox: &FakeSandbox) -> Vec<SelfTestItem> {
    let (_folder, parts) = parts(Arc::new(sandbox.clone()));
    let mut ledger = Ledger::new(parts.clock.as_ref(), &|_| {});
    let mut bench = Bench::new(&parts, BoxPurpose::Run);
    isolation::look(&mut bench, &mut ledger).await;
    limits::look(&mut bench, &mut ledger).await;
    bench.close().await;
    assert_eq!(sandbox.boxes_alive(), 0, "a box was left");
    ledger.close()
}

fn red(items: &[SelfTestItem]) -> Vec<&str> {
    items.iter().filter(|item| !item.passed).map(|item| item.name.as_str()).collect()
}

/// A sandbox in which the program with this text ends differently.
fn except(program: &'static str, answer: impl Fn() -> Answer + Send + Sync + 'static) -> FakeSandbox {
    FakeSandbox::new(move |invocation| {
        if invocation.argv.last().is_some_and(|last| last == program) { answer() } else { healthy(invocation) }
    })
}

#[tokio::test]
async fn a_healthy_box_is_green_throughout_and_only_one_is_used() {
    let sandbox = FakeSandbox::new(healthy);
    let items = try_box(&sandbox).await;
    assert_eq!(red(&items), Vec::<&str>::new());
    assert_eq!(items.len(), WALLS.len() + PROVOCATIONS.len());
    assert_eq!(sandbox.boxes_opened(), 1);
}

#[tokio::test]
async fn each_wall_that_is_down_is_red_alone_with_the_hole_and_a_remedy() {
    for wall in &WALLS {
        let hole = || Ok(FakeRun { outcome: Outcome::Exited(1), ..FakeRun::prints("a hole\nmore\n") });
        let items = try_box(&except(wall.program, hole)).await;
        assert_eq!(red(&items), [wall.name]);
        let item = items.iter().find(|item| !item.passed).expect("one is red");
        assert_eq!(item.detail, "a hole");
        assert!(!item.remedy.is_empty());
    }
}

#[tokio::test]
async fn a_probe_that_did_not_finish_proves_nothing() {
    let ends: [End; 4] = [
        || FakeRun::prints(""),
        || FakeRun::ends(Outcome::Exited(1)),
        || FakeRun { stderr: b"Traceback\nNameError: x\n".to_vec(), ..FakeRun::ends(Outcome::Exited(2)) },
        || FakeRun::ends(Outcome::Signalled(11)),
    ];
    for end in ends {
        let items = try_box(&except(WALLS[0].program, move || Ok(end()))).await;
        assert_eq!(red(&items), [WALLS[0].name], "{:?}", end());
    }
}

#[tokio::test]
async fn each_limit_that_ends_as_anything_else_is_red() {
    let outcomes = [
        Outcome::Exited(0),
        Outcome::Exited(1),
        Outcome::Exited(137),
        Outcome::Signalled(9),
        Outcome::CpuLimit,
        Outcome::WallLimit,
        Outcome::MemoryLimit,
        Outcome::OutputLimit,
        Outcome::ProcessLimit,
        Outcome::LaunchFailed(2),
    ];
    for provocation in &PROVOCATIONS {
        for outcome in outcomes {
            let items = try_box(&except(provocation.program, move || Ok(FakeRun::ends(outcome)))).await;
            // `exit_0` and `after_fork_bomb` are one program; one that prints nothing is not normal either.
            let names = PROVOCATIONS.iter().filter(|one| one.program == provocation.program).map(|one| one.name);
            let is_right = outcome == provocation.expected && outcome != Outcome::Exited(0);
            let expected: Vec<&str> = if is_right { Vec::new() } else { names.collect() };
            assert_eq!(red(&items), expected, "{} ends as {outcome:?}", provocation.name);
            assert!(
                items.iter().all(|item| item.passed == item.remedy.is_empty()),
                "red ones have a remedy: {items:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_wrong_end_on_a_busy_machine_is_tried_again_before_it_counts() {
    let limit_cpu = PROVOCATIONS.iter().find(|one| one.name == "limit_cpu").expect("it is there").program;
    let idle = || FakeRun { disturbed: true, ..FakeRun::ends(Outcome::WallLimit) };
    let runs = std::sync::atomic::AtomicUsize::new(0);
    let once = except(limit_cpu, move || match runs.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
        0 => Ok(idle()),
        _ => Ok(FakeRun::ends(Outcome::CpuLimit)),
    });
    assert_eq!(red(&try_box(&once).await), Vec::<&str>::new());
    let always = except(limit_cpu, move || Ok(idle()));
    let items = try_box(&always).await;
    assert_eq!(red(&items), ["limit_cpu"]);
    assert!(items.iter().any(|item| item.remedy.contains("come to rest")), "{items:?}");
    assert_eq!(always.runs(), once.runs() + 1, "three attempts, not for ever");
}

#[tokio::test]
async fn a_box_that_dies_costs_one_item_and_the_next_gets_a_fresh_one() {
    let died = || Err(SandboxError::BoxDied { box_id: "fake-0".into(), detail: "gone".into() });
    let sandbox = except(WALLS[2].program, died);
    let items = try_box(&sandbox).await;
    assert_eq!(red(&items), [WALLS[2].name]);
    assert_eq!(sandbox.boxes_opened(), 2);
}

#[tokio::test]
async fn an_engine_that_goes_away_midway_leaves_the_rest_not_run() {
    let away = || Err(SandboxError::EngineUnreachable { operation: "run", detail: "no socket".into() });
    let sandbox = except(WALLS[4].program, away);
    let items = try_box(&sandbox).await;
    assert!(items[..4].iter().all(|item| item.passed), "{items:?}");
    assert!(items[4].detail.contains("no socket"), "{:?}", items[4]);
    assert!(items[5..].iter().all(|item| !item.passed && item.detail == "not run: engine away"), "{items:?}");
    assert_eq!(sandbox.runs(), 5, "nothing was tried after it");
}

#[tokio::test]
async fn with_the_engine_away_everything_is_told_at_once_and_nothing_is_tried() {
    let sandbox = FakeSandbox::new(healthy);
    sandbox.set_away(Some("no socket"));
    let (_folder, parts) = parts(Arc::new(sandbox.clone()));
    let heard = std::sync::Mutex::new(0);
    let report = run(&parts, &|_| *heard.lock().expect("no panic") += 1).await;
    assert!(!report.passed);
    assert_eq!(report.sandbox.health, SandboxHealth::EngineAway);
    assert_eq!(report.items[0].name, "engine");
    assert!(report.items[0].detail.contains("no socket") && report.items[0].remedy.contains("systemctl start"));
    let mut expected: Vec<String> = ["image", "box"].map(str::to_owned).to_vec();
    expected.extend(WALLS.iter().map(|wall| wall.name.to_owned()));
    expected.extend(PROVOCATIONS.iter().map(|one| one.name.to_owned()));
    expected.extend(languages().iter().map(|language| toolchains::item_name(language)));
    expected.extend([answers::NAME, "calibration"].map(str::to_owned));
    let is_not_run = |item: &&SelfTestItem| item.detail == "not run: engine away" && !item.passed;
    let not_run: Vec<&str> = report.items.iter().filter(is_not_run).map(|item| item.name.as_str()).collect();
    assert_eq!(not_run, expected);
    let green: Vec<&str> = report.items.iter().filter(|item| item.passed).map(|item| item.name.as_str()).collect();
    assert_eq!(green, ["supervisor", "clock", "disk"], "what needs no engine is still tried");
    assert_eq!(*heard.lock().expect("no panic"), report.items.len());
    assert_eq!((sandbox.boxes_opened(), sandbox.runs()), (0, 0));
}

#[tokio::test]
async fn a_complete_machine_is_green_in_the_order_of_causes() {
    let items = try_all(complete).await;
    assert_eq!(red(&items), Vec::<&str>::new());
    let mut expected: Vec<String> = ["engine", "image", "supervisor", "box"].map(str::to_owned).to_vec();
    expected.extend(WALLS.iter().map(|wall| wall.name.to_owned()));
    expected.extend(PROVOCATIONS.iter().map(|one| one.name.to_owned()));
    expected.extend(languages().iter().map(|language| toolchains::item_name(language)));
    expected.extend([answers::NAME, "calibration", "clock", "disk"].map(str::to_owned));
    let names: Vec<&str> = items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, expected);
    let item = |name: &str| items.iter().find(|item| item.name == name).expect("it is there");
    assert!(item("toolchain_rust").detail.starts_with("compiler 1.2.3; compiled in 1 ms"), "{items:?}");
    assert!(item("calibration").detail.contains("5 runs: 1 ms of CPU at least, 1 ms median, 0 disturbed"), "{items:?}");
}

/// How a program ends instead, if it does.
type Change = fn(&FakeInvocation) -> Option<FakeRun>;

/// The names of the red items, and the detail of the first, when programs in a language go wrong.
async fn with_java(change: Change) -> (Vec<String>, SelfTestItem) {
    let items = try_all(move |invocation| {
        let is_java = invocation.argv[0].contains("java");
        is_java.then(|| change(invocation)).flatten().map_or_else(|| complete(invocation), Ok)
    })
    .await;
    let first = items.iter().find(|item| !item.passed).expect("something is red").clone();
    (red(&items).into_iter().map(str::to_owned).collect(), first)
}

#[tokio::test]
async fn a_toolchain_that_is_broken_is_red_alone_with_what_it_said() {
    let rows: [(Change, &str); 4] = [
        (
            |run| {
                let crash = FakeRun { stderr: b"no such class\n".to_vec(), ..FakeRun::ends(Outcome::Exited(1)) };
                (run.argv.last()? == "--version").then_some(crash)
            },
            "/usr/bin/javac --version ended as Exited(1) no such class",
        ),
        (
            |run| {
                let refused = FakeRun { stderr: b"error: 1\n".to_vec(), ..FakeRun::ends(Outcome::Exited(1)) };
                (run.spec.purpose == BoxPurpose::Compile && run.argv.last()? != "--version").then_some(refused)
            },
            "compiler 1.2.3; hello world was CE: error: 1",
        ),
        (
            |run| (!run.stdin.is_empty()).then(|| FakeRun::prints("hello 43\n")),
            "hello world was WA: token 2 (line 1, byte 7): expected `42`, found `43`",
        ),
        (|run| (!run.stdin.is_empty()).then(|| FakeRun::ends(Outcome::Signalled(6))), "hello world was RTE"),
    ];
    for (change, said) in rows {
        let (red, first) = with_java(change).await;
        assert_eq!(red, ["toolchain_java"]);
        assert!(first.detail.contains(said), "{first:?}");
        assert!(first.remedy.contains("setup image"), "{first:?}");
    }
}

#[tokio::test]
async fn an_answer_within_reach_is_red_and_so_is_a_hunt_that_failed() {
    let ends: [(End, &str); 3] = [
        (|| FakeRun::prints("found agon-marker-0 in /agon/work/x\n"), "exit 0: found agon-marker-0 in /agon/work/x"),
        (|| FakeRun::prints(""), "exit 0"),
        (|| FakeRun::ends(Outcome::Exited(1)), "exit 1"),
    ];
    for (end, said) in ends {
        let items = try_all(move |run| if run.stdin == b"hunt\n" { Ok(end()) } else { complete(run) }).await;
        assert_eq!(red(&items), [answers::NAME]);
        assert!(items.iter().any(|item| item.detail.starts_with(said)), "{items:?}");
    }
}

#[tokio::test]
async fn neither_the_answer_nor_another_tests_input_goes_into_the_box() {
    let items = try_all(|run| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let is_marked = |bytes: &[u8]| text(bytes).contains("agon-marker-") && !text(bytes).contains("re.compile");
        assert!(!run.work_files.values().any(|bytes| is_marked(bytes)), "{:?}", run.work_files.keys());
        assert!(run.stdin != b"hunt\n" || run.argv.iter().all(|word| !word.contains("agon-marker-")));
        complete(run)
    })
    .await;
    assert_eq!(red(&items), Vec::<&str>::new());
}

#[tokio::test]
async fn a_calibration_that_did_not_run_gives_no_number() {
    let items = try_all(|invocation| match (invocation.spec.purpose, invocation.stdin.is_empty()) {
        (BoxPurpose::Run, true) if invocation.argv[0] == "/agon/work/program" => {
            Ok(FakeRun::ends(Outcome::Signalled(4)))
        }
        _ => complete(invocation),
    })
    .await;
    assert_eq!(red(&items), ["calibration"]);
    assert!(items.iter().any(|item| item.detail.contains("was RTE")), "{items:?}");
}

#[test]
fn every_language_of_the_table_has_its_program() {
    for language in languages() {
        assert!(toolchains::hello(language).is_some(), "{}", language.id);
    }
}

/// A scripted sandbox that reports this status.
struct Reporting {
    status: SandboxStatus,
    inner: FakeSandbox,
}

#[async_trait]
impl Sandbox for Reporting {
    async fn status(&self) -> SandboxStatus {
        self.status.clone()
    }

    async fn open(&self, spec: &BoxSpec) -> Result<Box<dyn SandboxBox>, SandboxError> {
        self.inner.open(spec).await
    }

    fn prewarm(&self, _spec: &BoxSpec) {}

    async fn sweep_orphans(&self) -> Result<usize, SandboxError> {
        Ok(0)
    }

    async fn close(&self) {}
}

/// `engine`, `image`, `supervisor`, `box` and the protections of a backend that reports this.
async fn with_status(change: impl FnOnce(&mut SandboxStatus)) -> Vec<SelfTestItem> {
    let inner = FakeSandbox::new(healthy);
    let protection =
        |name: &str| Protection { name: name.into(), state: ProtectionState::Active, detail: "seen".into() };
    let mut status = SandboxStatus {
        engine_version: "1.0".into(),
        image_id: "sha256:1".into(),
        protections: ["seccomp", "landlock"].map(protection).to_vec(),
        ..inner.status().await
    };
    change(&mut status);
    let (_folder, parts) = parts(Arc::new(Reporting { status, inner }));
    let mut ledger = Ledger::new(parts.clock.as_ref(), &|_| {});
    let mut bench = Bench::new(&parts, BoxPurpose::Run);
    let seen = backend::look(&parts, &mut ledger).await;
    protections::look(&parts, seen, &mut bench, &mut ledger).await;
    bench.close().await;
    ledger.close()
}

#[tokio::test]
async fn the_backends_own_report_becomes_items() {
    let items = with_status(|_| {}).await;
    let names: Vec<&str> = items.iter().map(|item| item.name.as_str()).collect();
    assert_eq!(names, ["engine", "image", "supervisor", "box", "protection_seccomp", "protection_landlock"]);
    assert_eq!(red(&items), Vec::<&str>::new());
    assert!(items[0].detail.contains("1.0") && items[1].detail.contains("sha256:1"));
}

#[tokio::test]
async fn a_protection_that_is_not_active_is_red_unless_it_is_a_second_line() {
    for state in [ProtectionState::Absent, ProtectionState::Unprobed, ProtectionState::Unknown("maybe".into())] {
        let items = with_status(|status| status.protections[0].state = state.clone()).await;
        assert_eq!(red(&items), ["protection_seccomp"], "{state:?}");
    }
    let items = with_status(|status| status.protections[1].state = ProtectionState::Absent).await;
    assert_eq!(red(&items), Vec::<&str>::new());
    assert!(items[5].detail.contains("absent"), "green, and not hidden: {:?}", items[5]);
}

#[tokio::test]
async fn a_backend_that_is_not_ready_is_named_and_opens_no_box() {
    let rows = [
        (SandboxHealth::ImageMissing, "image", "setup image"),
        (SandboxHealth::ProfileRefused, "box", "never weakened"),
        (SandboxHealth::DiskFull, "box", "Free some space"),
    ];
    for (health, first_red, remedy) in rows {
        let items = with_status(|status| {
            status.health = health.clone();
            status.message = "what was refused".into();
        })
        .await;
        let first = items.iter().find(|item| !item.passed).expect("something is red");
        assert_eq!(first.name, first_red, "{health}");
        assert!(first.remedy.contains(remedy), "{health}: {}", first.remedy);
        assert!(red(&items).contains(&"protection_seccomp"), "what was not probed now is not green: {items:?}");
        assert!(items.iter().any(|item| item.detail.contains("what was refused")), "{health}: {items:?}");
    }
}

#[tokio::test]
async fn a_supervisor_that_is_not_there_is_named() {
    let (_folder, mut parts) = parts(Arc::new(FakeSandbox::new(healthy)));
    parts.supervisor = Path::new("/no/such/agon-supervisor").to_owned();
    let mut ledger = Ledger::new(parts.clock.as_ref(), &|_| {});
    backend::look(&parts, &mut ledger).await;
    let items = ledger.close();
    assert_eq!(red(&items), ["supervisor"]);
    assert!(items[2].detail.contains("/no/such/agon-supervisor") && items[2].remedy.contains("build supervisor"));
}

#[tokio::test]
async fn an_outdated_supervisor_is_named() {
    let (folder, parts) = parts(Arc::new(FakeSandbox::new(healthy)));
    std::fs::write(&parts.supervisor, "an elf that was built months ago").expect("written");
    let mut ledger = Ledger::new(parts.clock.as_ref(), &|_| {});
    backend::look(&parts, &mut ledger).await;
    let items = ledger.close();
    assert_eq!(red(&items), ["supervisor"]);
    assert!(items[2].detail.contains("not of this version"), "{}", items[2].detail);
    drop(folder);
}
