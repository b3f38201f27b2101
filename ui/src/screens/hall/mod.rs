//! The hall's screens for staff: how the judging goes, and what a person decides about it.

mod frame;
mod operations;

pub use self::frame::may_enter;
pub use self::operations::Operations;
