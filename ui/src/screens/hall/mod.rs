//! The hall's screens for staff: how the judging goes, and what a person decides about it.

mod accounts;
mod audit;
mod backups;
mod frame;
mod operations;
mod people;
mod rejudge;

pub use self::accounts::Accounts;
pub use self::audit::AuditLog;
pub use self::backups::Backups;
pub use self::frame::may_enter;
pub use self::operations::Operations;
pub(crate) use self::rejudge::{AskAgain, Conditions, Target};
pub use self::rejudge::{Rejudgings, Review};
