//! The texts of the hall's screens, apart from the others because only staff sees them.

mod codes;
mod en;
mod ja;
mod zh;

use super::Locale;
use super::messages::messages;
use super::template::Template;

pub use codes::{lease_name, module_name, module_state_name, row_state_name};
messages! {
    HallMessages;
    text: nav_hall sections operations rejudging audit_log backups unknown;
    text: all_well needs_staff;
    text: numbers in_queue nothing_waits being_judged waiting_for_verdict waiting_hint set_aside set_aside_none
        set_aside_some last_verdict none_yet stale_dropped;
    text: column_since column_until leases no_leases column_work column_owner column_holder lease_backup
        lease_retention lease_reconcile foreign_boot lease_over boxes no_boxes column_box column_oldest
        row_pending row_claimed row_sent row_archived row_delivered row_processing row_processed row_dead
        row_shadow modules no_modules column_module module_disabled module_starting module_ready module_failed
        module_stopping module_stopped module_not_allowed module_file_watch;
    templates: as_of/1 concern_paused/1 concern_sandbox/1 concern_dead_letters/1 concern_queue_stands/1
        concern_lease_over/1 concern_dead_messages/2 concern_module/2 concern_unseen/2 oldest_waits/1
        last_delay/1 of_workers/1 oldest_held/1 since_start/1 lease_judgement/2 lease_fence/2 box_outbox/1
        box_inbox/1;
}

/// The hall's texts in the language in use.
#[must_use]
pub fn hall() -> &'static HallMessages {
    of(super::locale())
}

/// The hall's texts of a language.
pub(super) fn of(locale: Locale) -> &'static HallMessages {
    match locale {
        Locale::En => &en::MESSAGES,
        Locale::Zh => &zh::MESSAGES,
        Locale::Ja => &ja::MESSAGES,
    }
}
