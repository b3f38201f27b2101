//! `\begin{…}` to `\end{…}`.

use super::super::escape;
use super::scan::Scanner;
use super::{DEPTH_CAP, Writer};

impl Writer {
    /// An environment, its `\begin` just taken.
    pub(super) fn environment(&mut self, scanner: &mut Scanner<'_>) {
        let name = scanner.raw_argument();
        let name = name.trim_end_matches('*').trim();
        if self.depth >= DEPTH_CAP {
            let raw = scanner.until(&format!("\\end{{{name}}}"));
            self.text(&raw);
            return;
        }
        match name {
            "itemize" | "description" => self.list(scanner, name, "ul"),
            "enumerate" => self.list(scanner, name, "ol"),
            "verbatim" | "lstlisting" | "Verbatim" | "minted" => self.code(scanner, name),
            "quote" | "quotation" => self.wrapped(scanner, "blockquote"),
            "tabular" | "tabularx" | "tabu" | "longtable" => self.table(scanner, name),
            "Input" | "Output" | "Interaction" | "Constraints" | "Notes" | "Note" | "Scoring" => {
                self.between(&format!("<h2>{name}</h2>\n"));
                self.inside(scanner);
                self.close_paragraph();
            }
            "equation" | "displaymath" | "math" => {
                let source = scanner.until_end(name);
                self.maths(&source, name != "math");
            }
            "align" | "eqnarray" | "gather" | "multline" | "alignat" => {
                let source = scanner.until_end(name);
                let inner = if name == "gather" || name == "multline" { "gathered" } else { "aligned" };
                self.maths(&format!("\\begin{{{inner}}}{source}\\end{{{inner}}}"), true);
            }
            // Layout only: figures, minipages, centring. Options and widths are the typesetter's.
            "wrapfigure" | "minipage" => {
                scanner.option();
                scanner.raw_argument();
                if name == "wrapfigure" {
                    scanner.raw_argument();
                }
                self.inside(scanner);
            }
            _ => {
                scanner.option();
                self.inside(scanner);
            }
        }
    }

    fn wrapped(&mut self, scanner: &mut Scanner<'_>, tag: &str) {
        self.between(&format!("<{tag}>"));
        self.inside(scanner);
        self.between(&format!("</{tag}>\n"));
    }

    /// A list: its body is cut at the items of its own level, each read on its own.
    fn list(&mut self, scanner: &mut Scanner<'_>, name: &str, tag: &str) {
        scanner.option();
        let body = scanner.until_end(name);
        self.between(&format!("<{tag}>\n"));
        for item in split_level(&body, "\\item").into_iter().skip(1) {
            self.html.push_str("<li>");
            let mut inner = Scanner::new(item);
            inner.skip_blanks();
            inner.option();
            self.piece(&mut inner);
            self.between("</li>\n");
        }
        self.html.push_str(&format!("</{tag}>\n"));
    }

    fn code(&mut self, scanner: &mut Scanner<'_>, name: &str) {
        scanner.option();
        if name == "minted" {
            scanner.raw_argument();
        }
        let code = scanner.until(&format!("\\end{{{name}}}"));
        let code = code.strip_prefix('\n').unwrap_or(&code);
        self.between(&format!("<pre>{}</pre>\n", escape(code)));
    }

    fn table(&mut self, scanner: &mut Scanner<'_>, name: &str) {
        scanner.option();
        if name == "tabularx" {
            scanner.raw_argument();
        }
        scanner.raw_argument();
        let body = scanner.until_end(name);
        self.between("<table>");
        for row in split_level(&body, "\\\\") {
            let row = row.replace("\\hline", "");
            if row.trim().is_empty() {
                continue;
            }
            self.html.push_str("<tr>");
            for cell in split_level(&row, "&") {
                self.html.push_str("<td>");
                self.in_paragraph = true;
                self.piece(&mut Scanner::new(cell.trim()));
                self.in_paragraph = false;
                self.html.push_str("</td>");
            }
            self.html.push_str("</tr>");
        }
        self.html.push_str("</table>\n");
    }

    /// All of a cut-out piece of source.
    fn piece(&mut self, scanner: &mut Scanner<'_>) {
        while !scanner.is_at_end() {
            self.block(scanner, super::Until::End);
        }
    }
}

impl Scanner<'_> {
    /// The body of an environment, with environments of the same name inside it.
    fn until_end(&mut self, name: &str) -> String {
        let (begin, end, starred) =
            (format!("\\begin{{{name}}}"), format!("\\end{{{name}}}"), format!("\\end{{{name}*}}"));
        let (mut body, mut depth) = (String::new(), 1usize);
        while let Some(next) = self.peek() {
            if self.starts_with(&begin) {
                depth += 1;
            } else if self.starts_with(&end) || self.starts_with(&starred) {
                depth -= 1;
                if depth == 0 {
                    self.environment_name();
                    return body;
                }
            }
            body.push(next);
            self.bump();
        }
        body
    }
}

/// Cuts at a separator that stands outside of braces and environments, and is not escaped or part of a longer word.
fn split_level<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut pieces, mut from, mut at, mut depth) = (Vec::new(), 0, 0, 0usize);
    while at < text.len() {
        let rest = &text[at..];
        let is_word = separator.ends_with(|last: char| last.is_ascii_alphabetic());
        let ends = |after: &str| !is_word || !after.starts_with(|next: char| next.is_ascii_alphabetic());
        let step = if depth == 0 && rest.strip_prefix(separator).is_some_and(ends) {
            pieces.push(&text[from..at]);
            from = at + separator.len();
            separator.len()
        } else if rest.starts_with("\\begin{") {
            depth += 1;
            "\\begin{".len() - 1
        } else if rest.starts_with("\\end{") {
            depth = depth.saturating_sub(1);
            "\\end{".len() - 1
        } else if let Some(escaped) = rest.strip_prefix('\\') {
            1 + escaped.chars().next().map_or(0, char::len_utf8)
        } else {
            match rest.chars().next() {
                Some('{') => depth += 1,
                Some('}') => depth = depth.saturating_sub(1),
                Some(_) | None => {}
            }
            rest.chars().next().map_or(1, char::len_utf8)
        };
        at += step;
    }
    pieces.push(&text[from.min(text.len())..]);
    pieces
}
