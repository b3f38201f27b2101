//! `agon problems`, `agon submissions` and `agon remove`: what the data folder lists.

use agon_contract::command::{ListProblems, ListSubmissions, RemoveProblem};
use agon_contract::problem::{LocalText, ProblemSummary};
use agon_contract::submission::{Stage, SubmissionSummary};
use serde::Serialize;

use crate::desk::Desk;
use crate::exit::Exit;
use crate::owned::{self, CommandError};
use crate::table;

/// Output of a listing.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Asked {
    /// JSON instead of text: one object per line.
    #[arg(long)]
    json: bool,
}

/// Rows of one page, the most that the core answers at once.
const PAGE: u32 = 200;

/// Lists the problems of the catalogue.
pub(crate) async fn problems(asked: Asked) -> Result<Exit, CommandError> {
    let Some(desk) = Desk::look("agon problems").await? else { return none("problems") };
    let listed = desk.ask(&ListProblems { query: String::new() }).await;
    desk.close().await;
    let problems = listed?;
    if problems.is_empty() { none("problems") } else { each(asked, &problems, problem_line) }
}

/// Lists submissions, newest first.
pub(crate) async fn submissions(asked: Asked) -> Result<Exit, CommandError> {
    let Some(desk) = Desk::look("agon submissions").await? else { return none("submissions") };
    let listed = list_pages(&desk, asked).await;
    desk.close().await;
    listed
}

async fn list_pages(desk: &Desk, asked: Asked) -> Result<Exit, CommandError> {
    let mut before_number = None;
    loop {
        let page = desk.ask(&ListSubmissions { problem_id: None, user_id: None, before_number, limit: PAGE }).await?;
        if page.rows.is_empty() && before_number.is_none() {
            return none("submissions");
        }
        each(asked, &page.rows, submission_line)?;
        match page.next_before_number {
            Some(next) => before_number = Some(next),
            None => return Ok(Exit::Success),
        }
    }
}

/// Takes the problem with this short name off the list; its submissions stay.
pub(crate) async fn remove(slug: &str) -> Result<Exit, CommandError> {
    let absent = || CommandError::NoProblem(slug.to_owned());
    let desk = Desk::present("agon remove").await?.ok_or_else(absent)?;
    let removed = remove_from(&desk, slug).await;
    desk.close().await;
    removed?.then_some(Exit::Success).ok_or_else(absent)
}

async fn remove_from(desk: &Desk, slug: &str) -> Result<bool, CommandError> {
    let problems = desk.ask(&ListProblems { query: slug.to_owned() }).await?;
    let Some(problem) = problems.into_iter().find(|problem| problem.slug == slug) else { return Ok(false) };
    desk.ask(&RemoveProblem { problem_id: problem.id }).await?;
    owned::say(format_args!("{slug}: removed from the list; its submissions stay, importing it again brings it back"))?;
    Ok(true)
}

/// Says on stderr that there is nothing, and where: a mistyped folder must not look like an empty one.
fn none(what: &str) -> Result<Exit, CommandError> {
    owned::note(format_args!("No {what} in {}.", owned::data_folder()?.display()));
    Ok(Exit::Success)
}

fn each<T: Serialize>(asked: Asked, rows: &[T], line: impl Fn(&T) -> String) -> Result<Exit, CommandError> {
    for row in rows {
        if asked.json {
            owned::say(serde_json::to_string(row).expect("a row is text and numbers"))?;
        } else {
            owned::say(line(row))?;
        }
    }
    Ok(Exit::Success)
}

/// The English title where there is one: the command line speaks English.
fn title(titles: &[LocalText]) -> &str {
    let english = titles.iter().find(|title| title.language == "en");
    english.or(titles.first()).map_or("", |title| title.text.as_str())
}

fn problem_line(problem: &ProblemSummary) -> String {
    let best = problem.best_verdict.as_ref().map_or("-", |verdict| verdict.as_str());
    let limits =
        format!("{}, {}", table::seconds(problem.time_limit_ms), table::limit_of_bytes(problem.memory_limit_bytes));
    format!("{:20}  {best:4}  {limits:22}  {}", problem.slug, title(&problem.titles))
}

fn submission_line(row: &SubmissionSummary) -> String {
    let state = match (&row.verdict, &row.progress.stage) {
        (Some(verdict), _) => verdict.as_str(),
        // It came to its end without one.
        (None, Stage::Finished) => "cancelled",
        (None, stage) => stage.as_str(),
    };
    let place = row.first_failing.as_deref().unwrap_or(&row.progress.reason);
    let person = row.user_name.as_deref().unwrap_or_default();
    let (number, slug, language) = (row.number, &row.problem_slug, row.language_id.as_str());
    format!("#{number:<5}  {slug:20}  {state:20}  {language:10}  {person:20}  {place}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_english_title_is_preferred_and_any_is_better_than_none() {
        let text = |language: &str, text: &str| LocalText { language: language.to_owned(), text: text.to_owned() };
        assert_eq!(title(&[text("zh", "求和"), text("en", "Sums")]), "Sums");
        assert_eq!(title(&[text("ja", "足し算")]), "足し算");
        assert_eq!(title(&[]), "");
    }
}
