//! The root: shared state, the page's theme and language, the router, and the rebuild when the language changes.

use leptos::prelude::*;
use leptos_router::components::Router;

use super::shell::Shell;
use crate::i18n::use_locale;
use crate::state::app::App;
use crate::state::live;
use crate::state::preferences::{apply_to_page, locale_in_use, remembered_preferences};

/// Mounted once on the page's body.
#[component]
pub fn Root() -> impl IntoView {
    let app = App::new(remembered_preferences());
    provide_context(app);
    let locale = locale_in_use(app);
    apply_to_page(app, locale);
    app.start();
    live::start(app);
    view! {
        <Router>
            {move || {
                use_locale(locale.get());
                view! { <Shell /> }.into_any()
            }}
        </Router>
    }
}
