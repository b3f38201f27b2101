//! The program `agon`.

use std::process::ExitCode;

use agon::cli::CommandLine;
use clap::Parser;

fn main() -> ExitCode {
    let command_line = CommandLine::parse();
    agon::start_logging();
    agon::cli::run(command_line).into()
}
