//! An engine of a story's own: it can be stopped in the middle of judging without disturbing anybody else.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::children::Group;
use crate::parts::{self, Missing};
use crate::wait;

/// A loaded machine may take long to start an engine.
const STARTS_WITHIN: Duration = Duration::from_secs(90);

/// A `dockerd` with its own folders and socket, its image copied from the system's engine. Dropping it ends it and
/// removes its folders.
#[derive(Debug)]
pub struct Engine {
    dockerd: PathBuf,
    folder: tempfile::TempDir,
    running: Option<Group>,
}

impl Engine {
    /// Starts an engine and gives it the sandbox image `image` of the system's engine.
    ///
    /// # Errors
    /// There is no `dockerd`, or we are not root.
    ///
    /// # Panics
    /// The engine does not start.
    pub fn start_own(image: &str) -> Result<Self, Missing> {
        let dockerd = match parts::tool("dockerd", "run cargo xtask setup engine") {
            Ok(found) => found,
            Err(missing) => existing("/usr/sbin/dockerd").ok_or(missing)?,
        };
        if !parts::is_root() {
            return Err(Missing(parts::NEEDS_ROOT.into()));
        }
        let folder = tempfile::Builder::new().prefix("agon-engine-").tempdir().expect("a temp folder");
        let mut engine = Self { dockerd, folder, running: None };
        engine.start();
        engine.copy_image(image);
        Ok(engine)
    }

    /// What `DOCKER_HOST` names.
    #[must_use]
    pub fn address(&self) -> String {
        format!("unix://{}", self.path("engine.sock").display())
    }

    /// Ends the engine as an administrator would; boxes on it die.
    ///
    /// # Panics
    /// It does not end.
    pub fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            running.ask_to_end();
        }
    }

    /// Starts it again on the same folders.
    ///
    /// # Panics
    /// It does not answer in time.
    pub fn start(&mut self) {
        let _ = std::fs::remove_file(self.path("engine.pid"));
        // The machine's own configuration may name the same options, which the engine refuses.
        std::fs::write(self.path("config.json"), "{}").expect("the engine's folder can be written");
        let mut command = Command::new(&self.dockerd);
        command
            .args(["--bridge=none", "--iptables=false", "--ip6tables=false", "--log-level=warn"])
            .arg(format!("--host={}", self.address()))
            .arg(format!("--data-root={}", self.path("data").display()))
            .arg(format!("--exec-root={}", self.path("exec").display()))
            .arg(format!("--config-file={}", self.path("config.json").display()))
            .arg(format!("--pidfile={}", self.path("engine.pid").display()));
        let mut running = Group::start("dockerd", &mut command, self.folder.path());
        wait::until("the story's engine to answer", STARTS_WITHIN, || {
            assert!(running.ended().is_none(), "the engine ended:\n{}", running.printed());
            if self.docker(&["info"]) { Ok(()) } else { Err(running.printed()) }
        });
        self.running = Some(running);
    }

    fn copy_image(&self, image: &str) {
        let script = r#"docker save "$IMAGE" | docker --host "$TARGET" load"#;
        let mut copy = Command::new("sh");
        copy.args(["-c", script]).env("IMAGE", image).env("TARGET", self.address()).stdout(Stdio::null());
        assert!(copy.status().is_ok_and(|status| status.success()), "the sandbox image {image} could not be copied");
    }

    fn docker(&self, arguments: &[&str]) -> bool {
        let mut docker = Command::new("docker");
        docker.arg("--host").arg(self.address()).args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        docker.status().is_ok_and(|status| status.success())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(mut running) = self.running.take() {
            // An engine that is killed leaves mounts behind, so it is asked first even when the story has failed.
            let _ = Command::new("kill").args(["-TERM", &running.id().to_string()]).status();
            for _ in 0..300 {
                if running.ended().is_some() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        unmount_below(self.folder.path());
    }
}

/// Whatever the engine left mounted would keep its folder from being removed.
fn unmount_below(folder: &Path) {
    let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let folder = folder.to_string_lossy().into_owned();
    let below = mounts.lines().filter_map(|line| line.split(' ').nth(1)).filter(|place| place.starts_with(&folder));
    for place in below.collect::<Vec<_>>().into_iter().rev() {
        let _ = Command::new("umount").args(["--lazy", place]).status();
    }
}

fn existing(path: &str) -> Option<PathBuf> {
    Some(PathBuf::from(path)).filter(|file| file.is_file())
}
