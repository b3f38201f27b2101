//! What is said between the rooms of Agon: ids, commands, events, states, verdicts, errors. Data only.
//!
//! Nothing here does I/O, reads a clock or makes an id. The crate builds for wasm32, so the interface and the judge
//! core share one definition of every message. Within one [`CONTRACT_VERSION`] changes only add; an enum that crosses
//! the wire keeps a value it does not know as `Unknown(text)`, so a newer peer is told about, not crashed on.

pub mod account;
pub mod audit;
pub mod backup;
pub mod command;
pub mod delivery;
pub mod error;
pub mod event;
pub mod execution;
pub mod folder_setting;
pub mod ids;
pub mod language;
pub mod message;
pub mod module;
pub mod notice;
pub mod operations;
pub mod package;
pub mod permission;
pub mod problem;
pub mod reason;
pub mod rejudge;
pub mod sandbox;
pub mod score;
pub mod settings;
pub mod submission;
pub mod verdict;
pub mod watch;
mod wire_enum;

pub use command::{COMMAND_NAMES, Command, SESSION_COMMAND_NAMES};
pub use error::{ApiError, ErrorCode};

/// The version both ends name in [`command::Handshake`]. Raised only by a change that is not an addition.
pub const CONTRACT_VERSION: u32 = 1;
