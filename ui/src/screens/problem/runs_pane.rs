//! The runs pane: samples, custom input, and the submission that was sent last.

use agon_contract::command::{GetSubmission, ListSubmissions, Submit};
use agon_contract::submission::SubmissionSummary;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::case_view::PreviewResult;
use super::identical::is_unjudged;
use super::preview::Ran;
use super::sending::Phase;
use super::workspace::{Tab, Workspace, use_workspace};
use crate::i18n::{error_line, t};
use crate::parts::{Empty, Failure, Glyph, Icon, Moment, Notice, Tone};
use crate::screens::submission::FollowedSubmission;
use crate::state::browser::focus;
use crate::state::{Topic, loaded, query};

const TABS: [Tab; 3] = [Tab::Samples, Tab::Custom, Tab::Submission];

fn tab_face(tab: Tab) -> (&'static str, &'static str) {
    match tab {
        Tab::Samples => ("tab-samples", t().tab_samples),
        Tab::Custom => ("tab-custom", t().tab_custom),
        Tab::Submission => ("tab-submission", t().tab_submission),
    }
}

/// The tab an arrow key leads to.
fn neighbour(tab: Tab, key: &str) -> Option<Tab> {
    let at = TABS.iter().position(|other| *other == tab)?;
    match key {
        "ArrowRight" => Some(TABS[(at + 1) % TABS.len()]),
        "ArrowLeft" => Some(TABS[(at + TABS.len() - 1) % TABS.len()]),
        _ => None,
    }
}

/// The pane.
#[component]
pub(super) fn RunsPane() -> impl IntoView {
    let workspace = use_workspace();
    let keyed = move |event: KeyboardEvent| {
        if let Some(tab) = neighbour(workspace.tab.get_untracked(), &event.key()) {
            event.prevent_default();
            workspace.tab.set(tab);
            focus(tab_face(tab).0);
        }
    };
    view! {
        <section class="pane runs-pane" aria-label=t().runs>
            <div class="pane-bar">
                <div class="tabs" role="tablist" aria-label=t().runs on:keydown=keyed>
                    {TABS.map(|tab| {
                        let (id, name) = tab_face(tab);
                        view! {
                            <button
                                type="button" role="tab" id=id data-testid=id aria-controls="runs-panel"
                                aria-selected=move || (workspace.tab.get() == tab).to_string()
                                tabindex=move || if workspace.tab.get() == tab { "0" } else { "-1" }
                                on:click=move |_| workspace.tab.set(tab)
                            >{name}</button>
                        }
                    }).collect_view()}
                </div>
                <span class="pane-bar-gap"></span>
                <CancelButton workspace />
            </div>
            <div class="pane-scroll" role="tabpanel" id="runs-panel" tabindex="0" aria-labelledby=move || tab_face(workspace.tab.get()).0>
                {move || match workspace.tab.get() {
                    Tab::Samples => view! { <SamplesTab workspace /> }.into_any(),
                    Tab::Custom => view! { <CustomTab workspace /> }.into_any(),
                    Tab::Submission => view! { <SubmissionTab workspace /> }.into_any(),
                }}
            </div>
        </section>
    }
}

#[component]
fn CancelButton(workspace: Workspace) -> impl IntoView {
    move || {
        workspace.preview.is_running.get().then(|| view! {
            <button class="button button-quiet button-small" type="button" data-testid="cancel-preview" on:click=move |_| workspace.cancel_preview()>
                <Icon glyph=Glyph::Stop />{t().cancel}
            </button>
        })
    }
}

#[component]
fn SamplesTab(workspace: Workspace) -> impl IntoView {
    let has_run = move || workspace.preview.ran.get() == Ran::Samples && started(workspace);
    move || {
        if has_run() {
            view! { <PreviewResult workspace /> }.into_any()
        } else {
            view! { <Empty title=t().samples_not_run hint=t().run_shortcut /> }.into_any()
        }
    }
}

/// Whether there is a preview to show.
fn started(workspace: Workspace) -> bool {
    let preview = workspace.preview;
    preview.is_running.get() || preview.view.with(Option::is_some) || preview.failure.with(Option::is_some)
}

#[component]
fn CustomTab(workspace: Workspace) -> impl IntoView {
    let cannot_run = move || workspace.is_blank() || workspace.preview.is_running.get();
    let has_run = Memo::new(move |_| workspace.preview.ran.get() == Ran::Custom && started(workspace));
    view! {
        <div class="custom">
            <div class="custom-head">
                <label for="custom-input">{t().custom_input}</label>
                <button class="button button-small" type="button" data-testid="run-custom" disabled=cannot_run on:click=move |_| workspace.run_custom()>
                    <Icon glyph=Glyph::Run />{t().run_custom}
                </button>
            </div>
            <textarea
                id="custom-input" class="custom-input" data-testid="custom-input" rows="4" spellcheck="false"
                prop:value=move || workspace.custom_input.get()
                on:input=move |event| workspace.set_custom_input(event_target_value(&event))
            ></textarea>
            {move || has_run.get().then(|| view! { <PreviewResult workspace /> })}
        </div>
    }
}

#[component]
fn SubmissionTab(workspace: Workspace) -> impl IntoView {
    let shown = workspace.sending.shown;
    view! {
        {move || phase_note(workspace)}
        {move || match shown.get() {
            Some(id) => view! { <FollowedSubmission id /> }.into_any(),
            None if workspace.sending.phase.with(|phase| *phase == Phase::Idle) => {
                view! { <NewestSubmission workspace /> }.into_any()
            }
            None => ().into_any(),
        }}
    }
}

/// Before anything is submitted from this page: one's newest submission to this problem, if there is one.
#[component]
fn NewestSubmission(workspace: Workspace) -> impl IntoView {
    let problem_id = workspace.problem_id.get_value();
    let newest = move || {
        let user_id = Some(workspace.app.own_id()?);
        Some(ListSubmissions { problem_id: Some(problem_id.clone()), user_id, before_number: None, limit: 1 })
    };
    let page = query(newest, &[Topic::Submissions]);
    loaded(page, |page| {
        let id = Memo::new(move |_| page.with(|page| page.rows.first().map(|row| row.id.clone())));
        move || match id.get() {
            Some(id) => view! {
                <p class="muted">{t().latest_submission}</p>
                <FollowedSubmission id />
            }
            .into_any(),
            None => view! { <Empty title=t().nothing_submitted hint=t().submit_shortcut /> }.into_any(),
        }
    })
}

/// What became of the newest press of Submit.
fn phase_note(workspace: Workspace) -> AnyView {
    match workspace.sending.phase.get() {
        Phase::Idle => ().into_any(),
        Phase::Sending => view! { <p class="loading" role="status">{t().submitting}</p> }.into_any(),
        Phase::Saved(receipt) => view! {
            <Notice tone=Tone::Ok testid="submit-receipt">
                <strong>{t().saved_as.fill([&receipt.number.to_string()])}</strong>" "<Moment at_ms=receipt.saved_at_ms />
            </Notice>
        }
        .into_any(),
        Phase::AlreadyThere { twin, intent } => view! { <Twin workspace twin=*twin intent /> }.into_any(),
        Phase::Unanswered { intent, error } => view! {
            <Notice tone=Tone::Bad testid="submit-unanswered">
                {t().submit_unanswered}" "<span class="muted">{error_line(&error)}</span>" "
                <button class="button button-small" type="button" data-testid="submit-retry" on:click=move |_| workspace.send_again(intent.clone())>
                    {t().send_once_more}
                </button>
            </Notice>
        }
        .into_any(),
        Phase::Refused(error) => view! { <Failure error on_retry=move || workspace.submit() /> }.into_any(),
    }
}

/// The submission that holds the same text, and the way to send it once more. Says so when its verdict has come.
#[component]
fn Twin(workspace: Workspace, twin: SubmissionSummary, intent: Submit) -> impl IntoView {
    let number = twin.number.to_string();
    let id = twin.id;
    let detail = query(move || Some(GetSubmission { submission_id: id.clone() }), &[Topic::Submissions]);
    let is_judged = Memo::new(move |_| detail.ready().is_some_and(|detail| !is_unjudged(&detail.summary)));
    move || {
        let intent = intent.clone();
        let (tone, text) =
            if is_judged.get() { (Tone::Info, t().identical_judged) } else { (Tone::Warning, t().identical) };
        let message = text.fill([&number]);
        view! {
            <Notice tone testid="identical">
                {message}" "
                <button class="button button-small" type="button" data-testid="submit-again" on:click=move |_| workspace.send_again(intent.clone())>
                    {t().submit_again}
                </button>
            </Notice>
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_go_round_the_tabs() {
        assert_eq!(neighbour(Tab::Submission, "ArrowRight"), Some(Tab::Samples));
        assert_eq!(neighbour(Tab::Samples, "ArrowLeft"), Some(Tab::Submission));
        assert_eq!(neighbour(Tab::Samples, "Enter"), None);
    }
}
