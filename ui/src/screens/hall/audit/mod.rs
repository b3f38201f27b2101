//! The audit log: who did what to what, newest first, and whether the chain holds.

mod entries;
mod filter;
mod verify;

use agon_contract::audit::{AuditAction, AuditEntryView, AuditPage};
use agon_contract::command::ListAudit;
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_query_map;

use self::entries::Entries;
use self::filter::{Filter, FilterFields, Fitting, fitting};
use self::verify::{Verdict, VerifyButton};
use super::frame::{HallPage, HallScreen};
use crate::i18n::{hall, t};
use crate::parts::Empty;
use crate::state::action::action;
use crate::state::pace::measured;
use crate::state::{Topic, loaded};

/// Entries of a page.
const PAGE: u32 = 50;

/// The screen of `/hall/audit`. Filter and page live in the address, so that Back works.
#[component]
pub fn AuditLog() -> impl IntoView {
    let address = use_query_map();
    let wanted =
        move |name: &'static str| address.with(|address| address.get(name)).filter(|value: &String| !value.is_empty());
    let before = Memo::new(move |_| wanted("before").and_then(|text| text.parse::<u64>().ok()));
    let filter = Memo::new(move |_| Filter {
        actor: wanted("who"),
        action: wanted("action").map(|action| AuditAction::from(action.as_str())),
    });
    let page = measured(move || Some(ListAudit { before_seq: before.get(), limit: PAGE }), &[Topic::Progress]);
    let verifying = action();
    let found = RwSignal::new(None);
    view! {
        <HallScreen page=HallPage::Audit aside=move || view! { <VerifyButton verifying found /> }>
            <Verdict verifying found />
            {loaded(page, move |page| view! { <Page page before filter /> })}
        </HallScreen>
    }
}

/// The address of a page.
fn address_of(filter: &Filter, before: Option<u64>) -> String {
    let mut parts = Vec::new();
    if let Some(actor) = &filter.actor {
        parts.push(format!("who={actor}"));
    }
    if let Some(action) = &filter.action {
        parts.push(format!("action={action}"));
    }
    if let Some(before) = before {
        parts.push(format!("before={before}"));
    }
    if parts.is_empty() { "/hall/audit".to_owned() } else { format!("/hall/audit?{}", parts.join("&")) }
}

#[component]
fn Page(page: Signal<AuditPage>, before: Memo<Option<u64>>, filter: Memo<Filter>) -> impl IntoView {
    let shown: RwSignal<Fitting> = fitting(page, before, filter);
    let rows = Memo::new(move |_| shown.with(|shown| shown.entries.clone()));
    let older = Memo::new(move |_| shown.with(|shown| shown.next_before_seq));
    let has_filter = Memo::new(move |_| filter.with(|filter| *filter != Filter::default()));
    view! {
        <FilterFields filter rows />
        {move || shown.with(|shown| shown.is_searching).then(|| view! { <p class="loading" role="status">{t().loading}</p> })}
        {move || match (rows.with(Vec::is_empty), has_filter.get(), shown.with(|shown| shown.is_searching)) {
            (true, _, true) => ().into_any(),
            (true, true, false) => view! { <Empty title=hall().audit_none_fit hint=hall().audit_none_fit_hint /> }.into_any(),
            (true, false, false) => view! { <Empty title=hall().audit_empty hint=hall().audit_empty_hint /> }.into_any(),
            (false, _, _) => view! { <Entries rows /> }.into_any(),
        }}
        <nav class="pages" aria-label=t().pages>
            {move || before.get().map(|_| view! {
                <A href=address_of(&filter.get(), None) attr:class="button" attr:data-testid="newest">{t().newest}</A>
            })}
            {move || older.get().map(|seq| view! {
                <A href=address_of(&filter.get(), Some(seq)) attr:class="button" attr:data-testid="older">{t().older}</A>
            })}
        </nav>
    }
}

/// The person of an entry as a filter names them: the id, or that it was the program.
fn actor_key(entry: &AuditEntryView) -> String {
    entry.actor.as_ref().map_or_else(|| filter::PROGRAM.to_owned(), |actor| actor.0.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_keeps_the_filter() {
        let filter = Filter { actor: Some("u1".into()), action: Some(AuditAction::ProblemImported) };
        assert_eq!(address_of(&filter, Some(7)), "/hall/audit?who=u1&action=problem.imported&before=7");
        assert_eq!(address_of(&Filter::default(), None), "/hall/audit");
    }
}
