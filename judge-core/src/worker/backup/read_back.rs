//! Reading a backup back: nobody may rely on a copy that was never read.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;

use super::BackupError;
use super::build::{hash_file, hashes};
use super::manifest::{BLOBS, DATABASE, Manifest};
use crate::owner::admin::audit;
use crate::owner::{catalog, submission};
use crate::store::backup::open_checked;
use crate::store::{FolderError, StoreError};

/// Every blob that a row of any owner names. The only place that must know a new owner of content.
pub(super) fn names_of(connection: &Connection) -> Result<BTreeSet<String>, BackupError> {
    let read = || -> rusqlite::Result<BTreeSet<String>> {
        let mut names = catalog::blob_names(connection)?;
        names.extend(submission::blob_names(connection)?);
        Ok(names)
    };
    read().map_err(|source| {
        let path = connection.path().unwrap_or_default().into();
        StoreError::Backup { path, source }.into()
    })
}

/// Reads everything: the database's hash, structure, keys; each blob's hash; that the blobs are those the database names;
/// that the audit log walks as the manifest says.
pub(crate) fn read_back(folder: &Path) -> Result<Manifest, BackupError> {
    let damaged = |reason: String| BackupError::Damaged { path: folder.to_owned(), reason };
    let manifest = Manifest::read(folder)?;
    let database = folder.join(DATABASE);
    if read(&database, &damaged)? != manifest.database {
        return Err(damaged("the database is not the one that was written".to_owned()));
    }
    let connection = open_checked(&database)?;
    if names_of(&connection)? != hashes(&manifest.blobs) {
        return Err(damaged("its content is not what its database names".to_owned()));
    }
    let audit = audit::verify(&connection).map_err(|source| StoreError::Backup { path: database.clone(), source })?;
    if audit != manifest.audit {
        return Err(damaged("its audit log is not the one that was written".to_owned()));
    }
    for blob in &manifest.blobs {
        if read(&folder.join(BLOBS).join(&blob.sha256), &damaged)? != *blob {
            return Err(damaged(format!("the content {} is not what its name says", blob.sha256)));
        }
    }
    Ok(manifest)
}

fn read(path: &Path, damaged: &impl Fn(String) -> BackupError) -> Result<super::manifest::Content, BackupError> {
    match hash_file(path) {
        Err(FolderError::Access { path, source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            Err(damaged(format!("{} is missing", path.display())))
        }
        other => Ok(other?),
    }
}
