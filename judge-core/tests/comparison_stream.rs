//! The streaming comparison against a reference that holds both texts whole, and its messages and memory.

use std::io::{self, Read};
use std::ops::ControlFlow;

use judge_core::domain::comparison::{Comparison, ComparisonResult, DefaultValidatorArgs, Difference, DifferenceKind};
use proptest::prelude::*;

/// Answers in pieces of odd sizes, as a file system might.
struct Dribble<'a>(&'a [u8], usize);

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.len().min(self.1).min(buffer.len());
        buffer[..length].copy_from_slice(&self.0[..length]);
        self.0 = &self.0[length..];
        Ok(length)
    }
}

fn compare(args: &DefaultValidatorArgs, answer: &[u8], output: &[u8], sizes: (usize, usize)) -> ComparisonResult {
    let mut comparison = Comparison::new(args.clone(), Dribble(answer, sizes.0));
    for chunk in output.chunks(sizes.1) {
        if comparison.push(chunk) == ControlFlow::Break(()) {
            break;
        }
    }
    comparison.finish().expect("memory cannot fail to be read")
}

fn args(flags: &str) -> DefaultValidatorArgs {
    DefaultValidatorArgs::parse(&flags.split_whitespace().collect::<Vec<_>>()).expect("well-formed flags")
}

fn difference(flags: &str, answer: &str, output: &str) -> Difference {
    match compare(&args(flags), answer.as_bytes(), output.as_bytes(), (7, 5)) {
        ComparisonResult::Accepted => panic!("accepted {output:?} for {answer:?}"),
        ComparisonResult::Rejected(difference) => difference,
    }
}

/// The specification read literally, over whole texts.
mod naive {
    use judge_core::domain::comparison::DefaultValidatorArgs;

    fn is_space(byte: &u8) -> bool {
        b" \t\n\x0b\x0c\r".contains(byte)
    }

    fn number(token: &[u8]) -> Option<f64> {
        let text = std::str::from_utf8(token).ok()?;
        if !text.bytes().all(|byte| b"+-.eE0123456789".contains(&byte)) {
            return None;
        }
        let cut = |text: &str| -> Option<f64> { text.parse().ok().filter(|value: &f64| value.is_finite()) };
        // One empty exponent may follow; what is before it must be a whole number by itself.
        let dangling = ["e", "E", "e+", "E+", "e-", "E-"].iter().find_map(|end| text.strip_suffix(end));
        cut(dangling.unwrap_or(text))
    }

    fn token_matches(args: &DefaultValidatorArgs, answer: &[u8], output: &[u8]) -> bool {
        if let (true, Some(expected)) = (args.has_tolerance(), number(answer)) {
            let Some(found) = number(output) else { return false };
            let difference = (found - expected).abs();
            return args.float_absolute_tolerance.is_some_and(|tolerance| difference <= tolerance)
                || args.float_relative_tolerance.is_some_and(|tolerance| difference <= tolerance * expected.abs());
        }
        if args.case_sensitive { answer == output } else { answer.eq_ignore_ascii_case(output) }
    }

    /// Alternating runs of separators and token bytes; the first run is separators, possibly none.
    fn runs(text: &[u8]) -> (Vec<&[u8]>, Vec<&[u8]>) {
        let (mut spaces, mut tokens, mut rest) = (Vec::new(), Vec::new(), text);
        loop {
            let (space, after) = rest.split_at(rest.iter().position(|b| !is_space(b)).unwrap_or(rest.len()));
            let (token, after) = after.split_at(after.iter().position(is_space).unwrap_or(after.len()));
            spaces.push(space);
            if token.is_empty() {
                return (spaces, tokens);
            }
            tokens.push(token);
            rest = after;
        }
    }

    pub(super) fn accepts(args: &DefaultValidatorArgs, answer: &[u8], output: &[u8]) -> bool {
        let ((answer_spaces, answer_tokens), (output_spaces, output_tokens)) = (runs(answer), runs(output));
        answer_tokens.len() == output_tokens.len()
            && answer_tokens.iter().zip(&output_tokens).all(|(a, o)| token_matches(args, a, o))
            && (!args.space_change_sensitive || answer_spaces == output_spaces)
    }
}

/// Text in which agreement, near misses and odd bytes are all likely.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        6 => Just(b" ".to_vec()), 3 => Just(b"\n".to_vec()), 1 => Just(b"\r\n".to_vec()), 1 => Just(b"\t ".to_vec()),
        4 => Just(b"1".to_vec()), 2 => Just(b"1.0".to_vec()), 2 => Just(b"0.99".to_vec()), 1 => Just(b"1e".to_vec()),
        2 => Just(b"a".to_vec()), 2 => Just(b"A".to_vec()), 1 => Just(b"-".to_vec()), 1 => Just(b".".to_vec()),
        1 => Just(b"\0".to_vec()), 1 => Just(b"\xff".to_vec()), 1 => Just(b"1E0".to_vec()), 1 => Just(b"1000000".to_vec()),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// The answer with a few bytes changed, so that long common beginnings are usual.
fn pair() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let edit = (0usize..64, prop::sample::select(b" \n1.aA\0e".to_vec()));
    prop_oneof![
        (text(), text()),
        (text(), prop::collection::vec(edit, 0..3)).prop_map(|(answer, edits)| {
            let mut output = answer.clone();
            for (place, byte) in edits {
                let place = place % (output.len() + 1);
                if byte == b'e' && place < output.len() {
                    output.remove(place);
                } else {
                    output.insert(place, byte);
                }
            }
            (answer, output)
        })
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn every_chunking_equals_the_whole_text(
        (answer, output) in pair(),
        flags in prop::sample::select(vec![
            "", "case_sensitive", "space_change_sensitive", "float_tolerance 1e-2", "float_absolute_tolerance 0.02",
            "float_relative_tolerance 0.01 case_sensitive space_change_sensitive",
        ]),
        sizes in (1usize..20, 1usize..20),
    ) {
        let args = args(flags);
        let expected = naive::accepts(&args, &answer, &output);
        for sizes in [sizes, (usize::MAX, usize::MAX)] {
            let result = compare(&args, &answer, &output, sizes);
            prop_assert_eq!(result == ComparisonResult::Accepted, expected, "{:?}", result);
        }
    }
}

#[test]
fn one_empty_exponent_is_a_number_and_two_are_none() {
    let args = args("float_tolerance 1e-2");
    for (output, accepted) in [("-1e", true), ("-1E+", true), ("-1ee", false), ("-1e+e", false), ("-1e--", false)] {
        assert_eq!(naive::accepts(&args, b"-1e", output.as_bytes()), accepted, "by the reference: {output}");
        let result = compare(&args, b"-1e", output.as_bytes(), (1, 1));
        assert_eq!(result == ComparisonResult::Accepted, accepted, "{output}: {result:?}");
    }
}

#[test]
fn the_first_difference_is_named() {
    let found = difference("", "1 2\n3 4\n", "1 2\n3 5\n");
    assert_eq!(
        found,
        Difference {
            kind: DifferenceKind::Token { expected: "4".into(), found: "5".into() },
            output_offset: 6,
            output_line: 2,
            token: 4
        }
    );
    assert_eq!(found.to_string(), "token 4 (line 2, byte 7): expected `4`, found `5`");
    let shown = |flags: &str, answer: &str, output: &str| difference(flags, answer, output).to_string();
    assert_eq!(shown("", "alpha", "alpine"), "token 1 (line 1, byte 1): expected `alpha`, found `alpine`");
    assert_eq!(shown("", "1 22", "1  2"), "token 2 (line 1, byte 4): expected `22`, found `2`");
    assert_eq!(shown("", "1 2", "1\n"), "the output ends (line 2, byte 3) before token 2: expected `2`");
    assert_eq!(shown("", "1", "1 2"), "token 2 (line 1, byte 3): expected the end of the output, found `2`");
    assert_eq!(
        shown("space_change_sensitive", "1 2\n", "1 2"),
        "white space differs after token 2 (line 1, byte 4), and here it must not"
    );
}

#[test]
fn a_missed_tolerance_is_named() {
    assert_eq!(
        difference("float_absolute_tolerance 1e-6", "89.599998", "89.600000").to_string(),
        "token 1 (line 1, byte 1): expected `89.599998` within absolute tolerance 1e-6, found `89.600000`"
    );
    let both = compare(&args("float_tolerance 1e-6"), b"89.599998", b"89.600000", (9, 9));
    assert_eq!(both, ComparisonResult::Accepted);
    assert!(difference("float_tolerance 1e-6", "1", "nan").to_string().ends_with("found `nan`"));
}

#[test]
fn a_difference_settles_the_result_at_once() {
    let mut comparison = Comparison::new(args(""), &b"yes no"[..]);
    assert!(comparison.push(b"yes ma").is_continue());
    assert!(comparison.push(b"ybe more").is_break());
    assert!(comparison.push(b"no").is_break(), "and stays settled");
}

/// Yields `0` for ever without holding anything.
struct Zeros(u64);

impl Read for Zeros {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = usize::try_from(self.0).unwrap_or(usize::MAX).min(buffer.len());
        buffer[..length].fill(b'0');
        self.0 -= length as u64;
        Ok(length)
    }
}

#[test]
fn one_token_of_any_size_is_compared_as_a_number() {
    // 32 MB of zeros with a 1 at the end against `1`: numbers by tolerance, long before that different as text.
    let mut comparison = Comparison::new(args("float_tolerance 1e-6"), Zeros(32_000_000).chain(&b"1 x"[..]));
    assert!(comparison.push(b"1 x").is_continue());
    assert_eq!(comparison.finish().expect("readable"), ComparisonResult::Accepted);
}

#[test]
fn an_answer_that_cannot_be_read_is_nobodys_wrong_answer() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::PermissionDenied.into())
        }
    }
    let mut comparison = Comparison::new(args(""), Broken);
    assert!(comparison.push(b"1").is_break());
    assert_eq!(comparison.finish().expect_err("unreadable").kind(), io::ErrorKind::PermissionDenied);
}
