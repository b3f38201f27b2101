//! "Use my own editor": a file on the disk is the draft, as long as it is watched.

use agon_contract::ApiError;
use agon_contract::ErrorCode;
use agon_contract::command::{GetWatchStatus, ListDraftVersions, LoadDraft, SetModuleEnabled, UnwatchFile, WatchFile};
use agon_contract::ids::{LanguageId, ProblemId};
use agon_contract::permission::Permission;
use agon_contract::watch::{DraftVersion, WatchedFile, WatchedFileState};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::journal_order::has_seen;
use super::workspace::Workspace;
use crate::backend::{call, is_desktop, pick_source};
use crate::editor::coloured_html;
use crate::i18n::{file_state_name, t, watch};
use crate::parts::{CopyButton, Dialog, Moment, Notice, Tone};
use crate::state::browser::sleep_ms;
use crate::state::{App, Topic, query};

/// The module that has to run.
const FILE_WATCH: &str = "file_watch";
/// Looks after switching the module on, and the pause between them: it starts within a second.
const LOOKS: u32 = 20;
const LOOK_AGAIN_MS: u32 = 250;

/// Handles to the state; cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct OwnEditor {
    /// The file watched for this problem and the chosen language.
    pub(super) watched: Memo<Option<WatchedFile>>,
    pub(super) is_choosing: RwSignal<bool>,
    failure: RwSignal<Option<ApiError>>,
}

impl OwnEditor {
    /// Follows the watch from now on. In the browser nothing is ever watched.
    pub(super) fn new(app: App, problem_id: StoredValue<ProblemId>, language: RwSignal<Option<LanguageId>>) -> Self {
        let takes_paths = move || app.host.with(|host| host.as_ref().is_some_and(|host| host.takes_paths));
        let status = query(move || takes_paths().then_some(GetWatchStatus {}), &[Topic::Progress]);
        let watched = Memo::new(move |_| {
            let language = language.get()?;
            let files = status.ready()?.files;
            files.into_iter().find(|file| file.problem_id == problem_id.get_value() && file.language_id == language)
        });
        Self { watched, is_choosing: RwSignal::new(false), failure: RwSignal::new(None) }
    }

    pub(super) fn is_active(&self) -> bool {
        self.watched.with(Option::is_some)
    }
}

/// Shows what was read from the file as soon as it was.
pub(super) fn follow(workspace: Workspace) {
    let read = Memo::new(move |_| {
        workspace.own.watched.with(|file| file.as_ref().map(|file| (file.language_id.clone(), file.read_at_ms)))
    });
    Effect::new(move |_| {
        let Some((language, Some(_))) = read.get() else { return };
        spawn_local(load(workspace, language));
    });
}

async fn load(workspace: Workspace, language: LanguageId) {
    let Some(problem_id) = workspace.problem_id.try_get_value() else { return };
    let asked = LoadDraft { problem_id: problem_id.clone(), language_id: Some(language.clone()) };
    let Ok(draft) = call(asked).await else { return };
    has_seen(problem_id, language.clone(), draft.saved_at_ms);
    if workspace.language.try_get_untracked().flatten() != Some(language) {
        return;
    }
    if let Some(text) = draft.text.filter(|text| workspace.buffer.text.with_untracked(|shown| shown != text)) {
        workspace.draft.restored_at_ms.set(None);
        workspace.buffer.load(text);
    }
}

/// The button in the editor's bar, where the host takes paths.
#[component]
pub(super) fn OwnEditorButton(workspace: Workspace) -> impl IntoView {
    let takes_paths = move || workspace.app.host.with(|host| host.as_ref().is_some_and(|host| host.takes_paths));
    move || {
        (takes_paths() && !workspace.own.is_active()).then(|| {
            view! {
                <button
                    class="button button-quiet" type="button" data-testid="own-editor" title=watch().own_editor_hint
                    disabled=move || !workspace.draft.is_open.get() on:click=move |_| workspace.own.is_choosing.set(true)
                >{watch().own_editor}</button>
            }
        })
    }
}

/// Asks which file.
#[component]
pub(super) fn ChooseFile(workspace: Workspace) -> impl IntoView {
    let own = workspace.own;
    let path = RwSignal::new(String::new());
    let is_off =
        move || own.failure.with(|error| error.as_ref().is_some_and(|error| error.code == ErrorCode::ModuleOff));
    let may_switch = move || is_off() && workspace.app.may(&Permission::ManageModules);
    let close = move || {
        own.failure.set(None);
        own.is_choosing.set(false);
    };
    let browse = move |_| {
        spawn_local(async move {
            match pick_source().await {
                Ok(Some(chosen)) => drop(path.try_set(chosen)),
                Ok(None) => {}
                Err(error) => drop(own.failure.try_set(Some(error))),
            }
        });
    };
    view! {
        <Dialog title=watch().own_editor.to_owned() on_close=close testid="own-editor-dialog">
            <div class="dialog-body">
            <p class="hint">{watch().own_editor_hint}</p>
            {move || own.failure.get().map(|error| view! {
                <Notice tone=Tone::Bad testid="own-editor-failure">
                    {if error.code == ErrorCode::ModuleOff { watch().own_editor_off.to_owned() } else { error.message }}
                    {may_switch().then(|| view! {
                        " "<button class="link-button" type="button" data-testid="own-editor-switch-on"
                            on:click=move |_| spawn_local(switch_on_and_watch(workspace, path.get_untracked()))>{watch().own_editor_switch_on}</button>
                    })}
                </Notice>
            })}
            <form class="inline-form" on:submit=move |event| { event.prevent_default(); spawn_local(use_file(workspace, path.get_untracked())); }>
                <label class="visually-hidden" for="own-editor-path">{watch().own_editor_path}</label>
                <input
                    id="own-editor-path" class="mono" type="text" autocomplete="off" spellcheck="false" data-testid="own-editor-path"
                    placeholder=watch().own_editor_path prop:value=path on:input=move |event| path.set(event_target_value(&event))
                />
                {is_desktop().then(|| view! { <button class="button" type="button" data-testid="own-editor-browse" on:click=browse>{watch().browse}</button> })}
                <button class="button button-primary" type="submit" data-testid="own-editor-watch" disabled=move || path.with(|path| path.trim().is_empty())>
                    {watch().own_editor_watch}
                </button>
            </form>
            </div>
        </Dialog>
    }
}

async fn use_file(workspace: Workspace, path: String) {
    let own = workspace.own;
    let Some(language_id) = workspace.language.get_untracked() else { return };
    // What was typed last is journalled first, so that it is the version the file takes the place of.
    let request = WatchFile { problem_id: workspace.problem_id.get_value(), language_id, path };
    let watched = match workspace.journal_now().await {
        Ok(()) => call(request).await.map(drop),
        Err(error) => Err(error),
    };
    match watched {
        Ok(()) => {
            own.failure.try_set(None);
            own.is_choosing.try_set(false);
        }
        Err(error) => drop(own.failure.try_set(Some(error))),
    }
}

async fn switch_on_and_watch(workspace: Workspace, path: String) {
    let own = workspace.own;
    if let Err(error) = call(SetModuleEnabled { name: FILE_WATCH.to_owned(), enabled: true }).await {
        own.failure.try_set(Some(error));
        return;
    }
    for _ in 0..LOOKS {
        sleep_ms(LOOK_AGAIN_MS).await;
        use_file(workspace, path.clone()).await;
        let is_still_off = own
            .failure
            .try_with_untracked(|error| error.as_ref().is_some_and(|error| error.code == ErrorCode::ModuleOff));
        if is_still_off != Some(true) {
            return;
        }
    }
}

/// In the editor's place: whose file it is, how it stands, its text to read.
#[component]
pub(super) fn OwnEditorPane(workspace: Workspace) -> impl IntoView {
    let file = workspace.own.watched;
    let html = move || workspace.buffer.text.with(|text| coloured_html(text, workspace.syntax()));
    let stop = move |_| {
        let Some(file) = file.get_untracked() else { return };
        spawn_local(async move {
            let request = UnwatchFile { problem_id: file.problem_id, language_id: file.language_id };
            if let Err(error) = call(request).await {
                leptos::logging::warn!("the file is still watched: {error}");
            }
        });
    };
    view! {
        <div class="own-editor" data-testid="own-editor-pane" data-state=move || file.with(|file| file.as_ref().map(|file| file.state.as_str().to_owned()))>
            {move || file.get().map(|file| view! {
                <div class="own-editor-head" role="status">
                    <p><strong>{watch().own_editor_active}</strong>" "<code class="wrap" data-testid="own-editor-file">{file.path.clone()}</code></p>
                    <p>
                        <span class=file_class(&file.state)>{file_state_name(&file.state)}</span>" "
                        {file.read_at_ms.map(|at_ms| view! { <span class="muted"><Moment at_ms /></span> })}" "
                        {file.reason.clone()}
                    </p>
                </div>
            })}
            <div class="row-actions">
                <button class="button button-small" type="button" data-testid="own-editor-stop" on:click=stop>{watch().own_editor_stop}</button>
                <Versions workspace />
            </div>
            <pre class="code own-editor-text" tabindex="0" role="group" aria-label=t().editor_label data-testid="own-editor-text"><code inner_html=html></code></pre>
        </div>
    }
}

fn file_class(state: &WatchedFileState) -> &'static str {
    match state {
        WatchedFileState::Current => "state state-ok",
        WatchedFileState::Missing | WatchedFileState::Refused => "state state-bad",
        WatchedFileState::Older | WatchedFileState::Off => "state state-warning",
        WatchedFileState::Settling | WatchedFileState::Unknown(_) => "state muted",
    }
}

/// Earlier texts, read when they are asked for.
#[component]
fn Versions(workspace: Workspace) -> impl IntoView {
    let versions = RwSignal::new(None::<Vec<DraftVersion>>);
    let show = move |_| {
        let Some(language_id) = workspace.language.get_untracked() else { return };
        let problem_id = workspace.problem_id.get_value();
        spawn_local(async move {
            match call(ListDraftVersions { problem_id, language_id }).await {
                Ok(found) => drop(versions.try_set(Some(found))),
                Err(error) => leptos::logging::warn!("versions could not be read: {error}"),
            }
        });
    };
    view! {
        <button class="button button-small button-quiet" type="button" data-testid="draft-versions" on:click=show>{watch().versions}</button>
        {move || versions.get().map(|found| view! {
            <Dialog title=watch().versions.to_owned() on_close=move || versions.set(None) testid="versions-dialog">
                <div class="dialog-body">
                {found.is_empty().then(|| view! { <p class="muted">{watch().no_versions}</p> })}
                <ul class="draft-versions">
                    {found.into_iter().map(|version| view! { <Version version syntax=workspace.syntax() /> }).collect_view()}
                </ul>
                </div>
            </Dialog>
        })}
    }
}

#[component]
fn Version(version: DraftVersion, syntax: crate::editor::syntax::Syntax) -> impl IntoView {
    let origin = if version.is_from_file { watch().version_from_file } else { watch().version_typed };
    let html = coloured_html(&version.text, syntax);
    let (copied, label) = (version.text, t().copy_what.fill([origin, ""]));
    view! {
        <li data-testid="draft-version">
            <details>
                <summary><Moment at_ms=version.saved_at_ms />" · "{origin}</summary>
                <div class="compiler-body">
                    <CopyButton text=move || copied.clone() label />
                    <pre class="code" tabindex="0" role="group" aria-label=origin><code inner_html=html></code></pre>
                </div>
            </details>
        </li>
    }
}
