//! The self-test: every probe run for real, one green or red report that can be saved.

use agon_contract::ApiError;
use agon_contract::command::{GetSelfTestProgress, RunSelfTest};
use agon_contract::sandbox::{SelfTestItem, SelfTestReport};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::sandbox_indicator::SandboxFacts;
use crate::backend::call;
use crate::format::duration;
use crate::i18n::{self_test_name, t};
use crate::parts::{CopyButton, Empty, Failure, Glyph, Icon, Moment, Notice, Tone};
use crate::state::browser::{save_as, set_title};
use crate::state::{Topic, query};

#[derive(Clone, PartialEq)]
enum State {
    Idle,
    Running,
    Failed(ApiError),
    Done(SelfTestReport),
}

/// The screen.
#[component]
pub fn SelfTest() -> impl IntoView {
    set_title(t().nav_self_test);
    let state = RwSignal::new(State::Idle);
    let run = move || {
        state.set(State::Running);
        spawn_local(async move {
            let outcome = match call(RunSelfTest {}).await {
                Ok(report) => State::Done(report),
                Err(error) => State::Failed(error),
            };
            state.try_set(outcome);
        });
    };
    let is_running = move || state.with(|state| *state == State::Running);
    view! {
        <section class="screen">
            <header class="screen-head">
                <h1>{t().nav_self_test}</h1>
                <button class="button button-primary" type="button" data-testid="run-self-test" disabled=is_running on:click=move |_| run()>
                    <Icon glyph=Glyph::Run />
                    {move || if is_running() { t().self_test_running } else { t().self_test_run }}
                </button>
            </header>
            {move || match state.get() {
                State::Idle => view! { <Empty title=t().self_test_idle_title hint=t().self_test_idle_hint /> }.into_any(),
                State::Running => view! { <Running /> }.into_any(),
                State::Failed(error) => view! { <Failure error on_retry=run /> }.into_any(),
                State::Done(report) => view! { <Report report /> }.into_any(),
            }}
        </section>
    }
}

/// Which check of how many, as the host tells it.
#[component]
fn Running() -> impl IntoView {
    let progress = query(|| Some(GetSelfTestProgress {}), &[Topic::Progress]);
    // What is told before the first check has ended is about an earlier run.
    let now = Memo::new(move |_| progress.ready().filter(|progress| progress.is_running && progress.total > 0));
    view! {
        <div class="self-test-running" data-testid="self-test-running">
            <p class="hint">{t().self_test_running_hint}</p>
            {move || now.get().map(|now| {
                let (done, total) = (now.done.min(now.total).to_string(), now.total.to_string());
                view! {
                    <p>
                        <progress max=total.clone() value=done.clone() aria-label=t().nav_self_test></progress>" "
                        <span class="tabular" data-testid="self-test-count">{t().self_test_count.fill([&done, &total])}</span>
                        {(now.failed > 0).then(|| view! { " "<span class="state-bad">{t().self_test_so_far.fill([&now.failed.to_string()])}</span> })}
                    </p>
                    <p class="muted">{(!now.last.is_empty()).then(|| self_test_name(&now.last))}</p>
                }
            })}
        </div>
    }
}

#[component]
fn Report(report: SelfTestReport) -> impl IntoView {
    let failed = report.items.iter().filter(|item| !item.passed).count();
    let json = serde_json::to_string_pretty(&report).unwrap_or_default();
    let saved = json.clone();
    let (tone, text) = if report.passed {
        (Tone::Ok, t().self_test_passed.fill([&report.items.len().to_string()]))
    } else {
        (Tone::Bad, t().self_test_failed.fill([&failed.to_string(), &report.items.len().to_string()]))
    };
    let status = Signal::stored(report.sandbox.clone());
    view! {
        <Notice tone testid="self-test-result">
            <strong>{text}</strong>" "<Moment at_ms=report.started_at_ms />
        </Notice>
        <div class="row-actions">
            <button class="button" type="button" data-testid="save-self-test" on:click=move |_| save_as("agon-self-test.json", saved.as_bytes(), "application/json")>
                <Icon glyph=Glyph::Save />{t().save_as_json}
            </button>
            <CopyButton text=move || json.clone() label=t().copy_report.to_owned() />
        </div>
        <table class="table">
            <thead><tr>
                <th scope="col" class="cell-narrow">{t().column_result}</th>
                <th scope="col">{t().column_probe}</th>
                <th scope="col">{t().column_seen}</th>
                <th scope="col" class="number">{t().column_took}</th>
            </tr></thead>
            <tbody>{report.items.into_iter().map(|item| view! { <Item item /> }).collect_view()}</tbody>
        </table>
        <h2>{t().sandbox}</h2>
        <SandboxFacts status />
    }
}

#[component]
fn Item(item: SelfTestItem) -> impl IntoView {
    let (class, glyph, text) =
        if item.passed { ("state-ok", Glyph::Check, t().passed) } else { ("state-bad", Glyph::Cross, t().failed) };
    view! {
        <tr data-testid=format!("self-test-{}", item.name) data-passed=item.passed.to_string()>
            <td class=class><span class="state"><Icon glyph />{text}</span></td>
            <th scope="row">{self_test_name(&item.name)}</th>
            <td>
                <span class="wrap">{item.detail}</span>
                {(!item.remedy.is_empty() && !item.passed).then(|| view! { <p class="remedy">{item.remedy.clone()}</p> })}
            </td>
            <td class="number">{duration(item.duration_ms)}</td>
        </tr>
    }
}
