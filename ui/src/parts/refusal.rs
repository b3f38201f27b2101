//! Why an action was not done, beside the button that started it.

use leptos::prelude::*;

use super::notice::{Notice, Tone};
use crate::i18n::error_title;
use crate::state::action::Action;

/// Nothing while there is no failure.
#[component]
pub fn Refusal(action: Action) -> impl IntoView {
    move || {
        action.failure.get().map(|error| {
            view! {
                <Notice tone=Tone::Bad testid="refusal">
                    <strong>{error_title(&error.code)}</strong>" "{error.message.clone()}
                    {error.hint.clone().map(|hint| view! { <p class="hint">{hint}</p> })}
                </Notice>
            }
        })
    }
}
