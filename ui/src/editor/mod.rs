//! The source editor: a textarea with line numbers, colouring of the visible lines and keys that know brackets.

mod component;
mod highlight;
pub mod keys;
mod keywords;
mod paste;
mod surface;
pub mod syntax;
mod textarea;
pub mod tokens;
mod utf16;

pub use component::{Buffer, Editor};

/// A whole text as coloured HTML; plain above [`COLOURED_BYTES`].
#[must_use]
pub fn coloured_html(text: &str, syntax: syntax::Syntax) -> String {
    let syntax = if text.len() > COLOURED_BYTES { syntax::Syntax::Plain } else { syntax };
    highlight::lines_as_html(text, 0..usize::MAX, syntax)
}

/// Above this size the text is shown plain: colouring and bracket keys are off.
pub const COLOURED_BYTES: usize = 200 * 1024;

/// A paste that would make the text larger is refused with a note. No problem takes a source near this size (code
/// limits are 128 KiB as a rule), and the browser needs too long to lay out more lines in a text field.
pub const LARGEST_BYTES: usize = 512 * 1024;

/// As [`LARGEST_BYTES`], in lines.
pub const LARGEST_LINES: usize = 20_000;
