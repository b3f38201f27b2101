//! A button in the top bar that opens a panel below it; Escape or a click elsewhere closes it.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;

use crate::state::browser::focus;

/// The panel exists only while it is open. `id` is the panel's id and test id; the button is `{id}-button`.
#[component]
pub fn Popover(
    id: &'static str,
    /// What the panel is called.
    title: &'static str,
    /// What a screen reader says of the button.
    label: Signal<String>,
    /// What the button shows.
    face: ViewFn,
    children: ChildrenFn,
) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let node = NodeRef::<html::Div>::new();
    let button_id = format!("{id}-button");
    let outside = window_event_listener(leptos::ev::pointerdown, move |event| {
        let target = event.target().and_then(|target| target.dyn_into::<leptos::web_sys::Node>().ok());
        let inside = node.get_untracked().is_some_and(|node| node.contains(target.as_ref()));
        if is_open.get_untracked() && !inside {
            is_open.set(false);
        }
    });
    on_cleanup(move || outside.remove());
    let back_to = button_id.clone();
    let keyed = move |event: KeyboardEvent| {
        if event.key() == "Escape" && is_open.get_untracked() {
            is_open.set(false);
            // What had the focus is gone with the panel.
            focus(&back_to);
        }
    };
    view! {
        <div class="popover-anchor" node_ref=node on:keydown=keyed>
            <button
                class="top-item top-button"
                type="button"
                id=button_id.clone()
                data-testid=button_id
                title=title
                aria-label=move || label.get()
                aria-expanded=move || is_open.get().to_string()
                aria-controls=id
                on:click=move |_| is_open.update(|open| *open = !*open)
            >
                {face.run()}
            </button>
            {move || is_open.get().then(|| view! {
                <section class="popover" id=id aria-label=title data-testid=id>{children()}</section>
            })}
        </div>
    }
}
