//! Tables of previews and of the receipts of their cases.

use agon_contract::execution::{ExecutionState, PreviewCases, PreviewView};
use agon_contract::ids::{IdempotencyKey, LanguageId, PreviewId, UserId};
use agon_contract::submission::{RunView, SourceFile};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::NewPreview;
use crate::domain::facts::ProblemFacts;
use crate::ids::new_id;
use crate::store::{decode, json, text};

pub(crate) const SCHEMA: &str = "
CREATE TABLE submission_preview (
    id              TEXT PRIMARY KEY CHECK (length(id) = 36),
    user_id         TEXT NOT NULL,
    idempotency_key TEXT NOT NULL CHECK (idempotency_key <> ''),
    fingerprint     TEXT NOT NULL CHECK (length(fingerprint) = 64),
    language_id     TEXT NOT NULL,
    facts           TEXT NOT NULL CHECK (json_valid(facts)),
    limits          TEXT NOT NULL CHECK (json_valid(limits)),
    cases           TEXT NOT NULL CHECK (json_valid(cases)),
    files           TEXT NOT NULL CHECK (json_valid(files)),
    state           TEXT NOT NULL
                    CHECK (state IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'timed_out')),
    reason          TEXT NOT NULL DEFAULT '',
    compiler_text   TEXT NOT NULL DEFAULT '',
    compile_failed  INTEGER NOT NULL DEFAULT 0 CHECK (compile_failed IN (0, 1)),
    boot_id         TEXT,
    created_at_ms   INTEGER NOT NULL,
    finished_at_ms  INTEGER,
    UNIQUE (user_id, idempotency_key),
    CHECK ((state IN ('queued', 'running')) = (finished_at_ms IS NULL)),
    CHECK (state <> 'running' OR boot_id IS NOT NULL),
    CHECK (state <> 'failed' OR reason <> '')
) STRICT;
CREATE INDEX submission_preview_live ON submission_preview (created_at_ms) WHERE state IN ('queued', 'running');
CREATE INDEX submission_preview_finished ON submission_preview (finished_at_ms) WHERE finished_at_ms IS NOT NULL;
CREATE TRIGGER submission_preview_final BEFORE UPDATE ON submission_preview
WHEN OLD.finished_at_ms IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a finished preview never changes'); END;
CREATE TABLE submission_execution (
    id          TEXT PRIMARY KEY CHECK (length(id) = 36),
    preview_id  TEXT NOT NULL REFERENCES submission_preview (id) ON DELETE CASCADE,
    ordinal     INTEGER NOT NULL CHECK (ordinal > 0),
    case_name   TEXT NOT NULL,
    state       TEXT NOT NULL
                CHECK (state IN ('queued', 'running', 'completed', 'failed', 'cancelled', 'timed_out')),
    result      TEXT CHECK (json_valid(result)),
    UNIQUE (preview_id, case_name),
    CHECK ((state = 'completed') = (result IS NOT NULL))
) STRICT;
CREATE INDEX submission_execution_live ON submission_execution (state) WHERE state IN ('queued', 'running');
";

/// A key that was used before.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub id: PreviewId,
    pub fingerprint: String,
}

/// A preview that a worker has taken.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    pub id: PreviewId,
    pub language_id: LanguageId,
    pub facts: ProblemFacts,
    pub cases: PreviewCases,
    pub files: Vec<SourceFile>,
}

/// How a preview ended.
#[derive(Clone, Debug)]
pub(crate) struct Ended {
    /// Terminal.
    pub state: ExecutionState,
    pub reason: String,
    pub compiler_text: String,
    pub compile_failed: bool,
    /// Of the cases that were run.
    pub runs: Vec<RunView>,
}

pub(super) fn by_key(
    connection: &Connection,
    user_id: &UserId,
    key: &IdempotencyKey,
) -> rusqlite::Result<Option<Known>> {
    connection
        .prepare_cached("SELECT id, fingerprint FROM submission_preview WHERE user_id = ?1 AND idempotency_key = ?2")?
        .query_row([user_id.as_str(), key.as_str()], |row| {
            Ok(Known { id: text(row, "id")?, fingerprint: row.get("fingerprint")? })
        })
        .optional()
}

pub(super) fn insert(connection: &Connection, new: &NewPreview, now_ms: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO submission_preview (id, user_id, idempotency_key, fingerprint, language_id, facts, limits,
                                             cases, files, state, created_at_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'queued', ?10)",
        )?
        .execute(params![
            new.id.as_str(),
            new.user_id.as_str(),
            new.idempotency_key.as_str(),
            new.fingerprint,
            new.language_id.as_str(),
            json(&new.facts),
            json(&new.limits),
            json(&new.cases),
            json(&new.files),
            now_ms
        ])?;
    for (ordinal, name) in (1_u32..).zip(&new.case_names) {
        connection
            .prepare_cached(
                "INSERT INTO submission_execution (id, preview_id, ordinal, case_name, state)
                 VALUES (?1, ?2, ?3, ?4, 'queued')",
            )?
            .execute(params![new_id(), new.id.as_str(), ordinal, name])?;
    }
    Ok(())
}

/// Receipts that are not finished.
pub(super) fn live_count(connection: &Connection) -> rusqlite::Result<u32> {
    connection
        .prepare_cached("SELECT count(*) FROM submission_execution WHERE state IN ('queued', 'running')")?
        .query_row([], |row| row.get(0))
}

/// Forgets previews that ended long ago; an end in the future comes from a stepped clock and counts as long ago.
pub(super) fn forget_finished(connection: &Connection, now_ms: i64, kept_ms: i64) -> rusqlite::Result<usize> {
    connection
        .prepare_cached("DELETE FROM submission_preview WHERE finished_at_ms < ?1 OR finished_at_ms > ?2")?
        .execute([now_ms - kept_ms, now_ms + kept_ms])
}

pub(super) fn has_queued(connection: &Connection) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM submission_preview WHERE state = 'queued')")?
        .query_row([], |row| row.get(0))
}

pub(super) fn user_of(connection: &Connection, id: &PreviewId) -> rusqlite::Result<Option<UserId>> {
    connection
        .prepare_cached("SELECT user_id FROM submission_preview WHERE id = ?1")?
        .query_row([id.as_str()], |row| text(row, "user_id"))
        .optional()
}

pub(super) fn state(connection: &Connection, id: &PreviewId) -> rusqlite::Result<Option<ExecutionState>> {
    connection
        .prepare_cached("SELECT state FROM submission_preview WHERE id = ?1")?
        .query_row([id.as_str()], |row| text(row, "state"))
        .optional()
}

/// queued → running, for the oldest.
pub(super) fn begin(connection: &Connection, boot_id: &str) -> rusqlite::Result<Option<Begun>> {
    let begun = connection
        .prepare_cached(
            "SELECT id, language_id, facts, cases, files FROM submission_preview
             WHERE state = 'queued' ORDER BY created_at_ms, id LIMIT 1",
        )?
        .query_row([], |row| {
            Ok(Begun {
                id: text(row, "id")?,
                language_id: text(row, "language_id")?,
                facts: decode(row, "facts")?,
                cases: decode(row, "cases")?,
                files: decode(row, "files")?,
            })
        })
        .optional()?;
    let Some(begun) = begun else { return Ok(None) };
    let rows = connection
        .prepare_cached(
            "UPDATE submission_preview SET state = 'running', boot_id = ?2 WHERE id = ?1 AND state = 'queued'",
        )?
        .execute([begun.id.as_str(), boot_id])?;
    set_open_receipts(connection, &begun.id, &ExecutionState::Running)?;
    Ok((rows == 1).then_some(begun))
}

/// running → its end, for the process that runs it; false when it ended otherwise meanwhile.
pub(super) fn end(
    connection: &Connection,
    id: &PreviewId,
    boot_id: &str,
    ended: &Ended,
    now_ms: i64,
) -> rusqlite::Result<bool> {
    let rows = connection
        .prepare_cached(
            "UPDATE submission_preview
             SET state = ?3, reason = ?4, compiler_text = ?5, compile_failed = ?6, finished_at_ms = ?7
             WHERE id = ?1 AND state = 'running' AND boot_id = ?2",
        )?
        .execute(params![
            id.as_str(),
            boot_id,
            ended.state.as_str(),
            ended.reason,
            ended.compiler_text,
            ended.compile_failed,
            now_ms
        ])?;
    if rows == 0 {
        return Ok(false);
    }
    for run in &ended.runs {
        connection
            .prepare_cached(
                "UPDATE submission_execution SET state = 'completed', result = ?3
                 WHERE preview_id = ?1 AND case_name = ?2 AND state IN ('queued', 'running')",
            )?
            .execute(params![id.as_str(), run.case_name, json(run)])?;
    }
    // A case that was not run because of a compile error has no result of its own.
    let rest = if ended.state == ExecutionState::Completed { ExecutionState::Failed } else { ended.state.clone() };
    set_open_receipts(connection, id, &rest)?;
    Ok(true)
}

/// queued or running → cancelled.
pub(super) fn cancel(connection: &Connection, id: &PreviewId, now_ms: i64) -> rusqlite::Result<bool> {
    let rows = connection
        .prepare_cached(
            "UPDATE submission_preview SET state = 'cancelled', finished_at_ms = ?2
             WHERE id = ?1 AND state IN ('queued', 'running')",
        )?
        .execute(params![id.as_str(), now_ms])?;
    set_open_receipts(connection, id, &ExecutionState::Cancelled)?;
    Ok(rows == 1)
}

pub(super) fn set_open_receipts(
    connection: &Connection,
    id: &PreviewId,
    state: &ExecutionState,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE submission_execution SET state = ?2 WHERE preview_id = ?1 AND state IN ('queued', 'running')",
        )?
        .execute([id.as_str(), state.as_str()])?;
    Ok(())
}

/// The preview as it is stored; `None` when there is none.
pub(super) fn view(connection: &Connection, id: &PreviewId) -> rusqlite::Result<Option<PreviewView>> {
    let found = connection
        .prepare_cached("SELECT * FROM submission_preview WHERE id = ?1")?
        .query_row([id.as_str()], preview)
        .optional()?;
    let Some(mut view) = found else { return Ok(None) };
    let mut statement =
        connection.prepare_cached("SELECT result FROM submission_execution WHERE preview_id = ?1 ORDER BY ordinal")?;
    let mut rows = statement.query([id.as_str()])?;
    while let Some(row) = rows.next()? {
        view.cases_total += 1;
        if row.get::<_, Option<String>>("result")?.is_some() {
            view.runs.push(decode(row, "result")?);
        }
    }
    Ok(Some(view))
}

fn preview(row: &Row<'_>) -> rusqlite::Result<PreviewView> {
    Ok(PreviewView {
        id: text(row, "id")?,
        state: text(row, "state")?,
        reason: row.get("reason")?,
        compiler_text: row.get("compiler_text")?,
        compile_failed: row.get("compile_failed")?,
        limits: decode(row, "limits")?,
        cases_total: 0,
        runs: Vec::new(),
    })
}
