//! LaTeX statements as readable text: the common subset becomes HTML, maths becomes MathML, the rest its own words.
//!
//! One pass over the characters, no macro expansion: whatever is not known is dropped if it takes no argument, or
//! shows its argument. (The guaranteed subset: Problem Package Format, "Problem Statements", LaTeX.)

mod commands;
mod environments;
mod scan;

use self::scan::Scanner;
use super::{Rendered, SampleSlots};

/// Groups and environments inside each other.
const DEPTH_CAP: usize = 48;

/// HTML, not yet sanitised.
pub(super) fn render(text: &str, samples: u32) -> Rendered {
    let mut writer = Writer {
        html: String::new(),
        in_paragraph: false,
        slots: SampleSlots { placed: 0, total: samples },
        title: plain_title(text),
        depth: 0,
    };
    let mut scanner = Scanner::new(text);
    while !scanner.is_at_end() {
        writer.block(&mut scanner, Until::End);
    }
    writer.close_paragraph();
    Rendered { html: writer.html, placed_samples: writer.slots.placed, title: writer.title }
}

/// Legacy packages may name the problem in a comment: `%% plainproblemname: Title`.
fn plain_title(text: &str) -> Option<String> {
    let named = text.lines().find_map(|line| line.trim_start().strip_prefix("%% plainproblemname:"))?;
    let named = named.trim();
    (!named.is_empty()).then(|| named.to_owned())
}

/// What ends a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    End,
    /// The brace that closes a group.
    Brace,
    /// An `\end{…}`; a mismatched one ends the innermost environment.
    Environment,
}

/// The HTML so far.
struct Writer {
    html: String,
    in_paragraph: bool,
    slots: SampleSlots,
    title: Option<String>,
    depth: usize,
}

impl Writer {
    /// Text up to its end, which is consumed.
    fn block(&mut self, scanner: &mut Scanner<'_>, until: Until) {
        self.depth += 1;
        // Tags that a switch such as `\bf` opened, closed with the group.
        let mut open = Vec::new();
        while let Some(next) = scanner.peek() {
            match next {
                '}' => {
                    scanner.bump();
                    if until == Until::Brace {
                        break;
                    }
                }
                '{' => {
                    scanner.bump();
                    self.group(scanner);
                }
                '\\' if scanner.starts_with("\\end{") => {
                    scanner.environment_name();
                    if until == Until::Environment {
                        break;
                    }
                }
                '\\' => self.command(scanner, &mut open),
                '$' => self.dollars(scanner),
                '\n' if scanner.takes_blank_line() => self.close_paragraph(),
                _ => self.character(scanner),
            }
        }
        for tag in open.into_iter().rev() {
            self.html.push_str(&format!("</{tag}>"));
        }
        self.depth -= 1;
    }

    /// `{…}`; past the depth cap its text is taken as it is.
    fn group(&mut self, scanner: &mut Scanner<'_>) {
        if self.depth < DEPTH_CAP {
            self.block(scanner, Until::Brace);
        } else {
            let raw = scanner.raw_group();
            self.text(&raw);
        }
    }

    /// The argument that follows, inside a tag.
    fn tagged(&mut self, scanner: &mut Scanner<'_>, tag: &str) {
        self.open_paragraph();
        self.html.push_str(&format!("<{tag}>"));
        self.argument(scanner);
        self.html.push_str(&format!("</{tag}>"));
    }

    /// The argument that follows, or one character.
    fn argument(&mut self, scanner: &mut Scanner<'_>) {
        scanner.skip_blanks();
        if scanner.takes('{') {
            self.group(scanner);
        } else if !scanner.is_at_end() {
            self.character(scanner);
        }
    }

    fn dollars(&mut self, scanner: &mut Scanner<'_>) {
        let delimiter = if scanner.starts_with("$$") { "$$" } else { "$" };
        scanner.skip(delimiter.len());
        let source = scanner.until(delimiter);
        self.maths(&source, delimiter == "$$");
    }

    fn maths(&mut self, source: &str, is_display: bool) {
        if is_display {
            self.close_paragraph();
        } else {
            self.open_paragraph();
        }
        self.html.push_str(&super::maths::render(source, is_display));
    }

    /// One character of text, with TeX's ligatures.
    fn character(&mut self, scanner: &mut Scanner<'_>) {
        const LIGATURES: [(&str, &str); 6] =
            [("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("`", "‘"), ("~", "\u{a0}")];
        for (written, shown) in LIGATURES {
            if scanner.starts_with(written) {
                scanner.skip(written.len());
                self.text(shown);
                return;
            }
        }
        match scanner.bump() {
            Some('%') => scanner.skip_line(),
            Some('\'') => self.text("’"),
            Some(blank) if blank.is_whitespace() => self.space(),
            Some(other) => self.text(other.encode_utf8(&mut [0; 4])),
            None => {}
        }
    }

    /// A blank; between paragraphs it is nothing.
    fn space(&mut self) {
        if self.in_paragraph {
            self.html.push(' ');
        }
    }

    fn text(&mut self, text: &str) {
        self.open_paragraph();
        self.html.push_str(&super::escape(text));
    }

    fn open_paragraph(&mut self) {
        if !self.in_paragraph {
            self.html.push_str("<p>");
            self.in_paragraph = true;
        }
    }

    fn close_paragraph(&mut self) {
        if self.in_paragraph {
            self.html.truncate(self.html.trim_end().len());
            self.html.push_str("</p>\n");
            self.in_paragraph = false;
        }
    }

    /// HTML that stands between paragraphs.
    fn between(&mut self, html: &str) {
        self.close_paragraph();
        self.html.push_str(html);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(text: &str) -> String {
        render(text, 3).html.trim().to_owned()
    }

    #[test]
    fn paragraphs_and_fonts() {
        assert_eq!(html("One\ntwo.\n\nThree % gone\nfour."), "<p>One two.</p>\n<p>Three four.</p>");
        assert_eq!(
            html(r"\textbf{a \emph{b}} \texttt{c<d}"),
            "<p><strong>a <em>b</em></strong> <code>c&lt;d</code></p>"
        );
        assert_eq!(html(r"x {\bf y {\em z}} w"), "<p>x <strong>y <em>z</em></strong> w</p>");
        assert_eq!(html(r"100\% \& \_x\{\} 1--2---3 ``q'' a~b"), "<p>100% &amp; _x{} 1–2—3 “q” a\u{a0}b</p>");
        assert_eq!(html(r#"caf\'e na\"{\i}ve \o \ss"#), "<p>cafe\u{301} nai\u{308}ve øß</p>");
    }

    #[test]
    fn sections_of_a_statement() {
        let text = "\\problemname{Sum It}\nAdd.\n\\section*{Input}\nTwo.\n\\begin{Output}\nOne.\n\\end{Output}\n";
        let rendered = render(text, 0);
        assert_eq!(rendered.title.as_deref(), Some("Sum It"));
        assert_eq!(rendered.html.trim(), "<p>Add.</p>\n<h2>Input</h2>\n<p>Two.</p>\n<h2>Output</h2>\n<p>One.</p>");
        assert_eq!(render("%% plainproblemname: A & B\n\\problemname{$A$}", 0).title.as_deref(), Some("A & B"));
    }

    #[test]
    fn lists_and_tables() {
        assert_eq!(
            html("\\begin{itemize}\n\\item a\n\\item[x] b\n\\begin{enumerate}\\item c\\end{enumerate}\n\\end{itemize}")
                .replace('\n', ""),
            "<ul><li><p>a</p></li><li><p>b</p><ol><li><p>c</p></li></ol></li></ul>"
        );
        let table = html("\\begin{tabular}{|l|r|}\\hline a & $b$ \\\\ \\hline c\\&d & e \\\\ \\hline\\end{tabular}");
        assert!(table.starts_with("<table><tr><td>a</td><td><math>"), "{table}");
        assert!(table.contains("<tr><td>c&amp;d</td><td>e</td></tr></table>"), "{table}");
    }

    #[test]
    fn code_is_kept_as_it_is() {
        assert_eq!(html("\\begin{verbatim}\na $x$ <b> \\n\n\\end{verbatim}"), "<pre>a $x$ &lt;b&gt; \\n\n</pre>");
        assert_eq!(html(r"\verb|a$b\c| and \lstinline!x_1!"), "<p><code>a$b\\c</code> and <code>x_1</code></p>");
        assert_eq!(html("\\begin{lstlisting}[language=C]\nint x;\n\\end{lstlisting}"), "<pre>int x;\n</pre>");
    }

    #[test]
    fn maths_in_every_delimiter() {
        for text in [
            "$x$",
            "\\(x\\)",
            "\\[x\\]",
            "$$x$$",
            "\\begin{equation}x\\end{equation}",
            "\\begin{align*}x&=1\\\\y&=2\\end{align*}",
        ] {
            assert!(html(text).contains("<math"), "{text}: {}", html(text));
        }
        assert!(html("costs \\$5 and $1 \\le n$").starts_with("<p>costs $5 and <math"));
    }

    #[test]
    fn pictures_links_and_samples() {
        let figure = html(r"\illustration{0.3}{cat.png}{A \emph{cat}}");
        assert_eq!(figure, "<figure><img src=\"cat.png\" alt=\"\"><figcaption>A <em>cat</em></figcaption></figure>");
        assert!(html(r"\includegraphics[width=3cm]{a/b.jpg}").contains("src=\"a/b.jpg\""));
        assert_eq!(html(r"\href{http://x.y/?a=1&b}{here}"), "<p><a href=\"http://x.y/?a=1&amp;b\">here</a></p>");
        let samples = render("\\nextsample text \\remainingsamples", 3);
        assert_eq!(samples.placed_samples, 3);
        assert!(samples.html.contains("data-index=\"2\""));
    }

    #[test]
    fn what_is_not_known_does_no_harm() {
        assert_eq!(html(r"\unknown{shown} \vspace{3cm} \noindent a\footnote{b} \label{x}"), "<p>shown  a (b)</p>");
        for text in [
            "{",
            "}",
            "\\",
            "$",
            "\\begin{itemize}",
            "\\end{x}",
            "\\textbf",
            "\\begin{tabular}",
            "\\verb",
            "\\item",
            "{{{",
            "\\href{",
        ] {
            html(text);
        }
        html(&"{".repeat(100_000));
        html(&"\\begin{itemize}\\item ".repeat(2000));
        assert!(html(&"\\textbf{".repeat(500)).len() < 100_000);
    }
}
