//! The command line: what can be asked, and who answers.

use std::time::Duration;

use clap::{Parser, Subcommand};

use crate::exit::Exit;
use crate::owned::{self, CommandError};
use crate::{
    account_command, audit_command, backup_command, import_command, judge_command, list_commands, module_commands,
    rejudge_command, self_test_command, serve_command, settings_command, staff_command, verify_command,
};

/// Time for what runs on threads of its own to come to an end.
const LEAVE_WITHIN: Duration = Duration::from_secs(5);

/// Shown below the list of commands.
const EXIT_CODES: &str = "\
Exit codes:
  0    done; `judge`: accepted; `verify`: everything as the package says
  1    another verdict, or something not as expected
  2    the call or the package is wrong; nothing was judged
  3    a fault of ours or the machine's: no engine, no image, the data folder cannot be used
  130  stopped by Ctrl-C or a termination signal

Data lie in $AGON_DATA, else in the platform's data folder (~/.local/share/agon).";

/// A programming-contest judge on your own machine.
#[derive(Debug, Parser)]
#[command(name = "agon", version, about, after_help = EXIT_CODES, arg_required_else_help = true)]
pub struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge a program against a problem package; keeps nothing.
    Judge(judge_command::Asked),
    /// Check that a package's example submissions do what the package says; keeps nothing.
    Verify(verify_command::Asked),
    /// Take a problem package into the data folder.
    Import(import_command::Asked),
    /// Make and change the accounts that log in to `agon serve`.
    Account(account_command::Asked),
    /// List the problems of the data folder.
    Problems(list_commands::Asked),
    /// List the submissions of the data folder, newest first.
    Submissions(list_commands::Asked),
    /// Judge submissions of the data folder again.
    Rejudge(rejudge_command::Asked),
    /// Look at rejudgings, and decide whether their verdicts count.
    #[command(subcommand)]
    ChangeSet(rejudge_command::ChangeSetAsked),
    /// End the judging of a submission that waits or is judged now.
    Cancel(staff_command::Asked),
    /// Look at what was set aside and needs a person, and set it going again.
    #[command(subcommand)]
    DeadLetters(staff_command::LettersAsked),
    /// Say why the last two verdicts of a submission differ: what each was made with.
    Explain(staff_command::Asked),
    /// Copy everything while it is in use, and read the copy back.
    Backup(backup_command::BackupAsked),
    /// Give a backup back; what was there before is kept aside.
    Restore(backup_command::RestoreAsked),
    /// Who did what on this data folder, and whether the log of it is whole.
    #[command(subcommand)]
    Audit(audit_command::Asked),
    /// Take a problem off the list; its submissions stay.
    Remove {
        /// The problem's short name, as `agon problems` lists it.
        problem: String,
    },
    /// List optional services, or switch one on or off.
    Modules(module_commands::Asked),
    /// List what holds for the whole data folder, or change it: how many are judged at once, scheduled backups …
    Settings(settings_command::Asked),
    /// Show or set the folder whose problem packages are taken in by themselves.
    WatchFolder(module_commands::FolderAsked),
    /// Check everything a verdict depends on: engine, image, protections, limits, toolchains.
    SelfTest(self_test_command::Asked),
    /// Serve the interface to a browser on this machine.
    Serve(serve_command::Asked),
    /// Print a new one-time address of the `agon serve` that runs on the data folder.
    Address,
}

/// Runs a parsed command line to its end. What went wrong is on stderr, once.
#[must_use]
pub fn run(command_line: CommandLine) -> Exit {
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            owned::note(format_args!("agon: the asynchronous runtime cannot start: {error}"));
            return Exit::Fault;
        }
    };
    let exit = match runtime.block_on(answer(command_line.command)) {
        Ok(exit) => exit,
        Err(error) => {
            owned::note(format_args!("agon: {}", error.in_words()));
            error.exit()
        }
    };
    // Whatever still reads or writes somewhere keeps nobody from leaving: what counts has been committed.
    runtime.shutdown_timeout(LEAVE_WITHIN);
    exit
}

async fn answer(command: Command) -> Result<Exit, CommandError> {
    match command {
        Command::Judge(asked) => judge_command::run(asked).await,
        Command::Verify(asked) => verify_command::run(asked).await,
        Command::Import(asked) => import_command::run(asked).await,
        Command::Account(asked) => account_command::run(asked).await,
        Command::Problems(asked) => list_commands::problems(asked).await,
        Command::Submissions(asked) => list_commands::submissions(asked).await,
        Command::Rejudge(asked) => rejudge_command::run(asked).await,
        Command::ChangeSet(asked) => rejudge_command::change_set(asked).await,
        Command::Cancel(asked) => staff_command::cancel(asked).await,
        Command::DeadLetters(asked) => staff_command::dead_letters(asked).await,
        Command::Explain(asked) => staff_command::explain(asked).await,
        Command::Backup(asked) => backup_command::backup(asked).await,
        Command::Restore(asked) => backup_command::restore(asked).await,
        Command::Audit(asked) => audit_command::run(asked).await,
        Command::Modules(asked) => module_commands::modules(asked).await,
        Command::WatchFolder(asked) => module_commands::watch_folder(asked).await,
        Command::Settings(asked) => settings_command::run(asked).await,
        Command::SelfTest(asked) => self_test_command::run(asked).await,
        Command::Remove { problem } => list_commands::remove(&problem).await,
        Command::Serve(asked) => serve_command::run(asked).await,
        Command::Address => serve_command::new_address().await,
    }
}
