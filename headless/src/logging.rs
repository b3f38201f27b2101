//! Logs go to stderr, so that stdout stays what was asked for.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Warnings and worse, unless `AGON_LOG` says otherwise (e.g. `AGON_LOG=judge_core=debug`).
pub fn start() {
    let filter = EnvFilter::try_from_env("AGON_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    let is_terminal = std::io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(is_terminal).init();
}
