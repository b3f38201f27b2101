//! Settings, one's own account: another password, and the end of every session that was left somewhere.

use agon_contract::command::{EndSessions, SetPassword};
use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;

use crate::i18n::accounts;
use crate::parts::{Confirm, Notice, PasswordField, Question, Refusal, Tone, taken};
use crate::state::action::action;
use crate::state::use_app;

/// The section; nothing for the local profile, which has no password and no sessions.
#[component]
pub fn OwnAccount() -> impl IntoView {
    let app = use_app();
    let name = Memo::new(move |_| {
        app.session.with(|session| session.as_ref().and_then(|session| session.account_name.clone()))
    });
    move || {
        name.get().map(|name| {
            view! {
                <h2>{accounts().own_account}</h2>
                <ChangePassword name />
                <EndOwn />
            }
        })
    }
}

/// The host ends every session with the change; the log-in then covers the page.
#[component]
fn ChangePassword(name: String) -> impl IntoView {
    let [old, new, again] = [(); 3].map(|()| NodeRef::<Input>::new());
    let differ = RwSignal::new(false);
    let changing = action();
    let change = move |event: SubmitEvent| {
        event.prevent_default();
        let (old_password, new_password) = (taken(old), taken(new));
        let is_same = taken(again) == new_password;
        differ.set(!is_same);
        if is_same {
            changing.send(SetPassword { user_id: None, old_password: Some(old_password), new_password }, |_| {});
        }
    };
    view! {
        <form class="own-password stacked" on:submit=change data-testid="change-password-form">
            // Tells a password keeper whose password it is.
            <input class="visually-hidden" type="text" autocomplete="username" prop:value=name readonly tabindex="-1" aria-hidden="true" />
            <PasswordField id="old-password" label=accounts().old_password node=old autocomplete="current-password" />
            <PasswordField id="new-password" label=accounts().new_password node=new autocomplete="new-password" is_new=true />
            <PasswordField id="repeat-password" label=accounts().repeat_password node=again autocomplete="new-password" />
            {move || differ.get().then(|| view! { <Notice tone=Tone::Bad testid="passwords-differ">{accounts().passwords_differ}</Notice> })}
            <Refusal action=changing />
            <p class="hint">{accounts().change_ends}</p>
            <button class="button" type="submit" data-testid="change-password" disabled=changing.is_busy>
                {move || if changing.is_busy.get() { accounts().saving } else { accounts().change_password }}
            </button>
        </form>
    }
}

#[component]
fn EndOwn() -> impl IntoView {
    let is_asked = RwSignal::new(false);
    let ending = action();
    let question = move || Question {
        title: accounts().end_own_title.to_owned(),
        says: accounts().end_sessions_says.to_owned(),
        do_it: accounts().end_sessions_now,
        doing: accounts().ending,
        is_harmful: false,
    };
    let yes = move || ending.send(EndSessions { user_id: None }, move |_| is_asked.set(false));
    view! {
        <p class="own-sessions">
            <button class="button" type="button" data-testid="end-own-sessions" on:click=move |_| is_asked.set(true)>{accounts().end_own}</button>
            <span class="hint">{accounts().end_own_hint}</span>
        </p>
        {move || is_asked.get().then(|| view! {
            <Confirm question=question() action=ending on_yes=yes on_close=move || is_asked.set(false) />
        })}
    }
}
