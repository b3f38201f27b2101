//! What people see of submissions: pages of the list, and one in detail.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use agon_contract::event::EventView;
use agon_contract::ids::{JudgementId, ProblemId, SubmissionId, UserId};
use agon_contract::problem::LimitsView;
use agon_contract::submission::{
    JudgementState, Progress, SourceFile, Stage, SubmissionDetail, SubmissionPage, SubmissionSummary,
};
use agon_contract::verdict::Verdict;
use rusqlite::{Connection, OptionalExtension, Row, named_params};

use super::Submissions;
use super::judgement::{self, Feedback};
use super::manifest::Manifest;
use super::saved::{self, StoredSource};
use crate::domain::facts::FactsSnapshot;
use crate::store::{FolderError, StoreError, decode, text};

/// What only memory knows: how far running judgements are, and why dispatch is paused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Present {
    pub live: HashMap<JudgementId, Live>,
    pub paused_reason: Option<String>,
}

/// Progress inside a judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Live {
    pub is_compiling: bool,
    pub runs_done: u32,
    /// It has ended, and its end waits to be stored.
    pub waits_because: Option<String>,
}

impl Default for Live {
    /// At the beginning.
    fn default() -> Self {
        Self { is_compiling: true, runs_done: 0, waits_because: None }
    }
}

/// Which submissions a page has.
#[derive(Clone, Debug)]
pub(crate) struct PageFilter {
    /// `None`: everybody's.
    pub user_id: Option<UserId>,
    pub problem_id: Option<ProblemId>,
    pub before_number: Option<u64>,
    pub limit: u32,
}

/// Why a submission cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShowError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl From<ShowError> for agon_contract::ApiError {
    fn from(error: ShowError) -> Self {
        match error {
            ShowError::Store(error) => error.into(),
            ShowError::Folder(error) => error.into(),
        }
    }
}

/// The newest judgement tells where a submission stands; one that a change set holds back is staff's alone.
const COLUMNS: &str = "
SELECT s.*, c.verdict, c.first_failing, c.max_cpu_ms, c.peak_memory_bytes, c.score, c.max_score,
       n.id AS newest_id, n.state AS newest_state, o.state AS outbox_state, o.last_error, q.state AS queue_state,
       q.reason AS queue_reason
FROM submission_submission s
JOIN submission_judgement n ON n.submission_id = s.id
     AND n.generation = (SELECT max(generation) FROM submission_judgement WHERE submission_id = s.id AND is_held = 0)
JOIN submission_judge_outbox o ON o.submission_id = s.id AND o.generation = n.generation
LEFT JOIN submission_queue_entry q ON q.submission_id = s.id AND q.generation = n.generation
LEFT JOIN submission_judgement c ON c.id = s.current_judgement_id
";

/// Every blob that a row of a submission names, in any copy of the database.
pub(crate) fn blob_names(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    connection
        .prepare("SELECT DISTINCT blob_hash FROM submission_source WHERE blob_hash IS NOT NULL")?
        .query_map([], |row| row.get(0))?
        .collect()
}

impl Submissions {
    /// A page, newest first.
    pub(crate) async fn page(&self, filter: PageFilter, present: Arc<Present>) -> Result<SubmissionPage, StoreError> {
        self.store.read("list submissions", move |connection| page(connection, &filter, &present)).await
    }

    /// One submission; `None` when it does not exist or (with `user_id`) is somebody else's.
    pub(crate) async fn detail(
        &self,
        id: &SubmissionId,
        user_id: Option<UserId>,
        feedback: Feedback,
        present: Arc<Present>,
    ) -> Result<Option<SubmissionDetail>, ShowError> {
        let id = id.clone();
        let found = self
            .store
            .read("read a submission", move |connection| {
                let owner = owner_and_documents(connection, &id)?;
                let Some((owner, facts, manifest)) = owner else { return Ok(None) };
                if user_id.is_some_and(|user_id| user_id != owner) {
                    return Ok(None);
                }
                let summary = connection
                    .prepare_cached(&format!("{COLUMNS} WHERE s.id = ?1"))?
                    .query_row([id.as_str()], |row| summary(row, &present))?;
                let sources = saved::sources(connection, &id)?;
                let judgements = judgement::views(connection, &id, feedback)?;
                Ok(Some((summary, facts, manifest, sources, judgements)))
            })
            .await?;
        let Some((summary, facts, manifest, sources, judgements)) = found else { return Ok(None) };
        let language = facts.language(&summary.language_id);
        let limits = language.map_or_else(|| facts.problem.limits.clone(), |language| facts.limits_in(language));
        let files = self.load_sources(sources).await?;
        let (limits, manifest) = (LimitsView::from(&limits), manifest.into());
        Ok(Some(SubmissionDetail { summary, files, limits, judgements, manifest }))
    }

    /// Those of the events' aggregates that are the person's own submissions and previews.
    pub(crate) async fn ids_of(&self, user_id: &UserId, events: &[EventView]) -> Result<BTreeSet<String>, StoreError> {
        let user_id = user_id.clone();
        let named: BTreeSet<String> = events.iter().map(|event| event.aggregate_id.clone()).collect();
        let read = move |connection: &Connection| {
            let mut is_own = connection.prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM submission_submission WHERE id = ?1 AND user_id = ?2)
                     OR EXISTS (SELECT 1 FROM submission_preview WHERE id = ?1 AND user_id = ?2)",
            )?;
            let mut own = BTreeSet::new();
            for id in named {
                if is_own.query_row([id.as_str(), user_id.as_str()], |row| row.get(0))? {
                    own.insert(id);
                }
            }
            Ok(own)
        };
        self.store.read("look whose events these are", read).await
    }

    /// Every blob that a submission names.
    pub(crate) async fn blob_hashes(&self) -> Result<Vec<String>, StoreError> {
        self.store.read("list the submissions' content", blob_names).await
    }

    /// The sources with their text, large ones read from their blobs.
    pub(crate) async fn load_sources(&self, sources: Vec<StoredSource>) -> Result<Vec<SourceFile>, FolderError> {
        let blobs = self.blobs.clone();
        let load = move || {
            let read = |source| match source {
                StoredSource::Text(file) => Ok(file),
                StoredSource::Blob { name, hash, .. } => {
                    let text = String::from_utf8_lossy(&blobs.read(&hash)?).into_owned();
                    Ok(SourceFile { name, text })
                }
            };
            sources.into_iter().map(read).collect()
        };
        tokio::task::spawn_blocking(load)
            .await
            .map_err(|_| FolderError::Interrupted { operation: "reading sources" })?
    }
}

fn owner_and_documents(
    connection: &Connection,
    id: &SubmissionId,
) -> rusqlite::Result<Option<(UserId, FactsSnapshot, Manifest)>> {
    connection
        .prepare_cached("SELECT user_id, facts, manifest FROM submission_submission WHERE id = ?1")?
        .query_row([id.as_str()], |row| Ok((text(row, "user_id")?, decode(row, "facts")?, decode(row, "manifest")?)))
        .optional()
}

fn page(connection: &Connection, filter: &PageFilter, present: &Present) -> rusqlite::Result<SubmissionPage> {
    // The clauses are spelled out per filter so that each has its index.
    let by_user = if filter.user_id.is_some() { "s.user_id = :user" } else { ":user IS NULL" };
    let by_problem = if filter.problem_id.is_some() { "s.problem_id = :problem" } else { ":problem IS NULL" };
    let mut rows = connection
        .prepare_cached(&format!(
            "{COLUMNS} WHERE {by_user} AND {by_problem} AND s.number < :before ORDER BY s.number DESC LIMIT :limit"
        ))?
        .query_map(
            named_params! {
                ":user": filter.user_id.as_ref().map(UserId::as_str),
                ":problem": filter.problem_id.as_ref().map(ProblemId::as_str),
                ":before": filter.before_number.and_then(|number| i64::try_from(number).ok()).unwrap_or(i64::MAX),
                // One more than asked tells whether there is another page.
                ":limit": filter.limit + 1,
            },
            |row| summary(row, present),
        )?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let has_more = rows.len() > filter.limit as usize;
    rows.truncate(filter.limit as usize);
    let next_before_number = rows.last().filter(|_| has_more).map(|row| row.number);
    Ok(SubmissionPage { rows, next_before_number })
}

fn summary(row: &Row<'_>, present: &Present) -> rusqlite::Result<SubmissionSummary> {
    let facts: FactsSnapshot = decode(row, "facts")?;
    Ok(SubmissionSummary {
        id: text(row, "id")?,
        number: row.get("number")?,
        user_id: text(row, "user_id")?,
        user_name: None,
        problem_id: text(row, "problem_id")?,
        progress: progress(row, facts.problem.case_count, present)?,
        problem_slug: facts.problem.slug,
        problem_titles: facts.problem.titles,
        language_id: text(row, "language_id")?,
        context: decode(row, "context")?,
        submitted_at_ms: row.get("submitted_at_ms")?,
        verdict: row.get::<_, Option<String>>("verdict")?.map(|verdict| Verdict::from(verdict.as_str())),
        first_failing: row.get("first_failing")?,
        max_cpu_ms: row.get("max_cpu_ms")?,
        peak_memory_bytes: row.get("peak_memory_bytes")?,
        score: judgement::score(row, "score")?,
        max_score: judgement::score(row, "max_score")?,
    })
}

/// Where the newest judgement stands, from what is stored and what memory knows.
fn progress(row: &Row<'_>, runs_total: u32, present: &Present) -> rusqlite::Result<Progress> {
    let state: JudgementState = text(row, "newest_state")?;
    let at = |stage, runs_done, reason: String| Progress { stage, runs_done, runs_total, reason };
    Ok(match state {
        JudgementState::Pending => waiting(row, present)?.into_progress(runs_total),
        // Whoever looks into the folder while nobody judges sees where a crash left it.
        JudgementState::Judging if !present.live.contains_key(&newest_id(row)?) && present.paused_reason.is_some() => {
            at(Stage::WaitingForSandbox, 0, present.paused_reason.clone().unwrap_or_default())
        }
        JudgementState::Judging => {
            let live = present.live.get(&newest_id(row)?).cloned().unwrap_or_default();
            match live.waits_because {
                Some(reason) => at(Stage::WaitingForSandbox, live.runs_done, reason),
                None if live.is_compiling => at(Stage::Compiling, 0, String::new()),
                None => at(Stage::Running, live.runs_done, String::new()),
            }
        }
        JudgementState::Judged | JudgementState::Abandoned | JudgementState::Cancelled | JudgementState::Unknown(_) => {
            at(Stage::Finished, 0, String::new())
        }
    })
}

fn newest_id(row: &Row<'_>) -> rusqlite::Result<JudgementId> {
    text(row, "newest_id")
}

struct Waiting {
    stage: Stage,
    reason: String,
}

impl Waiting {
    fn into_progress(self, runs_total: u32) -> Progress {
        Progress { stage: self.stage, runs_done: 0, runs_total, reason: self.reason }
    }
}

fn waiting(row: &Row<'_>, present: &Present) -> rusqlite::Result<Waiting> {
    let outbox: String = row.get("outbox_state")?;
    let queue: Option<String> = row.get("queue_state")?;
    if outbox == "dead" {
        return Ok(Waiting { stage: Stage::NeedsAttention, reason: row.get("last_error")? });
    }
    if queue.as_deref() == Some("dead") {
        return Ok(Waiting { stage: Stage::NeedsAttention, reason: row.get("queue_reason")? });
    }
    if let Some(reason) = &present.paused_reason {
        return Ok(Waiting { stage: Stage::WaitingForSandbox, reason: reason.clone() });
    }
    let stage = if outbox == "pending" { Stage::Saved } else { Stage::Queued };
    Ok(Waiting { stage, reason: row.get("last_error")? })
}
