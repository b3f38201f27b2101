//! Set-up: the steps a fresh Debian or Ubuntu machine needs, chosen by what is about to be done.

pub(crate) mod axe;
mod cargo_tool;
mod engine;
mod image;
mod lockfile;
mod packages;
mod rust_src;
mod supervisor;
pub(crate) mod wasm_target;

use crate::failure::Failure;
use crate::machine::Machine;
use crate::place::Place;
use crate::say;
use crate::step::{self, Step};

pub(crate) use cargo_tool::find as tool;

/// What the machine is set up for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Building the interface and serving it to browsers.
    Serve,
    /// The window as well.
    Window,
    /// The checks that need no engine, no display and, once this is done, no network.
    Static,
    /// Everything, with the tools of every test tier.
    Everything,
}

/// The steps for a purpose, in the order in which they build on each other.
pub(crate) fn steps(purpose: Purpose) -> Vec<Box<dyn Step>> {
    let mut steps: Vec<Box<dyn Step>> =
        vec![Box::new(packages::Packages { purpose }), Box::new(wasm_target::WasmTarget)];
    if purpose != Purpose::Static {
        steps.push(Box::new(cargo_tool::wasm_bindgen()));
        steps.push(Box::new(engine::Engine));
        steps.push(Box::new(image::Image));
        steps.push(Box::new(supervisor::Supervisor));
    }
    if purpose == Purpose::Everything {
        steps.push(Box::new(cargo_tool::tauri_driver()));
        steps.push(Box::new(axe::Axe));
    }
    if matches!(purpose, Purpose::Everything | Purpose::Static) {
        steps.push(Box::new(cargo_tool::cargo_deny()));
    }
    if purpose == Purpose::Everything {
        steps.push(Box::new(cargo_tool::cargo_cyclonedx()));
    }
    steps
}

/// Takes every step of a purpose, or only those named.
pub(crate) fn set_up(purpose: Purpose, only: &[String], place: &Place) -> Result<(), Failure> {
    let mut steps = steps(purpose);
    let names: Vec<&str> = steps.iter().map(|step| step.name()).collect();
    if let Some(unknown) = only.iter().find(|name| !names.contains(&name.as_str())) {
        return Err(
            Failure::new(format!("there is no set-up part `{unknown}`")).fix(format!("one of: {}", names.join(" ")))
        );
    }
    steps.retain(|step| only.is_empty() || only.iter().any(|name| name == step.name()));
    say::heading("set-up");
    step::take(&steps, place, &Machine::look())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_static_tier_is_set_up_without_engine_or_image() {
        let names: Vec<&str> = steps(Purpose::Static).iter().map(|step| step.name()).collect();
        assert!(!names.contains(&"engine") && !names.contains(&"image"), "{names:?}");
    }

    #[test]
    fn every_part_has_a_name_of_its_own() {
        let mut names: Vec<&str> = steps(Purpose::Everything).iter().map(|step| step.name()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
