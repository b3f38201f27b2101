//! A disk after a power cut, rebuilt from a record of everything that a real program did to it.
//!
//! `kill -9` proves nothing about fsync: the system's cache survives the process. So the shim records every write,
//! truncation, sync and change of a name below the data folder, in order, and every answer to a client. [`model::Disk`]
//! plays the record up to any point and knows for each file and folder what was synced and what was not; a
//! [`survival::Survival`] then decides what of the rest a real disk might have kept, in whole, in part or out of order.
//! What was synced is always kept, and nothing is that was never written.

pub mod model;
pub mod record;
pub mod replay;
pub mod survival;
#[cfg(test)]
mod tests;

pub use model::Disk;
pub use record::{Change, Record};
pub use replay::Recording;
pub use survival::Survival;
