//! Whether the same text already waits for its verdict.

use agon_contract::ApiError;
use agon_contract::command::{GetSubmission, ListSubmissions, Submit};
use agon_contract::ids::UserId;
use agon_contract::submission::{Stage, SubmissionDetail, SubmissionSummary};

use crate::backend::call;

/// How many of the newest submissions are looked at.
const LOOK_BACK: u32 = 20;

/// Whether a submission has no verdict yet.
pub(super) fn is_unjudged(summary: &SubmissionSummary) -> bool {
    match summary.progress.stage {
        Stage::Saved
        | Stage::Queued
        | Stage::Compiling
        | Stage::Running
        | Stage::WaitingForSandbox
        | Stage::NeedsAttention => true,
        Stage::Finished | Stage::Unknown(_) => false,
    }
}

fn is_twin(detail: &SubmissionDetail, intent: &Submit) -> bool {
    detail.summary.language_id == intent.language_id && detail.files == intent.files
}

/// The person's newest unjudged submission of this problem with the same language and files.
pub(super) async fn find_unjudged_twin(
    intent: &Submit,
    user_id: Option<UserId>,
) -> Result<Option<SubmissionSummary>, ApiError> {
    let problem_id = Some(intent.problem_id.clone());
    let request = ListSubmissions { problem_id, user_id, before_number: None, limit: LOOK_BACK };
    let page = call(request).await?;
    let candidates = page.rows.into_iter().filter(|row| is_unjudged(row) && row.language_id == intent.language_id);
    for row in candidates {
        let detail = call(GetSubmission { submission_id: row.id }).await?;
        if is_twin(&detail, intent) {
            return Ok(Some(detail.summary));
        }
    }
    Ok(None)
}
