//! The large test data of our own problems, which their generators make and no clone carries.

use std::process::Command;

use crate::command;
use crate::failure::Failure;
use crate::place::Place;
use crate::say;

/// Makes what is missing or damaged; data that has its recorded digest is left alone.
pub(crate) fn build(place: &Place) -> Result<(), Failure> {
    let script = place.root.join("problems/build.py");
    let made = command::output(Command::new("python3").current_dir(&place.root).arg(&script))
        .map_err(|failure| failure.fix("the generators need python3: cargo xtask setup packages"))?;
    say::line(&format!("problems: {}", made.lines().last().unwrap_or_default()));
    Ok(())
}
