//! Every limit provoked once: what ends a program must be named after what the kernel did, and the next one must run.

use super::bench::{self, AMPLE, Bench, Seen};
use super::ledger::{Finding, Ledger};
use super::workshop::BUSY;
use crate::sandbox::{Limits, Outcome, SandboxError, signal_name, verdict_for};

/// One program and the only right end for it.
pub(super) struct Provocation {
    pub(super) name: &'static str,
    pub(super) program: &'static str,
    limits: Limits,
    pub(super) expected: Outcome,
    remedy: &'static str,
}

const MEMORY: &str = "The kernel's memory counters do not reach the box: enable the memory controller (boot with \
     `cgroup_enable=memory swapaccount=1` on older kernels) and restart the engine.";
const PROCESSES: &str = "The kernel's pids controller does not reach the box: enable it and restart the engine.";
const TIMES: &str =
    "Build the supervisor again with `cargo xtask build supervisor`; if this stays red, report it with this text.";

/// Of a program whose wrong end may be the machine's doing.
const ATTEMPTS: u32 = 3;

/// The order matters: `after_fork_bomb` runs in the box that `limit_processes` left.
pub(super) const PROVOCATIONS: [Provocation; 8] = [
    Provocation {
        name: "exit_0",
        program: include_str!("programs/normal.py"),
        limits: AMPLE,
        expected: Outcome::Exited(0),
        remedy: TIMES,
    },
    Provocation {
        name: "exit_137",
        program: include_str!("programs/exit_137.py"),
        limits: AMPLE,
        expected: Outcome::Exited(137),
        remedy: TIMES,
    },
    Provocation {
        name: "limit_memory",
        program: include_str!("programs/memory_hog.py"),
        limits: Limits { memory_bytes: 64 << 20, ..AMPLE },
        expected: Outcome::MemoryLimit,
        remedy: MEMORY,
    },
    Provocation {
        name: "limit_cpu",
        program: include_str!("programs/busy.py"),
        limits: Limits { cpu_ms: 300, ..AMPLE },
        expected: Outcome::CpuLimit,
        remedy: TIMES,
    },
    Provocation {
        name: "limit_wall",
        program: include_str!("programs/sleeper.py"),
        limits: Limits { wall_ms: 1000, ..AMPLE },
        expected: Outcome::WallLimit,
        remedy: TIMES,
    },
    Provocation {
        name: "limit_output",
        program: include_str!("programs/printer.py"),
        limits: AMPLE,
        expected: Outcome::OutputLimit,
        remedy: TIMES,
    },
    Provocation {
        name: "limit_processes",
        program: include_str!("programs/fork_bomb.py"),
        limits: AMPLE,
        expected: Outcome::ProcessLimit,
        remedy: PROCESSES,
    },
    Provocation {
        name: "after_fork_bomb",
        program: include_str!("programs/normal.py"),
        limits: AMPLE,
        expected: Outcome::Exited(0),
        remedy: TIMES,
    },
];

/// Provokes every limit in the bench's box.
pub(super) async fn look(bench: &mut Bench<'_>, ledger: &mut Ledger<'_>) {
    for provocation in &PROVOCATIONS {
        if ledger.skip(provocation.name) {
            continue;
        }
        let started = ledger.start();
        let finding = match provoke(provocation, bench).await {
            Ok(seen) => judge(provocation, &seen),
            Err(error) => bench::fault(&error, ledger),
        };
        ledger.enter(provocation.name, started, finding);
    }
}

/// Runs the program; an end that the machine's load may have caused is tried again.
async fn provoke(provocation: &Provocation, bench: &mut Bench<'_>) -> Result<Seen, SandboxError> {
    let mut attempt = 1;
    loop {
        let seen = bench.run_python(provocation.program, provocation.limits).await?;
        let is_trusted = !seen.report.disturbed || seen.report.outcome == provocation.expected;
        if is_trusted || attempt == ATTEMPTS {
            return Ok(seen);
        }
        attempt += 1;
    }
}

fn judge(provocation: &Provocation, seen: &Seen) -> Finding {
    let (report, wanted) = (&seen.report, provocation.expected);
    let used = format!(
        "CPU {} ms, wall {} ms, peak {} MiB",
        report.cpu_ms(),
        report.wall_ms(),
        report.peak_memory_bytes.div_ceil(1 << 20)
    );
    if report.outcome != wanted {
        let (found, wanted) = (in_words(report.outcome), in_words(wanted));
        let remedy = if report.disturbed { BUSY } else { provocation.remedy };
        return Finding::bad(format!("ended as {found}, should be {wanted}; {used}"), remedy);
    }
    if wanted == Outcome::MemoryLimit && report.oom_kills == 0 {
        let seen = format!("stopped for memory, but the kernel's counter of such kills did not move; {used}");
        return Finding::bad(seen, provocation.remedy);
    }
    if wanted == Outcome::Exited(0) && seen.first_line() != "normal" {
        return Finding::bad(format!("exited 0 but printed {:?}; {used}", seen.first_line()), provocation.remedy);
    }
    Finding::Good(format!("{}; {used}", in_words(wanted)))
}

/// The outcome and the verdict that it means.
fn in_words(outcome: Outcome) -> String {
    let seen = match outcome {
        Outcome::Exited(code) => format!("exit {code}"),
        Outcome::Signalled(signal) => format!("signal {}", signal_name(signal)),
        Outcome::CpuLimit => "CPU limit".to_owned(),
        Outcome::WallLimit => "idle past the wall limit".to_owned(),
        Outcome::MemoryLimit => "memory limit".to_owned(),
        Outcome::OutputLimit => "output limit".to_owned(),
        Outcome::ProcessLimit => "fork limit".to_owned(),
        Outcome::LaunchFailed(errno) => format!("not started (errno {errno})"),
    };
    verdict_for(outcome).map_or_else(|| seen.clone(), |verdict| format!("{seen}: {verdict}"))
}
