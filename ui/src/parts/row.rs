//! A table row that leads somewhere: a click anywhere in it does what its link does.

use leptos::ev::MouseEvent;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::Element;
use leptos_router::hooks::use_navigate;

/// For pointers only: the keyboard and the screen reader have the row's link.
pub fn follow_on_click(href: String) -> impl Fn(MouseEvent) + Clone + 'static {
    let navigate = use_navigate();
    move |event| {
        let on_own_control = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok())
            .is_some_and(|target| target.closest("a, button, summary").ok().flatten().is_some());
        if !on_own_control {
            navigate(&href, Default::default());
        }
    }
}
