//! Who one is, where an account logged in: name, roles, and the way out.

use agon_contract::command::LogOut;
use agon_contract::settings::{Role, SessionView};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::backend::call;
use crate::i18n::{error_title, role_name, t};
use crate::parts::popover::Popover;
use crate::parts::{Glyph, Icon};
use crate::state::browser::reload;
use crate::state::use_app;

/// Roles in words, for a line.
#[must_use]
pub fn roles_line(roles: &[Role]) -> String {
    if roles.is_empty() {
        return t().no_roles.to_owned();
    }
    roles.iter().map(role_name).collect::<Vec<_>>().join(" · ")
}

/// Nothing for the local profile: whoever sits at the machine does not log in.
#[component]
pub fn AccountMenu() -> impl IntoView {
    let app = use_app();
    let account = Memo::new(move |_| app.session.get().filter(|session| session.account_name.is_some()));
    move || account.get().map(|session| view! { <Menu session /> })
}

#[component]
fn Menu(session: SessionView) -> impl IntoView {
    let name = session.account_name.clone().unwrap_or_default();
    let shown = session.display_name.clone();
    let label = format!("{}: {}", t().account_menu, session.display_name);
    let failure = RwSignal::new(None::<&'static str>);
    let leave = move |_| {
        spawn_local(async move {
            match call(LogOut {}).await {
                Ok(_) => reload(),
                Err(error) => failure.set(Some(error_title(&error.code))),
            }
        });
    };
    view! {
        <Popover
            id="account"
            title=t().account_menu
            label=Signal::derive(move || label.clone())
            face=ViewFn::from(move || view! { <Icon glyph=Glyph::Person /><span class="account-name">{shown.clone()}</span> })
        >
            <p class="account-line"><strong data-testid="account-name">{session.display_name.clone()}</strong></p>
            <p class="account-line muted">{name.clone()}" · "<span data-testid="account-roles">{roles_line(&session.roles)}</span></p>
            <button class="button" type="button" data-testid="log-out" on:click=leave>{t().log_out}</button>
            {move || failure.get().map(|text| view! { <p class="state-bad" role="alert">{text}</p> })}
        </Popover>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_named_and_none_is_said() {
        assert_eq!(roles_line(&[Role::Jury, Role::Coach]), "Jury · Coach");
        assert_eq!(roles_line(&[Role::Unknown("pilot".into())]), "pilot");
        assert_eq!(roles_line(&[]), t().no_roles);
    }
}
