//! Why a backup was not made, or cannot be used.

use std::path::PathBuf;

use agon_contract::{ApiError, ErrorCode};

use crate::store::{FolderError, StoreError, chain};

#[derive(Debug, thiserror::Error)]
pub(crate) enum BackupError {
    #[error("another backup is being made")]
    UnderWay,
    #[error("the lease for backups was lost; what was made does not count and was removed")]
    LeaseLost,
    #[error("the program closes")]
    Closing,
    #[error("the thread that made the backup ended early")]
    Interrupted,
    #[error("no backup can be put into {}: {reason}", path.display())]
    NoPlace { path: PathBuf, reason: &'static str },
    #[error("{} is no backup: {reason}", path.display())]
    NoBackup { path: PathBuf, reason: String },
    #[error("{} was written by a newer program (format {format})", path.display())]
    Newer { path: PathBuf, format: u32 },
    #[error("{} is damaged: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl From<BackupError> for ApiError {
    fn from(error: BackupError) -> Self {
        let message = chain(&error);
        match error {
            BackupError::UnderWay => {
                ApiError::new(ErrorCode::Conflict, message).with_hint("Wait until it is done, then try again.")
            }
            BackupError::LeaseLost | BackupError::Closing | BackupError::Interrupted => {
                ApiError::new(ErrorCode::Conflict, message).with_hint("Make the backup again.")
            }
            BackupError::NoPlace { .. } => ApiError::new(ErrorCode::BadRequest, message)
                .with_hint("Name a folder for backups; each gets one of its own there."),
            BackupError::NoBackup { .. } => ApiError::new(ErrorCode::Unreadable, message),
            BackupError::Newer { .. } => ApiError::new(ErrorCode::VersionMismatch, message).with_hint("Update Agon."),
            BackupError::Damaged { .. } => {
                ApiError::new(ErrorCode::Unreadable, message).with_hint("Use another backup, and check that disk.")
            }
            BackupError::Store(error) => error.into(),
            BackupError::Folder(error) => error.into(),
        }
    }
}
