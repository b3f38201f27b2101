//! Problems as people read them.

use agon_contract::ApiError;
use agon_contract::command::{DataSlice, Done, GetProblem, GetStatement, ListProblems, ReadData, RemoveProblem};
use agon_contract::ids::ProblemId;
use agon_contract::permission::Permission;
use agon_contract::problem::{ProblemDetail, ProblemSummary, StatementView};

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::{bad_request, not_found, require};
use crate::owner::catalog::slice_from;
use crate::owner::submission::standing::Standing;
use crate::store::FolderError;

/// Bytes of one answer to `read_data`.
const SLICE_BYTES_MAX: u32 = 1024 * 1024;

impl Judge {
    /// Problems by title, each with what the acting person did.
    ///
    /// # Errors
    /// `storage_unavailable`.
    pub async fn list_problems(&self, actor: &Actor, req: ListProblems) -> Result<Vec<ProblemSummary>, ApiError> {
        let mut rows = self.rooms.shop.catalog.list(&req.query).await?;
        let standings = self.rooms.shop.submissions.standings(&actor.user_id).await?;
        for row in &mut rows {
            add_standing(row, standings.get(&row.id));
        }
        Ok(rows)
    }

    /// One problem with its samples.
    ///
    /// # Errors
    /// `not_found` when it is not on the list.
    pub async fn get_problem(&self, actor: &Actor, req: GetProblem) -> Result<ProblemDetail, ApiError> {
        let found = self.rooms.shop.catalog.detail(&req.problem_id).await?;
        let mut detail = found.ok_or_else(|| no_problem(&req.problem_id))?;
        // They name the jury's files and what its submissions took.
        if !actor.may(&Permission::ManageProblems) {
            detail.findings.clear();
        }
        // Whoever reads a problem runs something soon; the pool fills in idle time.
        self.rooms.shop.judging.prewarm();
        let standings = self.rooms.shop.submissions.standings(&actor.user_id).await?;
        add_standing(&mut detail.summary, standings.get(&req.problem_id));
        Ok(detail)
    }

    /// The statement nearest to a language.
    ///
    /// # Errors
    /// `not_found` when the problem is not on the list or has no statement.
    pub async fn get_statement(&self, _actor: &Actor, req: GetStatement) -> Result<StatementView, ApiError> {
        let found = self.rooms.shop.catalog.statement(&req.problem_id, &req.language).await?;
        found.ok_or_else(|| not_found("statement of problem", &req.problem_id))
    }

    /// A byte range of a sample, a PDF or a picture; never of secret data.
    ///
    /// # Errors
    /// `bad_request` for more than 1 MiB, `not_found`.
    pub async fn read_data(&self, _actor: &Actor, req: ReadData) -> Result<DataSlice, ApiError> {
        if req.length > SLICE_BYTES_MAX {
            return Err(bad_request(format!("at most {SLICE_BYTES_MAX} bytes are answered at a time")));
        }
        let catalog = &self.rooms.shop.catalog;
        let found = catalog.data(req.data).await?;
        let piece = found.ok_or_else(|| not_found("public data under", "this name"))?;
        let file = catalog.open_piece(&piece)?;
        let read = tokio::task::spawn_blocking(move || slice_from(file, &piece, req.offset, req.length)).await;
        Ok(read.map_err(|_| FolderError::Interrupted { operation: "reading data" })??)
    }

    /// Takes a problem off the list; its submissions stay.
    ///
    /// # Errors
    /// `forbidden` without a staff role, `not_found`.
    pub async fn remove_problem(&self, actor: &Actor, req: RemoveProblem) -> Result<Done, ApiError> {
        require(actor, &Permission::ManageProblems)?;
        if self.rooms.shop.catalog.remove(&req.problem_id, &actor.user_id).await? {
            Ok(Done {})
        } else {
            Err(no_problem(&req.problem_id))
        }
    }
}

pub(super) fn no_problem(id: &ProblemId) -> ApiError {
    not_found("problem", id)
}

fn add_standing(row: &mut ProblemSummary, standing: Option<&Standing>) {
    if let Some(standing) = standing {
        row.attempts = standing.attempts;
        row.best_verdict = standing.best_verdict.clone();
    }
}
