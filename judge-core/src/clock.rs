//! The clock port: wall time for records, steady time for leases and waiting.
//!
//! Wall clocks step. Leases and retry times are therefore kept in *steady* milliseconds: the wall time at which the
//! process opened its folder, advanced by the monotonic clock. Within one boot id they cannot jump; across boots they
//! are only compared with a bound on how far ahead they may lie (delivery, "Time").

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

/// A future that ends when the time has come.
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Tells the time and waits.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970 UTC, as the machine believes now. For records shown to people.
    fn wall_ms(&self) -> i64;
    /// Milliseconds that never step within this process; starts at the wall time of its creation.
    fn steady_ms(&self) -> i64;
    /// Waits on the steady clock.
    fn sleep(&self, duration: Duration) -> Sleep;
}

/// The machine's clocks.
#[derive(Clone, Debug)]
pub struct SystemClock {
    origin: Instant,
    origin_wall_ms: i64,
}

impl SystemClock {
    #[must_use]
    pub fn new() -> Self {
        Self { origin: Instant::now(), origin_wall_ms: system_wall_ms() }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn wall_ms(&self) -> i64 {
        system_wall_ms()
    }

    fn steady_ms(&self) -> i64 {
        let elapsed = i64::try_from(self.origin.elapsed().as_millis()).unwrap_or(i64::MAX);
        self.origin_wall_ms.saturating_add(elapsed)
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        Box::pin(tokio::time::sleep(duration))
    }
}

fn system_wall_ms() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => -i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX),
    }
}

/// A clock that moves only when told to; for tests. Clones share the time.
#[derive(Clone, Debug)]
pub struct ManualClock {
    wall_offset_ms: Arc<Mutex<i64>>,
    steady_ms: Arc<watch::Sender<i64>>,
}

impl ManualClock {
    #[must_use]
    pub fn starting_at(steady_ms: i64) -> Self {
        Self { wall_offset_ms: Arc::default(), steady_ms: Arc::new(watch::Sender::new(steady_ms)) }
    }

    /// Lets time pass on both clocks and wakes who waited for it.
    pub fn advance(&self, duration: Duration) {
        let by = i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        self.steady_ms.send_modify(|now| *now += by);
    }

    /// How many wait for the time, so that a test moves it only when everybody is asleep.
    #[must_use]
    pub fn sleepers(&self) -> usize {
        self.steady_ms.receiver_count()
    }

    /// Steps the wall clock alone, as somebody who sets the time does.
    pub fn step_wall(&self, by_ms: i64) {
        *self.wall_offset_ms.lock().unwrap_or_else(PoisonError::into_inner) += by_ms;
    }
}

impl Clock for ManualClock {
    fn wall_ms(&self) -> i64 {
        self.steady_ms() + *self.wall_offset_ms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn steady_ms(&self) -> i64 {
        *self.steady_ms.borrow()
    }

    fn sleep(&self, duration: Duration) -> Sleep {
        let until = self.steady_ms() + i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
        let mut time = self.steady_ms.subscribe();
        Box::pin(async move {
            if time.wait_for(|now| *now >= until).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stepping_the_wall_leaves_the_steady_clock_alone() {
        let clock = ManualClock::starting_at(1_000);
        clock.step_wall(-86_400_000);
        assert_eq!(clock.steady_ms(), 1_000);
        assert_eq!(clock.wall_ms(), 1_000 - 86_400_000);
    }

    #[tokio::test]
    async fn a_sleeper_wakes_exactly_when_its_time_has_come() {
        let clock = ManualClock::starting_at(0);
        let sleeper = tokio::spawn(clock.sleep(Duration::from_millis(100)));
        clock.advance(Duration::from_millis(99));
        tokio::task::yield_now().await;
        assert!(!sleeper.is_finished());
        clock.advance(Duration::from_millis(1));
        sleeper.await.expect("the sleeper ends");
    }
}
