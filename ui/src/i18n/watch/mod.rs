//! The texts of the optional services and of the file watch.

mod codes;
mod en;
mod ja;
mod zh;

use super::Locale;
use super::messages::messages;

pub use codes::{file_state_name, folder_state_name, package_state_name, refusal_title};

messages! {
    WatchMessages;
    text: settings_services file_watch_hint restart watched_folder
        watched_folder_hint folder_path no_folder folder_set folder_end folder_polls browse folder_off
        folder_watching folder_polling folder_missing folder_unreadable package_settling package_looking
        package_imported package_refused package_waiting look_again code_symlink code_name_not_utf8
        code_conflict own_editor own_editor_hint own_editor_path own_editor_watch own_editor_active
        own_editor_stop own_editor_off own_editor_switch_on file_off file_settling file_current file_older
        file_missing file_refused versions no_versions version_from_file version_typed;
    templates: ;
}

/// These texts in the language in use.
#[must_use]
pub fn watch() -> &'static WatchMessages {
    of(super::locale())
}

/// These texts of a language.
pub(super) fn of(locale: Locale) -> &'static WatchMessages {
    match locale {
        Locale::En => &en::MESSAGES,
        Locale::Zh => &zh::MESSAGES,
        Locale::Ja => &ja::MESSAGES,
    }
}
