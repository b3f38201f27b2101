//! `agon judge`: one program against one package, without a data folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_contract::ids::LanguageId;
use agon_contract::submission::RunView;
use judge_core::judging::{self, JudgeMode, Judged, Language, Program, ProgramFile};
use serde::Serialize;

use crate::derive;
use crate::exit::Exit;
use crate::owned::{self, CommandError};
use crate::table;
use crate::workroom::{self, Workroom};

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
    let package = room.read(&asked.package)?;
    let problem = derive::with_time_limit(room, &package).await?;
    let mode = if asked.all { JudgeMode::RunAll } else { JudgeMode::StopAtFirstFailure };
    Ok(room.judge(program, &problem, mode).await?)
}

fn language_of(asked: &Asked) -> Result<Arc<Language>, CommandError> {
    let found = match &asked.language {
        Some(id) => judging::language_by_id(&LanguageId::from(id.as_str())),
        None => {
            let names: Vec<_> = asked.files.iter().map(|file| file.to_string_lossy()).collect();
            judging::language_for_files(&names)
        }
    };
    found.cloned().ok_or_else(|| {
        let known = judging::languages().iter().map(|language| language.id.as_str()).collect::<Vec<_>>().join(", ");
        CommandError::NoLanguage { asked: asked.language.clone(), known }
    })
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

fn report(program: &Program, judged: &Judged) -> String {
    let mut lines = Vec::new();
    if !judged.compile.text.is_empty() {
        lines.push(String::from_utf8_lossy(&judged.compile.text).trim_end().to_owned());
        lines.push(String::new());
    }
    if !judged.runs.is_empty() {
        let runs: Vec<RunView> = judged.runs.iter().map(|run| run.view(true)).collect();
        lines.push(table::of_runs(&runs));
        lines.push(String::new());
    }
    let failing = judged.first_failing.as_ref().map_or_else(String::new, |name| format!(" on {name}"));
    let reason = if judged.reason.is_empty() { String::new() } else { format!(" ({})", judged.reason) };
    lines.push(format!("{}{failing}{reason}  {}", judged.verdict, program.language.name));
    lines.join("\n")
}
