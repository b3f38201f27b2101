//! The desktop app: opens the judge on this person's data folder and shows its window.
//!
//! This is the composition root and nothing more: no SQL, no container engine, no verdict is known here.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod closing;
mod commands;
mod failure;
mod shell;
mod texts;

use std::io::Write;
use std::process::ExitCode;

use judge_core::{Judge, JudgeConfig, OpenError};
use tracing_subscriber::EnvFilter;

/// Told to whoever starts the app a second time.
const PROGRAM: &str = "agon-desktop";

fn main() -> ExitCode {
    let filter = EnvFilter::try_from_env("AGON_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return failure::show(&format!("The asynchronous runtime cannot start: {error}")),
    };
    tauri::async_runtime::set(runtime.handle().clone());
    let Some(folder) = JudgeConfig::default_data_folder() else {
        return failure::show("There is no home folder to keep data in. Name a folder with AGON_DATA.");
    };
    let config = JudgeConfig { runs_modules: true, ..JudgeConfig::new(folder, PROGRAM) };
    match runtime.block_on(Judge::open(config)) {
        Ok(judge) => shell::run(judge),
        Err(error) => refused(&error),
    }
}

/// A second start asks the first to come forward; anything else is told in a dialog.
fn refused(error: &OpenError) -> ExitCode {
    let is_window = matches!(error, OpenError::Occupied { program, .. } if program == PROGRAM);
    if is_window && error.ask_owner_to_show() {
        let _ = writeln!(std::io::stderr(), "Agon is already running; its window has been asked to come to the front.");
        return ExitCode::SUCCESS;
    }
    failure::show(&error.to_string())
}
