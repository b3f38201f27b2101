//! Finding entries by person and action. The host pages the whole log; what does not fit is passed over here.

use agon_contract::ApiError;
use agon_contract::audit::{AuditAction, AuditEntryView, AuditPage};
use agon_contract::command::ListAudit;
use agon_contract::ids::UserId;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::hooks::use_navigate;

use super::{PAGE, actor_key, address_of};
use crate::backend::call;
use crate::i18n::{action_name, hall};
use crate::screens::hall::people::{own_name, short_id};
use crate::state::{App, use_app};

/// Stands for the program in the address.
pub(super) const PROGRAM: &str = "program";
/// The largest page that the host gives.
const SEARCHED_PAGE: u32 = 200;
/// Pages that one search looks through before it offers to go on.
const SEARCHED_PAGES_MAX: u32 = 25;

/// What is looked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Filter {
    /// The id of a person, or [`PROGRAM`].
    pub(super) actor: Option<String>,
    pub(super) action: Option<AuditAction>,
}

impl Filter {
    fn fits(&self, entry: &AuditEntryView) -> bool {
        let by_actor = self.actor.as_ref().is_none_or(|actor| *actor == actor_key(entry));
        by_actor && self.action.as_ref().is_none_or(|action| *action == entry.action)
    }
}

/// The entries to show.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fitting {
    pub(super) entries: Vec<AuditEntryView>,
    pub(super) next_before_seq: Option<u64>,
    pub(super) is_searching: bool,
}

/// A page's entries when nothing is looked for; else what a search through the older pages finds.
pub(super) fn fitting(page: Signal<AuditPage>, before: Memo<Option<u64>>, filter: Memo<Filter>) -> RwSignal<Fitting> {
    let shown = RwSignal::new(Fitting::default());
    let newest = Memo::new(move |_| page.with(|page| page.entries.first().map(|entry| entry.seq)));
    let searches = StoredValue::new(0u32);
    Effect::new(move |_| {
        let (filter, before) = (filter.get(), before.get());
        searches.update_value(|count| *count += 1);
        if filter == Filter::default() {
            let page = page.get();
            shown.set(Fitting { entries: page.entries, next_before_seq: page.next_before_seq, is_searching: false });
            return;
        }
        newest.track();
        let mine = searches.get_value();
        shown.update(|shown| shown.is_searching = true);
        spawn_local(async move {
            let found = search(&filter, before).await;
            // A newer search, or none at all any more, makes this one's find void.
            if searches.try_get_value() != Some(mine) {
                return;
            }
            match found {
                Ok(found) => drop(shown.try_set(found)),
                Err(error) => {
                    leptos::logging::warn!("the log could not be searched: {error}");
                    shown.try_update(|shown| shown.is_searching = false);
                }
            }
        });
    });
    shown
}

async fn search(filter: &Filter, before: Option<u64>) -> Result<Fitting, ApiError> {
    let mut found = Fitting { next_before_seq: before, ..Fitting::default() };
    for _ in 0..SEARCHED_PAGES_MAX {
        let page = call(ListAudit { before_seq: found.next_before_seq, limit: SEARCHED_PAGE }).await?;
        if take(&mut found, filter, page) {
            break;
        }
    }
    Ok(found)
}

/// Takes what fits of a page; answers whether the search is over. A full page ends at its last entry.
fn take(found: &mut Fitting, filter: &Filter, page: AuditPage) -> bool {
    found.next_before_seq = page.next_before_seq;
    for entry in page.entries {
        if found.entries.len() >= PAGE as usize {
            found.next_before_seq = found.entries.last().map(|last| last.seq);
            return true;
        }
        if filter.fits(&entry) {
            found.entries.push(entry);
        }
    }
    found.next_before_seq.is_none()
}

/// The two selects. People are those of the entries seen so far.
#[component]
pub(super) fn FilterFields(filter: Memo<Filter>, rows: Memo<Vec<AuditEntryView>>) -> impl IntoView {
    let app = use_app();
    let navigate = use_navigate();
    let go = move |filter: Filter| navigate(&address_of(&filter, None), Default::default());
    let some = |value: String| (!value.is_empty()).then_some(value);
    let by_actor = {
        let go = go.clone();
        move |event| go(Filter { actor: some(event_target_value(&event)), ..filter.get_untracked() })
    };
    let by_action = move |event| {
        let action = some(event_target_value(&event)).map(|action| AuditAction::from(action.as_str()));
        go(Filter { action, ..filter.get_untracked() });
    };
    let people = Memo::new(move |known: Option<&Vec<(String, String)>>| {
        let mut people = known.cloned().unwrap_or_default();
        rows.with(|rows| rows.iter().for_each(|entry| note_person(&mut people, entry, &app)));
        people
    });
    view! {
        <div class="filters">
            <label class="filter"><span>{hall().column_who}</span>
                <select data-testid="audit-who" on:change=by_actor>
                    <option value="" selected=move || filter.with(|filter| filter.actor.is_none())>{hall().everybody}</option>
                    {move || people.get().into_iter().map(|(id, name)| {
                        let is_chosen = filter.with_untracked(|filter| filter.actor.as_ref() == Some(&id));
                        view! { <option value=id selected=is_chosen>{name}</option> }
                    }).collect_view()}
                </select>
            </label>
            <label class="filter"><span>{hall().column_action}</span>
                <select data-testid="audit-action" on:change=by_action>
                    <option value="" selected=move || filter.with(|filter| filter.action.is_none())>{hall().every_action}</option>
                    {AuditAction::KNOWN.iter().map(|action| view! {
                        <option
                            value=action.as_str()
                            selected=move || filter.with(|filter| filter.action.as_ref() == Some(action))
                        >{action_name(action)}</option>
                    }).collect_view()}
                </select>
            </label>
        </div>
    }
}

fn note_person(people: &mut Vec<(String, String)>, entry: &AuditEntryView, app: &App) {
    let key = actor_key(entry);
    if !people.iter().any(|(known, _)| *known == key) {
        people.push((key, actor_text(entry, |id| own_name(app, id))));
    }
}

/// Who did it, in words. The local profile has no account; its name is in the session.
pub(super) fn actor_text(entry: &AuditEntryView, own_name: impl Fn(&UserId) -> Option<String>) -> String {
    match (&entry.actor_name, &entry.actor, &entry.action) {
        (Some(name), _, _) => name.clone(),
        (None, Some(actor), _) => own_name(actor).unwrap_or_else(|| short_id(actor)),
        (None, None, AuditAction::SessionRefused) => hall().by_nobody_known.to_owned(),
        (None, None, _) => hall().by_program.to_owned(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn entry(seq: u64, actor: Option<&str>, action: AuditAction) -> AuditEntryView {
        AuditEntryView {
            seq,
            event_id: seq.to_string(),
            source: "catalog".into(),
            at_ms: 0,
            actor: actor.map(Into::into),
            actor_name: None,
            action,
            object: "p".into(),
            details: "{}".into(),
            hash: String::new(),
        }
    }

    #[test]
    fn both_conditions_hold_and_the_program_can_be_looked_for() {
        let filter = Filter { actor: Some(PROGRAM.into()), action: Some(AuditAction::BackupMade) };
        assert!(filter.fits(&entry(1, None, AuditAction::BackupMade)));
        assert!(!filter.fits(&entry(2, Some("u"), AuditAction::BackupMade)));
        assert!(!filter.fits(&entry(3, None, AuditAction::ProblemImported)));
        assert!(Filter::default().fits(&entry(4, Some("u"), AuditAction::ProblemRemoved)));
    }

    #[test]
    fn somebody_without_an_account_is_called_by_name_or_by_the_id() {
        let done = entry(1, Some("01a22dea-9a30-749c-bfe4"), AuditAction::ProblemImported);
        assert_eq!(actor_text(&done, |_| Some("Ann".into())), "Ann");
        assert_eq!(actor_text(&done, |_| None), "01a22dea-9a30");
        assert_eq!(actor_text(&entry(2, None, AuditAction::BackupMade), |_| None), "the program");
        assert_eq!(actor_text(&entry(3, None, AuditAction::SessionRefused), |_| None), "nobody known");
    }

    #[test]
    fn a_search_goes_on_where_it_was_full_and_ends_with_the_log() {
        let filter = Filter { actor: Some("u".into()), action: None };
        let page = |from: u64, count: u64, next| AuditPage {
            entries: (0..count).map(|at| entry(from - at, Some("u"), AuditAction::ProblemImported)).collect(),
            next_before_seq: next,
        };
        let mut found = Fitting::default();
        assert!(!take(&mut found, &filter, page(200, 30, Some(171))));
        assert!(take(&mut found, &filter, page(170, 60, Some(111))));
        assert_eq!((found.entries.len(), found.next_before_seq), (50, Some(151)));
        let mut found = Fitting::default();
        assert!(take(&mut found, &filter, page(20, 20, None)));
        assert_eq!(found.next_before_seq, None);
    }
}
