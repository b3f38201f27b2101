//! Backups: a copy of everything that can be given back, verified by reading it back.

use serde::{Deserialize, Serialize};

use crate::audit::AuditVerification;
use crate::wire_enum::wire_enum;

wire_enum! {
    /// Why a backup was made.
    BackupKind {
        /// Somebody asked for it; kept until somebody removes it.
        Manual = "manual",
        /// By the setting; the oldest of them go when there are more than are to be kept.
        Scheduled = "scheduled",
    }
}

/// A finished backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupView {
    pub id: String,
    pub kind: BackupKind,
    /// The moment whose state it holds.
    pub made_at_ms: i64,
    /// The folder or file, as a path of the judge's machine.
    pub path: String,
    /// Database and content together.
    pub bytes: u64,
    /// Files of content (test data, large sources), each once.
    pub blobs: u64,
    /// The audit log as it was in the backup; its head is worth noting elsewhere.
    pub audit: AuditVerification,
    pub app_version: String,
}

/// A file or folder in the place of the backups that is none, or is damaged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnusableBackup {
    pub path: String,
    pub reason: String,
}

/// What lies in the data folder's place for backups, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupList {
    pub backups: Vec<BackupView>,
    pub unusable: Vec<UnusableBackup>,
    /// Why the newest attempt failed; `None` when it did not.
    pub last_failure: Option<String>,
}

/// Makes a backup while everything goes on; answers when it has been read back. Needs `manage_backups`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MakeBackup {
    /// A folder to put it into, made when absent; the backup is a new folder in it. `None`: the data folder's own place.
    /// Refused where the host takes no paths, and for what is a file, a backup or a part of the data folder.
    pub into: Option<String>,
}

/// Needs `manage_backups`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListBackups {}

/// Reads a backup of the data folder's place back, whole. Needs `manage_backups`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifyBackup {
    pub backup_id: String,
}
