//! Counts tests from what cargo's test programs print.

use std::fmt;

/// How many of what, and which failed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: u64,
    pub(super) failed: u64,
    pub(super) ignored: u64,
    pub(super) failures: Vec<String>,
}

impl Tally {
    /// One check that is not a cargo test.
    pub(super) fn check(&mut self, name: &str, passed: bool) {
        if passed {
            self.passed += 1;
        } else {
            self.failed += 1;
            self.failures.push(name.to_owned());
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
        self.failures.extend(other.failures);
    }

    /// Takes in one line of a test program's output.
    pub(super) fn read(&mut self, line: &str) {
        if let Some(counts) = line.strip_prefix("test result: ") {
            let count = |word: &str| {
                let before = counts.split(';').find_map(|part| part.trim().strip_suffix(word));
                before.and_then(|before| before.split_whitespace().last()?.parse::<u64>().ok()).unwrap_or(0)
            };
            self.passed += count(" passed");
            self.failed += count(" failed");
            self.ignored += count(" ignored");
        } else if let Some(name) = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix(" ... FAILED")) {
            self.failures.push(name.to_owned());
        }
    }

    /// A cargo that ended badly without a counted failure did not build, or a test program died: that is a failure too.
    pub(super) fn end(&mut self, label: &str, ended_well: bool) {
        if !ended_well && self.failed == 0 {
            self.check(&format!("{label}: cargo test did not end well"), false);
        }
        if ended_well && self.passed + self.failed == 0 {
            self.check(&format!("{label}: not a single test ran"), false);
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} passed and {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str], ended_well: bool) -> Tally {
        let mut tally = Tally::default();
        lines.iter().for_each(|line| tally.read(line));
        tally.end("unit", ended_well);
        tally
    }

    #[test]
    fn counts_are_summed_over_test_programs() {
        let tally = read(
            &[
                "test a::b ... ok",
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s",
                "test c::d ... FAILED",
                "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.01s",
            ],
            false,
        );
        assert_eq!((tally.passed, tally.failed, tally.ignored), (15, 1, 1));
        assert_eq!(tally.failures, ["c::d"]);
    }

    #[test]
    fn what_did_not_build_counts_as_a_failure() {
        assert_eq!(read(&["error[E0425]: cannot find value"], false).failed, 1);
        // A program that dies prints no result of its own; the others' counts must not hide it.
        assert_eq!(read(&["test result: ok. 2 passed; 0 failed; 0 ignored"], false).failed, 1);
    }

    #[test]
    fn a_tier_that_ran_nothing_has_failed() {
        assert_eq!(read(&["test result: ok. 0 passed; 0 failed; 0 ignored"], true).failed, 1);
        assert_eq!(read(&["test result: ok. 1 passed; 0 failed; 0 ignored"], true).failed, 0);
    }
}
