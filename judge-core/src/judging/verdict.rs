//! The verdict of one run, and the words that qualify it.

use agon_contract::reason::ReasonKind;
use agon_contract::verdict::Verdict;

use crate::domain::comparison::Difference;
use crate::domain::limits::EffectiveLimits;
use crate::sandbox::{Outcome, RunReport, signal_name, verdict_for};

/// What the sandbox saw decides first; only a clean exit is compared. (Source: sandbox.md, "Outcome, then verdict".)
pub(super) fn of_run(
    outcome: Outcome,
    difference: Option<Difference>,
    report: &RunReport,
    limits: &EffectiveLimits,
) -> (Verdict, String) {
    match (verdict_for(outcome), difference) {
        (Some(verdict), _) => (verdict, message(outcome, report, limits)),
        (None, Some(difference)) => (Verdict::WrongAnswer, difference.to_string()),
        (None, None) => (Verdict::Accepted, String::new()),
    }
}

/// What ended the run, as records keep it.
pub(super) fn outcome_words(outcome: Outcome) -> String {
    match outcome {
        Outcome::Exited(code) => ReasonKind::Exited.say([&code]),
        Outcome::Signalled(signal) => format!("signal {}", signal_name(signal)).replace("signal signal", "signal"),
        Outcome::CpuLimit => ReasonKind::SawCpuLimit.words().to_owned(),
        Outcome::WallLimit => ReasonKind::SawWallLimit.words().to_owned(),
        Outcome::MemoryLimit => ReasonKind::SawMemoryLimit.words().to_owned(),
        Outcome::OutputLimit => ReasonKind::SawOutputLimit.words().to_owned(),
        Outcome::ProcessLimit => ReasonKind::SawProcessLimit.words().to_owned(),
        Outcome::LaunchFailed(errno) => ReasonKind::LaunchFailed.say([&errno]),
    }
}

fn message(outcome: Outcome, report: &RunReport, limits: &EffectiveLimits) -> String {
    let mib = |bytes: u64| bytes >> 20;
    match outcome {
        Outcome::Exited(code) => ReasonKind::ExitCode.say([&code]),
        Outcome::Signalled(signal) => signal_name(signal).into_owned(),
        Outcome::CpuLimit => ReasonKind::CpuLimit.say([&report.cpu_ms(), &limits.time_limit_ms]),
        Outcome::WallLimit => ReasonKind::Idle.say([&report.cpu_ms(), &report.wall_ms()]),
        Outcome::MemoryLimit => {
            ReasonKind::MemoryLimit.say([&mib(report.peak_memory_bytes), &mib(limits.memory_bytes)])
        }
        Outcome::OutputLimit => ReasonKind::OutputLimit.say([&limits.output_bytes]),
        Outcome::ProcessLimit => ReasonKind::ForkLimit.words().to_owned(),
        Outcome::LaunchFailed(errno) => ReasonKind::NotStarted.say([&errno]),
    }
}

#[cfg(test)]
mod tests {
    use agon_contract::problem::TimeLimitSource;
    use agon_contract::reason::Reason;

    use super::*;
    use crate::domain::comparison::DifferenceKind;

    fn run(outcome: Outcome, differs: bool) -> (Verdict, String) {
        let report = RunReport {
            outcome,
            cpu_us: 1_000_400,
            wall_us: 3_000_000,
            peak_memory_bytes: 300 << 20,
            stdout_bytes: 0,
            stderr: Vec::new(),
            stderr_truncated: false,
            processes_seen: 1,
            oom_kills: 0,
            disturbed: false,
        };
        let limits = EffectiveLimits {
            time_limit_ms: 1000,
            time_limit_source: TimeLimitSource::Package,
            memory_bytes: 256 << 20,
            output_bytes: 1 << 20,
            code_bytes: 1,
        };
        let difference = Difference { kind: DifferenceKind::Whitespace, output_offset: 0, output_line: 1, token: 0 };
        of_run(outcome, differs.then_some(difference), &report, &limits)
    }

    #[test]
    fn what_the_sandbox_saw_comes_before_the_output() {
        for (outcome, verdict, words) in [
            (Outcome::Exited(137), "RTE", "exit code 137"),
            (Outcome::Signalled(11), "RTE", "SIGSEGV"),
            (Outcome::CpuLimit, "TLE", "1001 ms of CPU, limit 1000 ms"),
            (Outcome::WallLimit, "TLE", "idle: 1001 ms of CPU in 3000 ms"),
            (Outcome::MemoryLimit, "MLE", "300 MiB used, limit 256 MiB"),
            (Outcome::OutputLimit, "OLE", "limit 1048576 bytes"),
            (Outcome::ProcessLimit, "RTE", "fork limit"),
        ] {
            assert_eq!(run(outcome, true), (Verdict::from(verdict), words.to_owned()));
            assert!(words == "SIGSEGV" || Reason::read(words).is_some(), "{words} can be said in other languages");
        }
        assert_eq!(run(Outcome::Exited(0), true).0, Verdict::WrongAnswer);
        assert_eq!(run(Outcome::Exited(0), false), (Verdict::Accepted, String::new()));
    }

    #[test]
    fn outcomes_have_words() {
        assert_eq!(outcome_words(Outcome::Signalled(11)), "signal SIGSEGV");
        assert_eq!(outcome_words(Outcome::Signalled(42)), "signal 42");
        assert_eq!(outcome_words(Outcome::Exited(1)), "exit 1");
    }
}
