//! Why an action was not done, beside the button that started it.

use leptos::prelude::*;

use super::notice::{Notice, Tone};
use crate::i18n::{as_sentence, error_hint, error_title, reason_text};
use crate::state::action::Action;

/// Nothing while there is no failure.
#[component]
pub fn Refusal(action: Action) -> impl IntoView {
    move || {
        action.failure.get().map(|error| {
            view! {
                <Notice tone=Tone::Bad testid="refusal">
                    <strong>{as_sentence(error_title(&error.code))}</strong>" "{as_sentence(&reason_text(&error.message))}
                    {error_hint(&error).map(|hint| view! { <p class="hint">{hint}</p> })}
                </Notice>
            }
        })
    }
}
