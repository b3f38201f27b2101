//! Names of accounts: what may be one, and when two are the same.
//!
//! A login name is compared by its *key*: compatibility form (NFKC), upper then lower case, NFKC again. So `Straße`,
//! `STRASSE` and the full-width form are one name. Only characters that Unicode allows in identifiers (UTS 39) may
//! occur, so nothing invisible can; and scripts may not be mixed beyond "highly restrictive" (Latin goes with Chinese,
//! Japanese and Korean), so that a Cyrillic `а` inside a Latin name cannot stand for another's account.

use unicode_normalization::UnicodeNormalization;
use unicode_security::{GeneralSecurityProfile, RestrictionLevel, RestrictionLevelDetection};

/// Characters of a login name.
const LOGIN_CHARS_MAX: usize = 64;
/// Characters of a display name.
const DISPLAY_CHARS_MAX: usize = 100;
/// Bytes of whatever a person types as a login name; far more than the longest good one.
const TYPED_BYTES_MAX: usize = 1024;
/// Beside letters, marks and digits.
const PUNCTUATION: [char; 3] = ['.', '-', '_'];

/// A login name that may be given to an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoginName {
    /// As it is shown.
    pub(super) text: String,
    /// As it is compared.
    pub(super) key: String,
}

/// Why something is no name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NameError {
    #[error("a {what} has 1 to {at_most} characters")]
    Length { what: &'static str, at_most: usize },
    #[error("`{}` may not occur in a {what}", .found.escape_unicode())]
    Character { what: &'static str, found: char },
    #[error("a login name begins with a letter or a digit")]
    Begin,
    #[error("a login name may not mix letters of scripts that look alike")]
    MixedScripts,
}

impl LoginName {
    /// Checks what staff typed; spaces around it are dropped.
    pub(crate) fn check(typed: &str) -> Result<Self, NameError> {
        let what = "login name";
        let text: String = typed.trim().chars().take(TYPED_BYTES_MAX).nfkc().collect();
        let length = text.chars().count();
        if length == 0 || length > LOGIN_CHARS_MAX {
            return Err(NameError::Length { what, at_most: LOGIN_CHARS_MAX });
        }
        if let Some(found) = text.chars().find(|character| !may_occur(*character)) {
            return Err(NameError::Character { what, found });
        }
        if !text.starts_with(char::is_alphanumeric) {
            return Err(NameError::Begin);
        }
        if !text.as_str().check_restriction_level(RestrictionLevel::HighlyRestrictive) {
            return Err(NameError::MixedScripts);
        }
        let key = key_of(&text);
        Ok(Self { text, key })
    }
}

/// The key of whatever somebody typed into a log-in form; `None` when it is too long to be anybody's name.
pub(super) fn typed_key(typed: &str) -> Option<String> {
    (typed.len() <= TYPED_BYTES_MAX).then(|| key_of(typed.trim()))
}

fn key_of(text: &str) -> String {
    let composed: String = text.nfkc().collect();
    composed.to_uppercase().to_lowercase().nfkc().collect()
}

fn may_occur(character: char) -> bool {
    character.identifier_allowed()
        && character != '\''
        && character != ':'
        && (!character.is_ascii_punctuation() || PUNCTUATION.contains(&character))
}

/// Checks a name for people: composed (NFC), without control characters and without those that reorder text.
pub(super) fn check_display_name(typed: &str) -> Result<String, NameError> {
    let what = "display name";
    let text: String = typed.trim().nfc().collect();
    let length = text.chars().count();
    if length == 0 || length > DISPLAY_CHARS_MAX {
        return Err(NameError::Length { what, at_most: DISPLAY_CHARS_MAX });
    }
    match text.chars().find(|character| character.is_control() || reorders(*character)) {
        Some(found) => Err(NameError::Character { what, found }),
        None => Ok(text),
    }
}

/// Line and paragraph separators, and the controls of writing direction.
fn reorders(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(typed: &str) -> String {
        LoginName::check(typed).unwrap_or_else(|error| panic!("{typed}: {error}")).key
    }

    #[test]
    fn case_width_and_composition_make_no_other_name() {
        for (one, other) in [
            ("Ann", "aNN"),
            ("straße", "STRASSE"),
            ("Åsa", "A\u{30a}sa"),
            ("ann", "ａｎｎ"),
            ("ΣΊΣΥΦΟΣ", "σίσυφος"),
            (" team-07 ", "TEAM-07"),
        ] {
            assert_eq!(key(one), key(other), "{one} and {other}");
            assert_eq!(typed_key(one).expect("short"), key(other), "{one} typed into the form");
        }
        assert_ne!(key("ann"), key("anna"));
    }

    #[test]
    fn names_of_the_halls_languages_are_names() {
        for name in ["team07", "王小明", "たろう_山田", "tokyo-東京", "홍길동", "Иван", "a.b-c_d", "Ünal", "x"]
        {
            assert_eq!(LoginName::check(name).expect("a name").text, name);
        }
    }

    #[test]
    fn what_cannot_be_seen_or_looks_like_another_is_refused() {
        for typed in ["", "   ", &"x".repeat(65)] {
            assert!(matches!(LoginName::check(typed), Err(NameError::Length { .. })), "{typed:?}");
        }
        for typed in ["a b", "a\u{200b}b", "a\u{202e}b", "a\0b", "a/b", "a@b", "a:b", "a'b", "😀", "a\u{2028}b"] {
            assert!(matches!(LoginName::check(typed), Err(NameError::Character { .. })), "{typed:?}");
        }
        for typed in ["-ann", ".ann", "_ann"] {
            assert_eq!(LoginName::check(typed), Err(NameError::Begin), "{typed}");
        }
        assert_eq!(LoginName::check("\u{430}nn"), Err(NameError::MixedScripts), "a Cyrillic letter in a Latin name");
    }

    #[test]
    fn a_name_for_people_may_have_spaces_and_no_tricks() {
        assert_eq!(check_display_name("  Team A\u{30a}sa (1) "), Ok("Team Åsa (1)".to_owned()));
        for typed in ["", " ", "a\nb", "a\u{202e}b", &"x".repeat(101)] {
            assert!(check_display_name(typed).is_err(), "{typed:?}");
        }
    }
}
