//! LaTeX statements as readable text.

use super::{Rendered, escape};

/// HTML, not yet sanitised.
pub(super) fn render(text: &str, _samples: u32) -> Rendered {
    Rendered { html: format!("<pre>{}</pre>", escape(text)), ..Rendered::default() }
}
