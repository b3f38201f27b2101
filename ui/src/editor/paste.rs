//! Weighing a paste before the browser has to lay it out.

use leptos::ev::Event;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;

use super::{LARGEST_BYTES, LARGEST_LINES};
use crate::format;
use crate::i18n::t;
use crate::parts::{Notice, Tone};

/// How much text there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Size {
    bytes: usize,
    lines: usize,
}

impl Size {
    pub(super) fn of(text: &str) -> Self {
        Self { bytes: text.len(), lines: text.bytes().filter(|byte| *byte == b'\n').count() }
    }

    pub(super) fn is_too_large_with(&self, already: &Size) -> bool {
        self.bytes + already.bytes > LARGEST_BYTES || self.lines + already.lines > LARGEST_LINES
    }

    /// As the note says it.
    fn texts(&self) -> [String; 2] {
        [format::bytes(self.bytes as u64), self.lines.to_string()]
    }
}

/// How much an event of pasting brings.
pub(super) fn pasted_size(event: &Event) -> Size {
    event
        .dyn_ref::<leptos::web_sys::ClipboardEvent>()
        .and_then(leptos::web_sys::ClipboardEvent::clipboard_data)
        .and_then(|data| data.get_data("text/plain").ok())
        .map(|text| Size::of(&text))
        .unwrap_or_default()
}

/// Says what was not pasted and why.
#[component]
pub(super) fn PasteRefused(size: Size) -> impl IntoView {
    let [bytes, lines] = size.texts();
    let [most_bytes, most_lines] = Size { bytes: LARGEST_BYTES, lines: LARGEST_LINES }.texts();
    view! {
        <Notice tone=Tone::Warning testid="paste-refused">
            {t().paste_refused.fill([&bytes, &lines, &most_bytes, &most_lines])}
        </Notice>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_is_weighed_together_with_the_text_in_bytes_and_in_lines() {
        let small = Size::of("int main() {}\n");
        assert!(!small.is_too_large_with(&small));
        assert!(Size::of(&"a\n".repeat(LARGEST_LINES)).is_too_large_with(&small));
        assert!(small.is_too_large_with(&Size { bytes: LARGEST_BYTES, lines: 0 }));
    }
}
