//! The test tiers, from what needs nothing to what needs everything, and one count over all of them.

mod cargo_tests;
mod isolation;
mod static_tier;
mod tally;
mod tiers;

use clap::ValueEnum;

use crate::failure::Failure;
use crate::place::Place;
use crate::say;
use crate::setup::{self, Purpose};
use tally::Tally;

/// One tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tier {
    /// Format, lints, rules of the house, licences: no engine, no network, no display.
    Static,
    /// Tests beside the code.
    Unit,
    /// Tests of whole rooms and stories on the real engine, without a window.
    Integration,
    /// Stories in the real window and in a real browser.
    E2e,
}

/// Sets up for the chosen tiers (all of them when none is named), runs them, and ends with one line of counts.
pub(crate) fn test(tiers: &[Tier], filter: Option<&str>, no_setup: bool, place: &Place) -> Result<bool, Failure> {
    let all = [Tier::Static, Tier::Unit, Tier::Integration, Tier::E2e];
    let chosen: Vec<Tier> = all.into_iter().filter(|tier| tiers.is_empty() || tiers.contains(tier)).collect();
    if !no_setup {
        let purpose = if chosen == [Tier::Static] { Purpose::Static } else { Purpose::Everything };
        setup::set_up(purpose, &[], place)?;
    }
    let mut whole = Tally::default();
    for tier in chosen {
        let of_tier = run(tier, filter, place)?;
        say::line(&format!("-- {tier:?}: {of_tier}"));
        whole.add(of_tier);
    }
    Ok(conclude(&whole))
}

fn run(tier: Tier, filter: Option<&str>, place: &Place) -> Result<Tally, Failure> {
    say::heading(&format!(
        "tests: {}",
        tier.to_possible_value().map_or_else(String::new, |tier| tier.get_name().to_owned())
    ));
    match tier {
        Tier::Static => static_tier::run(place),
        Tier::Unit => tiers::unit(filter, place),
        Tier::Integration => tiers::integration(filter, place),
        Tier::E2e => tiers::end_to_end(filter, place),
    }
}

/// Names what failed and what did not run, then the line that machines read.
fn conclude(whole: &Tally) -> bool {
    for name in &whole.failures {
        say::line(&format!("FAILED: {name}"));
    }
    if whole.ignored > 0 {
        say::line(&format!("{} tests are marked `ignore` and did not run", whole.ignored));
    }
    say::line("");
    say::line(&format!("{} passed, {} failed", whole.passed, whole.failed));
    whole.failed == 0 && whole.passed > 0
}
