//! Finds the supervisor program that was built for the boxes.

use std::path::{Path, PathBuf};

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
