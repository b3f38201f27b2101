//! The actions of the audit log in words. One that this version does not know keeps its own name.

use agon_contract::audit::AuditAction;

use super::hall;

/// What was done.
#[must_use]
pub fn action_name(action: &AuditAction) -> String {
    let t = hall();
    match action {
        AuditAction::RejudgeRequested => t.action_rejudge_requested,
        AuditAction::RejudgeApplied => t.action_rejudge_applied,
        AuditAction::RejudgeDiscarded => t.action_rejudge_discarded,
        AuditAction::JudgementCancelled => t.action_judgement_cancelled,
        AuditAction::DeadLetterRevived => t.action_dead_letter_revived,
        AuditAction::ProblemImported => t.action_problem_imported,
        AuditAction::ProblemReplaced => t.action_problem_replaced,
        AuditAction::ProblemRemoved => t.action_problem_removed,
        AuditAction::SettingChanged => t.action_setting_changed,
        AuditAction::ModuleStarted => t.action_module_started,
        AuditAction::ModuleStopped => t.action_module_stopped,
        AuditAction::AccountCreated => t.action_account_created,
        AuditAction::AccountChanged => t.action_account_changed,
        AuditAction::PasswordChanged => t.action_password_changed,
        AuditAction::SessionBegun => t.action_session_begun,
        AuditAction::SessionRefused => t.action_session_refused,
        AuditAction::SessionEnded => t.action_session_ended,
        AuditAction::BackupMade => t.action_backup_made,
        AuditAction::BackupRestored => t.action_backup_restored,
        AuditAction::Unknown(name) => name,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_action_has_a_name_of_its_own() {
        let mut names: Vec<String> = AuditAction::KNOWN.iter().map(action_name).collect();
        names.push(action_name(&AuditAction::from("moon.moved")));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
