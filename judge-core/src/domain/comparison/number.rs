//! Reads a number byte by byte in constant memory, exactly: any length rounds as the whole text would.
//!
//! Grammar: `[+-]? (D*.D+ | D+. | D+) ([eE][+-]?D*)?`, and hexadecimal `0x` numbers with a `p` exponent. The empty
//! exponent and the hexadecimal form are outside the specification's grammar but accepted by both reference
//! implementations. `inf` and `nan` are no numbers, nor is anything too large for an `f64`.

/// A decimal needs at most 767 significant digits to round correctly; the rest only matters by being zero or not.
const SIGNIFICANT_DIGITS: usize = 768;
/// Exponents stop growing here; far beyond any `f64` even after 10¹² shifted digits.
const EXPONENT_CAP: i64 = 1_000_000_000_000_000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Start,
    Signed,
    /// A single leading zero, which `x` may follow.
    Zero,
    Integer,
    /// A point without digits before it: digits must follow.
    BarePoint,
    Fraction,
    HexStart,
    HexInteger,
    HexBarePoint,
    HexFraction,
    ExponentStart,
    ExponentSigned,
    Exponent,
    /// No continuation can make it a number.
    NotANumber,
}

/// The scan of one token.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberScan {
    state: State,
    is_negative: bool,
    is_hex: bool,
    /// Significant decimal digits as text, without leading zeros.
    digits: Vec<u8>,
    hex_mantissa: u64,
    /// Something that is not zero was left out behind the kept digits.
    has_rest: bool,
    /// Power of ten (of two for hexadecimals) that the kept digits must be multiplied by.
    scale: i64,
    exponent: i64,
    is_exponent_negative: bool,
}

impl NumberScan {
    pub(super) fn reset(&mut self) {
        let digits = std::mem::take(&mut self.digits);
        *self = Self { digits, ..Self::default() };
        self.digits.clear();
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let [byte, after @ ..] = rest {
            if self.state == State::NotANumber {
                return;
            }
            let run = self.skip_insignificant(rest);
            if run > 0 {
                rest = &rest[run..];
            } else {
                self.state = self.step(*byte);
                rest = after;
            }
        }
    }

    /// Digits that only matter by being zero or not, a run at a time: a token of 50 MB must not cost seconds.
    fn skip_insignificant(&mut self, bytes: &[u8]) -> usize {
        if self.digits.len() < SIGNIFICANT_DIGITS || !matches!(self.state, State::Integer | State::Fraction) {
            return 0;
        }
        let run = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
        self.has_rest = self.has_rest || bytes[..run].iter().any(|byte| *byte != b'0');
        if self.state == State::Integer {
            self.scale += run as i64;
        }
        run
    }

    fn step(&mut self, byte: u8) -> State {
        use State::*;
        match (self.state, byte) {
            (Start, b'+' | b'-') => {
                self.is_negative = byte == b'-';
                Signed
            }
            (Start | Signed, b'0') => Zero,
            (Start | Signed | Zero | Integer, b'0'..=b'9') => self.decimal_digit(byte, Integer),
            (Start | Signed, b'.') => BarePoint,
            (Zero | Integer, b'.') => Fraction,
            (BarePoint | Fraction, b'0'..=b'9') => self.decimal_digit(byte, Fraction),
            (Zero, b'x' | b'X') => {
                self.is_hex = true;
                HexStart
            }
            (HexStart | HexInteger, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => self.hex_digit(byte, HexInteger),
            (HexStart, b'.') => HexBarePoint,
            (HexInteger, b'.') => HexFraction,
            (HexBarePoint | HexFraction, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => self.hex_digit(byte, HexFraction),
            (Zero | Integer | Fraction, b'e' | b'E') | (HexInteger | HexFraction, b'p' | b'P') => ExponentStart,
            (ExponentStart, b'+' | b'-') => {
                self.is_exponent_negative = byte == b'-';
                ExponentSigned
            }
            (ExponentStart | ExponentSigned | Exponent, b'0'..=b'9') => {
                self.exponent = (self.exponent * 10 + i64::from(byte - b'0')).min(EXPONENT_CAP);
                Exponent
            }
            _ => NotANumber,
        }
    }

    fn decimal_digit(&mut self, byte: u8, part: State) -> State {
        let is_fraction = part == State::Fraction;
        if self.digits.is_empty() && byte == b'0' {
            self.scale -= i64::from(is_fraction);
        } else if self.digits.len() < SIGNIFICANT_DIGITS {
            self.digits.push(byte);
            self.scale -= i64::from(is_fraction);
        } else {
            self.has_rest |= byte != b'0';
            self.scale += i64::from(!is_fraction);
        }
        part
    }

    fn hex_digit(&mut self, byte: u8, part: State) -> State {
        let is_fraction = part == State::HexFraction;
        let value = u64::from(char::from(byte).to_digit(16).unwrap_or(0));
        if self.hex_mantissa >> 60 == 0 {
            self.hex_mantissa = self.hex_mantissa << 4 | value;
            self.scale -= 4 * i64::from(is_fraction);
        } else {
            self.has_rest |= value != 0;
            self.scale += 4 * i64::from(!is_fraction);
        }
        part
    }

    /// The value, if the whole token was a finite number.
    pub(super) fn value(&self) -> Option<f64> {
        use State::*;
        match self.state {
            Zero | Integer | Fraction | HexInteger | HexFraction | ExponentStart | ExponentSigned | Exponent => {}
            Start | Signed | BarePoint | HexStart | HexBarePoint | NotANumber => return None,
        }
        let exponent = if self.is_exponent_negative { -self.exponent } else { self.exponent };
        let scale = self.scale.saturating_add(exponent);
        let magnitude = if self.is_hex { self.hex_magnitude(scale) } else { self.decimal_magnitude(scale) };
        let value = if self.is_negative { -magnitude } else { magnitude };
        value.is_finite().then_some(value)
    }

    fn decimal_magnitude(&self, scale: i64) -> f64 {
        let mut text = String::from_utf8_lossy(&self.digits).into_owned();
        if text.is_empty() {
            return 0.0;
        }
        let mut scale = scale;
        if self.has_rest {
            text.push('1');
            scale -= 1;
        }
        format!("{text}e{scale}").parse().expect("digits and an exponent are a number")
    }

    fn hex_magnitude(&self, scale: i64) -> f64 {
        // 61 and more bits: the lowest is far below the rounding position and may carry "something follows".
        #[expect(clippy::cast_precision_loss, reason = "rounding to 53 bits is the point")]
        let mantissa = (self.hex_mantissa | u64::from(self.has_rest)) as f64;
        let scale = scale.clamp(-5000, 5000);
        let step = i32::try_from(scale / 8).expect("clamped");
        let rest = i32::try_from(scale % 8).expect("clamped");
        (0..8).fold(mantissa * 2f64.powi(rest), |value, _| value * 2f64.powi(step))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scan(text: &str) -> Option<f64> {
        let mut scan = NumberScan::default();
        scan.feed(text.as_bytes());
        scan.value()
    }

    #[test]
    fn the_grammar_is_met_on_both_sides() {
        for (text, value) in [
            ("0", 0.0),
            ("-0", 0.0),
            ("+5", 5.0),
            ("1.", 1.0),
            (".5", 0.5),
            ("00012", 12.0),
            ("1e+1", 10.0),
            ("1E1", 10.0),
            ("1e", 1.0),
            ("1e-", 1.0),
            ("1e-400", 0.0),
            ("0x10", 16.0),
            ("0X1.8p1", 3.0),
            ("-0x.8", -0.5),
            ("0.0e99999999999999999999", 0.0),
        ] {
            assert_eq!(scan(text), Some(value), "{text}");
        }
        for text in
            ["", "+", ".", "-.", ".e1", "e1", "1f", "1,5", "1_0", "inf", "nan", "0x", "0x.", "1e400", "1d0", "1 "]
        {
            assert_eq!(scan(text), None, "{text}");
        }
    }

    #[test]
    fn endless_digits_round_as_the_whole_would() {
        // Halfway between two doubles up to the 800th digit: the last digit decides.
        let halfway = "9007199254740993".to_owned() + "." + &"0".repeat(900);
        assert_eq!(scan(&halfway), Some(9_007_199_254_740_992.0));
        assert_eq!(scan(&(halfway.clone() + "1")), Some(9_007_199_254_740_994.0));
        let tiny = "0.".to_owned() + &"0".repeat(2_000_000) + "1e2000001";
        assert_eq!(scan(&tiny), Some(1.0));
        let huge = "1".to_owned() + &"0".repeat(2_000_000) + "e-2000000";
        assert_eq!(scan(&huge), Some(1.0));
    }

    #[test]
    fn memory_stays_bounded_whatever_the_length() {
        let mut scan = NumberScan::default();
        for _ in 0..1000 {
            scan.feed(&[b'7'; 1000]);
        }
        assert!(scan.digits.capacity() <= 2 * SIGNIFICANT_DIGITS);
    }

    #[test]
    fn a_reset_scan_is_a_new_scan() {
        let mut scan = NumberScan::default();
        scan.feed(b"-12.5e-3");
        scan.reset();
        scan.feed(b"7");
        assert_eq!(scan.value(), Some(7.0));
    }

    proptest! {
        #[test]
        fn decimals_equal_the_standard_parser(text in r"[+-]?([0-9]{1,40}|[0-9]{0,40}\.[0-9]{1,40}|[0-9]{1,9}\.)([eE][+-]?[0-9]{1,3})?") {
            let expected = text.parse::<f64>().ok().filter(|value| value.is_finite());
            prop_assert_eq!(scan(&text).map(f64::to_bits), expected.map(f64::to_bits));
        }
    }
}
