//! Markdown statements: CommonMark with tables, footnotes and maths. (Problem Package Format 2025-09, "Statements".)

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use super::{Rendered, SampleSlots, maths};

const NEXT: &str = "{{nextsample}}";
const REMAINING: &str = "{{remainingsamples}}";

/// HTML, not yet sanitised.
pub(super) fn render(text: &str, samples: u32) -> Rendered {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
    let mut slots = SampleSlots { placed: 0, total: samples };
    let mut in_code = false;
    let events = Parser::new_ext(text, options).map(|event| match event {
        Event::Start(Tag::CodeBlock(_)) => {
            in_code = true;
            event
        }
        Event::End(TagEnd::CodeBlock) => {
            in_code = false;
            event
        }
        Event::Text(text) if !in_code && text.contains("{{") => placed(text, &mut slots),
        Event::InlineMath(source) => Event::InlineHtml(maths::render(&source, false).into()),
        Event::DisplayMath(source) => Event::InlineHtml(maths::render(&source, true).into()),
        other => other,
    });
    let mut out = String::new();
    html::push_html(&mut out, events);
    // The sanitiser takes every `style` away; tables keep their alignment as an attribute.
    for side in ["left", "center", "right"] {
        out = out.replace(&format!(" style=\"text-align: {side}\""), &format!(" align=\"{side}\""));
    }
    Rendered { html: out, placed_samples: slots.placed, title: None }
}

/// The text with its sample slots.
fn placed<'a>(text: CowStr<'a>, slots: &mut SampleSlots) -> Event<'a> {
    if !text.contains(NEXT) && !text.contains(REMAINING) {
        return Event::Text(text);
    }
    let (mut out, mut rest) = (String::new(), text.as_ref());
    while let Some(at) = rest.find("{{") {
        out.push_str(&super::escape(&rest[..at]));
        if let Some(after) = rest[at..].strip_prefix(NEXT) {
            out.push_str(&slots.next());
            rest = after;
        } else if let Some(after) = rest[at..].strip_prefix(REMAINING) {
            out.push_str(&slots.remaining());
            rest = after;
        } else {
            out.push_str("{{");
            rest = &rest[at + 2..];
        }
    }
    out.push_str(&super::escape(rest));
    Event::InlineHtml(out.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dialect_of_the_format_is_read() {
        let html =
            render("# H\n\nA *b* $x_1$ `$c$`.[^1]\n\n| a | b |\n|--:|---|\n| 1 | 2 |\n\n[^1]: note\n\n$$y$$\n", 0).html;
        for piece in
            ["<h1>H</h1>", "<em>b</em>", "<math", "<code>$c$</code>", "<th align=\"right\">", "footnote", "block"]
        {
            assert!(html.contains(piece), "{piece} in {html}");
        }
    }

    #[test]
    fn samples_are_placed_in_order() {
        let rendered =
            render("a\n\n{{nextsample}}\n\nb < c {{nextsample}}\n\n{{remainingsamples}}\n\n`{{nextsample}}`", 4);
        assert_eq!(rendered.placed_samples, 4);
        for index in 0..4 {
            assert!(rendered.html.contains(&format!("data-index=\"{index}\"")), "{}", rendered.html);
        }
        assert!(rendered.html.contains("b &lt; c ") && rendered.html.contains("<code>{{nextsample}}</code>"));
        assert_eq!(render("{{nextsample}}{{nextsample}}", 1).placed_samples, 1, "no slot without a sample");
    }
}
