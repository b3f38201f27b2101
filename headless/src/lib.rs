//! Everything Agon does without a window: the command line and the local server.

mod account_command;
mod audit_command;
mod backup_command;
pub mod cli;
mod derive;
mod desk;
mod exit;
mod findings;
mod import_command;
mod judge_command;
mod list_commands;
mod logging;
mod module_commands;
mod owned;
mod rejudge_command;
mod self_test_command;
pub mod serve;
mod serve_command;
mod settings_command;
mod staff_command;
mod table;
mod verify_command;
mod workroom;

pub use exit::Exit;
pub use logging::start as start_logging;
