//! Every wall is tried, and the judge still works afterwards.

use std::sync::Arc;

use judge_core::sandbox::docker::{DockerSandbox, DockerSettings, SeccompProfile};
use judge_core::sandbox::{Limits, Outcome, RunStep, Stdin};

use crate::rig::{LIMITS, Rig, behave, run, step};

#[tokio::test(flavor = "multi_thread")]
async fn no_attempt_gets_out_or_at_the_supervisor() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let (report, output) = run(&mut opened, attack()).await;
    assert_eq!(report.outcome, Outcome::Exited(0), "{report:?}\n{output}");
    let succeeded = succeeded(&output);
    assert!(succeeded.is_empty(), "these attempts succeeded: {succeeded:?}");
    let blocked = output.lines().filter(|line| line.starts_with("blocked ")).count();
    assert!(blocked >= 85, "only {blocked} attempts were made");
    for _ in 0..3 {
        let sum = RunStep { stdin: Stdin::Bytes(b"3 4".to_vec()), ..behave(&["sum"]) };
        let (report, output) = run(&mut opened, sum).await;
        assert_eq!((report.outcome, output.as_str()), (Outcome::Exited(0), "7\n"), "the supervisor is unharmed");
    }
    opened.destroy().await;
    rig.finish().await;
}

fn attack() -> RunStep {
    RunStep { limits: Limits { cpu_ms: 20_000, ..LIMITS }, ..step(&["/agon/work/escape"]) }
}

fn succeeded(output: &str) -> Vec<&str> {
    output.lines().filter_map(|line| line.strip_prefix("SUCCEEDED ")).collect()
}

/// The attempts can succeed: under a profile with holes they find each of them.
#[tokio::test(flavor = "multi_thread")]
async fn holes_in_the_profile_would_be_noticed() {
    let Some(rig) = Rig::new(0).await else { return };
    let own = include_str!("../../src/sandbox/seccomp/profile.json");
    let holes = r#""names": ["socket", "shmget", "bind"], "action": "SCMP_ACT_ALLOW" }, {"#;
    let lax = own.replacen("\"names\"", &format!("{holes} \"names\""), 1);
    let path = rig.root.path().join("lax.json");
    std::fs::write(&path, lax).expect("written");
    let settings = DockerSettings { seccomp: SeccompProfile::File(path), ..rig.settings.clone() };
    let with_holes = Rig { sandbox: Arc::new(DockerSandbox::new(settings)), ..rig };
    let mut opened = with_holes.open().await;
    let (_report, output) = run(&mut opened, attack()).await;
    let found = succeeded(&output);
    for hole in ["inet_stream", "inet6", "shmget", "unix_bind_abstract"] {
        assert!(found.contains(&hole), "{hole} was not noticed among {found:?}");
    }
    opened.destroy().await;
    with_holes.finish().await;
}
