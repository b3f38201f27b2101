//! Messages between the owners that were set aside, with the reason; one click sends one on its way again.

use agon_contract::command::{ListDeadMessages, ReviveMessage};
use agon_contract::message::{DeadMessageView, MessagePlace};
use agon_contract::permission::Permission;
use leptos::prelude::*;

use crate::i18n::{hall, t};
use crate::parts::{Moment, Refusal};
use crate::state::action::{Action, action};
use crate::state::pace::measured;
use crate::state::query::Query;
use crate::state::{Topic, use_app};

fn place_text(place: &MessagePlace) -> String {
    match place {
        MessagePlace::Outbox { owner } => hall().box_outbox.fill([owner]),
        MessagePlace::Inbox { consumer } => hall().box_inbox.fill([consumer]),
    }
}

/// The section; absent while there is none, because there should never be one.
#[component]
pub(super) fn DeadMessages() -> impl IntoView {
    let messages = measured(|| Some(ListDeadMessages {}), &[Topic::Progress]);
    let rows = Memo::new(move |_| messages.ready().unwrap_or_default());
    let is_empty = Memo::new(move |_| rows.with(Vec::is_empty));
    let sending = action();
    move || {
        (!is_empty.get()).then(|| {
            view! {
                <h2 id="dead-messages">{hall().dead_messages}</h2>
                <Refusal action=sending />
                <table class="table" data-testid="dead-messages">
                    <thead><tr>
                        <th scope="col">{hall().column_box}</th>
                        <th scope="col">{hall().column_message}</th>
                        <th scope="col" class="number">{hall().column_attempts}</th>
                        <th scope="col">{t().reason}</th>
                        <th scope="col" class="number">{hall().column_since}</th>
                        <th scope="col" class="cell-narrow"><span class="visually-hidden">{hall().message_again}</span></th>
                    </tr></thead>
                    <tbody>
                        <For each=move || rows.get() key=|row| format!("{:?} {} {}", row.place, row.event_id, row.attempts) let:row>
                            <Row row sending messages />
                        </For>
                    </tbody>
                </table>
            }
        })
    }
}

#[component]
fn Row(row: DeadMessageView, sending: Action, messages: Query<Vec<DeadMessageView>>) -> impl IntoView {
    let app = use_app();
    let may = Memo::new(move |_| app.may(&Permission::Rejudge));
    let label = hall().message_again_label.fill([&row.message_type]);
    let wanted = ReviveMessage { place: row.place.clone(), event_id: row.event_id.clone() };
    view! {
        <tr>
            <td>{place_text(&row.place)}</td>
            <td class="wrap">
                {format!("{} / {}", row.topic, row.message_type)}
                <details><summary class="hint">{hall().column_details}</summary><code class="payload">{row.payload}</code></details>
            </td>
            <td class="number">{row.attempts}</td>
            <td class="wrap">{row.reason}</td>
            <td class="number"><Moment at_ms=row.recorded_at_ms /></td>
            <td>{move || may.get().then(|| {
                let wanted = wanted.clone();
                view! {
                    <button class="button button-small" type="button" aria-label=label.clone() disabled=sending.is_busy
                        on:click=move |_| sending.send(wanted.clone(), move |_| messages.retry())>{hall().message_again}</button>
                }
            })}</td>
        </tr>
    }
}
