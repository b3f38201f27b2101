//! The top bar: connection, outbox counts, sandbox; and the banner for what needs action.

use agon_contract::command::GetOutboxCounts;
use agon_contract::event::OutboxCounts;
use leptos::prelude::*;
use leptos_router::components::A;

use super::account::AccountMenu;
use super::notices::Bell;
use super::sandbox_indicator::SandboxIndicator;
use crate::i18n::t;
use crate::parts::{Glyph, Icon, Notice, Tone};
use crate::state::app::Connection;
use crate::state::{Topic, query, use_app};

/// Always visible above the content.
#[component]
pub fn TopBar() -> impl IntoView {
    let counts = query(|| Some(GetOutboxCounts {}), &[Topic::Submissions, Topic::Progress]);
    let counts = Memo::new(move |_| counts.ready().unwrap_or_default());
    view! {
        <header class="top-bar">
            <span class="top-bar-gap"></span>
            <Outbox counts />
            <SandboxIndicator />
            <ConnectionState />
            <Bell />
            <AccountMenu />
        </header>
        <div class="banners">
            <SignedOut />
            {move || paused(&counts.get())}
        </div>
    }
}

fn paused(counts: &OutboxCounts) -> Option<impl IntoView + use<>> {
    let reason = counts.paused_reason.clone();
    (!reason.is_empty()).then(|| {
        view! {
            <Notice tone=Tone::Warning testid="paused">
                <strong>{t().judging_paused}</strong>" "{reason}" "{t().judging_paused_hint}
            </Notice>
        }
    })
}

/// The server does not know this browser: it was started anew, or the session ended. What was typed stays in the page.
#[component]
fn SignedOut() -> impl IntoView {
    let app = use_app();
    let is_signed_out = Memo::new(move |_| app.connection.get() == Connection::SignedOut);
    move || {
        is_signed_out.get().then(|| {
            view! {
                <Notice tone=Tone::Bad testid="signed-out">
                    <strong>{t().signed_out_banner}</strong>" "{t().signed_out_hint}
                </Notice>
            }
        })
    }
}

#[component]
fn Outbox(counts: Memo<OutboxCounts>) -> impl IntoView {
    let texts = move || {
        counts.with(|counts| {
            [
                (counts.saved, t().outbox_saved, ""),
                (counts.queued, t().outbox_queued, ""),
                (counts.judging, t().outbox_judging, "is-busy"),
                (counts.needs_attention, t().outbox_needs_attention, "is-bad"),
            ]
        })
    };
    let is_empty = move || texts().iter().all(|(count, _, _)| *count == 0);
    view! {
        <A href="/submissions" attr:class="top-item" attr:data-testid="outbox" attr:title=t().outbox_hint>
            <Icon glyph=Glyph::Send />
            <span class="visually-hidden">{t().outbox}": "</span>
            {move || is_empty().then(|| view! { <span class="muted">{t().outbox_empty}</span> })}
            {move || texts().into_iter().filter(|(count, _, _)| *count > 0).map(|(count, name, class)| view! {
                <span class=format!("count {class}")><b>{count}</b>" "{name}</span>
            }).collect_view()}
        </A>
    }
}

#[component]
fn ConnectionState() -> impl IntoView {
    let app = use_app();
    view! {
        <span class="top-item" role="status" data-testid="connection">
            {move || {
                let (class, text) = match app.connection.get() {
                    Connection::Connecting => ("dot dot-wait", t().connecting),
                    Connection::Connected => ("dot dot-ok", t().connected),
                    Connection::Lost => ("dot dot-bad", t().connection_lost),
                    Connection::SignedOut => ("dot dot-bad", t().signed_out),
                };
                view! { <span class=class aria-hidden="true"></span><span>{text}</span> }
            }}
        </span>
    }
}
