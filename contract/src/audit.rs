//! The audit log as it is read: who did what to what, in a chain that shows a change.

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
