//! Watches a running program: its end, its clocks, the judge's word, and how often the machine held it up.

use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use agon_supervisor::wire::{Channel, MOST_EXCUSED_WALLS, RunRequest, Stopped, ToBox, WireError};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::time::{ClockId, clock_gettime};

use crate::counters::{Snapshot, rise};
use crate::launch::Launched;
use crate::reap::{Reaped, kill_all};
use crate::run::Bench;

/// Longest time between two looks: orphans are reaped and memory is sampled at least this often.
const LOOK_INTERVAL_US: u64 = 25_000;
/// Shortest: a run near its CPU limit is looked at no more often.
const SHORTEST_LOOK_US: u64 = 500;
/// Refused forks that end a run at once. A program that meets the limit by honest need is refused a few times and goes
/// on with what it has; a fork bomb collects thousands within one look.
const FORK_BOMB_REFUSALS: u64 = 500;
/// A run that idled less than this is not asked how long it waited for a core; a pause that came out longer than asked
/// by less than this is ordinary scheduling.
const WORTH_EXPLAINING_US: u64 = 20_000;

/// What the watch saw.
#[derive(Debug, Default)]
pub struct Watched {
    pub stopped: Option<Stopped>,
    pub wall_us: u64,
    pub highest_memory_bytes: u64,
    pub held_up_us: u64,
}

/// Watches until the main program has ended, killing the box when a limit passes or the judge asks.
///
/// # Errors
/// The judge is gone or talks nonsense; the program still runs then.
pub fn watch(
    bench: &mut Bench<'_>,
    request: &RunRequest,
    launched: &Launched,
    before: &Snapshot,
    started_us: u64,
    reaped: &mut Reaped,
) -> Result<Watched, WireError> {
    let mut watched = Watched::default();
    let mut stalled_us = 0;
    loop {
        let cpu_us = rise(before.cpu_us, bench.counters.cpu_us());
        let look_us = now_us();
        watched.wall_us = look_us.saturating_sub(started_us);
        if watched.fair_wall_us(request) > request.wall_limit_us {
            watched.held_up_us = run_delay_us(launched.pid).max(stalled_us).max(watched.held_up_us);
        }
        let fair_wall_us = watched.fair_wall_us(request);
        if watched.stopped.is_none() {
            let refused = rise(before.forks_refused, bench.counters.forks_refused());
            watched.stopped = limit_passed(request, cpu_us, fair_wall_us, refused);
            if watched.stopped.is_some() {
                kill_all(bench.own_box);
            }
        }
        let pause_us = next_look_us(request, cpu_us, fair_wall_us, bench.cores);
        let seen = wait_for(launched.pidfd.as_fd(), bench.control.as_fd(), pause_us);
        stalled_us += stall_us(now_us().saturating_sub(look_us), pause_us);
        if seen.judge && heard_stop(bench.control, request.run)? && watched.stopped.is_none() {
            watched.stopped = Some(Stopped::OnRequest);
            kill_all(bench.own_box);
        }
        if seen.ended || reaped.orphans(launched.pid) {
            watched.wall_us = now_us().saturating_sub(started_us);
            let cpu_us = rise(before.cpu_us, bench.counters.cpu_us());
            if watched.wall_us.saturating_sub(cpu_us) > WORTH_EXPLAINING_US {
                watched.held_up_us = run_delay_us(launched.pid).max(stalled_us).max(watched.held_up_us);
            }
            return Ok(watched);
        }
        let memory = bench.counters.memory_bytes().unwrap_or(0);
        watched.highest_memory_bytes = watched.highest_memory_bytes.max(memory);
    }
}

impl Watched {
    /// Wall time less what the machine used up of it, as far as that is forgiven.
    fn fair_wall_us(&self, request: &RunRequest) -> u64 {
        let most = request.wall_limit_us.saturating_mul(MOST_EXCUSED_WALLS);
        self.wall_us.saturating_sub(self.held_up_us.min(most))
    }
}

/// A pause that came out much longer than asked: the whole box, this process included, was not let run.
fn stall_us(lasted_us: u64, asked_us: u64) -> u64 {
    let excess = lasted_us.saturating_sub(asked_us);
    if excess > WORTH_EXPLAINING_US { excess } else { 0 }
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

/// Microseconds of the monotonic clock.
pub fn now_us() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    seconds * 1_000_000 + u64::try_from(now.tv_nsec).unwrap_or(0) / 1000
}

/// How long the thread that waited longest was ready and not let run. The first thread alone would not do: a virtual
/// machine's does nothing but wait for another. What ended threads waited is gone with them.
fn run_delay_us(pid: i32) -> u64 {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    threads.map(|thread| schedstat_delay_us(&thread.path().join("schedstat"))).max().unwrap_or(0)
}

/// Second field of `schedstat`: nanoseconds spent runnable but waiting. Readable until the program is reaped.
fn schedstat_delay_us(path: &Path) -> u64 {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.split(' ').nth(1).and_then(|field| field.parse::<u64>().ok()).unwrap_or(0) / 1000
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
    fn being_held_up_is_forgiven_up_to_a_bound() {
        let request = request(1000, 3000);
        let fair = |wall_us, held_up_us| Watched { wall_us, held_up_us, ..Watched::default() }.fair_wall_us(&request);
        assert_eq!(fair(5000, 2500), 2500);
        assert_eq!(fair(100_000, 99_000), 91_000);
    }

    #[test]
    fn a_waiting_thread_is_seen_behind_an_idle_first_one() {
        let pid = i32::try_from(std::process::id()).expect("a pid");
        let own = |thread: &str| schedstat_delay_us(&Path::new("/proc/self/task").join(thread).join("schedstat"));
        let slowest = std::fs::read_dir("/proc/self/task").expect("threads").flatten();
        let slowest = slowest.map(|thread| own(&thread.file_name().to_string_lossy())).max().expect("a thread");
        assert!(run_delay_us(pid) >= slowest, "every thread counts, and waiting only grows");
        assert_eq!(run_delay_us(-1), 0);
    }

    #[test]
    fn ordinary_scheduling_is_no_stall() {
        assert_eq!(stall_us(30_000, 25_000), 0);
        assert_eq!(stall_us(3_000, 25_000), 0, "an early event");
        assert_eq!(stall_us(2_025_000, 25_000), 2_000_000);
    }
}
