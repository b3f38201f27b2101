//! Catalog: problems in versions that never change, their test cases and statements.
//!
//! Replacing a problem adds a version; older versions stay, so that a submission made on one can be judged on it for
//! ever. Removing a problem hides it.

mod case;
mod import;
mod problem;
mod rules;
mod statement;
mod view;
mod watched;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use agon_contract::ApiError;
use agon_contract::audit::AuditAction;
use agon_contract::ids::{ProblemId, UserId};

use crate::delivery::audit_note::{self, AuditNote};
use crate::delivery::lease::lease_schema;
use crate::delivery::outbox::outbox_schema;
use crate::domain::facts::{LanguageFacts, ProblemFacts};
use crate::judging::{Expected, JudgeCase, languages};
use crate::store::blobs::Blobs;
use crate::store::migrate::Migration;
use crate::store::{FolderError, NewEvent, OwnerStore, StoreError};

pub(crate) use import::Import;
pub(crate) use view::slice_from;
pub(crate) use watched::{FileKey, FileRow, WatchedDecision, WatchedRow};

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
        name: "problems, versions, test cases, statements",
        sql: &[problem::SCHEMA, case::SCHEMA, statement::SCHEMA],
    },
    Migration { name: "outbox", sql: &[outbox_schema!("catalog")] },
    Migration { name: "watched packages and files", sql: &[watched::SCHEMA] },
    Migration { name: "leases", sql: &[lease_schema!("catalog")] },
    Migration { name: "judging rules and jury content", sql: &[rules::SCHEMA] },
];

/// The owner of `catalog_…`.
#[derive(Clone)]
pub(crate) struct Catalog {
    store: OwnerStore,
    blobs: Blobs,
}

/// Why test cases cannot be handed to a judging.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CasesError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl From<CasesError> for ApiError {
    fn from(error: CasesError) -> Self {
        match error {
            CasesError::Store(error) => error.into(),
            CasesError::Folder(error) => error.into(),
        }
    }
}

impl Catalog {
    pub(crate) fn new(store: OwnerStore, blobs: Blobs) -> Self {
        Self { store, blobs }
    }

    pub(crate) async fn is_empty(&self) -> Result<bool, StoreError> {
        self.store.read("count problems", problem::is_empty).await
    }

    /// Whether there is such a problem, on the list or hidden.
    pub(crate) async fn is_known(&self, id: &ProblemId) -> Result<bool, StoreError> {
        let id = id.clone();
        self.store.read("look a problem up", move |connection| problem::is_known(connection, &id)).await
    }

    /// The facts of a problem's current version; `None` when it is not on the list.
    pub(crate) async fn facts(&self, id: &ProblemId) -> Result<Option<ProblemFacts>, StoreError> {
        let id = id.clone();
        self.store
            .read("capture a problem's facts", move |connection| {
                let Some(version) = problem::current(connection, &id)? else { return Ok(None) };
                let case_count = case::count(connection, &version.id)?;
                Ok(Some(facts_of(id, version, case_count)))
            })
            .await
    }

    /// The test cases of a version in judging order; samples only when asked.
    pub(crate) async fn judge_cases(&self, version_id: &str, samples_only: bool) -> Result<Vec<JudgeCase>, CasesError> {
        let version = version_id.to_owned();
        let rows =
            self.store.read_for_work("read test cases", move |connection| case::all(connection, &version)).await?;
        let wanted = rows.into_iter().filter(|row| row.is_sample || !samples_only);
        wanted
            .map(|row| {
                Ok(JudgeCase {
                    input: self.blobs.path(&row.input_hash)?,
                    expected: Expected::Answer(self.blobs.path(&row.answer_hash)?),
                    name: row.name,
                    is_sample: row.is_sample,
                    validator: row.validator,
                    rules: row.rules,
                })
            })
            .collect()
    }

    /// Where the content lies that the rules and cases of a version name by its hash.
    pub(crate) async fn jury_contents(&self, version_id: &str) -> Result<BTreeMap<String, PathBuf>, CasesError> {
        let version = version_id.to_owned();
        let hashes =
            self.store.read_for_work("read jury content", move |connection| rules::all(connection, &version)).await?;
        Ok(rules::places(&self.blobs, hashes)?)
    }

    /// Every blob that a row of the catalogue names.
    pub(crate) async fn blob_hashes(&self) -> Result<BTreeSet<String>, StoreError> {
        self.store.read("list the catalogue's content", blob_names).await
    }

    /// Hides a problem; false when it is not on the list.
    pub(crate) async fn remove(&self, id: &ProblemId, by: &UserId) -> Result<bool, StoreError> {
        let (id, by) = (id.clone(), by.clone());
        self.store
            .write("remove a problem", move |tx| {
                let removed = problem::remove(tx, &id, tx.wall_ms())?;
                if removed {
                    emit(tx, "ProblemRemoved", &id)?;
                    note(tx, AuditAction::ProblemRemoved, &id, Some(&by), serde_json::json!({}))?;
                }
                Ok(removed)
            })
            .await
    }
}

/// Every blob that a row of the catalogue names, in any copy of the database.
pub(crate) fn blob_names(connection: &rusqlite::Connection) -> rusqlite::Result<BTreeSet<String>> {
    connection
        .prepare(
            "SELECT input_hash FROM catalog_case UNION SELECT answer_hash FROM catalog_case
             UNION SELECT hash FROM catalog_statement_file UNION SELECT hash FROM catalog_jury_content
             UNION SELECT pdf_hash FROM catalog_statement WHERE pdf_hash IS NOT NULL",
        )?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// Tells of a change, and (whether or not anybody listens yet) that the search document changed.
fn emit(tx: &crate::store::WriteTx<'_>, event_type: &'static str, id: &ProblemId) -> rusqlite::Result<()> {
    for event_type in [event_type, "SearchDocumentChanged"] {
        tx.emit(&NewEvent {
            event_type,
            aggregate_id: id.as_str(),
            aggregate_version: 0,
            causation_id: None,
            payload: "{}".to_owned(),
        })?;
    }
    Ok(())
}

/// Tells the audit log.
fn note(
    tx: &crate::store::WriteTx<'_>,
    action: AuditAction,
    id: &ProblemId,
    by: Option<&UserId>,
    details: serde_json::Value,
) -> rusqlite::Result<()> {
    audit_note::put(tx, &AuditNote { actor: by, action, object: id.as_str(), details }).map(drop)
}

fn facts_of(id: ProblemId, version: problem::Version, case_count: u32) -> ProblemFacts {
    let admitted = languages().iter().filter(|language| version.languages.contains(&language.id));
    ProblemFacts {
        id,
        languages: admitted
            .map(|language| LanguageFacts {
                id: language.id.clone(),
                hash: language.hash(),
                time_multiplier_percent: language.time_multiplier_percent,
            })
            .collect(),
        version_id: version.id,
        slug: version.slug,
        titles: version.titles,
        limits: version.limits,
        validator: version.validator,
        rules: version.rules,
        package_hash: version.package_hash,
        data_hash: version.data_hash,
        case_count,
    }
}
