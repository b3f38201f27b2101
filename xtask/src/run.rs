//! `cargo xtask run`: from a fresh clone to the app on the screen, or to an address where there is no screen.

use std::os::unix::process::CommandExt;
use std::process::Command;

use crate::build;
use crate::command;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::place::Place;
use crate::say;
use crate::setup::{self, Purpose};

/// Sets up, builds, and opens the window; without a display it serves the same interface on this machine only.
pub(crate) fn run(arguments: &[String], place: &Place) -> Result<(), Failure> {
    let has_display = Machine::look().has_display();
    setup::set_up(if has_display { Purpose::Window } else { Purpose::Serve }, &[], place)?;
    say::heading("build");
    build::supervisor::build(place)?;
    build::interface(place)?;
    build::problems::build(place)?;
    let mut program = if has_display {
        build::desktop(place)?;
        say::heading("the app");
        Command::new(place.desktop())
    } else {
        build::headless(place)?;
        say::heading("no display here: serving on this machine (Ctrl-C ends it)");
        let mut serve = Command::new(place.headless());
        serve.arg("serve");
        serve
    };
    program.args(arguments).current_dir(&place.root);
    program.env("AGON_SUPERVISOR", place.supervisor());
    // In place of this program: Ctrl-C then reaches the app alone, and the shell waits for it to end in order.
    let source = program.exec();
    Err(Failure::new(format!("cannot start {}: {source}", command::shown(&program))))
}
