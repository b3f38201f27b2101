//! Benches and screenshots: what a person looks at, not what passes or fails.

use crate::build;
use crate::cargo_facts::Facts;
use crate::command;
use crate::failure::Failure;
use crate::place::{self, Place};
use crate::say;
use crate::setup::{self, Purpose};
use crate::test::{self, Tier};

/// What the names of the tests that take the screenshots have in common.
const SHOTS: &str = "in_both_themes";

/// Runs every bench of judge-core, which print medians and ratios themselves.
pub(crate) fn bench(filter: Option<&str>, place: &Place) -> Result<(), Failure> {
    setup::set_up(Purpose::Serve, &[], place)?;
    build::supervisor::build(place)?;
    build::interface(place)?;
    let facts = Facts::ask(place)?;
    let benches = facts.targets("judge-core", "bench");
    let chosen: Vec<&str> = benches.into_iter().filter(|name| filter.is_none_or(|part| name.contains(part))).collect();
    if chosen.is_empty() {
        return Err(Failure::new("no bench has such a name").fix("cargo xtask bench"));
    }
    place::make(&place.artifacts())?;
    for name in chosen {
        say::heading(&format!("bench {name}"));
        let mut cargo = place.cargo();
        cargo.args(["bench", "--quiet", "--locked", "-p", "judge-core", "--bench", name]);
        command::on_terminal(
            cargo.env("AGON_SUPERVISOR", place.supervisor()).env("AGON_TEST_ARTIFACTS", place.artifacts()),
        )?;
    }
    Ok(())
}

/// Takes the screenshots by the end-to-end test that does so.
pub(crate) fn shots(place: &Place) -> Result<bool, Failure> {
    let went_well = test::test(&[Tier::E2e], Some(SHOTS), false, place)?;
    say::line(&format!("screenshots: {}", place.artifacts().display()));
    Ok(went_well)
}
