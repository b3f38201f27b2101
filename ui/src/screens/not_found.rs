//! An address that leads nowhere.

use leptos::prelude::*;
use leptos_router::components::A;

use crate::i18n::t;
use crate::parts::Empty;
use crate::state::browser::set_title;

/// Shown for unknown addresses.
#[component]
pub fn NotFound() -> impl IntoView {
    set_title(t().not_found_title);
    view! {
        <section class="screen">
            <Empty title=t().not_found_title hint=t().not_found_hint>
                <A href="/practice" attr:class="button">{t().nav_practice}</A>
            </Empty>
        </section>
    }
}
