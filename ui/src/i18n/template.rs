//! A text with numbered holes whose number is checked while compiling.

/// A text with the holes `{0}` … `{N-1}`, each used at least once, in any order.
#[derive(Clone, Copy, Debug)]
pub struct Template<const N: usize>(&'static str);

impl<const N: usize> Template<N> {
    /// Checks the holes; in a `const` a wrong text does not compile.
    ///
    /// # Panics
    /// When a hole is missing, unknown or not closed.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        let bytes = text.as_bytes();
        let mut seen = [false; N];
        let mut at = 0;
        while at < bytes.len() {
            if bytes[at] == b'{' {
                assert!(at + 2 < bytes.len() && bytes[at + 2] == b'}', "a hole is one digit in braces");
                let hole = (bytes[at + 1] - b'0') as usize;
                assert!(hole < N, "a hole has no value");
                seen[hole] = true;
                at += 2;
            }
            at += 1;
        }
        let mut hole = 0;
        while hole < N {
            assert!(seen[hole], "a value has no hole");
            hole += 1;
        }
        Self(text)
    }

    /// The text with its holes filled.
    #[must_use]
    pub fn fill(&self, values: [&str; N]) -> String {
        let mut filled = String::with_capacity(self.0.len() + 16);
        let mut rest = self.0;
        while let Some(open) = rest.find('{') {
            filled.push_str(&rest[..open]);
            let hole = usize::from(rest.as_bytes()[open + 1] - b'0');
            filled.push_str(values[hole]);
            rest = &rest[open + 3..];
        }
        filled.push_str(rest);
        filled
    }

    /// The text as written.
    #[cfg(test)]
    #[must_use]
    pub const fn raw(&self) -> &'static str {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_filled_in_the_order_of_the_text() {
        const TEXT: Template<2> = Template::new("{1} of {0}, {1}!");
        assert_eq!(TEXT.fill(["a", "b"]), "b of a, b!");
    }

    #[test]
    fn values_are_not_searched_for_holes() {
        const TEXT: Template<1> = Template::new("<{0}>");
        assert_eq!(TEXT.fill(["{0}"]), "<{0}>");
    }

    #[test]
    fn a_wrong_number_of_holes_is_refused() {
        for text in ["no hole", "{0} {1}", "{0", "{x}"] {
            assert!(std::panic::catch_unwind(|| Template::<1>::new(text)).is_err(), "{text}");
        }
    }
}
