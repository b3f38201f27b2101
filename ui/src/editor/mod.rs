//! The source editor: a textarea with line numbers, colouring of the visible lines and keys that know brackets.

mod component;
mod highlight;
pub mod keys;
mod keywords;
pub mod syntax;
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

/// No problem takes a source near this size; a paste beyond it is refused with a note, so that the page stays quick.
pub const LARGEST_BYTES: usize = 1024 * 1024;
