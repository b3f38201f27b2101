//! A small line tokenizer for colouring and for bracket counting; it never fails, wrong programs included.

use super::keywords::{is_keyword, is_type};
use super::syntax::Syntax;

/// What a token is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Plain,
    Keyword,
    Type,
    Number,
    Text,
    Comment,
    Directive,
}

/// What is still open at the end of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Open {
    #[default]
    Nothing,
    /// A block comment or a text that spans lines, up to `close`.
    Until { close: String, kind: Kind },
    /// Rust's block comments nest.
    Nested { depth: u32 },
}

/// Pushes `(kind, byte length)` for each token of a line and answers what stays open. Neighbours of one kind are merged.
pub fn tokenize_line(line: &str, open: &Open, syntax: Syntax, tokens: &mut Vec<(Kind, usize)>) -> Open {
    let mut scan = Scan { line, at: 0, syntax, tokens };
    let mut open = open.clone();
    loop {
        open = match open {
            Open::Nothing if scan.at >= line.len() => return Open::Nothing,
            Open::Nothing => scan.code(),
            Open::Until { close, kind } => match scan.rest().find(close.as_str()) {
                Some(found) => {
                    scan.push(kind, found + close.len());
                    Open::Nothing
                }
                None => {
                    scan.push(kind, scan.rest().len());
                    return Open::Until { close, kind };
                }
            },
            Open::Nested { depth } => match scan.nested(depth) {
                0 => Open::Nothing,
                depth => return Open::Nested { depth },
            },
        };
    }
}

struct Scan<'a> {
    line: &'a str,
    at: usize,
    syntax: Syntax,
    tokens: &'a mut Vec<(Kind, usize)>,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    fn push(&mut self, kind: Kind, length: usize) {
        if length == 0 {
            return;
        }
        self.at += length;
        match self.tokens.last_mut() {
            Some((last, total)) if *last == kind => *total += length,
            Some(_) | None => self.tokens.push((kind, length)),
        }
    }

    /// One token of code; answers what it opened.
    fn code(&mut self) -> Open {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Open::Nothing };
        if self.syntax.line_comment().is_some_and(|mark| rest.starts_with(mark)) {
            self.push(Kind::Comment, rest.len());
        } else if self.syntax.has_block_comments() && rest.starts_with("/*") {
            return self.block_comment();
        } else if first == '#' && self.is_directive() {
            self.push(Kind::Directive, rest.len());
        } else if let Some((opening, close)) = raw_text(rest, self.syntax) {
            self.push(Kind::Text, opening);
            return Open::Until { close, kind: Kind::Text };
        } else if first == '"' || first == '\'' {
            self.quoted(first);
        } else if first.is_ascii_digit() {
            let length = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '\'')))
                .unwrap_or(rest.len());
            self.push(Kind::Number, length);
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            self.push(self.word(&rest[..length]), length);
        } else {
            self.push(Kind::Plain, first.len_utf8());
        }
        Open::Nothing
    }

    fn word(&self, word: &str) -> Kind {
        if is_keyword(self.syntax, word) {
            Kind::Keyword
        } else if is_type(self.syntax, word) {
            Kind::Type
        } else {
            Kind::Plain
        }
    }

    fn is_directive(&self) -> bool {
        match self.syntax {
            Syntax::C | Syntax::Cpp => self.line[..self.at].trim().is_empty(),
            Syntax::Rust => self.rest().starts_with("#[") || self.rest().starts_with("#!["),
            Syntax::Python | Syntax::Java | Syntax::Plain => false,
        }
    }

    fn block_comment(&mut self) -> Open {
        self.push(Kind::Comment, 2);
        if self.syntax == Syntax::Rust {
            Open::Nested { depth: 1 }
        } else {
            Open::Until { close: "*/".to_owned(), kind: Kind::Comment }
        }
    }

    /// Goes on in a nested comment; answers the depth at its end or at the end of the line.
    fn nested(&mut self, mut depth: u32) -> u32 {
        while depth > 0 && self.at < self.line.len() {
            let rest = self.rest();
            let step = if rest.starts_with("/*") {
                depth += 1;
                2
            } else if rest.starts_with("*/") {
                depth -= 1;
                2
            } else {
                rest.chars().next().map_or(1, char::len_utf8)
            };
            self.push(Kind::Comment, step);
        }
        depth
    }

    /// A text or character literal that ends on this line at the latest. A Rust lifetime is no literal.
    fn quoted(&mut self, quote: char) {
        let rest = self.rest();
        if quote == '\'' && self.syntax == Syntax::Rust && is_lifetime(rest) {
            self.push(Kind::Plain, 1);
            return;
        }
        let mut escaped = false;
        for (index, c) in rest.char_indices().skip(1) {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if c == quote {
                self.push(Kind::Text, index + c.len_utf8());
                return;
            }
        }
        self.push(Kind::Text, rest.len());
    }
}

/// `'a` without a closing quote right behind its first character.
fn is_lifetime(rest: &str) -> bool {
    let mut chars = rest.chars().skip(1);
    let first = chars.next();
    first.is_some_and(|c| c.is_alphabetic() || c == '_') && chars.next() != Some('\'')
}

/// A literal that may span lines: the length of its opening and the text that closes it.
fn raw_text(rest: &str, syntax: Syntax) -> Option<(usize, String)> {
    match syntax {
        Syntax::Python => {
            ["\"\"\"", "'''"].into_iter().find(|mark| rest.starts_with(mark)).map(|mark| (3, mark.to_owned()))
        }
        Syntax::Java => rest.starts_with("\"\"\"").then(|| (3, "\"\"\"".to_owned())),
        Syntax::Cpp => {
            let inner = rest.strip_prefix("R\"")?;
            let delimiter = &inner[..inner.find('(').filter(|length| *length <= 16)?];
            Some((3 + delimiter.len(), format!("){delimiter}\"")))
        }
        Syntax::Rust => {
            let inner = rest.strip_prefix('r')?;
            let hashes = inner.len() - inner.trim_start_matches('#').len();
            inner[hashes..].starts_with('"').then(|| (2 + hashes, format!("\"{}", "#".repeat(hashes))))
        }
        Syntax::C | Syntax::Plain => None,
    }
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
