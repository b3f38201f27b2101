//! Jobs and their receipts, previews and judgings alike.

use agon_contract::execution::{ExecutionJob, ExecutionJobView, ExecutionReceipt, ExecutionState, Visibility};
use agon_contract::ids::{JudgementId, PreviewId, UserId};
use agon_contract::submission::{JudgementState, RunView};
use rusqlite::{Connection, OptionalExtension};

use super::{Executions, receipt};
use crate::owner::submission::judgement::{self, Feedback, IS_HELD_BACK};
use crate::store::{StoreError, decode, text};

/// The key of one case of a run, the same for ever: asking for it twice is asking once.
fn key(run_id: &str, case_name: &str) -> String {
    format!("{run_id}:{case_name}")
}

impl Executions {
    /// A job as it stands; `None` when it does not exist or (with `user_id`) is somebody else's, or when a change set
    /// holds it back from whoever does not see everything.
    pub(crate) async fn poll(
        &self,
        job: &ExecutionJob,
        user_id: Option<UserId>,
        feedback: Feedback,
    ) -> Result<Option<ExecutionJobView>, StoreError> {
        let job = job.clone();
        self.store
            .read("poll an execution", move |connection| match &job {
                ExecutionJob::Preview { preview_id } => preview(connection, preview_id, user_id.as_ref()),
                ExecutionJob::Judgement { judgement_id } => {
                    judging(connection, judgement_id, user_id.as_ref(), feedback)
                }
            })
            .await
    }
}

fn preview(
    connection: &Connection,
    id: &PreviewId,
    user_id: Option<&UserId>,
) -> rusqlite::Result<Option<ExecutionJobView>> {
    let owner = receipt::user_of(connection, id)?;
    if owner.is_none_or(|owner| user_id.is_some_and(|user_id| *user_id != owner)) {
        return Ok(None);
    }
    let Some(view) = receipt::view(connection, id)? else { return Ok(None) };
    let receipts = connection
        .prepare_cached(
            "SELECT case_name, state, result FROM submission_execution WHERE preview_id = ?1 ORDER BY ordinal",
        )?
        .query_map([id.as_str()], |row| {
            let case_name: String = row.get("case_name")?;
            let is_completed = row.get::<_, Option<String>>("result")?.is_some();
            Ok(ExecutionReceipt {
                key: key(id.as_str(), &case_name),
                case_name,
                visibility: Visibility::PublicPreview,
                state: text(row, "state")?,
                result: if is_completed { Some(decode(row, "result")?) } else { None },
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    let job = ExecutionJob::Preview { preview_id: id.clone() };
    Ok(Some(ExecutionJobView { job, state: view.state, reason: view.reason, receipts }))
}

fn judging(
    connection: &Connection,
    id: &JudgementId,
    user_id: Option<&UserId>,
    feedback: Feedback,
) -> rusqlite::Result<Option<ExecutionJobView>> {
    let found = connection
        .prepare_cached(&format!(
            "SELECT s.user_id, j.state, j.reason, {IS_HELD_BACK} AS is_held_back
             FROM submission_judgement j
             JOIN submission_submission s ON s.id = j.submission_id WHERE j.id = ?1"
        ))?
        .query_row([id.as_str()], |row| {
            let owner: UserId = text(row, "user_id")?;
            Ok((
                owner,
                text::<JudgementState>(row, "state")?,
                row.get::<_, String>("reason")?,
                row.get("is_held_back")?,
            ))
        })
        .optional()?;
    let Some((owner, state, reason, is_held_back)): Option<(_, _, _, bool)> = found else { return Ok(None) };
    let sees_held = feedback == Feedback::Full;
    if user_id.is_some_and(|user_id| *user_id != owner) || (is_held_back && !sees_held) {
        return Ok(None);
    }
    let runs = judgement::runs(connection, id, feedback)?;
    Ok(Some(ExecutionJobView {
        job: ExecutionJob::Judgement { judgement_id: id.clone() },
        state: state_of(&state),
        // The reason of a wrong answer quotes the expected one.
        reason: if feedback == Feedback::Full || runs.is_empty() { reason } else { String::new() },
        receipts: runs.into_iter().map(|run| receipt_of(id, run)).collect(),
    }))
}

/// A judgement's state as the execution contract calls it.
fn state_of(state: &JudgementState) -> ExecutionState {
    match state {
        JudgementState::Pending => ExecutionState::Queued,
        JudgementState::Judging => ExecutionState::Running,
        JudgementState::Judged => ExecutionState::Completed,
        JudgementState::Abandoned => ExecutionState::Failed,
        JudgementState::Cancelled => ExecutionState::Cancelled,
        JudgementState::Unknown(state) => ExecutionState::Unknown(state.clone()),
    }
}

fn receipt_of(id: &JudgementId, run: RunView) -> ExecutionReceipt {
    ExecutionReceipt {
        key: key(id.as_str(), &run.case_name),
        case_name: run.case_name.clone(),
        visibility: if run.is_sample { Visibility::Private } else { Visibility::Hidden },
        state: ExecutionState::Completed,
        result: Some(run),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_judgements_are_terminal_jobs_and_open_ones_are_not() {
        for state in JudgementState::KNOWN {
            let is_open = matches!(state, JudgementState::Pending | JudgementState::Judging);
            assert_eq!(state_of(state).is_terminal(), !is_open, "{state}");
        }
    }
}
