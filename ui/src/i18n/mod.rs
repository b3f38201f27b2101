//! Texts in three languages, one message file each; a missing or misshapen message does not compile.

mod accounts;
mod codes;
mod en;
mod finding_advice;
mod finding_codes;
mod hall;
mod ja;
mod messages;
mod reason;
mod self_test_names;
mod template;
mod watch;
mod zh;

use std::cell::Cell;

pub use accounts::accounts;
pub use codes::{error_hint, error_line, error_title, protection_name, role_name, state_name, verdict_name};
pub use finding_advice::finding_advice;
pub use finding_codes::finding_title;
pub use hall::{
    action_name, change_set_state_name, field_name, hall, item_reason, item_state_name, lease_name, module_name,
    module_state_name, place_name, row_state_name,
};
pub use messages::Messages;
pub use reason::{as_sentence, reason_text};
pub use self_test_names::self_test_name;
pub use watch::{file_state_name, folder_state_name, package_state_name, refusal_title, watch};

/// A language of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locale {
    En,
    Zh,
    Ja,
}

impl Locale {
    /// All, in the order of the settings screen.
    pub const ALL: [Locale; 3] = [Locale::En, Locale::Zh, Locale::Ja];

    /// The code stored in preferences.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Locale::En => "en",
            Locale::Zh => "zh",
            Locale::Ja => "ja",
        }
    }

    /// The page's `lang`, which also picks the right glyphs for Han characters.
    #[must_use]
    pub fn html_lang(self) -> &'static str {
        match self {
            Locale::En => "en",
            Locale::Zh => "zh-Hans",
            Locale::Ja => "ja",
        }
    }

    /// The language's own name.
    #[must_use]
    pub fn own_name(self) -> &'static str {
        match self {
            Locale::En => "English",
            Locale::Zh => "中文",
            Locale::Ja => "日本語",
        }
    }

    /// From a code with or without a region (`zh-Hans-CN`).
    #[must_use]
    pub fn from_code(code: &str) -> Option<Locale> {
        let primary = code.split(['-', '_']).next().unwrap_or(code).to_ascii_lowercase();
        Locale::ALL.into_iter().find(|locale| locale.code() == primary)
    }

    /// The texts of this language.
    #[must_use]
    pub fn messages(self) -> &'static Messages {
        match self {
            Locale::En => &en::MESSAGES,
            Locale::Zh => &zh::MESSAGES,
            Locale::Ja => &ja::MESSAGES,
        }
    }
}

thread_local! {
    static IN_USE: Cell<Locale> = const { Cell::new(Locale::En) };
}

/// Sets the language in use; the root rebuilds every screen when it changes, so screens read it once.
pub fn use_locale(locale: Locale) {
    IN_USE.set(locale);
}

/// The language in use.
#[must_use]
pub fn locale() -> Locale {
    IN_USE.get()
}

/// The texts in use.
#[must_use]
pub fn t() -> &'static Messages {
    locale().messages()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_with_regions_are_understood() {
        assert_eq!(Locale::from_code("zh-Hant-TW"), Some(Locale::Zh));
        assert_eq!(Locale::from_code("EN_us"), Some(Locale::En));
        assert_eq!(Locale::from_code("system"), None);
    }

    #[test]
    fn no_text_is_empty_or_left_in_english() {
        for locale in [Locale::Zh, Locale::Ja] {
            let all = |locale: Locale| {
                [
                    locale.messages().plain(),
                    accounts::of(locale).plain(),
                    hall::of(locale).plain(),
                    watch::of(locale).plain(),
                ]
                .concat()
            };
            let (english, texts) = (all(Locale::En), all(locale));
            assert_eq!(english.len(), texts.len());
            let same: Vec<_> = english
                .iter()
                .zip(&texts)
                .filter(|((key, english), (_, text))| english == text && !messages::SAME_IN_ALL_LANGUAGES.contains(key))
                .map(|((key, _), _)| *key)
                .collect();
            assert!(same.is_empty(), "{}: not translated: {same:?}", locale.code());
            for (key, text) in texts {
                assert!(!text.trim().is_empty(), "{}: {key} is empty", locale.code());
            }
        }
    }
}
