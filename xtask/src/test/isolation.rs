//! A place without network, engine or installer, where touching one of them is recorded.
//!
//! Commands run in network and mount namespaces of their own: there is only a loopback interface that is down, and
//! where the engine's socket was there is `/dev/null`. Programs that would fetch or start something are shadowed on
//! PATH by shims that write down who called and fail.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::command;
use crate::failure::Failure;

/// Programs that a check must not need.
const SHADOWED: [&str; 9] = ["docker", "dockerd", "podman", "curl", "wget", "apt-get", "npm", "npx", "rustup-init"];
/// What a shim exits with; no program of ours uses it.
const SHIM_STATUS: i32 = 97;
/// Run in the namespaces before the command itself.
const HIDE_ENGINE: &str = r#"for socket in /var/run/docker.sock /run/docker.sock; do
    if [ -S "$socket" ]; then mount --bind /dev/null "$socket" || exit 96; fi
done
exec "$@""#;

/// The place. It is gone when dropped.
pub(super) struct Isolation {
    folder: tempfile::TempDir,
    /// How to enter the namespaces; empty where the machine does not permit them.
    enter: Vec<&'static str>,
}

impl Isolation {
    /// Makes the shims and finds out how namespaces are entered here: as root, or as root of a user namespace.
    pub(super) fn new() -> Result<Self, Failure> {
        let failed = |source: std::io::Error| Failure::new(format!("cannot make the shims: {source}"));
        let folder = tempfile::Builder::new().prefix("agon-static-").tempdir().map_err(failed)?;
        fs::create_dir(folder.path().join("bin")).map_err(failed)?;
        for name in SHADOWED {
            write_shim(&folder.path().join("bin").join(name), name, &folder.path().join("log")).map_err(failed)?;
        }
        let ways: [&[&'static str]; 2] = [&["unshare", "-n", "-m"], &["unshare", "-r", "-n", "-m"]];
        let works = |way: &&&[&'static str]| {
            command::succeeds(Command::new(way[0]).args(&way[1..]).arg("true"), Duration::from_secs(20))
        };
        let enter = ways.iter().find(works).map(|way| way.to_vec()).unwrap_or_default();
        Ok(Self { folder, enter })
    }

    /// Whether the kernel itself keeps commands from the network, and not just settings and shims.
    pub(super) fn has_namespaces(&self) -> bool {
        !self.enter.is_empty()
    }

    /// The same command inside the place.
    pub(super) fn enclose(&self, command: &Command) -> Command {
        let mut words: Vec<&std::ffi::OsStr> = self.enter.iter().map(|word| word.as_ref()).collect();
        if self.has_namespaces() {
            words.extend(["sh", "-c", HIDE_ENGINE, "sh"].map(std::ffi::OsStr::new));
        }
        words.push(command.get_program());
        words.extend(command.get_args());
        let mut inside = Command::new(words[0]);
        inside.args(&words[1..]).envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        if let Some(folder) = command.get_current_dir() {
            inside.current_dir(folder);
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.folder.path().join("bin")).chain(std::env::split_paths(&path));
        inside.env("PATH", std::env::join_paths(folders).unwrap_or(path.clone()));
        inside.env("CARGO_NET_OFFLINE", "true").env("DOCKER_HOST", "unix:///nonexistent/engine.sock");
        inside.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        inside
    }

    /// What the shims wrote down, and forgets it.
    pub(super) fn take_log(&self) -> String {
        let log = self.log();
        let text = fs::read_to_string(&log).unwrap_or_default();
        // A log that was never written cannot be removed.
        let _ = fs::remove_file(&log);
        text
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }
}

fn write_shim(path: &Path, name: &str, log: &Path) -> std::io::Result<()> {
    let script = format!(
        "#!/bin/sh\necho \"{name} $*\" >> '{}'\necho 'the static checks may not use {name}' >&2\nexit {SHIM_STATUS}\n",
        log.display()
    );
    fs::write(path, script)?;
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))
}

/// Whether the shims bite: a command that calls them fails, and the log says which. The negative fixture of the tier.
pub(super) fn shims_bite(isolation: &Isolation) -> bool {
    let mut calls = Command::new("sh");
    calls.args(["-c", "docker ps; one=$?; npm install left-pad; two=$?; [ $one = 97 ] && [ $two = 97 ] && exit 5"]);
    let bitten = isolation.enclose(&calls).output().is_ok_and(|done| done.status.code() == Some(5));
    let log = isolation.take_log();
    bitten && log == "docker ps\nnpm install left-pad\n" && isolation.take_log().is_empty()
}

/// Whether nothing but a loopback interface is there.
pub(super) fn network_is_shut(isolation: &Isolation) -> bool {
    let seen = command::output(&mut isolation.enclose(Command::new("cat").arg("/proc/net/dev"))).unwrap_or_default();
    let interfaces: Vec<&str> = seen.lines().skip(2).filter_map(|line| line.split(':').next()).map(str::trim).collect();
    interfaces == ["lo"]
}

/// Whether the engine's socket is no socket any more.
pub(super) fn engine_is_hidden(isolation: &Isolation) -> bool {
    let mut look = Command::new("sh");
    look.args(["-c", "! [ -S /var/run/docker.sock ] && ! [ -S /run/docker.sock ]"]);
    isolation.enclose(&look).status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_that_calls_an_installer_is_found_out() {
        let isolation = Isolation::new().expect("a temporary folder can be made");
        assert!(shims_bite(&isolation));
        let mut call = Command::new("sh");
        call.args(["-c", "true | apt-get update"]);
        let ended = isolation.enclose(&call).output().expect("sh can be started");
        assert_eq!(ended.status.code(), Some(SHIM_STATUS));
        assert_eq!(isolation.take_log(), "apt-get update\n");
    }

    #[test]
    fn an_innocent_check_leaves_the_log_empty() {
        let isolation = Isolation::new().expect("a temporary folder can be made");
        let ended = isolation.enclose(&Command::new("true")).status().expect("true can be started");
        assert!(ended.success() && isolation.take_log().is_empty());
    }
}
