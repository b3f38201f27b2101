//! The box in which one submission's cases are judged by a jury program.
//!
//! It is reused over the cases and lives as long as the submission's judging. What a case needs is put in once; the
//! box is exchanged when it holds much, so that its folder on the host stays small.

use std::collections::BTreeSet;
use std::path::Path;

use super::answer::{Left, Said, accepting_end, read};
use super::call::{FEEDBACK, Paths, argv, preparation, takes_stream, talking_argv, works_in_feedback};
use super::output::Output;
use super::program::BuiltProgram;
use crate::domain::rules::{CheckerProtocol, JuryLimits};
use crate::judging::error::{JudgeError, TEXT_FILE_BUSY};
use crate::judging::model::{Expected, JudgeCase, ProgramFile};
use crate::sandbox::{
    BOX_WORK, BoxPurpose, BoxSpec, CollectCaps, CollectedFile, Content, Discard, ImageRef, KeepHead, Limits, Outcome,
    OutputSink, RunReport, RunStep, Sandbox, SandboxBox, SandboxError, Stdin, WorkFile,
};

/// What is being done, where a fault is told.
pub(in crate::judging) const OPERATION: &str = "running a jury program";
/// Processes of a jury program, and descriptors of each.
const PROCESSES: u32 = 64;
const OPEN_FILES: u32 = 128;
/// Names what of the feedback that has a meaning is no plain file.
const ODD_FEEDBACK: [&str; 3] = [
    "/bin/sh",
    "-c",
    "cd /tmp/feedback && for f in nextpass.in score.txt score_multiplier.txt; do \
     if [ -h $f ] || { [ -e $f ] && [ ! -f $f ]; }; then echo $f; fi; done",
];
/// What the feedback folder may hold.
const FEEDBACK_CAPS: CollectCaps = CollectCaps { total_bytes: 8 << 20, files: 200 };
/// Standard output of a checker that is looked at.
const STDOUT_BYTES: usize = 64 * 1024;
/// A box that holds more is exchanged.
const HELD_BYTES: u64 = 256 << 20;
/// Folders of the jury box's work folder.
const CASES: &str = "agon-case";
const OUTPUTS: &str = "agon-output";
const SUBMISSION: &str = "agon-submission";

/// A jury program for the cases of one submission, with its box.
pub(in crate::judging) struct Jury<'a> {
    pub(in crate::judging) sandbox: &'a dyn Sandbox,
    pub(in crate::judging) image: &'a ImageRef,
    pub(in crate::judging) program: BuiltProgram,
    pub(in crate::judging) protocol: CheckerProtocol,
    pub(in crate::judging) limits: JuryLimits,
    /// The submission's, which the program runs beside. (Problem Package Format 2025-09)
    pub(in crate::judging) sources: &'a [ProgramFile],
    pub(in crate::judging) open: Option<JuryBox>,
}

/// A box and what lies in it.
pub(in crate::judging) struct JuryBox {
    open: Box<dyn SandboxBox>,
    /// Ordinals of the cases whose files are in it.
    cases: BTreeSet<u32>,
    outputs: u32,
    held_bytes: u64,
}

/// Which run of a program this is.
#[derive(Clone, Copy, Debug)]
pub(in crate::judging) struct Turn<'a> {
    pub(in crate::judging) case: &'a JudgeCase,
    /// Of the case.
    pub(in crate::judging) ordinal: u32,
    /// From 1.
    pub(in crate::judging) pass: u32,
    pub(in crate::judging) args: &'a [String],
}

impl Jury<'_> {
    /// Holds an output against a case.
    ///
    /// # Errors
    /// Faults of ours or the machine's; what the program does wrong is a [`Said`] with a judge error.
    pub(in crate::judging) async fn check(&mut self, turn: Turn<'_>, output: Output) -> Result<Said, JudgeError> {
        let mut room = self.enter().await?;
        let (input, answer) = room.put_case(turn).await.map_err(failed)?;
        let (stdin, output) = if takes_stream(self.protocol) {
            (output.into_stdin(), String::new())
        } else {
            let unkept = |source| JudgeError::KeepOutput { case_name: turn.case.name.clone(), source };
            let bytes = output.into_bytes().map_err(unkept)?;
            (Stdin::Empty, room.put_output(bytes).await.map_err(failed)?)
        };
        let paths = Paths { input: &input, answer: &answer, output: &output };
        self.prepare(&mut room, turn, &paths).await?;
        let step = self.step(argv(self.protocol, &self.program.argv, &paths, turn.args), stdin);
        let mut stdout = KeepHead::new(STDOUT_BYTES);
        let report = room.open.run(step, &mut stdout).await.map_err(failed)?;
        self.leave(room, turn, &report, stdout.bytes()).await
    }

    /// The box for a conversation about a case, and the step that starts it there; the caller runs it.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub(in crate::judging) async fn talk(
        &mut self,
        turn: Turn<'_>,
        stdin: Stdin,
        more_wall_ms: u64,
    ) -> Result<(JuryBox, RunStep), JudgeError> {
        let mut room = self.enter().await?;
        let (input, answer) = room.put_case(turn).await.map_err(failed)?;
        let paths = Paths { input: &input, answer: &answer, output: "" };
        self.prepare(&mut room, turn, &paths).await?;
        let mut step = self.step(talking_argv(self.protocol, &self.program.argv, &paths, turn.args), stdin);
        step.limits.wall_ms = step.limits.wall_ms.saturating_add(more_wall_ms);
        Ok((room, step))
    }

    /// How a program ends that accepts.
    pub(in crate::judging) fn accepts(&self) -> Outcome {
        accepting_end(self.protocol)
    }

    /// What the program's end means; the box is kept for the next case.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub(in crate::judging) async fn leave(
        &mut self,
        mut room: JuryBox,
        turn: Turn<'_>,
        report: &RunReport,
        stdout: &[u8],
    ) -> Result<Said, JudgeError> {
        let (program, case) = (&self.program.name, &turn.case.name);
        let fault = |what: &str| Said::fault_of(program, what, case);
        let files = match report.outcome {
            Outcome::LaunchFailed(errno @ TEXT_FILE_BUSY) => {
                return Err(JudgeError::Launch { case_name: case.clone(), errno });
            }
            Outcome::LaunchFailed(errno) => {
                let why = std::io::Error::from_raw_os_error(errno);
                return Ok(fault(&format!("cannot be started: {why}")));
            }
            Outcome::Exited(_) => match room.open.collect(Path::new(FEEDBACK), FEEDBACK_CAPS).await {
                Ok(files) => files,
                Err(SandboxError::CollectRefused { detail }) => {
                    return Ok(fault(&format!("left feedback that cannot be taken: {detail}")));
                }
                Err(error) => return Err(failed(error)),
            },
            Outcome::Signalled(_)
            | Outcome::CpuLimit
            | Outcome::WallLimit
            | Outcome::MemoryLimit
            | Outcome::OutputLimit
            | Outcome::ProcessLimit => Vec::<CollectedFile>::new(),
        };
        if report.outcome == self.accepts()
            && let Some(odd) = self.odd_feedback(&mut room).await?
        {
            self.open = Some(room);
            return Ok(fault(&format!("left {odd} that is no plain file")));
        }
        self.open = Some(room);
        let said = read(self.protocol, &Left { report, stdout, files: &files });
        let is_held_up = report.disturbed && report.outcome == Outcome::WallLimit;
        Ok(Said { is_held_up, ..said.unwrap_or_else(|what| fault(&what)) })
    }

    /// A feedback file with a meaning that is a link, a pipe or a folder: it is not taken out of the box, and taken for
    /// absent it would change what was said.
    async fn odd_feedback(&self, room: &mut JuryBox) -> Result<Option<String>, JudgeError> {
        if self.protocol != CheckerProtocol::Icpc {
            return Ok(None);
        }
        let step = self.step(ODD_FEEDBACK.map(str::to_owned).to_vec(), Stdin::Empty);
        let mut stdout = KeepHead::new(STDOUT_BYTES);
        room.open.run(step, &mut stdout).await.map_err(failed)?;
        let listed = String::from_utf8_lossy(stdout.bytes()).into_owned();
        Ok(listed.lines().next().map(str::to_owned))
    }

    async fn enter(&mut self) -> Result<JuryBox, JudgeError> {
        match self.open.take().filter(|room| room.open.is_usable() && room.held_bytes < HELD_BYTES) {
            Some(room) => Ok(room),
            None => self.open_box().await.map_err(failed),
        }
    }

    async fn prepare(&self, room: &mut JuryBox, turn: Turn<'_>, paths: &Paths<'_>) -> Result<(), JudgeError> {
        let script = preparation(self.protocol, paths, turn.pass);
        let step = RunStep {
            working_dir: BOX_WORK.to_owned(),
            ..self.step(vec!["/bin/sh".to_owned(), "-c".to_owned(), script], Stdin::Empty)
        };
        let report = room.open.run(step, &mut Discard).await.map_err(failed)?;
        if report.exited_cleanly() {
            return Ok(());
        }
        let detail = format!("its feedback folder could not be made: {}", String::from_utf8_lossy(&report.stderr));
        Err(failed(SandboxError::Protocol { box_id: room.open.id().to_owned(), detail }))
    }

    fn step(&self, argv: Vec<String>, stdin: Stdin) -> RunStep {
        let sources = || format!("{BOX_WORK}/{SUBMISSION}");
        RunStep {
            argv,
            env: self.program.env.clone(),
            working_dir: if works_in_feedback(self.protocol) { FEEDBACK.to_owned() } else { sources() },
            stdin,
            limits: self.run_limits(),
            keep_files: true,
            stop: None,
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
        Ok(JuryBox { open, cases: BTreeSet::new(), outputs: 0, held_bytes: 0 })
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
    /// Runs a step that [`Jury::talk`] made.
    ///
    /// # Errors
    /// As [`Jury::check`].
    pub(in crate::judging) async fn run(
        &mut self,
        step: RunStep,
        sink: &mut dyn OutputSink,
    ) -> Result<RunReport, JudgeError> {
        self.open.run(step, sink).await.map_err(failed)
    }

    /// Puts the case's files there, once, and answers where they are.
    async fn put_case(&mut self, turn: Turn<'_>) -> Result<(String, String), SandboxError> {
        let Turn { case, ordinal, .. } = turn;
        let base = case.name.rsplit('/').next().unwrap_or(&case.name);
        let (input, answer) = (format!("{CASES}/{ordinal}/{base}.in"), format!("{CASES}/{ordinal}/{base}.ans"));
        if self.cases.insert(ordinal) {
            let answer_content = match &case.expected {
                Expected::Answer(path) => Content::Path(path.clone()),
                Expected::Anything => Content::Bytes(Vec::new()),
            };
            for (name, content) in [(&input, Content::Path(case.input.clone())), (&answer, answer_content)] {
                self.held_bytes += match &content {
                    Content::Path(path) => path.metadata().map_or(0, |metadata| metadata.len()),
                    Content::Bytes(_) => 0,
                };
                self.open.put(WorkFile { relative_path: name.into(), content, executable: false }).await?;
            }
        }
        Ok((format!("{BOX_WORK}/{input}"), format!("{BOX_WORK}/{answer}")))
    }

    async fn put_output(&mut self, bytes: Vec<u8>) -> Result<String, SandboxError> {
        self.outputs += 1;
        self.held_bytes += bytes.len() as u64;
        let name = format!("{OUTPUTS}/{}", self.outputs);
        let content = Content::Bytes(bytes);
        self.open.put(WorkFile { relative_path: (&name).into(), content, executable: false }).await?;
        Ok(format!("{BOX_WORK}/{name}"))
    }
}

fn failed(source: SandboxError) -> JudgeError {
    JudgeError::Sandbox { operation: OPERATION, source }
}
