//! Programs of the problem setter, and files that travel with a problem, named by their content.

use agon_contract::ids::LanguageId;
use serde::{Deserialize, Serialize};

/// A file by the hash of its content. Where the content lies is the host's business: a package's folder before the
/// import, the blob store after it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct JuryFile {
    /// Relative, with `/`, without `..`.
    pub name: String,
    /// Hex sha256.
    pub hash: String,
    pub bytes: u64,
    #[serde(default)]
    pub is_executable: bool,
}

/// A validator, checker, interactor, grader or manager: jury code, run in boxes of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JuryProgram {
    /// Where it was in its package, e.g. `output_validators/check`; shown when it fails.
    pub name: String,
    pub build: JuryBuild,
    /// Sorted by name. A library such as `testlib.h` is among them when the package brings it.
    pub files: Vec<JuryFile>,
}

/// How a jury program becomes something that can be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JuryBuild {
    /// Compiled as the row of the language table says; `testlib.h` of the image is on the include path.
    Language(LanguageId),
    /// `build` is run once in a copy of the files (if there is one), then `run` is started.
    Scripts,
    /// The named file is started as it is.
    Executable(String),
}

impl JuryProgram {
    /// Every content hash it needs.
    pub fn hashes(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.hash.as_str())
    }
}
