//! One run: launch, watch, end it, reap, measure.

use std::os::fd::OwnedFd;

use agon_supervisor::wire::{Channel, End, Report, RunRequest, WireError};

use crate::counters::{Counters, Snapshot, peak_memory, rise};
use crate::launch::Launcher;
use crate::premises::OwnBox;
use crate::reap::{Reaped, kill_all};
use crate::watch::{Watched, now_us, watch};

/// Starting a program that takes longer than this was held up by the machine; a healthy one needs a millisecond.
const SLOW_LAUNCH_US: u64 = 100_000;

/// What a run needs besides its request.
pub struct Bench<'a> {
    pub own_box: &'a OwnBox,
    pub launcher: &'a mut Launcher,
    pub counters: &'a Counters,
    pub control: &'a mut Channel,
    pub cores: u64,
}

/// Runs one program to its end. Afterwards no process but the supervisor lives; the folders are not yet clean.
///
/// # Errors
/// Only when the judge is gone or talks nonsense: everything is dead then, and the box must end.
pub fn run(bench: &mut Bench<'_>, request: &RunRequest, stdio: [OwnedFd; 3]) -> Result<Report, WireError> {
    let before = bench.counters.snapshot();
    let asked_us = now_us();
    let launched = bench.launcher.launch(request, &stdio);
    // The launch returns when the program has been exec'ed: its wall time begins here.
    let started_us = now_us();
    drop(stdio);
    let mut reaped = Reaped::default();
    let (pid, not_launched, watched) = match launched {
        Ok(launched) => {
            let watched = watch(bench, request, &launched, &before, started_us, &mut reaped);
            (launched.pid, None, watched)
        }
        Err(errno) => (0, Some(End::NotLaunched(errno)), Ok(Watched::default())),
    };
    kill_all(bench.own_box);
    reaped.rest(pid);
    let mut watched = watched?;
    let launch_us = started_us.saturating_sub(asked_us);
    if launch_us > SLOW_LAUNCH_US {
        watched.held_up_us += launch_us;
    }
    let after = bench.counters.snapshot();
    let end = not_launched.or(reaped.main).unwrap_or(End::NotLaunched(libc::ECHILD));
    Ok(report(request.run, end, &watched, &reaped, &before, &after))
}

fn report(run: u32, end: End, watched: &Watched, reaped: &Reaped, before: &Snapshot, after: &Snapshot) -> Report {
    let cpu_us = match (before.cpu_us, after.cpu_us) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        (Some(_) | None, Some(_) | None) => reaped.cpu_us,
    };
    Report {
        run,
        end,
        stopped: watched.stopped,
        cpu_us,
        wall_us: watched.wall_us,
        peak_memory_bytes: peak_memory(before, after, reaped.largest_process_bytes, watched.highest_memory_bytes),
        oom_kills: count(rise(before.oom_kills, after.oom_kills)),
        forks_refused: count(rise(before.forks_refused, after.forks_refused)),
        processes_seen: reaped.processes,
        held_up_us: watched.held_up_us,
        unclean: None,
    }
}

fn count(rise: u64) -> u32 {
    u32::try_from(rise).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_visible_counter_the_reaped_processes_are_summed() {
        let reaped = Reaped { cpu_us: 700, processes: 2, largest_process_bytes: 9, ..Reaped::default() };
        let none = Snapshot::default();
        let report = report(3, End::Exited(0), &Watched::default(), &reaped, &none, &none);
        assert_eq!((report.cpu_us, report.peak_memory_bytes, report.processes_seen), (700, 9, 2));
        assert_eq!((report.oom_kills, report.forks_refused), (0, 0));
    }

    #[test]
    fn counters_are_told_as_what_they_rose_by() {
        let before = Snapshot { cpu_us: Some(100), oom_kills: Some(2), forks_refused: Some(7), ..Snapshot::default() };
        let after = Snapshot { cpu_us: Some(450), oom_kills: Some(3), forks_refused: Some(7), ..before };
        let report = report(1, End::Signalled(9), &Watched::default(), &Reaped::default(), &before, &after);
        assert_eq!((report.cpu_us, report.oom_kills, report.forks_refused), (350, 1, 0));
    }
}
