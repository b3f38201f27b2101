//! Runs `cargo test`, shows everything it says, and counts.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::tally::Tally;
use crate::failure::Failure;
use crate::place::{self, Place};
use crate::say;
use crate::setup;

/// Which tests, of what.
pub(super) struct CargoTests<'a> {
    /// Name in messages.
    pub(super) label: &'a str,
    /// Packages, features and targets.
    pub(super) arguments: Vec<&'a str>,
    /// Only tests whose name contains this.
    pub(super) filter: Option<&'a str>,
    /// Tests that open windows or stop engines take turns.
    pub(super) one_at_a_time: bool,
}

impl CargoTests<'_> {
    /// Runs them all, failed ones or not.
    pub(super) fn run(&self, place: &Place) -> Result<Tally, Failure> {
        place::make(&place.artifacts())?;
        let mut cargo = place.cargo();
        cargo.args(["test", "--locked", "--no-fail-fast"]).args(&self.arguments);
        if let Some(filter) = self.filter {
            cargo.arg(filter);
        }
        if self.one_at_a_time {
            cargo.args(["--", "--test-threads=1"]);
        }
        cargo.envs(environment(place)?);
        let (mut tally, ended_well) = follow(&cargo, say::line)?;
        // A filter may leave a tier nothing to do; the whole run still fails if nothing ran at all.
        if self.filter.is_none() || !ended_well {
            tally.end(self.label, ended_well);
        }
        Ok(tally)
    }
}

/// What tests are told about the parts: where they are, and that an absent one is a failure.
fn environment(place: &Place) -> Result<Vec<(&'static str, std::ffi::OsString)>, Failure> {
    Ok(vec![
        ("AGON_REQUIRE_PARTS", "1".into()),
        ("AGON_TEST_ARTIFACTS", place.artifacts().into()),
        ("AGON_SUPERVISOR", place.supervisor().into()),
        ("AGON_HEADLESS", place.headless().into()),
        ("AGON_DESKTOP", place.desktop().into()),
        ("AGON_TAURI_DRIVER", setup::tool("tauri-driver", place)?.into()),
        ("AGON_AXE", setup::axe::script(place).into()),
    ])
}

/// The same command with both outputs in one stream, in the order in which they were written.
fn merged(command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$@\" 2>&1", "sh"]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell
}

/// Follows a program line by line; answers with the counts and whether it ended well.
fn follow(command: &Command, mut show: impl FnMut(&str)) -> Result<(Tally, bool), Failure> {
    let mut command = merged(command);
    let failed = |source: std::io::Error| Failure::new(format!("cannot run the tests: {source}"));
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let output = child.stdout.take().expect("standard output was asked for as a pipe");
    let mut tally = Tally::default();
    let mut reader = BufReader::new(output);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes).map_err(failed)? > 0 {
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        show(&line);
        tally.read(&line);
        bytes.clear();
    }
    let status = child.wait().map_err(failed)?;
    Ok((tally, status.success()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_streams_are_read_and_a_bad_end_is_seen() {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "echo 'test a ... FAILED'; echo boom >&2; echo \"$IT: 1 passed; 2 failed; 0 ignored\"; exit 101",
        ]);
        command.env("IT", "test result");
        let mut lines = Vec::new();
        let (tally, ended_well) = follow(&command, |line| lines.push(line.to_owned())).expect("sh can be started");
        assert!(lines.contains(&"boom".to_owned()));
        assert_eq!((tally.passed, tally.failed, ended_well), (1, 2, false));
        assert_eq!(tally.failures, ["a"]);
    }
}
