//! The static program that runs as process 1 of every box.

use crate::build;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::place::Place;
use crate::step::{Found, Step};

/// Step `supervisor`.
pub(super) struct Supervisor;

impl Step for Supervisor {
    fn name(&self) -> &'static str {
        "supervisor"
    }

    fn does(&self) -> String {
        "building the sandbox's supervisor".into()
    }

    fn look(&self, place: &Place, _: &Machine) -> Result<Found, Failure> {
        let program = place.supervisor();
        // Whether it is current is cargo's business: every build asks it again.
        Ok(if program.is_file() {
            Found::Done(program.display().to_string())
        } else {
            Found::Missing("the supervisor is not built".into())
        })
    }

    fn perform(&self, place: &Place, _: &Machine) -> Result<(), Failure> {
        build::supervisor::build(place)
    }

    fn remedy(&self, _: &Machine) -> String {
        "cargo xtask build supervisor".into()
    }
}
