//! The supervisor: a static program, so that it runs in any box whatever the image has.

use crate::command;
use crate::failure::Failure;
use crate::place::Place;
use crate::say;

/// Builds it, or lets cargo find that it is current.
pub(crate) fn build(place: &Place) -> Result<(), Failure> {
    let mut cargo = place.cargo();
    cargo.args(["rustc", "--locked", "-p", "agon-supervisor", "--bin", "agon-supervisor"]);
    cargo.args([
        "--profile",
        "supervisor",
        "--target",
        "x86_64-unknown-linux-gnu",
        "--",
        "-C",
        "target-feature=+crt-static",
    ]);
    command::on_terminal(&mut cargo)?;
    say::line(&format!("supervisor: {}", place.supervisor().display()));
    Ok(())
}
