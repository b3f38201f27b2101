//! Walks LaTeX source character by character.

/// A place in the source.
pub(super) struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.rest.starts_with(text)
    }

    /// Skips bytes that were just seen to be there.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    pub(super) fn takes(&mut self, character: char) -> bool {
        let is_next = self.peek() == Some(character);
        if is_next {
            self.bump();
        }
        is_next
    }

    /// Blanks within a line and over one line end.
    pub(super) fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        if self.rest.starts_with('\n') && !self.is_blank_line() {
            self.rest = self.rest[1..].trim_start_matches([' ', '\t']);
        }
    }

    /// The rest of a comment, and the line end that TeX drops with it.
    pub(super) fn skip_line(&mut self) {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        self.rest = &self.rest[end..];
        if !self.is_blank_line() {
            self.rest = self.rest.strip_prefix('\n').unwrap_or(self.rest).trim_start_matches([' ', '\t']);
        }
    }

    fn is_blank_line(&self) -> bool {
        let Some(after) = self.rest.strip_prefix('\n') else { return false };
        let next = after.trim_start_matches([' ', '\t', '\r']);
        next.starts_with('\n')
    }

    /// Takes a line end with blank lines after it; `false` and nothing taken for a single one.
    pub(super) fn takes_blank_line(&mut self) -> bool {
        let is_blank = self.is_blank_line();
        if is_blank {
            self.rest = self.rest.trim_start();
        }
        is_blank
    }

    /// Everything before `end`, which is taken too; to the end of the text if it is absent.
    pub(super) fn until(&mut self, end: &str) -> String {
        let mut at = 0;
        let found = loop {
            match self.rest[at..].find(end) {
                // `\$` ends no formula.
                Some(offset) if end.starts_with('$') && self.rest[..at + offset].ends_with('\\') => {
                    at += offset + end.len();
                }
                Some(offset) => break Some(at + offset),
                None => break None,
            }
        };
        let (taken, rest) = match found {
            Some(at) => (&self.rest[..at], &self.rest[at + end.len()..]),
            None => (self.rest, ""),
        };
        self.rest = rest;
        taken.to_owned()
    }

    /// The name of a control word or symbol after its backslash; blanks after a word are taken with it.
    pub(super) fn command_name(&mut self) -> String {
        self.bump();
        let letters = self.rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters == 0 {
            return self.bump().map(String::from).unwrap_or_default();
        }
        let name = self.rest[..letters].to_owned();
        self.rest = &self.rest[letters..];
        self.takes('*');
        self.skip_blanks();
        name
    }

    /// The name in `\begin{name}` or `\end{name}`.
    pub(super) fn environment_name(&mut self) -> String {
        self.until("{");
        let name = self.until("}");
        name.trim_end_matches('*').trim().to_owned()
    }

    /// `[…]`, if it is there.
    pub(super) fn option(&mut self) -> Option<String> {
        self.starts_with("[").then(|| {
            self.bump();
            self.until("]")
        })
    }

    /// `{…}` as it is written, braces inside balanced; empty if there is none.
    pub(super) fn raw_argument(&mut self) -> String {
        self.skip_blanks();
        if self.takes('{') { self.raw_group() } else { String::new() }
    }

    /// The rest of a group whose brace was taken.
    pub(super) fn raw_group(&mut self) -> String {
        let (mut depth, mut is_escaped) = (1usize, false);
        let end = self.rest.char_indices().find(|(_, character)| {
            match character {
                _ if is_escaped => {
                    is_escaped = false;
                    return false;
                }
                '\\' => is_escaped = true,
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let (taken, rest) = match end {
            Some((at, _)) => (&self.rest[..at], &self.rest[at + 1..]),
            None => (self.rest, ""),
        };
        self.rest = rest;
        taken.to_owned()
    }
}
