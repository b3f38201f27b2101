//! Chance that can be had again: every random choice of a story comes from one printed seed.

/// Names the seed; without it a story takes its own.
const VARIABLE: &str = "AGON_SEED";

/// The seed of `story`: `AGON_SEED`, else `usual`. Printed, so that a failure can be had again.
///
/// # Panics
/// `AGON_SEED` is no number.
#[must_use]
pub fn of(story: &str, usual: u64) -> u64 {
    let seed = std::env::var(VARIABLE).map_or(usual, |text| text.parse().expect("AGON_SEED is a number"));
    eprintln!("{story}: seed {seed} (choose with {VARIABLE})");
    seed
}

/// A source of chance (splitmix64: small, and the same on every machine).
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
}

impl Dice {
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Dice for one of several who throw at the same time.
    #[must_use]
    pub fn of_thread(seed: u64, number: u64) -> Self {
        let mut dice = Self::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        dice.throw();
        dice
    }

    /// Any number.
    pub fn throw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.throw() % bound as u64).expect("it is below a usize")
    }

    /// True in `percent` of all cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of them.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_throws_the_same_and_another_does_not() {
        let throws = |seed| {
            let mut dice = Dice::new(seed);
            (0..4).map(|_| dice.throw()).collect::<Vec<_>>()
        };
        assert_eq!(throws(7), throws(7));
        assert_ne!(throws(7), throws(8));
        assert_ne!(Dice::of_thread(7, 1).throw(), Dice::of_thread(7, 2).throw());
    }
}
