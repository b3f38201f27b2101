//! Every wall is tried, and the judge still works afterwards.

use std::collections::BTreeSet;

use judge_core::sandbox::{Limits, Outcome, Stdin};

use crate::rig::{LIMITS, Rig, behave, run, step};

/// An attempt that is known to succeed and does no harm, with the reason why.
const HARMLESS: [(&str, &str); 0] = [];

#[tokio::test(flavor = "multi_thread")]
async fn no_attempt_gets_out_or_at_the_supervisor() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let limits = Limits { cpu_ms: 20_000, wall_ms: 30_000, ..LIMITS };
    let attack = judge_core::sandbox::RunStep { limits, ..step(&["/agon/work/escape"]) };
    let (report, output) = run(&mut opened, attack).await;
    assert_eq!(report.outcome, Outcome::Exited(0), "{report:?}\n{output}");
    let allowed: BTreeSet<&str> = HARMLESS.iter().map(|(name, _why)| *name).collect();
    let succeeded: Vec<&str> = output
        .lines()
        .filter_map(|line| line.strip_prefix("SUCCEEDED "))
        .filter(|name| !allowed.contains(name))
        .collect();
    assert!(succeeded.is_empty(), "these attempts succeeded: {succeeded:?}");
    let blocked = output.lines().filter(|line| line.starts_with("blocked ")).count();
    assert!(blocked >= 85, "only {blocked} attempts were made");
    for _ in 0..3 {
        let sum = judge_core::sandbox::RunStep { stdin: Stdin::Bytes(b"3 4".to_vec()), ..behave(&["sum"]) };
        let (report, output) = run(&mut opened, sum).await;
        assert_eq!((report.outcome, output.as_str()), (Outcome::Exited(0), "7\n"), "the supervisor is unharmed");
    }
    opened.destroy().await;
    rig.finish().await;
}
