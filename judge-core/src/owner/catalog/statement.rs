//! Tables of statements and the files beside them.

use agon_contract::problem::{StatementFormat, StatementRef, StatementView};
use rusqlite::{Connection, OptionalExtension, params};

use crate::store::text;

pub(super) const SCHEMA: &str = "
CREATE TABLE catalog_statement (
    version_id     TEXT NOT NULL REFERENCES catalog_version (id),
    ordinal        INTEGER NOT NULL CHECK (ordinal > 0),
    language       TEXT NOT NULL CHECK (language <> ''),
    format         TEXT NOT NULL CHECK (format IN ('html', 'latex_text', 'pdf')),
    html           TEXT NOT NULL,
    placed_samples INTEGER NOT NULL CHECK (placed_samples >= 0),
    pdf_hash       TEXT CHECK (length(pdf_hash) = 64),
    pdf_bytes      INTEGER,
    PRIMARY KEY (version_id, ordinal),
    CHECK ((format = 'pdf') = (pdf_hash IS NOT NULL)),
    CHECK ((pdf_hash IS NULL) = (pdf_bytes IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TABLE catalog_statement_file (
    version_id TEXT NOT NULL REFERENCES catalog_version (id),
    name       TEXT NOT NULL CHECK (name <> ''),
    hash       TEXT NOT NULL CHECK (length(hash) = 64),
    bytes      INTEGER NOT NULL CHECK (bytes >= 0),
    PRIMARY KEY (version_id, name)
) STRICT, WITHOUT ROWID;
";

/// A statement as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub view: StatementView,
    /// Blob and size of a PDF.
    pub pdf: Option<(String, u64)>,
}

pub(super) fn insert(connection: &Connection, version_id: &str, ordinal: u32, new: &Statement) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO catalog_statement (version_id, ordinal, language, format, html, placed_samples, pdf_hash,
                                            pdf_bytes)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            version_id,
            ordinal,
            new.view.language,
            new.view.format.as_str(),
            new.view.html,
            new.view.placed_samples,
            new.pdf.as_ref().map(|(hash, _)| hash),
            new.pdf.as_ref().map(|(_, bytes)| *bytes)
        ])?;
    Ok(())
}

pub(super) fn insert_file(
    connection: &Connection,
    version_id: &str,
    name: &str,
    hash: &str,
    bytes: u64,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO catalog_statement_file (version_id, name, hash, bytes) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (version_id, name) DO NOTHING",
        )?
        .execute(params![version_id, name, hash, bytes])?;
    Ok(())
}

pub(super) fn refs(connection: &Connection, version_id: &str) -> rusqlite::Result<Vec<StatementRef>> {
    connection
        .prepare_cached("SELECT language, format FROM catalog_statement WHERE version_id = ?1 ORDER BY ordinal")?
        .query_map([version_id], |row| {
            Ok(StatementRef { language: row.get("language")?, format: text(row, "format")? })
        })?
        .collect()
}

/// The statement in the language, else in English, else the first; text before PDF in each.
pub(super) fn nearest(
    connection: &Connection,
    version_id: &str,
    language: &str,
) -> rusqlite::Result<Option<Statement>> {
    connection
        .prepare_cached(
            "SELECT * FROM catalog_statement WHERE version_id = ?1
             ORDER BY language <> ?2, language <> 'en', format = 'pdf', ordinal LIMIT 1",
        )?
        .query_row(params![version_id, language], statement)
        .optional()
}

/// Blob and size of the PDF in a language.
pub(super) fn pdf(
    connection: &Connection,
    version_id: &str,
    language: &str,
) -> rusqlite::Result<Option<(String, u64)>> {
    connection
        .prepare_cached(
            "SELECT pdf_hash, pdf_bytes FROM catalog_statement
             WHERE version_id = ?1 AND language = ?2 AND format = 'pdf' ORDER BY ordinal LIMIT 1",
        )?
        .query_row(params![version_id, language], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

/// Blob and size of a file beside the statements.
pub(super) fn file(connection: &Connection, version_id: &str, name: &str) -> rusqlite::Result<Option<(String, u64)>> {
    connection
        .prepare_cached("SELECT hash, bytes FROM catalog_statement_file WHERE version_id = ?1 AND name = ?2")?
        .query_row(params![version_id, name], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

fn statement(row: &rusqlite::Row<'_>) -> rusqlite::Result<Statement> {
    let format: StatementFormat = text(row, "format")?;
    let view = StatementView {
        language: row.get("language")?,
        format,
        html: row.get("html")?,
        placed_samples: row.get("placed_samples")?,
    };
    let hash: Option<String> = row.get("pdf_hash")?;
    let bytes: Option<u64> = row.get("pdf_bytes")?;
    Ok(Statement { view, pdf: hash.zip(bytes) })
}
