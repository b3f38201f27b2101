//! A modal dialog on the browser's own `<dialog>`, which keeps the focus inside and closes on Escape.

use leptos::html;
use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use crate::i18n::t;

/// Opens as soon as it is mounted; `on_close` must unmount it.
#[component]
pub fn Dialog(
    title: String,
    on_close: impl Fn() + Clone + 'static,
    #[prop(optional)] testid: &'static str,
    children: Children,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        if let Some(dialog) = node.get()
            && !dialog.open()
            && dialog.show_modal().is_err()
        {
            dialog.set_open(true);
        }
    });
    let closed = on_close.clone();
    let testid = (!testid.is_empty()).then_some(testid);
    view! {
        <dialog class="dialog" node_ref=node on:close=move |_| closed() aria-labelledby="dialog-title" data-testid=testid>
            <header class="dialog-head">
                <h2 id="dialog-title">{title}</h2>
                <button class="button button-quiet button-icon" type="button" aria-label=t().close on:click=move |_| on_close()>
                    <Icon glyph=Glyph::Cross />
                </button>
            </header>
            {children()}
        </dialog>
    }
}
