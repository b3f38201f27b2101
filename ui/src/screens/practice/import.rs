//! The import's steps: choose or drop, upload, let the doctor look, accept or leave. One package after the other.

use std::collections::VecDeque;

use agon_contract::ApiError;
use agon_contract::command::{ImportPackage, InspectPackage};
use agon_contract::ids::ProblemId;
use agon_contract::package::{ImportReport, PackageSource};
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{DragEvent, File, FileList, HtmlElement, HtmlInputElement};
use leptos_router::components::A;

use super::doctor::Doctor;
use crate::backend::{call, forget_dropped_packages, is_desktop, on_dropped_packages, pick_package, upload};
use crate::i18n::{locale, t};
use crate::parts::{Dialog, Failure, Glyph, Icon, Loading, Notice, Tone};
use crate::state::browser::document;
use crate::state::preferences::best_text;

/// A package that waits for its turn.
#[derive(Clone)]
enum Waiting {
    Named(PackageSource),
    /// Bytes of the browser, to be uploaded first.
    Chosen(SendWrapper<File>),
}

/// Browser objects never leave their thread; signals ask for `Send`.
type SendWrapper<T> = send_wrapper::SendWrapper<T>;

/// Where the current package stands.
#[derive(Clone, PartialEq)]
pub(super) enum Step {
    Idle,
    Uploading,
    Inspecting,
    Report {
        source: PackageSource,
        report: ImportReport,
    },
    Importing {
        report: ImportReport,
    },
    /// The step failed; nothing was stored.
    Failed(ApiError),
}

/// Handles to the import's state; cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct Import {
    pub(super) step: RwSignal<Step>,
    pub(super) is_dropping: RwSignal<bool>,
    pub(super) imported: RwSignal<Option<(ProblemId, String)>>,
    /// The dialog was closed while importing; the import goes on.
    pub(super) is_in_background: RwSignal<bool>,
    /// The package in hand; what comes late for an earlier one is dropped.
    turn: StoredValue<u64>,
    waiting: StoredValue<VecDeque<Waiting>>,
    on_imported: StoredValue<Box<dyn Fn() + Send + Sync>>,
}

impl Import {
    /// Also listens for files dropped on the page or the window, until the screen goes.
    pub(super) fn new(on_imported: impl Fn() + Send + Sync + 'static) -> Self {
        let import = Self {
            step: RwSignal::new(Step::Idle),
            is_dropping: RwSignal::new(false),
            imported: RwSignal::new(None),
            is_in_background: RwSignal::new(false),
            turn: StoredValue::new(0),
            waiting: StoredValue::new(VecDeque::new()),
            on_imported: StoredValue::new(Box::new(on_imported)),
        };
        on_dropped_packages(move |sources| import.take(sources.into_iter().map(Waiting::Named)));
        let over = window_event_listener(leptos::ev::dragover, move |event: DragEvent| {
            event.prevent_default();
            import.is_dropping.set(true);
        });
        let leave = window_event_listener(leptos::ev::dragleave, move |event: DragEvent| {
            if event.related_target().is_none() {
                import.is_dropping.set(false);
            }
        });
        let drop = window_event_listener(leptos::ev::drop, move |event: DragEvent| {
            event.prevent_default();
            import.is_dropping.set(false);
            import.take_files(event.data_transfer().and_then(|data| data.files()));
        });
        on_cleanup(move || {
            forget_dropped_packages();
            over.remove();
            leave.remove();
            drop.remove();
        });
        import
    }

    /// Opens the system's dialog in the desktop window, the browser's file chooser elsewhere.
    pub(super) fn choose(self) {
        if !is_desktop() {
            if let Some(input) =
                document().get_element_by_id("import-file").and_then(|node| node.dyn_into::<HtmlElement>().ok())
            {
                input.click();
            }
            return;
        }
        spawn_local(async move {
            match pick_package().await {
                Ok(Some(source)) => self.take([Waiting::Named(source)]),
                Ok(None) => {}
                Err(error) => self.step.set(Step::Failed(error)),
            }
        });
    }

    fn take_files(self, files: Option<FileList>) {
        let Some(files) = files else { return };
        let files: Vec<_> = (0..files.length()).filter_map(|index| files.get(index)).collect();
        self.take(files.into_iter().map(|file| Waiting::Chosen(SendWrapper::new(file))));
    }

    fn take(self, packages: impl IntoIterator<Item = Waiting>) {
        self.waiting.update_value(|waiting| waiting.extend(packages));
        if self.step.with_untracked(|step| *step == Step::Idle) {
            self.next();
        }
    }

    fn next(self) {
        let turn = self.turn.try_update_value(|turn| {
            *turn += 1;
            *turn
        });
        self.is_in_background.try_set(false);
        let next = self.waiting.try_update_value(VecDeque::pop_front).flatten();
        let Some(next) = next else { return self.step.set(Step::Idle) };
        self.imported.set(None);
        spawn_local(async move {
            let step = match self.look(next, turn).await {
                Ok((source, report)) => Step::Report { source, report },
                Err(error) => Step::Failed(error),
            };
            self.set_step(turn, step);
        });
    }

    /// Moves on, unless the person turned to another package meanwhile.
    fn set_step(self, turn: Option<u64>, step: Step) {
        if self.turn.try_get_value() == turn {
            self.step.try_set(step);
        }
    }

    async fn look(self, package: Waiting, turn: Option<u64>) -> Result<(PackageSource, ImportReport), ApiError> {
        let source = match package {
            Waiting::Named(source) => source,
            Waiting::Chosen(file) => {
                self.set_step(turn, Step::Uploading);
                upload(&file).await?
            }
        };
        self.set_step(turn, Step::Inspecting);
        let report = call(InspectPackage { source: source.clone() }).await?;
        Ok((source, report))
    }

    /// Takes the inspected package in.
    pub(super) fn accept(self, replace_existing: bool) {
        let Step::Report { source, report } = self.step.get_untracked() else { return };
        self.step.set(Step::Importing { report });
        spawn_local(async move {
            match call(ImportPackage { source, replace_existing }).await {
                Ok(reply) => {
                    let titles = reply.report.problem.map(|problem| problem.titles).unwrap_or_default();
                    self.imported.try_set(Some((reply.problem_id, best_text(&titles, locale()).to_owned())));
                    self.on_imported.try_with_value(|told| told());
                    self.next();
                }
                Err(error) => {
                    self.is_in_background.try_set(false);
                    self.step.try_set(Step::Failed(error));
                }
            }
        });
    }

    /// Leaves the package as it is and turns to the next one; an import that has begun goes on without the dialog.
    pub(super) fn leave(self) {
        if untrack(|| self.is_importing()) {
            self.is_in_background.set(true);
        } else {
            self.next();
        }
    }

    fn is_importing(self) -> bool {
        self.step.with(|step| matches!(step, Step::Importing { .. }))
    }
}

/// The button, and the input that the browser's chooser needs.
#[component]
pub(super) fn ImportButton(import: Import) -> impl IntoView {
    let chosen = move |event| {
        let input = event_target::<HtmlInputElement>(&event);
        import.take_files(input.files());
        // The same file may be chosen again.
        input.set_value("");
    };
    view! {
        <button class="button button-primary" type="button" data-testid="import-button" on:click=move |_| import.choose()>
            <Icon glyph=Glyph::Import />{t().import_package}
        </button>
        <input
            class="visually-hidden"
            type="file"
            id="import-file"
            data-testid="import-file"
            accept=".zip,.kpp,application/zip"
            tabindex="-1"
            aria-label=t().import_package
            on:change=chosen
        />
    }
}

/// What was taken in last.
#[component]
pub(super) fn ImportOutcome(import: Import) -> impl IntoView {
    let in_background = Memo::new(move |_| import.is_in_background.get() && import.is_importing());
    let note = move || {
        in_background.get().then(|| {
            view! { <Notice tone=Tone::Info testid="importing">{t().importing}</Notice> }
        })
    };
    let outcome = move || {
        import.imported.get().map(|(problem_id, title)| {
            view! {
                <Notice tone=Tone::Ok testid="imported">
                    {t().imported.fill([&title])}" "<A href=format!("/problems/{problem_id}")>{t().open_problem}</A>
                </Notice>
            }
        })
    };
    view! {
        {note}
        {outcome}
    }
}

/// The doctor's dialog, from the upload to the decision.
#[component]
pub(super) fn ImportDialog(import: Import) -> impl IntoView {
    let is_open = Memo::new(move |_| import.step.with(|step| *step != Step::Idle) && !import.is_in_background.get());
    move || {
        is_open.get().then(|| view! {
            <Dialog title=t().doctor_title.to_owned() on_close=move || import.leave() testid="doctor">
                {move || match import.step.get() {
                    Step::Idle => ().into_any(),
                    Step::Uploading => view! { <p class="dialog-body loading" role="status">{t().uploading}</p> }.into_any(),
                    Step::Inspecting => view! { <div class="dialog-body"><Loading /></div> }.into_any(),
                    Step::Report { report, .. } => view! { <Doctor report import is_importing=false /> }.into_any(),
                    Step::Importing { report } => view! { <Doctor report import is_importing=true /> }.into_any(),
                    Step::Failed(error) => view! {
                        <div class="dialog-body"><Failure error on_retry=move || { import.leave(); import.choose(); } /></div>
                    }.into_any(),
                }}
            </Dialog>
        })
    }
}
