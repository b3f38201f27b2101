//! The import doctor's codes in words; a code this version does not know shows the doctor's own message alone.

use super::t;

/// A finding's heading, where this version knows its code.
#[must_use]
pub fn finding_title(code: &str) -> Option<&'static str> {
    let t = t();
    Some(match code {
        "answer_missing" => t.finding_answer_missing,
        "input_missing" => t.finding_input_missing,
        "no_secret_data" => t.finding_no_secret_data,
        "no_sample_data" => t.finding_no_sample_data,
        "data_file_ignored" => t.finding_data_file_ignored,
        "crlf_data" => t.finding_crlf_data,
        "bom_data" => t.finding_bom_data,
        "utf16_data" => t.finding_utf16_data,
        "no_final_newline" => t.finding_no_final_newline,
        "not_utf8" => t.finding_not_utf8,
        "lfs_pointer" => t.finding_lfs_pointer,
        "special_file" => t.finding_special_file,
        "symlink_escapes" => t.finding_symlink_escapes,
        "symlink_dangling" => t.finding_symlink_dangling,
        "case_collision" => t.finding_case_collision,
        "invalid_name" => t.finding_invalid_name,
        "too_many_files" => t.finding_too_many_files,
        "too_large" => t.finding_too_large,
        "text_too_large" => t.finding_text_too_large,
        "no_language" => t.finding_no_language,
        "too_deep" => t.finding_too_deep,
        "zip_slip" => t.finding_zip_slip,
        "zip_absolute_name" => t.finding_zip_absolute_name,
        "zip_backslashes" => t.finding_zip_backslashes,
        "zip_broken" => t.finding_zip_broken,
        "zip_duplicate_name" => t.finding_zip_duplicate_name,
        "zip_encrypted" => t.finding_zip_encrypted,
        "zip_overlap" => t.finding_zip_overlap,
        "zip_ratio" => t.finding_zip_ratio,
        "problem_yaml_missing" => t.finding_problem_yaml_missing,
        "yaml_invalid" => t.finding_yaml_invalid,
        "unknown_key" => t.finding_unknown_key,
        "unknown_type" => t.finding_unknown_type,
        "format_unknown" => t.finding_format_unknown,
        "format_draft" => t.finding_format_draft,
        "name_missing" => t.finding_name_missing,
        "odd_short_name" => t.finding_odd_short_name,
        "limit_out_of_range" => t.finding_limit_out_of_range,
        "memory_below_minimum" => t.finding_memory_below_minimum,
        "time_limit_conflict" => t.finding_time_limit_conflict,
        "time_limit_underivable" => t.finding_time_limit_underivable,
        "statement_missing" => t.finding_statement_missing,
        "image_missing" => t.finding_image_missing,
        "validator_args_invalid" => t.finding_validator_args_invalid,
        "unsupported_custom_validator" => t.finding_unsupported_custom_validator,
        "unsupported_static_validator" => t.finding_unsupported_static_validator,
        "unsupported_grader" => t.finding_unsupported_grader,
        "include_misplaced" => t.finding_unsupported_include,
        "unsupported_case_files" => t.finding_unsupported_case_files,
        "unsupported_format" => t.finding_unsupported_format,
        "limits_assumed" => t.finding_limits_assumed,
        "bare_data" => t.finding_bare_data,
        "rule_without_use" => t.finding_rule_without_use,
        "interaction_invalid" => t.finding_interaction_invalid,
        "scoring_invalid" => t.finding_scoring_invalid,
        "scoring_key_ignored" => t.finding_scoring_key_ignored,
        "unsupported_constants" => t.finding_unsupported_constants,
        "submission_language_unknown" => t.finding_submission_language_unknown,
        "input_validators_missing" => t.finding_input_validators_missing,
        "folder_unknown" => t.finding_folder_unknown,
        "folder_unused" => t.finding_folder_unused,
        "junk_ignored" => t.finding_junk_ignored,
        "uuid_missing" => t.finding_uuid_missing,
        "license_unknown" => t.finding_license_unknown,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_codes_have_a_heading_and_others_none() {
        assert_eq!(finding_title("zip_slip"), Some("An entry leads out of the package"));
        assert_eq!(finding_title("from_the_future"), None);
    }
}
