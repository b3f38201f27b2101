//! Tables of the file watch: what was decided about each package of a watched folder, and which files are edited
//! elsewhere by whom.

use agon_contract::ids::{LanguageId, ProblemId, UserId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::Catalog;
use crate::store::{StoreError, text};

pub(super) const SCHEMA: &str = "
CREATE TABLE catalog_watched_package (
    path          TEXT PRIMARY KEY CHECK (path <> ''),
    signature     TEXT NOT NULL,
    content_hash  TEXT NOT NULL CHECK (length(content_hash) IN (0, 64)),
    is_refused    INTEGER NOT NULL CHECK (is_refused IN (0, 1)),
    problem_id    TEXT,
    code          TEXT NOT NULL,
    reason        TEXT NOT NULL,
    remedy        TEXT NOT NULL,
    decided_at_ms INTEGER NOT NULL,
    CHECK (is_refused = 1 OR problem_id IS NOT NULL),
    CHECK (is_refused = 0 OR reason <> '')
) STRICT;
CREATE TABLE catalog_watched_file (
    user_id     TEXT NOT NULL,
    problem_id  TEXT NOT NULL,
    language_id TEXT NOT NULL,
    path        TEXT NOT NULL CHECK (path <> ''),
    set_at_ms   INTEGER NOT NULL,
    seen_hash   TEXT CHECK (seen_hash IS NULL OR length(seen_hash) = 64),
    read_at_ms  INTEGER,
    PRIMARY KEY (user_id, problem_id, language_id),
    CHECK ((seen_hash IS NULL) = (read_at_ms IS NULL))
) STRICT, WITHOUT ROWID;
";

/// What was decided about a content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WatchedDecision {
    pub is_refused: bool,
    /// The problem it became, or that an earlier content of this place became.
    pub problem_id: Option<ProblemId>,
    pub code: String,
    pub reason: String,
    pub remedy: String,
}

impl WatchedDecision {
    pub(crate) fn taken_in(problem_id: ProblemId) -> Self {
        Self {
            is_refused: false,
            problem_id: Some(problem_id),
            code: String::new(),
            reason: String::new(),
            remedy: String::new(),
        }
    }
}

/// A place in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WatchedRow {
    pub signature: String,
    pub content_hash: String,
    pub decision: WatchedDecision,
}

/// Whose draft a file is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FileKey {
    pub user_id: UserId,
    pub problem_id: ProblemId,
    pub language_id: LanguageId,
}

/// A file that is edited elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileRow {
    pub key: FileKey,
    pub path: String,
    /// Hash of the content that became the draft last.
    pub seen_hash: Option<String>,
    pub read_at_ms: Option<i64>,
}

impl FileRow {
    /// Chosen, and not read since.
    pub(crate) fn is_new(&self) -> bool {
        self.seen_hash.is_none()
    }
}

impl Catalog {
    /// What is kept about a place, by its full path.
    pub(crate) async fn watched_package(&self, path: &str) -> Result<Option<WatchedRow>, StoreError> {
        let path = path.to_owned();
        let read = move |connection: &Connection| {
            connection
                .prepare_cached("SELECT * FROM catalog_watched_package WHERE path = ?1")?
                .query_row([path], package_row)
                .optional()
        };
        self.store.read("read a watched package", read).await
    }

    pub(crate) async fn remember_watched(&self, path: String, row: WatchedRow) -> Result<(), StoreError> {
        self.store
            .write("remember a watched package", move |tx| {
                let decision = &row.decision;
                tx.prepare_cached(
                    "INSERT OR REPLACE INTO catalog_watched_package
                     (path, signature, content_hash, is_refused, problem_id, code, reason, remedy, decided_at_ms)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
                )?
                .execute(params![
                    path,
                    row.signature,
                    row.content_hash,
                    decision.is_refused,
                    decision.problem_id.as_ref().map(ProblemId::as_str),
                    decision.code,
                    decision.reason,
                    decision.remedy,
                    tx.wall_ms()
                ])?;
                Ok(())
            })
            .await
    }

    /// The same content is decided anew; which problem the place made stays known.
    pub(crate) async fn doubt_watched(&self, path: String) -> Result<(), StoreError> {
        self.store
            .write("look at a watched package again", move |tx| {
                let set = "UPDATE catalog_watched_package SET signature = '', content_hash = '' WHERE path = ?1";
                tx.execute(set, [path]).map(drop)
            })
            .await
    }

    /// From now on the file is the draft.
    pub(crate) async fn watch_file(&self, key: FileKey, path: String) -> Result<(), StoreError> {
        self.store
            .write("watch a file", move |tx| {
                tx.prepare_cached(
                    "INSERT OR REPLACE INTO catalog_watched_file (user_id, problem_id, language_id, path, set_at_ms)
                     VALUES (?1, ?2, ?3, ?4, ?5)",
                )?
                .execute(params![
                    key.user_id.as_str(),
                    key.problem_id.as_str(),
                    key.language_id.as_str(),
                    path,
                    tx.wall_ms()
                ])?;
                Ok(())
            })
            .await
    }

    /// False when it was not watched.
    pub(crate) async fn unwatch_file(&self, key: FileKey) -> Result<bool, StoreError> {
        self.store
            .write("leave a file alone", move |tx| {
                let rows = tx.execute(
                    "DELETE FROM catalog_watched_file WHERE user_id = ?1 AND problem_id = ?2 AND language_id = ?3",
                    [key.user_id.as_str(), key.problem_id.as_str(), key.language_id.as_str()],
                )?;
                Ok(rows == 1)
            })
            .await
    }

    /// A person's files, or everybody's.
    pub(crate) async fn watched_files(&self, user_id: Option<UserId>) -> Result<Vec<FileRow>, StoreError> {
        let read = move |connection: &Connection| {
            connection
                .prepare_cached(
                    "SELECT * FROM catalog_watched_file WHERE ?1 IS NULL OR user_id = ?1
                     ORDER BY user_id, problem_id, language_id",
                )?
                .query_map([user_id.as_ref().map(UserId::as_str)], file_row)?
                .collect()
        };
        self.store.read("list watched files", read).await
    }

    /// This content is the draft now. Nothing changes when the person chose another file meanwhile.
    pub(crate) async fn file_was_read(
        &self,
        key: FileKey,
        path: String,
        hash: String,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.store
            .write("note a watched file's content", move |tx| {
                tx.prepare_cached(
                    "UPDATE catalog_watched_file SET seen_hash = ?5, read_at_ms = ?6
                     WHERE user_id = ?1 AND problem_id = ?2 AND language_id = ?3 AND path = ?4",
                )?
                .execute(params![
                    key.user_id.as_str(),
                    key.problem_id.as_str(),
                    key.language_id.as_str(),
                    path,
                    hash,
                    now_ms
                ])?;
                Ok(())
            })
            .await
    }
}

fn package_row(row: &Row<'_>) -> rusqlite::Result<WatchedRow> {
    Ok(WatchedRow {
        signature: row.get("signature")?,
        content_hash: row.get("content_hash")?,
        decision: WatchedDecision {
            is_refused: row.get("is_refused")?,
            problem_id: row.get::<_, Option<String>>("problem_id")?.map(ProblemId),
            code: row.get("code")?,
            reason: row.get("reason")?,
            remedy: row.get("remedy")?,
        },
    })
}

fn file_row(row: &Row<'_>) -> rusqlite::Result<FileRow> {
    Ok(FileRow {
        key: FileKey {
            user_id: text(row, "user_id")?,
            problem_id: text(row, "problem_id")?,
            language_id: text(row, "language_id")?,
        },
        path: row.get("path")?,
        seen_hash: row.get("seen_hash")?,
        read_at_ms: row.get("read_at_ms")?,
    })
}
