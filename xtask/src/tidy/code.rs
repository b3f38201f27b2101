//! Separates code from words about code: comments and strings are blanked, test modules cut off.

/// The part before the file's test module; by the house's style that module is the last thing in a file.
pub(super) fn production(text: &str) -> &str {
    let mut from = 0;
    while let Some(found) = text[from..].find("#[cfg(test)]") {
        let at = from + found;
        let rest = text[at + "#[cfg(test)]".len()..].trim_start();
        if rest.starts_with("mod ") || rest.starts_with("pub(crate) mod ") {
            return &text[..at];
        }
        from = at + 1;
    }
    text
}

/// The same text with every comment and every string's content replaced by spaces.
pub(super) fn only(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut kept = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => block_end(bytes, at),
            b'"' => string_end(bytes, at),
            b'r' if !follows_word(bytes, at) => raw_end(bytes, at).unwrap_or(at),
            b'\'' => char_end(bytes, at).unwrap_or(at),
            _ => at,
        };
        for byte in kept.iter_mut().take(end).skip(at) {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end.max(at + 1);
    }
    // Only whole characters inside comments and strings were replaced, byte by byte.
    String::from_utf8_lossy(&kept).into_owned()
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |length| at + length)
}

fn block_end(bytes: &[u8], at: usize) -> usize {
    let mut depth = 0_usize;
    let mut here = at;
    while here < bytes.len() {
        match &bytes[here..bytes.len().min(here + 2)] {
            b"/*" => (depth, here) = (depth + 1, here + 2),
            b"*/" => (depth, here) = (depth - 1, here + 2),
            _ => here += 1,
        }
        if depth == 0 {
            return here;
        }
    }
    bytes.len()
}

fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut here = at + 1;
    while here < bytes.len() {
        match bytes[here] {
            b'\\' => here += 2,
            b'"' => return here + 1,
            _ => here += 1,
        }
    }
    bytes.len()
}

/// `r"…"`, `r#"…"#` and so on; `None` when this `r` starts no raw string.
fn raw_end(bytes: &[u8], at: usize) -> Option<usize> {
    let hashes = bytes[at + 1..].iter().take_while(|&&byte| byte == b'#').count();
    let open = at + 1 + hashes;
    if bytes.get(open) != Some(&b'"') {
        return None;
    }
    let close: Vec<u8> = std::iter::once(b'"').chain(std::iter::repeat_n(b'#', hashes)).collect();
    let length = bytes[open + 1..].windows(close.len()).position(|window| window == close)?;
    Some(open + 1 + length + close.len())
}

/// A character literal's end; `None` for a lifetime or a label.
fn char_end(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes.get(at + 1) == Some(&b'\\') {
        let length = bytes[at + 3..].iter().position(|&byte| byte == b'\'')?;
        return Some(at + 3 + length + 1);
    }
    // One character is at most four bytes long; a lifetime's name has no quote so soon after it.
    let width = match *bytes.get(at + 1)? {
        first if first < 0x80 => 1,
        first if first >= 0xf0 => 4,
        first if first >= 0xe0 => 3,
        _ => 2,
    };
    (bytes.get(at + 1 + width) == Some(&b'\'')).then_some(at + 2 + width)
}

fn follows_word(bytes: &[u8], at: usize) -> bool {
    // `b` before `r` starts a raw byte string, any other letter makes `r` the end of a name.
    at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_') && bytes[at - 1] != b'b'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_say_nothing() {
        let text = "a(\"x.unwrap()\"); // .unwrap()\n/* /* b */ .unwrap() */ c(r#\"\".unwrap()\"#);\n";
        let code = only(text);
        assert!(!code.contains("unwrap"), "{code}");
        assert!(code.contains("a(") && code.contains("c("), "{code}");
        assert_eq!(code.lines().count(), text.lines().count());
    }

    #[test]
    fn quotes_that_open_no_string_do_not_hide_code() {
        for text in [
            "match c { '\"' => x.unwrap(), }",
            "fn f<'a>(x: &'a str) { x.unwrap() }",
            "let c = '\\''; x.unwrap()",
            "'é'; x.unwrap()",
        ] {
            assert!(only(text).contains(".unwrap()"), "{text}");
        }
    }

    #[test]
    fn the_test_module_is_cut_but_not_a_lone_test_item() {
        let text = "#[cfg(test)]\nuse x;\nfn f() {}\n#[cfg(test)]\nmod tests { fn g() {} }\n";
        assert!(production(text).contains("fn f") && !production(text).contains("fn g"));
    }
}
