//! Settings, optional services: what runs, why it does not, the switches, and the folder whose packages are taken in.

use agon_contract::ApiError;
use agon_contract::command::{
    GetWatchStatus, ListModules, RecheckPackage, RestartModule, SetModuleEnabled, SetWatchFolder,
};
use agon_contract::module::{ModuleState, ModuleView};
use agon_contract::permission::Permission;
use agon_contract::watch::{WatchedFolder, WatchedFolderState, WatchedPackage, WatchedPackageState};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::components::A;

use crate::backend::{call, is_desktop, pick_folder};
use crate::i18n::{
    finding_advice, folder_state_name, module_name, module_state_name, package_state_name, refusal_title, t, watch,
};
use crate::parts::{Moment, Notice, Tone};
use crate::state::{App, Topic, loaded, query, use_app};

/// The module that takes packages in.
const FILE_WATCH: &str = "file_watch";

/// The section; nothing for those who do not manage modules.
#[component]
pub fn OptionalServices() -> impl IntoView {
    let app = use_app();
    let may_manage = move || app.may(&Permission::ManageModules);
    move || may_manage().then(|| view! { <Section app /> })
}

#[component]
fn Section(app: App) -> impl IntoView {
    let modules = query(|| Some(ListModules {}), &[Topic::Progress]);
    let failure = RwSignal::new(None::<ApiError>);
    view! {
        <h2>{watch().settings_services}</h2>
        {move || failure.get().map(|error| view! {
            <Notice tone=Tone::Bad testid="service-failure">{error.message}" "{error.hint}</Notice>
        })}
        {loaded(modules, move |modules| {
            let names = Memo::new(move |_| modules.with(|all| all.iter().map(|module| module.name.clone()).collect::<Vec<_>>()));
            view! {
                <ul class="services">
                    {move || names.get().into_iter().map(|name| {
                        let first = modules.with_untracked(|all| all.iter().find(|module| module.name == name).cloned());
                        first.map(|first| {
                            let module = Memo::new(move |_| {
                                let found = modules.with(|all| all.iter().find(|module| module.name == first.name).cloned());
                                found.unwrap_or_else(|| first.clone())
                            });
                            view! { <Service module failure /> }
                        })
                    }).collect_view()}
                </ul>
            }
        })}
        <WatchedFolderSettings app failure />
    }
}

#[component]
fn Service(module: Memo<ModuleView>, failure: RwSignal<Option<ApiError>>) -> impl IntoView {
    let name = module.with_untracked(|module| module.name.clone());
    let (title, hint) = (module_name(&name), purpose_of(&name));
    let is_on = Memo::new(move |_| module.with(|module| module.is_enabled));
    let can_switch = move || module.with(|module| module.is_allowed || module.is_enabled);
    let switch = move |_| {
        let request =
            module.with_untracked(|module| SetModuleEnabled { name: module.name.clone(), enabled: !module.is_enabled });
        act(failure, async move { call(request).await.map(drop) });
    };
    view! {
        <li class="service" data-testid="service" data-name=name data-state=move || module.with(|module| module.state.as_str().to_owned())>
            <button
                class="switch" type="button" role="switch" aria-checked=move || is_on.get().to_string() aria-label=title.clone()
                disabled=move || !can_switch() data-testid="service-switch" on:click=switch
            ><span class="switch-knob"></span></button>
            <div class="service-text">
                <p><strong>{title}</strong>" "{move || module.with(|module| view! { <Standing module=module.clone() /> })}</p>
                <p class="hint">{hint}</p>
                {move || module.with(says).map(|text| view! { <p class="service-reason" data-testid="service-reason">{text}</p> })}
            </div>
            {move || module.with(|module| module.state == ModuleState::Failed && module.is_enabled).then(|| {
                let restart = move |_| {
                    let request = RestartModule { name: module.with_untracked(|module| module.name.clone()) };
                    act(failure, async move { call(request).await.map(drop) });
                };
                view! { <button class="button button-small" type="button" data-testid="service-restart" on:click=restart>{watch().restart}</button> }
            })}
        </li>
    }
}

#[component]
fn Standing(module: ModuleView) -> impl IntoView {
    view! {
        <span class=state_class(&module.state)>{module_state_name(&module.state)}</span>" "
        <span class="muted"><Moment at_ms=module.since_ms /></span>
    }
}

/// What a module is for; nothing for one that this version does not know.
fn purpose_of(name: &str) -> &'static str {
    if name == FILE_WATCH { watch().file_watch_hint } else { "" }
}

fn says(module: &ModuleView) -> Option<String> {
    in_words(&module.reason, &module.remedy)
}

/// A reason and the way out, which come as two half-sentences.
fn in_words(reason: &str, remedy: &str) -> Option<String> {
    let parts: Vec<&str> = [reason, remedy].into_iter().filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

fn state_class(state: &ModuleState) -> &'static str {
    match state {
        ModuleState::Ready => "state state-ok",
        ModuleState::Failed => "state state-bad",
        ModuleState::Starting | ModuleState::Stopping => "state state-warning",
        ModuleState::Disabled | ModuleState::Stopped | ModuleState::Unknown(_) => "state muted",
    }
}

/// Does it and shows why it was refused; the states come back with the next progress.
fn act(failure: RwSignal<Option<ApiError>>, work: impl Future<Output = Result<(), ApiError>> + 'static) {
    spawn_local(async move {
        let done = work.await;
        failure.try_set(done.err());
    });
}

#[component]
fn WatchedFolderSettings(app: App, failure: RwSignal<Option<ApiError>>) -> impl IntoView {
    let read = query(|| Some(GetWatchStatus {}), &[Topic::Progress]);
    let retry = move || read.retry();
    let takes_paths = move || app.host.with(|host| host.as_ref().is_some_and(|host| host.takes_paths));
    view! {
        <h3>{watch().watched_folder}</h3>
        <p class="hint">{watch().watched_folder_hint}</p>
        {move || takes_paths().then(|| view! { <FolderForm failure again=retry /> })}
        {loaded(read, move |status| {
            let folder = Memo::new(move |_| status.with(|status| status.folder.clone()));
            view! { {move || match folder.get() {
                Some(folder) => view! { <FolderNow folder failure again=retry can_end=takes_paths() /> }.into_any(),
                None => view! { <p class="muted" data-testid="no-folder">{watch().no_folder}</p> }.into_any(),
            }} }
        })}
    }
}

#[component]
fn FolderForm(failure: RwSignal<Option<ApiError>>, again: impl Fn() + Copy + Send + Sync + 'static) -> impl IntoView {
    let path = RwSignal::new(String::new());
    let polls = RwSignal::new(false);
    let set = move |folder: String| {
        act(failure, async move {
            let set = call(SetWatchFolder { path: folder, polls: polls.get_untracked() }).await.map(drop);
            if set.is_ok() {
                path.try_set(String::new());
                again();
            }
            set
        });
    };
    let browse = move |_| {
        spawn_local(async move {
            match pick_folder().await {
                Ok(Some(chosen)) => drop(path.try_set(chosen)),
                Ok(None) => {}
                Err(error) => drop(failure.try_set(Some(error))),
            }
        });
    };
    view! {
        <form class="inline-form" on:submit=move |event| { event.prevent_default(); set(path.get_untracked()); }>
            <label class="visually-hidden" for="watch-path">{watch().watched_folder}</label>
            <input
                id="watch-path" class="mono" type="text" autocomplete="off" spellcheck="false" data-testid="watch-path"
                placeholder=watch().folder_path prop:value=path on:input=move |event| path.set(event_target_value(&event))
            />
            {is_desktop().then(|| view! { <button class="button" type="button" data-testid="watch-browse" on:click=browse>{watch().browse}</button> })}
            <button class="button" type="submit" data-testid="watch-set" disabled=move || path.with(|path| path.trim().is_empty())>
                {watch().folder_set}
            </button>
            <label class="check"><input type="checkbox" data-testid="watch-polls" prop:checked=polls on:change=move |event| polls.set(event_target_checked(&event)) />
                {watch().folder_polls}</label>
        </form>
    }
}

#[component]
fn FolderNow(
    folder: WatchedFolder,
    failure: RwSignal<Option<ApiError>>,
    again: impl Fn() + Copy + Send + Sync + 'static,
    can_end: bool,
) -> impl IntoView {
    let class = match folder.state {
        WatchedFolderState::Watching | WatchedFolderState::Polling => "state state-ok",
        WatchedFolderState::Missing | WatchedFolderState::Unreadable => "state state-bad",
        WatchedFolderState::Off | WatchedFolderState::Unknown(_) => "state muted",
    };
    let end = move |_| {
        act(failure, async move {
            let ended = call(SetWatchFolder { path: String::new(), polls: false }).await.map(drop);
            again();
            ended
        });
    };
    view! {
        <div class="watched-folder" data-testid="watched-folder" data-state=folder.state.as_str().to_owned()>
            <p class="watched-head">
                <code class="wrap">{folder.path}</code>" "
                <span class=class>{folder_state_name(&folder.state)}</span>
                {can_end.then(|| view! {
                    <button class="link-button" type="button" data-testid="watch-end" on:click=end>{watch().folder_end}</button>
                })}
            </p>
            {(!folder.message.is_empty()).then(|| view! { <p class="service-reason">{folder.message}</p> })}
            <ul class="watched-packages">
                {folder.packages.into_iter().map(|package| view! { <PackageRow package failure /> }).collect_view()}
            </ul>
        </div>
    }
}

#[component]
fn PackageRow(package: WatchedPackage, failure: RwSignal<Option<ApiError>>) -> impl IntoView {
    let class = match package.state {
        WatchedPackageState::Imported => "state state-ok",
        WatchedPackageState::Refused => "state state-bad",
        WatchedPackageState::Settling | WatchedPackageState::Looking | WatchedPackageState::Waiting => {
            "state state-warning"
        }
        WatchedPackageState::Unknown(_) => "state muted",
    };
    let is_refused = package.state == WatchedPackageState::Refused;
    let name = StoredValue::new(package.name.clone());
    let recheck = move |_| act(failure, async move { call(RecheckPackage { name: name.get_value() }).await.map(drop) });
    let title = if is_refused { refusal_title(&package.code) } else { None };
    let problem = package.problem_id.filter(|_| !is_refused);
    let says = in_words(&package.reason, &finding_advice(&package.code, &package.remedy));
    view! {
        <li data-testid="watched-package" data-name=package.name.clone() data-state=package.state.as_str().to_owned()>
            <code>{package.name.clone()}</code>
            <span class=class>{package_state_name(&package.state)}</span>
            <span class="muted"><Moment at_ms=package.since_ms /></span>
            {problem.map(|id| view! { <A href=format!("/problems/{id}")>{t().open_problem}</A> })}
            {is_refused.then(|| view! {
                <button class="link-button" type="button" data-testid="recheck" on:click=recheck>{watch().look_again}</button>
            })}
            {says.map(|says| view! { <p class="hint">{title.map(|title| view! { <b>{title}</b>" · " })}{says}</p> })}
        </li>
    }
}
