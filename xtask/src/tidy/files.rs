//! What a file owes its reader: a first line that says its job, and a length that fits a head.

use super::code;
use super::sources::is_test_file;
use super::{Complaint, House};

/// Lines of production code in one file.
const LONGEST_LINES: usize = 600;

/// The first line is `//!`.
pub(super) fn first_line(house: &House) -> Vec<Complaint> {
    let silent = house.sources.files.iter().filter(|file| !file.text.starts_with("//!"));
    silent.map(|file| Complaint::new(&file.path, "starts without `//!` and its job in one sentence")).collect()
}

/// Tests do not count: a rule and its table belong together.
pub(super) fn length(house: &House) -> Vec<Complaint> {
    let production = house.sources.files.iter().filter(|file| !is_test_file(&file.path));
    let counted = production.map(|file| (file, code::production(&file.text).lines().count()));
    let long = counted.filter(|(_, lines)| *lines > LONGEST_LINES);
    long.map(|(file, lines)| {
        Complaint::new(&file.path, format!("{lines} lines; {LONGEST_LINES} is the most: split it by idea"))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::super::house_of;
    use super::*;

    #[test]
    fn a_file_that_does_not_say_its_job_is_refused() {
        let house = house_of(&[("contract/src/a.rs", "use x;\n"), ("contract/src/b.rs", "//! Its job.\n")]);
        assert_eq!(first_line(&house).len(), 1);
    }

    #[test]
    fn tests_do_not_make_a_file_too_long() {
        let tests = format!("fn f() {{}}\n#[cfg(test)]\nmod tests {{\n{}}}\n", "\n".repeat(700));
        let code = "fn f() {}\n".repeat(601);
        let house =
            house_of(&[("contract/src/a.rs", &tests), ("contract/src/b.rs", &code), ("contract/tests/c.rs", &code)]);
        let found = length(&house);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].at, "contract/src/b.rs");
    }
}
