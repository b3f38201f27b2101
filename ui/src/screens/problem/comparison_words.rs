//! How outputs are compared and under which licence a problem is, in words instead of the package's codes.

use crate::i18n::t;

/// The arguments of the default output validator as people read them; one this version does not know stays as it is.
/// (Problem Package Format, "Default output validator".)
pub(super) fn compared(args: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().map_or("", String::as_str);
        words.push(match arg.as_str() {
            "case_sensitive" => t().compare_case.to_owned(),
            "space_change_sensitive" => t().compare_space.to_owned(),
            "float_tolerance" => t().compare_tolerance.fill([value()]),
            "float_absolute_tolerance" => t().compare_absolute.fill([value()]),
            "float_relative_tolerance" => t().compare_relative.fill([value()]),
            other => other.to_owned(),
        });
    }
    words
}

/// `cc by-sa` as it is written elsewhere: `CC BY-SA`. Other licences are words already.
pub(super) fn license(code: &str) -> String {
    if code == "unknown" {
        return String::new();
    }
    if code.starts_with("cc") { code.to_uppercase() } else { code.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Locale, use_locale};

    #[test]
    fn known_arguments_become_words_and_others_stay() {
        use_locale(Locale::En);
        let args = ["case_sensitive", "float_tolerance", "1e-6", "from_the_future"].map(str::to_owned);
        assert_eq!(
            compared(&args),
            ["upper and lower case differ", "numbers within 1e-6, relative or absolute", "from_the_future"]
        );
        assert_eq!(compared(&[]), Vec::<String>::new());
        assert_eq!((license("cc by-sa").as_str(), license("permission").as_str()), ("CC BY-SA", "permission"));
    }
}
