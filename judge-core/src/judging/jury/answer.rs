//! What a checker's end means, protocol by protocol. Anything that the protocol does not know is an error of the
//! checker, in words, and never a verdict about the submission.

use agon_contract::verdict::Verdict;

use super::call::{INTERACTOR_OUTPUT_FILE, LEMON_FULL_SCORE, LEMON_MESSAGE_FILE, LEMON_SCORE_FILE, NEXT_PASS_FILE};
use super::program::head_of;
use crate::domain::rules::CheckerProtocol;
use crate::domain::scoring::CaseScore;
use crate::judging::verdict::outcome_words;
use crate::sandbox::{CollectedFile, Outcome, RunReport};

/// Messages that are kept of a checker.
const MESSAGE_BYTES: usize = 16 * 1024;
const ACCEPTED: i32 = 42;
const WRONG: i32 = 43;

/// What a jury program said about one case.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::judging) struct Said {
    pub(in crate::judging) verdict: Verdict,
    pub(in crate::judging) score: CaseScore,
    /// For the jury; what the program did wrong when the verdict is JE.
    pub(in crate::judging) message: String,
    pub(in crate::judging) team_message: String,
    /// The submission is to run once more, on this. (Multi-pass)
    pub(in crate::judging) next_input: Option<Vec<u8>>,
    /// What an interactor leaves for the checker.
    pub(in crate::judging) left_output: Option<Vec<u8>>,
    /// The machine kept the program from running: what it said is no word.
    pub(in crate::judging) is_held_up: bool,
}

impl Said {
    pub(in crate::judging) fn of(verdict: Verdict, score: CaseScore, message: String) -> Self {
        Self {
            verdict,
            score,
            message,
            team_message: String::new(),
            next_input: None,
            left_output: None,
            is_held_up: false,
        }
    }

    /// What this program did wrong on this case.
    pub(in crate::judging) fn fault_of(program: &str, what: &str, case: &str) -> Self {
        Self::fault(format!("the jury's program {program} {what} (on {case})"))
    }

    /// The program's fault, in words.
    pub(in crate::judging) fn fault(message: String) -> Self {
        Self::of(Verdict::JudgeError, CaseScore::Unstated, message)
    }
}

/// Everything that a checker left behind.
pub(super) struct Left<'a> {
    pub(super) report: &'a RunReport,
    pub(super) stdout: &'a [u8],
    /// Of the feedback folder.
    pub(super) files: &'a [CollectedFile],
}

impl Left<'_> {
    fn file(&self, name: &str) -> Option<&[u8]> {
        let found = self.files.iter().find(|file| file.relative_path.as_os_str() == name);
        found.map(|file| file.bytes.as_slice())
    }

    fn message(&self, name: &str) -> String {
        text(self.file(name).unwrap_or_default())
    }

    fn stderr(&self) -> String {
        text(&self.report.stderr)
    }
}

/// How a program of the protocol ends that accepts, whatever else it says.
pub(super) fn accepting_end(protocol: CheckerProtocol) -> Outcome {
    match protocol {
        CheckerProtocol::Icpc => Outcome::Exited(ACCEPTED),
        CheckerProtocol::Testlib
        | CheckerProtocol::Cms
        | CheckerProtocol::Lemon
        | CheckerProtocol::Qduoj
        | CheckerProtocol::Hustoj
        | CheckerProtocol::Syzoj => Outcome::Exited(0),
    }
}

/// Reads the answer; `Err` says what the checker did wrong.
pub(super) fn read(protocol: CheckerProtocol, left: &Left<'_>) -> Result<Said, String> {
    let Outcome::Exited(code) = left.report.outcome else { return Err(ended(left)) };
    match protocol {
        CheckerProtocol::Icpc => icpc(code, left),
        CheckerProtocol::Testlib => testlib(code, left),
        CheckerProtocol::Cms => cms(code, left),
        CheckerProtocol::Lemon => lemon(code, left),
        CheckerProtocol::Qduoj | CheckerProtocol::Hustoj => match code {
            0 => Ok(Said::of(Verdict::Accepted, CaseScore::Unstated, text(left.stdout))),
            1 => Ok(Said::of(Verdict::WrongAnswer, CaseScore::Unstated, text(left.stdout))),
            _ => Err(ended(left)),
        },
        CheckerProtocol::Syzoj => syzoj(code, left),
    }
}

/// How it ended, with the head of what it said.
fn ended(left: &Left<'_>) -> String {
    let (how, said) = (outcome_words(left.report.outcome), head_of(&left.stderr()));
    if said.is_empty() { format!("ended with {how}") } else { format!("ended with {how}: {said}") }
}

/// 42 or 43 and feedback files; a score belongs to an accepted run and is of one kind. (formats §1.6, §1.7)
fn icpc(code: i32, left: &Left<'_>) -> Result<Said, String> {
    let verdict = match code {
        ACCEPTED => Verdict::Accepted,
        WRONG => Verdict::WrongAnswer,
        _ => return Err(ended(left)),
    };
    let score = match (left.file("score.txt"), left.file("score_multiplier.txt")) {
        (Some(_), Some(_)) => return Err("wrote both score.txt and score_multiplier.txt".to_owned()),
        (None, None) => CaseScore::Unstated,
        (Some(_), None) | (None, Some(_)) if code == WRONG => {
            return Err("gave a score to an output it rejects".to_owned());
        }
        (Some(points), None) => {
            CaseScore::Points(one_number(points).map_err(|what| format!("wrote a score.txt: {what}"))?)
        }
        (None, Some(part)) => {
            one_number(part).and_then(multiplier).map_err(|what| format!("wrote a score_multiplier.txt: {what}"))?
        }
    };
    let next_input = left.file(NEXT_PASS_FILE).map(<[u8]>::to_vec);
    if next_input.is_some() && code == WRONG {
        return Err("asks for another pass after a wrong answer".to_owned());
    }
    Ok(Said {
        team_message: left.message("teammessage.txt"),
        next_input,
        ..Said::of(verdict, score, left.message("judgemessage.txt"))
    })
}

/// Codes of the default build; those of partial results overlap with the others, so the message decides. (formats §6.2)
fn testlib(code: i32, left: &Left<'_>) -> Result<Said, String> {
    let message = left.stderr();
    if let Some(rest) = message.strip_prefix("partially correct (") {
        let percent = rest.split(')').next().unwrap_or_default();
        let percent = one_number(percent.as_bytes())?;
        return Ok(Said::of(Verdict::Accepted, multiplier(percent / 100.0)?, message.clone()));
    }
    match code {
        0 => Ok(Said {
            left_output: left.file(INTERACTOR_OUTPUT_FILE).map(<[u8]>::to_vec),
            ..Said::of(Verdict::Accepted, CaseScore::Unstated, message)
        }),
        1 | 2 | 4 | 8 => Ok(Said::of(Verdict::WrongAnswer, CaseScore::Unstated, message)),
        7 => {
            let points = message.strip_prefix("points ").and_then(|rest| rest.split_whitespace().next());
            let points = one_number(points.ok_or("gave points without saying how many")?.as_bytes())?;
            Ok(Said::of(Verdict::Accepted, CaseScore::Points(points), message))
        }
        _ => Err(ended(left)),
    }
}

/// (formats §7.1)
fn cms(code: i32, left: &Left<'_>) -> Result<Said, String> {
    if code != 0 {
        return Err(ended(left));
    }
    let line = |bytes: &[u8]| text(bytes).lines().next().unwrap_or_default().to_owned();
    part(one_number(line(left.stdout).as_bytes())?, line(&left.report.stderr))
}

/// (formats §7.2)
fn lemon(code: i32, left: &Left<'_>) -> Result<Said, String> {
    if code != 0 {
        return Err(ended(left));
    }
    let score = one_number(left.file(LEMON_SCORE_FILE).ok_or("wrote no score")?)?;
    part(score / f64::from(LEMON_FULL_SCORE), left.message(LEMON_MESSAGE_FILE))
}

fn syzoj(code: i32, left: &Left<'_>) -> Result<Said, String> {
    if code != 0 {
        return Err(ended(left));
    }
    let stdout = text(left.stdout);
    let score = one_number(stdout.split_whitespace().next().unwrap_or_default().as_bytes())?;
    part(score / 100.0, left.stderr())
}

/// Nothing is wrong, anything else is accepted with that part of the points.
fn part(of_one: f64, message: String) -> Result<Said, String> {
    let score = multiplier(of_one)?;
    Ok(if of_one == 0.0 {
        Said::of(Verdict::WrongAnswer, CaseScore::Unstated, message)
    } else if of_one == 1.0 {
        Said::of(Verdict::Accepted, CaseScore::Unstated, message)
    } else {
        Said::of(Verdict::Accepted, score, message)
    })
}

fn multiplier(part: f64) -> Result<CaseScore, String> {
    if !(0.0..=1.0).contains(&part) {
        return Err(format!("the part {part} of the points is not between 0 and 1"));
    }
    Ok(CaseScore::Multiplier(part))
}

/// One number and nothing else, by the format's grammar: no hexadecimal, infinity or nan.
fn one_number(bytes: &[u8]) -> Result<f64, String> {
    let text = std::str::from_utf8(bytes).unwrap_or("?").trim();
    let is_plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    let number = text.parse().ok().filter(|value: &f64| is_plain && value.is_finite());
    number.ok_or_else(|| {
        let shown: String = String::from_utf8_lossy(bytes).chars().take(40).collect();
        format!("`{shown}` is not one number")
    })
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(MESSAGE_BYTES)]).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(
        protocol: CheckerProtocol,
        outcome: Outcome,
        (stdout, stderr): (&str, &str),
        files: &[(&str, &str)],
    ) -> Result<Said, String> {
        let report = RunReport {
            outcome,
            cpu_us: 1,
            wall_us: 1,
            peak_memory_bytes: 1,
            stdout_bytes: 0,
            stderr: stderr.as_bytes().to_vec(),
            stderr_truncated: false,
            processes_seen: 1,
            oom_kills: 0,
            disturbed: false,
        };
        let file = |(name, text): &(&str, &str)| CollectedFile {
            relative_path: (*name).into(),
            bytes: text.as_bytes().to_vec(),
            executable: false,
        };
        let files: Vec<CollectedFile> = files.iter().map(file).collect();
        read(protocol, &Left { report: &report, stdout: stdout.as_bytes(), files: &files })
    }

    fn short(answer: Result<Said, String>) -> (String, CaseScore) {
        match answer {
            Ok(said) => (said.verdict.as_str().to_owned(), said.score),
            Err(_) => ("JE".to_owned(), CaseScore::Unstated),
        }
    }

    #[test]
    fn only_42_and_43_are_words_of_an_output_validator() {
        let exit = |code| short(answer(CheckerProtocol::Icpc, Outcome::Exited(code), ("42", ""), &[])).0;
        assert_eq!((exit(42), exit(43)), ("AC".to_owned(), "WA".to_owned()));
        for code in [0, 1, 41, 44, 137, 255] {
            assert_eq!(exit(code), "JE", "{code}");
        }
        for outcome in [
            Outcome::Signalled(11),
            Outcome::CpuLimit,
            Outcome::WallLimit,
            Outcome::MemoryLimit,
            Outcome::OutputLimit,
            Outcome::ProcessLimit,
        ] {
            assert_eq!(short(answer(CheckerProtocol::Icpc, outcome, ("", ""), &[])).0, "JE", "{outcome:?}");
        }
    }

    #[test]
    fn score_files_are_of_one_kind_hold_one_number_and_belong_to_accepted_runs() {
        let with =
            |code, files: &[(&str, &str)]| short(answer(CheckerProtocol::Icpc, Outcome::Exited(code), ("", ""), files));
        let accepted = |score| ("AC".to_owned(), score);
        let error = ("JE".to_owned(), CaseScore::Unstated);
        assert_eq!(with(42, &[("score.txt", " 12.5\n")]), accepted(CaseScore::Points(12.5)));
        assert_eq!(with(42, &[("score_multiplier.txt", "0.25")]), accepted(CaseScore::Multiplier(0.25)));
        for bad in ["", "1 2", "x", "nan", "inf", "0x10"] {
            assert_eq!(with(42, &[("score.txt", bad)]), error, "{bad:?}");
        }
        for bad in ["-0.1", "1.1"] {
            assert_eq!(with(42, &[("score_multiplier.txt", bad)]), error, "{bad:?}");
        }
        assert_eq!(with(42, &[("score.txt", "1"), ("score_multiplier.txt", "1")]), error);
        assert_eq!(with(43, &[("score.txt", "0")]), error);
        assert_eq!(with(43, &[("nextpass.in", "")]), error);
        assert_eq!(with(43, &[("sub/score.txt", "1")]).0, "WA", "only the folder's own files count");
    }

    #[test]
    fn messages_go_to_those_they_are_for() {
        let files = [("judgemessage.txt", "line 3\n"), ("teammessage.txt", "look again\n"), ("nextpass.in", "5\n")];
        let said = answer(CheckerProtocol::Icpc, Outcome::Exited(42), ("", ""), &files).expect("a word");
        assert_eq!((said.message.as_str(), said.team_message.as_str()), ("line 3", "look again"));
        assert_eq!(said.next_input.as_deref(), Some(&b"5\n"[..]));
    }

    #[test]
    fn testlib_says_it_by_code_and_where_codes_overlap_by_message() {
        let exit = |code, message| short(answer(CheckerProtocol::Testlib, Outcome::Exited(code), ("", message), &[]));
        let row = |verdict: &str, score| (verdict.to_owned(), score);
        assert_eq!(exit(0, "ok 3 numbers"), row("AC", CaseScore::Unstated));
        assert_eq!(exit(1, "wrong answer 1st differ"), row("WA", CaseScore::Unstated));
        assert_eq!(exit(2, "wrong output format x"), row("WA", CaseScore::Unstated));
        assert_eq!(exit(3, "FAIL answer is worse"), row("JE", CaseScore::Unstated));
        assert_eq!(exit(7, "points 12.5 fine"), row("AC", CaseScore::Points(12.5)));
        assert_eq!(exit(7, ""), row("JE", CaseScore::Unstated));
        assert_eq!(exit(1, "partially correct (1) x"), row("AC", CaseScore::Multiplier(0.01)));
        assert_eq!(exit(50, "partially correct (50) x"), row("AC", CaseScore::Multiplier(0.5)));
        assert_eq!(exit(9, "?"), row("JE", CaseScore::Unstated));
    }

    #[test]
    fn the_others_say_it_in_their_ways() {
        let row = |verdict: &str, score| (verdict.to_owned(), score);
        let exit = |protocol, code, stdout, files: &[(&str, &str)]| {
            short(answer(protocol, Outcome::Exited(code), (stdout, "translate:success"), files))
        };
        assert_eq!(exit(CheckerProtocol::Cms, 0, "1.0\n", &[]), row("AC", CaseScore::Unstated));
        assert_eq!(exit(CheckerProtocol::Cms, 0, "0\n", &[]), row("WA", CaseScore::Unstated));
        assert_eq!(exit(CheckerProtocol::Cms, 0, "0.5\nx", &[]), row("AC", CaseScore::Multiplier(0.5)));
        assert_eq!(exit(CheckerProtocol::Cms, 1, "1.0\n", &[]), row("JE", CaseScore::Unstated));
        assert_eq!(exit(CheckerProtocol::Cms, 0, "", &[]), row("JE", CaseScore::Unstated));
        assert_eq!(exit(CheckerProtocol::Lemon, 0, "", &[("score", "30")]), row("AC", CaseScore::Multiplier(0.3)));
        assert_eq!(exit(CheckerProtocol::Lemon, 0, "", &[]), row("JE", CaseScore::Unstated));
        assert_eq!(exit(CheckerProtocol::Qduoj, 1, "", &[]), row("WA", CaseScore::Unstated));
        assert_eq!(exit(CheckerProtocol::Hustoj, 0, "", &[]), row("AC", CaseScore::Unstated));
        assert_eq!(exit(CheckerProtocol::Hustoj, 2, "", &[]), row("JE", CaseScore::Unstated));
        assert_eq!(exit(CheckerProtocol::Syzoj, 0, "100", &[]), row("AC", CaseScore::Unstated));
        assert_eq!(exit(CheckerProtocol::Syzoj, 0, "40 x", &[]), row("AC", CaseScore::Multiplier(0.4)));
    }
}
