//! Facts about this machine: who we are, which distribution, whether there is a display or a service manager.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::apt_sources::{self, Mirror};
use crate::command;
use crate::failure::Failure;

/// What set-up needs to know before it decides anything.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    /// Whether this process is root.
    pub(crate) is_root: bool,
    /// `VERSION_CODENAME` of os-release, such as `bookworm`.
    pub(crate) codename: String,
    /// The mirror of the distribution that the machine's own apt sources name; none where there is no apt.
    pub(crate) mirror: Option<Mirror>,
}

impl Machine {
    /// Reads the facts.
    pub(crate) fn look() -> Self {
        let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
        let codename = value_of(&release, "VERSION_CODENAME").unwrap_or_default();
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mirror = command::on_path("apt-get").and_then(|_| apt_sources::mirror(&codename));
        Self { is_root: effective_uid(&status) == Some(0), codename, mirror }
    }

    /// `program`, run as root: directly, or through sudo where that asks nothing or there is somebody to ask.
    pub(crate) fn as_root(&self, program: &str, arguments: &[&str]) -> Result<Command, Failure> {
        let mut direct = Command::new(program);
        direct.args(arguments);
        if self.is_root {
            return Ok(direct);
        }
        let line = command::shown(&direct);
        let no_root = || Failure::new("this needs root").fix(format!("as root: {line}"));
        command::on_path("sudo").ok_or_else(no_root)?;
        if !self.sudo_works() {
            return Err(Failure::new("this needs root, and sudo refuses").fix(format!("sudo {line}")));
        }
        let mut sudo = Command::new("sudo");
        sudo.arg("-n").arg(program).args(arguments);
        Ok(sudo)
    }

    /// Whether sudo works without a question. On a terminal it may ask once; the answer is remembered by sudo itself.
    fn sudo_works(&self) -> bool {
        use std::io::IsTerminal;
        let quiet = || command::succeeds(Command::new("sudo").args(["-n", "true"]), Duration::from_secs(10));
        quiet() || (std::io::stdin().is_terminal() && Command::new("sudo").arg("-v").status().is_ok() && quiet())
    }

    /// Whether a window can be opened.
    pub(crate) fn has_display(&self) -> bool {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        set("DISPLAY") || set("WAYLAND_DISPLAY")
    }

    /// Whether systemd runs this machine's services.
    pub(crate) fn has_service_manager(&self) -> bool {
        Path::new("/run/systemd/system").is_dir()
    }
}

/// The user's name, for commands that a person has to type.
pub(crate) fn user_name() -> String {
    command::output(Command::new("id").arg("-un")).unwrap_or_else(|_| "$USER".to_owned())
}

fn value_of(release: &str, key: &str) -> Option<String> {
    let line = release.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='))?;
    Some(line.trim_matches('"').to_owned())
}

fn effective_uid(status: &str) -> Option<u32> {
    status.lines().find_map(|line| line.strip_prefix("Uid:"))?.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_file_is_read_with_and_without_quotes() {
        let release = "ID=debian\nVERSION_CODENAME=bookworm\nNAME=\"Debian GNU/Linux\"\n";
        assert_eq!(value_of(release, "VERSION_CODENAME").as_deref(), Some("bookworm"));
        assert_eq!(value_of(release, "NAME").as_deref(), Some("Debian GNU/Linux"));
        assert_eq!(value_of(release, "VERSION"), None);
    }

    #[test]
    fn the_effective_user_counts_not_the_real_one() {
        assert_eq!(effective_uid("Name:\tx\nUid:\t1000\t0\t0\t0\n"), Some(0));
        assert_eq!(effective_uid("Uid:\t0\t1000\t0\t0\n"), Some(1000));
        assert_eq!(effective_uid(""), None);
    }
}
