//! Why the store could not do something, and what the caller is told.

use std::io;
use std::path::PathBuf;

use agon_contract::{ApiError, ErrorCode};

use super::authorizer::Owner;

/// A fault of the database or its file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("opening the database {} failed", path.display())]
    OpenDatabase {
        path: PathBuf,
        #[source]
        source: rusqlite::Error,
    },
    #[error("{} is not a database of this program", path.display())]
    ForeignDatabase { path: PathBuf },
    #[error("reading which migrations were applied failed")]
    ReadMigrations(#[source] rusqlite::Error),
    #[error("the {owner} schema is at {found}, newer than this program knows ({known}); update Agon")]
    SchemaNewer { owner: String, found: u32, known: u32 },
    #[error(
        "{owner} migration {number} was applied with another text than this program has; use the version that made this folder, or a backup"
    )]
    SchemaChanged { owner: String, number: u32 },
    #[error("{owner} migration {number} failed; nothing of it was kept")]
    ApplyMigration {
        owner: Owner,
        number: u32,
        #[source]
        source: rusqlite::Error,
    },
    #[error("backing up the database to {} failed", path.display())]
    Backup {
        path: PathBuf,
        #[source]
        source: rusqlite::Error,
    },
    #[error("the backup {} cannot be written", path.display())]
    PrepareBackup {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("{owner} could not {operation}")]
    Write {
        owner: Owner,
        operation: &'static str,
        #[source]
        source: rusqlite::Error,
    },
    #[error("{owner} could not {operation}")]
    Read {
        owner: Owner,
        operation: &'static str,
        #[source]
        source: rusqlite::Error,
    },
    #[error("the thread that was to {operation} ended early")]
    Interrupted { operation: &'static str },
}

/// A fault of a file in the data folder that is not the database.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("{operation} {} failed", path.display())]
    Access {
        operation: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error(
        "{} has `{name}` in it and is no data folder of Agon's; name an empty folder with AGON_DATA",
        folder.display()
    )]
    Foreign { folder: PathBuf, name: String },
    #[error("{} is a link; Agon removes files of its own there and does not follow it", path.display())]
    PartIsLink { path: PathBuf },
    #[error("the blob {hash} has other content than its name says")]
    BlobDamaged { hash: String },
    #[error("`{text}` is not the name of a blob")]
    BlobName { text: String },
    #[error("{} was changed while it was being read; import it again when nobody writes to it", path.display())]
    ChangedMeanwhile { path: PathBuf },
    #[error("the thread that was {operation} ended early")]
    Interrupted { operation: &'static str },
}

impl FolderError {
    pub(crate) fn access(operation: &'static str, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Access { operation, path: path.into(), source }
    }

    /// What a person can do about it.
    pub(crate) fn remedy(&self) -> &'static str {
        if self.is_disk_full() {
            "Make room on the disk; nothing saved was lost."
        } else {
            "Check who may write to the data folder, and the disk."
        }
    }

    /// The whole chain of causes, and what to do where it is not said already.
    pub(crate) fn told(&self) -> String {
        match self {
            Self::Access { .. } => format!("{}. {}", chain(self), self.remedy()),
            Self::Foreign { .. }
            | Self::PartIsLink { .. }
            | Self::BlobDamaged { .. }
            | Self::BlobName { .. }
            | Self::ChangedMeanwhile { .. }
            | Self::Interrupted { .. } => chain(self),
        }
    }

    /// Whether nothing can be written until somebody makes room.
    pub(crate) fn is_disk_full(&self) -> bool {
        match self {
            Self::Access { source, .. } => {
                matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
            }
            Self::Foreign { .. }
            | Self::PartIsLink { .. }
            | Self::BlobDamaged { .. }
            | Self::BlobName { .. }
            | Self::ChangedMeanwhile { .. }
            | Self::Interrupted { .. } => false,
        }
    }
}

/// What SQLite says is wrong, as far as it changes what a person should do.
fn sqlite_code(error: &StoreError) -> Option<rusqlite::ErrorCode> {
    source_of(error).map(|error| error.code)
}

fn source_of(error: &StoreError) -> Option<&rusqlite::ffi::Error> {
    match error {
        StoreError::OpenDatabase { source, .. }
        | StoreError::ReadMigrations(source)
        | StoreError::ApplyMigration { source, .. }
        | StoreError::Backup { source, .. }
        | StoreError::Write { source, .. }
        | StoreError::Read { source, .. } => source.sqlite_error(),
        StoreError::ForeignDatabase { .. }
        | StoreError::SchemaNewer { .. }
        | StoreError::SchemaChanged { .. }
        | StoreError::PrepareBackup { .. }
        | StoreError::Interrupted { .. } => None,
    }
}

impl StoreError {
    /// Whether nothing can be written until somebody makes room.
    #[must_use]
    pub fn is_disk_full(&self) -> bool {
        sqlite_code(self) == Some(rusqlite::ErrorCode::DiskFull) || self.cannot_grow_index()
    }

    /// The write-ahead log's index is a file that is only ever made larger: that fails for want of room.
    fn cannot_grow_index(&self) -> bool {
        source_of(self).is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE)
    }

    /// What a person can do about it; `None` where it is our own fault, or said already.
    pub(crate) fn remedy(&self) -> Option<&'static str> {
        use rusqlite::ErrorCode as Sqlite;
        if self.is_disk_full() {
            return Some("Make room on the disk; nothing saved was lost.");
        }
        match sqlite_code(self)? {
            Sqlite::DatabaseBusy | Sqlite::DatabaseLocked => {
                Some("Another program holds the database; close it and try again.")
            }
            Sqlite::ReadOnly | Sqlite::CannotOpen | Sqlite::PermissionDenied => {
                Some("Check who may write to the data folder.")
            }
            Sqlite::SystemIoFailure => Some("Check the disk; nothing was half-saved."),
            Sqlite::DatabaseCorrupt | Sqlite::NotADatabase => {
                Some("The database is damaged: restore a backup from the data folder.")
            }
            _ => None,
        }
    }

    /// The whole chain of causes, and what to do.
    pub(crate) fn told(&self) -> String {
        match self.remedy() {
            Some(remedy) => format!("{}. {remedy}", chain(self)),
            None => chain(self),
        }
    }
}

impl StoreError {
    /// Whether the store cannot be written by anybody now, whatever the change: the disk is full or fails, another
    /// program holds the database.
    #[must_use]
    pub(crate) fn is_away(&self) -> bool {
        use rusqlite::ErrorCode as Sqlite;
        let away = [Sqlite::DiskFull, Sqlite::DatabaseBusy, Sqlite::DatabaseLocked, Sqlite::SystemIoFailure];
        sqlite_code(self).is_some_and(|code| away.contains(&code))
    }
}

/// The whole chain of causes in one line; a cause that its effect already quotes is not said twice.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let said = cause.to_string();
        if !text.contains(&said) {
            text.push_str(": ");
            text.push_str(&said);
        }
        next = cause.source();
    }
    text
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let message = chain(&error);
        tracing::error!(error = %message, "the store failed");
        match error.remedy() {
            Some(remedy) => ApiError::new(ErrorCode::StorageUnavailable, message).with_hint(remedy),
            None => ApiError::new(ErrorCode::Internal, message),
        }
    }
}

impl From<FolderError> for ApiError {
    fn from(error: FolderError) -> Self {
        let message = chain(&error);
        tracing::error!(error = %message, "the data folder failed");
        let hint = error.remedy();
        ApiError::new(ErrorCode::StorageUnavailable, message).with_hint(hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sqlite(code: i32) -> StoreError {
        StoreError::Write {
            owner: Owner::Submission,
            operation: "save the submission",
            source: rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None),
        }
    }

    #[test]
    fn a_full_disk_is_named_and_says_what_to_do() {
        let error = sqlite(rusqlite::ffi::SQLITE_FULL);
        assert!(error.is_disk_full());
        let api = ApiError::from(error);
        assert_eq!(api.code, ErrorCode::StorageUnavailable);
        assert!(api.to_string().contains("Make room"), "{api}");
        let no_room_for_index = sqlite(rusqlite::ffi::SQLITE_IOERR_SHMSIZE);
        assert!(no_room_for_index.told().contains("Make room"), "{}", no_room_for_index.told());
        let full = FolderError::access("writing", "/x", io::ErrorKind::StorageFull.into());
        assert!(ApiError::from(full).to_string().contains("Make room"));
    }

    #[test]
    fn a_locked_database_and_a_damaged_one_are_told_apart() {
        let locked = ApiError::from(sqlite(rusqlite::ffi::SQLITE_BUSY)).to_string();
        let damaged = ApiError::from(sqlite(rusqlite::ffi::SQLITE_CORRUPT)).to_string();
        assert!(locked.contains("Another program"), "{locked}");
        assert!(damaged.contains("restore a backup"), "{damaged}");
    }

    #[test]
    fn our_own_mistake_is_internal() {
        assert_eq!(ApiError::from(sqlite(rusqlite::ffi::SQLITE_CONSTRAINT)).code, ErrorCode::Internal);
    }
}
