//! Faults of the machine name themselves and are never the contestant's.

use std::time::Duration;

use agon_supervisor::wire::PROGRAM_MARK;
use judge_core::sandbox::docker::{DockerSandbox, DockerSettings, SeccompProfile};
use judge_core::sandbox::{BoxPurpose, Disposition, ImageRef, Outcome, RunStep, Sandbox, SandboxError, SandboxHealth};

use crate::rig::{Rig, behave, boxes_below, docker, run};

async fn open_with(rig: &Rig, change: impl FnOnce(&mut DockerSettings)) -> (SandboxError, SandboxHealth) {
    let mut settings = rig.settings.clone();
    change(&mut settings);
    let mut spec = rig.spec(BoxPurpose::Run);
    spec.image = settings.image.clone();
    let sandbox = DockerSandbox::new(settings);
    let health = sandbox.status().await.health;
    let error = sandbox.open(&spec).await.err().expect("no box opens");
    sandbox.close().await;
    (error, health)
}

#[tokio::test(flavor = "multi_thread")]
async fn each_missing_part_is_named_and_leaves_nothing() {
    let Some(rig) = Rig::new(0).await else { return };
    let (error, health) = open_with(&rig, |settings| settings.image.reference = "agon-absent:1".into()).await;
    assert_eq!((error.code(), health), ("image_missing", SandboxHealth::ImageMissing), "{error}");
    let other = format!("sha256:{}", "0".repeat(64));
    let (error, health) = open_with(&rig, |settings| settings.image.id = Some(other)).await;
    assert_eq!((error.code(), health), ("image_changed", SandboxHealth::ImageMissing), "{error}");
    let (error, health) = open_with(&rig, |settings| settings.seccomp = SeccompProfile::File("/absent".into())).await;
    assert_eq!((error.code(), health), ("profile_refused", SandboxHealth::ProfileRefused), "{error}");
    let (error, _health) = open_with(&rig, |settings| settings.supervisor = "/absent".into()).await;
    assert_eq!(error.code(), "supervisor_missing", "{error}");
    let outdated = rig.root.path().join("outdated");
    std::fs::write(&outdated, "#!/bin/sh\nexit 0\n").expect("written");
    let (error, health) = open_with(&rig, |settings| settings.supervisor = outdated).await;
    assert_eq!((error.code(), health), ("supervisor_outdated", SandboxHealth::ProfileRefused), "{error}");
    let lax = rig.root.path().join("profile.json");
    std::fs::write(&lax, r#"{"defaultAction":"SCMP_ACT_ERRNO","syscalls":"none"}"#).expect("written");
    let (error, _health) = open_with(&rig, |settings| settings.seccomp = SeccompProfile::File(lax)).await;
    assert_eq!(error.code(), "profile_refused", "the engine's refusal is the profile's: {error}");
    assert_eq!(error.disposition(), Disposition::BackendAway);
    let boxes = boxes_below(rig.root.path()).await;
    assert!(boxes.is_empty(), "boxes are left: {boxes:?}");
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_no_supervisor_is_a_handshake_that_failed() {
    let Some(rig) = Rig::new(0).await else { return };
    let fake = rig.root.path().join("fake");
    std::fs::write(&fake, format!("#!/bin/sh\n# {PROGRAM_MARK}\nexit 7\n")).expect("written");
    let (error, _health) = open_with(&rig, |settings| settings.supervisor = fake).await;
    assert_eq!(error.code(), "handshake", "{error}");
    assert!(error.to_string().contains("exit code 7"), "{error}");
    rig.finish().await;
}

/// An id that cannot be an image's gives no box, and an id that is one does.
#[tokio::test(flavor = "multi_thread")]
async fn the_image_is_checked_by_its_id() {
    let Some(rig) = Rig::new(0).await else { return };
    let id = rig.sandbox.status().await.image_id;
    assert!(id.starts_with("sha256:"), "{id}");
    let mut spec = rig.spec(BoxPurpose::Run);
    spec.image = ImageRef { id: Some(id), ..spec.image };
    rig.sandbox.open(&spec).await.expect("the right id opens").destroy().await;
    rig.finish().await;
}

/// A box that somebody kills is a box that died: ours, never a verdict.
#[tokio::test(flavor = "multi_thread")]
async fn a_box_killed_from_outside_died_and_is_nobodys_fault() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let name = format!("agon-{}", opened.id());
    let killer = tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        docker().kill_container(&name, None).await.expect("killed");
    });
    let mut sink = judge_core::sandbox::Discard;
    let error = opened.run(behave(&["sleep", "5000"]), &mut sink).await.expect_err("no report");
    assert_eq!((error.code(), error.disposition()), ("box_died", Disposition::BoxDied), "{error}");
    assert!(!opened.is_usable());
    let again = opened.run(behave(&["exit", "0"]), &mut sink).await.expect_err("the box is gone");
    assert_eq!(again.code(), "box_gone");
    killer.await.expect("the killer ends");
    opened.destroy().await;
    rig.finish().await;
}

/// Memory that takes the supervisor with it is still the program's: the engine says so.
#[tokio::test(flavor = "multi_thread")]
async fn many_small_memory_hogs_are_memory_whoever_dies() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    for _ in 0..3 {
        if !opened.is_usable() {
            opened.destroy().await;
            opened = rig.open().await;
        }
        let (report, _output) = run(&mut opened, RunStep { ..behave(&["child-touch", "60"]) }).await;
        assert_eq!(report.outcome, Outcome::MemoryLimit, "{report:?}");
    }
    opened.destroy().await;
    rig.finish().await;
}
