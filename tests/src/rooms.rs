//! The folder of one story: data, temporary files and logs, looked through at the end.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use crate::wait;

/// Removal of boxes goes on in the background for a moment.
const GONE_WITHIN: Duration = Duration::from_secs(30);

/// A story's own place. Programs started in it keep their data and temporary files inside.
#[derive(Debug)]
pub struct TempData {
    folder: TempDir,
    /// Engines other than the system's, by address: [`crate::engine::Engine`] adds its own.
    engine: Option<String>,
    /// Where starter problems are looked for.
    problems: PathBuf,
    /// The data folder, where it is not the usual one.
    data: Option<PathBuf>,
    /// What else programs of this place find in their environment.
    variables: BTreeMap<&'static str, OsString>,
}

impl Default for TempData {
    fn default() -> Self {
        Self::new()
    }
}

impl TempData {
    /// A fresh place. Its path is short, because a socket's path may have about 100 bytes.
    ///
    /// # Panics
    /// It cannot be made.
    #[must_use]
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("agon-").tempdir().expect("a temp folder");
        for name in ["data", "tmp", "logs", "home", "runtime"] {
            // What browsers and desktops keep in their homes is theirs; a runtime folder must be the user's alone.
            let private = std::os::unix::fs::PermissionsExt::from_mode(0o700);
            std::fs::create_dir(folder.path().join(name)).expect("a folder can be made");
            std::fs::set_permissions(folder.path().join(name), private).expect("a mode can be set");
        }
        // No starter problems, unless a story asks for them: they cost every first start a second.
        let problems = folder.path().join("no-problems");
        Self { folder, engine: None, problems, data: None, variables: BTreeMap::new() }
    }

    /// Programs of this place talk to the engine at `address` (`unix:///…`).
    pub fn use_engine(&mut self, address: &str) {
        self.engine = Some(address.to_owned());
    }

    /// Programs of this place find the workspace's own problems, so that a first start takes four of them in.
    pub fn use_starter_problems(&mut self) {
        self.problems = Path::new(env!("CARGO_MANIFEST_DIR")).join("../problems");
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// What `AGON_DATA` names.
    #[must_use]
    pub fn data(&self) -> PathBuf {
        self.data.clone().unwrap_or_else(|| self.path().join("data"))
    }

    /// Programs of this place keep their data in `folder`, which lies in the place and need not exist.
    pub fn keep_data_in(&mut self, folder: PathBuf) {
        self.data = Some(folder);
    }

    /// Programs of this place find `name` in their environment.
    pub fn set(&mut self, name: &'static str, value: impl Into<OsString>) {
        self.variables.insert(name, value.into());
    }

    /// Takes back [`set`](Self::set).
    pub fn unset(&mut self, name: &'static str) {
        self.variables.remove(name);
    }

    #[must_use]
    pub fn logs(&self) -> PathBuf {
        self.path().join("logs")
    }

    /// A command that keeps to this place.
    #[must_use]
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("AGON_DATA", self.data()).env("TMPDIR", self.path().join("tmp"));
        command.env("HOME", self.path().join("home")).env("XDG_RUNTIME_DIR", self.path().join("runtime"));
        command.env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME").env_remove("XDG_CACHE_HOME");
        command.env("AGON_PROBLEMS", &self.problems);
        if let Some(engine) = &self.engine {
            command.env("DOCKER_HOST", engine);
        }
        command.envs(&self.variables);
        command
    }

    /// Checks that the programs of this place, all ended by now, left no box, no socket and no temporary file.
    ///
    /// # Panics
    /// Something is left; the message lists it.
    pub fn assert_nothing_left(self) {
        wait::until("boxes of this story to be gone", GONE_WITHIN, || {
            let boxes = self.boxes();
            if boxes.is_empty() { Ok(()) } else { Err(boxes.join("\n")) }
        });
        let left = files_below(&self.path().join("tmp"));
        assert!(left.is_empty(), "temporary files are left: {left:#?}");
        let sockets: Vec<PathBuf> = files_below(&self.data()).into_iter().filter(|file| is_socket(file)).collect();
        assert!(sockets.is_empty(), "sockets are left: {sockets:#?}");
    }

    /// Boxes on the engine whose instance folder lies in this place.
    #[must_use]
    pub fn boxes(&self) -> Vec<String> {
        let mut docker = Command::new("docker");
        docker.args([
            "ps",
            "--all",
            "--filter",
            "label=agon.box",
            "--format",
            "{{.Label \"agon.instance\"}} {{.ID}} {{.Status}}",
        ]);
        if let Some(engine) = &self.engine {
            docker.env("DOCKER_HOST", engine);
        }
        let Ok(listed) = docker.output() else { return Vec::new() };
        let own = self.path().to_string_lossy().into_owned();
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        listed.lines().filter(|line| line.starts_with(&own)).map(str::to_owned).collect()
    }
}

fn is_socket(file: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::symlink_metadata(file).is_ok_and(|found| found.file_type().is_socket())
}

/// Everything below a folder that is not a folder itself, links not followed.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(_) | Err(_) => found.push(entry.path()),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "temporary files are left")]
    fn a_forgotten_file_is_noticed() {
        let place = TempData::new();
        std::fs::write(place.path().join("tmp/forgotten"), "x").expect("written");
        place.assert_nothing_left();
    }
}
