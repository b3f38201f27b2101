//! A button that copies a text and says so.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::icon::{Glyph, Icon};
use crate::i18n::t;
use crate::state::browser::{copy_text, sleep_ms};

/// How long the confirmation stays.
const CONFIRM_MS: u32 = 1_600;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Copied,
    Failed,
}

/// `text` is asked at the click; `label` names what is copied for the screen reader.
#[component]
pub fn CopyButton(
    text: impl Fn() -> String + 'static,
    label: String,
    #[prop(optional)] testid: String,
) -> impl IntoView {
    let state = RwSignal::new(State::Idle);
    let copy = move |_| {
        let text = text();
        spawn_local(async move {
            let outcome = if copy_text(&text).await { State::Copied } else { State::Failed };
            if state.try_set(outcome).is_none() {
                sleep_ms(CONFIRM_MS).await;
                state.try_set(State::Idle);
            }
        });
    };
    let testid = (!testid.is_empty()).then_some(testid);
    view! {
        <button class="button button-quiet button-small" type="button" on:click=copy aria-label=label data-testid=testid>
            {move || match state.get() {
                State::Idle => view! { <Icon glyph=Glyph::Copy /> {t().copy} }.into_any(),
                State::Copied => view! { <Icon glyph=Glyph::Check /> {t().copied} }.into_any(),
                State::Failed => view! { <Icon glyph=Glyph::Alert /> {t().copy_failed} }.into_any(),
            }}
            <span class="visually-hidden" role="status">
                {move || match state.get() { State::Copied => t().copied, State::Failed => t().copy_failed, State::Idle => "" }}
            </span>
        </button>
    }
}
