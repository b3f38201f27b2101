//! Handing in, and looking at what was handed in.

use agon_contract::ApiError;
use agon_contract::command::{GetSubmission, ListSubmissions, Submit};
use agon_contract::ids::ProblemId;
use agon_contract::permission::Permission;
use agon_contract::submission::{SubmissionDetail, SubmissionPage, SubmitReceipt};

use super::catalog::no_problem;
use crate::actor::Actor;
use crate::domain::facts::{FACTS_SCHEMA_VERSION, FactsSnapshot};
use crate::facade::Judge;
use crate::facade::refusal::{bad_request, not_found, require, told};
use crate::owner::submission::judgement::Feedback;
use crate::owner::submission::page::PageFilter;

/// Rows of a page.
const PAGE_ROWS_MAX: u32 = 200;

/// Differences quote answers, and held verdicts are the jury's: only who has the data anyway sees them.
pub(super) fn feedback_for(actor: &Actor) -> Feedback {
    let sees_all = actor.may(&Permission::ReadSubmissions) && actor.may(&Permission::ManageProblems);
    if sees_all { Feedback::Full } else { Feedback::Contestant }
}

impl Judge {
    /// Saves a submission. When this answers, it is on disk and will be judged, whatever happens to this process.
    ///
    /// # Errors
    /// `not_found`, `bad_request`, `conflict` (the key was used for something else), `storage_unavailable`; nothing
    /// was taken.
    pub async fn submit(&self, actor: &Actor, req: Submit) -> Result<SubmitReceipt, ApiError> {
        let submissions = &self.rooms.shop.submissions;
        // A repeated click gets its receipt even if the problem is gone meanwhile.
        if let Some(receipt) = submissions.known_receipt(&actor.user_id, &req).await? {
            return Ok(receipt);
        }
        let facts = self.capture_facts(actor, &req.problem_id).await?;
        let receipt = submissions.submit(&actor.user_id, req, facts).await?;
        self.rooms.shop.signals.saved.notify_one();
        tracing::info!(submission.id = %receipt.submission_id, number = receipt.number, "a submission was saved");
        Ok(receipt)
    }

    /// What is true of person and problem now.
    pub(super) async fn capture_facts(&self, actor: &Actor, id: &ProblemId) -> Result<FactsSnapshot, ApiError> {
        let problem = self.rooms.shop.catalog.facts(id).await?.ok_or_else(|| no_problem(id))?;
        Ok(FactsSnapshot {
            user_id: actor.user_id.clone(),
            user_exists: self.rooms.auth.user_exists(&actor.user_id).await?,
            problem,
            captured_at_ms: self.rooms.config.clock.wall_ms(),
            schema_version: FACTS_SCHEMA_VERSION,
        })
    }

    /// Submissions, newest first: one's own, or for staff everybody's or one person's, with names.
    ///
    /// # Errors
    /// `bad_request` for a limit outside 1 to 200, `forbidden` for somebody else's without the permission.
    pub async fn list_submissions(&self, actor: &Actor, req: ListSubmissions) -> Result<SubmissionPage, ApiError> {
        if !(1..=PAGE_ROWS_MAX).contains(&req.limit) {
            return Err(bad_request(format!("a page has 1 to {PAGE_ROWS_MAX} rows")));
        }
        let reads_all = actor.may(&Permission::ReadSubmissions);
        if req.user_id.as_ref().is_some_and(|user_id| *user_id != actor.user_id) {
            require(actor, &Permission::ReadSubmissions)?;
        }
        let filter = PageFilter {
            user_id: req.user_id.or_else(|| (!reads_all).then(|| actor.user_id.clone())),
            problem_id: req.problem_id,
            before_number: req.before_number,
            limit: req.limit,
        };
        let mut page = self.rooms.shop.submissions.page(filter, self.present(actor)).await?;
        for row in &mut page.rows {
            row.progress.reason = told(actor, std::mem::take(&mut row.progress.reason));
        }
        if reads_all {
            let names = self.rooms.auth.names(page.rows.iter().map(|row| row.user_id.clone()).collect()).await?;
            for row in &mut page.rows {
                row.user_name = names.get(&row.user_id).cloned();
            }
        }
        Ok(page)
    }

    /// One submission with all its judgements. Contestants see what is theirs, without what would tell secret data.
    ///
    /// # Errors
    /// `not_found`, also for somebody else's.
    pub async fn get_submission(&self, actor: &Actor, req: GetSubmission) -> Result<SubmissionDetail, ApiError> {
        let reads_all = actor.may(&Permission::ReadSubmissions);
        let user_id = (!reads_all).then(|| actor.user_id.clone());
        let feedback = feedback_for(actor);
        let submissions = &self.rooms.shop.submissions;
        let found = submissions.detail(&req.submission_id, user_id, feedback, self.present(actor)).await?;
        let mut detail = found.ok_or_else(|| not_found("submission", &req.submission_id))?;
        let reasons = detail.judgements.iter_mut().map(|judgement| &mut judgement.reason);
        for reason in reasons.chain([&mut detail.summary.progress.reason]) {
            *reason = told(actor, std::mem::take(reason));
        }
        if reads_all {
            let id = detail.summary.user_id.clone();
            detail.summary.user_name = self.rooms.auth.names([id].into()).await?.into_values().next();
        }
        Ok(detail)
    }
}
