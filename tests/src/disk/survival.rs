//! What of the unsynced changes a disk keeps when the power goes.

use crate::seed::Dice;

/// One way to lose power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survival {
    /// Nothing that was not synced.
    Nothing,
    /// Everything, as after `kill -9`.
    Everything,
    /// Names without their content: the file that a rename made visible is empty.
    NamesOnly,
    /// Content without its names.
    ContentOnly,
    /// Everything up to some moment, nothing after it.
    Ordered,
    /// Each unsynced block of this many bytes and each name by itself, so that writes are reordered and torn.
    Blocks(usize),
}

impl Survival {
    /// Each way, the harmful ones more often.
    pub const ALL: [Self; 7] = [
        Self::Nothing,
        Self::Blocks(512),
        Self::Blocks(4096),
        Self::Ordered,
        Self::NamesOnly,
        Self::ContentOnly,
        Self::Everything,
    ];
}

/// A survival at work on one disk.
#[derive(Debug)]
pub struct Judge<'d> {
    pub survival: Survival,
    pub dice: &'d mut Dice,
    /// With [`Survival::Ordered`]: the first change that is lost.
    pub lost_from: usize,
}

impl Judge<'_> {
    /// Bytes that are kept or lost together.
    #[must_use]
    pub fn block_bytes(&self) -> usize {
        match self.survival {
            Survival::Blocks(bytes) => bytes,
            Survival::Ordered => 512,
            Survival::Nothing | Survival::Everything | Survival::NamesOnly | Survival::ContentOnly => usize::MAX,
        }
    }

    /// How many of `count` unsynced writes to the same block reached it; they do so in order, one over the other.
    pub fn writes_kept(&mut self, positions: &[usize]) -> usize {
        match self.survival {
            Survival::Nothing | Survival::NamesOnly => 0,
            Survival::Everything | Survival::ContentOnly => positions.len(),
            Survival::Ordered => {
                // The write during which the power went is torn: each of its blocks by itself.
                let whole = positions.iter().filter(|position| **position < self.lost_from).count();
                let torn = positions.get(whole).is_some_and(|position| *position == self.lost_from);
                if torn && self.dice.chance(50) { whole + 1 } else { whole }
            }
            Survival::Blocks(_) => self.dice.below(positions.len() + 1),
        }
    }

    /// Whether an unsynced change of a name was kept.
    pub fn keeps_name(&mut self, position: usize) -> bool {
        match self.survival {
            Survival::Nothing | Survival::ContentOnly => false,
            Survival::Everything | Survival::NamesOnly => true,
            Survival::Ordered => position < self.lost_from,
            Survival::Blocks(_) => self.dice.chance(50),
        }
    }
}
