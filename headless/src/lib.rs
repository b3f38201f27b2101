//! Everything Agon does without a window: the command line and the local server.

pub mod cli;
mod exit;
mod logging;
mod owned;
pub mod serve;
mod serve_command;

pub use exit::Exit;
pub use logging::start as start_logging;
