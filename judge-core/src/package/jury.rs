//! Programs of the jury and files for every submission: what lies in the package becomes rules. (Problem Package
//! Format, "Output Validators", "Included Files")

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use super::facts::FileFacts;
use super::findings::Findings;
use super::metadata::Metadata;
use super::tree::{Tree, TreeFile};
use crate::domain::jury::{JuryBuild, JuryFile, JuryProgram};
use crate::domain::language::language_for_files;
use crate::domain::rules::Include;

/// Folders of output validators: of 2025-09, which has one, and of all before.
const FOLDERS: [&str; 2] = ["output_validator", "output_validators"];
const REMEDY: &str = "see \"Output Validators\" in the format's specification";

/// Takes files over: their hashes into the rules, their places beside them.
pub(super) struct Contents<'a> {
    facts: &'a HashMap<String, FileFacts>,
    pub(super) places: BTreeMap<String, PathBuf>,
}

impl<'a> Contents<'a> {
    pub(super) fn new(facts: &'a HashMap<String, FileFacts>) -> Self {
        Self { facts, places: BTreeMap::new() }
    }

    /// `path` is the file's name in the package, `name` its name in the program.
    fn take(&mut self, path: &str, name: &str, file: &TreeFile) -> JuryFile {
        let facts = &self.facts[path];
        self.places.insert(facts.hash.clone(), file.path.clone());
        JuryFile {
            name: name.to_owned(),
            hash: facts.hash.clone(),
            bytes: facts.bytes,
            is_executable: is_executable(&file.path),
        }
    }
}

#[cfg(unix)]
fn is_executable(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_path: &std::path::Path) -> bool {
    false
}

/// The output validator that the package is judged by; `None`: the default one. Whatever is asked for and cannot be had
/// is a finding, and never judged by the default one instead.
pub(super) fn output_validator(
    tree: &Tree,
    metadata: &Metadata,
    contents: &mut Contents<'_>,
    findings: &mut Findings,
) -> Option<JuryProgram> {
    let folder = FOLDERS.into_iter().find(|folder| tree.has_folder(folder));
    let Some(folder) = folder else {
        if metadata.kind.wants_own_validator {
            let message = "the package asks for a custom output validator and brings none";
            findings.error("unsupported_custom_validator", "problem.yaml", message, "add the validator to the package");
        }
        return None;
    };
    if metadata.format.is_legacy() && !metadata.kind.wants_own_validator {
        let message = format!("there is an output validator, and `validation` does not say `custom` ({folder})");
        let remedy = "write `validation: custom`, or remove the folder";
        findings.error("unsupported_custom_validator", "problem.yaml", message, remedy);
        return None;
    }
    let mut programs = programs_in(tree, folder);
    let (Some((name, files)), None) = (programs.pop(), programs.pop()) else {
        let message = "there are several output validators, and which one decides is not said";
        findings.error("unsupported_custom_validator", folder, message, "keep one");
        return None;
    };
    let taken = files.iter().map(|(path, name, file)| contents.take(path, name, file)).collect();
    program(name, taken, findings)
}

/// Whether the package brings a validator, usable or not.
pub(super) fn has_own_validator(tree: &Tree) -> bool {
    FOLDERS.into_iter().any(|folder| tree.has_folder(folder))
}

/// A file of a program: its path in the package, its name in the program, itself.
type ProgramFile<'t> = (String, String, &'t TreeFile);

/// The programs below a folder: each subfolder is one, and what lies in the folder itself is one if it has one source
/// (with headers) or says how to build itself, else each file is.
fn programs_in<'t>(tree: &'t Tree, folder: &str) -> Vec<(String, Vec<ProgramFile<'t>>)> {
    let mut by_program: BTreeMap<String, Vec<ProgramFile<'t>>> = BTreeMap::new();
    let mut own: Vec<ProgramFile<'t>> = Vec::new();
    for (name, file) in tree.under(folder) {
        let path = format!("{folder}/{name}");
        match name.split_once('/') {
            Some((program, rest)) => {
                by_program.entry(format!("{folder}/{program}")).or_default().push((path, rest.to_owned(), file));
            }
            None => own.push((path, name.to_owned(), file)),
        }
    }
    let names: Vec<&str> = own.iter().map(|(_, name, _)| name.as_str()).collect();
    let sources = names.iter().filter(|name| language_for_files(&[**name]).is_some()).count();
    let is_whole = sources == 1 || is_scripts(&names) || names.contains(&"__main__.py") || folder == FOLDERS[0];
    if is_whole && !own.is_empty() {
        // Folders beside it are its own.
        for (program, files) in std::mem::take(&mut by_program) {
            let inside = program.rsplit('/').next().unwrap_or_default().to_owned();
            own.extend(files.into_iter().map(|(path, name, file)| (path, format!("{inside}/{name}"), file)));
        }
        by_program.insert(folder.to_owned(), own);
    } else {
        for (path, name, file) in own.into_iter().filter(|(_, name, _)| language_for_files(&[name]).is_some()) {
            by_program.insert(path.clone(), vec![(path, name, file)]);
        }
    }
    by_program.into_iter().collect()
}

fn is_scripts(names: &[&str]) -> bool {
    names.iter().any(|name| matches!(*name, "build" | "run"))
}

fn program(name: String, mut files: Vec<JuryFile>, findings: &mut Findings) -> Option<JuryProgram> {
    files.sort();
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let build = if is_scripts(&names) {
        JuryBuild::Scripts
    } else if let Some(language) = language_for_files(&names) {
        // Validators outlive standards: what C++17 took, C++20 does not always.
        let id = if language.id.as_str() == "cpp20" { "cpp17".into() } else { language.id.clone() };
        JuryBuild::Language(id)
    } else {
        let message = "no language of this version takes it, and it has neither `build` nor `run`";
        findings.error("unsupported_custom_validator", &name, message, REMEDY);
        return None;
    };
    Some(JuryProgram { name, build, files })
}

/// `include/<language>/` and `include/default/`.
pub(super) fn includes(tree: &Tree, contents: &mut Contents<'_>, findings: &mut Findings) -> Vec<Include> {
    let mut by_language: BTreeMap<String, Vec<JuryFile>> = BTreeMap::new();
    for (name, file) in tree.under("include") {
        let path = format!("include/{name}");
        match name.split_once('/') {
            Some((language, rest)) => {
                let taken = contents.take(&path, rest, file);
                by_language.entry(language.to_owned()).or_default().push(taken);
            }
            None => {
                let message = "files to include lie in a folder of their language, or in `default`";
                findings.warning("include_misplaced", &path, message, "move it to include/default");
            }
        }
    }
    by_language.into_iter().map(|(language, files)| Include { language, files, entry: None }).collect()
}
