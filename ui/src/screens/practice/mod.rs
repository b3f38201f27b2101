//! Practice: the problems of the catalogue, found by typing, and the way for new ones to come in.

mod doctor;
mod import;
mod list;

use agon_contract::command::ListProblems;
use agon_contract::permission::Permission;
use agon_contract::problem::ProblemSummary;
use leptos::prelude::*;
use leptos_router::components::A;

pub(crate) use self::doctor::FindingRow;
use self::import::{Import, ImportButton, ImportDialog, ImportOutcome};
use self::list::{ProblemTable, Show, shown};
use crate::i18n::{locale, t};
use crate::parts::{Empty, Glyph, Icon};
use crate::state::browser::set_title;
use crate::state::{Topic, loaded, query, use_app};

/// The screen.
#[component]
pub fn Practice() -> impl IntoView {
    set_title(t().nav_practice);
    let app = use_app();
    let problems = query(|| Some(ListProblems { query: String::new() }), &[Topic::Catalog]);
    let import = Import::new(move || problems.retry());
    view! {
        <section class="screen" class:is-dropping=import.is_dropping>
            <header class="screen-head">
                <h1>{t().nav_practice}</h1>
                {move || app.may(&Permission::ManageProblems).then(|| view! { <ImportButton import /> })}
            </header>
            <ImportOutcome import />
            {loaded(problems, move |problems| view! { <Catalogue problems import /> })}
            <ImportDialog import />
            <p class="drop-veil" aria-hidden="true">{t().drop_here}</p>
        </section>
    }
}

#[component]
fn Catalogue(problems: Signal<Vec<ProblemSummary>>, import: Import) -> impl IntoView {
    let is_empty = Memo::new(move |_| problems.with(Vec::is_empty));
    move || {
        if is_empty.get() {
            view! { <FirstStart import /> }.into_any()
        } else {
            view! { <Searchable problems /> }.into_any()
        }
    }
}

#[component]
fn FirstStart(import: Import) -> impl IntoView {
    let app = use_app();
    if !app.may(&Permission::ManageProblems) {
        return view! { <Empty title=t().first_start_title hint=t().first_start_wait /> }.into_any();
    }
    view! {
        <Empty title=t().first_start_title hint=t().first_start_hint>
            <ol class="first-steps">
                {app.may(&Permission::ReadOperations).then(|| view! { <li>
                    <A href="/self-test" attr:class="button"><Icon glyph=Glyph::SelfTest />{t().nav_self_test}</A>
                    <span>{t().first_start_self_test}</span>
                </li> })}
                <li>
                    <button class="button button-primary" type="button" on:click=move |_| import.choose()>
                        <Icon glyph=Glyph::Import />{t().import_package}
                    </button>
                    <span>{t().first_start_import}</span>
                </li>
            </ol>
        </Empty>
    }
    .into_any()
}

#[component]
fn Searchable(problems: Signal<Vec<ProblemSummary>>) -> impl IntoView {
    let needle = RwSignal::new(String::new());
    let show = RwSignal::new(Show::All);
    let rows = Memo::new(move |_| {
        problems.with(|problems| needle.with(|needle| shown(problems, needle, show.get(), locale())))
    });
    view! {
        <div class="tool-row">
            <label class="search">
                <Icon glyph=Glyph::Search />
                <span class="visually-hidden">{t().search_problems}</span>
                <input
                    type="search"
                    data-testid="problem-search"
                    placeholder=t().search_problems
                    prop:value=needle
                    on:input=move |event| needle.set(event_target_value(&event))
                />
            </label>
            <div class="segments" role="group" aria-label=t().filter_by_state>
                {[(Show::All, t().show_all), (Show::ToDo, t().show_to_do), (Show::Solved, t().show_solved)].map(|(choice, name)| view! {
                    <button type="button" aria-pressed=move || (show.get() == choice).to_string() on:click=move |_| show.set(choice)>{name}</button>
                }).collect_view()}
            </div>
            <span class="muted" role="status">
                {move || t().shown_of.fill([&rows.with(Vec::len).to_string(), &problems.with(Vec::len).to_string()])}
            </span>
        </div>
        {move || if rows.with(Vec::is_empty) {
            view! { <Empty title=t().nothing_found hint=t().nothing_found_hint /> }.into_any()
        } else {
            view! { <ProblemTable rows=rows /> }.into_any()
        }}
    }
}
