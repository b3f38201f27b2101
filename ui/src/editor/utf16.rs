//! The browser counts UTF-16 units, Rust counts bytes: conversions between the two.

/// The byte offset of a UTF-16 offset; inside a surrogate pair or behind the end it is held at the next boundary.
pub(super) fn to_byte(text: &str, units: usize) -> usize {
    let mut seen = 0;
    for (index, c) in text.char_indices() {
        if seen >= units {
            return index;
        }
        seen += c.len_utf16();
    }
    text.len()
}

/// The UTF-16 offset of a byte offset.
pub(super) fn from_byte(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|(index, _)| *index < byte).map(|(_, c)| c.len_utf16()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_go_there_and_back() {
        let text = "aé日\u{1F600}z";
        for (byte, units) in [(0, 0), (1, 1), (3, 2), (6, 3), (10, 5), (11, 6)] {
            assert_eq!(to_byte(text, units), byte);
            assert_eq!(from_byte(text, byte), units);
        }
        assert_eq!(to_byte(text, 4), 10, "the middle of a pair");
        assert_eq!(to_byte(text, 99), text.len());
    }
}
