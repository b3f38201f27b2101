//! The coloured copy of the visible lines that lies under the transparent textarea.

use std::ops::Range;

use super::syntax::Syntax;
use super::tokens::{Kind, Open, tokenize_line};

fn class(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Plain => None,
        Kind::Keyword => Some("tk"),
        Kind::Type => Some("tt"),
        Kind::Number => Some("tn"),
        Kind::Text => Some("ts"),
        Kind::Comment => Some("tc"),
        Kind::Directive => Some("td"),
    }
}

/// HTML of the lines in `window`; everything before it is only tokenized for what it leaves open.
pub(super) fn lines_as_html(text: &str, window: Range<usize>, syntax: Syntax) -> String {
    let mut html = String::new();
    let mut tokens = Vec::new();
    let mut open = Open::Nothing;
    for (index, line) in text.split('\n').enumerate().take(window.end) {
        tokens.clear();
        open = tokenize_line(line, &open, syntax, &mut tokens);
        if index < window.start {
            continue;
        }
        let mut at = 0;
        for (kind, length) in &tokens {
            let piece = &line[at..at + length];
            at += length;
            match class(*kind) {
                Some(class) => {
                    html.push_str("<span class=\"");
                    html.push_str(class);
                    html.push_str("\">");
                    escape_into(&mut html, piece);
                    html.push_str("</span>");
                }
                None => escape_into(&mut html, piece),
            }
        }
        html.push('\n');
    }
    html
}

fn escape_into(html: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            other => html.push(other),
        }
    }
}

/// Numbers of the lines in `window` (0-based), as the gutter shows them.
pub(super) fn line_numbers(window: Range<usize>) -> String {
    let mut text = String::new();
    for number in window {
        text.push_str(&(number + 1).to_string());
        text.push('\n');
    }
    text
}

/// Lines to draw for a scroll position, with a margin so that small scrolls show no gap.
pub(super) fn visible_lines(scroll_px: f64, height_px: f64, line_px: f64, lines: usize) -> Range<usize> {
    const MARGIN: usize = 8;
    let first = (scroll_px / line_px).max(0.0) as usize;
    let count = (height_px / line_px).ceil().max(1.0) as usize;
    first.saturating_sub(MARGIN).min(lines)..(first + count + MARGIN).min(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_a_program_stays_text() {
        assert_eq!(lines_as_html("a<b>&c", 0..1, Syntax::Plain), "a&lt;b&gt;&amp;c\n");
        let html = lines_as_html("\"<script>\"", 0..1, Syntax::Cpp);
        assert_eq!(html, "<span class=\"ts\">\"&lt;script&gt;\"</span>\n");
    }

    #[test]
    fn a_window_knows_what_was_opened_above_it() {
        let html = lines_as_html("/* a\nint b\n*/ int c", 1..3, Syntax::C);
        assert_eq!(
            html,
            "<span class=\"tc\">int b</span>\n<span class=\"tc\">*/</span> <span class=\"tt\">int</span> c\n"
        );
    }

    #[test]
    fn only_visible_lines_are_drawn() {
        assert_eq!(visible_lines(0.0, 400.0, 20.0, 1_000_000), 0..28);
        assert_eq!(visible_lines(20_000.0, 400.0, 20.0, 1_000_000), 992..1028);
        assert_eq!(visible_lines(0.0, 400.0, 20.0, 3), 0..3);
        assert_eq!(line_numbers(8..11), "9\n10\n11\n");
    }
}
