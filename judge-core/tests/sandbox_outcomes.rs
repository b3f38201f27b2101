//! What programs do and what the sandbox says about it, on the real engine (scenarios S16–S30 and the outcome table).

#[path = "sandbox/mod.rs"]
mod support;

use judge_core::sandbox::Outcome;
use support::{Rig, behave, run};

#[tokio::test(flavor = "multi_thread")]
async fn a_program_runs_and_its_numbers_are_plausible() {
    let Some(rig) = Rig::new(0).await else { return };
    let mut opened = rig.open().await;
    let mut step = behave(&["sum"]);
    step.stdin = judge_core::sandbox::Stdin::Bytes(b"3 4\n".to_vec());
    let (report, output) = run(&mut opened, step).await;
    eprintln!("{report:?}");
    assert_eq!(report.outcome, Outcome::Exited(0));
    assert_eq!(output, "7\n");
    opened.destroy().await;
    eprintln!("{:#?}", judge_core::sandbox::Sandbox::status(&*rig.sandbox).await);
    rig.finish().await;
}
