//! The output validator protocol: `validator input answer feedback/ args < output`, 42 or 43. (Problem Package Format,
//! "Output Validators"; facts in formats §1.7.)

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agon_contract::verdict::Verdict;

use super::program::{BuiltProgram, head_of};
use crate::domain::rules::JuryLimits;
use crate::domain::scoring::CaseScore;
use crate::judging::error::JudgeError;
use crate::judging::model::{Expected, JudgeCase, ProgramFile};
use crate::judging::verdict::outcome_words;
use crate::sandbox::{
    BOX_WORK, BoxPurpose, BoxSpec, CollectCaps, Content, Discard, ImageRef, Limits, Outcome, RunStep, Sandbox,
    SandboxBox, SandboxError, Stdin, WorkFile,
};

const ACCEPTED: i32 = 42;
const WRONG: i32 = 43;
/// Processes of a jury program, and descriptors of each.
const PROCESSES: u32 = 64;
const OPEN_FILES: u32 = 128;
/// What the feedback folder may hold.
const FEEDBACK_CAPS: CollectCaps = CollectCaps { total_bytes: 8 << 20, files: 200 };
/// Of each message.
const MESSAGE_BYTES: usize = 16 * 1024;
/// Each case begins with an empty feedback folder. A step of its own, so that the validator is started by nobody but the
/// supervisor, whose word it is how that went.
const PREPARE: &str = "rm -rf /tmp/feedback && mkdir /tmp/feedback";
const PREPARE_ARGV: [&str; 3] = ["/bin/sh", "-c", PREPARE];
const FEEDBACK: &str = "/tmp/feedback";
/// Folders of the jury box's work folder.
const CASES: &str = "agon-case";
const SUBMISSION: &str = "agon-submission";

/// The output validator of one submission, with its box.
pub(in crate::judging) struct Jury<'a> {
    pub(in crate::judging) sandbox: &'a dyn Sandbox,
    pub(in crate::judging) image: &'a ImageRef,
    pub(in crate::judging) program: BuiltProgram,
    pub(in crate::judging) limits: JuryLimits,
    /// The submission's, which the validator runs beside.
    pub(in crate::judging) sources: &'a [ProgramFile],
    pub(in crate::judging) open: Option<JuryBox>,
}

/// A box and what lies in it.
pub(in crate::judging) struct JuryBox {
    open: Box<dyn SandboxBox>,
    /// Ordinals of the cases whose files are in it.
    cases: Vec<u32>,
}

/// What a validator said about one case.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::judging) struct Said {
    pub(in crate::judging) verdict: Verdict,
    pub(in crate::judging) score: CaseScore,
    /// For the jury; the fault of the validator when the verdict is JE.
    pub(in crate::judging) message: String,
    pub(in crate::judging) team_message: String,
}

impl Said {
    fn fault(message: String) -> Self {
        Self { verdict: Verdict::JudgeError, score: CaseScore::Unstated, message, team_message: String::new() }
    }
}

impl Jury<'_> {
    /// Holds an output against a case.
    pub(in crate::judging) async fn check(
        &mut self,
        case: &JudgeCase,
        ordinal: u32,
        args: &[String],
        output: Stdin,
    ) -> Result<Said, JudgeError> {
        let failed = |source| JudgeError::Sandbox { operation: "running the output validator", source };
        let mut jury_box = match self.open.take().filter(|jury| jury.open.is_usable()) {
            Some(jury_box) => jury_box,
            None => self.open_box().await.map_err(failed)?,
        };
        let (input, answer) = jury_box.put_case(case, ordinal).await.map_err(failed)?;
        let prepare = self.step(PREPARE_ARGV.map(str::to_owned).to_vec(), Stdin::Empty);
        if !jury_box.open.run(prepare, &mut Discard).await.map_err(failed)?.exited_cleanly() {
            return Err(JudgeError::Launch { case_name: case.name.clone(), errno: 0 });
        }
        let mut argv = self.program.argv.clone();
        argv.extend([input, answer, format!("{FEEDBACK}/")]);
        argv.extend(args.iter().cloned());
        let report = jury_box.open.run(self.step(argv, output), &mut Discard).await.map_err(failed)?;
        if report.disturbed && matches!(report.outcome, Outcome::WallLimit) {
            return Err(JudgeError::MachineBusy { case_name: case.name.clone(), wall_ms: report.wall_ms() });
        }
        if let Outcome::LaunchFailed(errno) = report.outcome {
            return Err(JudgeError::Launch { case_name: case.name.clone(), errno });
        }
        let code = match report.outcome {
            Outcome::Exited(code @ (ACCEPTED | WRONG)) => code,
            other => {
                let said = head_of(&String::from_utf8_lossy(&report.stderr));
                let words = outcome_words(other);
                let message = format!("the output validator {} ended with {words} on {}", self.program.name, case.name);
                return Ok(Said::fault(if said.is_empty() { message } else { format!("{message}: {said}") }));
            }
        };
        let feedback = match jury_box.open.collect(Path::new(FEEDBACK), FEEDBACK_CAPS).await {
            Ok(files) => files.into_iter().map(|file| (file.relative_path, file.bytes)).collect(),
            Err(SandboxError::CollectRefused { detail }) => {
                let name = &self.program.name;
                return Ok(Said::fault(format!("the feedback of {name} on {} cannot be taken: {detail}", case.name)));
            }
            Err(error) => return Err(failed(error)),
        };
        self.open = Some(jury_box);
        Ok(said(code, &feedback, &self.program.name, &case.name))
    }

    fn step(&self, argv: Vec<String>, stdin: Stdin) -> RunStep {
        RunStep {
            argv,
            env: self.program.env.clone(),
            working_dir: format!("{BOX_WORK}/{SUBMISSION}"),
            stdin,
            limits: self.run_limits(),
            keep_files: true,
        }
    }

    fn run_limits(&self) -> Limits {
        let JuryLimits { time_ms, memory_bytes, output_bytes } = self.limits;
        Limits {
            cpu_ms: time_ms,
            wall_ms: time_ms.saturating_mul(2).saturating_add(1000),
            memory_bytes,
            output_bytes,
            stderr_bytes: output_bytes,
            file_bytes: output_bytes.max(FEEDBACK_CAPS.total_bytes),
            processes: PROCESSES,
            open_files: OPEN_FILES,
        }
    }

    async fn open_box(&self) -> Result<JuryBox, SandboxError> {
        let mut open = self.sandbox.open(&self.box_spec()).await?;
        let artefact = self.program.artefact.files.iter();
        let program = artefact.map(|file| (file.name.clone(), file.bytes.clone(), file.is_executable));
        let sources =
            self.sources.iter().map(|file| (format!("{SUBMISSION}/{}", file.name), file.bytes.clone(), false));
        for (name, bytes, executable) in program.chain(sources) {
            open.put(WorkFile { relative_path: name.into(), content: Content::Bytes(bytes), executable }).await?;
        }
        Ok(JuryBox { open, cases: Vec::new() })
    }

    fn box_spec(&self) -> BoxSpec {
        BoxSpec {
            purpose: BoxPurpose::Jury,
            image: self.image.clone(),
            memory_bytes: self.limits.memory_bytes,
            processes: PROCESSES,
        }
    }
}

impl JuryBox {
    /// Puts the case's files there, once, and answers where they are.
    async fn put_case(&mut self, case: &JudgeCase, ordinal: u32) -> Result<(String, String), SandboxError> {
        let base = case.name.rsplit('/').next().unwrap_or(&case.name);
        let (input, answer) = (format!("{CASES}/{ordinal}/{base}.in"), format!("{CASES}/{ordinal}/{base}.ans"));
        if !self.cases.contains(&ordinal) {
            let answer_content = match &case.expected {
                Expected::Answer(path) => Content::Path(path.clone()),
                Expected::Anything => Content::Bytes(Vec::new()),
            };
            for (name, content) in [(&input, Content::Path(case.input.clone())), (&answer, answer_content)] {
                self.open.put(WorkFile { relative_path: name.into(), content, executable: false }).await?;
            }
            self.cases.push(ordinal);
        }
        Ok((format!("{BOX_WORK}/{input}"), format!("{BOX_WORK}/{answer}")))
    }
}

/// From exit code and feedback files to what was said.
fn said(code: i32, feedback: &BTreeMap<PathBuf, Vec<u8>>, program: &str, case: &str) -> Said {
    let file = |name: &str| feedback.get(Path::new(name));
    let message = |name: &str| {
        let bytes = file(name).map(Vec::as_slice).unwrap_or_default();
        String::from_utf8_lossy(&bytes[..bytes.len().min(MESSAGE_BYTES)]).trim_end().to_owned()
    };
    let fault = |what: &str| Said::fault(format!("the output validator {program} {what} on {case}"));
    let score = match (file("score.txt"), file("score_multiplier.txt")) {
        (None, None) => CaseScore::Unstated,
        (Some(_), Some(_)) => return fault("wrote both score.txt and score_multiplier.txt"),
        (Some(_), None) | (None, Some(_)) if code == WRONG => return fault("gave a score to an output it rejects"),
        (Some(points), None) => match number(points) {
            Some(points) => CaseScore::Points(points),
            None => return fault("wrote a score.txt that is not one number"),
        },
        (None, Some(part)) => match number(part) {
            Some(part) if (0.0..=1.0).contains(&part) => CaseScore::Multiplier(part),
            Some(_) | None => return fault("wrote a score_multiplier.txt that is not one number from 0 to 1"),
        },
    };
    if file("nextpass.in").is_some() {
        return fault("asks for another pass of a problem that has one");
    }
    Said {
        verdict: if code == ACCEPTED { Verdict::Accepted } else { Verdict::WrongAnswer },
        score,
        message: message("judgemessage.txt"),
        team_message: message("teammessage.txt"),
    }
}

/// One number and nothing else, by the format's grammar: no hexadecimal, infinity or nan.
fn number(bytes: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(bytes).ok()?.trim();
    let is_plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    text.parse().ok().filter(|value: &f64| is_plain && value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feedback(files: &[(&str, &str)]) -> BTreeMap<PathBuf, Vec<u8>> {
        files.iter().map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn messages_go_to_whom_they_are_for() {
        let files = feedback(&[("judgemessage.txt", "secret\n"), ("teammessage.txt", "line 3\n")]);
        let said = said(WRONG, &files, "v", "secret/1");
        assert_eq!(
            (said.verdict.as_str(), said.message.as_str(), said.team_message.as_str()),
            ("WA", "secret", "line 3")
        );
    }

    #[test]
    fn scores_are_numbers_of_accepted_outputs() {
        let score = |files: &[(&str, &str)], code| {
            let said = said(code, &feedback(files), "v", "c");
            (said.verdict.as_str().to_owned(), said.score)
        };
        assert_eq!(score(&[("score.txt", " 12.5\n")], ACCEPTED), ("AC".into(), CaseScore::Points(12.5)));
        assert_eq!(score(&[("score_multiplier.txt", "1e-1")], ACCEPTED), ("AC".into(), CaseScore::Multiplier(0.1)));
        for (files, code) in [
            (&[("score.txt", "1"), ("score_multiplier.txt", "1")][..], ACCEPTED),
            (&[("score.txt", "1")], WRONG),
            (&[("score_multiplier.txt", "0")], WRONG),
            (&[("score.txt", "")], ACCEPTED),
            (&[("score.txt", "1 2")], ACCEPTED),
            (&[("score.txt", "0x10")], ACCEPTED),
            (&[("score.txt", "inf")], ACCEPTED),
            (&[("score.txt", "nan")], ACCEPTED),
            (&[("score_multiplier.txt", "1.5")], ACCEPTED),
            (&[("nextpass.in", "")], ACCEPTED),
        ] {
            assert_eq!(score(files, code).0, "JE", "{files:?}");
        }
    }
}
