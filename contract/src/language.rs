//! Languages a submission can be written in, as the interface needs them.

use serde::{Deserialize, Serialize};

use crate::ids::LanguageId;

/// One language of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageSummary {
    pub id: LanguageId,
    /// Shown to people, e.g. `C++20`.
    pub name: String,
    /// Source file extensions without the dot, the preferred one first.
    pub extensions: Vec<String>,
    /// The name a single pasted source gets, e.g. `main.cpp` or `Main.java`.
    pub default_file_name: String,
    /// The compile command as shown to people; empty when nothing is compiled.
    pub compile_command: String,
    /// The run command as shown to people.
    pub run_command: String,
    /// What the editor starts with.
    pub template: String,
}
