//! Who is believed at the end of a conversation.

use super::*;
use crate::domain::scoring::CaseScore;

fn report(outcome: Outcome, cpu_us: u64) -> RunReport {
    RunReport {
        outcome,
        cpu_us,
        wall_us: 3_000_000,
        peak_memory_bytes: 1,
        stdout_bytes: 0,
        stderr: Vec::new(),
        stderr_truncated: false,
        processes_seen: 1,
        oom_kills: 0,
        disturbed: false,
    }
}

#[test]
fn who_is_believed() {
    let exit = Outcome::Exited;
    for (submission, program, verdict, is_first, believed_verdict) in [
        (exit(0), exit(42), "AC", false, Some("AC")),
        (exit(0), exit(43), "WA", false, Some("WA")),
        (exit(0), exit(1), "JE", false, Some("JE")),
        (exit(0), Outcome::WallLimit, "JE", false, Some("JE")),
        (exit(1), exit(43), "WA", true, Some("WA")),
        (exit(1), exit(43), "WA", false, None),
        (exit(1), exit(42), "AC", true, None),
        (exit(1), exit(1), "JE", false, Some("JE")),
        (exit(1), Outcome::CpuLimit, "JE", false, Some("JE")),
        (exit(1), Outcome::WallLimit, "JE", false, None),
        (Outcome::CpuLimit, exit(43), "WA", false, None),
        (Outcome::WallLimit, exit(43), "WA", true, Some("WA")),
        (Outcome::WallLimit, exit(42), "AC", true, None),
    ] {
        let said = Said::of(verdict.into(), CaseScore::Unstated, String::new());
        let answer =
            believed(said, (is_first, program == Outcome::WallLimit), &report(submission, 1), &report(program, 1), "v");
        let row = format!("{submission:?} {program:?} {is_first}");
        assert_eq!(answer.as_ref().map(|said| said.verdict.as_str()), believed_verdict, "{row}");
    }
}

#[test]
fn a_slow_jury_program_is_not_the_submissions_idleness() {
    let said = || Said::of(Verdict::WrongAnswer, CaseScore::Unstated, String::new());
    let idle = report(Outcome::WallLimit, 1);
    let answer = believed(said(), (false, false), &idle, &report(Outcome::Exited(43), 2_000_000), "v").expect("a word");
    assert_eq!(answer.verdict, Verdict::JudgeError);
    assert!(believed(said(), (false, false), &idle, &report(Outcome::Exited(43), 1_000_000), "v").is_none());
}
