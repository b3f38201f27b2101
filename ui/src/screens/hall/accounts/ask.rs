//! What is asked before an account is changed.

use agon_contract::account::AccountView;
use agon_contract::command::{DisableAccount, EndSessions, SetPassword, SetRoles};
use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;

use super::{Asked, Desk};
use crate::i18n::{accounts, t};
use crate::parts::{Confirm, Dialog, PasswordField, Question, Refusal, RoleChoice, taken};
use crate::state::action::{Action, action};

/// The dialog for what is asked.
#[component]
pub(super) fn Asking(desk: Desk, asked: Asked, account: AccountView) -> impl IntoView {
    match asked {
        Asked::Roles => view! { <Roles desk account /> }.into_any(),
        Asked::Password => view! { <Password desk account /> }.into_any(),
        Asked::Sessions => view! { <Sessions desk account /> }.into_any(),
        Asked::Disable => view! { <Disable desk account /> }.into_any(),
    }
}

#[component]
fn Roles(desk: Desk, account: AccountView) -> impl IntoView {
    let roles = RwSignal::new(account.roles.clone());
    let saving = action();
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        let request = SetRoles { user_id: account.user_id.clone(), roles: roles.get_untracked() };
        saving.send(request, move |_| desk.finish(None));
    };
    let words = (accounts().save, accounts().saving);
    view! {
        <Dialog title=accounts().roles_of.fill([&account.name]) on_close=move || desk.asked.set(None) testid="roles-of">
            <form on:submit=save>
                <div class="dialog-body stacked">
                    <RoleChoice roles />
                    <p class="hint">{accounts().roles_hint}</p>
                    <Refusal action=saving />
                </div>
                <Foot desk action=saving words />
            </form>
        </Dialog>
    }
}

#[component]
fn Password(desk: Desk, account: AccountView) -> impl IntoView {
    let password = NodeRef::<Input>::new();
    let setting = action();
    let (user_id, name) = (account.user_id, account.name.clone());
    let set = move |event: SubmitEvent| {
        event.prevent_default();
        let said = accounts().password_set.fill([&name]);
        let request = SetPassword { user_id: Some(user_id.clone()), old_password: None, new_password: taken(password) };
        setting.send(request, move |_| desk.finish(Some(said)));
    };
    let words = (accounts().set_password, accounts().saving);
    view! {
        <Dialog title=accounts().password_of.fill([&account.name]) on_close=move || desk.asked.set(None) testid="password-of">
            <form on:submit=set>
                <div class="dialog-body stacked">
                    <PasswordField id="reset-to" label=accounts().new_password node=password autocomplete="new-password" is_new=true />
                    <p class="hint">{accounts().set_password_says}" "{accounts().password_hand_over}</p>
                    <Refusal action=setting />
                </div>
                <Foot desk action=setting words />
            </form>
        </Dialog>
    }
}

#[component]
fn Foot(desk: Desk, action: Action, words: (&'static str, &'static str)) -> impl IntoView {
    let (do_it, doing) = words;
    view! {
        <footer class="dialog-foot">
            <button class="button" type="button" on:click=move |_| desk.asked.set(None)>{t().cancel}</button>
            <button class="button button-primary" type="submit" data-testid="save" disabled=action.is_busy>
                {move || if action.is_busy.get() { doing } else { do_it }}
            </button>
        </footer>
    }
}

#[component]
fn Sessions(desk: Desk, account: AccountView) -> impl IntoView {
    let ending = action();
    let question = Question {
        title: accounts().end_sessions_of.fill([&account.name]),
        says: accounts().end_sessions_says.to_owned(),
        do_it: accounts().end_sessions_now,
        doing: accounts().ending,
        is_harmful: false,
    };
    let yes = move || {
        let name = account.name.clone();
        ending.send(EndSessions { user_id: Some(account.user_id.clone()) }, move |done| {
            desk.finish(Some(accounts().sessions_ended.fill([&name, &done.ended.to_string()])));
        });
    };
    view! { <Confirm question action=ending on_yes=yes on_close=move || desk.asked.set(None) /> }
}

#[component]
fn Disable(desk: Desk, account: AccountView) -> impl IntoView {
    let disabling = action();
    let question = Question {
        title: accounts().disable_of.fill([&account.name]),
        says: accounts().disable_says.to_owned(),
        do_it: accounts().disable_now,
        doing: accounts().disabling,
        is_harmful: true,
    };
    let yes = move || {
        let request = DisableAccount { user_id: account.user_id.clone(), is_disabled: true };
        disabling.send(request, move |_| desk.finish(None));
    };
    view! { <Confirm question action=disabling on_yes=yes on_close=move || desk.asked.set(None) /> }
}
