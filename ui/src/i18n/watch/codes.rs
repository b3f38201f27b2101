//! Names of what the file watch sees.

use agon_contract::watch::{WatchedFileState, WatchedFolderState, WatchedPackageState};

use super::watch;
use crate::i18n::finding_title;

/// How the watched folder stands.
#[must_use]
pub fn folder_state_name(state: &WatchedFolderState) -> String {
    let t = watch();
    match state {
        WatchedFolderState::Off => t.folder_off,
        WatchedFolderState::Watching => t.folder_watching,
        WatchedFolderState::Polling => t.folder_polling,
        WatchedFolderState::Missing => t.folder_missing,
        WatchedFolderState::Unreadable => t.folder_unreadable,
        WatchedFolderState::Unknown(other) => return other.clone(),
    }
    .to_owned()
}

/// What became of a package in the folder.
#[must_use]
pub fn package_state_name(state: &WatchedPackageState) -> String {
    let t = watch();
    match state {
        WatchedPackageState::Settling => t.package_settling,
        WatchedPackageState::Looking => t.package_looking,
        WatchedPackageState::Imported => t.package_imported,
        WatchedPackageState::Refused => t.package_refused,
        WatchedPackageState::Waiting => t.package_waiting,
        WatchedPackageState::Unknown(other) => return other.clone(),
    }
    .to_owned()
}

/// How a watched source file stands.
#[must_use]
pub fn file_state_name(state: &WatchedFileState) -> String {
    let t = watch();
    match state {
        WatchedFileState::Off => t.file_off,
        WatchedFileState::Settling => t.file_settling,
        WatchedFileState::Current => t.file_current,
        WatchedFileState::Older => t.file_older,
        WatchedFileState::Missing => t.file_missing,
        WatchedFileState::Refused => t.file_refused,
        WatchedFileState::Unknown(other) => return other.clone(),
    }
    .to_owned()
}

/// A refusal's heading: the watch's own codes, else the doctor's.
#[must_use]
pub fn refusal_title(code: &str) -> Option<&'static str> {
    let t = watch();
    match code {
        "symlink" => Some(t.code_symlink),
        "name_not_utf8" => Some(t.code_name_not_utf8),
        "conflict" => Some(t.code_conflict),
        doctors => finding_title(doctors),
    }
}
