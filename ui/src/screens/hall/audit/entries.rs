//! The table of entries.

use agon_contract::audit::{AuditAction, AuditEntryView};
use leptos::prelude::*;
use leptos_router::components::A;
use serde_json::Value;

use super::filter::actor_text;
use crate::format::short_hash;
use crate::i18n::{action_name, hall};
use crate::parts::Moment;
use crate::screens::hall::people::own_name;
use crate::state::use_app;

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

/// Fields of the details that name the thing better than its id does.
const NAMING: [&str; 3] = ["slug", "name", "number"];
/// Hex digits of a SHA-256, which nobody reads whole.
const HASH_DIGITS: usize = 64;

/// What was acted on, and what else is worth knowing, from the details' JSON. What is no object stays as it is.
fn object_and_details(object: &str, details: &str) -> (String, String) {
    let Ok(Value::Object(mut fields)) = serde_json::from_str::<Value>(details) else {
        return (object.to_owned(), details.to_owned());
    };
    let name = NAMING.iter().find_map(|name| fields.remove(*name)).map(|value| text_of(&value));
    let rest = fields.iter().map(|(name, value)| format!("{}: {}", name.replace('_', " "), text_of(value)));
    (name.unwrap_or_else(|| object.to_owned()), rest.collect::<Vec<_>>().join(", "))
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) if text.len() == HASH_DIGITS => short_hash(text),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text_of).collect::<Vec<_>>().join(" "),
        Value::Null => "–".to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
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
    let app = use_app();
    let who = actor_text(&entry, |id| own_name(&app, id));
    let (name, details) = object_and_details(&entry.object, &entry.details);
    let object = match address_of_object(&entry) {
        Some(href) => view! { <A href attr:class="mono" attr:title=entry.object.clone()>{name}</A> }.into_any(),
        None => view! { <span class="mono" title=entry.object.clone()>{name}</span> }.into_any(),
    };
    view! {
        <tr data-testid=format!("audit-{}", entry.seq) data-action=entry.action.as_str().to_owned() title=entry.hash.clone()>
            <td class="number">{entry.seq}</td>
            <td><Moment at_ms=entry.at_ms /></td>
            <td class="wrap">{who}</td>
            <td class="cell-language">{action_name(&entry.action)}</td>
            <td class="wrap cell-object">{object}</td>
            <td class="wrap">{details}</td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::super::filter::tests::entry;
    use super::*;

    #[test]
    fn what_names_the_object_stands_for_its_id_and_the_rest_is_read_as_pairs() {
        let told = |details: &str| object_and_details("id-1", details);
        let hash = "0".repeat(64);
        let (object, details) = told(&format!(r#"{{"slug":"sums","package_hash":"{hash}"}}"#));
        assert_eq!((object.as_str(), details.as_str()), ("sums", "package hash: 000000000000"));
        assert_eq!(told(r#"{"roles":["jury","coach"]}"#), ("id-1".into(), "roles: jury coach".into()));
        assert_eq!(told("plain words"), ("id-1".into(), "plain words".into()));
    }

    #[test]
    fn a_link_leads_only_to_what_is_surely_there() {
        let address = |action| address_of_object(&entry(1, None, action));
        assert_eq!(address(AuditAction::ProblemImported).as_deref(), Some("/problems/p"));
        assert_eq!(address(AuditAction::ProblemRemoved), None);
        assert_eq!(address(AuditAction::RejudgeApplied).as_deref(), Some("/hall/rejudge/p"));
    }
}
