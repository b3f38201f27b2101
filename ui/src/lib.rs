//! The interface of Agon: Leptos in the browser's own rendering, the same in the desktop window and over HTTP.
//!
//! It talks contract types only, through [`backend`]; it decides no verdict and keeps no fact. What is absent on
//! purpose: timers that stand in for events (the hall's measures are read by the clock, because an age has no event),
//! styles or scripts inside HTML (the content policy forbids them), and any name of the window's bridge outside
//! `backend/`.

mod backend;
mod editor;
mod format;
mod i18n;
mod parts;
mod screens;
mod state;

/// Entry point, called by `boot.js` when the module is loaded.
#[wasm_bindgen::prelude::wasm_bindgen(start)]
pub fn start() {
    if let Some(splash) = state::browser::document().get_element_by_id("splash") {
        splash.remove();
    }
    leptos::mount::mount_to_body(screens::Root);
}
