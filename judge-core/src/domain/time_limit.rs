//! How a missing time limit follows from how long the example submissions take. (Formats §1.4; Problem Package Format,
//! "Time limit" of the legacy version and "Timelimit inference" of 2025-09.)

/// The rule of a package's version, with the package's own factors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeLimitRule {
    /// `max(1, ceil(slowest accepted × multiplier))` seconds.
    Legacy { time_multiplier: f64, time_safety_margin: f64 },
    /// The smallest multiple of `resolution_s` that satisfies both inequalities.
    Bounds { ac_to_time_limit: f64, time_limit_to_tle: f64, resolution_s: f64 },
}

impl TimeLimitRule {
    /// The time limit when the slowest submission that must pass takes `slowest_ms` of CPU.
    #[must_use]
    pub fn limit_ms(&self, slowest_ms: u64) -> u64 {
        let (factor, step_ms) = match self {
            Self::Legacy { time_multiplier, .. } => (*time_multiplier, 1000.0),
            Self::Bounds { ac_to_time_limit, resolution_s, .. } => (*ac_to_time_limit, resolution_s * 1000.0),
        };
        // A hair less, so that 3.0000000001 steps of a binary fraction are 3.
        let steps = (slowest_ms as f64 * factor / step_ms - 1e-9).ceil().max(1.0);
        whole(steps * step_ms)
    }

    /// What a submission that must be too slow has to take at least, under this time limit.
    #[must_use]
    pub fn too_slow_ms(&self, limit_ms: u64) -> u64 {
        let factor = match self {
            Self::Legacy { time_safety_margin, .. } => *time_safety_margin,
            Self::Bounds { time_limit_to_tle, .. } => *time_limit_to_tle,
        };
        whole(limit_ms as f64 * factor)
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "times are positive and far below 2⁵³ ms")]
fn whole(milliseconds: f64) -> u64 {
    milliseconds.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legacy_limits_are_whole_seconds() {
        let rule = TimeLimitRule::Legacy { time_multiplier: 5.0, time_safety_margin: 2.0 };
        for (slowest_ms, limit_ms) in [(0, 1000), (12, 1000), (200, 1000), (201, 2000), (1340, 7000)] {
            assert_eq!(rule.limit_ms(slowest_ms), limit_ms, "{slowest_ms}");
        }
        assert_eq!(rule.too_slow_ms(7000), 14_000);
    }

    #[test]
    fn bounded_limits_are_multiples_of_the_resolution() {
        let rule = |resolution_s| TimeLimitRule::Bounds { ac_to_time_limit: 2.0, time_limit_to_tle: 1.5, resolution_s };
        assert_eq!(rule(1.0).limit_ms(500), 1000);
        assert_eq!(rule(1.0).limit_ms(501), 2000);
        assert_eq!(rule(0.1).limit_ms(150), 300);
        assert_eq!(rule(0.1).limit_ms(151), 400);
        assert_eq!(rule(0.1).too_slow_ms(400), 600);
    }
}
