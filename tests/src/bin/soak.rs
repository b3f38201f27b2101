//! `cargo xtask soak`: the crash story for as long as one likes.

use std::process::ExitCode;

use agon_tests::soak;

#[expect(clippy::print_stdout, reason = "a soak tells how far it is")]
fn main() -> ExitCode {
    let argument = |name: &str, usual: u64| {
        let mut words = std::env::args().skip_while(|word| word != name).skip(1);
        words.next().map_or(usual, |text| text.parse().expect("a number"))
    };
    let kills = u32::try_from(argument("--kills", 300)).expect("fewer kills");
    let seed = argument("--seed", 1);
    println!("soak: {kills} kills, seed {seed}");
    match soak::run(kills, seed, |line| println!("{line}")) {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(missing) => {
            println!("{}", missing.0);
            ExitCode::FAILURE
        }
    }
}
