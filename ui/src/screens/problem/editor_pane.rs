//! The editor pane: language, editor, journal state, and the two buttons everything is about.

use agon_contract::ids::LanguageId;
use leptos::prelude::*;

use super::draft::Journal;
use super::own_editor::{ChooseFile, OwnEditorButton, OwnEditorPane};
use super::sending::Phase;
use super::workspace::{Workspace, use_workspace};
use crate::editor::Editor;
use crate::format;
use crate::i18n::{error_line, t};
use crate::parts::{Failure, Glyph, Icon, Loading, Moment, Notice, Tone};

/// The pane.
#[component]
pub(super) fn EditorPane() -> impl IntoView {
    let workspace = use_workspace();
    let draft = workspace.draft;
    let syntax = Signal::derive(move || workspace.syntax());
    view! {
        <section class="pane editor-pane" aria-label=t().editor>
            <EditorBar workspace />
            {move || draft.restored_at_ms.get().filter(|_| !workspace.own.is_active()).map(|at_ms| view! { <Restored workspace at_ms /> })}
            {move || draft.elsewhere.with(Option::is_some).then(|| view! { <Elsewhere workspace /> })}
            {move || draft.replaced.with(Option::is_some).then(|| view! { <Replaced workspace /> })}
            {move || match (draft.is_open.get(), draft.open_failure.get()) {
                (true, _) if workspace.own.is_active() => view! { <OwnEditorPane workspace /> }.into_any(),
                (true, _) => view! { <Editor buffer=workspace.buffer syntax on_edit=move || workspace.text_edited() /> }.into_any(),
                (false, Some(error)) => view! { <Failure error on_retry=move || workspace.open_draft() /> }.into_any(),
                (false, None) => view! { <Loading /> }.into_any(),
            }}
            <StatusLine workspace />
            {move || workspace.own.is_choosing.get().then(|| view! { <ChooseFile workspace /> })}
        </section>
    }
}

#[component]
fn EditorBar(workspace: Workspace) -> impl IntoView {
    let is_running = workspace.preview.is_running;
    let is_sending = Memo::new(move |_| workspace.sending.phase.with(|phase| *phase == Phase::Sending));
    let cannot_send = move || workspace.is_blank() || !workspace.draft.is_open.get();
    let chosen = move || workspace.language.with(|language| language.as_ref().map_or(String::new(), |id| id.0.clone()));
    view! {
        <div class="pane-bar">
            <label class="visually-hidden" for="language-select">{t().programming_language}</label>
            <select
                id="language-select"
                data-testid="language-select"
                disabled=move || !workspace.draft.is_open.get()
                on:change=move |event| workspace.choose_language(LanguageId(event_target_value(&event)))
            >
                {move || workspace.languages().into_iter().map(|language| {
                    let id = language.id.0.clone();
                    view! { <option value=language.id.0 selected=move || chosen() == id title=language.compile_command>{language.name}</option> }
                }).collect_view()}
            </select>
            <OwnEditorButton workspace />
            <span class="pane-bar-gap"></span>
            <button
                class="button" type="button" data-testid="run-samples" title=t().run_shortcut
                disabled=move || cannot_send() || is_running.get()
                on:click=move |_| workspace.run_samples()
            ><Icon glyph=Glyph::Run />{t().run_samples}</button>
            <button
                class="button button-primary" type="button" data-testid="submit" title=t().submit_shortcut
                disabled=move || cannot_send() || is_sending.get()
                on:click=move |_| workspace.submit()
            ><Icon glyph=Glyph::Send />{move || if is_sending.get() { t().submitting } else { t().submit }}</button>
        </div>
    }
}

#[component]
fn Restored(workspace: Workspace, at_ms: i64) -> impl IntoView {
    view! {
        <Notice tone=Tone::Info testid="restored">
            {t().restored}" "<Moment at_ms />" "
            <button class="link-button" type="button" on:click=move |_| workspace.start_from_template()>{t().start_from_template}</button>
            " · "
            <button class="link-button" type="button" on:click=move |_| workspace.draft.restored_at_ms.set(None)>{t().dismiss}</button>
        </Notice>
    }
}

#[component]
fn Replaced(workspace: Workspace) -> impl IntoView {
    view! {
        <Notice tone=Tone::Info testid="replaced">
            {t().template_in_place}" "
            <button class="link-button" type="button" data-testid="bring-back" on:click=move |_| workspace.bring_back()>
                {t().bring_back}
            </button>
            " · "
            <button class="link-button" type="button" on:click=move |_| workspace.draft.replaced.set(None)>
                {t().dismiss}
            </button>
        </Notice>
    }
}

/// Another window has the same problem open and typed there.
#[component]
fn Elsewhere(workspace: Workspace) -> impl IntoView {
    view! {
        <Notice tone=Tone::Warning testid="elsewhere">
            {t().typed_elsewhere}" "
            <button class="link-button" type="button" data-testid="take-elsewhere" on:click=move |_| workspace.take_from_elsewhere()>
                {t().take_other_text}
            </button>
            " · "
            <button class="link-button" type="button" on:click=move |_| workspace.draft.elsewhere.set(None)>
                {t().dismiss}
            </button>
        </Notice>
    }
}

#[component]
fn StatusLine(workspace: Workspace) -> impl IntoView {
    let size = Memo::new(move |_| workspace.buffer.text.with(String::len) as u64);
    let limit = Memo::new(move |_| workspace.detail.with(|detail| detail.limits.code_limit_bytes));
    let is_over = move || limit.get() > 0 && size.get() > limit.get();
    view! {
        <div class="status-line">
            <span data-testid="journal" class:state-bad=move || matches!(workspace.draft.journal.get(), Journal::Failed(_))>
                {move || match workspace.draft.journal.get() {
                    Journal::Untouched => ().into_any(),
                    Journal::Waiting => t().journal_waiting.into_any(),
                    Journal::Saved { at_ms } => view! { {t().journal_saved}" "<Moment at_ms /> }.into_any(),
                    Journal::Failed(error) => t().journal_failed.fill([&error_line(&error)]).into_any(),
                }}
            </span>
            <span class="status-size" class:state-bad=is_over>
                {move || t().of_limit.fill([&format::bytes(size.get()), &format::bytes(limit.get())])}
            </span>
        </div>
    }
}
