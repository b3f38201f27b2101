//! The texts of the hall's screens, apart from the others because only staff sees them.

mod audit_codes;
mod codes;
mod en;
mod ja;
mod rejudge_codes;
mod zh;

use super::Locale;
use super::messages::messages;
use super::template::Template;

pub use audit_codes::action_name;
pub use codes::{lease_name, module_name, module_state_name, row_state_name};
pub use rejudge_codes::{change_set_state_name, field_name, item_reason, item_state_name, place_name};
messages! {
    HallMessages;
    text: nav_hall sections operations rejudging unknown;
    text: all_well needs_staff;
    text: numbers in_queue nothing_waits being_judged waiting_for_verdict waiting_hint set_aside set_aside_none
        set_aside_some last_verdict none_yet stale_dropped;
    text: column_since column_until leases no_leases column_work column_owner column_holder lease_backup
        lease_retention lease_reconcile foreign_boot lease_over boxes no_boxes column_box box_empty
        column_oldest row_pending row_claimed row_sent row_archived row_delivered row_processing row_processed
        row_dead row_shadow modules no_modules column_module module_disabled module_starting module_ready
        module_failed module_stopping module_stopped module_not_allowed module_file_watch;
    text: dead_letters no_dead_letters column_place place_outbox place_queue place_poison revive;
    text: judge_again judge_again_these rejudge_matching all_languages all_verdicts needs_condition
        no_such_problem when_counts mode_reviewed mode_reviewed_hint mode_direct mode_direct_hint
        mode_direct_warning judged_by basis_newest basis_as_handed_in start_rejudging starting_rejudging
        no_change_sets no_change_sets_hint column_what column_made column_progress column_changed
        what_submission what_contest set_open set_running set_applied set_discarded set_direct count_changed
        count_people count_waiting count_judging count_attention count_left_out count_applied count_refused
        count_ended only_changed nothing_changed nothing_changed_hint old_verdict new_verdict person
        loses_accepted gains_accepted item_waiting item_judging item_judged item_needs_attention item_applied
        item_refused item_left_out item_ended why_being_judged why_language_not_admitted why_current_moved
        why_no_verdict why_judge_error apply apply_now applying apply_title apply_waits apply_attention discard
        discard_now discarding discard_title refused_rows progress first_rows more_rows;
    text: cancel_judging cancel_now cancelling cancel_says;
    text: why_differs compare_first compare_second no_verdict column_field same_everything same_everything_hint
        not_recorded field_sources field_language_definition field_package field_test_data field_validator
        field_time_limit field_memory_limit field_output_limit field_policy;
    text: audit_log audit_empty audit_empty_hint audit_none_fit audit_none_fit_hint column_when column_who
        column_action column_object column_details everybody every_action by_program by_nobody_known
        verify_chain verifying chain_head action_rejudge_requested action_rejudge_applied
        action_rejudge_discarded action_judgement_cancelled action_dead_letter_revived action_problem_imported
        action_problem_replaced action_problem_removed action_setting_changed action_module_started
        action_module_stopped action_account_created action_account_changed action_password_changed
        action_session_begun action_session_refused action_session_ended action_backup_made
        action_backup_restored;
    text: dead_messages column_message column_attempts message_again;
    text: backups make_backup making_backup backup_goes_on no_backups last_backup_failed unusable_backups
        kind_manual kind_scheduled column_kind column_size column_entries column_path column_verified
        verify_backup reading_back backup_in_order backup_when_made;
    templates: as_of/1 concern_paused/1 concern_sandbox/1 concern_dead_letters/1 concern_queue_stands/1
        concern_lease_over/1 concern_dead_messages/2 concern_module/2 concern_unseen/2 oldest_waits/1
        last_delay/1 of_workers/1 oldest_held/1 since_start/1 lease_judgement/2 lease_fence/2 box_outbox/1
        box_inbox/1 revive_all/1 revive_label/1 revived/1 rejudge_one/1 change_set/1 judged_of/2
        apply_says/3 discard_says/1 decided/1 made_by/1 cancel_title/1 generation_of/2 chain_holds/1
        chain_broken/2 chain_good_until/1 message_again_label/1 backup_done/1 verify_backup_label/1;
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
