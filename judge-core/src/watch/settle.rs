//! When something that changes has come to rest: the same signature for long enough.

use std::collections::HashMap;
use std::time::Duration;

/// Signatures under observation. Times are steady milliseconds.
#[derive(Debug, Default)]
pub(super) struct Settle {
    candidates: HashMap<String, Candidate>,
}

#[derive(Debug)]
struct Candidate {
    signature: String,
    unchanged_since_ms: i64,
}

impl Settle {
    /// Takes a look into account; true when the thing has been at rest for `quiet` and is no longer observed.
    pub(super) fn observe(&mut self, name: &str, signature: &str, quiet: Duration, now_ms: i64) -> bool {
        let quiet_ms = i64::try_from(quiet.as_millis()).unwrap_or(i64::MAX);
        match self.candidates.get_mut(name) {
            Some(candidate) if candidate.signature == signature => {
                let is_at_rest = now_ms - candidate.unchanged_since_ms >= quiet_ms;
                if is_at_rest {
                    self.candidates.remove(name);
                }
                is_at_rest
            }
            Some(candidate) => {
                *candidate = Candidate { signature: signature.to_owned(), unchanged_since_ms: now_ms };
                false
            }
            None => {
                let candidate = Candidate { signature: signature.to_owned(), unchanged_since_ms: now_ms };
                self.candidates.insert(name.to_owned(), candidate);
                false
            }
        }
    }

    /// It is gone, or was dealt with.
    pub(super) fn forget(&mut self, name: &str) {
        self.candidates.remove(name);
    }

    pub(super) fn observes(&self, name: &str) -> bool {
        self.candidates.contains_key(name)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUIET: Duration = Duration::from_millis(100);

    #[test]
    fn only_the_same_signature_for_long_enough_is_at_rest() {
        let mut settle = Settle::default();
        assert!(!settle.observe("a", "1", QUIET, 0), "seen once");
        assert!(!settle.observe("a", "1", QUIET, 99));
        assert!(!settle.observe("a", "2", QUIET, 100), "it grew");
        assert!(!settle.observe("a", "1", QUIET, 150), "back again is a change too");
        assert!(!settle.observe("a", "1", QUIET, 249));
        assert!(settle.observe("a", "1", QUIET, 250));
        assert!(settle.is_empty());
    }

    #[test]
    fn each_thing_rests_by_itself_and_one_that_left_starts_anew() {
        let mut settle = Settle::default();
        settle.observe("a", "1", QUIET, 0);
        settle.observe("b", "1", QUIET, 60);
        assert!(settle.observe("a", "1", QUIET, 100) && settle.observes("b"));
        settle.forget("b");
        assert!(!settle.observe("b", "1", QUIET, 1_000));
    }
}
