//! `agon import`: takes a package into the data folder, or only says what the doctor sees.

use std::path::PathBuf;

use agon_contract::command::{ImportPackage, ImportReply, InspectPackage};
use agon_contract::package::{ImportReport, PackageOverview, PackageSource};
use serde::Serialize;

use crate::desk::Desk;
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
    let desk = desk_for(&asked).await?;
    let done = import(&desk, &asked, source).await;
    desk.close().await;
    done
}

/// A mere look leaves no data folder behind where there was none.
async fn desk_for(asked: &Asked) -> Result<Desk, CommandError> {
    const PROGRAM: &str = "agon import";
    if !asked.dry_run {
        return Desk::open(PROGRAM).await;
    }
    match Desk::present(PROGRAM).await? {
        Some(desk) => Ok(desk),
        None => Desk::throw_away(PROGRAM).await,
    }
}

async fn import(desk: &Desk, asked: &Asked, source: PackageSource) -> Result<Exit, CommandError> {
    let report = desk.ask(&InspectPackage { source: source.clone() }).await?;
    if report.is_refused() {
        tell(asked, None, &report)?;
        return Ok(Exit::Refused);
    }
    refuse_taken_name(asked, &report)?;
    if asked.dry_run {
        tell(asked, None, &report)?;
        return Ok(Exit::Success);
    }
    let reply = desk.ask(&ImportPackage { source, replace_existing: asked.replace }).await?;
    tell(asked, Some(&reply), &reply.report)?;
    Ok(Exit::Success)
}

/// What the import would refuse, a look refuses too.
fn refuse_taken_name(asked: &Asked, report: &ImportReport) -> Result<(), CommandError> {
    match &report.problem {
        Some(problem) if !asked.replace && standing(problem) == Standing::Other => {
            Err(CommandError::NameTaken { slug: problem.slug.clone() })
        }
        Some(_) | None => Ok(()),
    }
}

/// What the catalogue had under the package's short name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Nothing,
    Same,
    Other,
}

fn standing(problem: &PackageOverview) -> Standing {
    match &problem.existing {
        None => Standing::Nothing,
        Some(existing) if existing.same_content => Standing::Same,
        Some(_) => Standing::Other,
    }
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
            let done = done_with(standing(problem), reply.is_some());
            owned::say(format_args!("{}: {done}: {}", report.source_name, overview(problem)))
        }
    }
}

fn done_with(standing: Standing, was_imported: bool) -> &'static str {
    match (standing, was_imported) {
        (Standing::Same, _) => "already there, unchanged",
        (Standing::Other, true) => "imported in place of the earlier one",
        (Standing::Other, false) => "can be imported in place of the present one",
        (Standing::Nothing, true) => "imported",
        (Standing::Nothing, false) => "can be imported",
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
        table::limit_of_bytes(problem.limits.memory_limit_bytes),
    )
}
