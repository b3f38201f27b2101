//! The limits one judging works with, and what a language adds to them.

use agon_contract::problem::{LimitsView, TimeLimitSource};
use serde::{Deserialize, Serialize};

/// Memory where a package says nothing (Problem Package Format, limits: "typically 2048 MiB").
pub const DEFAULT_MEMORY_BYTES: u64 = 2048 * MIB;
/// Output where a package says nothing (8 MiB).
pub const DEFAULT_OUTPUT_BYTES: u64 = 8 * MIB;
/// Sum of submitted files where a package says nothing (128 KiB).
pub const DEFAULT_CODE_BYTES: u64 = 128 * 1024;
/// The wall-clock guard is this many times the CPU limit, plus [`WALL_GRACE_MS`] (sandbox, fair timing).
const WALL_FACTOR: u64 = 2;
const WALL_GRACE_MS: u64 = 1000;

const MIB: u64 = 1024 * 1024;

/// What a problem allows one run, before a language's multipliers. Every field is effective: defaults are filled in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectiveLimits {
    /// CPU time per test case.
    pub time_limit_ms: u64,
    pub time_limit_source: TimeLimitSource,
    pub memory_bytes: u64,
    /// stdout and stderr together.
    pub output_bytes: u64,
    /// Sum of the submitted files.
    pub code_bytes: u64,
}

impl EffectiveLimits {
    /// The guard against programs that idle.
    #[must_use]
    pub fn wall_limit_ms(&self) -> u64 {
        self.time_limit_ms * WALL_FACTOR + WALL_GRACE_MS
    }

    /// The same limits with the time multiplied, rounded up to whole milliseconds.
    #[must_use]
    pub fn with_time_multiplier(&self, percent: u32) -> Self {
        let time_limit_ms = (self.time_limit_ms * u64::from(percent)).div_ceil(100);
        Self { time_limit_ms, ..self.clone() }
    }
}

impl From<&EffectiveLimits> for LimitsView {
    fn from(limits: &EffectiveLimits) -> Self {
        Self {
            time_limit_ms: limits.time_limit_ms,
            wall_limit_ms: limits.wall_limit_ms(),
            memory_limit_bytes: limits.memory_bytes,
            output_limit_bytes: limits.output_bytes,
            code_limit_bytes: limits.code_bytes,
            time_limit_source: limits.time_limit_source.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(time_limit_ms: u64) -> EffectiveLimits {
        EffectiveLimits {
            time_limit_ms,
            time_limit_source: TimeLimitSource::Package,
            memory_bytes: DEFAULT_MEMORY_BYTES,
            output_bytes: DEFAULT_OUTPUT_BYTES,
            code_bytes: DEFAULT_CODE_BYTES,
        }
    }

    #[test]
    fn the_wall_guard_is_twice_the_time_and_a_second() {
        assert_eq!(limits(1500).wall_limit_ms(), 4000);
        assert_eq!(LimitsView::from(&limits(1500)).wall_limit_ms, 4000);
    }

    #[test]
    fn a_multiplier_rounds_up_and_leaves_the_rest() {
        let doubled = limits(333).with_time_multiplier(150);
        assert_eq!(doubled.time_limit_ms, 500);
        assert_eq!(doubled.memory_bytes, DEFAULT_MEMORY_BYTES);
    }
}
