//! `agon rejudge` and `agon change-set`: judging again, and deciding what of it counts.

use agon_contract::command::{
    ApplyChangeSet, DiscardChangeSet, GetChangeSet, ListChangeSets, ListProblems, Rejudge, WaitEvents,
};
use agon_contract::ids::{ContestId, IdempotencyKey, LanguageId, ProblemId};
use agon_contract::rejudge::{ChangeSetItem, ChangeSetView, RejudgeBasis, RejudgeMode, RejudgeSelection};
use agon_contract::verdict::Verdict;
use agon_contract::{ApiError, ErrorCode};

use judge_core::judging;

use crate::desk::Desk;
use crate::exit::Exit;
use crate::owned::{self, CommandError};

/// What to judge again: one submission, or all that fit every condition given.
#[derive(Debug, clap::Args)]
pub(crate) struct Asked {
    /// One submission, by its number.
    #[arg(long, value_parser = owned::number, conflicts_with_all = ["problem", "language", "verdict", "contest"])]
    submission: Option<u64>,
    /// Submissions to this problem, by its short name.
    #[arg(long)]
    problem: Option<String>,
    /// Submissions in this language, e.g. `cpp20`.
    #[arg(long)]
    language: Option<String>,
    /// Submissions whose verdict is this one now, e.g. `WA`.
    #[arg(long)]
    verdict: Option<String>,
    /// Submissions of this contest, by its id.
    #[arg(long)]
    contest: Option<String>,
    /// Hold the new verdicts back until `agon change-set apply`.
    #[arg(long)]
    change_set: bool,
    /// By the test data and limits each was handed in under, instead of those of now.
    #[arg(long)]
    as_handed_in: bool,
    /// Do not wait for the verdicts; the next program on this data folder goes on.
    #[arg(long)]
    no_wait: bool,
    /// Makes the call repeatable: the same key with the same wish is one rejudging.
    #[arg(long)]
    key: Option<String>,
    /// One JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// What to do with change sets.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum ChangeSetAsked {
    /// List change sets, newest first.
    List {
        /// JSON instead of text: one object per line.
        #[arg(long)]
        json: bool,
    },
    /// Show old and new verdict of each submission.
    Show {
        #[arg(value_parser = owned::number)]
        number: u64,
        /// Only submissions whose verdict changes.
        #[arg(long)]
        changed: bool,
        /// One JSON object instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Let the new verdicts count.
    Apply {
        #[arg(value_parser = owned::number)]
        number: u64,
    },
    /// Throw the new verdicts away.
    Discard {
        #[arg(value_parser = owned::number)]
        number: u64,
    },
}

/// Rows of one page, the most that the core answers at once.
const PAGE: u32 = 200;

/// Judges again and, unless told otherwise, waits for the verdicts.
pub(crate) async fn run(asked: Asked) -> Result<Exit, CommandError> {
    let desk = Desk::existing("agon rejudge").await?;
    let done = rejudge(&desk, &asked).await;
    desk.close().await;
    done
}

/// Lists, shows and decides.
pub(crate) async fn change_set(asked: ChangeSetAsked) -> Result<Exit, CommandError> {
    const PROGRAM: &str = "agon change-set";
    let desk = match &asked {
        ChangeSetAsked::List { .. } | ChangeSetAsked::Show { .. } => Desk::look_at_existing(PROGRAM).await?,
        ChangeSetAsked::Apply { .. } | ChangeSetAsked::Discard { .. } => Desk::existing(PROGRAM).await?,
    };
    let done = decide(&desk, asked).await;
    desk.close().await;
    done
}

async fn rejudge(desk: &Desk, asked: &Asked) -> Result<Exit, CommandError> {
    let request = Rejudge {
        idempotency_key: IdempotencyKey(asked.key.clone().unwrap_or_else(|| uuid::Uuid::now_v7().to_string())),
        selection: selection(desk, asked).await?,
        mode: if asked.change_set { RejudgeMode::Reviewed } else { RejudgeMode::Direct },
        basis: if asked.as_handed_in { RejudgeBasis::AsHandedIn } else { RejudgeBasis::Newest },
    };
    let made = desk.ask(&request).await?;
    let shown = if asked.no_wait {
        made
    } else {
        tokio::select! {
            judged = judged(desk, made) => judged?,
            stopped = owned::stop_asked() => {
                stopped.map_err(CommandError::Signals)?;
                owned::note("stopped waiting; the rejudging goes on with the next program on this data folder");
                return Ok(Exit::Stopped);
            }
        }
    };
    tell(desk, &shown, false, asked.json).await
}

async fn selection(desk: &Desk, asked: &Asked) -> Result<RejudgeSelection, CommandError> {
    if let Some(number) = asked.submission {
        return Ok(RejudgeSelection::Submission { submission_id: desk.submission_numbered(number).await? });
    }
    let problem_id = match &asked.problem {
        Some(name) => Some(problem(desk, name).await?),
        None => None,
    };
    Ok(RejudgeSelection::Matching {
        problem_id,
        language_id: asked.language.as_deref().map(language).transpose()?,
        verdict: asked.verdict.as_deref().map(verdict).transpose()?,
        contest_id: asked.contest.as_deref().map(ContestId::from),
    })
}

fn language(name: &str) -> Result<LanguageId, CommandError> {
    let id = LanguageId::from(name);
    match judging::language_by_id(&id) {
        Some(_) => Ok(id),
        None => Err(CommandError::NoLanguage { asked: Some(name.to_owned()), known: owned::known_languages() }),
    }
}

fn verdict(name: &str) -> Result<Verdict, CommandError> {
    match Verdict::from(name.to_uppercase().as_str()) {
        Verdict::Unknown(_) => {
            let known = Verdict::KNOWN.iter().map(Verdict::as_str).collect::<Vec<_>>().join(", ");
            Err(nothing("verdict", format_args!("{name}; there are {known}")))
        }
        verdict => Ok(verdict),
    }
}

fn nothing(what: &str, name: impl std::fmt::Display) -> CommandError {
    CommandError::Refused(ApiError::new(ErrorCode::NotFound, format!("there is no {what} {name}")))
}

async fn problem(desk: &Desk, name: &str) -> Result<ProblemId, CommandError> {
    let problems = desk.ask(&ListProblems { query: String::new() }).await?;
    let found = problems.into_iter().find(|problem| problem.slug == name || problem.id.as_str() == name);
    found.map(|problem| problem.id).ok_or_else(|| nothing("problem", name))
}

/// Waits until every submission of the change set has its new verdict or needs a person.
async fn judged(desk: &Desk, made: ChangeSetView) -> Result<ChangeSetView, CommandError> {
    let mut seen = WaitEvents { after_seq: -1, progress_counter: 0, wait_ms: 5_000 };
    let mut view = made;
    while view.counts.waiting + view.counts.judging > 0 {
        let batch = desk.ask(&seen).await?;
        seen.after_seq = batch.last_seq;
        seen.progress_counter = batch.progress_counter;
        view = desk.ask(&first_page(&view, false)).await?;
    }
    Ok(view)
}

fn first_page(view: &ChangeSetView, only_changed: bool) -> GetChangeSet {
    GetChangeSet { change_set_id: view.id.clone(), after_ordinal: 0, limit: PAGE, only_changed }
}

async fn decide(desk: &Desk, asked: ChangeSetAsked) -> Result<Exit, CommandError> {
    match asked {
        ChangeSetAsked::List { json } => list(desk, json).await,
        ChangeSetAsked::Show { number, changed, json } => {
            let view = numbered(desk, number).await?;
            tell(desk, &view, changed, json).await
        }
        ChangeSetAsked::Apply { number } => {
            let change_set_id = numbered(desk, number).await?.id;
            let view = desk.ask(&ApplyChangeSet { change_set_id }).await?;
            tell(desk, &view, false, false).await
        }
        ChangeSetAsked::Discard { number } => {
            let change_set_id = numbered(desk, number).await?.id;
            let view = desk.ask(&DiscardChangeSet { change_set_id }).await?;
            tell(desk, &view, false, false).await
        }
    }
}

async fn list(desk: &Desk, json: bool) -> Result<Exit, CommandError> {
    let mut before_number = None;
    loop {
        let request = ListChangeSets { before_number, limit: PAGE };
        let page = desk.ask(&request).await?;
        if page.rows.is_empty() && before_number.is_none() {
            owned::note("No change sets.");
        }
        for view in &page.rows {
            if json {
                owned::say(serde_json::to_string(view).expect("a change set is text and numbers"))?;
            } else {
                owned::say(heading(view))?;
            }
        }
        match page.next_before_number {
            Some(next) => before_number = Some(next),
            None => return Ok(Exit::Success),
        }
    }
}

async fn numbered(desk: &Desk, number: u64) -> Result<ChangeSetView, CommandError> {
    let request = ListChangeSets { before_number: Some(number.saturating_add(1)), limit: 1 };
    let page = desk.ask(&request).await?;
    let found = page.rows.into_iter().find(|view| view.number == number);
    found.ok_or_else(|| nothing("change set", format_args!("#{number}")))
}

/// Prints a change set with all its submissions, page by page.
async fn tell(desk: &Desk, view: &ChangeSetView, only_changed: bool, json: bool) -> Result<Exit, CommandError> {
    let mut request = first_page(view, only_changed);
    let mut whole = desk.ask(&request).await?;
    let mut next = whole.next_after_ordinal.take();
    while let Some(after_ordinal) = next {
        request.after_ordinal = after_ordinal;
        let page = desk.ask(&request).await?;
        next = page.next_after_ordinal;
        whole.items.extend(page.items);
    }
    if json {
        owned::say(serde_json::to_string(&whole).expect("a change set is text and numbers"))?;
    } else {
        owned::say(heading(&whole))?;
        for item in &whole.items {
            owned::say(line(item))?;
        }
    }
    let is_clean = whole.counts.needs_attention + whole.counts.refused == 0;
    Ok(if is_clean { Exit::Success } else { Exit::Negative })
}

fn heading(view: &ChangeSetView) -> String {
    let counts = &view.counts;
    let mut parts = vec![format!("{} submissions", counts.total)];
    for (count, what) in [
        (counts.waiting + counts.judging, "not judged yet"),
        (counts.changed, "with another verdict"),
        (counts.applied, "applied"),
        (counts.refused, "refused"),
        (counts.left_out, "left out"),
        (counts.ended, "ended"),
        (counts.needs_attention, "in need of attention"),
    ] {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    }
    format!("#{:<5}  {:9}  {:10}  {}", view.number, view.mode.as_str(), view.state.as_str(), parts.join(", "))
}

fn line(item: &ChangeSetItem) -> String {
    let verdict = |verdict: &Option<Verdict>| verdict.as_ref().map_or("-", Verdict::as_str).to_owned();
    let (old, new) = (verdict(&item.old_verdict), verdict(&item.new_verdict));
    let line = format!(
        "  #{:<5}  {:20}  {:10}  {old:>3} -> {new:3}  {:15}  {}",
        item.number,
        item.problem_slug,
        item.language_id.as_str(),
        item.state.as_str(),
        item.reason
    );
    line.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use agon_contract::rejudge::ChangeSetItemState;

    use super::*;

    #[test]
    fn a_line_shows_old_and_new_and_why_not() {
        let mut item = ChangeSetItem {
            ordinal: 1,
            submission_id: "s".into(),
            number: 7,
            user_id: "u".into(),
            problem_slug: "sum".into(),
            language_id: "cpp20".into(),
            state: ChangeSetItemState::Judged,
            old_verdict: Some(Verdict::WrongAnswer),
            new_verdict: Some(Verdict::Accepted),
            reason: String::new(),
        };
        assert!(line(&item).contains(" WA -> AC "), "{}", line(&item));
        item.state = ChangeSetItemState::Refused;
        item.reason = "current_moved".into();
        assert!(line(&item).ends_with("refused          current_moved"), "{}", line(&item));
    }
}
