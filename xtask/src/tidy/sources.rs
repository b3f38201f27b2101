//! The workspace's own Rust sources and its architecture page, read once.

use std::fs;
use std::path::Path;

use super::code;
use crate::failure::Failure;

/// Folders that hold sources of ours.
const ROOMS: [&str; 8] = ["contract", "judge-core", "supervisor", "headless", "src-tauri", "ui", "tests", "xtask"];
/// Folders below them that do not.
const SKIPPED: [&str; 4] = ["target", "node_modules", "dist", "gen"];

/// One source file.
pub(crate) struct Source {
    /// Path from the workspace's root, with `/`.
    pub(crate) path: String,
    /// The whole text.
    pub(crate) text: String,
    /// The production part, with comments and the contents of strings blanked; lines keep their numbers.
    pub(crate) code: String,
}

/// All of them.
pub(crate) struct Sources {
    /// In the order of their paths.
    pub(crate) files: Vec<Source>,
    /// `docs/ARCHITECTURE.md`, if it is there.
    pub(crate) architecture: Option<String>,
}

impl Source {
    fn new(path: String, text: String) -> Self {
        let code = if is_test_file(&path) { String::new() } else { code::only(code::production(&text)) };
        Self { path, text, code }
    }
}

impl Sources {
    pub(super) fn read(root: &Path) -> Result<Self, Failure> {
        let mut files = Vec::new();
        for room in ROOMS {
            walk(root, &root.join(room), &mut files)?;
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(Self { files, architecture: fs::read_to_string(root.join("docs/ARCHITECTURE.md")).ok() })
    }

    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let named = |name: &str| files.iter().find(|(path, _)| *path == name).map(|(_, text)| (*text).to_owned());
        let sources = files.iter().filter(|(path, _)| path.ends_with(".rs"));
        Self {
            files: sources.map(|(path, text)| Source::new((*path).to_owned(), (*text).to_owned())).collect(),
            architecture: named("docs/ARCHITECTURE.md"),
        }
    }
}

/// Whether a file holds nothing but tests, benches or examples.
pub(super) fn is_test_file(path: &str) -> bool {
    let mut parts = path.split('/').skip(1);
    path.ends_with("/tests.rs")
        || path.ends_with("_tests.rs")
        || path.starts_with("tests/")
        || parts.any(|part| matches!(part, "tests" | "benches" | "examples"))
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<Source>) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).map_err(|source| Failure::file("cannot read", folder, &source))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !SKIPPED.contains(&name.as_str()) && !name.starts_with('.') {
                walk(root, &path, files)?;
            }
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).map_err(|source| Failure::file("cannot read", &path, &source))?;
            let under = path.strip_prefix(root).expect("walked from the root");
            files.push(Source::new(under.to_string_lossy().replace('\\', "/"), text));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_files_are_known_by_their_place() {
        for path in [
            "tests/src/lib.rs",
            "judge-core/tests/box.rs",
            "judge-core/src/store/tests.rs",
            "judge-core/benches/x.rs",
            "judge-core/src/store/boundary_tests.rs",
        ] {
            assert!(is_test_file(path), "{path}");
        }
        for path in ["judge-core/src/store/mod.rs", "xtask/src/test/mod.rs", "judge-core/src/testing.rs"] {
            assert!(!is_test_file(path), "{path}");
        }
    }
}
