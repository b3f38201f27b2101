//! From the stable codes of the contract to texts. A code this version does not know keeps the host's own words.

use agon_contract::execution::ExecutionState;
use agon_contract::settings::Role;
use agon_contract::verdict::Verdict;
use agon_contract::{ApiError, ErrorCode};

use super::t;
use crate::backend::{UNREACHABLE, is_unreachable};

/// What a verdict is called in full.
#[must_use]
pub fn verdict_name(verdict: &Verdict) -> String {
    let t = t();
    match verdict {
        Verdict::Accepted => t.verdict_accepted,
        Verdict::WrongAnswer => t.verdict_wrong_answer,
        Verdict::TimeLimit => t.verdict_time_limit,
        Verdict::RunTimeError => t.verdict_run_time_error,
        Verdict::MemoryLimit => t.verdict_memory_limit,
        Verdict::OutputLimit => t.verdict_output_limit,
        Verdict::CompileError => t.verdict_compile_error,
        Verdict::JudgeError => t.verdict_judge_error,
        Verdict::Unknown(_) => t.verdict_unknown,
    }
    .to_owned()
}

/// What a role is called.
#[must_use]
pub fn role_name(role: &Role) -> String {
    match role {
        Role::Contestant => t().role_contestant,
        Role::Coach => t().role_coach,
        Role::Jury => t().role_jury,
        Role::Admin => t().role_admin,
        Role::Unknown(name) => name,
    }
    .to_owned()
}

/// The heading of a failure.
#[must_use]
pub fn error_title(code: &ErrorCode) -> &'static str {
    let t = t();
    match code {
        ErrorCode::BadRequest => t.error_bad_request,
        ErrorCode::Unauthenticated => t.error_unauthenticated,
        ErrorCode::Forbidden => t.error_forbidden,
        ErrorCode::NotFound => t.error_not_found,
        ErrorCode::Conflict => t.error_conflict,
        ErrorCode::Full => t.error_full,
        ErrorCode::TooManyAttempts => t.error_too_many_attempts,
        ErrorCode::PackageRefused => t.error_package_refused,
        ErrorCode::SandboxUnavailable => t.error_sandbox_unavailable,
        ErrorCode::StorageUnavailable => t.error_storage_unavailable,
        ErrorCode::VersionMismatch => t.error_version_mismatch,
        ErrorCode::Unreadable => t.error_unreadable,
        ErrorCode::ModuleOff => t.error_module_off,
        ErrorCode::Stopping => t.error_stopping,
        ErrorCode::Internal => t.error_internal,
        ErrorCode::Unknown(code) if code == UNREACHABLE => t.error_unreachable,
        ErrorCode::Unknown(_) => t.error_unknown,
    }
}

/// What to do about a failure: in the interface's language where it knows what the host means.
#[must_use]
pub fn error_hint(error: &ApiError) -> Option<String> {
    match error.code {
        ErrorCode::SandboxUnavailable => Some(t().judging_paused_hint.to_owned()),
        _ => error.hint.clone(),
    }
}

/// One line about a failure: in the interface's language where the words of the transport would say nothing.
#[must_use]
pub fn error_line(error: &ApiError) -> String {
    let is_plain = error.code == ErrorCode::Unauthenticated || is_unreachable(error);
    if is_plain { error_title(&error.code).to_owned() } else { error.message.clone() }
}

/// The state of a preview.
#[must_use]
pub fn state_name(state: &ExecutionState) -> String {
    let t = t();
    match state {
        ExecutionState::Queued => t.execution_queued,
        ExecutionState::Running => t.execution_running,
        ExecutionState::Completed => t.execution_completed,
        ExecutionState::Failed => t.execution_failed,
        ExecutionState::Cancelled => t.execution_cancelled,
        ExecutionState::TimedOut => t.execution_timed_out,
        ExecutionState::Unknown(name) => name,
    }
    .to_owned()
}

/// A protection by its stable name.
#[must_use]
pub fn protection_name(name: &str) -> String {
    let t = t();
    match name {
        "network_none" => t.protection_network_none,
        "seccomp" => t.protection_seccomp,
        "landlock" => t.protection_landlock,
        "no_new_privileges" => t.protection_no_new_privileges,
        "no_capabilities" => t.protection_no_capabilities,
        "read_only_root" => t.protection_read_only_root,
        "unprivileged_user" => t.protection_unprivileged_user,
        "no_user_namespaces" => t.protection_no_user_namespaces,
        "cgroup_cpu" => t.protection_cgroup_cpu,
        "cgroup_memory" => t.protection_cgroup_memory,
        "cgroup_peak_memory" => t.protection_cgroup_peak_memory,
        "cgroup_processes" => t.protection_cgroup_processes,
        "own_namespaces" => t.protection_own_namespaces,
        other => return spaced(other),
    }
    .to_owned()
}

/// `cgroup_memory` as `cgroup memory`.
pub(super) fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Locale, use_locale};

    #[test]
    fn known_codes_are_translated_and_others_kept() {
        use_locale(Locale::Ja);
        assert_eq!(protection_name("network_none"), "ネットワークなし");
        assert_eq!(protection_name("new_thing"), "new thing");
        use_locale(Locale::En);
    }

    #[test]
    fn a_line_about_a_failure_says_what_the_person_can_understand() {
        use_locale(Locale::En);
        let line = |code: ErrorCode| error_line(&ApiError::new(code, "save_draft: Failed to fetch"));
        assert_eq!(line(ErrorCode::from(UNREACHABLE)), "Agon does not answer");
        assert_eq!(line(ErrorCode::Unauthenticated), "Not signed in");
        assert_eq!(line(ErrorCode::StorageUnavailable), "save_draft: Failed to fetch", "the host's own words");
    }

    #[test]
    fn every_error_code_has_its_own_heading() {
        let mut titles: Vec<_> = ErrorCode::KNOWN.iter().map(error_title).collect();
        titles.push(error_title(&ErrorCode::from(UNREACHABLE)));
        titles.push(error_title(&ErrorCode::from("from the future")));
        let count = titles.len();
        titles.sort_unstable();
        titles.dedup();
        assert_eq!(titles.len(), count);
    }
}
