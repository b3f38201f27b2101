//! The shape of a language: every text of the interface by name. A language that lacks one does not compile.

use super::template::Template;

/// Declares the struct once, and a listing of it for the completeness test.
macro_rules! messages {
    ($name:ident; $(text: $($text:ident)*;)+ templates: $($template:ident / $holes:literal)*;) => {
        /// All texts of one language, or of one part of the interface.
        pub struct $name {
            $($(pub $text: &'static str,)*)+
            $(pub $template: Template<$holes>,)*
        }

        #[cfg(test)]
        impl $name {
            /// Every text with its key, templates as written.
            #[must_use]
            pub fn plain(&self) -> Vec<(&'static str, &'static str)> {
                vec![
                    $($((stringify!($text), self.$text),)*)+
                    $((stringify!($template), self.$template.raw()),)*
                ]
            }
        }
    };
}

pub(super) use messages;

messages! {
    Messages;
    text: nav_label nav_practice nav_submissions nav_self_test nav_settings skip_to_content loading try_again
        close cancel dismiss copy copied copy_failed not_found_title not_found_hint;
    text: connecting connected connection_lost signed_out signed_out_banner signed_out_hint outbox outbox_hint
        outbox_empty outbox_saved outbox_queued outbox_judging outbox_needs_attention judging_paused judging_paused_hint
        judging_paused_tell remedy_engine_away remedy_profile_refused remedy_disk_full;
    text: sandbox sandbox_state sandbox_backend sandbox_engine sandbox_image sandbox_warm_boxes health_ready
        health_starting health_engine_away health_image_missing health_profile_refused health_disk_full
        health_unknown health_not_ready protection_active protection_absent protection_unprobed protection_network_none
        protection_seccomp protection_landlock protection_no_new_privileges protection_no_capabilities
        protection_read_only_root protection_unprivileged_user protection_no_user_namespaces
        protection_cgroup_cpu protection_cgroup_memory protection_cgroup_peak_memory protection_cgroup_processes
        protection_own_namespaces;
    text: error_bad_request error_unauthenticated error_forbidden error_not_found error_conflict error_full
        error_package_refused error_sandbox_unavailable error_storage_unavailable error_too_many_attempts
        error_version_mismatch error_unreadable error_module_off error_stopping error_internal error_unreachable error_unknown;
    text: verdict_accepted verdict_wrong_answer verdict_time_limit verdict_run_time_error verdict_memory_limit
        verdict_output_limit verdict_compile_error verdict_judge_error verdict_unknown;
    text: import_package drop_here first_start_title first_start_hint first_start_wait first_start_self_test first_start_import
        search_problems filter_by_state show_all show_to_do show_solved nothing_found nothing_found_hint
        not_tried column_state column_problem column_keywords column_time column_memory column_attempts;
    text: doctor_title uploading importing import_in_background open_problem findings format_unknown
        package_refused package_fine package_replaces package_same accept_package replace_problem leave_package
        severity_error severity_warning severity_note limits limit_to_be_derived test_data statements
        jury_submissions content_hash;
    text: statement statement_language no_statement latex_as_text pdf_failed save_pdf input output save_whole
        secret_tests output_compared credits source_of_problem license remove_problem remove_problem_question limit_time limit_memory limit_output
        limit_derived split_statement_editor split_editor_runs editor editor_label editor_hint
        programming_language run_samples run_shortcut submit submit_shortcut submitting restored
        start_from_template typed_elsewhere take_other_text program_reads program_writes template_in_place bring_back journal_waiting journal_saved runs tab_samples
        tab_custom tab_submission samples_not_run custom_input run_custom starting expected program_output
        error_output nothing_printed ran ran_hint ran_custom compare_case compare_space execution_queued execution_running execution_completed execution_failed
        execution_cancelled execution_timed_out nothing_submitted latest_submission submit_again submit_unanswered send_once_more
        open_submission;
    text: stage_saved stage_queued stage_compiling stage_running stage_waiting_for_sandbox stage_finished
        stage_needs_attention waiting_for_sandbox_note needs_attention_note first_failing tests column_verdict
        column_test column_output column_seen cpu wall memory disturbed disturbed_hint wall_hint show_output
        compiler_failed compiler_said compiler_silent source_code judgements generation reason machine finished
        current held_back held_back_hint score column_score groups group group_blocked validator_says
        judgement_pending judgement_judging judgement_judged judgement_abandoned judgement_cancelled
        manifest manifest_hint manifest_sources manifest_package manifest_data manifest_validator
        manifest_language manifest_policy;
    text: all_problems no_submissions no_submissions_hint pages newest older submitted_at;
    text: self_test_run self_test_running self_test_running_hint self_test_idle_title self_test_idle_hint
        save_as_json copy_report column_result column_probe column_took passed failed test_engine test_image
        test_profile test_supervisor test_box test_workshop test_clock test_disk test_calibration test_exit_0
        test_exit_137 test_limit_memory test_limit_cpu test_limit_wall test_limit_output test_limit_processes
        test_after_fork_bomb test_network_absent test_sockets_refused test_root_read_only
        test_writes_only_in_tmp test_tmp_is_memory test_tmp_wiped test_supervisor_untouchable
        test_namespaces_refused test_privileges_absent test_answers_absent;
    text: settings_appearance settings_editor settings_installation settings_shortcuts theme theme_light
        theme_dark follow_system language_of_interface default_language last_used data_folder version
        contract_version acting_as shortcut_leave_editor;
    text: finding_answer_missing finding_input_missing finding_no_secret_data finding_no_sample_data
        finding_data_file_ignored finding_crlf_data finding_bom_data finding_utf16_data finding_no_final_newline
        finding_not_utf8 finding_lfs_pointer finding_special_file finding_symlink_escapes
        finding_symlink_dangling finding_case_collision finding_invalid_name finding_too_many_files
        finding_too_large finding_too_deep finding_text_too_large finding_no_language finding_zip_slip finding_zip_absolute_name finding_zip_backslashes
        finding_zip_broken finding_zip_duplicate_name finding_zip_encrypted finding_zip_overlap
        finding_zip_ratio finding_problem_yaml_missing finding_yaml_invalid finding_unknown_key
        finding_unknown_type finding_format_unknown finding_format_draft finding_name_missing
        finding_odd_short_name finding_limit_out_of_range finding_memory_below_minimum
        finding_time_limit_conflict finding_time_limit_underivable finding_statement_missing
        finding_image_missing finding_validator_args_invalid finding_unsupported_custom_validator
        finding_unsupported_static_validator finding_unsupported_grader finding_unsupported_include
        finding_unsupported_case_files finding_unsupported_constants finding_unsupported_format finding_limits_assumed finding_bare_data finding_rule_without_use finding_interaction_invalid finding_scoring_invalid finding_scoring_key_ignored finding_submission_language_unknown
        finding_input_validators_missing finding_folder_unknown finding_folder_unused finding_junk_ignored
        finding_uuid_missing finding_license_unknown;
    text: log_in_title log_in_ended log_in_name log_in_password log_in_button logging_in log_in_wrong
        log_in_disabled log_in_address_hint account_menu log_out role_contestant role_coach role_jury role_admin
        no_roles notices notices_mark_all notices_none notices_none_hint notices_unread_mark settings_notices
        notice_kind_judged notice_kind_judged_late notice_kind_verdict_changed notice_kind_judging_cancelled
        notice_kind_needs_attention notice_kind_backup_failed;
    templates: copy_what/2 of_limit/2 sandbox_summary/3 sandbox_unprobed/1 shown_of/2 imported/1 case_counts/2
        sample_number/1 cut_at/1 line_column/2 paste_refused/4 journal_failed/1 cases_passed/2 running_of/2
        compare_tolerance/1 compare_absolute/1 compare_relative/1
        saved_as/1 identical/1 identical_judged/1 self_test_passed/1 self_test_failed/2 self_test_count/2 self_test_so_far/1 test_limit/1 test_toolchain/1
        test_protection/1 log_in_wait/1 notices_unread/1 notice_judged/3 notice_changed/4 notice_cancelled/2
        notice_attention/3 notice_judge_error/2 notice_backup/1 notice_unknown/1;
}

/// Texts that are rightly the same in another language as in English.
#[cfg(test)]
pub(super) const SAME_IN_ALL_LANGUAGES: &[&str] = &["cpu"];
