//! The top bar: connection, outbox counts, sandbox; and the banner for what needs action.

use agon_contract::command::{GetOutboxCounts, GetSandboxStatus};
use agon_contract::event::OutboxCounts;
use agon_contract::permission::Permission;
use agon_contract::sandbox::{SandboxHealth, SandboxStatus};
use leptos::prelude::*;
use leptos_router::components::A;

use super::account::AccountMenu;
use super::notices::Bell;
use super::sandbox_indicator::SandboxIndicator;
use crate::i18n::{as_sentence, reason_text, t};
use crate::parts::{Glyph, Icon, Notice, Tone};
use crate::state::app::Connection;
use crate::state::query::Query;
use crate::state::{Topic, query, use_app};

/// Always visible above the content.
#[component]
pub fn TopBar() -> impl IntoView {
    let counts = query(|| Some(GetOutboxCounts {}), &[Topic::Submissions, Topic::Progress]);
    let counts = Memo::new(move |_| counts.ready().unwrap_or_default());
    let sandbox = query(|| Some(GetSandboxStatus {}), &[Topic::Progress]);
    view! {
        <header class="top-bar">
            <span class="top-bar-gap"></span>
            <Outbox counts />
            <SandboxIndicator status=sandbox />
            <ConnectionState />
            <Bell />
            <AccountMenu />
        </header>
        <div class="banners">
            <SignedOut />
            <Paused counts sandbox />
        </div>
    }
}

/// Judging stands still: who looks after the machine reads why and what to do, everybody else that nothing is lost and
/// whom to tell.
#[component]
fn Paused(counts: Memo<OutboxCounts>, sandbox: Query<SandboxStatus>) -> impl IntoView {
    let app = use_app();
    let reason = Memo::new(move |_| counts.with(|counts| counts.paused_reason.clone()));
    let health = Memo::new(move |_| sandbox.ready().map(|status| status.health));
    move || {
        let reason = reason.get();
        (!reason.is_empty()).then(|| {
            let is_staff = app.may(&Permission::ReadOperations);
            let said = reason.clone();
            view! {
                <Notice tone=Tone::Warning testid="paused">
                    <strong>{t().judging_paused}</strong>
                    {is_staff.then(|| view! { " "<span data-testid="paused-reason">{as_sentence(&reason_text(&reason))}</span> })}
                    {move || health.get().and_then(|health| what_to_do(&health, is_staff, &said)).map(|text| view! {
                        " "<span data-testid="paused-remedy">{text}</span>
                    })}
                    " "{t().judging_paused_hint}
                </Notice>
            }
        })
    }
}

/// What the reason does not say itself by naming a command; nothing while the machine helps itself.
fn what_to_do(health: &SandboxHealth, is_staff: bool, reason: &str) -> Option<&'static str> {
    match health {
        SandboxHealth::Ready | SandboxHealth::Starting => None,
        _ if !is_staff => Some(t().judging_paused_tell),
        _ if reason.contains('`') => None,
        SandboxHealth::EngineAway => Some(t().remedy_engine_away),
        SandboxHealth::ProfileRefused => Some(t().remedy_profile_refused),
        SandboxHealth::DiskFull => Some(t().remedy_disk_full),
        SandboxHealth::ImageMissing | SandboxHealth::Unknown(_) => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_cannot_mend_the_machine_is_sent_to_who_can() {
        for health in SandboxHealth::KNOWN {
            let told = what_to_do(health, false, "judging is paused");
            let helps_itself = matches!(health, SandboxHealth::Ready | SandboxHealth::Starting);
            assert_eq!(told, (!helps_itself).then_some(t().judging_paused_tell), "{health}");
        }
        assert_eq!(what_to_do(&SandboxHealth::DiskFull, true, "the disk is full"), Some(t().remedy_disk_full));
    }
}
