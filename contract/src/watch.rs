//! Watched files: a folder whose problem packages are taken in, and source files that are edited elsewhere.

use serde::{Deserialize, Serialize};

use crate::ids::{LanguageId, ProblemId};
use crate::module::ModuleView;
use crate::wire_enum::wire_enum;

/// How the module `file_watch` stands, what it saw in the folder (for those who manage problems), and the acting
/// person's own watched files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetWatchStatus {}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchStatus {
    pub module: ModuleView,
    /// Absent when no folder is set, or for those who do not manage problems.
    pub folder: Option<WatchedFolder>,
    pub files: Vec<WatchedFile>,
}

wire_enum! {
    /// Whether the folder is being watched.
    WatchedFolderState {
        /// The module does not run.
        Off = "off",
        /// The system tells of changes.
        Watching = "watching",
        /// It is looked at every few seconds: somebody asked for it, or it lies on a network.
        Polling = "polling",
        /// It is not there; it is taken up again when it comes back.
        Missing = "missing",
        /// It is there and cannot be read.
        Unreadable = "unreadable",
    }
}

/// The folder whose packages are taken in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedFolder {
    pub path: String,
    /// Whether somebody asked for looking instead of being told.
    pub polls: bool,
    pub state: WatchedFolderState,
    /// What is wrong, when something is.
    pub message: String,
    /// What lies in it, by name. Other files and folders are left alone.
    pub packages: Vec<WatchedPackage>,
}

wire_enum! {
    /// What became of a package in the watched folder.
    WatchedPackageState {
        /// It is still being written: nothing is read before it has been quiet for a while.
        Settling = "settling",
        /// The doctor looks at it.
        Looking = "looking",
        /// Its present content is in the catalogue, or was.
        Imported = "imported",
        /// The doctor refused its present content; it is looked at again when it changes.
        Refused = "refused",
        /// Not taken in for a reason that has nothing to do with it; tried again by itself.
        Waiting = "waiting",
    }
}

/// A package in the watched folder. The source is never touched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedPackage {
    /// Name of the file or folder.
    pub name: String,
    pub state: WatchedPackageState,
    pub since_ms: i64,
    /// The problem it became.
    pub problem_id: Option<ProblemId>,
    /// Stable code of a refusal, to translate on: the doctor's, or `symlink`, `name_not_utf8`, `conflict` …
    pub code: String,
    pub reason: String,
    /// May be empty.
    pub remedy: String,
}

/// Sets the folder whose packages are taken in; needs `manage_modules`, and a host that takes paths. An empty path
/// watches none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetWatchFolder {
    pub path: String,
    /// Look every few seconds instead of being told; for folders on a network.
    pub polls: bool,
}

/// Looks at a package of the watched folder again though it has not changed; needs `manage_problems`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecheckPackage {
    pub name: String,
}

/// Edits a problem in one's own editor: from now on the file's newest content is the draft. What the draft was is kept
/// as a version. Needs a host that takes paths; `module_off` while `file_watch` does not run. The file may not exist yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchFile {
    pub problem_id: ProblemId,
    pub language_id: LanguageId,
    /// Absolute.
    pub path: String,
}

/// Leaves the file alone from now on; the draft stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnwatchFile {
    pub problem_id: ProblemId,
    pub language_id: LanguageId,
}

wire_enum! {
    /// How a watched source file stands.
    WatchedFileState {
        /// The module does not run: changes are not seen.
        Off = "off",
        /// Not yet looked at, or being written.
        Settling = "settling",
        /// The draft has its newest content.
        Current = "current",
        /// The draft is newer than the file; the next save of the file wins.
        Older = "older",
        /// It is not there; the draft stays.
        Missing = "missing",
        /// It is there and cannot be a draft: not readable, not UTF-8, too big.
        Refused = "refused",
    }
}

/// A source file edited elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchedFile {
    pub problem_id: ProblemId,
    pub language_id: LanguageId,
    pub path: String,
    pub state: WatchedFileState,
    /// Why it is refused; empty otherwise.
    pub reason: String,
    /// When its content last became the draft.
    pub read_at_ms: Option<i64>,
}

/// Earlier texts of a draft that another text took the place of, newest first, at most 20.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListDraftVersions {
    pub problem_id: ProblemId,
    pub language_id: LanguageId,
}

/// One earlier text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftVersion {
    /// When this text was saved.
    pub saved_at_ms: i64,
    /// Whether it came from a watched file; otherwise from the editor here.
    pub is_from_file: bool,
    pub text: String,
}
