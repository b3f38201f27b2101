//! The container engine: reached if it runs, started if it does not.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::command;
use crate::failure::Failure;
use crate::machine::{self, Machine};
use crate::place::Place;
use crate::step::{Found, Step};

/// Where the engine listens unless `DOCKER_HOST` says otherwise; the judge looks in the same place.
const SOCKET: &str = "/var/run/docker.sock";
/// A first start makes its storage and its bridge.
const START_LIMIT: Duration = Duration::from_secs(90);
const ANSWER_LIMIT: Duration = Duration::from_secs(20);

/// An engine that was killed leaves its pid files. When another program has got such a number since, the next engine refuses
/// to start, or waits for a containerd that is none.
const FORGET_DEAD: &str = r#"for file in /var/run/docker.pid /var/run/docker/containerd/containerd.pid; do
    [ -e "$file" ] || continue
    case "$(cat "/proc/$(cat "$file")/comm" 2>/dev/null)" in dockerd | containerd) ;; *) rm -f "$file" ;; esac
done"#;

/// Step `engine`.
pub(super) struct Engine;

/// The `docker` client, aimed at the very engine that the judge uses (a client's own contexts may point elsewhere).
pub(crate) fn docker() -> Command {
    let mut docker = Command::new("docker");
    if std::env::var_os("DOCKER_HOST").is_none() {
        docker.env("DOCKER_HOST", format!("unix://{SOCKET}"));
    }
    docker
}

/// The running engine's version, or why it does not answer.
fn version() -> Result<String, Failure> {
    let ask = || {
        let mut docker = docker();
        docker.args(["version", "--format", "{{.Server.Version}}"]);
        docker
    };
    let answers = command::succeeds(&mut ask(), ANSWER_LIMIT);
    // Asked again for its words: the first time found out whether it hangs.
    let said = command::output(&mut ask())?;
    if answers { Ok(said) } else { Err(Failure::new("the engine answers too slowly")) }
}

impl Step for Engine {
    fn name(&self) -> &'static str {
        "engine"
    }

    fn does(&self) -> String {
        "starting it".into()
    }

    fn look(&self, _: &Place, _: &Machine) -> Result<Found, Failure> {
        Ok(match version() {
            Ok(version) => Found::Done(format!("version {version}")),
            Err(failure) => Found::Missing(first_line(&failure.to_string())),
        })
    }

    fn perform(&self, place: &Place, machine: &Machine) -> Result<(), Failure> {
        if let Some(host) = std::env::var_os("DOCKER_HOST") {
            let host = host.to_string_lossy().into_owned();
            return Err(Failure::new(format!("DOCKER_HOST is {host}, and nothing of ours runs there"))
                .fix("start that engine, or unset DOCKER_HOST"));
        }
        refused_by_permission()?;
        if machine.has_service_manager() {
            let log = place.logs().join("engine.log");
            return command::logged(
                &mut machine.as_root("systemctl", &["enable", "--now", "docker"])?,
                &log,
                START_LIMIT,
            );
        }
        start_detached(place, machine)
    }

    fn remedy(&self, machine: &Machine) -> String {
        if machine.has_service_manager() {
            return "sudo systemctl start docker; journalctl -u docker says why it would not".into();
        }
        "sudo dockerd, and read what it says; inside a container it needs --privileged and mounted cgroups".into()
    }
}

/// A socket that is there but closed to this user is not an engine that has to be started.
fn refused_by_permission() -> Result<(), Failure> {
    match std::os::unix::net::UnixStream::connect(SOCKET) {
        Err(refused) if refused.kind() == std::io::ErrorKind::PermissionDenied => {
            let user = machine::user_name();
            Err(Failure::new(format!("{user} may not use the engine's socket {SOCKET}"))
                .fix(format!("sudo usermod -aG docker {user}, then log in again (or: newgrp docker)")))
        }
        _ => Ok(()),
    }
}

/// Starts `dockerd` in a session of its own, so that it outlives this program and no Ctrl-C reaches it.
fn start_detached(place: &Place, machine: &Machine) -> Result<(), Failure> {
    let log = place.logs().join("dockerd.log");
    let daemon = daemon().ok_or_else(|| Failure::new("dockerd is not installed").fix("cargo xtask setup packages"))?;
    let shell = format!("{FORGET_DEAD}\nexec setsid --fork {} >>{} 2>&1 </dev/null", daemon.display(), log.display());
    let mut start = machine.as_root("sh", &["-c", &shell])?;
    start.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command::on_terminal(&mut start)?;
    let begun = Instant::now();
    while begun.elapsed() < START_LIMIT {
        if version().is_ok() {
            return Ok(());
        }
        refused_by_permission()?;
        std::thread::sleep(Duration::from_millis(250));
    }
    let said = std::fs::read_to_string(&log).unwrap_or_default();
    let last: Vec<&str> = said.lines().rev().take(8).collect();
    let last: Vec<&str> = last.into_iter().rev().collect();
    Err(Failure::new(format!("dockerd does not answer after {} s:\n{}", START_LIMIT.as_secs(), last.join("\n"))))
}

/// Whether client and engine are both on this machine, whoever packaged them.
pub(super) fn is_installed() -> bool {
    command::on_path("docker").is_some() && daemon().is_some()
}

/// `dockerd` lives in a folder that an ordinary user's PATH may lack.
fn daemon() -> Option<PathBuf> {
    command::on_path("dockerd")
        .or_else(|| Some(PathBuf::from("/usr/sbin/dockerd")).filter(|path: &PathBuf| Path::exists(path)))
}

fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.rsplit_once(": ").map_or(line, |(_, end)| end).to_owned()
}
