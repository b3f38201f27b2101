//! The table of problems and the rule of what a search shows.

use agon_contract::problem::ProblemSummary;
use leptos::prelude::*;
use leptos_router::components::A;

use crate::format::{bytes, time_limit};
use crate::i18n::{Locale, locale, t};
use crate::parts::{VerdictBadge, follow_on_click};
use crate::state::preferences::best_text;

/// Which problems are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    All,
    ToDo,
    Solved,
}

fn is_solved(problem: &ProblemSummary) -> bool {
    problem.best_verdict.as_ref().is_some_and(agon_contract::verdict::Verdict::is_accepted)
}

/// Every word must occur in a title, the short name or a keyword, any case.
fn matches(problem: &ProblemSummary, needle: &str) -> bool {
    needle.split_whitespace().all(|word| {
        let word = word.to_lowercase();
        problem.slug.to_lowercase().contains(&word)
            || problem.titles.iter().any(|title| title.text.to_lowercase().contains(&word))
            || problem.keywords.iter().any(|keyword| keyword.to_lowercase().contains(&word))
    })
}

/// The problems to show, by title.
pub(super) fn shown(problems: &[ProblemSummary], needle: &str, show: Show, locale: Locale) -> Vec<ProblemSummary> {
    let wanted = |problem: &&ProblemSummary| match show {
        Show::All => true,
        Show::ToDo => !is_solved(problem),
        Show::Solved => is_solved(problem),
    };
    let mut rows: Vec<ProblemSummary> =
        problems.iter().filter(wanted).filter(|problem| matches(problem, needle)).cloned().collect();
    rows.sort_by_key(|problem| best_text(&problem.titles, locale).to_lowercase());
    rows
}

/// One row a problem; the title is the link.
#[component]
pub(super) fn ProblemTable(rows: Memo<Vec<ProblemSummary>>) -> impl IntoView {
    view! {
        <table class="table">
            <thead><tr>
                <th scope="col" class="cell-narrow">{t().column_state}</th>
                <th scope="col">{t().column_problem}</th>
                <th scope="col">{t().column_keywords}</th>
                <th scope="col" class="number">{t().column_time}</th>
                <th scope="col" class="number">{t().column_memory}</th>
                <th scope="col" class="number">{t().column_attempts}</th>
            </tr></thead>
            <tbody>
                // The key holds everything shown, so that a changed row is drawn anew.
                <For each=move || rows.get() key=row_key let:problem>
                    <ProblemRow problem />
                </For>
            </tbody>
        </table>
    }
}

fn row_key(problem: &ProblemSummary) -> String {
    let best = problem.best_verdict.as_ref().map_or("", |verdict| verdict.as_str());
    format!("{} {best} {} {}", problem.id, problem.attempts, problem.imported_at_ms)
}

#[component]
fn ProblemRow(problem: ProblemSummary) -> impl IntoView {
    let title = best_text(&problem.titles, locale()).to_owned();
    let href = format!("/problems/{}", problem.id);
    let follow = follow_on_click(href.clone());
    let testid = format!("problem-row-{}", problem.slug);
    let state = match problem.best_verdict.clone() {
        Some(verdict) => view! { <VerdictBadge verdict /> }.into_any(),
        None => view! { <span class="muted" title=t().not_tried>"–"<span class="visually-hidden">{t().not_tried}</span></span> }.into_any(),
    };
    view! {
        <tr class="is-link" data-testid=testid on:click=follow>
            <td>{state}</td>
            <th scope="row" class="cell-title">
                <A href=href attr:class="row-link">{title}</A>
                <span class="slug">{problem.slug}</span>
            </th>
            <td class="cell-keywords">{problem.keywords.into_iter().map(|keyword| view! { <span class="tag">{keyword}</span> }).collect_view()}</td>
            <td class="number">{time_limit(problem.time_limit_ms)}</td>
            <td class="number">{bytes(problem.memory_limit_bytes)}</td>
            <td class="number">{problem.attempts}</td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_contract::problem::LocalText;
    use agon_contract::verdict::Verdict;

    fn problem(slug: &str, title: &str, keyword: &str, best_verdict: Option<Verdict>) -> ProblemSummary {
        ProblemSummary {
            id: slug.into(),
            slug: slug.into(),
            titles: vec![LocalText { language: "en".into(), text: title.into() }],
            keywords: vec![keyword.into()],
            time_limit_ms: 1_000,
            memory_limit_bytes: 256 << 20,
            best_verdict,
            attempts: 0,
            imported_at_ms: 0,
        }
    }

    fn slugs(needle: &str, show: Show) -> Vec<String> {
        let problems = [
            problem("sums", "Two Sums", "arrays", Some(Verdict::Accepted)),
            problem("paths", "a Shortest Path", "graphs", Some(Verdict::WrongAnswer)),
            problem("路", "最短路", "graphs", None),
        ];
        shown(&problems, needle, show, Locale::En).into_iter().map(|problem| problem.slug).collect()
    }

    #[test]
    fn words_are_found_anywhere_in_any_case() {
        assert_eq!(slugs("SHORT", Show::All), ["paths"]);
        assert_eq!(slugs("graphs 最短", Show::All), ["路"]);
        assert_eq!(slugs("graphs sums", Show::All), [""; 0]);
    }

    #[test]
    fn rows_stand_by_title() {
        assert_eq!(slugs("", Show::All), ["paths", "sums", "路"]);
    }

    #[test]
    fn a_wrong_answer_is_still_to_do() {
        assert_eq!(slugs("", Show::ToDo), ["paths", "路"]);
        assert_eq!(slugs("", Show::Solved), ["sums"]);
    }
}
