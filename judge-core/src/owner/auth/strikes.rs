//! Failed log-ins, counted: by name and peer together, by peer, by name.
//!
//! A contestant who mistypes waits half a minute after five times. A rival at another machine cannot lock that
//! contestant out, because the pair counts apart; what he can do is bounded by the count of his own peer. The count by
//! name alone is for guessing spread over many peers, and so is wide. An attempt counts before its password is
//! checked, so that a burst of parallel ones does not slip through. Counts live in memory on the steady clock: they
//! end with the process, which only staff can restart.
//!
//! A class sits behind one address and begins at one moment: the count of a peer leaves room for a full house whose
//! log-ins are all under way, and as many again who mistype. Whoever has a session is counted by it, not by address.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Failures without a wait.
const FREE_OF_PAIR: u32 = 5;
const FREE_OF_PEER: u32 = 400;
const FREE_OF_NAME: u32 = 100;
/// The wait after the last free failure; each further one doubles it.
const FIRST_WAIT: Duration = Duration::from_secs(30);
const LONGEST_WAIT: Duration = Duration::from_secs(5 * 60);
/// A count is forgotten after this long without an attempt.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(15 * 60);
/// Counts kept; the one without an attempt for longest goes.
const COUNTS_MAX: usize = 10_000;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Of {
    Pair(String, String),
    Peer(String),
    Name(String),
}

impl Of {
    fn free(&self) -> u32 {
        match self {
            Self::Pair(..) => FREE_OF_PAIR,
            Self::Peer(_) => FREE_OF_PEER,
            Self::Name(_) => FREE_OF_NAME,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Count {
    failures: u32,
    last_ms: i64,
}

impl Count {
    fn is_forgotten(self, now_ms: i64) -> bool {
        now_ms - self.last_ms >= millis(FORGOTTEN_AFTER)
    }

    /// When the next attempt is looked at; `None` while attempts are free.
    fn opens_at_ms(self, free: u32) -> Option<i64> {
        let over = self.failures.checked_sub(free)?;
        let wait = FIRST_WAIT.saturating_mul(1_u32.checked_shl(over).unwrap_or(u32::MAX)).min(LONGEST_WAIT);
        Some(self.last_ms.saturating_add(millis(wait)))
    }
}

/// All counts of one process.
#[derive(Debug, Default)]
pub(super) struct Strikes {
    counts: Mutex<HashMap<Of, Count>>,
}

/// An attempt that is under way and already counted.
#[derive(Debug)]
pub(super) struct Attempt {
    counted: [Of; 3],
}

impl Strikes {
    /// Counts an attempt, or answers how many milliseconds to wait before one is looked at.
    pub(super) fn begin(&self, name_key: &str, peer: &str, now_ms: i64) -> Result<Attempt, u64> {
        let of =
            [Of::Pair(name_key.to_owned(), peer.to_owned()), Of::Peer(peer.to_owned()), Of::Name(name_key.to_owned())];
        let mut counts = self.lock();
        for of in &of {
            if counts.get(of).is_some_and(|count| count.is_forgotten(now_ms)) {
                counts.remove(of);
            }
        }
        let opens = of.iter().filter_map(|of| counts.get(of)?.opens_at_ms(of.free())).max();
        if let Some(wait_ms) = opens.and_then(|opens_ms| u64::try_from(opens_ms - now_ms).ok()).filter(|ms| *ms > 0) {
            return Err(wait_ms);
        }
        for of in &of {
            make_room(&mut counts, now_ms);
            let count = counts.entry(of.clone()).or_insert(Count { failures: 0, last_ms: now_ms });
            *count = Count { failures: count.failures.saturating_add(1), last_ms: now_ms };
        }
        Ok(Attempt { counted: of })
    }

    /// The password was right: the pair starts anew. The other counts lose only this attempt, so that nobody clears
    /// them by logging in to an account of his own.
    pub(super) fn succeeded(&self, attempt: &Attempt) {
        let mut counts = self.lock();
        counts.remove(&attempt.counted[0]);
        take_back(&mut counts, &attempt.counted[1..]);
    }

    /// Nothing was found out about the password: the attempt does not count.
    pub(super) fn withdraw(&self, attempt: &Attempt) {
        take_back(&mut self.lock(), &attempt.counted);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Of, Count>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn take_back(counts: &mut HashMap<Of, Count>, of: &[Of]) {
    for of in of {
        if let Some(count) = counts.get_mut(of) {
            count.failures = count.failures.saturating_sub(1);
        }
    }
}

fn make_room(counts: &mut HashMap<Of, Count>, now_ms: i64) {
    if counts.len() < COUNTS_MAX {
        return;
    }
    counts.retain(|_, count| !count.is_forgotten(now_ms));
    if counts.len() < COUNTS_MAX {
        return;
    }
    let oldest = counts.iter().min_by_key(|(_, count)| count.last_ms).map(|(of, _)| of.clone());
    oldest.and_then(|of| counts.remove(&of));
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "10.0.0.1";

    fn fail(strikes: &Strikes, name: &str, peer: &str, now_ms: i64, times: u32) {
        for time in 0..times {
            strikes.begin(name, peer, now_ms).unwrap_or_else(|wait| panic!("attempt {time} waits {wait} ms"));
        }
    }

    #[test]
    fn a_class_behind_one_address_logs_in_at_one_moment_and_half_of_it_mistypes() {
        let strikes = Strikes::default();
        let class: Vec<String> = (0..200).map(|seat| format!("team{seat}")).collect();
        for name in class.iter().step_by(2) {
            fail(&strikes, name, HERE, 0, 1);
        }
        let under_way: Vec<Attempt> =
            class.iter().map(|name| strikes.begin(name, HERE, 1).expect("nobody waits for the others")).collect();
        under_way.iter().for_each(|attempt| strikes.succeeded(attempt));
        assert!(strikes.begin("team0", HERE, 2).is_ok());
    }

    #[test]
    fn after_five_failures_each_wait_doubles_up_to_a_ceiling() {
        let strikes = Strikes::default();
        fail(&strikes, "ann", HERE, 0, FREE_OF_PAIR);
        let mut now = 0;
        for wait in [30_000, 60_000, 120_000, 240_000, 300_000, 300_000] {
            assert_eq!(strikes.begin("ann", HERE, now).expect_err("too early"), wait);
            assert_eq!(strikes.begin("ann", HERE, now + 29_000).expect_err("too early"), wait - 29_000);
            now += i64::try_from(wait).expect("small");
            strikes.begin("ann", HERE, now).expect("the time has come");
        }
    }

    #[test]
    fn a_rival_at_another_machine_locks_out_himself_and_not_the_contestant() {
        let strikes = Strikes::default();
        let rivals = "10.0.0.2";
        for name in ["ann", "bob", "cleo"] {
            fail(&strikes, name, rivals, 0, FREE_OF_PAIR);
            assert!(strikes.begin(name, rivals, 0).is_err(), "{name}");
        }
        strikes.succeeded(&strikes.begin("rival", rivals, 0).expect("his own account"));
        for guess in 3..FREE_OF_PEER / FREE_OF_PAIR {
            fail(&strikes, &format!("team{guess}"), rivals, 0, FREE_OF_PAIR);
        }
        assert!(strikes.begin("eve", rivals, 0).is_err(), "his own log-in cleared nothing of his machine");
        strikes.begin("ann", HERE, 0).expect("the contestant's own machine");
    }

    #[test]
    fn guessing_spread_over_many_peers_is_bounded_by_the_name() {
        let strikes = Strikes::default();
        for peer in 0..FREE_OF_NAME {
            fail(&strikes, "ann", &format!("peer {peer}"), 0, 1);
        }
        assert!(strikes.begin("ann", "a new peer", 0).is_err());
        assert!(strikes.begin("bob", "a new peer", 0).is_ok());
    }

    #[test]
    fn a_success_clears_the_pair_and_our_own_faults_do_not_count() {
        let strikes = Strikes::default();
        fail(&strikes, "ann", HERE, 0, FREE_OF_PAIR - 1);
        strikes.succeeded(&strikes.begin("ann", HERE, 0).expect("the last free one"));
        fail(&strikes, "ann", HERE, 0, FREE_OF_PAIR - 1);
        for _ in 0..50 {
            strikes.withdraw(&strikes.begin("ann", HERE, 0).expect("not counted"));
        }
    }

    #[test]
    fn a_quiet_quarter_of_an_hour_forgets_and_memory_is_bounded() {
        let strikes = Strikes::default();
        fail(&strikes, "ann", HERE, 0, FREE_OF_PAIR);
        fail(&strikes, "ann", HERE, millis(FORGOTTEN_AFTER), FREE_OF_PAIR);
        for number in 0..COUNTS_MAX / 3 + 100 {
            let _ = strikes.begin(&format!("name {number}"), &format!("peer {number}"), millis(FORGOTTEN_AFTER));
        }
        assert_eq!(strikes.lock().len(), COUNTS_MAX);
    }
}
