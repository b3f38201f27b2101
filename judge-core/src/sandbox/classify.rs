//! From what was seen to what is said: the verdict of a run that did not simply end with 0.

use std::borrow::Cow;

use agon_contract::verdict::Verdict;

use super::Outcome;

/// The verdict an outcome alone decides; `None` means the program exited 0 and its output is to be compared.
///
/// A [`Outcome::LaunchFailed`] is our fault (a bad artefact or command), so it is a judge error here; the judging room
/// retries it before anybody sees it. (Source: sandbox.md, "Outcome, then verdict".)
#[must_use]
pub fn verdict_for(outcome: Outcome) -> Option<Verdict> {
    match outcome {
        Outcome::Exited(0) => None,
        Outcome::MemoryLimit => Some(Verdict::MemoryLimit),
        Outcome::CpuLimit | Outcome::WallLimit => Some(Verdict::TimeLimit),
        Outcome::OutputLimit => Some(Verdict::OutputLimit),
        Outcome::ProcessLimit | Outcome::Signalled(_) | Outcome::Exited(_) => Some(Verdict::RunTimeError),
        Outcome::LaunchFailed(_) => Some(Verdict::JudgeError),
    }
}

/// `SIGSEGV` for 11; a number without a name as `signal 42`.
#[must_use]
pub fn signal_name(signal: i32) -> Cow<'static, str> {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        10 => "SIGUSR1",
        11 => "SIGSEGV",
        12 => "SIGUSR2",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS",
        other => return Cow::Owned(format!("signal {other}")),
    };
    Cow::Borrowed(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outcome_has_its_row() {
        let rows = [
            (Outcome::Exited(0), None),
            (Outcome::Exited(1), Some(Verdict::RunTimeError)),
            (Outcome::Exited(137), Some(Verdict::RunTimeError)),
            (Outcome::Signalled(11), Some(Verdict::RunTimeError)),
            (Outcome::CpuLimit, Some(Verdict::TimeLimit)),
            (Outcome::WallLimit, Some(Verdict::TimeLimit)),
            (Outcome::MemoryLimit, Some(Verdict::MemoryLimit)),
            (Outcome::OutputLimit, Some(Verdict::OutputLimit)),
            (Outcome::ProcessLimit, Some(Verdict::RunTimeError)),
            (Outcome::LaunchFailed(8), Some(Verdict::JudgeError)),
        ];
        for (outcome, verdict) in rows {
            assert_eq!(verdict_for(outcome), verdict, "{outcome:?}");
        }
    }

    #[test]
    fn signals_have_names() {
        assert_eq!(signal_name(11), "SIGSEGV");
        assert_eq!(signal_name(42), "signal 42");
    }
}
