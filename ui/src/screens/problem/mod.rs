//! The problem screen: statement, editor and runs in three panes whose borders move.

mod case_view;
mod comparison_words;
mod draft;
mod editor_pane;
mod identical;
mod journal_order;
mod own_editor;
mod preview;
mod removal;
mod runs_pane;
mod samples;
mod sending;
mod statement;
mod statement_files;
mod workspace;

use agon_contract::command::GetProblem;
use agon_contract::problem::{ProblemDetail, TimeLimitSource};
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_params_map;

use self::editor_pane::EditorPane;
use self::runs_pane::RunsPane;
use self::statement::StatementPane;
use self::workspace::Workspace;
use crate::format::{bytes, time_limit};
use crate::i18n::{locale, t};
use crate::parts::split::Bounds;
use crate::parts::{Axis, Split, VerdictBadge};
use crate::state::browser::set_title;
use crate::state::preferences::best_text;
use crate::state::{Topic, loaded, query};

/// The screen of `/problems/:id`.
#[component]
pub fn Problem() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")).unwrap_or_default());
    // Another problem gets another workspace, never the text of the last one.
    move || {
        let problem_id = id.get();
        let wanted = agon_contract::ids::ProblemId(problem_id);
        let detail = query(move || Some(GetProblem { problem_id: wanted.clone() }), &[Topic::Catalog]);
        view! { <section class="screen screen-full">{move || (!detail.is_ready()).then(|| view! { <h1 class="visually-hidden">{t().column_problem}</h1> })}
            {loaded(detail, |detail| view! { <Desk detail /> })}</section> }
            .into_any()
    }
}

#[component]
fn Desk(detail: Signal<ProblemDetail>) -> impl IntoView {
    Effect::new(move |_| detail.with(|detail| set_title(best_text(&detail.summary.titles, locale()))));
    let workspace = Workspace::new(detail);
    provide_context(workspace);
    let shortcut = window_event_listener(leptos::ev::keydown, move |event: KeyboardEvent| {
        if event.key() == "Enter" && (event.ctrl_key() || event.meta_key()) && !event.repeat() {
            event.prevent_default();
            if event.shift_key() { workspace.submit() } else { workspace.run_samples() }
        }
    });
    on_cleanup(move || shortcut.remove());
    let right = view! {
        <Split
            axis=Axis::Rows
            name="editor-runs"
            label=t().split_editor_runs
            initial=60.0
            bounds=Bounds { least: 20.0, most: 85.0 }
            first=view! { <EditorPane /> }.into_any()
            second=view! { <RunsPane /> }.into_any()
        />
    };
    view! {
        <ProblemHead detail />
        <Split
            axis=Axis::Columns
            name="statement-editor"
            label=t().split_statement_editor
            initial=42.0
            bounds=Bounds { least: 18.0, most: 75.0 }
            first=view! { <StatementPane detail /> }.into_any()
            second=right.into_any()
        />
    }
}

#[component]
fn ProblemHead(detail: Signal<ProblemDetail>) -> impl IntoView {
    move || {
        let detail = detail.get();
        let limits = detail.limits;
        let derived = limits.time_limit_source == TimeLimitSource::Derived;
        view! {
            <header class="problem-head">
                <A href="/practice" attr:class="crumb">{t().nav_practice}</A>
                <h1 class="problem-title" title=detail.summary.slug.clone()>{best_text(&detail.summary.titles, locale()).to_owned()}</h1>
                {detail.summary.best_verdict.clone().map(|verdict| view! { <VerdictBadge verdict /> })}
                <span class="limits">
                    <span title=derived.then_some(t().limit_derived)>
                        {t().limit_time}" "<b>{time_limit(limits.time_limit_ms)}</b>{derived.then_some("*")}
                    </span>
                    <span>{t().limit_memory}" "<b>{bytes(limits.memory_limit_bytes)}</b></span>
                    <span>{t().limit_output}" "<b>{bytes(limits.output_limit_bytes)}</b></span>
                </span>
            </header>
        }
    }
}
