//! Judging again: asking for it, the list of rejudgings, and the review in which a person decides.

mod ask;
mod choices;
mod items;
mod left;
mod list;
mod review;
mod summary;

pub(crate) use self::ask::{AskAgain, Conditions, Target};
pub use self::list::Rejudgings;
pub use self::review::Review;
