//! Waiting for something that another program does: looked at often, given up late.

use std::time::{Duration, Instant};

const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Looks until `look` answers something.
///
/// # Panics
/// Nothing came within `patience`; the message says what was waited for and what was last seen.
pub fn until<T>(what: &str, patience: Duration, mut look: impl FnMut() -> Result<T, String>) -> T {
    let started = Instant::now();
    loop {
        let seen = match look() {
            Ok(found) => return found,
            Err(seen) => seen,
        };
        assert!(started.elapsed() < patience, "waited {patience:?} for {what}; last seen: {seen}");
        std::thread::sleep(LOOK_EVERY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_looks_again_until_there_is_something() {
        let mut looks = 0;
        let found = until("the third look", Duration::from_secs(5), || {
            looks += 1;
            if looks == 3 { Ok(looks) } else { Err(format!("look {looks}")) }
        });
        assert_eq!(found, 3);
    }

    #[test]
    #[should_panic(expected = "last seen: nothing yet")]
    fn it_says_what_it_last_saw() {
        until::<()>("what never comes", Duration::ZERO, || Err("nothing yet".into()));
    }
}
