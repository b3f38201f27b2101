//! From the stable names of the machinery to texts. A name this version does not know is shown as it is.

use agon_contract::module::ModuleState;

use super::hall;
use crate::i18n::codes::spaced;

/// A module by its stable name.
#[must_use]
pub fn module_name(name: &str) -> String {
    match name {
        "file_watch" => hall().module_file_watch.to_owned(),
        other => spaced(other),
    }
}

/// Where a module's life is.
#[must_use]
pub fn module_state_name(state: &ModuleState) -> String {
    let t = hall();
    match state {
        ModuleState::Disabled => t.module_disabled,
        ModuleState::Starting => t.module_starting,
        ModuleState::Ready => t.module_ready,
        ModuleState::Failed => t.module_failed,
        ModuleState::Stopping => t.module_stopping,
        ModuleState::Stopped => t.module_stopped,
        ModuleState::Unknown(name) => name,
    }
    .to_owned()
}

/// Singleton work by its lease's name.
#[must_use]
pub fn lease_name(name: &str) -> String {
    let t = hall();
    match name {
        "backup" => t.lease_backup.to_owned(),
        "retention" => t.lease_retention.to_owned(),
        "reconcile" | "reconciliation" => t.lease_reconcile.to_owned(),
        other => spaced(other),
    }
}

/// The state of a row of an outbox or inbox.
#[must_use]
pub fn row_state_name(state: &str) -> String {
    let t = hall();
    match state.to_ascii_lowercase().as_str() {
        "pending" => t.row_pending,
        "claimed" => t.row_claimed,
        "sent" => t.row_sent,
        "archived" => t.row_archived,
        "delivered" => t.row_delivered,
        "processing" => t.row_processing,
        "processed" => t.row_processed,
        "dead" => t.row_dead,
        "shadow" => t.row_shadow,
        _ => return spaced(state),
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_newer_host_are_shown_as_they_are() {
        assert_eq!(module_name("crystal_ball"), "crystal ball");
        assert_eq!(module_state_name(&ModuleState::from("resting")), "resting");
        assert_eq!(lease_name("tidy_up"), "tidy up");
        assert_eq!(row_state_name("PENDING"), "pending");
        assert_eq!(row_state_name("half_done"), "half done");
    }
}
