//! The files of a package by their names inside it, wherever their bytes lie on the disk.
//!
//! Names are checked here once: what the format calls absent (hidden files, odd names, a computer's litter) never
//! reaches the other readers, and no name is ever joined to a path.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::findings::Findings;

/// Files a package may have at most: ten times the largest seen in practice.
pub(super) const FILE_CAP: usize = 20_000;
/// Bytes all files may have together, unpacked.
pub(crate) const TOTAL_BYTES_CAP: u64 = 4 * 1024 * 1024 * 1024;
/// Folders inside folders.
pub(super) const DEPTH_CAP: usize = 16;
/// Characters of one name (Problem Package Format, "File names").
const NAME_CAP: usize = 255;

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreeFile {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
}

/// The files that count, by name relative to the package with `/` between folders, in byte order.
#[derive(Debug, Default)]
pub(super) struct Tree {
    files: BTreeMap<String, TreeFile>,
    /// Folder name inside an archive, if the files lay in one.
    pub(super) prefix: Option<String>,
}

impl Tree {
    /// Takes the package out of everything found at its source: strips one common folder, leaves out what is absent by
    /// the format's rules and says so.
    pub(super) fn of(found: BTreeMap<String, TreeFile>, findings: &mut Findings) -> Self {
        let prefix = common_folder(&found);
        let mut tree = Self { files: BTreeMap::new(), prefix };
        let start = tree.prefix.as_ref().map_or(String::new(), |prefix| format!("{prefix}/"));
        let mut litter = Vec::new();
        for (name, file) in found {
            let Some(name) = name.strip_prefix(&start) else {
                litter.push(name);
                continue;
            };
            match admit(name) {
                Admission::Taken => {
                    tree.files.insert(name.to_owned(), file);
                }
                Admission::Litter => litter.push(name.to_owned()),
                Admission::Odd => odd_name(name, findings),
            }
        }
        if let Some(first) = litter.first() {
            let message = format!("{} hidden or system files are ignored, the first is `{first}`", litter.len());
            findings.note("junk_ignored", "", message);
        }
        tree.note_collisions(findings);
        tree
    }

    /// Files under the names that an importer gives them.
    pub(super) fn of_parts(files: BTreeMap<String, TreeFile>) -> Self {
        Self { files, prefix: None }
    }

    pub(super) fn get(&self, name: &str) -> Option<&TreeFile> {
        self.files.get(name)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &TreeFile)> {
        self.files.iter().map(|(name, file)| (name.as_str(), file))
    }

    /// Files below a folder, by their names relative to it.
    pub(super) fn under<'a>(&'a self, folder: &str) -> impl Iterator<Item = (&'a str, &'a TreeFile)> {
        let start = format!("{folder}/");
        let length = start.len();
        self.files
            .range(start.clone()..)
            .take_while(move |(name, _)| name.starts_with(&start))
            .map(move |(name, file)| (&name[length..], file))
    }

    /// Whether a folder has any file that counts.
    pub(super) fn has_folder(&self, folder: &str) -> bool {
        self.under(folder).next().is_some()
    }

    fn note_collisions(&self, findings: &mut Findings) {
        let mut seen: BTreeMap<String, &str> = BTreeMap::new();
        for name in self.files.keys() {
            if let Some(other) = seen.insert(name.to_lowercase(), name) {
                let message = format!("`{name}` and `{other}` differ only in case");
                let remedy = "rename one: they are one file on many systems";
                findings.warning("case_collision", name, message, remedy);
            }
        }
    }
}

/// The one folder that holds everything, when no `problem.yaml` lies beside it.
fn common_folder(found: &BTreeMap<String, TreeFile>) -> Option<String> {
    if found.contains_key("problem.yaml") {
        return None;
    }
    let mut holders = found.keys().filter_map(|name| name.strip_suffix("/problem.yaml"));
    let only = holders.by_ref().find(|folder| !folder.contains('/'))?;
    let others = holders.any(|folder| !folder.contains('/'));
    (!others).then(|| only.to_owned())
}

enum Admission {
    Taken,
    Litter,
    Odd,
}

fn admit(name: &str) -> Admission {
    if name == ".timelimit" {
        return Admission::Taken;
    }
    let mut worst = Admission::Taken;
    for part in name.split('/') {
        if is_litter(part) {
            return Admission::Litter;
        }
        if !is_well_formed(part) {
            worst = Admission::Odd;
        }
    }
    worst
}

/// Hidden files and what operating systems leave behind.
pub(super) fn is_litter(part: &str) -> bool {
    part.starts_with('.') || matches!(part, "__MACOSX" | "Thumbs.db" | "desktop.ini" | "__pycache__")
}

/// `^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,254}$`, and `+` because real packages have `c++`.
fn is_well_formed(part: &str) -> bool {
    part.len() <= NAME_CAP
        && part.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-+".contains(&byte))
}

fn odd_name(name: &str, findings: &mut Findings) {
    let message = "the format forbids such a name, so the file counts as absent";
    if name.starts_with("data/") {
        findings.warning("invalid_name", name, message, "rename it with letters, digits, `_`, `.` and `-`");
    } else {
        findings.note("invalid_name", name, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(names: &[&str]) -> (Tree, Vec<String>) {
        let file = TreeFile { path: PathBuf::new(), bytes: 0 };
        let found = names.iter().map(|name| ((*name).to_owned(), file.clone())).collect();
        let mut findings = Findings::default();
        let tree = Tree::of(found, &mut findings);
        let codes = findings.into_list().into_iter().map(|finding| finding.code).collect();
        (tree, codes)
    }

    #[test]
    fn one_common_folder_is_stripped() {
        let (nested, codes) = tree(&["p/problem.yaml", "p/data/secret/1.in", "__MACOSX/p/._problem.yaml"]);
        assert_eq!(nested.prefix.as_deref(), Some("p"));
        assert_eq!(nested.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["data/secret/1.in", "problem.yaml"]);
        assert_eq!(codes, ["junk_ignored"]);
        let (flat, _) = tree(&["problem.yaml", "data/problem.yaml"]);
        assert_eq!(flat.prefix, None);
        let (beside, codes) = tree(&["p/problem.yaml", "p∞x", "pq/y"]);
        assert_eq!(
            (beside.iter().count(), codes),
            (1, vec!["junk_ignored".to_owned()]),
            "a longer name is another folder"
        );
        let (two, _) = tree(&["a/problem.yaml", "b/problem.yaml"]);
        assert!(two.get("problem.yaml").is_none(), "two packages are none");
    }

    #[test]
    fn absent_by_name() {
        let (tree, codes) = tree(&["problem.yaml", ".timelimit", ".git/x", "data/secret/a b.in", "A", "a", "-x"]);
        assert_eq!(tree.iter().map(|(name, _)| name).collect::<Vec<_>>(), [".timelimit", "A", "a", "problem.yaml"]);
        assert_eq!(codes, ["invalid_name", "case_collision", "invalid_name", "junk_ignored"]);
    }

    #[test]
    fn folders_are_found_by_their_whole_name() {
        let (tree, _) = tree(&["problem.yaml", "data/secret/1.in", "data/secret-old/1.in"]);
        assert_eq!(tree.under("data/secret").map(|(name, _)| name).collect::<Vec<_>>(), ["1.in"]);
        assert!(!tree.has_folder("data/sec"));
    }
}
