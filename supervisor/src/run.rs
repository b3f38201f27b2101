//! One run: launch, watch the clocks, end it, reap, measure.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use agon_supervisor::wire::{Channel, End, MOST_EXCUSED_WALLS, Report, RunRequest, Stopped, ToBox, WireError};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::time::{ClockId, clock_gettime};

use crate::counters::{Counters, Snapshot, peak_memory, rise};
use crate::launch::{Launched, Launcher};
use crate::premises::OwnBox;
use crate::reap::{Reaped, kill_all};

/// Longest time between two looks: orphans are reaped and memory is sampled at least this often.
const LOOK_INTERVAL_US: u64 = 25_000;
/// Shortest: a run near its CPU limit is looked at no more often.
const SHORTEST_LOOK_US: u64 = 500;
/// Refused forks that end a run at once. A program that meets the limit by honest need is refused a few times and goes
/// on with what it has; a fork bomb collects thousands within one look.
const FORK_BOMB_REFUSALS: u64 = 500;
/// A run that idled less than this is not asked how long it waited for a core.
const IDLE_WORTH_EXPLAINING_US: u64 = 20_000;

/// What a run needs besides its request.
pub struct Bench<'a> {
    pub own_box: &'a OwnBox,
    pub launcher: &'a mut Launcher,
    pub counters: &'a Counters,
    pub control: &'a mut Channel,
    pub cores: u64,
}

/// How the watch ended.
struct Watched {
    stopped: Option<Stopped>,
    wall_us: u64,
    highest_memory_bytes: u64,
    run_delay_us: u64,
}

/// Runs one program to its end. Afterwards no process but the supervisor lives; the folders are not yet clean.
///
/// # Errors
/// Only when the judge is gone or talks nonsense: everything is dead then, and the box must end.
pub fn run(bench: &mut Bench<'_>, request: &RunRequest, stdio: [OwnedFd; 3]) -> Result<Report, WireError> {
    let before = bench.counters.snapshot();
    let started_us = now_us();
    let launched = bench.launcher.launch(request, &stdio);
    drop(stdio);
    let mut reaped = Reaped::default();
    let (pid, not_launched, watched) = match launched {
        Ok(launched) => {
            let watched = watch(bench, request, &launched, &before, started_us, &mut reaped);
            (launched.pid, None, watched)
        }
        Err(errno) => (0, Some(End::NotLaunched(errno)), Ok(Watched::nothing())),
    };
    kill_all(bench.own_box);
    reaped.rest(pid);
    let watched = watched?;
    let after = bench.counters.snapshot();
    let end = not_launched.or(reaped.main).unwrap_or(End::NotLaunched(libc::ECHILD));
    Ok(report(request.run, end, &watched, &reaped, &before, &after))
}

impl Watched {
    fn nothing() -> Self {
        Self { stopped: None, wall_us: 0, highest_memory_bytes: 0, run_delay_us: 0 }
    }
}

/// Watches until the main program has ended, killing the box when a limit passes or the judge asks.
fn watch(
    bench: &mut Bench<'_>,
    request: &RunRequest,
    launched: &Launched,
    before: &Snapshot,
    started_us: u64,
    reaped: &mut Reaped,
) -> Result<Watched, WireError> {
    let mut watched = Watched::nothing();
    let mut excused_us = 0;
    loop {
        let cpu_us = rise(before.cpu_us, bench.counters.cpu_us());
        watched.wall_us = now_us().saturating_sub(started_us);
        if watched.wall_us > request.wall_limit_us + excused_us {
            excused_us = excuse_us(request, run_delay_us(launched.pid));
        }
        let fair_wall_us = watched.wall_us.saturating_sub(excused_us);
        if watched.stopped.is_none() {
            let refused = rise(before.forks_refused, bench.counters.forks_refused());
            watched.stopped = limit_passed(request, cpu_us, fair_wall_us, refused);
            if watched.stopped.is_some() {
                kill_all(bench.own_box);
            }
        }
        let pause_us = next_look_us(request, cpu_us, fair_wall_us, bench.cores);
        let seen = wait_for(launched.pidfd.as_fd(), bench.control.as_fd(), pause_us);
        if seen.judge && heard_stop(bench.control, request.run)? && watched.stopped.is_none() {
            watched.stopped = Some(Stopped::OnRequest);
            kill_all(bench.own_box);
        }
        if seen.ended || reaped.orphans(launched.pid) {
            watched.wall_us = now_us().saturating_sub(started_us);
            let cpu_us = rise(before.cpu_us, bench.counters.cpu_us());
            if watched.wall_us.saturating_sub(cpu_us) > IDLE_WORTH_EXPLAINING_US {
                watched.run_delay_us = run_delay_us(launched.pid);
            }
            return Ok(watched);
        }
        let memory = bench.counters.memory_bytes().unwrap_or(0);
        watched.highest_memory_bytes = watched.highest_memory_bytes.max(memory);
    }
}

/// The part of the wall time that the machine, not the program, used up: the program was ready and had to wait.
fn excuse_us(request: &RunRequest, run_delay_us: u64) -> u64 {
    run_delay_us.min(request.wall_limit_us.saturating_mul(MOST_EXCUSED_WALLS))
}

/// CPU comes first: a program that used up both is told about its CPU.
fn limit_passed(request: &RunRequest, cpu_us: u64, wall_us: u64, forks_refused: u64) -> Option<Stopped> {
    if cpu_us > request.cpu_limit_us {
        Some(Stopped::CpuLimit)
    } else if wall_us > request.wall_limit_us {
        Some(Stopped::WallLimit)
    } else if forks_refused >= FORK_BOMB_REFUSALS {
        Some(Stopped::ForkLimit)
    } else {
        None
    }
}

/// How long nothing can pass a limit: CPU grows at most by the number of cores.
fn next_look_us(request: &RunRequest, cpu_us: u64, wall_us: u64, cores: u64) -> u64 {
    let until_cpu = request.cpu_limit_us.saturating_sub(cpu_us) / cores.max(1);
    let until_wall = request.wall_limit_us.saturating_sub(wall_us);
    until_cpu.min(until_wall).clamp(SHORTEST_LOOK_US, LOOK_INTERVAL_US)
}

struct Seen {
    ended: bool,
    judge: bool,
}

fn wait_for(pidfd: BorrowedFd<'_>, control: BorrowedFd<'_>, pause_us: u64) -> Seen {
    let timeout = Timespec {
        tv_sec: i64::try_from(pause_us / 1_000_000).unwrap_or(i64::MAX),
        tv_nsec: i64::try_from(pause_us % 1_000_000 * 1000).unwrap_or(0),
    };
    let mut watched = [PollFd::new(&pidfd, PollFlags::IN), PollFd::new(&control, PollFlags::IN)];
    // An interrupted or failed poll reports nothing; the clocks are looked at again at once.
    let polled = poll(&mut watched, Some(&timeout)).unwrap_or(0);
    Seen {
        ended: polled > 0 && !watched[0].revents().is_empty(),
        judge: polled > 0 && !watched[1].revents().is_empty(),
    }
}

/// During a run the judge may only say "stop"; a stop for an earlier run came too late and means nothing.
fn heard_stop(control: &mut Channel, this_run: u32) -> Result<bool, WireError> {
    match control.receive::<ToBox>()?.frame {
        ToBox::Stop { run } => Ok(run == this_run),
        ToBox::Run(_) | ToBox::Collect(_) | ToBox::Shutdown => Err(WireError::Closed),
    }
}

fn now_us() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    seconds * 1_000_000 + u64::try_from(now.tv_nsec).unwrap_or(0) / 1000
}

/// Second field of `schedstat`: nanoseconds spent runnable but waiting. Readable until the program is reaped.
fn run_delay_us(pid: i32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/schedstat")).unwrap_or_default();
    text.split(' ').nth(1).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0) / 1000
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
        run_delay_us: watched.run_delay_us,
        unclean: None,
    }
}

fn count(rise: u64) -> u32 {
    u32::try_from(rise).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(cpu_limit_us: u64, wall_limit_us: u64) -> RunRequest {
        RunRequest {
            run: 1,
            argv: Vec::new(),
            env: Vec::new(),
            working_dir: String::new(),
            cpu_limit_us,
            wall_limit_us,
            stack_bytes: 0,
            file_bytes: 0,
            open_files: 0,
            keep_files: false,
        }
    }

    #[test]
    fn cpu_is_named_before_wall_and_a_limit_may_be_used_up() {
        let request = request(1000, 3000);
        assert_eq!(limit_passed(&request, 1000, 3000, 499), None);
        assert_eq!(limit_passed(&request, 1001, 3001, 500), Some(Stopped::CpuLimit));
        assert_eq!(limit_passed(&request, 5, 3001, 500), Some(Stopped::WallLimit));
        assert_eq!(limit_passed(&request, 5, 5, 500), Some(Stopped::ForkLimit));
    }

    #[test]
    fn a_look_never_comes_after_the_earliest_possible_limit() {
        let request = request(1_000_000, 3_000_000);
        assert_eq!(next_look_us(&request, 0, 0, 1), LOOK_INTERVAL_US);
        assert_eq!(next_look_us(&request, 980_000, 990_000, 2), 10_000, "two cores burn twice");
        assert_eq!(next_look_us(&request, 0, 2_999_000, 1), 1_000);
        assert_eq!(next_look_us(&request, 999_999, 0, 1), SHORTEST_LOOK_US);
        assert_eq!(next_look_us(&request, 2_000_000, 0, 0), SHORTEST_LOOK_US);
    }

    #[test]
    fn waiting_for_a_core_is_excused_up_to_a_bound() {
        let request = request(1000, 3000);
        assert_eq!(excuse_us(&request, 2500), 2500);
        assert_eq!(excuse_us(&request, 1_000_000), 9000);
    }

    #[test]
    fn without_a_visible_counter_the_reaped_processes_are_summed() {
        let reaped = Reaped { cpu_us: 700, processes: 2, largest_process_bytes: 9, ..Reaped::default() };
        let none = Snapshot::default();
        let report = report(3, End::Exited(0), &Watched::nothing(), &reaped, &none, &none);
        assert_eq!((report.cpu_us, report.peak_memory_bytes, report.processes_seen), (700, 9, 2));
        assert_eq!((report.oom_kills, report.forks_refused), (0, 0));
    }
}
