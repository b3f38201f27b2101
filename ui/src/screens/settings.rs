//! Settings: appearance, language, the default programming language, and facts about this installation.

use agon_contract::CONTRACT_VERSION;
use agon_contract::command::GetSandboxStatus;
use agon_contract::settings::{Preferences, Theme};
use leptos::prelude::*;

use super::account::OwnAccount;
use super::notices::NoticeChoices;
use super::sandbox_indicator::SandboxFacts;
use super::services::OptionalServices;
use crate::i18n::{Locale, t};
use crate::state::browser::{focus, set_title};
use crate::state::{App, Topic, loaded, query, use_app};

/// Set while the language changes: the rebuilt screen takes the focus back to where it was.
static REFOCUS_LOCALE: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// The screen.
#[component]
pub fn Settings() -> impl IntoView {
    set_title(t().nav_settings);
    Effect::new(|_| {
        if REFOCUS_LOCALE.swap(false, std::sync::atomic::Ordering::Relaxed) {
            focus("locale-select");
        }
    });
    let sandbox = query(|| Some(GetSandboxStatus {}), &[Topic::Progress]);
    view! {
        <section class="screen screen-narrow">
            <header class="screen-head"><h1>{t().nav_settings}</h1></header>
            <h2>{t().settings_appearance}</h2>
            <div class="form">
                <ThemeChoice />
                <LocaleChoice />
            </div>
            <h2>{t().settings_editor}</h2>
            <div class="form"><LanguageChoice /></div>
            <OwnAccount />
            <OptionalServices />
            <NoticeChoices />
            <h2>{t().settings_installation}</h2>
            <Installation />
            <h2>{t().sandbox}</h2>
            {loaded(sandbox, |status| view! { <SandboxFacts status /> })}
            <h2>{t().settings_shortcuts}</h2>
            <dl class="facts">
                <dt><kbd>"Ctrl"</kbd>" "<kbd>"Enter"</kbd></dt><dd>{t().run_samples}</dd>
                <dt><kbd>"Ctrl"</kbd>" "<kbd>"Shift"</kbd>" "<kbd>"Enter"</kbd></dt><dd>{t().submit}</dd>
                <dt><kbd>"Esc"</kbd>" "<kbd>"Tab"</kbd></dt><dd>{t().shortcut_leave_editor}</dd>
            </dl>
        </section>
    }
}

/// Changes one preference and stores all of them.
fn change(app: App, edit: impl FnOnce(&mut Preferences)) {
    let mut preferences = app.preferences.get_untracked();
    edit(&mut preferences);
    app.set_preferences(preferences);
}

#[component]
fn ThemeChoice() -> impl IntoView {
    let app = use_app();
    let chosen = move || app.preferences.with(|preferences| preferences.theme.as_str().to_owned());
    let choose = move |event| {
        let theme = Theme::from(event_target_value(&event).as_str());
        change(app, |preferences| preferences.theme = theme);
    };
    view! {
        <label for="theme-select">{t().theme}</label>
        <select id="theme-select" data-testid="theme-select" prop:value=chosen on:change=choose>
            <option value="system">{t().follow_system}</option>
            <option value="light">{t().theme_light}</option>
            <option value="dark">{t().theme_dark}</option>
        </select>
    }
}

#[component]
fn LocaleChoice() -> impl IntoView {
    let app = use_app();
    let chosen = move || app.preferences.with(|preferences| preferences.locale.clone());
    let choose = move |event| {
        let locale = event_target_value(&event);
        REFOCUS_LOCALE.store(true, std::sync::atomic::Ordering::Relaxed);
        change(app, |preferences| preferences.locale = locale);
    };
    view! {
        <label for="locale-select">{t().language_of_interface}</label>
        <select id="locale-select" data-testid="locale-select" prop:value=chosen on:change=choose>
            <option value="system">{t().follow_system}</option>
            {Locale::ALL.map(|locale| view! { <option value=locale.code() lang=locale.html_lang()>{locale.own_name()}</option> }).collect_view()}
        </select>
    }
}

#[component]
fn LanguageChoice() -> impl IntoView {
    let app = use_app();
    let chosen = move || app.preferences.with(|preferences| preferences.default_language.clone());
    let choose = move |event| {
        let language = event_target_value(&event);
        change(app, |preferences| preferences.default_language = language);
    };
    view! {
        <label for="default-language">{t().default_language}</label>
        <select id="default-language" data-testid="default-language-select" prop:value=chosen on:change=choose>
            <option value="">{t().last_used}</option>
            {app.languages.get_untracked().into_iter().map(|language| view! {
                <option value=language.id.0>{language.name}</option>
            }).collect_view()}
        </select>
    }
}

#[component]
fn Installation() -> impl IntoView {
    let app = use_app();
    move || {
        app.host.get().map(|host| {
            view! {
                <dl class="facts">
                    // Told to who looks after it.
                    {(!host.data_folder.is_empty()).then(|| view! {
                        <dt>{t().data_folder}</dt><dd class="mono wrap" data-testid="data-folder">{host.data_folder}</dd>
                    })}
                    <dt>{t().version}</dt><dd class="mono">{host.app_version}</dd>
                    <dt>{t().contract_version}</dt><dd class="mono">{CONTRACT_VERSION}</dd>
                    <dt>{t().acting_as}</dt>
                    <dd>{app.session.with(|session| session.as_ref().map(|session| session.display_name.clone()))}</dd>
                </dl>
            }
        })
    }
}
