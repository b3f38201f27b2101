//! `agon import`: takes a package into the data folder, or only says what the doctor sees.

use std::path::PathBuf;

use agon_contract::command::{ImportPackage, ImportReply, InspectPackage};
use agon_contract::package::{ImportReport, PackageOverview, PackageSource};
use judge_core::Judge;
use serde::Serialize;

use crate::exit::Exit;
use crate::findings;
use crate::owned::{self, CommandError};
use crate::table;

/// What was asked.
#[derive(Debug, clap::Args)]
pub(crate) struct Asked {
    /// Problem package: a folder or a zip. It is never changed.
    path: PathBuf,
    /// Only look; store nothing.
    #[arg(long)]
    dry_run: bool,
    /// Take the place of a problem with the same short name.
    #[arg(long)]
    replace: bool,
    /// One JSON object instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    imported: bool,
    /// Absent when nothing was imported.
    problem_id: Option<&'a str>,
    report: &'a ImportReport,
}

/// Looks and, unless told otherwise or refused, imports.
pub(crate) async fn run(asked: Asked) -> Result<Exit, CommandError> {
    let path = std::path::absolute(&asked.path)?;
    let source = PackageSource::Path { path: path.to_string_lossy().into_owned() };
    let judge = owned::open("agon import").await?;
    let done = import(&judge, &asked, source).await;
    judge.close().await;
    done
}

async fn import(judge: &Judge, asked: &Asked, source: PackageSource) -> Result<Exit, CommandError> {
    let actor = judge.local_actor();
    let report = judge.inspect_package(&actor, InspectPackage { source: source.clone() }).await?;
    if report.is_refused() || asked.dry_run {
        tell(asked, None, &report)?;
        return Ok(if report.is_refused() { Exit::Refused } else { Exit::Success });
    }
    let request = ImportPackage { source, replace_existing: asked.replace };
    let reply = judge.import_package(&actor, request).await?;
    tell(asked, Some(&reply), &reply.report)?;
    Ok(Exit::Success)
}

fn tell(asked: &Asked, reply: Option<&ImportReply>, report: &ImportReport) -> Result<(), CommandError> {
    if asked.json {
        let problem_id = reply.map(|reply| reply.problem_id.as_str());
        let answer = Answer { imported: reply.is_some(), problem_id, report };
        return owned::say(serde_json::to_string(&answer).expect("an answer is text and numbers"));
    }
    for finding in &report.findings {
        owned::note(findings::describe(&report.source_name, finding));
    }
    match &report.problem {
        None => owned::say(format_args!("{} is refused; nothing was imported", report.source_name)),
        Some(problem) => {
            let done = if reply.is_some() { "imported" } else { "can be imported" };
            owned::say(format_args!("{}: {done}: {}", report.source_name, overview(problem)))
        }
    }
}

fn overview(problem: &PackageOverview) -> String {
    let limit = match problem.limits.time_limit_ms {
        0 => "time limit to be derived".to_owned(),
        ms => table::seconds(ms),
    };
    format!(
        "{} ({} sample and {} secret test cases, {limit}, {})",
        problem.slug,
        problem.sample_case_count,
        problem.secret_case_count,
        table::mebibytes(problem.limits.memory_limit_bytes),
    )
}
