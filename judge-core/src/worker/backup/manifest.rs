//! What a backup says about itself, in `manifest.json`.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use agon_contract::audit::AuditVerification;
use agon_contract::backup::{BackupKind, BackupView};
use serde::{Deserialize, Serialize};

use super::BackupError;
use crate::store::{FolderError, chain};

/// The database within a backup.
pub(crate) const DATABASE: &str = "agon.db";
/// The folder of content within a backup.
pub(crate) const BLOBS: &str = "blobs";
pub(super) const MANIFEST: &str = "manifest.json";
/// The layout described in the module's doc.
const FORMAT: u32 = 1;

/// Everything a backup consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub format: u32,
    pub id: String,
    pub kind: BackupKind,
    /// Wall time of the database's moment.
    pub made_at_ms: i64,
    pub app_version: String,
    pub database: Content,
    pub blobs: Vec<Content>,
    /// The audit log in the database, walked: whole, or broken in the same place for ever.
    pub audit: AuditVerification,
}

/// A file by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Content {
    pub sha256: String,
    pub bytes: u64,
}

impl Manifest {
    pub(super) fn new(plan: &super::Plan, database: Content, blobs: Vec<Content>, audit: AuditVerification) -> Self {
        Self {
            format: FORMAT,
            id: plan.id.clone(),
            kind: plan.kind.clone(),
            made_at_ms: plan.made_at_ms,
            app_version: env!("CARGO_PKG_VERSION").to_owned(),
            database,
            blobs,
            audit,
        }
    }

    /// Reads the manifest of a backup; says what is wrong where there is none.
    pub(super) fn read(folder: &Path) -> Result<Self, BackupError> {
        let no_backup = |reason: String| BackupError::NoBackup { path: folder.to_owned(), reason };
        let text = fs::read(folder.join(MANIFEST)).map_err(|error| no_backup(format!("its manifest: {error}")))?;
        let head: Head = serde_json::from_slice(&text).map_err(|error| no_backup(format!("its manifest: {error}")))?;
        if head.format != FORMAT {
            return Err(BackupError::Newer { path: folder.to_owned(), format: head.format });
        }
        serde_json::from_slice(&text).map_err(|error| no_backup(format!("its manifest: {}", chain(&error))))
    }

    /// Writes it into the folder, durable when this returns.
    pub(super) fn write(&self, folder: &Path) -> Result<(), FolderError> {
        let path = folder.join(MANIFEST);
        let failed = |error| FolderError::access("writing", &path, error);
        let text = serde_json::to_vec_pretty(self).expect("a manifest is text and numbers");
        let mut file = File::create_new(&path).map_err(failed)?;
        file.write_all(&text).and_then(|()| file.sync_all()).map_err(failed)
    }

    pub(crate) fn view(&self, path: &Path) -> BackupView {
        BackupView {
            id: self.id.clone(),
            kind: self.kind.clone(),
            made_at_ms: self.made_at_ms,
            path: path.display().to_string(),
            bytes: self.database.bytes + self.blobs.iter().map(|blob| blob.bytes).sum::<u64>(),
            blobs: self.blobs.len() as u64,
            audit: self.audit.clone(),
            app_version: self.app_version.clone(),
        }
    }
}

/// What every format has, read before the rest.
#[derive(Deserialize)]
struct Head {
    format: u32,
}
