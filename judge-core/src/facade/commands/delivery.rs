//! What staff does to one judging, what was set aside, and why two verdicts differ.

use agon_contract::ApiError;
use agon_contract::command::{CancelJudging, ExplainDifference, GetSubmission, ListDeadLetters, Revive};
use agon_contract::delivery::{DeadLetter, ManifestDifference};
use agon_contract::permission::Permission;
use agon_contract::submission::SubmissionDetail;

use super::submission::feedback_for;
use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::{bad_request, not_found, require};

/// Letters of one answer.
const LETTERS_MAX: u32 = 200;

impl Judge {
    /// Ends the judging that waits or runs; a running box is killed at once.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `conflict` when nothing waits or runs.
    pub async fn cancel_judging(&self, actor: &Actor, req: CancelJudging) -> Result<SubmissionDetail, ApiError> {
        require(actor, &Permission::Rejudge)?;
        let cancelled = self.rooms.shop.submissions.cancel_judging(&req.submission_id, &actor.user_id).await?;
        self.rooms.shop.board.kill_judgement(&cancelled);
        tracing::info!(submission.id = %req.submission_id, user.id = %actor.user_id, "a judging was cancelled");
        self.get_submission(actor, GetSubmission { submission_id: req.submission_id }).await
    }

    /// Sends what was set aside to the queue again.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `conflict` when it does not need attention.
    pub async fn revive(&self, actor: &Actor, req: Revive) -> Result<SubmissionDetail, ApiError> {
        require(actor, &Permission::Rejudge)?;
        self.rooms.shop.submissions.revive(&req.submission_id, &actor.user_id).await?;
        self.rooms.shop.signals.saved.notify_one();
        tracing::info!(submission.id = %req.submission_id, user.id = %actor.user_id, "a submission was revived");
        self.get_submission(actor, GetSubmission { submission_id: req.submission_id }).await
    }

    /// Everything that needs a person, oldest first.
    ///
    /// # Errors
    /// `forbidden`, `bad_request` for a limit outside 1 to 200.
    pub async fn list_dead_letters(&self, actor: &Actor, req: ListDeadLetters) -> Result<Vec<DeadLetter>, ApiError> {
        require(actor, &Permission::ReadOperations)?;
        if !(1..=LETTERS_MAX).contains(&req.limit) {
            return Err(bad_request(format!("1 to {LETTERS_MAX} letters are listed at a time")));
        }
        Ok(self.rooms.shop.submissions.dead_letters(req.limit).await?)
    }

    /// What two judgements were made with, where it differs.
    ///
    /// # Errors
    /// `forbidden`, `not_found`.
    pub async fn explain_difference(
        &self,
        actor: &Actor,
        req: ExplainDifference,
    ) -> Result<ManifestDifference, ApiError> {
        require(actor, &Permission::ReadSubmissions)?;
        let found =
            self.rooms.shop.submissions.explain_difference(&req.first, &req.second, feedback_for(actor)).await?;
        found.ok_or_else(|| not_found("judgement", format!("{} or {}", req.first, req.second)))
    }
}
