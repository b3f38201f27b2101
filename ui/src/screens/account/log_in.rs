//! The log-in: name and password, with an answer to each way it can fail.
//!
//! Before the first log-in it is the whole page. When a session ends while somebody works, it covers the page, which
//! stays as it is below: the same person goes on where they were, somebody else gets a fresh page.

use agon_contract::account::Secret;
use agon_contract::command::LogIn;
use agon_contract::settings::SessionView;
use agon_contract::{ApiError, ErrorCode};
use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::backend::call;
use crate::i18n::{error_title, t};
use crate::parts::{Notice, Tone};
use crate::state::app::Connection;
use crate::state::browser::{focus, reload, set_title};
use crate::state::{App, use_app};

/// What is said about a refusal. The core says one thing for an unknown name and a wrong password, and so do we.
fn refusal(error: &ApiError) -> String {
    match &error.code {
        ErrorCode::Unauthenticated => t().log_in_wrong.to_owned(),
        ErrorCode::Forbidden => t().log_in_disabled.to_owned(),
        ErrorCode::TooManyAttempts => {
            let seconds = error.retry_after_ms.unwrap_or_default().div_ceil(1_000);
            t().log_in_wait.fill([&seconds.to_string()])
        }
        other => format!("{}: {}", error_title(other), error.message),
    }
}

/// The screen, or the cover over one.
#[component]
pub fn LogInScreen() -> impl IntoView {
    let app = use_app();
    let is_cover = app.host.with_untracked(Option::is_some);
    if !is_cover {
        set_title(t().log_in_title);
    }
    request_animation_frame(|| focus("log-in-name"));
    view! {
        <section class="log-in" aria-labelledby="log-in-title" data-testid="log-in">
            <div class="log-in-card">
                <h1 id="log-in-title">{t().log_in_title}</h1>
                {is_cover.then(|| view! { <p class="hint">{t().log_in_ended}</p> })}
                <LogInForm app />
                <p class="hint">{t().log_in_address_hint}</p>
            </div>
        </section>
    }
}

#[component]
fn LogInForm(app: App) -> impl IntoView {
    let (name, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let (is_busy, failure) = (RwSignal::new(false), RwSignal::new(None::<ApiError>));
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        if is_busy.get_untracked() {
            return;
        }
        is_busy.set(true);
        failure.set(None);
        let request = LogIn { name: name.get_untracked(), password: Secret(password.get_untracked()) };
        spawn_local(async move {
            match call(request).await {
                Ok(session) => entered(app, session),
                Err(error) => {
                    password.set(String::new());
                    failure.set(Some(error));
                    focus("log-in-password");
                }
            }
            is_busy.set(false);
        });
    };
    view! {
        <form class="log-in-form" on:submit=submit>
            <label for="log-in-name">{t().log_in_name}</label>
            <input id="log-in-name" data-testid="log-in-name" type="text" class="field" required autocomplete="username"
                autocapitalize="none" spellcheck="false"
                prop:value=name on:input=move |event| name.set(event_target_value(&event)) />
            <label for="log-in-password">{t().log_in_password}</label>
            <input id="log-in-password" data-testid="log-in-password" type="password" class="field" required
                autocomplete="current-password"
                prop:value=password on:input=move |event| password.set(event_target_value(&event)) />
            {move || failure.get().map(|error| {
                let text = refusal(&error);
                view! {
                    <div data-code=error.code.as_str().to_owned() data-testid="log-in-failure">
                        <Notice tone=Tone::Bad>{text}</Notice>
                    </div>
                }
            })}
            <button class="button button-primary" type="submit" data-testid="log-in-button" disabled=is_busy>
                {move || if is_busy.get() { t().logging_in } else { t().log_in_button }}
            </button>
        </form>
    }
}

/// The same person goes on; for anybody else nothing of what the page holds may stay.
fn entered(app: App, session: SessionView) {
    let before = app.session.with_untracked(|before| before.as_ref().map(|before| before.user_id.clone()));
    if before.as_ref() == Some(&session.user_id) {
        app.session.set(Some(session));
        app.connection.set(Connection::Connected);
        app.wake_all();
    } else {
        reload();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_says_what_to_do() {
        let error = |code| ApiError::new(code, "detail");
        assert_eq!(refusal(&error(ErrorCode::Unauthenticated)), t().log_in_wrong);
        assert_eq!(refusal(&error(ErrorCode::Forbidden)), t().log_in_disabled);
        let mut waits = error(ErrorCode::TooManyAttempts);
        waits.retry_after_ms = Some(29_001);
        assert!(refusal(&waits).contains("30"), "{}", refusal(&waits));
        assert!(refusal(&error(ErrorCode::StorageUnavailable)).ends_with(": detail"));
    }
}
