//! The language table, read once from `languages.toml`.

use std::sync::{Arc, LazyLock};

use agon_contract::ids::LanguageId;
use agon_contract::language::LanguageSummary;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// One row of the table. Commands name `{sources}` (the files with one of the extensions), `{main}` (the entry file or
/// class), `{heap_mib}` (what a virtual machine may take of the memory limit) and `{out}` (the folder of artefacts).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    pub id: LanguageId,
    /// Shown to people, e.g. `C++20`.
    pub name: String,
    /// Names the Problem Package Format uses for it in `languages` and `submissions.yaml`.
    pub package_codes: Vec<String>,
    /// Without the dot, the preferred one first.
    pub extensions: Vec<String>,
    pub default_file_name: String,
    /// What is executed in the compile box.
    pub compile: Vec<String>,
    /// What compiling leaves in `{out}`: a file or a folder; empty when the sources themselves are run.
    pub artefact: String,
    /// What is executed in the run box.
    pub run: Vec<String>,
    /// Whole environment of both, as `NAME=value`.
    pub env: Vec<String>,
    /// Where the entry point comes from.
    pub entry: EntryPoint,
    /// Of the problem's time limit.
    pub time_multiplier_percent: u32,
    /// What the language needs to start at all: a lower memory limit is refused instead of blamed on the program.
    pub minimum_memory_mib: u64,
    /// Processes and threads at one time.
    pub processes: u32,
    /// What the editor starts with.
    pub template: String,
}

/// Where a program starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryPoint {
    /// The linker knows.
    Linked,
    /// The only file, or the one with the default name.
    MainFile,
    /// The Java class with `main`: that of the only file, or `Main`.
    MainClass,
}

impl Language {
    /// Changes when anything changes that can change a verdict or an artefact: hex sha256 of the whole row.
    #[must_use]
    pub fn hash(&self) -> String {
        let row = serde_json::to_vec(self).expect("a table row has only text, numbers and lists");
        format!("{:x}", Sha256::digest(row))
    }

    /// Memory below which no program of the language starts.
    #[must_use]
    pub fn minimum_memory_bytes(&self) -> u64 {
        self.minimum_memory_mib * 1024 * 1024
    }

    /// The row as the interface needs it.
    #[must_use]
    pub fn summary(&self) -> LanguageSummary {
        LanguageSummary {
            id: self.id.clone(),
            name: self.name.clone(),
            extensions: self.extensions.clone(),
            default_file_name: self.default_file_name.clone(),
            compile_command: self.compile.join(" "),
            run_command: self.run.join(" "),
            template: self.template.clone(),
        }
    }

    #[must_use]
    pub fn takes(&self, file_name: &str) -> bool {
        file_name
            .rsplit_once('.')
            .is_some_and(|(stem, extension)| !stem.is_empty() && self.extensions.iter().any(|known| known == extension))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    language: Vec<Language>,
}

static TABLE: LazyLock<Vec<Arc<Language>>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("../languages.toml")).expect("the table is tested to parse");
    table.language.into_iter().map(Arc::new).collect()
});

/// Every language, in the order people see.
#[must_use]
pub fn languages() -> &'static [Arc<Language>] {
    &TABLE
}

/// The row with this id.
#[must_use]
pub fn language_by_id(id: &LanguageId) -> Option<&'static Arc<Language>> {
    TABLE.iter().find(|language| language.id == *id)
}

/// The language of a submission by its file names: the first row, newest standard first for C++, whose extensions fit
/// the most files (headers and data files fit none).
#[must_use]
pub fn language_for_files<S: AsRef<str>>(names: &[S]) -> Option<&'static Arc<Language>> {
    let fitting = |language: &Arc<Language>| names.iter().filter(|name| language.takes(name.as_ref())).count();
    let best = TABLE.iter().map(fitting).max().filter(|count| *count > 0)?;
    let rows = TABLE.iter().filter(|language| fitting(language) == best);
    rows.max_by_key(|language| language.guess_rank())
}

impl Language {
    /// Between rows that take the same files, the newest standard is guessed.
    fn guess_rank(&self) -> u32 {
        self.id.as_str().trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(names: &[&str]) -> Option<&'static str> {
        language_for_files(names).map(|language| language.id.as_str())
    }

    #[test]
    fn the_table_has_the_six_languages_once() {
        let ids: Vec<&str> = languages().iter().map(|language| language.id.as_str()).collect();
        assert_eq!(ids, ["c", "cpp17", "cpp20", "python3", "java", "rust"]);
    }

    #[test]
    fn every_row_can_name_its_own_default_file() {
        for language in languages() {
            assert!(language.takes(&language.default_file_name), "{}", language.id);
            assert!(language.run[0].starts_with('/') || language.run[0].starts_with('{'), "{}", language.id);
            assert!(!language.template.is_empty(), "{}", language.id);
        }
    }

    #[test]
    fn files_tell_their_language() {
        assert_eq!(guess(&["a.c"]), Some("c"));
        assert_eq!(guess(&["a.cc", "b.h"]), Some("cpp20"));
        assert_eq!(guess(&["Main.java", "Other.java", "notes.txt"]), Some("java"));
        assert_eq!(guess(&["x.py"]), Some("python3"));
        assert_eq!(guess(&["x.rs"]), Some("rust"));
        assert_eq!(guess(&["x.hs"]), None);
        assert_eq!(guess(&[".py"]), None);
    }

    #[test]
    fn the_hash_sees_every_change() {
        let row = languages()[0].as_ref().clone();
        let mut changed = row.clone();
        changed.compile.push("-g".to_owned());
        assert_ne!(row.hash(), changed.hash());
        assert_eq!(row.hash(), languages()[0].hash());
    }
}
