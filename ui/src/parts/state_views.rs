//! The faces of a screen without data: loading, failed, empty.

use agon_contract::ApiError;
use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use crate::i18n::{error_hint, error_title, reason_text, t};

/// A quiet line that appears only when the answer takes a moment (delayed by the style sheet).
#[component]
pub fn Loading() -> impl IntoView {
    view! { <p class="loading" role="status">{t().loading}</p> }
}

/// What failed, on what, what to do next, and a way to try again.
#[component]
pub fn Failure(error: ApiError, on_retry: impl Fn() + 'static) -> impl IntoView {
    view! {
        <div class="failure" role="alert" data-testid="failure" data-code=error.code.as_str().to_owned()>
            <Icon glyph=Glyph::Alert />
            <div class="failure-text">
                <strong>{error_title(&error.code)}</strong>
                <p>{reason_text(&error.message)}</p>
                {error_hint(&error).map(|hint| view! { <p class="hint">{hint}</p> })}
                <button class="button" on:click=move |_| on_retry()>{t().try_again}</button>
            </div>
        </div>
    }
}

/// Nothing is here, and how to change that.
#[component]
pub fn Empty(title: &'static str, hint: &'static str, #[prop(optional)] children: Option<Children>) -> impl IntoView {
    view! {
        <div class="empty" data-testid="empty">
            <p class="empty-title">{title}</p>
            <p class="hint">{hint}</p>
            {children.map(|children| children())}
        </div>
    }
}
