//! The browser's text field: its selection in bytes, and changing its text without losing Undo.

use leptos::ev::Event;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{HtmlDocument, HtmlTextAreaElement};

use super::keys::Change;
use super::utf16;
use crate::state::browser::document;

/// What is selected, in bytes of the text.
pub(super) fn byte_selection(area: &HtmlTextAreaElement, text: &str) -> std::ops::Range<usize> {
    let edge = |units: Result<Option<u32>, _>| utf16::to_byte(text, units.ok().flatten().unwrap_or(0) as usize);
    let (start, end) = (edge(area.selection_start()), edge(area.selection_end()));
    start..end.max(start)
}

/// A change's four offsets in the browser's units.
pub(super) struct Units {
    replace: (u32, u32),
    select: (u32, u32),
}

/// A change of `text` in the browser's units.
pub(super) fn units_of(text: &str, change: &Change) -> Units {
    let before = |byte| utf16::from_byte(text, byte) as u32;
    let replaced = change.apply(text);
    let after = |byte| utf16::from_byte(&replaced, byte) as u32;
    Units {
        replace: (before(change.replace.start), before(change.replace.end)),
        select: (after(change.select.start), after(change.select.end)),
    }
}

/// Changes the text by the browser's own editing command, because only that keeps Undo whole.
pub(super) fn apply(area: &HtmlTextAreaElement, change: &Change, units: Units) {
    let select = |(start, end)| {
        if area.set_selection_range(start, end).is_err() {
            leptos::logging::warn!("the selection could not be set");
        }
    };
    select(units.replace);
    let done = match document().dyn_into::<HtmlDocument>() {
        Ok(_) if change.with.is_empty() && change.replace.is_empty() => Ok(true),
        Ok(document) if change.with.is_empty() => document.exec_command("delete"),
        Ok(document) => document.exec_command_with_show_ui_and_value("insertText", false, &change.with),
        Err(_) => Ok(false),
    };
    if !done.unwrap_or(false) {
        let replaced = area.set_range_text_with_start_and_end(&change.with, units.replace.0, units.replace.1);
        let told = Event::new("input").and_then(|event| area.dispatch_event(&event));
        if replaced.is_err() || told.is_err() {
            leptos::logging::warn!("a key could not change the text");
        }
    }
    select(units.select);
}
