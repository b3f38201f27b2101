//! Where a program's files go and how its commands read once the placeholders are filled in.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use super::error::JudgeError;
use super::java;
use super::model::{Program, ProgramFile};
use crate::domain::language::{EntryPoint, Language};
use crate::sandbox::{BOX_TMP, BOX_WORK};

/// Bytes of one part of a source file's name, which intake keeps to as well: what was saved can be laid out.
pub(crate) const NAME_BYTES_MAX: usize = 200;
const PYTHON_START: &str = "__main__.py";
/// What a virtual machine keeps beside its heap: code, metadata, stacks, and a sixteenth for its own growth.
const MACHINE_MIB: u64 = 64;
const MACHINE_PART: u64 = 16;
const SMALLEST_HEAP_MIB: u64 = 16;

/// A program ready to be compiled.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    language: &'a Language,
    /// As they lie in the work folder, by name.
    pub(super) files: Vec<ProgramFile>,
    /// Entry file, or class for [`EntryPoint::MainClass`].
    main: String,
}

impl<'a> Layout<'a> {
    /// Lays the files out.
    ///
    /// # Errors
    /// [`JudgeError::BadSource`] for names that a box cannot take; the hosts refuse those before.
    pub(super) fn of(program: &'a Program) -> Result<Self, JudgeError> {
        let language = program.language.as_ref();
        let mut files = program.files.clone();
        let main = match language.entry {
            EntryPoint::Linked => String::new(),
            EntryPoint::MainFile => main_file(language, &files),
            EntryPoint::MainClass => java::arrange(&mut files, NAME_BYTES_MAX),
        };
        check_names(&files)?;
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { language, files, main })
    }

    /// Lays a jury program out: a folder of Python starts with its `__main__.py`. (Problem Package Format, "Programs")
    ///
    /// # Errors
    /// As [`Self::of`].
    pub(super) fn of_jury(program: &'a Program) -> Result<Self, JudgeError> {
        let mut layout = Self::of(program)?;
        let is_start = |file: &ProgramFile| file.name == PYTHON_START;
        if layout.language.entry == EntryPoint::MainFile && layout.files.iter().any(is_start) {
            PYTHON_START.clone_into(&mut layout.main);
        }
        Ok(layout)
    }

    /// Names of the files the compiler is given.
    fn sources(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.name.as_str()).filter(|name| self.language.takes(name))
    }

    /// No file is one of the language's: there is nothing to compile.
    pub(super) fn has_sources(&self) -> bool {
        self.sources().next().is_some()
    }

    pub(super) fn compile_argv(&self) -> Vec<String> {
        let mut argv = Vec::new();
        for word in &self.language.compile {
            if word == "{sources}" {
                argv.extend(self.sources().map(in_work));
            } else {
                argv.push(word.replace("{out}", BOX_TMP).replace("{main}", &in_work(&self.main)));
            }
        }
        argv
    }

    /// The command of a run under this memory limit.
    pub(super) fn run_argv(&self, memory_bytes: u64) -> Vec<String> {
        let memory_mib = memory_bytes >> 20;
        let kept = MACHINE_MIB + memory_mib / MACHINE_PART;
        let heap_mib = memory_mib.saturating_sub(kept).max(SMALLEST_HEAP_MIB);
        let main = match self.language.entry {
            EntryPoint::MainClass => self.main.clone(),
            EntryPoint::Linked | EntryPoint::MainFile => in_work(&self.main),
        };
        let fill = |word: &String| {
            word.replace("{out}", BOX_WORK).replace("{main}", &main).replace("{heap_mib}", &heap_mib.to_string())
        };
        self.language.run.iter().map(fill).collect()
    }

    pub(super) fn env(&self) -> Vec<(String, String)> {
        let pairs = self.language.env.iter().filter_map(|pair| pair.split_once('='));
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// Where compiling leaves the artefact; `None` when the sources themselves are run.
    pub(super) fn artefact(&self) -> Option<String> {
        let name = &self.language.artefact;
        (!name.is_empty()).then(|| format!("{BOX_TMP}/{name}"))
    }

    /// Where a collected file lies in the run box: a single file keeps the artefact's name, a folder's go below it.
    pub(super) fn place(&self, collected: &Path) -> String {
        let name = &self.language.artefact;
        let relative = collected.to_string_lossy();
        if relative == name.as_str() { name.clone() } else { format!("{name}/{relative}") }
    }
}

fn in_work(name: &str) -> String {
    format!("{BOX_WORK}/{name}")
}

/// The file with the language's default name, else the first source.
fn main_file(language: &Language, files: &[ProgramFile]) -> String {
    let is_default = |file: &&ProgramFile| file.name == language.default_file_name;
    let mut sources: Vec<&str> =
        files.iter().map(|file| file.name.as_str()).filter(|name| language.takes(name)).collect();
    sources.sort_unstable();
    let default = files.iter().find(is_default).map(|file| file.name.as_str());
    default.or(sources.first().copied()).unwrap_or(&language.default_file_name).to_owned()
}

fn check_names(files: &[ProgramFile]) -> Result<(), JudgeError> {
    let mut seen = BTreeSet::new();
    for ProgramFile { name, .. } in files {
        let bad = |detail: &str| JudgeError::BadSource { name: name.clone(), detail: detail.to_owned() };
        let path = Path::new(name);
        let is_plain = path.components().all(|part| match part {
            Component::Normal(part) => part.len() <= NAME_BYTES_MAX,
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => false,
        });
        if name.is_empty() || !is_plain || name.contains(['\0', '\n', '\\']) {
            return Err(bad("the name is no plain relative name"));
        }
        if !seen.insert(name) {
            return Err(bad("two files have this name"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::domain::language::languages;

    fn program(language: &str, files: &[(&str, &str)]) -> Program {
        let language = languages().iter().find(|row| row.id.as_str() == language).expect("in the table");
        let file = |(name, text): &(&str, &str)| ProgramFile { name: (*name).into(), bytes: text.as_bytes().to_vec() };
        Program { language: Arc::clone(language), files: files.iter().map(file).collect() }
    }

    #[test]
    fn commands_name_the_files_they_need() {
        let cpp = program("cpp20", &[("b.cpp", ""), ("a.cc", ""), ("lib/x.h", "")]);
        let layout = Layout::of(&cpp).expect("plain names");
        let argv = layout.compile_argv();
        assert!(argv.ends_with(&["/agon/work/a.cc".to_owned(), "/agon/work/b.cpp".to_owned()]), "{argv:?}");
        assert!(argv.contains(&"/tmp/program".to_owned()), "{argv:?}");
        assert_eq!(layout.run_argv(1 << 28), ["/agon/work/program"]);
        assert_eq!(layout.place(Path::new("program")), "program");
        assert_eq!(layout.artefact().as_deref(), Some("/tmp/program"));

        let python = program("python3", &[("util.py", ""), ("main.py", "")]);
        let layout = Layout::of(&python).expect("plain names");
        assert!(layout.run_argv(1 << 28).ends_with(&["/agon/work/main.py".to_owned()]));
        assert_eq!(layout.artefact(), None);
    }

    #[test]
    fn a_virtual_machine_leaves_room_beside_its_heap() {
        let java = program("java", &[("Main.java", "class Main { public static void main(String[] a) {} }")]);
        let layout = Layout::of(&java).expect("plain names");
        let heap = |mib: u64| {
            let argv = layout.run_argv(mib << 20);
            let word = argv.iter().find_map(|word| word.strip_prefix("-Xmx")).expect("a heap").to_owned();
            word.trim_end_matches('m').parse::<u64>().expect("a number")
        };
        assert_eq!((heap(2048), heap(256), heap(64)), (1856, 176, 16));
        assert_eq!(layout.place(Path::new("p/Main.class")), "classes/p/Main.class");
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for name in ["../a.c", "/a.c", "a/../b.c", "", "a\0.c", "a\\b.c"] {
            assert!(matches!(Layout::of(&program("c", &[(name, "")])), Err(JudgeError::BadSource { .. })), "{name:?}");
        }
        assert!(Layout::of(&program("c", &[("a.c", ""), ("a.c", "")])).is_err());
        assert!(!Layout::of(&program("c", &[("a.txt", "")])).expect("plain").has_sources());
    }
}
