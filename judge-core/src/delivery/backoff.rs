//! How long to wait before trying again.

use std::time::Duration;

/// 2, 4, 8, 16, 32, 60, 60 … seconds: waiting before a submission is judged again after its n-th fault of ours, from 1.
pub(crate) fn fault_delay(failures: u32) -> Duration {
    let seconds = 2_u64.checked_pow(failures.max(1)).unwrap_or(u64::MAX);
    Duration::from_secs(seconds.min(60))
}

/// 250 ms, 500 ms, 1 s, 2 s, 4 s, 5 s, 5 s …: waiting between two looks at a backend that is away, from 1.
pub(crate) fn probe_delay(looks: u32) -> Duration {
    let milliseconds = 125_u64.saturating_mul(2_u64.checked_pow(looks.max(1)).unwrap_or(u64::MAX));
    Duration::from_millis(milliseconds.min(5_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delays_are_those_of_the_design() {
        let seconds: Vec<u64> = (1..=7).map(|failures| fault_delay(failures).as_secs()).collect();
        assert_eq!(seconds, [2, 4, 8, 16, 32, 60, 60]);
        let milliseconds: Vec<u128> = (1..=7).map(|looks| probe_delay(looks).as_millis()).collect();
        assert_eq!(milliseconds, [250, 500, 1000, 2000, 4000, 5000, 5000]);
        assert_eq!(fault_delay(u32::MAX).as_secs(), 60);
        assert_eq!(probe_delay(u32::MAX).as_secs(), 5);
    }
}
