//! What a preview showed: compiler text, then one foldable row per case with its measures and its first difference.

use agon_contract::execution::{ExecutionState, PreviewView};
use agon_contract::problem::{LimitsView, SampleView};
use agon_contract::submission::RunView;
use leptos::prelude::*;

use super::preview::Ran;
use super::workspace::Workspace;
use crate::i18n::{reason_text, state_name, t, verdict_name};
use crate::parts::{CopyButton, Failure, Notice, RanBadge, Tone, VerdictBadge};
use crate::screens::submission::{CompilerText, Measures};

/// The newest preview, live.
#[component]
pub(super) fn PreviewResult(workspace: Workspace) -> impl IntoView {
    let preview = workspace.preview;
    let limits = Memo::new(move |_| {
        preview
            .view
            .with(|view| view.as_ref().map(|view| view.limits.clone()))
            .unwrap_or_else(|| workspace.detail.with(|detail| detail.limits.clone()))
    });
    let runs =
        Memo::new(move |_| preview.view.with(|view| view.as_ref().map(|view| view.runs.clone()).unwrap_or_default()));
    let compiler = Memo::new(move |_| {
        preview.view.with(|view| {
            view.as_ref().map(|view| (view.compiler_text.clone(), view.compile_failed)).unwrap_or_default()
        })
    });
    let first_failing =
        Memo::new(move |_| runs.with(|runs| runs.iter().find(|run| !run.verdict.is_accepted()).map(|run| run.ordinal)));
    view! {
        <p class="preview-state" role="status" data-testid="preview-state" data-state=move || state_of(workspace)>
            {move || preview_line(workspace)}
        </p>
        {move || preview.failure.get().map(|error| view! { <Failure error on_retry=move || run_again(workspace) /> })}
        {move || preview.view.with(|view| view.as_ref().and_then(failure_of)).map(|reason| view! { <Notice tone=Tone::Warning testid="preview-failed">{reason}</Notice> })}
        {move || {
            let (text, failed) = compiler.get();
            (failed || !text.is_empty()).then(|| view! { <CompilerText text failed /> })
        }}
        <ul class="cases">
            <For each=move || runs.get() key=|run| run.ordinal let:run>
                <Case workspace run limits first_failing />
            </For>
        </ul>
    }
}

fn run_again(workspace: Workspace) {
    match workspace.preview.ran.get_untracked() {
        Ran::Samples => workspace.run_samples(),
        Ran::Custom => workspace.run_custom(),
    }
}

fn state_of(workspace: Workspace) -> String {
    workspace.preview.view.with(|view| view.as_ref().map_or("queued".to_owned(), |view| view.state.as_str().to_owned()))
}

fn preview_line(workspace: Workspace) -> String {
    workspace.preview.view.with(|view| match view {
        None => t().starting.to_owned(),
        Some(view) if view.compile_failed => t().compiler_failed.to_owned(),
        Some(view) if view.state == ExecutionState::Completed && is_custom(workspace) => custom_line(&view.runs),
        Some(view) if view.state == ExecutionState::Completed => {
            let passed = view.runs.iter().filter(|run| run.verdict.is_accepted()).count();
            t().cases_passed.fill([&passed.to_string(), &view.cases_total.to_string()])
        }
        Some(view) if view.state == ExecutionState::Running && view.cases_total > 0 => {
            t().running_of.fill([&view.runs.len().to_string(), &view.cases_total.to_string()])
        }
        Some(view) => state_name(&view.state).to_owned(),
    })
}

fn is_custom(workspace: Workspace) -> bool {
    workspace.preview.ran.get_untracked() == Ran::Custom
}

/// Nothing is compared on an own input, so that nothing passes.
fn custom_line(runs: &[RunView]) -> String {
    match runs.iter().find(|run| !run.verdict.is_accepted()) {
        Some(run) => verdict_name(&run.verdict),
        None => t().ran_custom.to_owned(),
    }
}

/// Why a preview ended without results; a compile error shows its own text instead.
fn failure_of(view: &PreviewView) -> Option<String> {
    let failed = match view.state {
        ExecutionState::Failed | ExecutionState::TimedOut => true,
        ExecutionState::Queued | ExecutionState::Running => !view.reason.is_empty(),
        ExecutionState::Completed | ExecutionState::Cancelled | ExecutionState::Unknown(_) => false,
    };
    (failed && !view.reason.is_empty() && !view.compile_failed).then(|| reason_text(&view.reason))
}

#[component]
fn Case(
    workspace: Workspace,
    run: RunView,
    limits: Memo<LimitsView>,
    first_failing: Memo<Option<u32>>,
) -> impl IntoView {
    let ordinal = run.ordinal;
    let sample = workspace
        .detail
        .with_untracked(|detail| detail.samples.iter().find(|sample| sample.name == run.case_name).cloned());
    let is_custom = is_custom(workspace);
    let name = if is_custom { t().custom_input.to_owned() } else { run.case_name.clone() };
    let starts_open = is_custom || first_failing.get_untracked() == Some(ordinal);
    let verdict = run.verdict.clone();
    view! {
        <li class="case" class:is-first-failing=move || first_failing.get() == Some(ordinal) data-testid=format!("run-row-{ordinal}")>
            <details open=starts_open>
                <summary>
                    {if is_custom && verdict.is_accepted() {
                        view! { <RanBadge /> }.into_any()
                    } else {
                        view! { <VerdictBadge verdict /> }.into_any()
                    }}
                    <span class="case-name">{name}</span>
                    <span class="outcome">{reason_text(&run.outcome)}</span>
                    <Measures run=run.clone() limits=limits.get_untracked() />
                </summary>
                {(!run.message.is_empty()).then(|| view! { <p class="difference" data-testid="difference">{reason_text(&run.message)}</p> })}
                {(!run.team_message.is_empty()).then(|| view! { <p class="difference">{run.team_message.clone()}</p> })}
                <div class="case-texts">
                    {sample.filter(|sample| sample.interaction.is_empty()).map(|SampleView { input, answer, .. }| view! {
                        <CaseText title=t().input text=input />
                        <CaseText title=t().expected text=answer />
                    })}
                    <CaseText title=t().program_output text=run.output_head />
                    {(!run.stderr_head.is_empty()).then(|| view! { <CaseText title=t().error_output text=run.stderr_head.clone() /> })}
                </div>
            </details>
        </li>
    }
}

#[component]
fn CaseText(title: &'static str, text: String) -> impl IntoView {
    let copied = text.clone();
    let is_empty = text.is_empty();
    view! {
        <div class="sample-part">
            <header><span>{title}</span><CopyButton text=move || copied.clone() label=t().copy_what.fill([title, ""]) /></header>
            <pre tabindex="0" role="group" aria-label=title class:muted=is_empty>{if is_empty { t().nothing_printed.to_owned() } else { text }}</pre>
        </div>
    }
}
