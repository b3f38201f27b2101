//! The parts a story needs, where they are, and what happens when one is absent.
//!
//! An absent part is a loud, counted skip; with `AGON_REQUIRE_PARTS=1` it is a failure.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What is missing and how to get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing(pub String);

/// Missing because the tests run as an ordinary user, who cannot have it: no set-up would change that.
pub const NEEDS_ROOT: &str = "an engine or a file system of one's own needs root; run these stories as root";

/// Whether the tests run as root.
#[must_use]
pub fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// Says that a story is skipped, or fails it where every part must be there.
///
/// # Panics
/// With `AGON_REQUIRE_PARTS=1`, unless only root could have the part.
pub fn skip(missing: &Missing) {
    let required = std::env::var("AGON_REQUIRE_PARTS").is_ok_and(|value| value == "1") && missing.0 != NEEDS_ROOT;
    assert!(!required, "a required part is missing: {}", missing.0);
    // Not `eprintln!`: the test harness would keep it to itself when the test passes.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {}", missing.0);
}

/// Evaluates to the part, or skips the story.
#[macro_export]
macro_rules! part {
    ($found:expr) => {
        match $found {
            Ok(part) => part,
            Err(missing) => return $crate::parts::skip(&missing),
        }
    };
}

/// The program `agon`.
///
/// # Errors
/// It has not been built.
pub fn headless() -> Result<PathBuf, Missing> {
    program("AGON_HEADLESS", "agon", "cargo build -p agon")
}

/// The desktop app, built with the interface inside.
///
/// # Errors
/// It has not been built.
pub fn desktop() -> Result<PathBuf, Missing> {
    program("AGON_DESKTOP", "agon-desktop", "cargo xtask build desktop")
}

/// A tool of the machine.
///
/// # Errors
/// It is not on the path.
pub fn tool(name: &str, remedy: &str) -> Result<PathBuf, Missing> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.ok_or_else(|| Missing(format!("{name} is not installed; {remedy}")))
}

/// `tauri-driver`, where set-up put it or on the path.
///
/// # Errors
/// It is not installed.
pub fn tauri_driver() -> Result<PathBuf, Missing> {
    match std::env::var_os("AGON_TAURI_DRIVER").map(PathBuf::from).filter(|file| file.is_file()) {
        Some(file) => Ok(file),
        None => tool("tauri-driver", "run cargo xtask setup"),
    }
}

/// The script of axe-core, where set-up keeps it.
///
/// # Errors
/// It has not been fetched.
pub fn axe() -> Result<PathBuf, Missing> {
    let remedy = "run cargo xtask setup axe; it says where the script is, for AGON_AXE";
    let file = std::env::var_os("AGON_AXE").map(PathBuf::from).filter(|file| file.is_file());
    file.ok_or_else(|| Missing(format!("axe-core is not here; {remedy}")))
}

/// The sandbox: an engine that answers, and the supervisor.
///
/// # Errors
/// Either is missing.
pub fn sandbox() -> Result<(), Missing> {
    let mut docker = Command::new(tool("docker", "run cargo xtask setup engine")?);
    let answers = docker.arg("info").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !answers.is_ok_and(|status| status.success()) {
        return Err(Missing("the engine does not answer; run cargo xtask setup engine".into()));
    }
    supervisor().map(drop)
}

/// The static supervisor.
///
/// # Errors
/// It has not been built.
pub fn supervisor() -> Result<PathBuf, Missing> {
    let built = "x86_64-unknown-linux-gnu/supervisor/agon-supervisor";
    program("AGON_SUPERVISOR", &format!("../{built}"), "cargo xtask build supervisor")
}

/// Where screenshots go: `AGON_TEST_ARTIFACTS`, else `artifacts/` of the workspace.
///
/// # Panics
/// The folder cannot be made.
#[must_use]
pub fn artifacts() -> PathBuf {
    let folder = std::env::var_os("AGON_TEST_ARTIFACTS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../artifacts"), PathBuf::from);
    std::fs::create_dir_all(&folder).expect("the artefacts' folder can be made");
    folder
}

/// The file that the variable names, else the one in the folder where cargo put this test's own program.
fn program(variable: &str, name: &str, remedy: &str) -> Result<PathBuf, Missing> {
    let beside = || {
        let test = std::env::current_exe().ok()?;
        // target/debug/deps/<test>
        Some(test.parent()?.parent()?.join(name))
    };
    std::env::var_os(variable)
        .map(PathBuf::from)
        .or_else(beside)
        .filter(|file| file.is_file())
        .ok_or_else(|| Missing(format!("{name} has not been built; run {remedy}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_is_not_there_says_how_to_get_it() {
        let missing = tool("no-such-tool", "run cargo xtask setup").expect_err("nothing has this name");
        assert_eq!(missing.0, "no-such-tool is not installed; run cargo xtask setup");
    }
}
