//! From the supervisor's facts and the host's own to one outcome. The order of the questions is their precedence.

use agon_supervisor::wire::{End, Report, Stopped};

use super::{Limits, Outcome};

const SIGXFSZ: i32 = 25;
/// A run that was ready to go and was not let for this long …
const DISTURBED_US: u64 = 250_000;
/// … and for this part of its wall time was slowed by the machine.
const DISTURBED_PART: u64 = 4;

/// What ended the run. `overflown` is the host's word that standard output or error passed its cap.
/// (Source: sandbox.md, "Outcome, then verdict".)
pub(super) fn decide(report: &Report, limits: &Limits, overflown: bool) -> Outcome {
    if report.oom_kills > 0 {
        return Outcome::MemoryLimit;
    }
    if report.stopped == Some(Stopped::CpuLimit) || report.cpu_us > limits.cpu_ms * 1000 {
        return Outcome::CpuLimit;
    }
    if report.stopped == Some(Stopped::WallLimit) || fair_wall_us(report) > limits.wall_ms * 1000 {
        return Outcome::WallLimit;
    }
    if overflown || report.end == End::Signalled(SIGXFSZ) {
        return Outcome::OutputLimit;
    }
    if report.stopped == Some(Stopped::ForkLimit) || (report.forks_refused > 0 && report.end != End::Exited(0)) {
        return Outcome::ProcessLimit;
    }
    match report.end {
        End::Exited(0) if report.peak_memory_bytes > limits.memory_bytes => Outcome::MemoryLimit,
        End::Exited(code) => Outcome::Exited(code),
        End::Signalled(signal) => Outcome::Signalled(signal),
        End::NotLaunched(errno) => Outcome::LaunchFailed(errno),
    }
}

/// Wall time less the time in which the program was ready and had to wait for a core.
fn fair_wall_us(report: &Report) -> u64 {
    report.wall_us.saturating_sub(report.held_up_us)
}

/// Whether the machine, not the program, made it slow.
pub(super) fn is_disturbed(report: &Report) -> bool {
    report.held_up_us >= DISTURBED_US && report.held_up_us >= report.wall_us / DISTURBED_PART
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits {
        cpu_ms: 1000,
        wall_ms: 3000,
        memory_bytes: 1 << 28,
        output_bytes: 1 << 26,
        stderr_bytes: 1 << 16,
        file_bytes: 1 << 26,
        processes: 64,
        open_files: 128,
    };

    fn report() -> Report {
        Report {
            run: 1,
            end: End::Exited(0),
            stopped: None,
            cpu_us: 1000,
            wall_us: 2000,
            peak_memory_bytes: 1 << 20,
            oom_kills: 0,
            forks_refused: 0,
            processes_seen: 1,
            held_up_us: 0,
            unclean: None,
        }
    }

    #[test]
    fn each_row_of_the_table() {
        let killed = Report { end: End::Signalled(9), ..report() };
        let rows = [
            (report(), false, Outcome::Exited(0)),
            (Report { end: End::Exited(137), ..report() }, false, Outcome::Exited(137)),
            (Report { end: End::Signalled(11), ..report() }, false, Outcome::Signalled(11)),
            (Report { end: End::NotLaunched(8), ..report() }, false, Outcome::LaunchFailed(8)),
            (Report { oom_kills: 1, ..report() }, false, Outcome::MemoryLimit),
            (Report { peak_memory_bytes: (1 << 28) + 1, ..report() }, false, Outcome::MemoryLimit),
            (Report { stopped: Some(Stopped::CpuLimit), ..killed.clone() }, false, Outcome::CpuLimit),
            (Report { cpu_us: 1_000_001, ..report() }, false, Outcome::CpuLimit),
            (Report { cpu_us: 1_000_000, ..report() }, false, Outcome::Exited(0)),
            (Report { stopped: Some(Stopped::WallLimit), ..killed.clone() }, false, Outcome::WallLimit),
            (Report { wall_us: 3_000_001, ..report() }, false, Outcome::WallLimit),
            (Report { wall_us: 5_000_000, held_up_us: 2_000_000, ..report() }, false, Outcome::Exited(0)),
            (Report { stopped: Some(Stopped::OnRequest), ..killed.clone() }, true, Outcome::OutputLimit),
            (report(), true, Outcome::OutputLimit),
            (Report { end: End::Signalled(25), ..report() }, false, Outcome::OutputLimit),
            (Report { forks_refused: 3, end: End::Exited(1), ..report() }, false, Outcome::ProcessLimit),
            (Report { forks_refused: 3, ..report() }, false, Outcome::Exited(0)),
            (Report { stopped: Some(Stopped::ForkLimit), ..killed }, false, Outcome::ProcessLimit),
        ];
        for (report, overflown, outcome) in rows {
            assert_eq!(decide(&report, &LIMITS, overflown), outcome, "{report:?}");
        }
    }

    #[test]
    fn the_first_row_that_holds_decides() {
        let all = Report {
            oom_kills: 1,
            cpu_us: 2_000_000,
            wall_us: 4_000_000,
            forks_refused: 9,
            end: End::Signalled(11),
            ..report()
        };
        assert_eq!(decide(&all, &LIMITS, true), Outcome::MemoryLimit);
        let all = Report { oom_kills: 0, ..all };
        assert_eq!(decide(&all, &LIMITS, true), Outcome::CpuLimit);
        let all = Report { cpu_us: 1, ..all };
        assert_eq!(decide(&all, &LIMITS, true), Outcome::WallLimit);
        let all = Report { wall_us: 1, ..all };
        assert_eq!(decide(&all, &LIMITS, true), Outcome::OutputLimit);
        assert_eq!(decide(&all, &LIMITS, false), Outcome::ProcessLimit);
        let all = Report { forks_refused: 0, peak_memory_bytes: 1 << 30, ..all };
        assert_eq!(decide(&all, &LIMITS, false), Outcome::Signalled(11), "a crash is not called MLE");
    }

    #[test]
    fn a_run_that_was_kept_waiting_is_disturbed() {
        let waited = |held_up_us, wall_us| is_disturbed(&Report { held_up_us, wall_us, ..report() });
        assert!(waited(2_000_000, 2_100_000));
        assert!(!waited(200_000, 210_000), "too short to matter");
        assert!(!waited(300_000, 3_000_000), "a small part of a long run");
    }
}
