//! Builds: the interface, the supervisor and the programs. Cargo decides what is current; what follows cargo is hashed.

pub(crate) mod problems;
mod programs;
pub(crate) mod supervisor;
mod ui;

use clap::ValueEnum;

use crate::failure::Failure;
use crate::place::Place;
use crate::say;

pub(crate) use programs::{ROOMS, desktop, headless};
pub(crate) use ui::build as interface;

/// What can be built by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// The interface, into ui/dist/.
    Ui,
    /// The static program that runs inside every box.
    Supervisor,
    /// The program `agon`.
    Headless,
    /// The large test data of our own problems.
    Problems,
    /// The interface and the program with the window.
    Desktop,
    /// Everything.
    All,
}

/// Builds what was asked for.
pub(crate) fn build(what: What, place: &Place) -> Result<(), Failure> {
    say::heading("build");
    let wants = |this: What| what == this || what == What::All;
    if wants(What::Supervisor) {
        supervisor::build(place)?;
    }
    if wants(What::Problems) {
        problems::build(place)?;
    }
    if wants(What::Ui) || wants(What::Desktop) {
        interface(place)?;
    }
    if wants(What::Headless) {
        headless(place)?;
    }
    if wants(What::Desktop) {
        desktop(place)?;
    }
    Ok(())
}
