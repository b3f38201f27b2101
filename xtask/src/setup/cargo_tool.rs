//! Tools from crates.io, at the version this project was made with, kept apart from the user's own.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::lockfile;
use crate::command;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::place::{self, Place};
use crate::step::{Found, Step};

/// A compiler at work does not hang; this is for a registry that does.
const INSTALL_LIMIT: Duration = Duration::from_secs(3 * 3600);

/// Where a tool's version comes from.
enum Version {
    /// The version that `Cargo.lock` has of this package.
    LockedWith(&'static str),
    /// Given here.
    Fixed(&'static str),
}

/// A step that installs one tool.
pub(super) struct CargoTool {
    step: &'static str,
    package: &'static str,
    program: &'static str,
    version: Version,
    /// `cargo install --profile`: `dev` where compiling takes longer than the tool will ever run.
    profile: &'static str,
}

/// The binding generator must equal the library's version exactly.
pub(super) fn wasm_bindgen() -> CargoTool {
    CargoTool {
        step: "wasm-bindgen",
        package: "wasm-bindgen-cli",
        program: "wasm-bindgen",
        version: Version::LockedWith("wasm-bindgen"),
        profile: "release",
    }
}

/// Drives the desktop window in tests.
pub(super) fn tauri_driver() -> CargoTool {
    CargoTool {
        step: "tauri-driver",
        package: "tauri-driver",
        program: "tauri-driver",
        version: Version::Fixed("2.1.0"),
        profile: "dev",
    }
}

/// Checks licences, bans and sources against `deny.toml`.
pub(super) fn cargo_deny() -> CargoTool {
    CargoTool {
        step: "cargo-deny",
        package: "cargo-deny",
        program: "cargo-deny",
        version: Version::Fixed("0.20.2"),
        profile: "dev",
    }
}

/// Writes the bill of materials.
pub(super) fn cargo_cyclonedx() -> CargoTool {
    CargoTool {
        step: "cargo-cyclonedx",
        package: "cargo-cyclonedx",
        program: "cargo-cyclonedx",
        version: Version::Fixed("0.5.9"),
        profile: "dev",
    }
}

/// An installed tool: ours first, then the user's.
pub(crate) fn find(program: &str, place: &Place) -> Result<PathBuf, Failure> {
    let ours = place.tools().join("bin").join(program);
    let found = if ours.is_file() { Some(ours) } else { command::on_path(program) };
    found.ok_or_else(|| Failure::new(format!("{program} is not installed")).fix("cargo xtask setup"))
}

impl CargoTool {
    fn wanted(&self, place: &Place) -> Result<String, Failure> {
        match self.version {
            Version::LockedWith(package) => lockfile::version_of(package, &place.root),
            Version::Fixed(version) => Ok(version.to_owned()),
        }
    }

    /// The installed tool that has the wanted version: ours, or one that the user already has.
    fn present(&self, wanted: &str, place: &Place) -> Option<PathBuf> {
        let ours = place.tools().join("bin").join(self.program);
        std::iter::once(ours)
            .chain(command::on_path(self.program))
            .find(|program| program.is_file() && self.has_version(program, wanted))
    }

    fn has_version(&self, program: &Path, wanted: &str) -> bool {
        if has_record(program, self.package, wanted) {
            return true;
        }
        let mut ask = Command::new(program);
        if self.program.starts_with("cargo-") {
            ask.arg(self.program.trim_start_matches("cargo-"));
        }
        // tauri-driver knows no `--version` and would start serving: only cargo's record tells.
        self.program != "tauri-driver" && command::output(ask.arg("--version")).is_ok_and(|said| names(&said, wanted))
    }
}

impl Step for CargoTool {
    fn name(&self) -> &'static str {
        self.step
    }

    fn does(&self) -> String {
        format!("compiling {} from crates.io", self.package)
    }

    fn look(&self, place: &Place, _: &Machine) -> Result<Found, Failure> {
        let wanted = self.wanted(place)?;
        Ok(match self.present(&wanted, place) {
            Some(program) => Found::Done(format!("{wanted}, {}", program.display())),
            None => Found::Missing(format!("{} {wanted} is missing", self.program)),
        })
    }

    fn perform(&self, place: &Place, _: &Machine) -> Result<(), Failure> {
        let wanted = self.wanted(place)?;
        let log = place.logs().join(format!("{}.log", self.step));
        let work = place.cache.join("work/tools");
        let install = |locked: bool| {
            let mut cargo = place.cargo();
            // Outside the workspace its profiles and flags have no say. The target folder outlives an interruption.
            cargo.current_dir(&place.cache).env("CARGO_TARGET_DIR", &work).env_remove("RUSTFLAGS");
            // Half an hour on a busy small machine at the default level, for a program that runs for a second.
            cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
            cargo.args(["install", self.package, "--version", &wanted, "--bin", self.program]);
            cargo.args(["--profile", self.profile, "--force", "--root"]).arg(place.tools());
            command::logged(if locked { cargo.arg("--locked") } else { &mut cargo }, &log, INSTALL_LIMIT)
        };
        // A published lock file may name a release that was yanked or that this registry does not show yet.
        install(true).or_else(|_| install(false))?;
        place::remove(&work)
    }

    fn remedy(&self, _: &Machine) -> String {
        format!(
            "check that cargo reaches crates.io (cargo info {}), or install it yourself: cargo install {}",
            self.package, self.package
        )
    }
}

/// Whether `cargo install` recorded this version beside the program.
fn has_record(program: &Path, package: &str, wanted: &str) -> bool {
    let record = program.parent().and_then(Path::parent).map(|root| root.join(".crates.toml"));
    let text = record.and_then(|record| std::fs::read_to_string(record).ok()).unwrap_or_default();
    text.contains(&format!("\"{package} {wanted} ("))
}

fn names(said: &str, version: &str) -> bool {
    said.split_whitespace().any(|word| word.trim_start_matches('v') == version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_near_version_is_not_the_version() {
        assert!(names("wasm-bindgen 0.2.130", "0.2.130"));
        assert!(names("cargo-deny v0.20.2", "0.20.2"));
        assert!(!names("wasm-bindgen 0.2.1301", "0.2.130"));
        assert!(!names("", "0.2.130"));
    }

    #[test]
    fn cargo_s_own_record_tells_the_version_of_a_silent_program() {
        let root = tempfile::tempdir().expect("a temporary folder can be made");
        let record = "[v1]\n\"tauri-driver 2.1.0 (registry+https://index.example)\" = [\"tauri-driver\"]\n";
        std::fs::write(root.path().join(".crates.toml"), record).expect("the record can be written");
        let program = root.path().join("bin/tauri-driver");
        assert!(has_record(&program, "tauri-driver", "2.1.0"));
        assert!(!has_record(&program, "tauri-driver", "2.1"));
        assert!(!has_record(&program, "driver", "2.1.0"));
    }
}
