//! The execution contract: polling any job, and previews that are waited for.

use std::time::Duration;

use agon_contract::ApiError;
use agon_contract::command::{PollExecution, RunPreview};
use agon_contract::execution::{ExecutionJob, ExecutionJobView, PreviewView, Visibility};
use agon_contract::permission::Permission;

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::commands::submission::feedback_for;
use crate::facade::refusal::{bad_request, not_found, told};

/// The longest wait.
const WAIT_MS_MAX: u32 = 30_000;

fn id_of(job: &ExecutionJob) -> &str {
    match job {
        ExecutionJob::Preview { preview_id } => preview_id.as_str(),
        ExecutionJob::Judgement { judgement_id } => judgement_id.as_str(),
    }
}

impl Judge {
    /// A preview or a judging with the receipts of its cases.
    ///
    /// # Errors
    /// `not_found`, also for somebody else's.
    pub async fn poll_execution(&self, actor: &Actor, req: PollExecution) -> Result<ExecutionJobView, ApiError> {
        let user_id = (!actor.may(&Permission::ReadSubmissions)).then(|| actor.user_id.clone());
        let found = self.rooms.shop.executions.poll(&req.job, user_id, feedback_for(actor)).await?;
        let view = found.ok_or_else(|| not_found("execution", id_of(&req.job)))?;
        Ok(ExecutionJobView { reason: told(actor, view.reason), ..view })
    }

    /// Starts a preview and answers when it has ended, or as it stands when the time is up.
    ///
    /// # Errors
    /// `bad_request` for another visibility or a wait above 30 s; else those of
    /// [`start_preview`](Self::start_preview).
    pub async fn run_preview(&self, actor: &Actor, req: RunPreview) -> Result<PreviewView, ApiError> {
        if req.visibility != Visibility::PublicPreview {
            return Err(bad_request("only public previews can be waited for"));
        }
        if req.wait_ms > WAIT_MS_MAX {
            return Err(bad_request(format!("at most {WAIT_MS_MAX} ms can be waited")));
        }
        // Before the start, so that its end cannot be missed.
        let mut wakes = self.rooms.events.wakes();
        let mut view = self.start_preview(actor, req.preview).await?;
        let time_is_up = tokio::time::sleep(Duration::from_millis(u64::from(req.wait_ms)));
        tokio::pin!(time_is_up);
        while !view.state.is_terminal() {
            let is_last_look = tokio::select! {
                _ = wakes.changed() => false,
                () = &mut time_is_up => true,
                () = self.rooms.closing.cancelled() => true,
            };
            let request = agon_contract::command::GetPreview { preview_id: view.id.clone() };
            view = self.get_preview(actor, request).await?;
            if is_last_look {
                break;
            }
        }
        Ok(view)
    }
}
