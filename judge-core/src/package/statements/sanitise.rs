//! Makes any HTML harmless: an allow-list of tags and attributes, no script, no style, nothing from elsewhere.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use ammonia::Builder;

const MATH_TAGS: &[&str] = &[
    "math",
    "mrow",
    "mi",
    "mo",
    "mn",
    "ms",
    "mtext",
    "mspace",
    "msqrt",
    "mroot",
    "mfrac",
    "msub",
    "msup",
    "msubsup",
    "munder",
    "mover",
    "munderover",
    "mmultiscripts",
    "mprescripts",
    "none",
    "mtable",
    "mtr",
    "mtd",
    "mstyle",
    "merror",
    "mpadded",
    "mphantom",
];
const MATH_ATTRIBUTES: &[&str] = &[
    "display",
    "mathvariant",
    "stretchy",
    "form",
    "fence",
    "separator",
    "lspace",
    "rspace",
    "minsize",
    "maxsize",
    "symmetric",
    "largeop",
    "movablelimits",
    "accent",
    "accentunder",
    "linethickness",
    "displaystyle",
    "scriptlevel",
    "columnalign",
    "columnspan",
    "rowspan",
    "width",
    "height",
    "depth",
    "voffset",
];
const EXTRA_TAGS: &[&str] = &["section", "figure", "figcaption", "u"];

static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = Builder::default();
    cleaner
        .add_tags(MATH_TAGS)
        .add_tags(EXTRA_TAGS)
        .add_tag_attributes("div", ["data-index"])
        .add_tag_attributes("ol", ["start"])
        .add_allowed_classes("div", ["sample-slot", "footnote-definition"])
        .add_allowed_classes("sup", ["footnote-reference", "footnote-definition-label"])
        .add_allowed_classes("code", ["math-source"])
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .attribute_filter(|tag, attribute, value| match (tag, attribute) {
            // Images come from the package only, links from elsewhere only.
            ("img", "src") => (!value.contains(':') && !value.starts_with('/')).then_some(Cow::Borrowed(value)),
            ("a", "href") => value.contains(':').then_some(Cow::Borrowed(value)),
            _ => Some(Cow::Borrowed(value)),
        });
    for tag in MATH_TAGS {
        cleaner.add_tag_attributes(*tag, MATH_ATTRIBUTES);
    }
    cleaner
});

/// Elements inside each other; the parser's time grows with the square of it.
const DEPTH_CAP: usize = 256;
/// Elements that hold nothing, or that the next of their kind ends without a closing tag.
const SELF_CLOSING: &[&str] = &[
    "area",
    "base",
    "br",
    "col",
    "embed",
    "hr",
    "img",
    "input",
    "link",
    "meta",
    "source",
    "track",
    "wbr",
    "p",
    "li",
    "dt",
    "dd",
    "tr",
    "td",
    "th",
    "thead",
    "tbody",
    "tfoot",
    "option",
    "mspace",
    "none",
    "mprescripts",
];

/// How deep the elements lie inside each other, roughly and never too little by much.
fn depth(html: &str) -> usize {
    let (mut open, mut deepest) = (0usize, 0usize);
    for tag in html.split('<').skip(1) {
        let (is_end, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
        let length = tag.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name = tag[..length].to_ascii_lowercase();
        let starts_with_letter = name.starts_with(|first: char| first.is_ascii_alphabetic());
        if !starts_with_letter || SELF_CLOSING.contains(&name.as_str()) {
            continue;
        }
        open = if is_end { open.saturating_sub(1) } else { open + 1 };
        deepest = deepest.max(open);
    }
    deepest
}

/// Sanitised HTML whose images are named in `data-statement-file`, as `image` resolves them; others are dropped.
/// `None`: nested too deeply to be shown.
pub(super) fn clean(html: &str, mut image: impl FnMut(&str) -> Option<String>) -> Option<String> {
    if depth(html) > DEPTH_CAP {
        return None;
    }
    let clean = CLEANER.clean(html).to_string();
    let mut out = String::with_capacity(clean.len());
    let mut rest = clean.as_str();
    while let Some(at) = rest.find("<img") {
        out.push_str(&rest[..at]);
        let (attributes, after) = attributes(&rest[at + "<img".len()..]);
        rest = after;
        let named = attributes.iter().find(|(name, _)| *name == "src").map(|(_, value)| unescape(value));
        if let Some(file) = named.and_then(|name| image(&name)) {
            out.push_str(&format!("<img data-statement-file=\"{file}\""));
            for (name, value) in
                attributes.iter().filter(|(name, _)| matches!(*name, "alt" | "title" | "width" | "height"))
            {
                out.push_str(&format!(" {name}=\"{value}\""));
            }
            out.push('>');
        }
    }
    out.push_str(rest);
    Some(out)
}

/// Attributes of a tag that the sanitiser wrote (always quoted), and what follows the tag.
fn attributes(text: &str) -> (Vec<(&str, &str)>, &str) {
    let (mut attributes, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix('>') {
            return (attributes, after);
        }
        let Some((name, after)) = rest.split_once("=\"") else { return (attributes, "") };
        let Some((value, after)) = after.split_once('"') else { return (attributes, "") };
        attributes.push((name, value));
        rest = after;
    }
}

fn unescape(value: &str) -> String {
    value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(html: &str) -> String {
        clean(html, |name| (name == "a.png").then(|| name.to_owned())).expect("shallow")
    }

    #[test]
    fn nothing_active_survives() {
        for html in [
            "<script>alert(1)</script>x",
            "<img src=x onerror=alert(1)>x",
            "<a href=\"javascript:alert(1)\">x</a>",
            "<iframe src=\"http://x\"></iframe>x",
            "<p style=\"color:red\" onclick=y>x</p>",
            "<style>p{}</style>x",
            "<svg onload=alert(1)>x</svg>",
            "<math><mtext><script>y</script></mtext></math>x",
            "<img src=\"http://elsewhere/a.png\">x",
            "<img src=\"//elsewhere/a.png\">x",
            "<form action=x>x</form>",
            "<math><maction actiontype=\"statusline#http://x\">x</maction></math>",
            "<a href=\"a.html\">x</a>",
            "<math href=\"javascript:alert(1)\"><mi>x</mi></math>",
        ] {
            let clean = cleaned(html);
            for word in ["script", "alert", "on", "style=", "http", "src", "href", "elsewhere", "<img"] {
                assert!(!clean.contains(word), "{html} became {clean}");
            }
            assert!(clean.contains('x') || html.contains("mtext"), "{html} became {clean}");
        }
    }

    #[test]
    fn what_is_nested_without_end_is_not_even_parsed() {
        for html in ["<div>".repeat(1000), "<b id=1>x".repeat(1000), "<blockquote><p>".repeat(1000)] {
            assert_eq!(clean(&html, |_| None), None);
        }
        for html in ["<p>x".repeat(1000), "<div>x</div>".repeat(1000), "<br>".repeat(1000), "a < b ".repeat(1000)] {
            assert!(clean(&html, |_| None).is_some());
        }
    }

    #[test]
    fn what_statements_need_survives() {
        let slot = "<div class=\"sample-slot\" data-index=\"0\"></div>";
        let maths = "<math display=\"block\"><msup><mi>x</mi><mn>2</mn></msup></math>";
        let table = "<table><thead><tr><th align=\"right\">a</th></tr></thead></table>";
        for html in [slot, maths, table, "<pre><code>a &lt; b</code></pre>", "<ol start=\"3\"><li>x</li></ol>"] {
            assert_eq!(cleaned(html), html);
        }
        assert!(cleaned("<a href=\"https://a.b/\">x</a>").contains("rel=\"noopener noreferrer\""));
    }

    #[test]
    fn images_are_named_and_quotes_cannot_break_out() {
        assert_eq!(
            cleaned("<img src='a.png' alt='a > \"b\"' class=c>!"),
            "<img data-statement-file=\"a.png\" alt=\"a &gt; &quot;b&quot;\">!"
        );
        assert_eq!(cleaned("<img src='b.png' alt='x>y'>!"), "!");
    }
}
