//! From what a person chose and what the system says to the theme and language in use, and their way onto the page.

use agon_contract::problem::LocalText;
use agon_contract::settings::{Preferences, Theme};
use leptos::prelude::*;
use leptos::wasm_bindgen::{JsCast, closure::Closure};

use super::app::App;
use super::browser::{document, remember, remembered, window};
use crate::i18n::Locale;

const REMEMBERED_THEME: &str = "agon.theme";
const REMEMBERED_LOCALE: &str = "agon.locale";

/// Follows a choice, or the system's languages in their order, or English.
#[must_use]
pub fn resolve_locale(chosen: &str, system: &[String]) -> Locale {
    Locale::from_code(chosen).or_else(|| system.iter().find_map(|code| Locale::from_code(code))).unwrap_or(Locale::En)
}

/// Whether the dark theme is on.
#[must_use]
pub fn is_dark(chosen: &Theme, system_is_dark: bool) -> bool {
    match chosen {
        Theme::Light => false,
        Theme::Dark => true,
        Theme::System | Theme::Unknown(_) => system_is_dark,
    }
}

/// The text in the language wanted, else in English, else the first there is.
#[must_use]
pub fn best_text(texts: &[LocalText], locale: Locale) -> &str {
    let of = |code: &str| texts.iter().find(|text| primary(&text.language) == code);
    of(locale.code()).or_else(|| of("en")).or_else(|| texts.first()).map_or("", |text| text.text.as_str())
}

/// The language part of a code such as `pt-BR`.
#[must_use]
pub fn primary(code: &str) -> &str {
    code.split(['-', '_']).next().unwrap_or(code)
}

/// What this browser remembers, so that the first paint is right before the host answers.
#[must_use]
pub fn remembered_preferences() -> Preferences {
    let mut preferences = Preferences::default();
    if let Some(theme) = remembered(REMEMBERED_THEME) {
        preferences.theme = Theme::from(theme.as_str());
    }
    if let Some(locale) = remembered(REMEMBERED_LOCALE) {
        preferences.locale = locale;
    }
    preferences
}

/// The language in use, as a signal over the preferences.
#[must_use]
pub fn locale_in_use(app: App) -> Memo<Locale> {
    Memo::new(move |_| {
        let system: Vec<String> = window().navigator().languages().iter().filter_map(|code| code.as_string()).collect();
        app.preferences.with(|preferences| resolve_locale(&preferences.locale, &system))
    })
}

/// Keeps the page's theme and `lang` in step with the preferences and the system.
pub fn apply_to_page(app: App, locale: Memo<Locale>) {
    let system_is_dark = RwSignal::new(false);
    follow_system_theme(system_is_dark);
    Effect::new(move |_| {
        let theme = app.preferences.with(|preferences| preferences.theme.clone());
        let name = if is_dark(&theme, system_is_dark.get()) { "dark" } else { "light" };
        set_root_attribute("data-theme", name);
        remember(REMEMBERED_THEME, theme.as_str());
    });
    Effect::new(move |_| {
        set_root_attribute("lang", locale.get().html_lang());
        app.preferences.with(|preferences| remember(REMEMBERED_LOCALE, &preferences.locale));
    });
}

fn follow_system_theme(system_is_dark: RwSignal<bool>) {
    let Ok(Some(query)) = window().match_media("(prefers-color-scheme: dark)") else { return };
    system_is_dark.set(query.matches());
    let watched = query.clone();
    let on_change = Closure::<dyn Fn()>::new(move || system_is_dark.set(watched.matches()));
    query.set_onchange(Some(on_change.as_ref().unchecked_ref()));
    // Lives as long as the page.
    on_change.forget();
}

fn set_root_attribute(name: &str, value: &str) {
    if document().document_element().is_some_and(|root| root.set_attribute(name, value).is_err()) {
        leptos::logging::warn!("{name} could not be set on the page");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(codes: &[&str]) -> Vec<String> {
        codes.iter().map(|code| (*code).to_owned()).collect()
    }

    #[test]
    fn a_choice_wins_over_the_system() {
        assert_eq!(resolve_locale("ja", &codes(&["zh-CN"])), Locale::Ja);
    }

    #[test]
    fn the_system_is_followed_until_chosen() {
        assert_eq!(resolve_locale("system", &codes(&["fr-FR", "zh-Hans-CN", "en"])), Locale::Zh);
        assert_eq!(resolve_locale("system", &codes(&["ja-JP"])), Locale::Ja);
        assert_eq!(resolve_locale("system", &codes(&["fr"])), Locale::En);
        assert_eq!(resolve_locale("xx", &[]), Locale::En);
    }

    #[test]
    fn themes_follow_the_same_rule() {
        assert!(is_dark(&Theme::Dark, false));
        assert!(!is_dark(&Theme::Light, true));
        assert!(is_dark(&Theme::System, true));
        assert!(is_dark(&Theme::Unknown("sepia".into()), true));
    }

    #[test]
    fn titles_fall_back_to_english_then_to_anything() {
        let text = |language: &str| LocalText { language: language.into(), text: language.to_uppercase() };
        assert_eq!(best_text(&[text("en"), text("zh-CN")], Locale::Zh), "ZH-CN");
        assert_eq!(best_text(&[text("sv"), text("en")], Locale::Ja), "EN");
        assert_eq!(best_text(&[text("sv")], Locale::Ja), "SV");
        assert_eq!(best_text(&[], Locale::Ja), "");
    }
}
