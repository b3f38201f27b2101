//! The editor on the page: the textarea `#editor-input` does the editing, the layers under it do the drawing.

use leptos::ev::{Event, KeyboardEvent};
use leptos::html;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{HtmlDocument, HtmlTextAreaElement};

use super::highlight::{line_numbers, lines_as_html, visible_lines};
use super::keys::{Change, press};
use super::syntax::Syntax;
use super::{COLOURED_BYTES, LARGEST_BYTES, LARGEST_LINES, utf16};
use crate::format;
use crate::i18n::t;
use crate::parts::{Notice, Tone};
use crate::state::browser::document;

/// Height of a line; the style sheet's `--editor-line` says the same.
const LINE_PX: f64 = 20.0;

/// The text being edited. `load` replaces it from outside, typing changes it from inside.
#[derive(Clone, Copy)]
pub struct Buffer {
    pub text: RwSignal<String>,
    loads: RwSignal<u32>,
}

impl Buffer {
    /// An empty text.
    #[must_use]
    pub fn new() -> Self {
        Self { text: RwSignal::new(String::new()), loads: RwSignal::new(0) }
    }

    /// Replaces the text; the caret goes to the start.
    pub fn load(&self, text: String) {
        self.text.set(text);
        self.loads.update(|count| *count += 1);
    }
}

impl Default for Buffer {
    fn default() -> Self {
        Self::new()
    }
}

/// What of the text is on screen.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Viewport {
    left: f64,
    top: f64,
    height: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Caret {
    line: usize,
    column: usize,
}

/// `on_edit` is told after every change a person makes. Escape, then Tab leaves the editor.
#[component]
pub fn Editor(buffer: Buffer, syntax: Signal<Syntax>, on_edit: impl Fn() + Clone + 'static) -> impl IntoView {
    let node = NodeRef::<html::Textarea>::new();
    let viewport = RwSignal::new(Viewport::default());
    let caret = RwSignal::new(Caret::default());
    let refused = RwSignal::new(None::<Size>);
    let tab_leaves = StoredValue::new(false);

    let measure = move || {
        let Some(area) = node.get_untracked() else { return };
        viewport.set(Viewport {
            left: f64::from(area.scroll_left()),
            top: f64::from(area.scroll_top()),
            height: f64::from(area.client_height()),
        });
    };
    let locate = move || {
        let Some(area) = node.get_untracked() else { return };
        let units = area.selection_end().ok().flatten().unwrap_or(0) as usize;
        let found = buffer.text.with_untracked(|text| caret_at(text, utf16::to_byte(text, units)));
        if caret.get_untracked() != found {
            caret.set(found);
        }
    };
    Effect::new(move |_| {
        buffer.loads.track();
        if let Some(area) = node.get() {
            buffer.text.with_untracked(|text| area.set_value(text));
            area.set_selection_range(0, 0).unwrap_or_else(|_| leptos::logging::warn!("the caret could not be set"));
            area.set_scroll_top(0);
            measure();
            locate();
        }
    });
    let resize = window_event_listener(leptos::ev::resize, move |_| measure());
    on_cleanup(move || resize.remove());

    let edited = move |_: Event| {
        let Some(area) = node.get_untracked() else { return };
        refused.set(None);
        buffer.text.set(area.value());
        locate();
        measure();
        on_edit();
    };
    let keyed = move |event: KeyboardEvent| {
        let Some(area) = node.get_untracked().filter(|_| is_plain_key(&event)) else { return };
        let key = event.key();
        let leaves = tab_leaves.get_value();
        tab_leaves.set_value(key == "Escape");
        let small = buffer.text.with_untracked(|text| text.len() <= COLOURED_BYTES);
        if !small || (key == "Tab" && leaves) {
            return;
        }
        let change = buffer.text.with_untracked(|text| {
            let selection = byte_selection(&area, text);
            let change = press(text, selection, &key, event.shift_key(), syntax.get_untracked())?;
            Some((units_of(text, &change), change))
        });
        if let Some((units, change)) = change {
            event.prevent_default();
            apply(&area, &change, units);
            locate();
        }
    };
    let pasted = move |event: Event| {
        let size = pasted_size(&event);
        if size.is_too_large_with(&buffer.text.with_untracked(|text| Size::of(text))) {
            event.prevent_default();
            refused.set(Some(size));
        }
    };

    let line_count =
        Memo::new(move |_| buffer.text.with(|text| text.bytes().filter(|byte| *byte == b'\n').count() + 1));
    let window = Memo::new(move |_| {
        let viewport = viewport.get();
        visible_lines(viewport.top, viewport.height, LINE_PX, line_count.get())
    });
    let is_coloured = Memo::new(move |_| buffer.text.with(|text| text.len() <= COLOURED_BYTES));
    let coloured = move || {
        if !is_coloured.get() {
            return String::new();
        }
        buffer.text.with(|text| lines_as_html(text, window.get(), syntax.get()))
    };
    let layer_top = move || window.with(|lines| lines.start as f64 * LINE_PX) - viewport.get().top;

    view! {
        <div class="editor" class:editor-plain=move || !is_coloured.get()>
            <div class="editor-frame">
                <pre class="editor-gutter" aria-hidden="true">
                    <code style:transform=move || format!("translateY({}px)", layer_top())>
                        {move || line_numbers(window.get())}
                    </code>
                </pre>
                <div class="editor-body">
                    <div
                        class="editor-current"
                        aria-hidden="true"
                        style:transform=move || format!("translateY({}px)", caret.get().line as f64 * LINE_PX - viewport.get().top)
                    ></div>
                    <pre class="editor-colours" aria-hidden="true">
                        <code
                            style:transform=move || format!("translate({}px, {}px)", -viewport.get().left, layer_top())
                            inner_html=coloured
                        ></code>
                    </pre>
                    <textarea
                        id="editor-input"
                        data-testid="editor-input"
                        node_ref=node
                        wrap="off"
                        spellcheck="false"
                        autocapitalize="off"
                        autocomplete="off"
                        aria-label=t().editor_label
                        aria-describedby="editor-hint"
                        on:input=edited
                        on:keydown=keyed
                        on:paste=move |event| pasted(event.into())
                        on:scroll=move |_| measure()
                        on:keyup=move |_| locate()
                        on:pointerup=move |_| locate()
                        on:focus=move |_| measure()
                    ></textarea>
                </div>
            </div>
            {move || refused.get().map(|size| view! { <PasteRefused size /> })}
            <p id="editor-hint" class="visually-hidden">{t().editor_hint}</p>
            <span class="editor-position">
                {move || {
                    let caret = caret.get();
                    t().line_column.fill([&(caret.line + 1).to_string(), &(caret.column + 1).to_string()])
                }}
            </span>
        </div>
    }
}

#[component]
fn PasteRefused(size: Size) -> impl IntoView {
    let [bytes, lines] = size.texts();
    let [most_bytes, most_lines] = Size { bytes: LARGEST_BYTES, lines: LARGEST_LINES }.texts();
    view! {
        <Notice tone=Tone::Warning testid="paste-refused">
            {t().paste_refused.fill([&bytes, &lines, &most_bytes, &most_lines])}
        </Notice>
    }
}

/// Neither a shortcut nor part of composing a character.
fn is_plain_key(event: &KeyboardEvent) -> bool {
    !(event.ctrl_key() || event.meta_key() || event.alt_key() || event.is_composing() || event.key_code() == 229)
}

fn caret_at(text: &str, at: usize) -> Caret {
    let before = &text[..at];
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count());
    Caret { line, column }
}

fn byte_selection(area: &HtmlTextAreaElement, text: &str) -> std::ops::Range<usize> {
    let edge = |units: Result<Option<u32>, _>| utf16::to_byte(text, units.ok().flatten().unwrap_or(0) as usize);
    let (start, end) = (edge(area.selection_start()), edge(area.selection_end()));
    start..end.max(start)
}

/// A change's four offsets in the browser's units.
struct Units {
    replace: (u32, u32),
    select: (u32, u32),
}

fn units_of(text: &str, change: &Change) -> Units {
    let before = |byte| utf16::from_byte(text, byte) as u32;
    let replaced = change.apply(text);
    let after = |byte| utf16::from_byte(&replaced, byte) as u32;
    Units {
        replace: (before(change.replace.start), before(change.replace.end)),
        select: (after(change.select.start), after(change.select.end)),
    }
}

/// Changes the text by the browser's own editing command, because only that keeps Undo whole.
fn apply(area: &HtmlTextAreaElement, change: &Change, units: Units) {
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

/// How much text there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Size {
    bytes: usize,
    lines: usize,
}

impl Size {
    fn of(text: &str) -> Self {
        Self { bytes: text.len(), lines: text.bytes().filter(|byte| *byte == b'\n').count() }
    }

    fn is_too_large_with(&self, already: &Size) -> bool {
        self.bytes + already.bytes > LARGEST_BYTES || self.lines + already.lines > LARGEST_LINES
    }

    /// As the note says it.
    fn texts(&self) -> [String; 2] {
        [format::bytes(self.bytes as u64), self.lines.to_string()]
    }
}

fn pasted_size(event: &Event) -> Size {
    event
        .dyn_ref::<leptos::web_sys::ClipboardEvent>()
        .and_then(leptos::web_sys::ClipboardEvent::clipboard_data)
        .and_then(|data| data.get_data("text/plain").ok())
        .map(|text| Size::of(&text))
        .unwrap_or_default()
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

    #[test]
    fn the_caret_counts_characters_not_bytes() {
        assert_eq!(caret_at("a\n日本x", "a\n日本".len()), Caret { line: 1, column: 2 });
        assert_eq!(caret_at("", 0), Caret { line: 0, column: 0 });
    }
}
