//! `agon judge`: one program against one package, without a data folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_contract::ids::LanguageId;
use agon_contract::submission::RunView;
use judge_core::judging::{
    self, JudgeMode, Judged, JudgedRun, JudgingProgress, Language, NoProgress, Program, ProgramFile,
};
use serde::Serialize;

use crate::derive;
use crate::exit::Exit;
use crate::owned::{self, CommandError};
use crate::table::RunTable;
use crate::workroom::{self, Audience, Workroom};

/// What was asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Asked {
    /// Problem package: a folder or a zip.
    package: PathBuf,
    /// The program's source files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Language of the table, e.g. cpp20; told by the files' names when absent.
    #[arg(long)]
    language: Option<String>,
    /// Seconds of CPU time instead of the package's limit; a package without one is then not measured.
    #[arg(long, value_name = "SECONDS", value_parser = derive::asked_limit)]
    time_limit: Option<u64>,
    /// Run every test, also after one that failed.
    #[arg(long)]
    all: bool,
    /// One JSON object instead of a table.
    #[arg(long)]
    json: bool,
}

/// The verdict as a program reads it.
#[derive(Serialize)]
struct Answer<'a> {
    verdict: &'a str,
    reason: &'a str,
    language: &'a str,
    first_failing: Option<&'a str>,
    max_cpu_ms: Option<u64>,
    max_wall_ms: Option<u64>,
    peak_memory_bytes: Option<u64>,
    compiled: bool,
    compiler_text: String,
    runs: Vec<RunView>,
}

/// Judges and prints; `Success` means accepted.
pub(crate) async fn run(asked: Asked) -> Result<Exit, CommandError> {
    let program = Program { language: language_of(&asked)?, files: read_files(&asked.files)? };
    let judged = workroom::within(async |room: &Workroom| judge(room, &asked, &program).await).await?;
    if asked.json {
        owned::say(serde_json::to_string(&answer(&program, &judged)).expect("an answer is text and numbers"))?;
    } else {
        owned::say(report(&program, &judged))?;
    }
    Ok(if judged.verdict.is_accepted() { Exit::Success } else { Exit::Negative })
}

async fn judge(room: &Workroom, asked: &Asked, program: &Program) -> Result<Judged, CommandError> {
    let package = room.read(&asked.package, Audience::Solver)?;
    let problem = derive::with_time_limit(room, &package, asked.time_limit).await?;
    let mode = if asked.all { JudgeMode::RunAll } else { JudgeMode::StopAtFirstFailure };
    if asked.json {
        return Ok(room.judge(program, &problem, mode, &NoProgress).await?);
    }
    let shown = Shown { table: RunTable::of(problem.cases.iter().map(|case| case.name.as_str())) };
    Ok(room.judge(program, &problem, mode, &shown).await?)
}

/// Writes each run's line as soon as it has finished.
struct Shown {
    table: RunTable,
}

impl JudgingProgress for Shown {
    /// Once per attempt: after a fault of ours all runs come again, under a heading of their own.
    fn running(&self, _runs_total: u32) {
        told(owned::say(self.table.heading()));
    }

    fn run_finished(&self, run: &JudgedRun) {
        told(owned::say(self.table.line(&run.view(true))));
    }
}

/// A closed stdout ends the command at its last line; the runs go on for the exit code.
fn told(said: Result<(), CommandError>) {
    if let Err(error) = said {
        tracing::debug!(%error, "a line could not be written");
    }
}

fn language_of(asked: &Asked) -> Result<Arc<Language>, CommandError> {
    if let Some(folder) = asked.files.iter().find(|file| file.is_dir()) {
        return Err(CommandError::IsFolder(folder.clone()));
    }
    let found = match &asked.language {
        Some(id) => judging::language_by_id(&LanguageId::from(id.as_str())),
        None => {
            let names: Vec<_> = asked.files.iter().map(|file| file.to_string_lossy()).collect();
            judging::language_for_files(&names)
        }
    };
    let no_language = || CommandError::NoLanguage { asked: asked.language.clone(), known: owned::known_languages() };
    let language = found.cloned().ok_or_else(no_language)?;
    match asked.files.iter().find(|file| is_of_another(file, &language)) {
        Some(file) => Err(CommandError::NotOfLanguage {
            file: file.clone(),
            language: language.name.clone(),
            endings: language.extensions.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(" "),
        }),
        None => Ok(language),
    }
}

/// A source of another language, or of none where this one has no other file: left out in silence, it would be missed.
fn is_of_another(file: &Path, language: &Language) -> bool {
    let name = file.to_string_lossy();
    let is_source = judging::language_for_files(&[&name]).is_some();
    !language.takes(&name) && (is_source || file.extension().is_none_or(|ending| ending == "txt"))
}

fn read_files(files: &[PathBuf]) -> Result<Vec<ProgramFile>, CommandError> {
    files.iter().map(|file| read_file(file)).collect()
}

fn read_file(file: &Path) -> Result<ProgramFile, CommandError> {
    let unreadable = |source| CommandError::Source { path: file.to_path_buf(), source };
    let bytes = std::fs::read(file).map_err(unreadable)?;
    let name = file.file_name().ok_or_else(|| unreadable(std::io::ErrorKind::InvalidFilename.into()))?;
    Ok(ProgramFile { name: name.to_string_lossy().into_owned(), bytes })
}

fn answer<'a>(program: &'a Program, judged: &'a Judged) -> Answer<'a> {
    Answer {
        verdict: judged.verdict.as_str(),
        reason: &judged.reason,
        language: program.language.id.as_str(),
        first_failing: judged.first_failing.as_deref(),
        max_cpu_ms: judged.max_cpu_ms,
        max_wall_ms: judged.max_wall_ms,
        peak_memory_bytes: judged.peak_memory_bytes,
        compiled: judged.compile.succeeded,
        compiler_text: String::from_utf8_lossy(&judged.compile.text).into_owned(),
        runs: judged.runs.iter().map(|run| run.view(true)).collect(),
    }
}

/// Lines of a failing run's error output that are shown; the last ones say most.
const ERROR_LINES_SHOWN: usize = 10;

/// The error output of the run that decided, if it printed any.
fn error_output(runs: &[RunView], first_failing: Option<&str>) -> Option<String> {
    let run = runs.iter().find(|run| Some(run.case_name.as_str()) == first_failing)?;
    let lines: Vec<&str> = run.stderr_head.trim_end().lines().collect();
    let shown = &lines[lines.len().saturating_sub(ERROR_LINES_SHOWN)..];
    let cut = if shown.len() < lines.len() { ", its last lines" } else { "" };
    let text = shown.iter().map(|line| format!("\n    {line}")).collect::<String>();
    (!shown.is_empty()).then(|| format!("  standard error on {}{cut}:{text}", run.case_name))
}

/// What follows the runs' lines, which are written already.
fn report(program: &Program, judged: &Judged) -> String {
    let mut lines = Vec::new();
    if !judged.runs.is_empty() {
        lines.push(String::new());
    }
    if !judged.compile.text.is_empty() {
        lines.push(String::from_utf8_lossy(&judged.compile.text).trim_end().to_owned());
        lines.push(String::new());
    }
    let runs: Vec<RunView> = judged.runs.iter().map(|run| run.view(true)).collect();
    if let Some(text) = error_output(&runs, judged.first_failing.as_deref()) {
        lines.extend([text, String::new()]);
    }
    let failing = judged.first_failing.as_ref().map_or_else(String::new, |name| format!(" on {name}"));
    let reason = if judged.reason.is_empty() { String::new() } else { format!(" ({})", judged.reason) };
    lines.push(format!("{}{failing}{reason}  {}", judged.verdict, program.language.name));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use agon_contract::verdict::Verdict;

    use super::*;
    use crate::table::tests::run;

    #[test]
    fn the_error_output_of_the_run_that_decided_is_shown_from_its_end() {
        let with_stderr = |name: &str, text: &str| RunView {
            stderr_head: text.to_owned(),
            ..run(name, Verdict::RunTimeError, "exit code 1")
        };
        let many = (1..=20).map(|number| format!("line {number}\n")).collect::<String>();
        let runs = [with_stderr("a", "other\n"), with_stderr("b", "ValueError: x\n"), with_stderr("c", &many)];
        assert_eq!(error_output(&runs, Some("b")).as_deref(), Some("  standard error on b:\n    ValueError: x"));
        let cut = error_output(&runs, Some("c")).expect("it printed");
        assert!(cut.contains("its last lines") && cut.ends_with("line 20") && !cut.contains("line 10\n"), "{cut}");
        assert_eq!((error_output(&runs, None), error_output(&runs[..1], Some("z"))), (None, None));
    }
}
