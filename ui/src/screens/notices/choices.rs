//! In Settings: what one wants to be told about in the app.

use agon_contract::command::{GetNoticePreferences, SetNoticePreferences};
use agon_contract::notice::{NoticeChannel, NoticePreference};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::text::kind_name;
use crate::backend::call;
use crate::i18n::{error_title, t};
use crate::state::{loaded, query};

/// One box per kind; a change is stored at once.
#[component]
pub fn NoticeChoices() -> impl IntoView {
    let preferences = query(|| Some(GetNoticePreferences {}), &[]);
    let failure = RwSignal::new(None::<&'static str>);
    let choose = move |choice: NoticePreference| {
        spawn_local(async move {
            match call(SetNoticePreferences { changes: vec![choice] }).await {
                Ok(_) => failure.set(None),
                Err(error) => {
                    failure.set(Some(error_title(&error.code)));
                    preferences.retry();
                }
            }
        });
    };
    let in_app = move |rows: &[NoticePreference]| {
        rows.iter().filter(|row| row.channel == NoticeChannel::InApp).cloned().collect::<Vec<_>>()
    };
    view! {
        <h2>{t().settings_notices}</h2>
        {loaded(preferences, move |preferences| view! {
            <fieldset class="choices">
                <legend class="visually-hidden">{t().settings_notices}</legend>
                {move || in_app(&preferences.get().rows).into_iter().map(|row| view! {
                    <label class="choice">
                        <input
                            type="checkbox"
                            data-testid=format!("notice-choice-{}", row.kind)
                            checked=row.is_wanted
                            on:change={
                                let row = row.clone();
                                move |event| choose(NoticePreference { is_wanted: event_target_checked(&event), ..row.clone() })
                            }
                        />
                        {kind_name(&row.kind)}
                    </label>
                }).collect_view()}
            </fieldset>
        })}
        {move || failure.get().map(|text| view! { <p class="state-bad" role="alert">{text}</p> })}
    }
}
