//! The list of rejudgings, newest first.

use agon_contract::command::ListChangeSets;
use agon_contract::problem::ProblemSummary;
use agon_contract::rejudge::{ChangeSetPage, ChangeSetView};
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_query_map;

use super::ask::{AskAgain, Conditions, Target};
use super::summary::{Progress, StateTag, selection_text, titles};
use crate::i18n::{hall, t};
use crate::parts::{Empty, Glyph, Icon, Moment, follow_on_click};
use crate::screens::hall::frame::{HallPage, HallScreen};
use crate::state::pace::measured;
use crate::state::query::Query;
use crate::state::{Topic, loaded, use_app};

const PAGE: u32 = 50;

/// The screen of `/hall/rejudge`.
#[component]
pub fn Rejudgings() -> impl IntoView {
    let address = use_query_map();
    let before =
        Memo::new(move |_| address.with(|address| address.get("before")).and_then(|text| text.parse::<u64>().ok()));
    let page =
        measured(move || Some(ListChangeSets { before_number: before.get(), limit: PAGE }), &[Topic::Submissions]);
    let asks = RwSignal::new(false);
    let button = move || {
        view! {
            <button class="button button-primary" type="button" data-testid="ask-many" on:click=move |_| asks.set(true)>
                <Icon glyph=Glyph::Again />{hall().judge_again_these}
            </button>
        }
    };
    view! {
        <HallScreen page=HallPage::Rejudging aside=button>
            {loaded(page, move |page| view! { <Page page before /> })}
            {move || asks.get().then(|| view! {
                <AskAgain target=Target::Matching(Conditions::default()) on_close=move || asks.set(false) />
            })}
        </HallScreen>
    }
}

#[component]
fn Page(page: Signal<ChangeSetPage>, before: Memo<Option<u64>>) -> impl IntoView {
    let rows = Memo::new(move |_| page.with(|page| page.rows.clone()));
    let older = Memo::new(move |_| page.with(|page| page.next_before_number));
    let problems = titles();
    view! {
        {move || if rows.with(Vec::is_empty) {
            view! { <Empty title=hall().no_change_sets hint=hall().no_change_sets_hint /> }.into_any()
        } else {
            view! { <Table rows problems /> }.into_any()
        }}
        <nav class="pages" aria-label=t().pages>
            {move || before.get().map(|_| view! { <A href="/hall/rejudge" attr:class="button">{t().newest}</A> })}
            {move || older.get().map(|number| view! {
                <A href=format!("/hall/rejudge?before={number}") attr:class="button">{t().older}</A>
            })}
        </nav>
    }
}

#[component]
fn Table(rows: Memo<Vec<ChangeSetView>>, problems: Query<Vec<ProblemSummary>>) -> impl IntoView {
    view! {
        <table class="table">
            <thead><tr>
                <th scope="col" class="number cell-narrow">"#"</th>
                <th scope="col" class="cell-narrow">{t().column_state}</th>
                <th scope="col">{hall().column_what}</th>
                <th scope="col">{hall().column_progress}</th>
                <th scope="col" class="number">{hall().column_changed}</th>
                <th scope="col" class="number">{hall().column_made}</th>
            </tr></thead>
            <tbody>
                <For each=move || rows.get() key=|row| format!("{} {} {:?}", row.id, row.state, row.counts) let:row>
                    <Row row problems />
                </For>
            </tbody>
        </table>
    }
}

#[component]
fn Row(row: ChangeSetView, problems: Query<Vec<ProblemSummary>>) -> impl IntoView {
    let app = use_app();
    let href = format!("/hall/rejudge/{}", row.id);
    let follow = follow_on_click(href.clone());
    let selection = row.selection.clone();
    let what = move || selection_text(&selection, &app, &problems.ready().unwrap_or_default(), None);
    view! {
        <tr class="is-link" data-testid=format!("change-set-{}", row.number) on:click=follow>
            <td class="number"><A href=href attr:class="row-link">{row.number}</A></td>
            <td><StateTag set=row.clone() /></td>
            <td class="wrap">{what}</td>
            <td><Progress counts=row.counts.clone() /></td>
            <td class="number" class:is-changed=row.counts.changed != 0>{row.counts.changed}</td>
            <td class="number"><Moment at_ms=row.made_at_ms /></td>
        </tr>
    }
}
