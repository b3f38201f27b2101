//! Bytes as the validator sees them: what separates tokens, and how far two streams agree.

/// The six separators; every other byte (NUL, a no-break space's, a BOM's) belongs to a token.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Length of the run of separators (or, with `false`, of token bytes) that the slice begins with.
pub(super) fn leading(bytes: &[u8], spaces: bool) -> usize {
    bytes.iter().position(|byte| is_space(*byte) != spaces).unwrap_or(bytes.len())
}

/// How many leading bytes are equal, in one pass.
pub(super) fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    const STEP: usize = 64;
    let length = left.len().min(right.len());
    let (left, right) = (&left[..length], &right[..length]);
    let equal_steps = left.chunks_exact(STEP).zip(right.chunks_exact(STEP)).take_while(|(a, b)| a == b).count();
    let start = equal_steps * STEP;
    let tail = left[start..].iter().zip(&right[start..]).take_while(|(a, b)| a == b).count();
    start + tail
}

/// Line ends and beginnings of tokens in a slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) lines: u64,
    pub(super) tokens: u64,
}

/// Counts a slice that follows a token byte (`in_token`) or a separator.
pub(super) fn count(bytes: &[u8], in_token: bool) -> Counts {
    /// Lanes of one byte cannot overflow within a block of this many.
    const BLOCK: usize = 255;
    let Some(first) = bytes.first() else { return Counts::default() };
    let mut counts = Counts { lines: u64::from(*first == b'\n'), tokens: u64::from(!in_token && !is_space(*first)) };
    let (before, after) = (&bytes[..bytes.len() - 1], &bytes[1..]);
    for (before, after) in before.chunks(BLOCK).zip(after.chunks(BLOCK)) {
        let (mut lines, mut tokens) = (0u8, 0u8);
        for (previous, byte) in before.iter().zip(after) {
            lines += u8::from(*byte == b'\n');
            tokens += u8::from(is_space(*previous)) & u8::from(!is_space(*byte));
        }
        counts.lines += u64::from(lines);
        counts.tokens += u64::from(tokens);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_bytes_separate() {
        let spaces: Vec<u8> = (0..=255).filter(|byte| is_space(*byte)).collect();
        assert_eq!(spaces, [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]);
    }

    #[test]
    fn the_common_prefix_is_exact_around_its_steps() {
        for length in [0, 1, 63, 64, 65, 127, 128, 200] {
            let left: Vec<u8> = (0..200u8).collect();
            let mut right = left.clone();
            if let Some(byte) = right.get_mut(length) {
                *byte ^= 1;
            }
            assert_eq!(common_prefix(&left, &right), length);
            assert_eq!(common_prefix(&left[..length], &left), length);
        }
    }

    #[test]
    fn tokens_are_counted_across_slices() {
        let text = b"ab  c\nde\n\n f".repeat(100);
        for cut in [0, 1, 2, 4, 255, 256, 300, text.len()] {
            let (head, tail) = text.split_at(cut);
            let first = count(head, false);
            let in_token = head.last().is_some_and(|byte| !is_space(*byte));
            let second = count(tail, in_token);
            // The last `f` of one repetition joins the `ab` of the next.
            assert_eq!(first.tokens + second.tokens, 100 * 3 + 1, "cut {cut}");
            assert_eq!(first.lines + second.lines, 300, "cut {cut}");
        }
    }
}
