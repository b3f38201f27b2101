//! Finds the supervisor program that was built for the boxes, and tells an outdated one.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use agon_supervisor::wire::PROGRAM_MARK;

use super::SandboxError;

const PROGRAM: &str = "agon-supervisor";
/// Names the program directly; otherwise it is looked for.
const VARIABLE: &str = "AGON_SUPERVISOR";
/// Where `cargo xtask build supervisor` leaves it, below a `target` folder.
const IN_TARGET: &str = "x86_64-unknown-linux-gnu/supervisor";

/// The supervisor: `AGON_SUPERVISOR`, else beside the running program, else in the workspace's `target` folder above it.
/// The path is where it should be even if it is not there, so that an error can name it.
#[must_use]
pub fn find_supervisor() -> PathBuf {
    if let Some(path) = std::env::var_os(VARIABLE) {
        return PathBuf::from(path);
    }
    let running = std::env::current_exe().unwrap_or_default();
    look_near(&running)
}

/// A plain `cargo build` leaves a dynamic program beside a built one; a box has use only for the static one.
fn look_near(running: &Path) -> PathBuf {
    running
        .ancestors()
        .find(|folder| folder.file_name().is_some_and(|name| name == "target"))
        .map_or_else(|| running.with_file_name(PROGRAM), |target| target.join(IN_TARGET).join(PROGRAM))
}

/// Whether the program speaks this judge's protocol, without running it. Found out here and not at its first words, an
/// outdated one is a state of the backend that ends when the program is replaced.
///
/// # Errors
/// [`SandboxError::SupervisorMissing`], [`SandboxError::SupervisorOutdated`], or that it cannot be read.
pub(crate) fn check_supervisor(path: &Path) -> Result<(), SandboxError> {
    if !path.is_file() {
        return Err(SandboxError::SupervisorMissing { path: path.to_owned() });
    }
    let program = std::fs::read(path).map_err(|source| match source.kind() {
        ErrorKind::NotFound => SandboxError::SupervisorMissing { path: path.to_owned() },
        _any_other => SandboxError::PrepareFolder { path: path.to_owned(), source },
    })?;
    if program.windows(PROGRAM_MARK.len()).any(|window| window == PROGRAM_MARK.as_bytes()) {
        return Ok(());
    }
    Err(SandboxError::SupervisorOutdated { detail: format!("{} lacks {PROGRAM_MARK}", path.display()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_program_has_it_beside_itself() {
        assert_eq!(look_near(Path::new("/opt/agon/agon")), Path::new("/opt/agon").join(PROGRAM));
    }

    #[test]
    fn a_built_one_has_it_in_its_target_folder() {
        let found = look_near(Path::new("/w/target/debug/deps/judge_core-1"));
        assert_eq!(found, Path::new("/w/target").join(IN_TARGET).join(PROGRAM));
    }
}
