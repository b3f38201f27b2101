//! Places at which the program is killed, by what it was about to do, was doing, or had just done.

use crate::seed::Dice;
use crate::shim::Moment;
pub use crate::shim::Site;

use Moment::{After, Before, Torn};

/// Operation, what on, the moment, and up to the how-manieth time since arming.
///
/// `say` sites are the two lines that the store logs around each commit: "committing" is before, "committed" is between
/// the commit and the answer.
const SITES: [(&str, &str, Moment, u32); 34] = [
    ("say", "committing save the submission", Before, 4),
    ("say", "committed save the submission", Before, 4),
    ("say", "committing send work to the queue", Before, 3),
    ("say", "committed send work to the queue", Before, 3),
    ("say", "committing take work from the queue", Before, 3),
    ("say", "committed take work from the queue", Before, 3),
    ("say", "committing store the verdict", Before, 2),
    ("say", "committed store the verdict", Before, 2),
    ("say", "committing judge submissions again", Before, 2),
    ("say", "committed judge submissions again", Before, 2),
    ("say", "committed apply a change set", Before, 1),
    ("say", "committed cancel a judging", Before, 1),
    ("say", "committed queue a preview", Before, 2),
    ("say", "committed store a preview's end", Before, 1),
    ("say", "committing recover lost leases", Before, 1),
    ("say", "committed recover lost leases", Before, 1),
    ("say", "committed reclaim queue entries", Before, 1),
    ("say", "committed record the start", Before, 1),
    ("write", "agon.db-wal", Torn, 40),
    ("sync", "agon.db-wal", Before, 12),
    ("sync", "agon.db-wal", After, 12),
    ("write", "agon.db$", Torn, 3),
    ("write", ".part", Torn, 1),
    ("rename", "/blobs/", Before, 1),
    ("rename", "/blobs/", After, 1),
    ("write", ".drafts", Torn, 3),
    ("sync", ".drafts", Before, 3),
    ("answer", "HTTP/1.1 200", Before, 12),
    ("answer", "HTTP/1.1 200", After, 12),
    ("engine", "/containers/create", Before, 2),
    ("engine", "/containers/create", After, 2),
    ("engine", "/start", After, 2),
    ("engine", "/attach", After, 2),
    ("engine", "DELETE /", Before, 1),
];

/// Any of them, any time.
#[must_use]
pub fn choose(dice: &mut Dice) -> Site {
    let (operation, needle, moment, nth) = *dice.pick(&SITES);
    Site { operation, needle, moment, nth: 1 + u32::try_from(dice.below(nth as usize)).expect("it is small") }
}
