//! The two programs people start: `agon` and the desktop app.

use crate::command;
use crate::failure::Failure;
use crate::place::Place;
use crate::say;

/// The rooms that any Linux machine compiles. Builds, lints and tests all select exactly these: cargo unites the features of
/// what is selected, and another selection would compile the libraries once more.
pub(crate) const ROOMS: [&str; 5] = ["--workspace", "--exclude", "agon-desktop", "--exclude", "agon-ui"];

/// Builds the command line program.
pub(crate) fn headless(place: &Place) -> Result<(), Failure> {
    let mut cargo = place.cargo();
    cargo.args(["build", "--locked"]).args(ROOMS).args(["--bin", "agon"]);
    command::on_terminal(&mut cargo)?;
    say::line(&format!("agon: {}", place.headless().display()));
    Ok(())
}

/// Builds the desktop program with the built interface inside: it must open no development server, and the page's
/// security policy applies only then.
pub(crate) fn desktop(place: &Place) -> Result<(), Failure> {
    let mut cargo = place.cargo();
    cargo.args(["build", "--locked", "-p", "agon-desktop", "--features", "custom-protocol"]);
    command::on_terminal(&mut cargo)?;
    say::line(&format!("desktop: {}", place.desktop().display()));
    Ok(())
}
