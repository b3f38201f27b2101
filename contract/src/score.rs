//! Points of scoring problems, exact to six decimals.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

const DECIMALS: usize = 6;
const UNITS: f64 = 1e6;

/// A number of points, kept in millionths, so that equal scores are equal and 57.99999 is shown as neither 57 nor 58.
/// On the wire a JSON number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i64);

impl Score {
    /// The nearest millionth; what is no finite number is 0, and what is too large stays at the largest.
    #[must_use]
    pub fn of(points: f64) -> Self {
        let units = (points * UNITS).round();
        Self(if units.is_finite() { units as i64 } else { 0 })
    }

    #[must_use]
    pub fn from_millionths(units: i64) -> Self {
        Self(units)
    }

    #[must_use]
    pub fn millionths(self) -> i64 {
        self.0
    }

    #[must_use]
    pub fn points(self) -> f64 {
        self.0 as f64 / UNITS
    }
}

/// Up to six decimals, without zeros at their end: `100`, `33.333333`, `57.99999`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, part) = (self.0.unsigned_abs() / 1_000_000, self.0.unsigned_abs() % 1_000_000);
        let decimals = format!("{part:0DECIMALS$}");
        let decimals = decimals.trim_end_matches('0');
        let point = if decimals.is_empty() { "" } else { "." };
        f.pad(&format!("{sign}{whole}{point}{decimals}"))
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 1_000_000 == 0 {
            serializer.serialize_i64(self.0 / 1_000_000)
        } else {
            serializer.serialize_f64(self.points())
        }
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Self::of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_shown_as_they_are() {
        for (points, shown) in [
            (100.0, "100"),
            (0.0, "0"),
            (57.99999, "57.99999"),
            (33.333_333_333, "33.333333"),
            (0.1 + 0.2, "0.3"),
            (-0.5, "-0.5"),
            (2100.0, "2100"),
            (f64::NAN, "0"),
        ] {
            assert_eq!(Score::of(points).to_string(), shown);
        }
    }

    #[test]
    fn the_wire_carries_numbers() {
        for (points, text) in [(100.0, "100"), (33.333_333, "33.333333"), (-2.5, "-2.5")] {
            let score = Score::of(points);
            assert_eq!(serde_json::to_string(&score).expect("a number"), text);
            assert_eq!(serde_json::from_str::<Score>(text).expect("a number"), score);
        }
        assert!(serde_json::from_str::<Score>("\"1\"").is_err());
    }
}
