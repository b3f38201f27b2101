//! The list of submissions: newest first, page by page, of all problems or of one, for staff of all people or of one.

use agon_contract::command::{ListProblems, ListSubmissions};
use agon_contract::ids::{ProblemId, UserId};
use agon_contract::permission::Permission;
use agon_contract::submission::{Progress, SubmissionPage, SubmissionSummary};
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::{use_navigate, use_query_map};

use super::hall::{AskAgain, Conditions, Target};
use super::submission::{Points, StateWord};
use crate::format::{bytes, duration};
use crate::i18n::{hall, locale, reason_text, t};
use crate::parts::{Empty, Glyph, Icon, Moment, follow_on_click};
use crate::state::browser::set_title;
use crate::state::preferences::best_text;
use crate::state::{Topic, loaded, query, use_app};

const PAGE: u32 = 50;

/// The screen; the filter and the page live in the address, so that Back works.
#[component]
pub fn Submissions() -> impl IntoView {
    set_title(t().nav_submissions);
    let address = use_query_map();
    let problem = Memo::new(move |_| address.with(|address| address.get("problem")).filter(|id| !id.is_empty()));
    let before =
        Memo::new(move |_| address.with(|address| address.get("before")).and_then(|text| text.parse::<u64>().ok()));
    let person = Memo::new(move |_| address.with(|address| address.get("person")).filter(|id| !id.is_empty()));
    let page = query(
        move || {
            let (problem_id, user_id) = (problem.get().map(ProblemId), person.get().map(UserId));
            Some(ListSubmissions { problem_id, user_id, before_number: before.get(), limit: PAGE })
        },
        &[Topic::Submissions, Topic::Progress],
    );
    view! {
        <section class="screen">
            <header class="screen-head">
                <h1>{t().nav_submissions}</h1>
                <ProblemFilter problem person />
                <JudgeAgain problem />
            </header>
            {loaded(page, move |page| view! { <Page page problem person before /> })}
        </section>
    }
}

/// For those who may: judges what is shown again, or what else they choose.
#[component]
fn JudgeAgain(problem: Memo<Option<String>>) -> impl IntoView {
    let app = use_app();
    let may = Memo::new(move |_| app.may(&Permission::Rejudge));
    let asks = RwSignal::new(false);
    let target = move || Target::Matching(Conditions { problem: problem.get_untracked(), ..Conditions::default() });
    view! {
        {move || may.get().then(|| view! {
            <button class="button" type="button" data-testid="judge-again-these" on:click=move |_| asks.set(true)>
                <Icon glyph=Glyph::Again />{hall().judge_again_these}
            </button>
        })}
        {move || asks.get().then(|| view! { <AskAgain target=target() on_close=move || asks.set(false) /> })}
    }
}

/// The address of a page.
fn address_of(problem: Option<&str>, person: Option<&str>, before: Option<u64>) -> String {
    let mut parts = Vec::new();
    if let Some(problem) = problem {
        parts.push(format!("problem={problem}"));
    }
    if let Some(person) = person {
        parts.push(format!("person={person}"));
    }
    if let Some(before) = before {
        parts.push(format!("before={before}"));
    }
    if parts.is_empty() { "/submissions".to_owned() } else { format!("/submissions?{}", parts.join("&")) }
}

#[component]
fn ProblemFilter(problem: Memo<Option<String>>, person: Memo<Option<String>>) -> impl IntoView {
    let problems = query(|| Some(ListProblems { query: String::new() }), &[Topic::Catalog]);
    let navigate = use_navigate();
    let choose = move |event| {
        let chosen = event_target_value(&event);
        let chosen = (!chosen.is_empty()).then_some(chosen);
        let person = person.get_untracked();
        navigate(&address_of(chosen.as_deref(), person.as_deref(), None), Default::default());
    };
    view! {
        <label class="filter">
            <span>{t().column_problem}</span>
            <select data-testid="problem-filter" on:change=choose>
                <option value="" selected=move || problem.with(Option::is_none)>{t().all_problems}</option>
                {move || problems.ready().unwrap_or_default().into_iter().map(|row| {
                    let id = row.id.0.clone();
                    view! {
                        <option value=row.id.0 selected=move || problem.with(|problem| problem.as_ref() == Some(&id))>
                            {best_text(&row.titles, locale()).to_owned()}
                        </option>
                    }
                }).collect_view()}
            </select>
        </label>
    }
}

#[component]
fn Page(
    page: Signal<SubmissionPage>,
    problem: Memo<Option<String>>,
    person: Memo<Option<String>>,
    before: Memo<Option<u64>>,
) -> impl IntoView {
    let rows = Memo::new(move |_| page.with(|page| page.rows.clone()));
    let address = move |before| address_of(problem.get().as_deref(), person.get().as_deref(), before);
    let is_empty = Memo::new(move |_| rows.with(Vec::is_empty));
    let older = Memo::new(move |_| page.with(|page| page.next_before_number));
    view! {
        <OnePerson rows problem person />
        {move || if is_empty.get() {
            view! { <Empty title=t().no_submissions hint=t().no_submissions_hint /> }.into_any()
        } else {
            view! { <Table rows problem /> }.into_any()
        }}
        <nav class="pages" aria-label=t().pages>
            {move || before.get().map(|_| view! {
                <A href=address(None) attr:class="button" attr:data-testid="newest">{t().newest}</A>
            })}
            {move || older.get().map(|number| view! {
                <A href=address(Some(number)) attr:class="button" attr:data-testid="older">{t().older}</A>
            })}
        </nav>
    }
}

/// While one person's submissions are shown: whose, and the way back to everybody's.
#[component]
fn OnePerson(
    rows: Memo<Vec<SubmissionSummary>>,
    problem: Memo<Option<String>>,
    person: Memo<Option<String>>,
) -> impl IntoView {
    let name = Memo::new(move |_| rows.with(|rows| rows.first().and_then(|row| row.user_name.clone())));
    move || {
        person.get().map(|id| {
            view! {
                <p class="one-person" data-testid="one-person">
                    {hall().person}" "<b>{name.get().unwrap_or(id)}</b>" · "
                    <A href=address_of(problem.get().as_deref(), None, None)>{hall().everybody}</A>
                </p>
            }
        })
    }
}

#[component]
fn Table(rows: Memo<Vec<SubmissionSummary>>, problem: Memo<Option<String>>) -> impl IntoView {
    // Names are told to staff only; a column of nobody's would be in everybody's way.
    let has_names = Memo::new(move |_| rows.with(|rows| rows.iter().any(|row| row.user_name.is_some())));
    view! {
        <table class="table">
            <thead><tr>
                <th scope="col" class="number cell-narrow">"#"</th>
                <th scope="col">{t().column_state}</th>
                {move || has_names.get().then(|| view! { <th scope="col">{hall().person}</th> })}
                <th scope="col">{t().column_problem}</th>
                <th scope="col">{t().programming_language}</th>
                <th scope="col">{t().first_failing}</th>
                <th scope="col" class="number">{t().cpu}</th>
                <th scope="col" class="number">{t().memory}</th>
                <th scope="col" class="number">{t().submitted_at}</th>
            </tr></thead>
            <tbody>
                <For each=move || rows.get() key=row_key let:row><Row row problem has_names /></For>
            </tbody>
        </table>
    }
}

/// Everything that changes in a row.
fn row_key(row: &SubmissionSummary) -> String {
    let verdict = row.verdict.as_ref().map_or("", |verdict| verdict.as_str());
    let name = row.user_name.as_deref().unwrap_or_default();
    let Progress { stage, runs_done, runs_total, .. } = &row.progress;
    format!("{} {verdict} {stage} {runs_done} {runs_total} {name}", row.number)
}

#[component]
fn Row(row: SubmissionSummary, problem: Memo<Option<String>>, has_names: Memo<bool>) -> impl IntoView {
    let app = use_app();
    let reason = reason_text(&row.progress.reason);
    let href = format!("/submissions/{}", row.id);
    let follow = follow_on_click(href.clone());
    let name = row.user_name.unwrap_or_default();
    let of_person = move || address_of(problem.get().as_deref(), Some(row.user_id.as_str()), None);
    let person = move || {
        let (name, of_person) = (name.clone(), of_person.clone());
        has_names.get().then(|| view! { <td><A href=of_person>{name}</A></td> })
    };
    view! {
        <tr class="is-link" data-testid=format!("submission-row-{}", row.number) on:click=follow>
            <td class="number"><A href=href attr:class="row-link">{row.number}</A></td>
            <td title=(!reason.is_empty()).then_some(reason)><StateWord progress=row.progress verdict=row.verdict />
                {row.score.map(|score| view! { " "<Points score max_score=row.max_score /> })}</td>
            {person}
            <th scope="row" class="cell-title">
                <A href=format!("/problems/{}", row.problem_id)>{best_text(&row.problem_titles, locale()).to_owned()}</A>
            </th>
            <td class="cell-language">{app.language_name(&row.language_id)}</td>
            <td><code>{row.first_failing}</code></td>
            <td class="number">{row.max_cpu_ms.map(duration)}</td>
            <td class="number">{row.peak_memory_bytes.map(bytes)}</td>
            <td class="number"><Moment at_ms=row.submitted_at_ms /></td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_carry_the_filter_to_the_next_page() {
        assert_eq!(address_of(None, None, None), "/submissions");
        assert_eq!(address_of(Some("p"), None, None), "/submissions?problem=p");
        assert_eq!(address_of(Some("p"), Some("u"), Some(51)), "/submissions?problem=p&person=u&before=51");
    }
}
