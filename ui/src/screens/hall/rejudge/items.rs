//! The submissions of a rejudging, old verdict and new side by side.

use agon_contract::rejudge::{ChangeSetItem, ChangeSetItemState, ChangeSetView};
use agon_contract::verdict::Verdict;
use leptos::prelude::*;
use leptos_router::components::A;
use leptos_router::hooks::use_navigate;

use crate::i18n::{hall, item_reason, item_state_name, t};
use crate::parts::{Empty, VerdictBadge};
use crate::screens::hall::people::{People, people};
use crate::state::use_app;

/// What the change means for the contestant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    None,
    LosesAccepted,
    GainsAccepted,
    Other,
}

fn change_of(item: &ChangeSetItem) -> Change {
    let (Some(old), Some(new)) = (&item.old_verdict, &item.new_verdict) else {
        // A first verdict is a gain only when it is accepted.
        let first = item.old_verdict.is_none() && item.new_verdict.as_ref().is_some_and(Verdict::is_accepted);
        return if first { Change::GainsAccepted } else { Change::None };
    };
    match (old.is_accepted(), new.is_accepted()) {
        (true, false) => Change::LosesAccepted,
        (false, true) => Change::GainsAccepted,
        _ if old == new => Change::None,
        _ => Change::Other,
    }
}

/// The table with its filter and pages.
#[component]
pub(super) fn Items(view: Signal<ChangeSetView>, after: Memo<u32>, only_changed: Memo<bool>) -> impl IntoView {
    let navigate = use_navigate();
    let id = view.with_untracked(|view| view.id.clone());
    let rows = Memo::new(move |_| view.with(|view| view.items.clone()));
    let next = Memo::new(move |_| view.with(|view| view.next_after_ordinal));
    let address = move |after: u32, changed: bool| address_of(id.as_str(), after, changed);
    let filtered = address.clone();
    let filter = move |event| navigate(&filtered(0, event_target_checked(&event)), Default::default());
    view! {
        <label class="filter set-filter">
            <input type="checkbox" data-testid="only-changed" prop:checked=only_changed on:change=filter />
            {hall().only_changed}
        </label>
        {move || if rows.with(Vec::is_empty) && only_changed.get() {
            view! { <Empty title=hall().nothing_changed hint=hall().nothing_changed_hint /> }.into_any()
        } else {
            view! { <Table rows /> }.into_any()
        }}
        <nav class="pages" aria-label=t().pages>
            {
                let address = address.clone();
                move || (after.get() > 0).then(|| view! {
                    <A href=address(0, only_changed.get()) attr:class="button">{hall().first_rows}</A>
                })
            }
            {move || next.get().map(|ordinal| view! {
                <A href=address(ordinal, only_changed.get()) attr:class="button" attr:data-testid="more-items">{hall().more_rows}</A>
            })}
        </nav>
    }
}

fn address_of(id: &str, after: u32, only_changed: bool) -> String {
    let mut parts = Vec::new();
    if after > 0 {
        parts.push(format!("after={after}"));
    }
    if only_changed {
        parts.push("changed=1".to_owned());
    }
    let query = if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) };
    format!("/hall/rejudge/{id}{query}")
}

/// Rows with a verdict before and after; also used for those that were not taken over.
#[component]
pub(super) fn Table(rows: Memo<Vec<ChangeSetItem>>) -> impl IntoView {
    let people = people();
    view! {
        <table class="table">
            <thead><tr>
                <th scope="col" class="number cell-narrow">"#"</th>
                <th scope="col">{t().column_problem}</th>
                <th scope="col">{hall().person}</th>
                <th scope="col">{t().programming_language}</th>
                <th scope="col" class="cell-narrow">{hall().old_verdict}</th>
                <th scope="col" class="cell-narrow">{hall().new_verdict}</th>
                <th scope="col">{t().column_state}</th>
            </tr></thead>
            <tbody>
                <For each=move || rows.get() key=row_key let:row><Row row people /></For>
            </tbody>
        </table>
    }
}

/// Everything that changes in a row.
fn row_key(row: &ChangeSetItem) -> String {
    let letters = |verdict: &Option<Verdict>| verdict.as_ref().map(|verdict| verdict.as_str().to_owned());
    format!(
        "{} {} {:?} {:?} {}",
        row.ordinal,
        row.state,
        letters(&row.old_verdict),
        letters(&row.new_verdict),
        row.reason
    )
}

#[component]
fn Row(row: ChangeSetItem, people: People) -> impl IntoView {
    let app = use_app();
    let change = change_of(&row);
    let (class, tag) = match change {
        Change::LosesAccepted => ("is-loss", Some(("tag tag-bad", hall().loses_accepted))),
        Change::GainsAccepted => ("is-gain", Some(("tag tag-ok", hall().gains_accepted))),
        Change::Other => ("is-other", None),
        Change::None => ("", None),
    };
    let is_stuck = row.state == ChangeSetItemState::NeedsAttention || row.state == ChangeSetItemState::Refused;
    let reason = item_reason(&row.reason);
    view! {
        <tr class=class data-testid=format!("item-{}", row.number) data-state=row.state.as_str().to_owned()>
            <td class="number"><A href=format!("/submissions/{}", row.submission_id)>{row.number}</A></td>
            <td class="mono">{row.problem_slug}</td>
            <td>{move || people.name(&row.user_id)}</td>
            <td class="cell-language">{app.language_name(&row.language_id)}</td>
            <td>{row.old_verdict.map(|verdict| view! { <VerdictBadge verdict testid="old" /> })}</td>
            <td>{row.new_verdict.map(|verdict| view! { <VerdictBadge verdict testid="new" /> })}</td>
            <td class="wrap">
                {tag.map(|(class, text)| view! { <span class=class>{text}</span>" " })}
                <span class:state-bad=is_stuck>{item_state_name(&row.state)}</span>
                {(!reason.is_empty()).then(|| view! { <span class="muted">": "{reason}</span> })}
            </td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(old: Option<Verdict>, new: Option<Verdict>) -> ChangeSetItem {
        ChangeSetItem {
            ordinal: 1,
            submission_id: "s".into(),
            number: 1,
            user_id: "u".into(),
            problem_slug: "p".into(),
            language_id: "cpp20".into(),
            state: ChangeSetItemState::Judged,
            old_verdict: old,
            new_verdict: new,
            reason: String::new(),
        }
    }

    #[test]
    fn gains_and_losses_are_told_from_other_changes() {
        let (ac, wa, tle) = (Some(Verdict::Accepted), Some(Verdict::WrongAnswer), Some(Verdict::TimeLimit));
        assert_eq!(change_of(&item(ac.clone(), wa.clone())), Change::LosesAccepted);
        assert_eq!(change_of(&item(tle.clone(), ac.clone())), Change::GainsAccepted);
        assert_eq!(change_of(&item(wa.clone(), tle)), Change::Other);
        assert_eq!(change_of(&item(wa.clone(), wa.clone())), Change::None);
        assert_eq!(change_of(&item(ac.clone(), None)), Change::None, "not judged yet");
        assert_eq!(change_of(&item(None, ac)), Change::GainsAccepted);
        assert_eq!(change_of(&item(None, wa)), Change::None);
    }

    #[test]
    fn a_page_keeps_the_filter() {
        assert_eq!(address_of("c", 0, false), "/hall/rejudge/c");
        assert_eq!(address_of("c", 100, true), "/hall/rejudge/c?after=100&changed=1");
    }
}
