//! Where an output first leaves its answer, for people.

use std::fmt;

/// The first difference. It quotes the answer: who may read it is the caller's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub kind: DifferenceKind,
    /// Bytes of output before the differing token or white space.
    pub output_offset: u64,
    /// Line of the output, from 1.
    pub output_line: u64,
    /// The token's number, from 1; for white space the number of the token before it.
    pub token: u64,
}

/// What differs there. Tokens are cut and escaped for showing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    Token {
        expected: String,
        found: String,
    },
    /// The answer's token is a number; `tolerance` says what was allowed.
    Number {
        expected: String,
        found: String,
        tolerance: String,
    },
    /// The output ends where the answer goes on.
    MissingToken {
        expected: String,
    },
    /// The output goes on where the answer ends.
    ExtraToken {
        found: String,
    },
    /// Only under `space_change_sensitive`.
    Whitespace,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, output_offset, output_line, token } = self;
        // People count everything from 1.
        let place = format!("line {output_line}, byte {}", output_offset + 1);
        match kind {
            DifferenceKind::Token { expected, found } => {
                write!(f, "token {token} ({place}): expected `{expected}`, found `{found}`")
            }
            DifferenceKind::Number { expected, found, tolerance } => {
                write!(f, "token {token} ({place}): expected `{expected}` within {tolerance}, found `{found}`")
            }
            DifferenceKind::MissingToken { expected } => {
                write!(f, "the output ends ({place}) before token {token}: expected `{expected}`")
            }
            DifferenceKind::ExtraToken { found } => {
                write!(f, "token {token} ({place}): expected the end of the output, found `{found}`")
            }
            DifferenceKind::Whitespace => {
                write!(f, "white space differs after token {token} ({place}), and here it must not")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_contract::reason::{Reason, ReasonKind};

    use super::*;

    #[test]
    fn every_difference_can_be_said_in_other_languages() {
        let (expected, found) = ("4".to_owned(), "`5`".to_owned());
        let number = DifferenceKind::Number {
            expected: expected.clone(),
            found: found.clone(),
            tolerance: "absolute tolerance 1e-6".into(),
        };
        for (kind, said) in [
            (DifferenceKind::Token { expected: expected.clone(), found: found.clone() }, ReasonKind::TokenDiffers),
            (number, ReasonKind::NumberDiffers),
            (DifferenceKind::MissingToken { expected }, ReasonKind::TokenMissing),
            (DifferenceKind::ExtraToken { found }, ReasonKind::TokenExtra),
            (DifferenceKind::Whitespace, ReasonKind::SpaceDiffers),
        ] {
            let text = Difference { kind, output_offset: 8, output_line: 2, token: 3 }.to_string();
            let read = Reason::read(&text).expect("one of the sentences");
            assert_eq!(read.kind, said, "{text}");
            assert!(read.values.contains(&"9".to_owned()), "{text}");
        }
    }
}
