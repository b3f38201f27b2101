//! The distribution's packages: compilers, the web view, the engine, and what the tests drive.

use std::process::Command;
use std::time::Duration;

use super::{Purpose, engine};
use crate::command;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::place::Place;
use crate::say;
use crate::step::{Found, Step};

/// To compile anything here: SQLite and the libraries' C parts, and `unshare` for the checks without a network.
const BUILD: &[&str] = &["build-essential", "ca-certificates", "git", "pkg-config", "python3", "util-linux"];
/// To run and fill the sandbox.
const SERVE: &[&str] = &["debian-archive-keyring", "docker.io", "iproute2", "iptables", "mmdebstrap"];
/// The window's web view. The fonts are for the Chinese and Japanese interface.
const WINDOW: &[&str] = &["dbus-x11", "fonts-dejavu-core", "fonts-noto-cjk", "libwebkit2gtk-4.1-dev"];
/// To drive the window and a browser with no screen attached.
const TEST: &[&str] =
    &["chromium", "chromium-driver", "npm", "procps", "unzip", "webkit2gtk-driver", "xauth", "xdotool", "xvfb"];
/// Split out of docker.io in newer releases; taken where the release has it.
const IF_KNOWN: &[&str] = &["docker-cli"];

/// Installing can fetch several hundred megabytes.
const INSTALL_LIMIT: Duration = Duration::from_secs(40 * 60);

/// Step `packages`.
pub(super) struct Packages {
    /// Which of the lists are wanted.
    pub(super) purpose: Purpose,
}

impl Packages {
    fn wanted(&self) -> Vec<&'static str> {
        let lists: &[&[&str]] = match self.purpose {
            Purpose::Static => &[BUILD],
            Purpose::Serve => &[BUILD, SERVE],
            Purpose::Window => &[BUILD, SERVE, WINDOW],
            Purpose::Everything => &[BUILD, SERVE, WINDOW, TEST],
        };
        lists.concat()
    }

    fn missing(&self) -> Result<Vec<&'static str>, Failure> {
        let mut wanted = self.wanted();
        // The vendor's own packages of the engine conflict with the distribution's: whoever has them keeps them.
        if engine::is_installed() {
            wanted.retain(|name| *name != "docker.io");
        }
        // The vendor's nodejs brings it along and conflicts with the distribution's.
        if command::on_path("npm").is_some() {
            wanted.retain(|name| *name != "npm");
        }
        if wanted.contains(&"docker.io") && command::on_path("docker").is_none() {
            wanted.extend(IF_KNOWN.iter().filter(|name| is_known(name)));
        }
        let mut query = Command::new("dpkg-query");
        query.args(["--show", "--showformat", "${Package} ${db:Status-Status}\\n"]).args(&wanted);
        // It exits 1 as soon as one of them is unknown; what it printed about the others still counts.
        let said = query.output().map_err(|source| {
            Failure::new(format!("cannot ask dpkg what is installed: {source}")).fix(by_hand(&wanted))
        })?;
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        Ok(wanted.into_iter().filter(|name| !is_installed(&said, name)).collect())
    }
}

impl Step for Packages {
    fn name(&self) -> &'static str {
        "packages"
    }

    fn does(&self) -> String {
        "installing them with apt".into()
    }

    fn look(&self, _: &Place, _: &Machine) -> Result<Found, Failure> {
        let missing = self.missing()?;
        if missing.is_empty() {
            return Ok(Found::Done(format!("{} packages", self.wanted().len())));
        }
        Ok(Found::Missing(format!("missing {}", missing.join(" "))))
    }

    fn perform(&self, place: &Place, machine: &Machine) -> Result<(), Failure> {
        let missing = self.missing()?;
        let log = place.logs().join("packages.log");
        let lock = "DPkg::Lock::Timeout=300";
        let mut update = machine.as_root("apt-get", &["-o", lock, "update"]).map_err(|no| no.fix(by_hand(&missing)))?;
        // One unreachable third-party source must not stop us; if it mattered, the installation will say so.
        if let Err(failure) = command::logged(&mut update, &log, INSTALL_LIMIT) {
            say::line(&format!("    apt-get update is not clean, going on: {failure}"));
        }
        let mut line =
            vec!["DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", lock, "install", "-y", "--no-install-recommends"];
        line.extend(&missing);
        command::logged(&mut machine.as_root("env", &line)?, &log, INSTALL_LIMIT)
    }

    fn remedy(&self, _: &Machine) -> String {
        by_hand(&self.missing().unwrap_or_else(|_| self.wanted()))
    }
}

fn by_hand(names: &[&str]) -> String {
    if command::on_path("apt-get").is_none() {
        return format!(
            "only Debian and Ubuntu are set up by themselves; install what your distribution calls: {}",
            names.join(" ")
        );
    }
    format!("check the network, then: sudo apt-get update && sudo apt-get install {}", names.join(" "))
}

fn is_known(name: &str) -> bool {
    let said = command::output(Command::new("apt-cache").args(["policy", name])).unwrap_or_default();
    said.lines().any(|line| line.trim().starts_with("Candidate:") && !line.contains("(none)"))
}

fn is_installed(said: &str, name: &str) -> bool {
    said.lines().any(|line| line == format!("{name} installed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_removed_package_with_its_configuration_left_is_not_installed() {
        let said = "binaryen installed\ndocker.io config-files\ngit not-installed\n";
        assert!(is_installed(said, "binaryen"));
        assert!(!is_installed(said, "docker.io") && !is_installed(said, "git") && !is_installed(said, "bin"));
    }

    #[test]
    fn the_static_checks_ask_for_neither_engine_nor_browser() {
        let wanted = Packages { purpose: Purpose::Static }.wanted();
        assert!(!wanted.iter().any(|name| name.contains("docker") || name.contains("chromium")), "{wanted:?}");
    }

    #[test]
    fn the_remedy_is_a_command_that_can_be_pasted() {
        assert!(
            by_hand(&["xvfb", "binaryen"]).ends_with("install xvfb binaryen") || command::on_path("apt-get").is_none()
        );
    }
}
