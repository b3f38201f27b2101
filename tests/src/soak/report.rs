//! What a soak did: how often it killed where, and what was looked at.

use std::collections::BTreeMap;

/// The figures of one soak.
#[derive(Clone, Debug, Default)]
pub struct Report {
    kills: BTreeMap<String, u32>,
    pub promises: usize,
    pub submissions: usize,
}

impl Report {
    /// Counts a kill under its place, the how-manieth time left out.
    pub(super) fn count(&mut self, told: &str) {
        let place: Vec<&str> =
            told.split(':').enumerate().filter(|(index, _)| *index != 2).map(|(_, part)| part).collect();
        *self.kills.entry(place.join(" ")).or_insert(0) += 1;
    }

    /// Different places at which the program died.
    #[must_use]
    pub fn places(&self) -> usize {
        self.kills.len()
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all: u32 = self.kills.values().sum();
        writeln!(f, "{all} kills at {} places:", self.places())?;
        for (place, count) in &self.kills {
            writeln!(f, "  {count:>4}  {place}")?;
        }
        write!(f, "{} promises about {} submissions and more: all kept", self.promises, self.submissions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kills_are_counted_by_their_place() {
        let mut report = Report::default();
        report.count("say:committed save the submission:3:before");
        report.count("say:committed save the submission:1:before");
        report.count("any time");
        let told = report.to_string();
        assert!(told.contains("   2  say committed save the submission before\n"), "{told}");
        assert!(told.contains("   1  any time\n"), "{told}");
    }
}
