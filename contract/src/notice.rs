//! Notices: what a person is told about that happened without them.

use serde::{Deserialize, Serialize};

use crate::ids::{NoticeId, SubmissionId};
use crate::verdict::Verdict;
use crate::wire_enum::wire_enum;

wire_enum! {
    /// What a notice is about; its text is the interface's, made from this and [`NoticeDetails`].
    NoticeKind {
        /// A first verdict, soon after the submission: its person is most likely looking at it.
        Judged = "judged",
        /// A first verdict long after the submission (the sandbox was away, the queue long).
        JudgedLate = "judged_late",
        /// Another verdict counts than before.
        VerdictChanged = "verdict_changed",
        /// Staff ended the judging of a submission.
        JudgingCancelled = "judging_cancelled",
        /// For staff: a submission is out of automatic attempts, or ended in a judge error.
        NeedsAttention = "needs_attention",
        /// For staff: a backup could not be made or not be read back.
        BackupFailed = "backup_failed",
    }
}

wire_enum! {
    /// A way to reach a person.
    NoticeChannel {
        /// The list behind the bell.
        InApp = "in_app",
    }
}

/// What a notice's text names; what its kind does not name is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NoticeDetails {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submission_id: Option<SubmissionId>,
    /// Short number of the submission.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem_slug: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_verdict: Option<Verdict>,
    /// Why something needs staff, in the words of who found it; empty otherwise.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// A notice in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeView {
    pub id: NoticeId,
    pub kind: NoticeKind,
    pub details: NoticeDetails,
    /// When it happened.
    pub happened_at_ms: i64,
    pub is_read: bool,
}

/// One's own notices, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListNotices {
    /// Notices older than this one; `None` for the newest.
    pub before_id: Option<NoticeId>,
    /// 0 to 200; 0 asks for the count alone.
    pub limit: u32,
}

/// A page of notices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticePage {
    pub rows: Vec<NoticeView>,
    /// Pass as `before_id` for the next page; `None` at the end.
    pub next_before_id: Option<NoticeId>,
    /// Of all one's notices, not only of this page.
    pub unread: u32,
}

/// Marks one's own notices as read; those of others and unknown ones are passed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkNoticesRead {
    /// At most 200.
    pub ids: Vec<NoticeId>,
    /// Also every notice up to this one.
    pub up_to_id: Option<NoticeId>,
}

/// What is left to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticesRead {
    pub unread: u32,
}

/// One's own preferences: every kind on every channel of this version that concerns the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetNoticePreferences {}

/// Changes some of one's own preferences; the others stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetNoticePreferences {
    /// At most 100.
    pub changes: Vec<NoticePreference>,
}

/// Whether notices of a kind reach a person on a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticePreference {
    pub kind: NoticeKind,
    pub channel: NoticeChannel,
    pub is_wanted: bool,
}

/// The preferences as they stand, in the order of the kinds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticePreferences {
    pub rows: Vec<NoticePreference>,
}
