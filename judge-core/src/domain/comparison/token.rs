//! One token as far as it must be remembered: its beginning to show, and its value as a number.

use super::number::NumberScan;

/// Bytes of a token that a message shows.
pub(super) const SHOWN_BYTES: usize = 64;

/// The token that a stream is in, in constant memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Token {
    head: Vec<u8>,
    is_cut: bool,
    number: NumberScan,
}

impl Token {
    pub(super) fn reset(&mut self) {
        self.head.clear();
        self.is_cut = false;
        self.number.reset();
    }

    /// The next bytes of the token; none is a separator. Its value is followed only if `may_be_number`.
    pub(super) fn feed(&mut self, bytes: &[u8], may_be_number: bool) {
        let kept = bytes.len().min(SHOWN_BYTES - self.head.len());
        self.head.extend_from_slice(&bytes[..kept]);
        self.is_cut |= kept < bytes.len();
        if may_be_number {
            self.number.feed(bytes);
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        self.number.value()
    }

    /// Everything that a message shows is known.
    pub(super) fn is_full(&self) -> bool {
        self.is_cut
    }

    /// For people: control bytes escaped, `…` where it was cut.
    pub(super) fn shown(&self) -> String {
        let mut shown = String::new();
        for part in self.head.utf8_chunks() {
            for character in part.valid().chars() {
                match character {
                    '\0'..='\u{1f}' | '\u{7f}' => shown.extend(character.escape_default()),
                    other => shown.push(other),
                }
            }
            shown.extend(part.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
        }
        if self.is_cut {
            shown.push('…');
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_readable_and_bounded() {
        let mut token = Token::default();
        token.feed(b"a\0\xff", true);
        token.feed("\u{e9}".as_bytes(), true);
        assert_eq!(token.shown(), "a\\u{0}\\xff\u{e9}");
        token.feed(&[b'x'; 1000], true);
        assert!(token.is_full());
        assert!(token.shown().ends_with("x…"));
        token.reset();
        assert_eq!(token.shown(), "");
    }
}
