//! Fields of accounts: a password that lives in its field only, and the choice of roles.

use agon_contract::account::Secret;
use agon_contract::settings::Role;
use leptos::html::Input;
use leptos::prelude::*;

use crate::i18n::{accounts, role_name};

/// Characters that a new password needs; the host says the same.
const LEAST: &str = "8";

/// The password that was typed; the field is empty afterwards, so that nothing keeps it.
pub fn taken(node: NodeRef<Input>) -> Secret {
    let Some(field) = node.get_untracked() else { return Secret(String::new()) };
    let typed = field.value();
    field.set_value("");
    Secret(typed)
}

/// A password's field. No signal holds what is typed.
#[component]
pub fn PasswordField(
    id: &'static str,
    label: &'static str,
    node: NodeRef<Input>,
    autocomplete: &'static str,
    /// A new password must have a length; an old one is what it is.
    #[prop(optional)]
    is_new: bool,
) -> impl IntoView {
    let hint = format!("{id}-hint");
    view! {
        <label for=id>{label}</label>
        <input id=id node_ref=node class="field" type="password" required data-testid=id autocomplete=autocomplete
            minlength=is_new.then_some(LEAST) aria-describedby=is_new.then(|| hint.clone()) />
        {is_new.then(|| view! { <p class="hint" id=hint.clone()>{accounts().password_hint}</p> })}
    }
}

/// A box for each role.
#[component]
pub fn RoleChoice(roles: RwSignal<Vec<Role>>) -> impl IntoView {
    let toggle = move |role: &Role, is_on: bool| {
        roles.update(|roles| {
            roles.retain(|held| held != role);
            if is_on {
                roles.push(role.clone());
            }
        });
    };
    view! {
        <fieldset class="choice-group">
            <legend>{accounts().roles}</legend>
            {Role::KNOWN.iter().map(|role| view! {
                <label class="check">
                    <input type="checkbox" data-testid=format!("role-{role}")
                        prop:checked=move || roles.with(|roles| roles.contains(role))
                        on:change=move |event| toggle(role, event_target_checked(&event)) />
                    {role_name(role)}
                </label>
            }).collect_view()}
        </fieldset>
    }
}
