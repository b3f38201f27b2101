//! What `cargo metadata` says about the workspace, reduced to what the checks read.

use std::path::PathBuf;

use serde::Deserialize;

use crate::command;
use crate::failure::Failure;
use crate::place::Place;

/// The workspace's own packages.
#[derive(Debug, Deserialize)]
pub(crate) struct Facts {
    /// Only workspace members (`--no-deps`).
    pub(crate) packages: Vec<Package>,
}

/// One package.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    /// Its manifest.
    pub(crate) manifest_path: PathBuf,
    /// Dependencies of all kinds.
    pub(crate) dependencies: Vec<Dependency>,
    /// Libraries, programs, tests and benches.
    pub(crate) targets: Vec<Target>,
}

/// A declared dependency.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    /// The package depended on.
    pub(crate) name: String,
    /// `None` for an ordinary one, else `dev` or `build`.
    pub(crate) kind: Option<String>,
}

/// One target of a package.
#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    /// Its name.
    pub(crate) name: String,
    /// `lib`, `bin`, `test`, `bench`, `custom-build`.
    pub(crate) kind: Vec<String>,
}

impl Facts {
    /// Asks cargo, without a network.
    pub(crate) fn ask(place: &Place) -> Result<Self, Failure> {
        let mut cargo = place.cargo();
        cargo.args(["metadata", "--format-version", "1", "--no-deps", "--offline"]);
        serde_json::from_str(&command::output(&mut cargo)?)
            .map_err(|source| Failure::new(format!("cargo metadata says something unexpected: {source}")))
    }

    /// Names of a package's targets of one kind.
    pub(crate) fn targets(&self, package: &str, kind: &str) -> Vec<&str> {
        let packages = self.packages.iter().filter(|found| found.name == package);
        let targets = packages.flat_map(|package| &package.targets);
        targets.filter(|target| target.kind.iter().any(|is| is == kind)).map(|target| target.name.as_str()).collect()
    }
}
