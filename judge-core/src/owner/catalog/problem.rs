//! Tables of problems and their versions.

use agon_contract::ids::{LanguageId, ProblemId};
use agon_contract::package::Finding;
use agon_contract::problem::LocalText;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::domain::comparison::DefaultValidatorArgs;
use crate::domain::limits::EffectiveLimits;
use crate::domain::rules::JudgingRules;
use crate::store::{decode, json};

pub(super) const SCHEMA: &str = "
CREATE TABLE catalog_problem (
    id                 TEXT PRIMARY KEY CHECK (length(id) = 36),
    slug               TEXT NOT NULL UNIQUE CHECK (slug <> ''),
    current_version_id TEXT NOT NULL REFERENCES catalog_version (id) DEFERRABLE INITIALLY DEFERRED,
    created_at_ms      INTEGER NOT NULL,
    removed_at_ms      INTEGER
) STRICT;
CREATE TABLE catalog_version (
    id                   TEXT PRIMARY KEY CHECK (length(id) = 36),
    problem_id           TEXT NOT NULL REFERENCES catalog_problem (id) DEFERRABLE INITIALLY DEFERRED,
    number               INTEGER NOT NULL CHECK (number > 0),
    slug                 TEXT NOT NULL,
    format               TEXT NOT NULL,
    titles               TEXT NOT NULL CHECK (json_array_length(titles) > 0),
    keywords             TEXT NOT NULL CHECK (json_valid(keywords)),
    limits               TEXT NOT NULL CHECK (json_valid(limits)),
    validator            TEXT NOT NULL CHECK (json_valid(validator)),
    languages            TEXT NOT NULL CHECK (json_valid(languages)),
    compile_time_ms      INTEGER NOT NULL CHECK (compile_time_ms > 0),
    compile_memory_bytes INTEGER NOT NULL CHECK (compile_memory_bytes > 0),
    credits              TEXT NOT NULL,
    license              TEXT NOT NULL,
    source               TEXT NOT NULL,
    package_uuid         TEXT,
    package_version      TEXT,
    package_hash         TEXT NOT NULL CHECK (length(package_hash) = 64),
    data_hash            TEXT NOT NULL CHECK (length(data_hash) = 64),
    findings             TEXT NOT NULL CHECK (json_valid(findings)),
    imported_at_ms       INTEGER NOT NULL,
    UNIQUE (problem_id, number)
) STRICT;
CREATE TRIGGER catalog_version_sealed BEFORE UPDATE ON catalog_version
BEGIN SELECT RAISE(ABORT, 'a version never changes'); END;
CREATE TRIGGER catalog_version_kept BEFORE DELETE ON catalog_version
BEGIN SELECT RAISE(ABORT, 'a version is never deleted'); END;
";

/// A version of a problem.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Version {
    pub id: String,
    pub slug: String,
    pub format: String,
    pub titles: Vec<LocalText>,
    pub keywords: Vec<String>,
    pub limits: EffectiveLimits,
    pub validator: DefaultValidatorArgs,
    pub rules: JudgingRules,
    pub languages: Vec<LanguageId>,
    pub compile_time_ms: u64,
    pub compile_memory_bytes: u64,
    pub credits: String,
    pub license: String,
    pub source: String,
    pub package_uuid: Option<String>,
    pub package_version: Option<String>,
    pub package_hash: String,
    pub data_hash: String,
    pub findings: Vec<Finding>,
    pub imported_at_ms: i64,
}

/// A problem under a short name, on the list or hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Existing {
    pub id: ProblemId,
    pub package_hash: String,
    pub is_removed: bool,
}

pub(super) fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM catalog_problem)", [], |row| row.get(0))
}

pub(super) fn by_slug(connection: &Connection, slug: &str) -> rusqlite::Result<Option<Existing>> {
    connection
        .prepare_cached(
            "SELECT p.id, v.package_hash, p.removed_at_ms IS NOT NULL
             FROM catalog_problem p JOIN catalog_version v ON v.id = p.current_version_id WHERE p.slug = ?1",
        )?
        .query_row([slug], |row| {
            Ok(Existing { id: ProblemId(row.get(0)?), package_hash: row.get(1)?, is_removed: row.get(2)? })
        })
        .optional()
}

/// Whether there is such a problem, on the list or hidden.
pub(super) fn is_known(connection: &Connection, id: &ProblemId) -> rusqlite::Result<bool> {
    connection.prepare_cached("SELECT 1 FROM catalog_problem WHERE id = ?1")?.exists([id.as_str()])
}

/// The current version of a problem that is on the list.
pub(super) fn current(connection: &Connection, id: &ProblemId) -> rusqlite::Result<Option<Version>> {
    connection
        .prepare_cached(
            "SELECT v.* FROM catalog_problem p JOIN catalog_version v ON v.id = p.current_version_id
             WHERE p.id = ?1 AND p.removed_at_ms IS NULL",
        )?
        .query_row([id.as_str()], version)
        .optional()
}

/// Every problem on the list with its current version.
pub(super) fn listed(connection: &Connection) -> rusqlite::Result<Vec<(ProblemId, Version)>> {
    connection
        .prepare_cached(
            "SELECT v.*, p.id AS listed_id
             FROM catalog_problem p JOIN catalog_version v ON v.id = p.current_version_id
             WHERE p.removed_at_ms IS NULL",
        )?
        .query_map([], |row| Ok((ProblemId(row.get("listed_id")?), version(row)?)))?
        .collect()
}

/// Adds a problem whose first version is `version_id`.
pub(super) fn insert(
    connection: &Connection,
    id: &ProblemId,
    slug: &str,
    version_id: &str,
    now_ms: i64,
) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO catalog_problem (id, slug, current_version_id, created_at_ms) VALUES (?1, ?2, ?3, ?4)",
        params![id.as_str(), slug, version_id, now_ms],
    )?;
    Ok(())
}

/// Makes another version current, and puts the problem back on the list if it was hidden.
pub(super) fn set_current(connection: &Connection, id: &ProblemId, version_id: &str) -> rusqlite::Result<()> {
    connection.execute(
        "UPDATE catalog_problem SET current_version_id = ?2, removed_at_ms = NULL WHERE id = ?1",
        params![id.as_str(), version_id],
    )?;
    Ok(())
}

/// Puts a hidden problem back on the list as it was.
pub(super) fn restore(connection: &Connection, id: &ProblemId) -> rusqlite::Result<()> {
    connection.execute("UPDATE catalog_problem SET removed_at_ms = NULL WHERE id = ?1", [id.as_str()])?;
    Ok(())
}

pub(super) fn remove(connection: &Connection, id: &ProblemId, now_ms: i64) -> rusqlite::Result<bool> {
    let rows = connection.execute(
        "UPDATE catalog_problem SET removed_at_ms = ?2 WHERE id = ?1 AND removed_at_ms IS NULL",
        params![id.as_str(), now_ms],
    )?;
    Ok(rows == 1)
}

/// Adds a version with the next number of its problem.
pub(super) fn insert_version(connection: &Connection, problem: &ProblemId, version: &Version) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO catalog_version (id, problem_id, number, slug, format, titles, keywords, limits, validator,
             languages, compile_time_ms, compile_memory_bytes, credits, license, source, package_uuid,
             package_version, package_hash, data_hash, findings, imported_at_ms, rules)
         VALUES (?1, ?2, (SELECT coalesce(max(number), 0) + 1 FROM catalog_version WHERE problem_id = ?2), ?3, ?4, ?5,
             ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21)",
        params![
            version.id,
            problem.as_str(),
            version.slug,
            version.format,
            json(&version.titles),
            json(&version.keywords),
            json(&version.limits),
            json(&version.validator),
            json(&version.languages),
            version.compile_time_ms,
            version.compile_memory_bytes,
            version.credits,
            version.license,
            version.source,
            version.package_uuid,
            version.package_version,
            version.package_hash,
            version.data_hash,
            json(&version.findings),
            version.imported_at_ms,
            json(&version.rules)
        ],
    )?;
    Ok(())
}

fn version(row: &Row<'_>) -> rusqlite::Result<Version> {
    Ok(Version {
        id: row.get("id")?,
        slug: row.get("slug")?,
        format: row.get("format")?,
        titles: decode(row, "titles")?,
        keywords: decode(row, "keywords")?,
        limits: decode(row, "limits")?,
        validator: decode(row, "validator")?,
        languages: decode(row, "languages")?,
        compile_time_ms: row.get("compile_time_ms")?,
        compile_memory_bytes: row.get("compile_memory_bytes")?,
        credits: row.get("credits")?,
        license: row.get("license")?,
        source: row.get("source")?,
        package_uuid: row.get("package_uuid")?,
        package_version: row.get("package_version")?,
        package_hash: row.get("package_hash")?,
        data_hash: row.get("data_hash")?,
        findings: decode(row, "findings")?,
        imported_at_ms: row.get("imported_at_ms")?,
        rules: decode(row, "rules")?,
    })
}
