//! Killed again and again in the middle of everything: every promise is kept. `cargo xtask soak` does it for longer.

use agon_tests::{part, parts, seed, soak};

const KILLS: u32 = 30;

#[test]
fn killed_again_and_again_it_keeps_every_promise() {
    part!(parts::sandbox());
    part!(parts::headless());
    let seed = seed::of("crashes", 1);
    let report = part!(soak::run(KILLS, seed, |line| eprintln!("{line}")));
    eprintln!("{report}");
    assert!(report.places() > 8, "too few places to die at: {report}");
    assert!(report.promises > 100, "too few promises: {report}");
}
