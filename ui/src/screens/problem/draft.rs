//! The journal of the editor: every pause of typing is saved within a second, and comes back on opening.

use agon_contract::ApiError;
use agon_contract::command::{LoadDraft, SaveDraft};
use agon_contract::ids::LanguageId;
use agon_contract::language::LanguageSummary;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::journal_order::{has_seen, save_in_order};
use super::workspace::Workspace;
use crate::backend::call;
use crate::state::browser::{now_ms, sleep_ms};

/// A text is journalled this long after a keystroke at the latest, however fast the typing goes on.
const JOURNAL_AFTER_MS: u32 = 500;
/// After a failure to journal the next attempt waits this long.
const RETRY_AFTER_MS: u32 = 2_000;

/// What the status line says about the journal.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Journal {
    /// Nothing was typed since the text was opened.
    Untouched,
    Waiting,
    Saved {
        at_ms: i64,
    },
    Failed(ApiError),
}

/// State of the journal.
#[derive(Clone, Copy)]
pub(super) struct Draft {
    pub(super) journal: RwSignal<Journal>,
    /// When the text that was brought back had been saved; `None` once dismissed.
    pub(super) restored_at_ms: RwSignal<Option<i64>>,
    /// The text that the template took the place of, until it is brought back or let go.
    pub(super) replaced: RwSignal<Option<String>>,
    /// What another window typed here meanwhile, until it is taken or let go.
    pub(super) elsewhere: RwSignal<Option<String>>,
    /// Editing starts when the journal was read, so that it never overwrites what it has not seen.
    pub(super) is_open: RwSignal<bool>,
    /// Why the journal could not be read.
    pub(super) open_failure: RwSignal<Option<ApiError>>,
    /// The revision typed and the revision journalled.
    typed: StoredValue<u64>,
    journalled: StoredValue<u64>,
    is_writing: StoredValue<bool>,
}

impl Draft {
    pub(super) fn new() -> Self {
        Self {
            journal: RwSignal::new(Journal::Untouched),
            restored_at_ms: RwSignal::new(None),
            replaced: RwSignal::new(None),
            elsewhere: RwSignal::new(None),
            is_open: RwSignal::new(false),
            open_failure: RwSignal::new(None),
            typed: StoredValue::new(0),
            journalled: StoredValue::new(0),
            is_writing: StoredValue::new(false),
        }
    }
}

/// The language to open with when nothing was journalled: the preferred one, else C++20, else the first.
fn opening_language(admitted: &[LanguageSummary], preferred: &str) -> Option<LanguageId> {
    let find = |id: &str| admitted.iter().find(|language| language.id.as_str() == id);
    find(preferred).or_else(|| find("cpp20")).or_else(|| admitted.first()).map(|language| language.id.clone())
}

/// What the text becomes when the language changes and the new one has no journal of its own: a program is carried
/// over between languages of one file kind (C++17 and C++20), an untouched template makes room for the other template.
fn carried_over(text: &str, from: Option<&LanguageSummary>, to: &LanguageSummary) -> String {
    let is_untouched = text.trim().is_empty() || from.is_some_and(|from| from.template == text);
    let same_kind = from.is_some_and(|from| from.extensions.first() == to.extensions.first());
    if is_untouched || !same_kind { to.template.clone() } else { text.to_owned() }
}

impl Workspace {
    /// Reads the journal; until it answered the editor waits.
    pub(super) fn open_draft(self) {
        let draft = self.draft;
        draft.open_failure.set(None);
        let problem_id = self.problem_id.get_value();
        let admitted = untrack(|| self.languages());
        let preferred = self.app.preferences.with_untracked(|preferences| preferences.default_language.clone());
        spawn_local(async move {
            match call(LoadDraft { problem_id: problem_id.clone(), language_id: None }).await {
                Ok(found) => {
                    if let Some(language) = &found.language_id {
                        has_seen(problem_id, language.clone(), found.saved_at_ms);
                    }
                    let journalled = found.language_id.filter(|id| admitted.iter().any(|language| language.id == *id));
                    let language = journalled.clone().or_else(|| opening_language(&admitted, &preferred));
                    let template = language.as_ref().and_then(|id| admitted.iter().find(|row| row.id == *id));
                    let template = template.map(|row| row.template.clone()).unwrap_or_default();
                    let restored = found.text.filter(|text| journalled.is_some() && *text != template);
                    if self.language.try_set(language).is_some() {
                        return;
                    }
                    draft.restored_at_ms.set(restored.as_ref().and(found.saved_at_ms));
                    self.buffer.load(restored.unwrap_or(template));
                    draft.is_open.set(true);
                }
                Err(error) => {
                    draft.open_failure.try_set(Some(error));
                }
            }
        });
    }

    /// Switches the language: what was typed stays in its own journal.
    pub(super) fn choose_language(self, id: LanguageId) {
        let Some(to) = untrack(|| self.app.language(&id)) else { return };
        let from = untrack(|| self.language_row());
        self.flush_draft();
        self.language.set(Some(id.clone()));
        self.draft.restored_at_ms.set(None);
        self.draft.replaced.set(None);
        let problem_id = self.problem_id.get_value();
        spawn_local(async move {
            let asked = LoadDraft { problem_id: problem_id.clone(), language_id: Some(id.clone()) };
            let found = call(asked).await;
            if let Ok(found) = &found {
                has_seen(problem_id, id.clone(), found.saved_at_ms);
            }
            // Another choice, or typing, came first.
            if self.language.try_get_untracked().flatten().as_ref() != Some(&id) {
                return;
            }
            let text = self.buffer.text.get_untracked();
            let draft = found.ok().and_then(|draft| draft.text.map(|text| (text, draft.saved_at_ms)));
            match draft {
                Some((journalled, at_ms)) if journalled != to.template => {
                    self.draft.restored_at_ms.set(at_ms);
                    self.buffer.load(journalled);
                }
                Some(_) | None => {
                    let next = carried_over(&text, from.as_ref(), &to);
                    if next != text {
                        self.buffer.load(next);
                    }
                }
            }
            self.text_edited();
        });
    }

    /// Puts the template in place of the text, which can be brought back.
    pub(super) fn start_from_template(self) {
        if let Some(language) = untrack(|| self.language_row()) {
            self.draft.replaced.set(Some(self.buffer.text.get_untracked()));
            self.buffer.load(language.template);
            self.draft.restored_at_ms.set(None);
            self.text_edited();
        }
    }

    /// Takes the template's place again.
    pub(super) fn bring_back(self) {
        if let Some(text) = self.draft.replaced.get_untracked() {
            self.draft.replaced.set(None);
            self.buffer.load(text);
            self.text_edited();
        }
    }

    /// Goes on with what the other window typed; the text here takes its place in the notice.
    pub(super) fn take_from_elsewhere(self) {
        if let Some(text) = self.draft.elsewhere.get_untracked() {
            self.draft.elsewhere.set(Some(self.buffer.text.get_untracked()));
            self.buffer.load(text);
            self.text_edited();
        }
    }

    /// After each change: journal soon.
    pub(super) fn text_edited(self) {
        let draft = self.draft;
        draft.typed.update_value(|typed| *typed += 1);
        draft.journal.set(Journal::Waiting);
        if !draft.is_writing.get_value() {
            draft.is_writing.set_value(true);
            spawn_local(self.journal_until_quiet(JOURNAL_AFTER_MS));
        }
    }

    async fn journal_until_quiet(self, first_wait_ms: u32) {
        let draft = self.draft;
        let mut wait_ms = first_wait_ms;
        loop {
            sleep_ms(wait_ms).await;
            let Some(revision) = draft.typed.try_get_value() else { return };
            // Somebody was faster; once more would put this text over what came after it.
            if draft.journalled.try_get_value() == Some(revision) {
                break;
            }
            let Some(request) = self.draft_now() else { break };
            match save_in_order(request).await {
                Ok(saved) => {
                    if saved.took_place_of.is_some() {
                        draft.elsewhere.try_set(saved.took_place_of);
                    }
                    draft.journalled.try_set_value(revision);
                    if draft.typed.try_get_value() == Some(revision) {
                        draft.journal.try_set(Journal::Saved { at_ms: saved.saved_at_ms });
                        break;
                    }
                    wait_ms = JOURNAL_AFTER_MS;
                }
                Err(error) => {
                    if draft.journal.try_set(Journal::Failed(error)).is_some() {
                        return;
                    }
                    wait_ms = RETRY_AFTER_MS;
                }
            }
        }
        draft.is_writing.try_set_value(false);
    }

    /// Journals what is not journalled yet and waits for it.
    ///
    /// # Errors
    /// Those of the host; the text is journalled later then.
    pub(super) async fn journal_now(self) -> Result<(), ApiError> {
        let typed = self.draft.typed.get_value();
        if self.draft.journalled.get_value() == typed {
            return Ok(());
        }
        let Some(request) = self.draft_now() else { return Ok(()) };
        save_in_order(request).await?;
        self.draft.journalled.try_set_value(typed);
        Ok(())
    }

    fn draft_now(&self) -> Option<SaveDraft> {
        let language_id = self.language.try_get_untracked().flatten()?;
        let problem_id = self.problem_id.try_get_value()?;
        let text = self.buffer.text.try_get_untracked()?;
        Some(SaveDraft { problem_id, language_id, text, based_on_ms: None })
    }

    /// Journals at once what is not journalled yet, for example when the screen closes.
    pub(super) fn flush_draft(self) {
        let draft = self.draft;
        let typed = draft.typed.try_get_value().unwrap_or(0);
        if draft.journalled.try_get_value().unwrap_or(typed) == typed {
            return;
        }
        let Some(request) = self.draft_now() else { return };
        draft.journalled.set_value(typed);
        spawn_local(async move {
            match save_in_order(request).await {
                Ok(saved) => drop(draft.journal.try_set(Journal::Saved { at_ms: saved.saved_at_ms })),
                Err(error) => leptos::logging::warn!("the text was not journalled at {}: {error}", now_ms()),
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(id: &str, extension: &str, template: &str) -> LanguageSummary {
        LanguageSummary {
            id: id.into(),
            name: id.into(),
            extensions: vec![extension.into()],
            default_file_name: format!("main.{extension}"),
            compile_command: String::new(),
            run_command: String::new(),
            template: template.into(),
        }
    }

    #[test]
    fn the_opening_language_is_the_preferred_one_if_admitted() {
        let admitted = [language("c", "c", ""), language("cpp20", "cpp", ""), language("rust", "rs", "")];
        assert_eq!(opening_language(&admitted, "rust"), Some("rust".into()));
        assert_eq!(opening_language(&admitted, "java"), Some("cpp20".into()));
        assert_eq!(opening_language(&admitted[..1], ""), Some("c".into()));
        assert_eq!(opening_language(&[], "c"), None);
    }

    #[test]
    fn a_program_is_carried_between_versions_of_a_language_only() {
        let (cpp17, cpp20, python) =
            (language("cpp17", "cpp", "T17"), language("cpp20", "cpp", "T20"), language("python3", "py", "TPY"));
        assert_eq!(carried_over("int main", Some(&cpp17), &cpp20), "int main");
        assert_eq!(carried_over("T17", Some(&cpp17), &cpp20), "T20");
        assert_eq!(carried_over("int main", Some(&cpp17), &python), "TPY");
        assert_eq!(carried_over(" \n", None, &python), "TPY");
    }
}
