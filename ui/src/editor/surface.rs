//! What the editor knows between two events: its text field, what of it is on screen, where the caret is.

use leptos::ev::{Event, KeyboardEvent};
use leptos::html;
use leptos::prelude::*;

use super::component::Buffer;
use super::keys::press;
use super::paste::{Size, pasted_size};
use super::syntax::Syntax;
use super::textarea::{apply, byte_selection, units_of};
use super::{COLOURED_BYTES, utf16};

/// What of the text is on screen.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Viewport {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) height: f64,
}

/// Counted from 0; the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Caret {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Handles to the editor's state; cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct Surface {
    pub(super) node: NodeRef<html::Textarea>,
    pub(super) buffer: Buffer,
    pub(super) syntax: Signal<Syntax>,
    pub(super) viewport: RwSignal<Viewport>,
    pub(super) caret: RwSignal<Caret>,
    pub(super) refused: RwSignal<Option<Size>>,
    /// Escape was the last key, so that Tab leaves.
    tab_leaves: StoredValue<bool>,
}

impl Surface {
    pub(super) fn new(buffer: Buffer, syntax: Signal<Syntax>) -> Self {
        let surface = Self {
            node: NodeRef::new(),
            buffer,
            syntax,
            viewport: RwSignal::new(Viewport::default()),
            caret: RwSignal::new(Caret::default()),
            refused: RwSignal::new(None),
            tab_leaves: StoredValue::new(false),
        };
        Effect::new(move |_| surface.show_loaded());
        let resize = window_event_listener(leptos::ev::resize, move |_| surface.measure());
        on_cleanup(move || resize.remove());
        surface
    }

    /// Puts a text that came from outside into the field.
    fn show_loaded(self) {
        self.buffer.loads.track();
        let Some(area) = self.node.get() else { return };
        self.buffer.text.with_untracked(|text| area.set_value(text));
        if area.set_selection_range(0, 0).is_err() {
            leptos::logging::warn!("the caret could not be set");
        }
        area.set_scroll_top(0);
        self.measure();
        self.locate();
    }

    pub(super) fn measure(self) {
        let Some(area) = self.node.get_untracked() else { return };
        self.viewport.set(Viewport {
            left: f64::from(area.scroll_left()),
            top: f64::from(area.scroll_top()),
            height: f64::from(area.client_height()),
        });
    }

    pub(super) fn locate(self) {
        let Some(area) = self.node.get_untracked() else { return };
        let units = area.selection_end().ok().flatten().unwrap_or(0) as usize;
        let found = self.buffer.text.with_untracked(|text| caret_at(text, utf16::to_byte(text, units)));
        if self.caret.get_untracked() != found {
            self.caret.set(found);
        }
    }

    /// After the browser changed the field's text.
    pub(super) fn edited(self) {
        let Some(area) = self.node.get_untracked() else { return };
        self.refused.set(None);
        self.buffer.text.set(area.value());
        self.locate();
        self.measure();
    }

    /// Before the browser acts on a key.
    pub(super) fn keyed(self, event: &KeyboardEvent) {
        let Some(area) = self.node.get_untracked().filter(|_| is_plain_key(event)) else { return };
        let key = event.key();
        let leaves = self.tab_leaves.get_value();
        self.tab_leaves.set_value(key == "Escape");
        let is_small = self.buffer.text.with_untracked(|text| text.len() <= COLOURED_BYTES);
        if !is_small || (key == "Tab" && leaves) {
            return;
        }
        let change = self.buffer.text.with_untracked(|text| {
            let selection = byte_selection(&area, text);
            let change = press(text, selection, &key, event.shift_key(), self.syntax.get_untracked())?;
            Some((units_of(text, &change), change))
        });
        if let Some((units, change)) = change {
            event.prevent_default();
            apply(&area, &change, units);
            self.locate();
        }
    }

    /// Before the browser pastes.
    pub(super) fn pasted(self, event: &Event) {
        let size = pasted_size(event);
        if size.is_too_large_with(&self.buffer.text.with_untracked(|text| Size::of(text))) {
            event.prevent_default();
            self.refused.set(Some(size));
        }
    }
}

/// Neither a shortcut nor part of composing a character (229 is what browsers say while an input method composes).
fn is_plain_key(event: &KeyboardEvent) -> bool {
    !(event.ctrl_key() || event.meta_key() || event.alt_key() || event.is_composing() || event.key_code() == 229)
}

fn caret_at(text: &str, at: usize) -> Caret {
    let before = &text[..at];
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count());
    Caret { line, column }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_counts_characters_not_bytes() {
        assert_eq!(caret_at("a\n日本x", "a\n日本".len()), Caret { line: 1, column: 2 });
        assert_eq!(caret_at("", 0), Caret { line: 0, column: 0 });
    }
}
