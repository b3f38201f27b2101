//! Where things are: the workspace, cargo's target folder and the per-user folder that set-up keeps its state in.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command;
use crate::failure::Failure;

/// Paths of this run.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// The workspace's root.
    pub(crate) root: PathBuf,
    /// Cargo's target folder, wherever the user has put it.
    pub(crate) target: PathBuf,
    /// `$XDG_CACHE_HOME/agon`: tools, logs, the standard library for wasm32. Safe to delete; set-up makes it again.
    pub(crate) cache: PathBuf,
}

impl Place {
    /// Finds the workspace that this program was built in, or that the current folder is in when that one moved.
    pub(crate) fn find() -> Result<Self, Failure> {
        let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf);
        let root = match std::env::var_os("CARGO_MANIFEST_DIR") {
            Some(running) => Path::new(&running).parent().map(Path::to_path_buf),
            None => built_in,
        };
        let root = root.filter(|root| root.join("Cargo.lock").exists()).ok_or_else(|| {
            Failure::new("the workspace is not where it was built").fix("run `cargo xtask` inside the clone")
        })?;
        let target = target_folder(&root)?;
        let cache = cache_folder(std::env::var_os("XDG_CACHE_HOME"), std::env::var_os("HOME"))?;
        let place = Self { root, target, cache };
        make(&place.cache)?;
        make(&place.logs())?;
        Ok(place)
    }

    /// Logs of set-up steps and of an engine we started.
    pub(crate) fn logs(&self) -> PathBuf {
        self.cache.join("logs")
    }

    /// Root of `cargo install` for tools whose version belongs to this project.
    pub(crate) fn tools(&self) -> PathBuf {
        self.cache.join("tools")
    }

    /// The built interface.
    pub(crate) fn dist(&self) -> PathBuf {
        self.root.join("ui/dist")
    }

    /// Screenshots, the SBOM and whatever else tests leave for a person.
    pub(crate) fn artifacts(&self) -> PathBuf {
        self.root.join("artifacts")
    }

    /// The definition of the sandbox image.
    pub(crate) fn image_definition(&self) -> PathBuf {
        self.root.join("judge-core/sandbox-image")
    }

    /// The supervisor, as `cargo xtask build supervisor` leaves it.
    pub(crate) fn supervisor(&self) -> PathBuf {
        self.target.join("x86_64-unknown-linux-gnu/supervisor/agon-supervisor")
    }

    /// The command line program of the profile that `run` and the tests use.
    pub(crate) fn headless(&self) -> PathBuf {
        self.target.join("debug/agon")
    }

    /// The desktop program of the profile that `run` and the tests use.
    pub(crate) fn desktop(&self) -> PathBuf {
        self.target.join("debug/agon-desktop")
    }

    /// `cargo`, run in the workspace.
    pub(crate) fn cargo(&self) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&self.root);
        cargo
    }
}

/// Makes a folder and its parents.
pub(crate) fn make(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|source| Failure::file("cannot make the folder", folder, &source))
}

/// Removes a folder with all that is in it; one that is not there is fine.
pub(crate) fn remove(folder: &Path) -> Result<(), Failure> {
    match std::fs::remove_dir_all(folder) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::file("cannot remove", folder, &source))
        }
        _ => Ok(()),
    }
}

fn target_folder(root: &Path) -> Result<PathBuf, Failure> {
    if let Some(target) = std::env::var_os("CARGO_TARGET_DIR") {
        return Ok(root.join(target));
    }
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["metadata", "--format-version", "1", "--no-deps", "--offline"]);
    let facts: serde_json::Value = serde_json::from_str(&command::output(&mut cargo)?)
        .map_err(|source| Failure::new(format!("cargo metadata is not JSON: {source}")))?;
    Ok(facts["target_directory"].as_str().map_or_else(|| root.join("target"), PathBuf::from))
}

fn cache_folder(xdg: Option<std::ffi::OsString>, home: Option<std::ffi::OsString>) -> Result<PathBuf, Failure> {
    let xdg = xdg.map(PathBuf::from).filter(|path| path.is_absolute());
    xdg.or_else(|| home.map(|home| Path::new(&home).join(".cache")))
        .map(|cache| cache.join("agon"))
        .ok_or_else(|| Failure::new("neither HOME nor XDG_CACHE_HOME is set").fix("export HOME=/root (or your home)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_follows_the_xdg_rules() {
        let home = Some("/home/ada".into());
        let cache = |xdg: Option<&str>| cache_folder(xdg.map(Into::into), home.clone()).expect("HOME is given");
        assert_eq!(cache(None), Path::new("/home/ada/.cache/agon"));
        assert_eq!(cache(Some("/var/cache/ada")), Path::new("/var/cache/ada/agon"));
        // A relative value must be ignored, says the specification.
        assert_eq!(cache(Some("cache")), Path::new("/home/ada/.cache/agon"));
        assert!(cache_folder(None, None).is_err());
    }
}
