//! The texts of accounts: what staff do with them, and everybody with their own.

mod en;
mod ja;
mod zh;

use super::Locale;
use super::messages::messages;
use super::template::Template;

messages! {
    AccountMessages;
    text: accounts new_account new_account_title login_name login_name_hint shown_name roles
        password password_hint password_hand_over create creating column_roles column_last_seen
        column_sessions never can_log_in disabled oneself search none_fit none_fit_hint none_yet
        none_yet_hint change_roles reset_password end_sessions disable enable save saving roles_hint
        set_password set_password_says end_sessions_says end_sessions_now ending disable_says
        disable_now disabling own_account old_password new_password repeat_password change_password
        passwords_differ change_ends end_own end_own_title end_own_hint;
    templates: created/1 roles_of/1 password_of/1 end_sessions_of/1 disable_of/1 password_set/1
        sessions_ended/2;
}

/// These texts in the language in use.
#[must_use]
pub fn accounts() -> &'static AccountMessages {
    of(super::locale())
}

/// These texts of a language.
pub(super) fn of(locale: Locale) -> &'static AccountMessages {
    match locale {
        Locale::En => &en::MESSAGES,
        Locale::Zh => &zh::MESSAGES,
        Locale::Ja => &ja::MESSAGES,
    }
}
