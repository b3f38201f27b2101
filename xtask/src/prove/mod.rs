//! Proves the two set-up commands on a fresh machine: a minimal Debian root with an engine of its own.
//!
//! The toolchain is mounted read-only and without the wasm32 target, as on a machine where somebody else installed it. Only
//! the network is shared. Mounts and processes live in namespaces of their own, so nothing outlives the proof, however it ends.

mod browser;
mod inside;
mod root;

use std::path::PathBuf;
use std::process::Command;

use crate::command;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::place::Place;
use crate::say;

/// What to prove, and where.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The folder to make the root in (about 20 GB), a new one below /var/tmp if not given; one that an earlier proof kept is
    /// used as it was left, with the current commit
    #[arg(long)]
    folder: Option<PathBuf>,
    /// What to do there, in order; all of them if none is named
    #[arg(value_enum)]
    acts: Vec<Act>,
    /// Leave the folder for a look around
    #[arg(long)]
    keep: bool,
    /// Used by the proof itself, in the namespaces it has made
    #[arg(long, hide = true)]
    inside: bool,
}

/// One thing a person does on the fresh machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Act {
    /// `cargo xtask setup`, twice: the second time must find everything there.
    Setup,
    /// `cargo xtask run` without a display: it must print an address that answers.
    Run,
    /// `cargo xtask test`.
    Test,
    /// `cargo xtask run` and the stories as an unprivileged user of the engine's group.
    User,
}

impl Act {
    const ALL: [Self; 4] = [Self::Setup, Self::Run, Self::Test, Self::User];
}

/// Makes the root, acts in it, removes it.
pub(crate) fn prove(options: &Options, place: &Place) -> Result<(), Failure> {
    let acts = if options.acts.is_empty() { Act::ALL.to_vec() } else { options.acts.clone() };
    let folder =
        options.folder.clone().unwrap_or_else(|| PathBuf::from(format!("/var/tmp/agon-proof-{}", std::process::id())));
    if options.inside {
        return inside::act(&acts, &folder);
    }
    let machine = Machine::look();
    if !machine.is_root {
        return Err(
            Failure::new("the proof makes a root file system and mounts").fix("sudo -E cargo xtask prove-setup")
        );
    }
    say::heading(&format!("proof in {}", folder.display()));
    let result = root::make_or_renew(&folder, place, &machine).and_then(|()| in_namespaces(&acts, &folder));
    if !options.keep {
        // The mounts are gone with their namespace; should one have been missed, it is not entered.
        command::output(Command::new("rm").args(["-rf", "--one-file-system"]).arg(&folder))?;
    }
    result
}

/// This very program again, as the first process of a pid namespace: when it ends, so does all that it started.
fn in_namespaces(acts: &[Act], folder: &std::path::Path) -> Result<(), Failure> {
    use clap::ValueEnum;
    let me = std::env::current_exe().map_err(|source| Failure::new(format!("who am I: {source}")))?;
    let mut enter = Command::new("unshare");
    enter.args(["--mount", "--pid", "--fork", "--kill-child", "--propagation", "private"]).arg(me);
    enter.args(["prove-setup", "--inside", "--folder"]).arg(folder);
    enter.args(acts.iter().filter_map(|act| Some(act.to_possible_value()?.get_name().to_owned())));
    command::on_terminal(&mut enter)
}
