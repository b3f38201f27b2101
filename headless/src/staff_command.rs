//! `agon cancel`, `agon dead-letters` and `agon explain`: what staff does to one submission's judging.

use agon_contract::command::{CancelJudging, ExplainDifference, GetSubmission, ListDeadLetters, Revive};
use agon_contract::delivery::{ComparedJudgement, DeadLetter, ManifestDifference};
use agon_contract::submission::{JudgementState, SubmissionDetail};
use agon_contract::verdict::Verdict;
use agon_contract::{ApiError, ErrorCode};
use judge_core::domain::date;
use serde::Serialize;

use crate::desk::Desk;
use crate::exit::Exit;
use crate::owned::{self, CommandError};

/// Letters asked for, the most that the core answers at once: the oldest, which were set aside first.
const LETTERS: u32 = 200;

/// One submission, and how to print what became of it.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Asked {
    /// The submission's number, as `agon submissions` lists it.
    #[arg(value_parser = owned::number)]
    submission: u64,
    /// One JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// What to do with what was set aside.
#[derive(Clone, Copy, Debug, clap::Subcommand)]
pub(crate) enum LettersAsked {
    /// List everything that needs a person, oldest first, at most 200.
    List {
        /// JSON instead of text: one object per line.
        #[arg(long)]
        json: bool,
    },
    /// Send a submission that was set aside, or needs attention, to be judged again.
    Revive(Asked),
}

/// Ends the judging that waits or runs; there is no verdict of it.
pub(crate) async fn cancel(asked: Asked) -> Result<Exit, CommandError> {
    let desk = Desk::existing("agon cancel").await?;
    let done = async {
        let submission_id = desk.submission_numbered(asked.submission).await?;
        let detail = desk.ask(&CancelJudging { submission_id }).await?;
        tell(&detail, asked.json, cancelled)
    }
    .await;
    desk.close().await;
    done
}

/// Lists and revives.
pub(crate) async fn dead_letters(asked: LettersAsked) -> Result<Exit, CommandError> {
    const PROGRAM: &str = "agon dead-letters";
    let desk = match &asked {
        LettersAsked::List { .. } => Desk::look_at_existing(PROGRAM).await?,
        LettersAsked::Revive(_) => Desk::existing(PROGRAM).await?,
    };
    let done = match asked {
        LettersAsked::List { json } => list(&desk, json).await,
        LettersAsked::Revive(asked) => revive(&desk, asked).await,
    };
    desk.close().await;
    done
}

/// Says what the last two verdicts of a submission were made with, where it differs.
pub(crate) async fn explain(asked: Asked) -> Result<Exit, CommandError> {
    let desk = Desk::look_at_existing("agon explain").await?;
    let done = async {
        let submission_id = desk.submission_numbered(asked.submission).await?;
        let detail = desk.ask(&GetSubmission { submission_id }).await?;
        let compared = last_two(&detail, asked.submission)?;
        tell(&desk.ask(&compared).await?, asked.json, difference)
    }
    .await;
    desk.close().await;
    done
}

async fn list(desk: &Desk, json: bool) -> Result<Exit, CommandError> {
    let letters = desk.ask(&ListDeadLetters { limit: LETTERS }).await?;
    if letters.is_empty() {
        owned::note("Nothing was set aside.");
    }
    for letter in &letters {
        tell(letter, json, line)?;
    }
    Ok(Exit::Success)
}

async fn revive(desk: &Desk, asked: Asked) -> Result<Exit, CommandError> {
    let submission_id = desk.submission_numbered(asked.submission).await?;
    let detail = desk.ask(&Revive { submission_id }).await?;
    tell(&detail, asked.json, revived)
}

fn tell<T: Serialize>(told: &T, json: bool, words: impl Fn(&T) -> String) -> Result<Exit, CommandError> {
    if json {
        owned::say(serde_json::to_string(told).expect("an answer is text and numbers"))?;
    } else {
        owned::say(words(told))?;
    }
    Ok(Exit::Success)
}

/// The newest judged judgement and the one before it.
fn last_two(detail: &SubmissionDetail, number: u64) -> Result<ExplainDifference, CommandError> {
    let mut judged = detail.judgements.iter().filter(|judgement| judgement.state == JudgementState::Judged);
    match (judged.next(), judged.next()) {
        (Some(second), Some(first)) => Ok(ExplainDifference { first: first.id.clone(), second: second.id.clone() }),
        (Some(_) | None, None) | (None, Some(_)) => {
            let message = format!("submission #{number} was not judged twice; there is nothing to compare");
            Err(ApiError::new(ErrorCode::Conflict, message).into())
        }
    }
}

fn cancelled(detail: &SubmissionDetail) -> String {
    let summary = &detail.summary;
    match &summary.verdict {
        Some(verdict) => format!("#{}: the judging was cancelled; {} stays", summary.number, verdict.as_str()),
        None => format!("#{}: the judging was cancelled; there is no verdict", summary.number),
    }
}

fn revived(detail: &SubmissionDetail) -> String {
    let generation = detail.judgements.first().map_or(0, |newest| newest.generation);
    format!("#{}: waits to be judged again, as judging {generation}", detail.summary.number)
}

fn line(letter: &DeadLetter) -> String {
    let number = letter.number.map_or("-".to_owned(), |number| format!("#{number}"));
    let when = date::utc(letter.since_ms);
    let (place, slug) = (letter.place.as_str(), &letter.problem_slug);
    format!("{number:6}  {when}  {place:6}  {slug:20}  {}", letter.reason).trim_end().to_owned()
}

fn difference(found: &ManifestDifference) -> String {
    let verdict = |side: &ComparedJudgement| side.verdict.as_ref().map_or("-", Verdict::as_str).to_owned();
    let (first, second) = (&found.first, &found.second);
    let heading = format!(
        "judging {} said {}, judging {} said {}",
        first.generation,
        verdict(first),
        second.generation,
        verdict(second)
    );
    if found.fields.is_empty() {
        return format!("{heading}; both were made with the same things");
    }
    let fields = found.fields.iter().map(|field| {
        let value = |value: &str| if value.is_empty() { "not recorded".to_owned() } else { value.to_owned() };
        format!("\n  {:20}  {} -> {}", field.field.as_str(), value(&field.first), value(&field.second))
    });
    heading + &fields.collect::<String>()
}

#[cfg(test)]
mod tests {
    use agon_contract::delivery::{DeadLetterPlace, FieldDifference, ManifestField};

    use super::*;

    #[test]
    fn a_letter_says_what_lies_where_since_when_and_why() {
        let mut letter = DeadLetter {
            place: DeadLetterPlace::Outbox,
            submission_id: Some("s".into()),
            number: Some(7),
            problem_slug: "sums".to_owned(),
            generation: 2,
            reason: "two boxes died".to_owned(),
            since_ms: 1_000,
            payload_base64: String::new(),
        };
        let expected = "#7      1970-01-01T00:00:01Z  outbox  sums                  two boxes died";
        assert_eq!(line(&letter), expected);
        letter.number = None;
        letter.place = DeadLetterPlace::Poison;
        assert!(line(&letter).starts_with("-       1970-01-01T00:00:01Z  poison"), "{}", line(&letter));
    }

    #[test]
    fn a_difference_names_both_verdicts_and_each_field_with_its_values() {
        let side = |generation, verdict| ComparedJudgement {
            judgement_id: "j".into(),
            submission_id: "s".into(),
            generation,
            verdict: Some(verdict),
            first_failing: None,
        };
        let (first, second) = (side(1, Verdict::WrongAnswer), side(2, Verdict::Accepted));
        let mut found = ManifestDifference { first, second, fields: Vec::new() };
        let heading = "judging 1 said WA, judging 2 said AC";
        assert_eq!(difference(&found), format!("{heading}; both were made with the same things"));
        let (field, second) = (ManifestField::TestData, "b".to_owned());
        found.fields.push(FieldDifference { field, first: String::new(), second });
        assert_eq!(difference(&found), format!("{heading}\n  test_data             not recorded -> b"));
    }
}
