//! What problems and cases say about their judging beyond input and answer, and the content they name for it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rusqlite::{Connection, params};

use crate::store::FolderError;
use crate::store::blobs::Blobs;

pub(super) const SCHEMA: &str = "
ALTER TABLE catalog_version ADD COLUMN rules TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(rules));
ALTER TABLE catalog_case ADD COLUMN rules TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(rules));
CREATE TABLE catalog_jury_content (
    version_id TEXT NOT NULL REFERENCES catalog_version (id),
    hash       TEXT NOT NULL CHECK (length(hash) = 64),
    bytes      INTEGER NOT NULL CHECK (bytes >= 0),
    PRIMARY KEY (version_id, hash)
) STRICT, WITHOUT ROWID;
";

/// Content that the rules or cases of a version name, by its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub hash: String,
    pub bytes: u64,
}

pub(super) fn insert(connection: &Connection, version_id: &str, content: &Content) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT INTO catalog_jury_content (version_id, hash, bytes) VALUES (?1, ?2, ?3)")?
        .execute(params![version_id, content.hash, content.bytes])?;
    Ok(())
}

pub(super) fn all(connection: &Connection, version_id: &str) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare_cached("SELECT hash FROM catalog_jury_content WHERE version_id = ?1")?
        .query_map([version_id], |row| row.get(0))?
        .collect()
}

/// Where each of them lies.
pub(super) fn places(blobs: &Blobs, hashes: Vec<String>) -> Result<BTreeMap<String, PathBuf>, FolderError> {
    hashes.into_iter().map(|hash| Ok((hash.clone(), blobs.path(&hash)?))).collect()
}
