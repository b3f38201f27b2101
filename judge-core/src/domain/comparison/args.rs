//! Arguments of the default output validator.

use serde::{Deserialize, Serialize};

/// How output is compared. Made from a package's words by [`parse`](Self::parse); the default compares tokens without
/// regard to case or amount of white space.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DefaultValidatorArgs {
    pub case_sensitive: bool,
    pub space_change_sensitive: bool,
    pub float_absolute_tolerance: Option<f64>,
    pub float_relative_tolerance: Option<f64>,
}

/// A package fault: the default validator cannot be called so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgsError {
    #[error("`{word}` is no argument of the default output validator")]
    Unknown { word: String },
    #[error("`{name}` needs a number after it")]
    ToleranceMissing { name: String },
    #[error("`{name} {value}`: the tolerance must be a finite number, 0 or more")]
    ToleranceInvalid { name: String, value: String },
}

impl DefaultValidatorArgs {
    /// Reads the words of `output_validator_args` or of whitespace-split legacy flags.
    ///
    /// The last of a repeated tolerance wins, as in both reference implementations; the specification calls it an
    /// error, so the import doctor warns ([`repeats_tolerance`](Self::repeats_tolerance)).
    ///
    /// # Errors
    /// Unknown words, missing and malformed tolerances.
    pub fn parse<S: AsRef<str>>(words: &[S]) -> Result<Self, ArgsError> {
        let mut args = Self::default();
        let mut words = words.iter().map(AsRef::as_ref);
        while let Some(word) = words.next() {
            match word {
                "case_sensitive" => args.case_sensitive = true,
                "space_change_sensitive" => args.space_change_sensitive = true,
                "float_absolute_tolerance" => {
                    set_tolerance(&mut args.float_absolute_tolerance, word, words.next())?;
                }
                "float_relative_tolerance" => {
                    set_tolerance(&mut args.float_relative_tolerance, word, words.next())?;
                }
                "float_tolerance" => {
                    let value = words.next();
                    set_tolerance(&mut args.float_absolute_tolerance, word, value)?;
                    set_tolerance(&mut args.float_relative_tolerance, word, value)?;
                }
                _ => return Err(ArgsError::Unknown { word: word.to_owned() }),
            }
        }
        Ok(args)
    }

    /// The words that [`parse`](Self::parse) reads back to the same value.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.case_sensitive {
            words.push("case_sensitive".to_owned());
        }
        if self.space_change_sensitive {
            words.push("space_change_sensitive".to_owned());
        }
        match (self.float_absolute_tolerance, self.float_relative_tolerance) {
            (Some(absolute), Some(relative)) if absolute.to_bits() == relative.to_bits() => {
                words.extend(["float_tolerance".to_owned(), tolerance_word(absolute)]);
            }
            (absolute, relative) => {
                if let Some(absolute) = absolute {
                    words.extend(["float_absolute_tolerance".to_owned(), tolerance_word(absolute)]);
                }
                if let Some(relative) = relative {
                    words.extend(["float_relative_tolerance".to_owned(), tolerance_word(relative)]);
                }
            }
        }
        words
    }

    /// Whether the words set the same tolerance more than once.
    #[must_use]
    pub fn repeats_tolerance<S: AsRef<str>>(words: &[S]) -> bool {
        let named = |name: &str| words.iter().filter(|word| word.as_ref() == name).count();
        let both = named("float_tolerance");
        both + named("float_absolute_tolerance") > 1 || both + named("float_relative_tolerance") > 1
    }

    /// Whether tokens that are numbers are compared as numbers.
    #[must_use]
    pub fn has_tolerance(&self) -> bool {
        self.float_absolute_tolerance.is_some() || self.float_relative_tolerance.is_some()
    }
}

fn tolerance_word(value: f64) -> String {
    format!("{value:e}")
}

fn set_tolerance(slot: &mut Option<f64>, name: &str, value: Option<&str>) -> Result<(), ArgsError> {
    let value = value.ok_or_else(|| ArgsError::ToleranceMissing { name: name.to_owned() })?;
    let tolerance: f64 = value
        .parse()
        .ok()
        .filter(|tolerance: &f64| tolerance.is_finite() && *tolerance >= 0.0)
        .ok_or_else(|| ArgsError::ToleranceInvalid { name: name.to_owned(), value: value.to_owned() })?;
    *slot = Some(tolerance);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_parsing() {
        for words in [
            "",
            "case_sensitive",
            "case_sensitive space_change_sensitive",
            "float_tolerance 1e-6",
            "float_absolute_tolerance 1e-4 float_relative_tolerance 1e-9",
            "case_sensitive float_relative_tolerance 5e-1",
        ] {
            let words: Vec<&str> = words.split_whitespace().collect();
            let args = DefaultValidatorArgs::parse(&words).expect("well formed");
            assert_eq!(args.words(), words);
        }
    }

    #[test]
    fn misuse_is_named() {
        let parse = |text: &str| DefaultValidatorArgs::parse(&text.split(' ').collect::<Vec<_>>());
        assert!(matches!(parse("float_tolerence 1"), Err(ArgsError::Unknown { .. })));
        assert!(matches!(parse("float_tolerance"), Err(ArgsError::ToleranceMissing { .. })));
        for value in ["x", "-1", "nan", "inf"] {
            assert!(matches!(parse(&format!("float_tolerance {value}")), Err(ArgsError::ToleranceInvalid { .. })));
        }
    }

    #[test]
    fn the_last_of_a_repeated_tolerance_wins_and_is_noticed() {
        for (text, repeats) in [
            ("float_tolerance 1 float_tolerance 2", true),
            ("float_tolerance 1 float_absolute_tolerance 2 float_relative_tolerance 2", true),
            ("float_absolute_tolerance 2 float_relative_tolerance 2", false),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            let args = DefaultValidatorArgs::parse(&words).expect("well formed");
            assert_eq!((args.float_absolute_tolerance, args.float_relative_tolerance), (Some(2.0), Some(2.0)));
            assert_eq!(DefaultValidatorArgs::repeats_tolerance(&words), repeats, "{text}");
        }
    }
}
