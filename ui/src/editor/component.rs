//! The editor on the page: the textarea `#editor-input` does the editing, the layers under it do the drawing.

use leptos::prelude::*;

use super::COLOURED_BYTES;
use super::highlight::{line_numbers, lines_as_html, visible_lines};
use super::paste::PasteRefused;
use super::surface::Surface;
use super::syntax::Syntax;
use crate::i18n::t;

/// Height of a line; the style sheet's `--editor-line` says the same.
const LINE_PX: f64 = 20.0;

/// The text being edited. `load` replaces it from outside, typing changes it from inside.
#[derive(Clone, Copy)]
pub struct Buffer {
    pub text: RwSignal<String>,
    pub(super) loads: RwSignal<u32>,
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

/// `on_edit` is told after every change a person makes. Escape, then Tab leaves the editor.
#[component]
pub fn Editor(buffer: Buffer, syntax: Signal<Syntax>, on_edit: impl Fn() + Clone + Send + 'static) -> impl IntoView {
    let surface = Surface::new(buffer, syntax);
    let is_coloured = Memo::new(move |_| buffer.text.with(|text| text.len() <= COLOURED_BYTES));
    let edited = move |_| {
        surface.edited();
        on_edit();
    };
    view! {
        <div class="editor" class:editor-plain=move || !is_coloured.get()>
            <Layers surface is_coloured>
                <textarea
                    id="editor-input"
                    data-testid="editor-input"
                    node_ref=surface.node
                    wrap="off"
                    spellcheck="false"
                    autocapitalize="off"
                    autocomplete="off"
                    aria-label=t().editor_label
                    aria-describedby="editor-hint"
                    on:input=edited
                    on:keydown=move |event| surface.keyed(&event)
                    on:paste=move |event| surface.pasted(&event)
                    on:scroll=move |_| surface.measure()
                    on:keyup=move |_| surface.locate()
                    on:pointerup=move |_| surface.locate()
                    on:focus=move |_| surface.measure()
                ></textarea>
            </Layers>
            {move || surface.refused.get().map(|size| view! { <PasteRefused size /> })}
            <p id="editor-hint" class="visually-hidden">{t().editor_hint}</p>
            <span class="editor-position">
                {move || {
                    let caret = surface.caret.get();
                    t().line_column.fill([&(caret.line + 1).to_string(), &(caret.column + 1).to_string()])
                }}
            </span>
        </div>
    }
}

/// Line numbers, the current line and the coloured copy: of the visible lines only, moved to where the field scrolled.
#[component]
fn Layers(surface: Surface, is_coloured: Memo<bool>, children: Children) -> impl IntoView {
    let Surface { buffer, syntax, viewport, caret, .. } = surface;
    let line_count =
        Memo::new(move |_| buffer.text.with(|text| text.bytes().filter(|byte| *byte == b'\n').count() + 1));
    let window = Memo::new(move |_| {
        let viewport = viewport.get();
        visible_lines(viewport.top, viewport.height, LINE_PX, line_count.get())
    });
    let coloured = move || {
        if !is_coloured.get() {
            return String::new();
        }
        buffer.text.with(|text| lines_as_html(text, window.get(), syntax.get()))
    };
    let top = move || window.with(|lines| lines.start as f64 * LINE_PX) - viewport.get().top;
    let current = move || caret.get().line as f64 * LINE_PX - viewport.get().top;
    view! {
        <div class="editor-frame">
            <pre class="editor-gutter" aria-hidden="true">
                <code style:transform=move || format!("translateY({}px)", top())>{move || line_numbers(window.get())}</code>
            </pre>
            <div class="editor-body">
                <div
                    class="editor-current"
                    aria-hidden="true"
                    style:transform=move || format!("translateY({}px)", current())
                ></div>
                <pre class="editor-colours" aria-hidden="true">
                    <code
                        style:transform=move || format!("translate({}px, {}px)", -viewport.get().left, top())
                        inner_html=coloured
                    ></code>
                </pre>
                {children()}
            </div>
        </div>
    }
}
