//! What the three panes share: the text, the language, the preview and what was submitted.

use agon_contract::ids::{LanguageId, ProblemId};
use agon_contract::language::LanguageSummary;
use agon_contract::problem::ProblemDetail;
use agon_contract::submission::SourceFile;
use leptos::prelude::*;

use super::draft::Draft;
use super::own_editor::{self, OwnEditor};
use super::preview::Preview;
use super::sending::Sending;
use crate::editor::Buffer;
use crate::editor::syntax::Syntax;
use crate::state::browser::{remember, remembered};
use crate::state::{App, use_app};

/// A browser keeps some MiB for all problems together; a longer own input is not remembered.
const REMEMBERED_INPUT_BYTES_MAX: usize = 64 * 1024;

/// What the runs pane shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tab {
    Samples,
    Custom,
    Submission,
}

/// Handles to the problem's working state; cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct Workspace {
    pub(super) app: App,
    pub(super) detail: Signal<ProblemDetail>,
    pub(super) problem_id: StoredValue<ProblemId>,
    pub(super) buffer: Buffer,
    pub(super) language: RwSignal<Option<LanguageId>>,
    pub(super) draft: Draft,
    pub(super) own: OwnEditor,
    pub(super) preview: Preview,
    pub(super) sending: Sending,
    pub(super) tab: RwSignal<Tab>,
    pub(super) custom_input: RwSignal<String>,
}

/// The workspace of the problem screen.
pub(super) fn use_workspace() -> Workspace {
    use_context::<Workspace>().expect("the problem screen provides its workspace")
}

impl Workspace {
    /// Opens with what was journalled, or with the preferred language's template.
    pub(super) fn new(detail: Signal<ProblemDetail>) -> Self {
        let (app, language) = (use_app(), RwSignal::new(None));
        let problem_id = StoredValue::new(detail.with_untracked(|detail| detail.summary.id.clone()));
        let workspace = Self {
            app,
            detail,
            problem_id,
            buffer: Buffer::new(),
            language,
            draft: Draft::new(),
            own: OwnEditor::new(app, problem_id, language),
            preview: Preview::new(),
            sending: Sending::new(),
            tab: RwSignal::new(Tab::Samples),
            custom_input: RwSignal::new(String::new()),
        };
        workspace.custom_input.set(remembered(&workspace.custom_input_key()).unwrap_or_default());
        workspace.open_draft();
        own_editor::follow(workspace);
        let hidden = window_event_listener(leptos::ev::visibilitychange, move |_| workspace.flush_draft());
        let blurred = window_event_listener(leptos::ev::blur, move |_| workspace.flush_draft());
        on_cleanup(move || {
            hidden.remove();
            blurred.remove();
            workspace.flush_draft();
        });
        workspace
    }

    /// Takes the text of the own input and has this browser remember it, so that it is there again after a reload.
    pub(super) fn set_custom_input(&self, text: String) {
        let kept = if text.len() <= REMEMBERED_INPUT_BYTES_MAX { text.as_str() } else { "" };
        remember(&self.custom_input_key(), kept);
        self.custom_input.set(text);
    }

    /// One person's input to one problem: several people may use this browser.
    fn custom_input_key(&self) -> String {
        let user_id = self.app.session.with_untracked(|session| session.as_ref().map(|known| known.user_id.0.clone()));
        format!("own-input/{}/{}", user_id.unwrap_or_default(), self.problem_id.get_value().0)
    }

    /// The languages this problem admits, in the table's order.
    pub(super) fn languages(&self) -> Vec<LanguageSummary> {
        let admitted = self.detail.with(|detail| detail.languages.clone());
        self.app.languages.with(|all| all.iter().filter(|language| admitted.contains(&language.id)).cloned().collect())
    }

    /// The chosen language's row.
    pub(super) fn language_row(&self) -> Option<LanguageSummary> {
        self.language.get().and_then(|id| self.app.language(&id))
    }

    /// How the editor colours.
    pub(super) fn syntax(&self) -> Syntax {
        let extension = self.language_row().and_then(|language| language.extensions.first().cloned());
        extension.map_or(Syntax::Plain, |extension| Syntax::from_extension(&extension))
    }

    /// What would be sent now; `None` while the language is not known.
    pub(super) fn source(&self) -> Option<(LanguageId, Vec<SourceFile>)> {
        let language = untrack(|| self.language_row())?;
        let text = self.buffer.text.get_untracked();
        Some((language.id, vec![SourceFile { name: language.default_file_name, text }]))
    }

    /// Whether there is anything to run or to submit.
    pub(super) fn is_blank(&self) -> bool {
        self.buffer.text.with(|text| text.trim().is_empty())
    }
}
