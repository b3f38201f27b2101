//! The audit log as it is read: who did what to what, in a chain that shows a change.

use serde::{Deserialize, Serialize};

use crate::ids::UserId;
use crate::wire_enum::wire_enum;

wire_enum! {
    /// An action of a person (or of the program by itself) that is kept for ever.
    AuditAction {
        /// Submissions are judged again. Object: the submission, or the change set.
        RejudgeRequested = "rejudge.requested",
        /// The new verdicts of a change set count. Object: the change set.
        RejudgeApplied = "rejudge.applied",
        /// The new verdicts of a change set are dropped. Object: the change set.
        RejudgeDiscarded = "rejudge.discarded",
        /// A judging was ended by a person. Object: the submission.
        JudgementCancelled = "judgement.cancelled",
        /// Something set aside goes on. Object: the submission or the message.
        DeadLetterRevived = "dead_letter.revived",
        /// Object: the problem.
        ProblemImported = "problem.imported",
        /// A new version took the place of the present one. Object: the problem.
        ProblemReplaced = "problem.replaced",
        /// Object: the problem.
        ProblemRemoved = "problem.removed",
        /// Object: the setting's name.
        SettingChanged = "setting.changed",
        /// Object: the module's name.
        ModuleStarted = "module.started",
        /// Object: the module's name.
        ModuleStopped = "module.stopped",
        /// Object: the account.
        AccountCreated = "account.created",
        /// Name, roles, disabled or enabled. Object: the account.
        AccountChanged = "account.changed",
        /// Object: the account. The password itself is told to nobody.
        PasswordChanged = "password.changed",
        /// Object: the account.
        SessionBegun = "session.begun",
        /// Object: the account asked for.
        SessionRefused = "session.refused",
        /// Object: the account.
        SessionEnded = "session.ended",
        /// Object: the backup.
        BackupMade = "backup.made",
        /// Object: the backup. The log goes on from where the backup left it.
        BackupRestored = "backup.restored",
    }
}

/// An entry of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntryView {
    /// 1, 2, 3 … without a gap.
    pub seq: u64,
    /// Id of the message that told it; the same entry is never there twice.
    pub event_id: String,
    /// The owner that told it: `catalog`, `submission` …
    pub source: String,
    /// When it was done.
    pub at_ms: i64,
    /// `None` when the program acted by itself, or nobody was known yet.
    pub actor: Option<UserId>,
    /// The person's name as it is now; `None` when there is no such person (any more).
    #[serde(default)]
    pub actor_name: Option<String>,
    pub action: AuditAction,
    /// The id of what was acted on, as the action says.
    pub object: String,
    /// A JSON object with what else is worth knowing.
    pub details: String,
    /// Hex SHA-256 over the entry and the hash of the one before it.
    pub hash: String,
}

/// Entries, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditPage {
    pub entries: Vec<AuditEntryView>,
    /// Ask for older ones with this; `None` at the end.
    pub next_before_seq: Option<u64>,
}

/// What a walk along the chain found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditVerification {
    /// Entries that are as they were written, from the first.
    pub entries: u64,
    /// Hash of the last of them: worth noting elsewhere, because it vouches for all before it.
    pub head_hash: String,
    /// `None` when the whole log is as it was written.
    pub fault: Option<AuditFault>,
}

/// The first place where the log is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditFault {
    pub seq: u64,
    pub reason: String,
}

/// Reads the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListAudit {
    /// Entries older than this; `None` for the newest.
    pub before_seq: Option<u64>,
    /// 1 to 200.
    pub limit: u32,
}

/// Walks the chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifyAudit {}
