//! LaTeX maths as MathML: no script and no font is needed to show it.

use std::sync::LazyLock;
use std::thread;

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};

use super::escape;

static CONVERTER: LazyLock<LatexToMathML> =
    LazyLock::new(|| LatexToMathML::new(MathCoreConfig::default()).expect("the default configuration has no macros"));

/// Formulas longer than this are shown as their source.
const SOURCE_BYTES_CAP: usize = 4 * 1024;

/// The converter is recursive; so much holds the deepest nesting that [`SOURCE_BYTES_CAP`] allows. Only what is used is
/// ever paid for.
const STACK_BYTES: usize = 256 * 1024 * 1024;

/// MathML of a formula; what cannot be converted is shown as its source.
pub(super) fn render(source: &str, is_display: bool) -> String {
    let display = if is_display { MathDisplay::Block } else { MathDisplay::Inline };
    let converted = (source.len() <= SOURCE_BYTES_CAP).then(|| convert(source.trim(), display)).flatten();
    match converted {
        Some(mathml) => mathml,
        None => format!("<code class=\"math-source\">{}</code>", escape(source.trim())),
    }
}

/// On a thread of its own, for its stack, and because some misplaced separators make the converter panic (it holds no
/// state that could be left half-changed).
fn convert(source: &str, display: MathDisplay) -> Option<String> {
    let convert = || CONVERTER.convert_with_local_state(source, display).ok().map(|converted| converted.mathml);
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, convert).ok()?;
        thread.join().ok().flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_formulas_become_mathml() {
        for source in [
            r"1 \le n \leq 10^5",
            r"a_i \neq b_{i+1}",
            r"\sum_{i=1}^{n} x_i",
            r"\frac{a}{b}",
            r"O(n \log n)",
            r"\sqrt{2}",
            r"\lfloor x \rfloor",
            r"x \bmod 2",
            r"\{1, 2, \dots, n\}",
            r"10^{-6}",
            r"\text{if } x > 0",
            r"\mathbb{N}",
            r"\left( \frac{1}{2} \right)",
            r"10^9+7",
            r"\begin{cases} 1 & x \\ 0 & y \end{cases}",
            r"a\times b\cdot c",
        ] {
            let html = render(source, false);
            assert!(html.starts_with("<math"), "{source}: {html}");
        }
        assert!(render("x", true).contains("display=\"block\""));
    }

    #[test]
    fn deep_nesting_does_not_exhaust_the_stack() {
        for (open, close) in [
            ("{", "}"),
            ("\\sqrt{", "}"),
            ("x^{", "}"),
            ("\\frac{1}{", "}"),
            ("\\left(", "\\right)"),
            ("\\text{", "}"),
            ("\\sqrt ", ""),
            ("\\begin{array}{l}", "\\end{array}"),
            ("x^", ""),
            ("\\overline\\frac1", ""),
        ] {
            let deepest = SOURCE_BYTES_CAP / open.len();
            let balanced = SOURCE_BYTES_CAP / (open.len() + close.len()) - 1;
            render(&open.repeat(deepest), false);
            render(&(open.repeat(balanced) + "x" + &close.repeat(balanced)), false);
        }
    }

    #[test]
    fn what_is_not_understood_is_shown_and_harmless() {
        assert_eq!(render(r"\frac{<b>", false), "<code class=\"math-source\">\\frac{&lt;b&gt;</code>");
        assert!(render(r"\begin{aligned}^&\end{aligned}", true).starts_with("<code"), "the converter panics on this");
    }
}
