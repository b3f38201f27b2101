//! The sandbox at a glance, and in a popover what protects this machine and what does not, with reasons.

use agon_contract::permission::Permission;
use agon_contract::sandbox::{Protection, ProtectionState, SandboxHealth, SandboxStatus};
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;

use crate::format::short_hash;
use crate::i18n::{as_sentence, protection_name, reason_text, t};
use crate::parts::{Glyph, Icon};
use crate::state::query::Query;
use crate::state::{loaded, use_app};

/// What the health is called and how it is drawn.
pub(super) fn health_face(health: &SandboxHealth) -> (&'static str, &'static str) {
    match health {
        SandboxHealth::Ready => ("dot dot-ok", t().health_ready),
        SandboxHealth::Starting => ("dot dot-wait", t().health_starting),
        SandboxHealth::EngineAway => ("dot dot-bad", t().health_engine_away),
        SandboxHealth::ImageMissing => ("dot dot-bad", t().health_image_missing),
        SandboxHealth::ProfileRefused => ("dot dot-bad", t().health_profile_refused),
        SandboxHealth::DiskFull => ("dot dot-bad", t().health_disk_full),
        SandboxHealth::Unknown(_) => ("dot dot-wait", t().health_unknown),
    }
}

/// The face as the person may act on it: what exactly is missing is for who looks after the machine.
fn face_for(health: &SandboxHealth, is_staff: bool) -> (&'static str, &'static str) {
    let (class, text) = health_face(health);
    let is_plain = is_staff || matches!(health, SandboxHealth::Ready | SandboxHealth::Starting);
    (class, if is_plain { text } else { t().health_not_ready })
}

/// What the top bar says about the protections, and whether one is absent.
fn protection_summary(backend: &str, protections: &[Protection]) -> (String, bool) {
    let count = |state| protections.iter().filter(|protection| protection.state == state).count();
    let (active, absent) = (count(ProtectionState::Active), count(ProtectionState::Absent));
    let text = if active + absent == 0 {
        t().sandbox_unprobed.fill([backend])
    } else {
        t().sandbox_summary.fill([backend, &active.to_string(), &protections.len().to_string()])
    };
    (text, absent > 0)
}

/// A button in the top bar that opens the popover; Escape or a click elsewhere closes it.
#[component]
pub fn SandboxIndicator(status: Query<SandboxStatus>) -> impl IntoView {
    let app = use_app();
    let is_open = RwSignal::new(false);
    let node = NodeRef::<html::Div>::new();
    let outside = window_event_listener(leptos::ev::pointerdown, move |event| {
        let target = event.target().and_then(|target| target.dyn_into::<leptos::web_sys::Node>().ok());
        let inside = node.get_untracked().is_some_and(|node| node.contains(target.as_ref()));
        if is_open.get_untracked() && !inside {
            is_open.set(false);
        }
    });
    on_cleanup(move || outside.remove());
    let keyed = move |event: KeyboardEvent| {
        if event.key() == "Escape" {
            is_open.set(false);
        }
    };
    let label = move || match status.ready() {
        Some(status) => {
            let (class, text) = face_for(&status.health, app.may(&Permission::ReadOperations));
            let (shown, lacks_one) = protection_summary(&status.backend, &status.protections);
            let count_class = if lacks_one { "state-warning" } else { "muted" };
            view! { <span class=class aria-hidden="true"></span><span>{text}</span><span class=count_class>{shown}</span> }
                .into_any()
        }
        None => view! { <span class="dot dot-wait" aria-hidden="true"></span><span>{t().sandbox}</span> }.into_any(),
    };
    view! {
        <div class="popover-anchor" node_ref=node on:keydown=keyed>
            <button
                class="top-item top-button"
                type="button"
                data-testid="sandbox-indicator"
                data-health=move || status.ready().map(|status| status.health.as_str().to_owned())
                aria-expanded=move || is_open.get().to_string()
                aria-controls="sandbox-popover"
                on:click=move |_| is_open.update(|open| *open = !*open)
            >
                <Icon glyph=Glyph::Shield />
                <span class="visually-hidden">{t().sandbox}": "</span>
                {label}
            </button>
            {move || is_open.get().then(|| view! {
                <section class="popover" tabindex="0" id="sandbox-popover" aria-label=t().sandbox data-testid="sandbox-popover">
                    {loaded(status, |status| view! { <SandboxFacts status /> })}
                </section>
            })}
        </div>
    }
}

/// Backend, engine, image and every protection; also part of Settings and the self-test.
#[component]
pub fn SandboxFacts(#[prop(into)] status: Signal<SandboxStatus>) -> impl IntoView {
    let app = use_app();
    move || {
        let status = status.get();
        let is_staff = app.may(&Permission::ReadOperations);
        let (_, health) = face_for(&status.health, is_staff);
        view! {
            <dl class="facts">
                <dt>{t().sandbox_state}</dt><dd>{health}</dd>
                <dt>{t().sandbox_backend}</dt><dd>{status.backend.clone()}</dd>
                {is_staff.then(|| view! {
                    <dt>{t().sandbox_engine}</dt><dd class="mono">{or_dash(&status.engine_version)}</dd>
                    <dt>{t().sandbox_image}</dt>
                    <dd class="mono" title=status.image_id.clone()>{or_dash(&status.image)}" "<span class="muted">{short_hash(&status.image_id)}</span></dd>
                    <dt>{t().sandbox_warm_boxes}</dt><dd>{status.warm_boxes}</dd>
                })}
            </dl>
            {(!status.message.is_empty()).then(|| view! { <p class="hint">{as_sentence(&reason_text(&status.message))}</p> })}
            <ul class="protections">
                {status.protections.iter().cloned().map(|protection| view! { <ProtectionRow protection /> }).collect_view()}
            </ul>
        }
    }
}

#[component]
fn ProtectionRow(protection: Protection) -> impl IntoView {
    let (class, glyph, state) = match &protection.state {
        ProtectionState::Active => ("protection is-active", Glyph::Check, t().protection_active),
        ProtectionState::Absent => ("protection is-absent", Glyph::Cross, t().protection_absent),
        ProtectionState::Unprobed | ProtectionState::Unknown(_) => ("protection", Glyph::Info, t().protection_unprobed),
    };
    view! {
        <li class=class data-testid=format!("protection-{}", protection.name)>
            <Icon glyph />
            <span class="protection-name">{protection_name(&protection.name)}</span>
            <span class="protection-state">{state}</span>
            <span class="protection-detail">{protection.detail}</span>
        </li>
    }
}

fn or_dash(text: &str) -> String {
    if text.is_empty() { "–".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_probed_and_active_protections_count() {
        let protection = |state| Protection { name: "seccomp".into(), state, detail: String::new() };
        let all = [ProtectionState::Active, ProtectionState::Absent, ProtectionState::Unprobed].map(protection);
        assert_eq!(protection_summary("docker", &all), ("docker · 1/3 protections".into(), true));
        assert!(!protection_summary("docker", &all[..1]).1);
        assert_eq!(protection_summary("docker", &all[2..]), ("docker · protections not probed yet".into(), false));
    }

    #[test]
    fn only_ready_is_drawn_green() {
        for health in SandboxHealth::KNOWN {
            assert_eq!(health_face(health).0 == "dot dot-ok", *health == SandboxHealth::Ready, "{health}");
            let is_same = face_for(health, true) == face_for(health, false);
            assert_eq!(is_same, matches!(health, SandboxHealth::Ready | SandboxHealth::Starting), "{health}");
        }
    }
}
