//! Everything Agon does without a window: the command line and the local server.

pub mod cli;
mod exit;
mod findings;
mod import_command;
mod list_commands;
mod logging;
mod owned;
pub mod serve;
mod serve_command;
mod table;

pub use exit::Exit;
pub use logging::start as start_logging;
