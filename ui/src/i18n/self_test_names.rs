//! The self-test's lines in words; a line this version does not know keeps its own name.

use super::codes::{protection_name, spaced};
use super::t;

/// A line of the self-test by its stable name.
#[must_use]
pub fn self_test_name(name: &str) -> String {
    if let Some(known) = known_name(name) {
        return known.to_owned();
    }
    if let Some(protection) = name.strip_prefix("protection_") {
        return t().test_protection.fill([&protection_name(protection)]);
    }
    if let Some(language) = name.strip_prefix("toolchain_") {
        return t().test_toolchain.fill([language]);
    }
    match name.strip_prefix("limit_") {
        Some(limit) => t().test_limit.fill([&spaced(limit)]),
        None => spaced(name),
    }
}

fn known_name(name: &str) -> Option<&'static str> {
    let t = t();
    Some(match name {
        "data" => t.test_data,
        "engine" => t.test_engine,
        "image" => t.test_image,
        "profile" => t.test_profile,
        "supervisor" => t.test_supervisor,
        "box" => t.test_box,
        "workshop" => t.test_workshop,
        "clock" => t.test_clock,
        "disk" => t.test_disk,
        "calibration" => t.test_calibration,
        "exit_0" => t.test_exit_0,
        "exit_137" => t.test_exit_137,
        "limit_memory" => t.test_limit_memory,
        "limit_cpu" => t.test_limit_cpu,
        "limit_wall" => t.test_limit_wall,
        "limit_output" => t.test_limit_output,
        "limit_processes" => t.test_limit_processes,
        "after_fork_bomb" => t.test_after_fork_bomb,
        "network_absent" => t.test_network_absent,
        "sockets_refused" => t.test_sockets_refused,
        "root_read_only" => t.test_root_read_only,
        "writes_only_in_tmp" => t.test_writes_only_in_tmp,
        "tmp_is_memory" => t.test_tmp_is_memory,
        "tmp_wiped" => t.test_tmp_wiped,
        "supervisor_untouchable" => t.test_supervisor_untouchable,
        "namespaces_refused" => t.test_namespaces_refused,
        "privileges_absent" => t.test_privileges_absent,
        "answers_absent" => t.test_answers_absent,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Locale, use_locale};

    #[test]
    fn families_and_unknown_lines_are_named_too() {
        use_locale(Locale::Ja);
        assert_eq!(self_test_name("limit_memory"), "メモリ制限");
        assert_eq!(self_test_name("toolchain_cpp17"), "ツール：cpp17");
        assert_eq!(self_test_name("protection_seccomp"), "保護：システムコール制限（seccomp）");
        assert_eq!(self_test_name("limit_new"), "制限：new");
        assert_eq!(self_test_name("from_the_future"), "from the future");
        use_locale(Locale::En);
    }
}
