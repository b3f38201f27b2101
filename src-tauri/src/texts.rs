//! The few words that the window itself says, in the interface's languages.

/// Words of the question at closing.
#[derive(Debug)]
pub(crate) struct Texts {
    /// `{count}` is how many submissions have no verdict yet.
    pub still_judging: &'static str,
    pub quit: &'static str,
    pub keep_judging: &'static str,
}

static ENGLISH: Texts = Texts {
    still_judging: "Agon is still judging ({count} to go). It can go on without its window; starting Agon again brings \
                    the window back. If you quit, judging continues at the next start. Nothing is lost either way.",
    quit: "Quit",
    keep_judging: "Keep judging",
};

static CHINESE: Texts = Texts {
    still_judging: "Agon 仍在评测（剩余 {count} 个）。关闭窗口后可以继续评测，再次启动 Agon 会重新显示窗口。\
                    如果退出，将在下次启动时继续评测。无论哪种方式都不会丢失任何提交。",
    quit: "退出",
    keep_judging: "继续评测",
};

static JAPANESE: Texts = Texts {
    still_judging: "Agon はまだジャッジ中です（残り {count} 件）。ウィンドウを閉じたままジャッジを続けられます。Agon を再度起動すると\
                    ウィンドウが戻ります。終了した場合は次回の起動時に続きをジャッジします。どちらの場合も提出は失われません。",
    quit: "終了",
    keep_judging: "ジャッジを続ける",
};

/// The words for a preference: `en`, `zh`, `ja`, or `system` for what the environment says.
pub(crate) fn of(locale: &str) -> &'static Texts {
    let locale = if locale == "system" { system_locale() } else { locale.to_owned() };
    match locale.get(..2) {
        Some("zh") => &CHINESE,
        Some("ja") => &JAPANESE,
        Some(_) | None => &ENGLISH,
    }
}

fn system_locale() -> String {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_says_how_many_and_unknown_ones_are_english() {
        for locale in ["en", "zh", "ja", "zh-TW", "fr", "", "é"] {
            assert!(of(locale).still_judging.contains("{count}"), "{locale}");
        }
        assert_eq!(of("ja-JP").quit, JAPANESE.quit);
        assert_eq!(of("fr").quit, ENGLISH.quit);
    }
}
