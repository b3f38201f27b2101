//! `agon problems` and `agon submissions`: what the data folder says.

use agon_contract::command::{ListProblems, ListSubmissions};
use agon_contract::problem::{LocalText, ProblemSummary};
use agon_contract::submission::SubmissionSummary;
use judge_core::Judge;
use serde::Serialize;

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
    with_judge("agon problems", async |judge| {
        let problems = judge.list_problems(&judge.local_actor(), ListProblems { query: String::new() }).await?;
        each(asked, &problems, problem_line)
    })
    .await
}

/// Lists submissions, newest first.
pub(crate) async fn submissions(asked: Asked) -> Result<Exit, CommandError> {
    with_judge("agon submissions", async |judge| {
        let mut before_number = None;
        loop {
            let request = ListSubmissions { problem_id: None, before_number, limit: PAGE };
            let page = judge.list_submissions(&judge.local_actor(), request).await?;
            each(asked, &page.rows, submission_line)?;
            match page.next_before_number {
                Some(next) => before_number = Some(next),
                None => return Ok(Exit::Success),
            }
        }
    })
    .await
}

async fn with_judge(
    program: &str,
    work: impl AsyncFnOnce(&Judge) -> Result<Exit, CommandError>,
) -> Result<Exit, CommandError> {
    let judge = owned::open(program).await?;
    let done = work(&judge).await;
    judge.close().await;
    done
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
    let limits = format!("{}, {}", table::seconds(problem.time_limit_ms), table::mebibytes(problem.memory_limit_bytes));
    format!("{:20}  {best:4}  {limits:22}  {}", problem.slug, title(&problem.titles))
}

fn submission_line(row: &SubmissionSummary) -> String {
    let state = row.verdict.as_ref().map_or(row.progress.stage.as_str(), |verdict| verdict.as_str());
    let place = row.first_failing.as_deref().unwrap_or(&row.progress.reason);
    format!("#{:<5}  {:20}  {state:20}  {:10}  {place}", row.number, row.problem_slug, row.language_id.as_str())
        .trim_end()
        .to_owned()
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
