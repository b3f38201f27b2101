//! Problem packages: read from a directory or a zip, checked, never changed.
//!
//! [`read`] answers with findings and, if none is an error, a [`CheckedPackage`]. A directory is read in place; a zip
//! is unpacked into the caller's staging folder, and so is any text that had to be mended. The source is never
//! written to. Whatever is not supported is refused by name and never judged by the default validator.

mod archive;
mod check;
mod data;
mod directory;
mod facts;
mod findings;
mod foreign;
mod format;
mod groups;
mod jury;
mod kind;
mod limits;
mod metadata;
mod model;
mod rules;
mod scoring;
mod statements;
mod submissions;
mod text;
mod tree;
mod unsupported;
mod yaml;

use std::fs;
use std::path::Path;

use agon_contract::package::Finding;

pub use findings::PackageError;
pub use model::{
    CheckedPackage, CompilationLimits, PackageCase, PackageFormat, PackageLimits, PackageStatement, PackageSubmission,
    StatementFile, SubmissionFile, TimeLimitRule,
};
pub(crate) use tree::TOTAL_BYTES_CAP;

use findings::Findings;
use foreign::Known;
use tree::Tree;

/// What the import doctor saw.
#[derive(Debug)]
pub struct Inspection {
    /// The format found, e.g. `legacy`, `2025-09`; empty when none was recognised.
    pub format: String,
    /// Name of the directory or archive file.
    pub source_name: String,
    pub findings: Vec<Finding>,
    /// Absent exactly when a finding is an error.
    pub package: Option<CheckedPackage>,
}

/// Reads and checks the package at `source`: a directory, or a `.zip`/`.kpp` file that is unpacked into the existing,
/// empty folder `staging`. Paths of the result point into `source` or `staging`, so both must outlive its use.
///
/// # Errors
/// Only when the source or the staging folder cannot be accessed at all; everything else is a finding.
pub fn read(source: &Path, staging: &Path) -> Result<Inspection, PackageError> {
    let unreadable = |error| PackageError::OpenSource { path: source.to_owned(), source: error };
    let source = fs::canonicalize(source).map_err(unreadable)?;
    let is_directory = source.is_dir();
    let mut findings = Findings::default();
    let found = if is_directory {
        directory::list(&source, &mut findings)?
    } else {
        archive::unpack(&source, staging, &mut findings)?
    };
    let source_name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let checked = if findings.has_errors() {
        None
    } else {
        let own_name = if is_directory { source_name.clone() } else { archive::stem(&source) };
        match foreign::read(&found, &own_name, &mut findings)? {
            Known::Read { slug, parts } => {
                let foreign::Parts { tree, metadata, stated } = *parts;
                Some(check::assemble(&tree, metadata, stated, &slug, staging, &mut findings)?)
            }
            Known::Refused => None,
            Known::Unknown => {
                let tree = Tree::of(found, &mut findings);
                let slug = tree.prefix.clone().unwrap_or(own_name);
                Some(check::check(&tree, &slug, staging, &mut findings)?)
            }
        }
    };
    let refused = findings.has_errors();
    let (format, package) = checked.unwrap_or_default();
    Ok(Inspection { format, source_name, findings: findings.into_list(), package: package.filter(|_| !refused) })
}
