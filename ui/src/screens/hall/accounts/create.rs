//! Making an account.

use agon_contract::command::CreateAccount;
use agon_contract::settings::Role;
use leptos::ev::SubmitEvent;
use leptos::html::Input;
use leptos::prelude::*;

use super::Desk;
use crate::i18n::{accounts, t};
use crate::parts::{Dialog, PasswordField, Refusal, RoleChoice, taken};
use crate::state::action::action;

/// The dialog. The password lives in its field only, and the field is emptied when it was sent.
#[component]
pub(super) fn Create(desk: Desk, on_close: impl Fn() + Copy + Send + Sync + 'static) -> impl IntoView {
    let (name, shown) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let roles = RwSignal::new(vec![Role::Contestant]);
    let password = NodeRef::<Input>::new();
    let creating = action();
    let create = move |event: SubmitEvent| {
        event.prevent_default();
        let login = name.get_untracked().trim().to_owned();
        let display_name = Some(shown.get_untracked().trim().to_owned()).filter(|name| !name.is_empty());
        let request = CreateAccount {
            display_name: display_name.unwrap_or_else(|| login.clone()),
            name: login,
            roles: roles.get_untracked(),
            password: taken(password),
        };
        creating.send(request, move |account| {
            on_close();
            desk.finish(Some(accounts().created.fill([&account.name])));
        });
    };
    let typed = |value: RwSignal<String>| move |event| value.set(event_target_value(&event));
    view! {
        <Dialog title=accounts().new_account_title.to_owned() on_close testid="create-account">
            <form on:submit=create>
                <div class="dialog-body stacked">
                    <label for="account-login">{accounts().login_name}</label>
                    <input id="account-login" class="field" type="text" required maxlength="64" autocomplete="off" autocapitalize="none"
                        spellcheck="false" data-testid="account-login" aria-describedby="account-login-hint"
                        prop:value=name on:input=typed(name) />
                    <p class="hint" id="account-login-hint">{accounts().login_name_hint}</p>
                    <label for="account-shown">{accounts().shown_name}</label>
                    <input id="account-shown" class="field" type="text" maxlength="100" autocomplete="off" data-testid="account-shown"
                        prop:value=shown on:input=typed(shown) />
                    <RoleChoice roles />
                    <PasswordField id="account-password" label=accounts().password node=password autocomplete="new-password" is_new=true />
                    <p class="hint">{accounts().password_hand_over}</p>
                    <Refusal action=creating />
                </div>
                <footer class="dialog-foot">
                    <button class="button" type="button" on:click=move |_| on_close()>{t().cancel}</button>
                    <button class="button button-primary" type="submit" data-testid="create" disabled=creating.is_busy>
                        {move || if creating.is_busy.get() { accounts().creating } else { accounts().create }}
                    </button>
                </footer>
            </form>
        </Dialog>
    }
}
