//! The crash story for as long as one likes.

use crate::build;
use crate::command;
use crate::failure::Failure;
use crate::place::Place;
use crate::setup::{self, Purpose};

/// Sets up, builds and kills `kills` times; the program of the stories tells how far it is and ends with a report.
pub(crate) fn soak(kills: u32, seed: u64, place: &Place) -> Result<(), Failure> {
    setup::set_up(Purpose::Serve, &[], place)?;
    build::supervisor::build(place)?;
    build::headless(place)?;
    let (kills, seed) = (kills.to_string(), seed.to_string());
    let mut cargo = place.cargo();
    cargo.args(["run", "--quiet", "--locked", "-p", "agon-tests", "--bin", "soak", "--"]);
    cargo.args(["--kills", &kills, "--seed", &seed]);
    cargo.env("AGON_SUPERVISOR", place.supervisor()).env("AGON_HEADLESS", place.headless());
    command::on_terminal(&mut cargo)
}
