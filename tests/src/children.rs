//! Processes a story starts: each leads a group of its own, and the whole group ends with its guard.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::wait;

/// How long a program may take to end after it was asked.
const END_WITHIN: Duration = Duration::from_secs(30);

/// A program and everything it started. Dropping it kills the group and nothing else.
#[derive(Debug)]
pub struct Group {
    name: String,
    child: Child,
    log: PathBuf,
}

impl Group {
    /// Starts `command`; both outputs go to `<folder>/<name>.log`.
    ///
    /// # Panics
    /// It cannot be started.
    #[must_use]
    pub fn start(name: &str, command: &mut Command, folder: &Path) -> Self {
        let log = folder.join(format!("{name}.log"));
        let out = File::options().create(true).append(true).open(&log).expect("the log can be written");
        let errors = out.try_clone().expect("a descriptor can be doubled");
        command.stdin(Stdio::null()).stdout(out).stderr(errors).process_group(0);
        let child = command.spawn().unwrap_or_else(|error| panic!("{name} cannot be started: {error}"));
        Self { name: name.to_owned(), child, log }
    }

    /// The leader's process id, which is the group's too.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What was printed so far.
    #[must_use]
    pub fn printed(&self) -> String {
        std::fs::read(&self.log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
    }

    /// How it ended, if it has.
    ///
    /// # Panics
    /// The process cannot be waited for.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("our own child can be waited for")
    }

    /// `kill -9` of the leader alone: a crash, not an end.
    ///
    /// # Panics
    /// The process cannot be waited for.
    pub fn crash(&mut self) {
        self.child.kill().expect("our own child can be killed");
        self.child.wait().expect("our own child can be waited for");
    }

    /// Asks the leader to end (SIGTERM) and waits for it.
    ///
    /// # Panics
    /// It does not end.
    pub fn ask_to_end(&mut self) -> ExitStatus {
        ask_process_to_end(self.child.id());
        self.wait()
    }

    /// Waits until it ends by itself.
    ///
    /// # Panics
    /// It does not.
    pub fn wait(&mut self) -> ExitStatus {
        let name = self.name.clone();
        wait::until(&format!("{name} to end"), END_WITHIN, || self.ended().ok_or_else(|| self.printed()))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        kill_group(self.child.id());
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("---- what {} printed ----\n{}", self.name, self.printed());
        }
    }
}

/// Processes of a group that still live.
#[must_use]
pub fn living_in_group(group: u32) -> Vec<String> {
    let listed = Command::new("ps").args(["-eo", "pgid=,pid=,stat=,args="]).output().expect("ps lists processes");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let of_group = |line: &&str| {
        let mut words = line.split_whitespace();
        words.next() == Some(&group.to_string()) && words.nth(1).is_some_and(|state| !state.starts_with('Z'))
    };
    listed.lines().filter(of_group).map(str::to_owned).collect()
}

/// SIGTERM to one process.
pub fn ask_process_to_end(id: u32) {
    run_kill(&["-TERM", &id.to_string()]);
}

/// SIGKILL to one process.
pub fn kill_process(id: u32) {
    run_kill(&["-KILL", &id.to_string()]);
}

fn kill_group(id: u32) {
    run_kill(&["-KILL", "--", &format!("-{id}")]);
}

/// The system's own `kill`: this workspace forbids unsafe code, and a signal needs it.
fn run_kill(arguments: &[&str]) {
    let _ = Command::new("kill").args(arguments).stderr(Stdio::null()).status();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_ends_with_its_guard_grandchildren_included() {
        let folder = tempfile::tempdir().expect("a temp folder");
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 600 & echo started; wait"]);
        let group = Group::start("family", &mut command, folder.path());
        let id = group.id();
        wait::until("the child", END_WITHIN, || {
            if living_in_group(id).len() == 2 { Ok(()) } else { Err(group.printed()) }
        });
        drop(group);
        assert_eq!(living_in_group(id), Vec::<String>::new());
    }
}
