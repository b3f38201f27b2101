//! The table of entries.

use agon_contract::audit::{AuditAction, AuditEntryView};
use leptos::prelude::*;
use leptos_router::components::A;
use serde_json::Value;

use super::filter::actor_text;
use crate::i18n::{action_name, hall};
use crate::parts::Moment;

/// Where the thing that was acted on can be seen, as far as the action says what it is.
fn address_of_object(entry: &AuditEntryView) -> Option<String> {
    let id = &entry.object;
    match entry.action {
        AuditAction::RejudgeRequested | AuditAction::RejudgeApplied | AuditAction::RejudgeDiscarded => {
            Some(format!("/hall/rejudge/{id}"))
        }
        AuditAction::JudgementCancelled => Some(format!("/submissions/{id}")),
        AuditAction::ProblemImported | AuditAction::ProblemReplaced => Some(format!("/problems/{id}")),
        AuditAction::DeadLetterRevived
        | AuditAction::ProblemRemoved
        | AuditAction::SettingChanged
        | AuditAction::ModuleStarted
        | AuditAction::ModuleStopped
        | AuditAction::AccountCreated
        | AuditAction::AccountChanged
        | AuditAction::PasswordChanged
        | AuditAction::SessionBegun
        | AuditAction::SessionRefused
        | AuditAction::SessionEnded
        | AuditAction::BackupMade
        | AuditAction::BackupRestored
        | AuditAction::Unknown(_) => None,
    }
}

/// `slug: sums, version: 2` of a JSON object; what is none stays as it is.
fn details_text(details: &str) -> String {
    let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(details) else { return details.to_owned() };
    let text = |value: Value| match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    fields.into_iter().map(|(name, value)| format!("{name}: {}", text(value))).collect::<Vec<_>>().join(", ")
}

/// Newest first.
#[component]
pub(super) fn Entries(rows: Memo<Vec<AuditEntryView>>) -> impl IntoView {
    view! {
        <table class="table" data-testid="audit-entries">
            <thead><tr>
                <th scope="col" class="number cell-narrow">"#"</th>
                <th scope="col" class="cell-narrow">{hall().column_when}</th>
                <th scope="col">{hall().column_who}</th>
                <th scope="col">{hall().column_action}</th>
                <th scope="col">{hall().column_object}</th>
                <th scope="col">{hall().column_details}</th>
            </tr></thead>
            <tbody>
                <For each=move || rows.get() key=|entry| (entry.seq, entry.actor_name.clone()) let:entry><Row entry /></For>
            </tbody>
        </table>
    }
}

#[component]
fn Row(entry: AuditEntryView) -> impl IntoView {
    let who = actor_text(&entry);
    let object = match address_of_object(&entry) {
        Some(href) => view! { <A href attr:class="mono">{entry.object.clone()}</A> }.into_any(),
        None => view! { <span class="mono">{entry.object.clone()}</span> }.into_any(),
    };
    view! {
        <tr data-testid=format!("audit-{}", entry.seq) data-action=entry.action.as_str().to_owned() title=entry.hash.clone()>
            <td class="number">{entry.seq}</td>
            <td><Moment at_ms=entry.at_ms /></td>
            <td class="wrap">{who}</td>
            <td>{action_name(&entry.action)}</td>
            <td class="wrap cell-object">{object}</td>
            <td class="wrap">{details_text(&entry.details)}</td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::super::filter::tests::entry;
    use super::*;

    #[test]
    fn details_are_read_as_pairs_and_anything_else_stays() {
        assert_eq!(details_text(r#"{"slug":"sums","version":2}"#), "slug: sums, version: 2");
        assert_eq!(details_text("{}"), "");
        assert_eq!(details_text("plain words"), "plain words");
    }

    #[test]
    fn a_link_leads_only_to_what_is_surely_there() {
        let address = |action| address_of_object(&entry(1, None, action));
        assert_eq!(address(AuditAction::ProblemImported).as_deref(), Some("/problems/p"));
        assert_eq!(address(AuditAction::ProblemRemoved), None);
        assert_eq!(address(AuditAction::RejudgeApplied).as_deref(), Some("/hall/rejudge/p"));
    }
}
