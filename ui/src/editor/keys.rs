//! What a key does to the text besides inserting itself: indentation, pairs, typing over a closer. Pure.
//!
//! Invariant: typing a whole program character by character ends with the same program up to white space (test
//! `a_typed_program_is_the_program`), so pairs never leave a bracket or a quote too many.

use std::ops::Range;

use super::syntax::Syntax;
use super::tokens::{Kind, Open, tokenize_line};

/// Spaces of one level.
pub const INDENT: usize = 4;

/// A change of the text; offsets are bytes. `replace` refers to the text before, `select` to the text after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub replace: Range<usize>,
    pub with: String,
    pub select: Range<usize>,
}

impl Change {
    fn insert(at: Range<usize>, text: &str, caret: usize) -> Self {
        let caret = at.start + caret;
        Self { replace: at, with: text.to_owned(), select: caret..caret }
    }

    /// The text after the change.
    #[must_use]
    pub fn apply(&self, text: &str) -> String {
        [&text[..self.replace.start], &self.with, &text[self.replace.end..]].concat()
    }
}

/// What `key` (the browser's name for it) does, or `None` when the browser's own way is right.
#[must_use]
pub fn press(text: &str, selection: Range<usize>, key: &str, shift: bool, syntax: Syntax) -> Option<Change> {
    match key {
        "Tab" if shift => Some(outdent(text, selection)),
        "Tab" => Some(indent(text, selection)),
        "Enter" => Some(new_line(text, selection, syntax)),
        "Backspace" => backspace(text, selection),
        "(" | "[" | "{" if is_code(text, selection.start, syntax) => open_bracket(text, selection, key),
        ")" | "]" | "}" if is_code(text, selection.start, syntax) => close_bracket(text, selection, key, syntax),
        "\"" | "'" if surroundings(text, selection.start, syntax) != Kind::Comment => quote(text, selection, key),
        _ => None,
    }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |newline| at + newline)
}

fn leading_blank(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn indent(text: &str, selection: Range<usize>) -> Change {
    if !text[selection.clone()].contains('\n') {
        let column = text[line_start(text, selection.start)..selection.start].chars().count();
        let width = INDENT - column % INDENT;
        return Change::insert(selection, &" ".repeat(width), width);
    }
    change_lines(
        text,
        selection,
        |line| if line.is_empty() { String::new() } else { format!("{}{line}", " ".repeat(INDENT)) },
    )
}

fn outdent(text: &str, selection: Range<usize>) -> Change {
    change_lines(text, selection, |line| {
        let blank = leading_blank(line);
        let removed =
            if blank.starts_with('\t') { 1 } else { blank.bytes().take(INDENT).take_while(|b| *b == b' ').count() };
        line[removed..].to_owned()
    })
}

/// Rewrites every line the selection touches and keeps them selected.
fn change_lines(text: &str, selection: Range<usize>, rewrite: impl Fn(&str) -> String) -> Change {
    let start = line_start(text, selection.start);
    // A selection that ends right behind a newline does not touch the next line.
    let last = if selection.end > selection.start && text[..selection.end].ends_with('\n') {
        selection.end - 1
    } else {
        selection.end
    };
    let end = line_end(text, last);
    let with = text[start..end].split('\n').map(rewrite).collect::<Vec<_>>().join("\n");
    let select = if selection.is_empty() {
        let first_line_shift = with.len() as isize - (end - start) as isize;
        let caret = (selection.start as isize + first_line_shift).max(start as isize) as usize;
        caret..caret
    } else {
        start..start + with.len()
    };
    Change { replace: start..end, with, select }
}

fn new_line(text: &str, selection: Range<usize>, syntax: Syntax) -> Change {
    let before = &text[line_start(text, selection.start)..selection.start];
    let blank = leading_blank(before);
    let opener = before.trim_end().chars().next_back();
    let deeper = match opener {
        Some('{' | '(' | '[') => true,
        Some(':') => syntax == Syntax::Python,
        Some(_) | None => false,
    };
    let closer = text[selection.end..].chars().next();
    let splits_pair =
        matches!((opener, closer), (Some('{'), Some('}')) | (Some('('), Some(')')) | (Some('['), Some(']')));
    let inner = if deeper { format!("\n{blank}{}", " ".repeat(INDENT)) } else { format!("\n{blank}") };
    let caret = inner.len();
    let with = if splits_pair { format!("{inner}\n{blank}") } else { inner };
    Change::insert(selection, &with, caret)
}

/// Removes an empty pair at once, and a whole level of leading spaces.
fn backspace(text: &str, selection: Range<usize>) -> Option<Change> {
    if !selection.is_empty() {
        return None;
    }
    let at = selection.start;
    let around = (text[..at].chars().next_back()?, text[at..].chars().next());
    if matches!(around, ('(', Some(')')) | ('[', Some(']')) | ('{', Some('}')) | ('"', Some('"')) | ('\'', Some('\'')))
    {
        return Some(Change::insert(at - 1..at + 1, "", 0));
    }
    let before = &text[line_start(text, at)..at];
    if before.is_empty() || !before.bytes().all(|byte| byte == b' ') {
        return None;
    }
    let width = (before.len() - 1) % INDENT + 1;
    Some(Change::insert(at - width..at, "", 0))
}

/// Whether a pair may be completed before `next`: not in front of something the closer would tear off.
fn gives_room(next: Option<char>) -> bool {
    next.is_none_or(|c| c.is_whitespace() || matches!(c, ')' | ']' | '}' | ';' | ','))
}

fn open_bracket(text: &str, selection: Range<usize>, key: &str) -> Option<Change> {
    let close = match key {
        "(" => ")",
        "[" => "]",
        _ => "}",
    };
    if !selection.is_empty() {
        return Some(surround(text, selection, key, close));
    }
    gives_room(text[selection.end..].chars().next()).then(|| Change::insert(selection, &format!("{key}{close}"), 1))
}

fn surround(text: &str, selection: Range<usize>, open: &str, close: &str) -> Change {
    let with = format!("{open}{}{close}", &text[selection.clone()]);
    let select = selection.start + 1..selection.end + 1;
    Change { replace: selection, with, select }
}

/// Types over a closer that is already there (over blank lines too) as long as the brackets balance, else inserts;
/// on a blank line a brace steps one level out.
fn close_bracket(text: &str, selection: Range<usize>, key: &str, syntax: Syntax) -> Option<Change> {
    if !selection.is_empty() {
        return None;
    }
    let at = selection.start;
    let rest = &text[at..];
    let blank = rest.len() - rest.trim_start().len();
    if rest[blank..].starts_with(key) && missing_closers(text, key, syntax) <= 0 {
        let start = if blank == 0 {
            at
        } else {
            at - text[line_start(text, at)..at].bytes().rev().take_while(|b| matches!(b, b' ' | b'\t')).count()
        };
        // Over blank lines: what was only indentation goes, the closer stays on its own line.
        let kept = text[at..at + blank].rfind('\n').map_or("", |newline| &text[at + newline..at + blank]);
        let kept = if start == line_start(text, at) { kept.trim_start_matches('\n') } else { kept };
        return Some(Change::insert(start..at + blank + 1, &format!("{kept}{key}"), kept.len() + 1));
    }
    let start = line_start(text, at);
    let before = &text[start..at];
    if key != "}" || before.is_empty() || !before.bytes().all(|byte| byte == b' ') {
        return None;
    }
    let width = before.len().min(INDENT);
    Some(Change::insert(at - width..at, key, 1))
}

/// What a letter typed at `at` would belong to.
fn surroundings(text: &str, at: usize, syntax: Syntax) -> Kind {
    let start = line_start(text, at);
    let mut tokens = Vec::new();
    let above = text[..start].split_terminator('\n');
    let open = above.fold(Open::Nothing, |open, line| {
        tokens.clear();
        tokenize_line(line, &open, syntax, &mut tokens)
    });
    tokens.clear();
    tokenize_line(&format!("{}x", &text[start..at]), &open, syntax, &mut tokens);
    tokens.last().map_or(Kind::Plain, |(kind, _)| *kind)
}

/// Neither inside a comment nor inside a literal: brackets mean something here.
fn is_code(text: &str, at: usize, syntax: Syntax) -> bool {
    match surroundings(text, at, syntax) {
        Kind::Plain | Kind::Keyword | Kind::Type | Kind::Number | Kind::Directive => true,
        Kind::Text | Kind::Comment => false,
    }
}

/// How many closers of a kind the program lacks; texts and comments do not count.
fn missing_closers(text: &str, close: &str, syntax: Syntax) -> i64 {
    let (open, close) = match close {
        ")" => (b'(', b')'),
        "]" => (b'[', b']'),
        _ => (b'{', b'}'),
    };
    let mut tokens = Vec::new();
    let mut state = Open::Nothing;
    let mut missing = 0;
    for line in text.split('\n') {
        tokens.clear();
        state = tokenize_line(line, &state, syntax, &mut tokens);
        let mut at = 0;
        for (kind, length) in &tokens {
            if *kind == Kind::Plain {
                for byte in line[at..at + length].bytes() {
                    missing += i64::from(byte == open) - i64::from(byte == close);
                }
            }
            at += length;
        }
    }
    missing
}

fn quote(text: &str, selection: Range<usize>, key: &str) -> Option<Change> {
    if !selection.is_empty() {
        return Some(surround(text, selection, key, key));
    }
    let at = selection.start;
    let previous = text[..at].chars().next_back();
    if previous == Some('\\') {
        return None;
    }
    if text[at..].starts_with(key) {
        return Some(Change { replace: at..at, with: String::new(), select: at + 1..at + 1 });
    }
    let starts = previous.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | '&' | '<' | '"' | '\''));
    (starts && gives_room(text[at..].chars().next())).then(|| Change::insert(selection, &format!("{key}{key}"), 1))
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
