//! Finds the files of a package directory without touching it; links are followed only inside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::findings::{Findings, PackageError};
use super::tree::{DEPTH_CAP, FILE_CAP, TOTAL_BYTES_CAP, TreeFile, is_litter};

/// Files and folders at the top that decide how a problem is judged: a link out of the package there refuses it.
/// Elsewhere it is passed over with a warning: packages in shared repositories link their statements and libraries.
const DECIDING: [&str; 9] = [
    "problem.yaml",
    ".timelimit",
    "domjudge-problem.ini",
    "data",
    "output_validator",
    "output_validators",
    "static_validator",
    "graders",
    "include",
];

/// Every file below `root` by its name relative to it.
pub(super) fn list(root: &Path, findings: &mut Findings) -> Result<BTreeMap<String, TreeFile>, PackageError> {
    let root = fs::canonicalize(root).map_err(|source| PackageError::OpenSource { path: root.to_owned(), source })?;
    let mut walk = Walk { root: root.clone(), found: BTreeMap::new(), total_bytes: 0, findings };
    walk.folder(&root, "", 0)?;
    Ok(walk.found)
}

struct Walk<'a> {
    root: PathBuf,
    found: BTreeMap<String, TreeFile>,
    total_bytes: u64,
    findings: &'a mut Findings,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, name: &str, depth: usize) -> Result<(), PackageError> {
        let unreadable = |source| PackageError::OpenSource { path: folder.to_owned(), source };
        if depth > DEPTH_CAP {
            self.findings.error("too_deep", name, format!("folders are nested more than {DEPTH_CAP} deep"), "");
            return Ok(());
        }
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let part = entry.file_name().to_string_lossy().into_owned();
            if self.found.len() >= FILE_CAP {
                let message = format!("there are more than {FILE_CAP} files");
                self.findings.error("too_many_files", name, message, "is this the folder of one problem?");
                return Ok(());
            }
            if is_litter(&part) && entry.file_type().map_err(unreadable)?.is_dir() {
                continue;
            }
            let name = if name.is_empty() { part } else { format!("{name}/{part}") };
            self.entry(&entry.path(), name, depth)?;
        }
        Ok(())
    }

    fn entry(&mut self, path: &Path, name: String, depth: usize) -> Result<(), PackageError> {
        let unreadable = |source| PackageError::OpenSource { path: path.to_owned(), source };
        let kind = fs::symlink_metadata(path).map_err(unreadable)?.file_type();
        let target = if kind.is_symlink() {
            match self.link_target(path, &name) {
                Some(target) => target,
                None => return Ok(()),
            }
        } else {
            path.to_owned()
        };
        let metadata = fs::metadata(&target).map_err(unreadable)?;
        if metadata.is_dir() {
            return self.folder(&target, &name, depth + 1);
        }
        if !metadata.is_file() {
            self.findings.warning("special_file", &name, "not a regular file, so it is ignored", "");
            return Ok(());
        }
        self.total_bytes += metadata.len();
        if self.total_bytes > TOTAL_BYTES_CAP {
            self.findings.error("too_large", &name, format!("more than {TOTAL_BYTES_CAP} bytes in all"), "");
            return Ok(());
        }
        self.found.insert(name, TreeFile { path: target, bytes: metadata.len() });
        Ok(())
    }

    /// Where a link inside the package leads, or `None` with a finding.
    fn link_target(&mut self, path: &Path, name: &str) -> Option<PathBuf> {
        let remedy = "copy the file into the package";
        let Ok(target) = fs::canonicalize(path) else {
            self.refuse_link("symlink_dangling", name, "the link leads nowhere", remedy);
            return None;
        };
        if !target.starts_with(&self.root) {
            self.refuse_link("symlink_escapes", name, "the link leads out of the package", remedy);
            return None;
        }
        if path.parent().is_some_and(|folder| folder.starts_with(&target)) {
            self.refuse_link("symlink_loop", name, "the link leads to a folder that holds it", remedy);
            return None;
        }
        Some(target)
    }

    fn refuse_link(&mut self, code: &'static str, name: &str, message: &str, remedy: &str) {
        let top = name.split('/').next().unwrap_or(name);
        if DECIDING.contains(&top) {
            self.findings.error(code, name, message, remedy);
        } else {
            self.findings.warning(code, name, format!("{message}, so it is ignored"), remedy);
        }
    }
}
