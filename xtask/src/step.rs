//! The shape of every set-up step: look first, do it only when it is missing, look again, and say the exact fix if it fails.

use std::time::Instant;

use crate::failure::Failure;
use crate::machine::Machine;
use crate::place::Place;
use crate::say;

/// What a step found when it looked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Nothing to do, and what is there (a version, a path).
    Done(String),
    /// What is missing.
    Missing(String),
}

/// One thing that a machine needs before Agon can be built, run or tested on it.
pub(crate) trait Step {
    /// Its name on the command line (`cargo xtask setup NAME`).
    fn name(&self) -> &'static str;
    /// What performing it does, as one phrase.
    fn does(&self) -> String;
    /// Looks, changes nothing.
    fn look(&self, place: &Place, machine: &Machine) -> Result<Found, Failure>;
    /// Does it.
    fn perform(&self, place: &Place, machine: &Machine) -> Result<(), Failure>;
    /// What a person can do when it fails for a reason that the failure itself has no fix for.
    fn remedy(&self, machine: &Machine) -> String;
}

/// Takes the steps in order and stops at the first that cannot be done.
pub(crate) fn take(steps: &[Box<dyn Step>], place: &Place, machine: &Machine) -> Result<(), Failure> {
    for (index, step) in steps.iter().enumerate() {
        let label = format!("[{}/{}] {}", index + 1, steps.len(), step.name());
        one(step.as_ref(), &label, place, machine).map_err(|failure| {
            Failure::new(format!("{label}: {failure}")).fix(format!("then again: cargo xtask setup {}", step.name()))
        })?;
    }
    Ok(())
}

fn one(step: &dyn Step, label: &str, place: &Place, machine: &Machine) -> Result<(), Failure> {
    let missing = match step.look(place, machine)? {
        Found::Done(what) => {
            say::line(&format!("{label}: there ({what})"));
            return Ok(());
        }
        Found::Missing(what) => what,
    };
    say::line(&format!("{label}: {missing}; {} …", step.does()));
    let begun = Instant::now();
    step.perform(place, machine).map_err(|failure| failure.fix(step.remedy(machine)))?;
    match step.look(place, machine)? {
        Found::Done(what) => {
            say::line(&format!("{label}: done in {} s ({what})", begun.elapsed().as_secs()));
            Ok(())
        }
        Found::Missing(what) => Err(Failure::new(format!("done, but still: {what}")).fix(step.remedy(machine))),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::path::PathBuf;

    use super::*;

    /// A step that records what was asked of it.
    struct Scripted {
        there: Cell<bool>,
        works: bool,
        performed: Cell<u32>,
    }

    impl Step for Scripted {
        fn name(&self) -> &'static str {
            "scripted"
        }
        fn does(&self) -> String {
            "pretending".into()
        }
        fn look(&self, _: &Place, _: &Machine) -> Result<Found, Failure> {
            Ok(if self.there.get() { Found::Done("1".into()) } else { Found::Missing("nothing there".into()) })
        }
        fn perform(&self, _: &Place, _: &Machine) -> Result<(), Failure> {
            self.performed.set(self.performed.get() + 1);
            self.there.set(self.works);
            Ok(())
        }
        fn remedy(&self, _: &Machine) -> String {
            "make it by hand".into()
        }
    }

    fn taken(there: bool, works: bool) -> (Result<(), Failure>, u32) {
        let step = Scripted { there: Cell::new(there), works, performed: Cell::new(0) };
        let place = Place { root: PathBuf::new(), target: PathBuf::new(), cache: PathBuf::new() };
        let machine = Machine { is_root: false, codename: String::new(), mirror: None };
        (one(&step, "[1/1]", &place, &machine), step.performed.get())
    }

    #[test]
    fn a_step_that_is_done_is_skipped() {
        let (result, performed) = taken(true, true);
        assert!(result.is_ok());
        assert_eq!(performed, 0);
    }

    #[test]
    fn a_step_that_changed_nothing_fails_with_its_remedy() {
        let (result, performed) = taken(false, false);
        assert_eq!(performed, 1);
        let failure = result.expect_err("nothing was made").to_string();
        assert!(failure.contains("still: nothing there") && failure.contains("fix: make it by hand"), "{failure}");
    }
}
