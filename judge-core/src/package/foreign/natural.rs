//! The order in which people count: `test2` before `test10`.

use std::cmp::Ordering;

/// Compares runs of digits by their number and everything else by its bytes; what is equal so far, by all bytes.
pub(in crate::package) fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (digits, other) = (digits_of(left), digits_of(right));
        let order = if !digits.is_empty() && !other.is_empty() {
            number(digits, other)
        } else {
            match (left.bytes().next(), right.bytes().next()) {
                (None, None) => return a.cmp(b),
                (one, two) => one.cmp(&two),
            }
        };
        if order != Ordering::Equal {
            return order;
        }
        left = &left[step(left, digits)..];
        right = &right[step(right, other)..];
    }
}

/// Digits together, anything else one character at a time.
fn step(text: &str, digits: &str) -> usize {
    if digits.is_empty() { text.chars().next().map_or(0, char::len_utf8) } else { digits.len() }
}

fn digits_of(text: &str) -> &str {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

/// Of any length: by the digits that count.
fn number(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_as_numbers() {
        let mut names =
            vec!["t10", "t2", "t1", "t02", "a", "t", "t2b", "é3", "t99999999999999999999999", "t1/10", "t1/9"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            ["a", "t", "t1", "t1/9", "t1/10", "t02", "t2", "t2b", "t10", "t99999999999999999999999", "é3"]
        );
    }

    #[test]
    fn it_is_an_order() {
        let names = ["", "1", "01", "a1", "a01b", "a1b", "é", "10", "2", "a", "1a"];
        for a in names {
            for b in names {
                assert_eq!(natural(a, b), natural(b, a).reverse(), "{a} {b}");
                assert_eq!(natural(a, b) == Ordering::Equal, a == b, "{a} {b}");
            }
        }
    }
}
