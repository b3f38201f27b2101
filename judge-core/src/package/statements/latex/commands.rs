//! Control words and symbols.

use super::super::escape;
use super::scan::Scanner;
use super::{Until, Writer};

/// Fonts with an argument, and the tag each becomes.
const FONTS: [(&str, &str); 12] = [
    ("emph", "em"),
    ("textit", "em"),
    ("textsl", "em"),
    ("textbf", "strong"),
    ("texttt", "code"),
    ("underline", "u"),
    ("textsuperscript", "sup"),
    ("textsubscript", "sub"),
    ("uline", "u"),
    ("sout", "s"),
    ("strong", "strong"),
    ("code", "code"),
];
/// Switches that hold to the end of their group.
const SWITCHES: [(&str, &str); 9] = [
    ("bf", "strong"),
    ("bfseries", "strong"),
    ("it", "em"),
    ("itshape", "em"),
    ("em", "em"),
    ("sl", "em"),
    ("tt", "code"),
    ("ttfamily", "code"),
    ("slshape", "em"),
];
const HEADINGS: [(&str, &str); 5] =
    [("section", "h2"), ("subsection", "h3"), ("subsubsection", "h4"), ("paragraph", "h4"), ("chapter", "h2")];
/// Words that stand for themselves.
const SYMBOLS: [(&str, &str); 34] = [
    ("ldots", "…"),
    ("dots", "…"),
    ("textellipsis", "…"),
    ("textbackslash", "\\"),
    ("textasciitilde", "~"),
    ("textasciicircum", "^"),
    ("textless", "<"),
    ("textgreater", ">"),
    ("textbar", "|"),
    ("textunderscore", "_"),
    ("textquotesingle", "'"),
    ("textquotedbl", "\""),
    ("LaTeX", "LaTeX"),
    ("TeX", "TeX"),
    ("ss", "ß"),
    ("o", "ø"),
    ("O", "Ø"),
    ("aa", "å"),
    ("AA", "Å"),
    ("ae", "æ"),
    ("AE", "Æ"),
    ("oe", "œ"),
    ("OE", "Œ"),
    ("l", "ł"),
    ("L", "Ł"),
    ("i", "i"),
    ("j", "j"),
    ("euro", "€"),
    ("pounds", "£"),
    ("S", "§"),
    ("copyright", "©"),
    ("textdegree", "°"),
    ("textendash", "–"),
    ("textemdash", "—"),
];
/// Accents as the combining character after the letter.
const ACCENTS: [(&str, char); 13] = [
    ("'", '\u{301}'),
    ("`", '\u{300}'),
    ("^", '\u{302}'),
    ("\"", '\u{308}'),
    ("~", '\u{303}'),
    ("=", '\u{304}'),
    (".", '\u{307}'),
    ("c", '\u{327}'),
    ("v", '\u{30c}'),
    ("u", '\u{306}'),
    ("H", '\u{30b}'),
    ("k", '\u{328}'),
    ("r", '\u{30a}'),
];
/// Words whose argument is for the typesetter only, by how many they take.
const SWALLOWED: [(&str, usize); 14] = [
    ("vspace", 1),
    ("hspace", 1),
    ("label", 1),
    ("ref", 1),
    ("cite", 1),
    ("setlength", 2),
    ("addtolength", 2),
    ("usepackage", 1),
    ("documentclass", 1),
    ("input", 1),
    ("newcommand", 2),
    ("renewcommand", 2),
    ("def", 1),
    ("lstset", 1),
];

fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

impl Writer {
    /// One control sequence. `open` collects tags that end with the group.
    pub(super) fn command(&mut self, scanner: &mut Scanner<'_>, open: &mut Vec<&'static str>) {
        let name = scanner.command_name();
        let name = name.as_str();
        if let Some(tag) = find(&FONTS, name) {
            self.tagged(scanner, tag);
        } else if let Some(tag) = find(&SWITCHES, name) {
            self.open_paragraph();
            self.html.push_str(&format!("<{tag}>"));
            open.push(tag);
        } else if let Some(tag) = find(&HEADINGS, name) {
            self.heading(scanner, tag);
        } else if let Some(symbol) = find(&SYMBOLS, name) {
            self.text(symbol);
        } else if let Some(accent) = find(&ACCENTS, name) {
            self.argument(scanner);
            self.html.push(accent);
        } else if let Some(arguments) = find(&SWALLOWED, name) {
            scanner.option();
            for _ in 0..arguments {
                scanner.raw_argument();
            }
        } else {
            self.other(scanner, name);
        }
    }

    fn other(&mut self, scanner: &mut Scanner<'_>, name: &str) {
        match name {
            "begin" => self.environment(scanner),
            "(" => {
                let source = scanner.until("\\)");
                self.maths(&source, false);
            }
            "[" => {
                let source = scanner.until("\\]");
                self.maths(&source, true);
            }
            "\\" | "newline" | "linebreak" => {
                scanner.option();
                if self.in_paragraph {
                    self.html.push_str("<br>");
                }
            }
            "par" => self.close_paragraph(),
            "hline" | "toprule" | "midrule" | "bottomrule" => {}
            " " | "," | ";" | ":" | "quad" | "qquad" | "space" | "\n" => self.space(),
            "%" | "&" | "_" | "#" | "{" | "}" | "$" => self.text(name),
            "verb" | "lstinline" => self.verb(scanner),
            "problemname" => {
                let title = scanner.raw_argument();
                if !title.is_empty() {
                    self.title.get_or_insert(title);
                }
            }
            "illustration" => self.illustration(scanner),
            "includegraphics" => self.picture(scanner),
            "url" => {
                let target = scanner.raw_argument();
                self.link(&target, |writer| writer.text(&target));
            }
            "href" => {
                let target = scanner.raw_argument();
                self.link(&target, |writer| writer.argument(scanner));
            }
            "footnote" => {
                self.text(" (");
                self.argument(scanner);
                self.text(")");
            }
            "nextsample" => {
                let slot = self.slots.next();
                self.between(&slot);
            }
            "remainingsamples" => {
                let slots = self.slots.remaining();
                self.between(&slots);
            }
            // Unknown: its argument, if it has one, is text that follows.
            _ => {
                scanner.option();
            }
        }
    }

    fn heading(&mut self, scanner: &mut Scanner<'_>, tag: &str) {
        self.between(&format!("<{tag}>"));
        // Inside a heading nothing opens a paragraph.
        self.in_paragraph = true;
        self.argument(scanner);
        self.in_paragraph = false;
        self.html.push_str(&format!("</{tag}>\n"));
    }

    fn verb(&mut self, scanner: &mut Scanner<'_>) {
        scanner.option();
        let Some(delimiter) = scanner.bump() else { return };
        let code =
            if delimiter == '{' { scanner.raw_group() } else { scanner.until(delimiter.encode_utf8(&mut [0; 4])) };
        self.open_paragraph();
        self.html.push_str(&format!("<code>{}</code>", escape(&code)));
    }

    /// `\illustration{width}{file}{caption}`; the width is the page's affair.
    fn illustration(&mut self, scanner: &mut Scanner<'_>) {
        scanner.raw_argument();
        let file = scanner.raw_argument();
        self.between(&format!("<figure><img src=\"{}\" alt=\"\"><figcaption>", escape(&file)));
        self.in_paragraph = true;
        self.argument(scanner);
        self.in_paragraph = false;
        self.html.push_str("</figcaption></figure>\n");
    }

    fn picture(&mut self, scanner: &mut Scanner<'_>) {
        scanner.option();
        let file = scanner.raw_argument();
        self.open_paragraph();
        self.html.push_str(&format!("<img src=\"{}\" alt=\"\">", escape(&file)));
    }

    fn link(&mut self, target: &str, words: impl FnOnce(&mut Self)) {
        self.open_paragraph();
        self.html.push_str(&format!("<a href=\"{}\">", escape(target)));
        words(self);
        self.html.push_str("</a>");
    }

    /// Text of an environment whose beginning was taken.
    pub(super) fn inside(&mut self, scanner: &mut Scanner<'_>) {
        self.block(scanner, Until::Environment);
    }
}
