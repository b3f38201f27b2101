//! `cargo xtask`: set-up, build, run, test and the checks of the house, one command each.

mod apt_sources;
mod build;
mod cargo_facts;
mod command;
mod failure;
mod machine;
mod measure;
mod place;
mod prove;
mod run;
mod say;
mod sbom;
mod setup;
mod soak;
mod step;
mod test;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::build::What;
use crate::failure::Failure;
use crate::place::Place;
use crate::setup::Purpose;
use crate::test::Tier;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Set up, build, run and test Agon", version)]
struct CommandLine {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install whatever this machine lacks to build, run and test Agon
    Setup {
        /// Only these parts (packages, wasm-target, wasm-bindgen, engine, image, supervisor, …)
        #[arg(value_name = "PART")]
        only: Vec<String>,
    },
    /// Build the interface, the supervisor, the command line program or the desktop program
    Build {
        #[arg(value_enum, default_value = "all")]
        what: What,
    },
    /// Set up, build and open the app; without a display, serve it and print the local address
    Run {
        /// Handed to the program
        #[arg(last = true)]
        arguments: Vec<String>,
    },
    /// Set up, then run the test tiers (all of them, or those named)
    Test {
        #[arg(value_enum)]
        tiers: Vec<Tier>,
        /// Only tests whose name contains this
        #[arg(long)]
        filter: Option<String>,
        /// Do not look at the set-up first
        #[arg(long)]
        no_setup: bool,
    },
    /// Check the rules of the house: dependencies, direction, sizes, words, invariants
    Tidy,
    /// Write the bill of materials (CycloneDX JSON) to artifacts/
    Sbom,
    /// Run the benches and print medians and ratios
    Bench {
        /// Only benches whose name contains this
        filter: Option<String>,
    },
    /// Kill the program again and again at random places in the middle of its work; look at every promise at the end
    Soak {
        /// How often
        #[arg(long, default_value_t = 300)]
        kills: u32,
        /// Where chance begins; printed, so that a run can be had again
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Take a screenshot of every screen, in both themes, into artifacts/
    Shots,
    /// Prove the set-up in a fresh minimal Debian root with an engine of its own (needs root)
    ProveSetup(prove::Options),
}

fn main() -> ExitCode {
    match carry_out(CommandLine::parse().task) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            say::line(&format!("\n{failure}"));
            ExitCode::FAILURE
        }
    }
}

/// Whether it went well; `false` is for tests that failed and have said so.
fn carry_out(task: Task) -> Result<bool, Failure> {
    let place = Place::find()?;
    match task {
        Task::Setup { only } => setup::set_up(Purpose::Everything, &only, &place)?,
        Task::Build { what } => build::build(what, &place)?,
        Task::Run { arguments } => run::run(&arguments, &place)?,
        Task::Test { tiers, filter, no_setup } => return test::test(&tiers, filter.as_deref(), no_setup, &place),
        Task::Tidy => return tidy::report(&place),
        Task::Sbom => sbom::write(&place)?,
        Task::Bench { filter } => measure::bench(filter.as_deref(), &place)?,
        Task::Soak { kills, seed } => soak::soak(kills, seed, &place)?,
        Task::Shots => return measure::shots(&place),
        Task::ProveSetup(options) => prove::prove(&options, &place)?,
    }
    Ok(true)
}
