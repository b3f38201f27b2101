//! The two programs people start: `agon` and the desktop app.

use crate::command;
use crate::failure::Failure;
use crate::place::Place;
use crate::say;

/// Builds the command line program.
pub(crate) fn headless(place: &Place) -> Result<(), Failure> {
    command::on_terminal(place.cargo().args(["build", "--quiet", "--locked", "-p", "agon", "--bin", "agon"]))?;
    say::line(&format!("agon: {}", place.headless().display()));
    Ok(())
}

/// Builds the desktop program with the built interface inside: it must open no development server, and the page's
/// security policy applies only then.
pub(crate) fn desktop(place: &Place) -> Result<(), Failure> {
    let mut cargo = place.cargo();
    cargo.args(["build", "--quiet", "--locked", "-p", "agon-desktop", "--features", "custom-protocol"]);
    command::on_terminal(&mut cargo)?;
    say::line(&format!("desktop: {}", place.desktop().display()));
    Ok(())
}
