//! One account: who it is, whether it can log in, and what can be done.

use agon_contract::account::AccountView;
use agon_contract::command::DisableAccount;
use leptos::prelude::*;

use super::{Asked, Desk};
use crate::i18n::accounts;
use crate::parts::{Glyph, Icon, Moment, Refusal};
use crate::screens::account::roles_line;
use crate::state::action::action;
use crate::state::use_app;

/// The row. What would end the session in which it is pressed is not offered for one's own account.
#[component]
pub(super) fn Row(account: Memo<AccountView>, desk: Desk) -> impl IntoView {
    let app = use_app();
    let name = account.with_untracked(|account| account.name.clone());
    let id = account.with_untracked(|account| account.user_id.clone());
    let is_own = app.session.with_untracked(|session| session.as_ref().is_some_and(|session| session.user_id == id));
    let is_disabled = Memo::new(move |_| account.with(|account| account.is_disabled));
    view! {
        <tr data-testid=format!("account-{name}") data-disabled=move || is_disabled.get().to_string()>
            <th scope="row" class="wrap">{name.clone()}{is_own.then(|| view! { " "<span class="tag">{accounts().oneself}</span> })}</th>
            <td class="wrap">{move || account.with(|account| account.display_name.clone())}</td>
            <td class="wrap" data-testid="roles">{move || account.with(|account| roles_line(&account.roles))}</td>
            <td>{move || if is_disabled.get() {
                view! { <span class="state state-bad"><Icon glyph=Glyph::Cross />{accounts().disabled}</span> }.into_any()
            } else {
                view! { <span class="state state-ok"><Icon glyph=Glyph::Check />{accounts().can_log_in}</span> }.into_any()
            }}</td>
            <td>{move || match account.with(|account| account.last_seen_at_ms) {
                Some(at_ms) => view! { <Moment at_ms /> }.into_any(),
                None => view! { <span class="muted">{accounts().never}</span> }.into_any(),
            }}</td>
            <td class="number">{move || account.with(|account| account.open_sessions)}</td>
            <td><Actions account desk is_own is_disabled /></td>
        </tr>
    }
}

#[component]
fn Actions(account: Memo<AccountView>, desk: Desk, is_own: bool, is_disabled: Memo<bool>) -> impl IntoView {
    let name = account.with_untracked(|account| account.name.clone());
    let button = move |asked: Asked, text: &'static str, testid: &'static str| {
        let label = format!("{text} {name}");
        view! {
            <button class="button button-small" type="button" aria-label=label data-testid=testid
                on:click=move |_| desk.asked.set(Some((asked, account.get_untracked())))>{text}</button>
        }
    };
    let enabling = action();
    let enable_label = format!("{} {}", accounts().enable, account.with_untracked(|account| account.name.clone()));
    let enable = move |_| {
        let user_id = account.with_untracked(|account| account.user_id.clone());
        enabling.send(DisableAccount { user_id, is_disabled: false }, move |_| desk.finish(None));
    };
    let disable = button.clone();
    view! {
        <span class="account-actions">
            {button(Asked::Roles, accounts().change_roles, "change-roles")}
            {(!is_own).then(|| view! {
                {button(Asked::Password, accounts().reset_password, "reset-password")}
                {button(Asked::Sessions, accounts().end_sessions, "end-sessions")}
                {move || if is_disabled.get() {
                    view! {
                        <button class="button button-small" type="button" aria-label=enable_label.clone() data-testid="enable"
                            disabled=enabling.is_busy on:click=enable>{accounts().enable}</button>
                    }.into_any()
                } else {
                    disable(Asked::Disable, accounts().disable, "disable").into_any()
                }}
            })}
        </span>
        <Refusal action=enabling />
    }
}
