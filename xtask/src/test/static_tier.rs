//! The checks that need no engine, no network and no display, run where none of them can be reached.

use std::process::Command;
use std::time::Duration;

use super::isolation::{self, Isolation};
use super::tally::Tally;
use crate::build::ROOMS;
use crate::command;
use crate::failure::Failure;
use crate::place::Place;
use crate::say;
use crate::setup::{self, wasm_target};

const STRICT: [&str; 3] = ["--", "-D", "warnings"];

/// Fetches what the lock file names, then checks everything in isolation.
pub(super) fn run(place: &Place) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let fetched = command::on_terminal(place.cargo().args(["fetch", "--locked", "--quiet"]));
    fetched.map_err(|failure| failure.fix("a network once, to fetch the dependencies of Cargo.lock"))?;
    let isolation = Isolation::new()?;
    let before = tracked_state(place)?;

    prove_the_walls(&isolation, &mut tally);
    for (name, mut command) in checks(place)? {
        say::line(&format!("check: {name}"));
        command.current_dir(&place.root);
        let result = command::on_terminal(&mut isolation.enclose(&command));
        if result.is_err() {
            say::line(&format!("FAILED: {}", command::shown(&command)));
        }
        tally.check(name, result.is_ok());
    }
    let log = isolation.take_log();
    if !log.is_empty() {
        say::line(&format!("the checks called what they must not need:\n{log}"));
    }
    tally.check("no check called an engine, an installer or a downloader", log.is_empty());
    tally.check("no check changed a tracked file", tracked_state(place)? == before);
    Ok(tally)
}

/// A wall that does not hold would make every check below it prove nothing.
fn prove_the_walls(isolation: &Isolation, tally: &mut Tally) {
    tally.check("the shims bite", isolation::shims_bite(isolation));
    if isolation.has_namespaces() {
        tally.check("the checks have no network", isolation::network_is_shut(isolation));
        tally.check("the checks cannot see the engine", isolation::engine_is_hidden(isolation));
        return;
    }
    let why =
        "namespaces are not permitted here: only cargo's offline mode and the shims stand between checks and network";
    say::line(&format!("SKIPPED: {why}; fix: run as root, or sysctl kernel.unprivileged_userns_clone=1"));
    tally.check("the checks have no network", std::env::var_os("AGON_REQUIRE_PARTS").is_none());
}

/// The checks, each with its name in the count.
fn checks(place: &Place) -> Result<Vec<(&'static str, Command)>, Failure> {
    let cargo = |arguments: &[&[&str]]| {
        let mut cargo = place.cargo();
        cargo.args(arguments.concat());
        cargo
    };
    let wasm = |mut cargo: Command| -> Result<Command, Failure> {
        cargo.envs(wasm_target::environment(place)?);
        Ok(cargo)
    };
    let clippy: &[&str] = &["clippy", "--quiet", "--locked", "--offline"];
    let on_wasm: &[&str] = &["--target", wasm_target::TARGET];
    let mut tidy = Command::new(std::env::current_exe().map_err(|source| Failure::new(format!("who am I: {source}")))?);
    tidy.arg("tidy");
    let mut deny = Command::new(setup::tool("cargo-deny", place)?);
    deny.args([
        "--offline",
        "--locked",
        "--workspace",
        "check",
        "--hide-inclusion-graph",
        "licenses",
        "bans",
        "sources",
    ]);
    let mut checks = vec![
        ("the sources are formatted", cargo(&[&["fmt", "--all", "--check"]])),
        ("the rules of the house hold", tidy),
        ("licences, bans and sources are as deny.toml says", deny),
        (
            "the contract builds for wasm32",
            wasm(cargo(&[&["check", "--quiet", "--locked", "--offline", "-p", "agon-contract"], on_wasm]))?,
        ),
        ("clippy is content with the rooms", cargo(&[clippy, &ROOMS, &["--all-targets"], &STRICT])),
        ("clippy is content with the interface", wasm(cargo(&[clippy, &["-p", "agon-ui"], on_wasm, &STRICT]))?),
    ];
    if has_web_view() {
        let desktop = cargo(&[clippy, &["-p", "agon-desktop", "--all-targets"], &STRICT]);
        checks.push(("clippy is content with the window", desktop));
    } else {
        say::line("SKIPPED: clippy of the window; fix: cargo xtask setup packages installs the web view's headers");
    }
    Ok(checks)
}

fn has_web_view() -> bool {
    command::succeeds(Command::new("pkg-config").args(["--exists", "webkit2gtk-4.1"]), Duration::from_secs(20))
}

/// What git says about tracked files: which are changed, and how.
fn tracked_state(place: &Place) -> Result<String, Failure> {
    let git = |arguments: &[&str]| command::output(Command::new("git").current_dir(&place.root).args(arguments));
    Ok(format!("{}\n{}", git(&["status", "--porcelain", "--untracked-files=no"])?, git(&["diff", "HEAD"])?))
}
