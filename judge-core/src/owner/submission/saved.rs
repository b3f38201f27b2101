//! Tables of what a person handed in: the submission and its sources. They never change and are never deleted.

use agon_contract::ids::{IdempotencyKey, LanguageId, SubmissionId, UserId};
use agon_contract::submission::{SourceFile, SubmissionContext};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::manifest::Manifest;
use crate::domain::facts::FactsSnapshot;
use crate::store::{decode, json, text};

pub(super) const SCHEMA: &str = "
CREATE TABLE submission_submission (
    number               INTEGER PRIMARY KEY AUTOINCREMENT,
    id                   TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    user_id              TEXT NOT NULL,
    idempotency_key      TEXT NOT NULL CHECK (idempotency_key <> ''),
    fingerprint          TEXT NOT NULL CHECK (length(fingerprint) = 64),
    problem_id           TEXT NOT NULL,
    language_id          TEXT NOT NULL,
    context              TEXT NOT NULL CHECK (json_valid(context)),
    submitted_at_ms      INTEGER NOT NULL,
    facts                TEXT NOT NULL CHECK (json_valid(facts)),
    manifest             TEXT NOT NULL CHECK (json_valid(manifest)),
    current_judgement_id TEXT REFERENCES submission_judgement (id),
    UNIQUE (user_id, idempotency_key)
) STRICT;
CREATE INDEX submission_submission_by_problem ON submission_submission (problem_id, number);
CREATE INDEX submission_submission_by_user ON submission_submission (user_id, problem_id, number);
CREATE TRIGGER submission_submission_sealed
BEFORE UPDATE OF number, id, user_id, idempotency_key, fingerprint, problem_id, language_id, context,
                 submitted_at_ms, facts, manifest ON submission_submission
BEGIN SELECT RAISE(ABORT, 'a submission never changes'); END;
CREATE TRIGGER submission_submission_kept BEFORE DELETE ON submission_submission
BEGIN SELECT RAISE(ABORT, 'a submission is never deleted'); END;
CREATE TABLE submission_source (
    submission_id TEXT NOT NULL REFERENCES submission_submission (id),
    ordinal       INTEGER NOT NULL CHECK (ordinal > 0),
    name          TEXT NOT NULL CHECK (name <> ''),
    text          TEXT,
    blob_hash     TEXT CHECK (blob_hash IS NULL OR length(blob_hash) = 64),
    bytes         INTEGER NOT NULL CHECK (bytes >= 0),
    PRIMARY KEY (submission_id, ordinal),
    UNIQUE (submission_id, name),
    CHECK ((text IS NULL) <> (blob_hash IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TRIGGER submission_source_sealed BEFORE UPDATE ON submission_source
BEGIN SELECT RAISE(ABORT, 'a source never changes'); END;
CREATE TRIGGER submission_source_kept BEFORE DELETE ON submission_source
BEGIN SELECT RAISE(ABORT, 'a source is never deleted'); END;
";

/// A submission about to be saved.
#[derive(Clone, Debug)]
pub(crate) struct NewSubmission {
    pub id: SubmissionId,
    pub user_id: UserId,
    pub idempotency_key: IdempotencyKey,
    pub fingerprint: String,
    pub language_id: LanguageId,
    pub context: SubmissionContext,
    pub facts: FactsSnapshot,
    pub manifest: Manifest,
    pub sources: Vec<StoredSource>,
}

/// A source file: its text, or the blob that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoredSource {
    Text(SourceFile),
    Blob { name: String, hash: String, bytes: u64 },
}

/// What the receipt of a known key needs.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub id: SubmissionId,
    pub number: u64,
    pub fingerprint: String,
    pub submitted_at_ms: i64,
}

/// What judging needs of a submission.
#[derive(Clone, Debug)]
pub(crate) struct Saved {
    pub language_id: LanguageId,
    pub facts: FactsSnapshot,
    pub manifest: Manifest,
    pub sources: Vec<StoredSource>,
}

/// Writes the submission and its sources; answers its number.
pub(super) fn insert(connection: &Connection, new: &NewSubmission, now_ms: i64) -> rusqlite::Result<u64> {
    connection
        .prepare_cached(
            "INSERT INTO submission_submission (id, user_id, idempotency_key, fingerprint, problem_id, language_id,
                                                context, submitted_at_ms, facts, manifest)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            new.id.as_str(),
            new.user_id.as_str(),
            new.idempotency_key.as_str(),
            new.fingerprint,
            new.facts.problem.id.as_str(),
            new.language_id.as_str(),
            json(&new.context),
            now_ms,
            json(&new.facts),
            json(&new.manifest)
        ])?;
    let number = connection.last_insert_rowid();
    for (ordinal, source) in (1_u32..).zip(&new.sources) {
        insert_source(connection, &new.id, ordinal, source)?;
    }
    Ok(u64::try_from(number).expect("row ids of an AUTOINCREMENT table are positive"))
}

fn insert_source(
    connection: &Connection,
    id: &SubmissionId,
    ordinal: u32,
    source: &StoredSource,
) -> rusqlite::Result<()> {
    let (name, text, hash, bytes) = match source {
        StoredSource::Text(file) => (&file.name, Some(&file.text), None, file.text.len() as u64),
        StoredSource::Blob { name, hash, bytes } => (name, None, Some(hash), *bytes),
    };
    connection
        .prepare_cached(
            "INSERT INTO submission_source (submission_id, ordinal, name, text, blob_hash, bytes)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![id.as_str(), ordinal, name, text, hash, bytes])?;
    Ok(())
}

pub(super) fn by_key(
    connection: &Connection,
    user_id: &UserId,
    key: &IdempotencyKey,
) -> rusqlite::Result<Option<Known>> {
    connection
        .prepare_cached(
            "SELECT id, number, fingerprint, submitted_at_ms FROM submission_submission
             WHERE user_id = ?1 AND idempotency_key = ?2",
        )?
        .query_row([user_id.as_str(), key.as_str()], |row| {
            Ok(Known {
                id: text(row, "id")?,
                number: row.get("number")?,
                fingerprint: row.get("fingerprint")?,
                submitted_at_ms: row.get("submitted_at_ms")?,
            })
        })
        .optional()
}

pub(super) fn load(connection: &Connection, id: &SubmissionId) -> rusqlite::Result<Saved> {
    let (language_id, facts, manifest) = connection
        .prepare_cached("SELECT language_id, facts, manifest FROM submission_submission WHERE id = ?1")?
        .query_row([id.as_str()], |row| {
            Ok((text(row, "language_id")?, decode(row, "facts")?, decode(row, "manifest")?))
        })?;
    Ok(Saved { language_id, facts, manifest, sources: sources(connection, id)? })
}

pub(super) fn sources(connection: &Connection, id: &SubmissionId) -> rusqlite::Result<Vec<StoredSource>> {
    connection
        .prepare_cached(
            "SELECT name, text, blob_hash, bytes FROM submission_source WHERE submission_id = ?1 ORDER BY ordinal",
        )?
        .query_map([id.as_str()], stored_source)?
        .collect()
}

fn stored_source(row: &Row<'_>) -> rusqlite::Result<StoredSource> {
    let name = row.get("name")?;
    Ok(match row.get::<_, Option<String>>("text")? {
        Some(text) => StoredSource::Text(SourceFile { name, text }),
        None => StoredSource::Blob { name, hash: row.get("blob_hash")?, bytes: row.get("bytes")? },
    })
}
