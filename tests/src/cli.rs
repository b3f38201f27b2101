//! The program `agon`, run to its end.

use std::io::Write;
use std::process::{Output, Stdio};

use crate::parts::{self, Missing};
use crate::rooms::TempData;

/// What a run said and how it ended.
#[derive(Debug)]
pub struct Said {
    /// The exit code; 255 when a signal ended it.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `agon` with these arguments in a story's place.
///
/// # Errors
/// The program has not been built.
///
/// # Panics
/// It cannot be started.
pub fn agon(place: &TempData, arguments: &[&str]) -> Result<Said, Missing> {
    agon_told(place, arguments, "")
}

/// As [`agon`], with a text on its stdin.
///
/// # Errors
/// The program has not been built.
///
/// # Panics
/// It cannot be started.
pub fn agon_told(place: &TempData, arguments: &[&str], stdin: &str) -> Result<Said, Missing> {
    let mut command = place.command(&parts::headless()?);
    let piped = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("agon can be started");
    // A program that reads nothing may be gone already.
    let _ = child.stdin.take().expect("it is piped").write_all(stdin.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("agon ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Said { code: status.code().unwrap_or(255), stdout: text(&stdout), stderr: text(&stderr) })
}
