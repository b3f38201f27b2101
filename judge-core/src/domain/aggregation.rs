//! From the runs' verdicts to the judgement's: accepted if all are, else that of the first failing case.

use agon_contract::verdict::Verdict;

/// Index of the first run that is not accepted, in judging order. (CCS requirements; "first failing test case".)
#[must_use]
pub fn first_failing<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> Option<usize> {
    verdicts.into_iter().position(|verdict| !verdict.is_accepted())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_decides_and_not_the_worst() {
        let first = |runs: &str| first_failing(&runs.split(' ').map(Verdict::from).collect::<Vec<_>>());
        assert_eq!(first("AC AC"), None);
        assert_eq!(first("AC WA RTE"), Some(1));
        assert_eq!(first("TLE WA"), Some(0));
        assert_eq!(first("AC JE"), Some(1));
    }
}
