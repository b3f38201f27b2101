//! From a message to what people are told: pure, no SQL.

use std::time::Duration;

use agon_contract::ids::UserId;
use agon_contract::notice::{NoticeDetails, NoticeKind};
use agon_contract::verdict::Verdict;

use crate::delivery::operations_note::{BACKUP_FAILED, BackupFailedBody, OPERATIONS_NOTE_VERSION};
use crate::delivery::result_note::{
    AttentionBody, JUDGING_CANCELLED, NEEDS_ATTENTION, RESULT_NOTE_VERSION, ResultBody, VERDICT_COUNTS,
};

/// A first verdict that comes within this time after the submission comes soon: its person is still looking.
pub(super) const SOON: Duration = Duration::from_secs(2 * 60);

/// Something worth telling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct News {
    pub kind: NoticeKind,
    /// Whom it is about; not asked for kinds that staff are told.
    pub about: Option<UserId>,
    pub details: NoticeDetails,
}

/// Why a message is not understood here.
#[derive(Debug, thiserror::Error)]
pub(super) enum NewsError {
    #[error("messages of type {message_type} in version {version} are not known here")]
    Unknown { message_type: String, version: u32 },
    #[error("the payload of a {message_type} cannot be read: {source}")]
    Payload { message_type: String, source: serde_json::Error },
}

/// What a message tells; nothing when it changes nothing for anybody.
pub(super) fn of_message(
    message_type: &str,
    version: u32,
    payload: &str,
    happened_at_ms: i64,
) -> Result<Vec<News>, NewsError> {
    let unknown = || NewsError::Unknown { message_type: message_type.to_owned(), version };
    let unreadable = |source| NewsError::Payload { message_type: message_type.to_owned(), source };
    let known = if message_type == BACKUP_FAILED { OPERATIONS_NOTE_VERSION } else { RESULT_NOTE_VERSION };
    if version != known {
        return Err(unknown());
    }
    match message_type {
        BACKUP_FAILED => Ok(vec![of_failed_backup(serde_json::from_str(payload).map_err(unreadable)?)]),
        VERDICT_COUNTS => Ok(of_verdict(serde_json::from_str(payload).map_err(unreadable)?, happened_at_ms)),
        JUDGING_CANCELLED => {
            let body: ResultBody = serde_json::from_str(payload).map_err(unreadable)?;
            Ok(vec![about_submission(NoticeKind::JudgingCancelled, body)])
        }
        NEEDS_ATTENTION => Ok(vec![of_attention(serde_json::from_str(payload).map_err(unreadable)?)]),
        _ => Err(unknown()),
    }
}

/// The person is told of a first verdict and of another one than before; staff of a judge error, which stays pending.
fn of_verdict(body: ResultBody, happened_at_ms: i64) -> Vec<News> {
    let is_judge_error = body.verdict == Some(Verdict::JudgeError);
    let kind = match (&body.previous_verdict, &body.verdict) {
        (Some(before), Some(now)) if before == now => return Vec::new(),
        (Some(_), _) => NoticeKind::VerdictChanged,
        (None, _) if is_late(&body, happened_at_ms) => NoticeKind::JudgedLate,
        (None, _) => NoticeKind::Judged,
    };
    let for_staff = is_judge_error.then(|| News {
        kind: NoticeKind::NeedsAttention,
        about: None,
        details: NoticeDetails {
            submission_id: Some(body.submission_id.clone()),
            number: Some(body.number),
            problem_slug: Some(body.problem_slug.clone()),
            verdict: body.verdict.clone(),
            ..NoticeDetails::default()
        },
    });
    for_staff.into_iter().chain([about_submission(kind, body)]).collect()
}

fn is_late(body: &ResultBody, happened_at_ms: i64) -> bool {
    let soon_ms = i64::try_from(SOON.as_millis()).unwrap_or(i64::MAX);
    body.submitted_at_ms.is_some_and(|submitted_ms| happened_at_ms.saturating_sub(submitted_ms) > soon_ms)
}

fn about_submission(kind: NoticeKind, body: ResultBody) -> News {
    News {
        kind,
        about: Some(body.user_id),
        details: NoticeDetails {
            submission_id: Some(body.submission_id),
            number: Some(body.number),
            problem_slug: Some(body.problem_slug),
            verdict: body.verdict,
            previous_verdict: body.previous_verdict,
            reason: String::new(),
        },
    }
}

fn of_failed_backup(body: BackupFailedBody) -> News {
    let details = NoticeDetails { reason: body.reason, ..NoticeDetails::default() };
    News { kind: NoticeKind::BackupFailed, about: None, details }
}

fn of_attention(body: AttentionBody) -> News {
    News {
        kind: NoticeKind::NeedsAttention,
        about: None,
        details: NoticeDetails {
            submission_id: Some(body.submission_id),
            number: Some(body.number),
            problem_slug: Some(body.problem_slug),
            reason: body.reason,
            ..NoticeDetails::default()
        },
    }
}
