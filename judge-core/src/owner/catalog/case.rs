//! Table of test cases: names and blobs, in judging order.

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::domain::comparison::DefaultValidatorArgs;
use crate::domain::rules::CaseRules;
use crate::store::{decode, json};

pub(super) const SCHEMA: &str = "
CREATE TABLE catalog_case (
    version_id   TEXT NOT NULL REFERENCES catalog_version (id),
    ordinal      INTEGER NOT NULL CHECK (ordinal > 0),
    name         TEXT NOT NULL CHECK (name <> ''),
    is_sample    INTEGER NOT NULL CHECK (is_sample IN (0, 1)),
    input_hash   TEXT NOT NULL CHECK (length(input_hash) = 64),
    input_bytes  INTEGER NOT NULL CHECK (input_bytes >= 0),
    answer_hash  TEXT NOT NULL CHECK (length(answer_hash) = 64),
    answer_bytes INTEGER NOT NULL CHECK (answer_bytes >= 0),
    validator    TEXT NOT NULL CHECK (json_valid(validator)),
    PRIMARY KEY (version_id, ordinal),
    UNIQUE (version_id, name)
) STRICT, WITHOUT ROWID;
";

/// One test case of a version.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Case {
    pub name: String,
    pub is_sample: bool,
    pub input_hash: String,
    pub input_bytes: u64,
    pub answer_hash: String,
    pub answer_bytes: u64,
    /// Where it differs from the version's.
    pub validator: Option<DefaultValidatorArgs>,
    pub rules: CaseRules,
}

pub(super) fn insert(connection: &Connection, version_id: &str, ordinal: u32, case: &Case) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO catalog_case (version_id, ordinal, name, is_sample, input_hash, input_bytes, answer_hash,
                                       answer_bytes, validator, rules)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            version_id,
            ordinal,
            case.name,
            case.is_sample,
            case.input_hash,
            case.input_bytes,
            case.answer_hash,
            case.answer_bytes,
            json(&case.validator),
            json(&case.rules)
        ])?;
    Ok(())
}

pub(super) fn all(connection: &Connection, version_id: &str) -> rusqlite::Result<Vec<Case>> {
    connection
        .prepare_cached("SELECT * FROM catalog_case WHERE version_id = ?1 ORDER BY ordinal")?
        .query_map([version_id], case)?
        .collect()
}

pub(super) fn count(connection: &Connection, version_id: &str) -> rusqlite::Result<u32> {
    connection
        .prepare_cached("SELECT count(*) FROM catalog_case WHERE version_id = ?1")?
        .query_row([version_id], |row| row.get(0))
}

/// A sample by name. Secret cases cannot be asked for.
pub(super) fn sample(connection: &Connection, version_id: &str, name: &str) -> rusqlite::Result<Option<Case>> {
    connection
        .prepare_cached("SELECT * FROM catalog_case WHERE version_id = ?1 AND name = ?2 AND is_sample = 1")?
        .query_row(params![version_id, name], case)
        .optional()
}

fn case(row: &Row<'_>) -> rusqlite::Result<Case> {
    Ok(Case {
        name: row.get("name")?,
        is_sample: row.get("is_sample")?,
        input_hash: row.get("input_hash")?,
        input_bytes: row.get("input_bytes")?,
        answer_hash: row.get("answer_hash")?,
        answer_bytes: row.get("answer_bytes")?,
        validator: decode(row, "validator")?,
        rules: decode(row, "rules")?,
    })
}
