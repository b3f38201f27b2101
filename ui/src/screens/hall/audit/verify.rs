//! Walking the chain at a press, with a result that is green or red.

use agon_contract::audit::AuditVerification;
use agon_contract::command::VerifyAudit;
use leptos::prelude::*;

use crate::i18n::hall;
use crate::parts::{CopyButton, Glyph, Icon, Notice, Refusal, Tone};
use crate::state::action::Action;

/// The button beside the heading.
#[component]
pub(super) fn VerifyButton(verifying: Action, found: RwSignal<Option<AuditVerification>>) -> impl IntoView {
    let verify = move |_| {
        found.set(None);
        verifying.send(VerifyAudit {}, move |result| found.set(Some(result)));
    };
    view! {
        <button class="button button-primary" type="button" data-testid="verify-audit" disabled=verifying.is_busy on:click=verify>
            <Icon glyph=Glyph::Shield />
            {move || if verifying.is_busy.get() { hall().verifying } else { hall().verify_chain }}
        </button>
    }
}

/// What the walk found.
#[component]
pub(super) fn Verdict(verifying: Action, found: RwSignal<Option<AuditVerification>>) -> impl IntoView {
    view! {
        <Refusal action=verifying />
        {move || found.get().map(|result| match result.fault {
            None => {
                let hash = result.head_hash.clone();
                let text = hall().chain_holds.fill([&result.entries.to_string()]);
                view! {
                    <Notice tone=Tone::Ok testid="chain-holds">
                        <strong>{text}</strong>
                        <p class="chain-head"><code class="wrap">{result.head_hash}</code>
                            <CopyButton text=move || hash.clone() label=hall().chain_head.to_owned() /></p>
                        <p class="hint">{hall().chain_head}</p>
                    </Notice>
                }.into_any()
            }
            Some(fault) => {
                let text = hall().chain_broken.fill([&fault.seq.to_string(), &fault.reason]);
                let before = hall().chain_good_until.fill([&result.entries.to_string()]);
                view! {
                    <Notice tone=Tone::Bad testid="chain-broken"><strong>{text}</strong><p>{before}</p></Notice>
                }.into_any()
            }
        })}
    }
}
