//! The program `agon`, run to its end.

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
    let mut command = place.command(&parts::headless()?);
    let Output { status, stdout, stderr } =
        command.args(arguments).stdin(Stdio::null()).output().expect("agon can be started");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Said { code: status.code().unwrap_or(255), stdout: text(&stdout), stderr: text(&stderr) })
}
