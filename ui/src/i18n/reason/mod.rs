//! What stands behind verdicts and states, in the language in use. The host sends the contract's sentences in English;
//! anything else stays as it came.

mod ja;
mod zh;

use agon_contract::reason::{Reason, ReasonKind};

use super::{Locale, locale};

/// A reason in the language in use.
#[must_use]
pub fn reason_text(text: &str) -> String {
    let words = match locale() {
        Locale::En => return text.to_owned(),
        Locale::Zh => zh::words,
        Locale::Ja => ja::words,
    };
    let Some(reason) = Reason::read(text) else { return text.to_owned() };
    let wraps = matches!(reason.kind, ReasonKind::OutOfAttempts | ReasonKind::QueueRefused | ReasonKind::SandboxFailed);
    let said = |value: &String| if wraps { reason_text(value) } else { value.clone() };
    fill(words(reason.kind), &reason.values.iter().map(said).collect::<Vec<_>>())
}

/// A text as a sentence of its own, so that another can follow it.
#[must_use]
pub fn as_sentence(text: &str) -> String {
    let text = text.trim();
    let stop = match locale() {
        Locale::En => ".",
        Locale::Zh | Locale::Ja => "。",
    };
    let is_ended = text.is_empty() || text.ends_with(['.', '!', '?', '。', '！', '？']);
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}{}", letters.as_str(), if is_ended { "" } else { stop })
}

/// The words with each `{N}` replaced; values are not searched again.
fn fill(words: &str, values: &[String]) -> String {
    let mut text = String::new();
    let mut rest = words;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((place, after)) = after.split_once('}') else { break };
        let value = place.parse::<usize>().ok().and_then(|place| values.get(place));
        text.push_str(before);
        text.push_str(value.map_or("", String::as_str));
        rest = after;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::use_locale;

    #[test]
    fn every_reason_has_words_with_the_same_places_in_every_language() {
        for kind in ReasonKind::KNOWN {
            let places = kind.words().matches("{}").count();
            for words in [zh::words(*kind), ja::words(*kind)] {
                let has_all = (0..places).all(|place| words.contains(&format!("{{{place}}}")));
                assert!(has_all && words.matches('{').count() == places, "{kind:?}: {words}");
            }
        }
    }

    #[test]
    fn reasons_are_said_in_the_language_in_use_and_others_as_they_came() {
        use_locale(Locale::Zh);
        assert_eq!(reason_text("fork limit"), "进程数超过限制");
        assert_eq!(
            reason_text("token 2 (line 1, byte 3): expected `{0}`, found `5`"),
            "第 2 个词（第 1 行，第 3 字节）：应为 `{0}`，实为 `5`"
        );
        assert_eq!(
            reason_text("3 attempts failed; the last: the sandbox failed while running: the disk is full (put)"),
            "3 次尝试均失败；最后一次：沙箱出错（running）：磁盘已满（put）"
        );
        assert_eq!(reason_text("the moon was full"), "the moon was full");
        use_locale(Locale::En);
        assert_eq!(reason_text("fork limit"), "fork limit");
    }

    #[test]
    fn a_sentence_ends_where_it_ends() {
        assert_eq!(as_sentence("the disk is full"), "The disk is full.");
        assert_eq!(as_sentence("Go on!"), "Go on!");
        assert_eq!(as_sentence(""), "");
        use_locale(Locale::Ja);
        assert_eq!(as_sentence("磁盘已满"), "磁盘已满。");
        use_locale(Locale::En);
    }
}
