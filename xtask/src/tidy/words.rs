//! Words that must not appear in some places, outside comments, strings and tests.

use super::sources::Source;
use super::{Complaint, House};

/// judge-core speaks through its types and through `tracing`.
pub(super) fn prints(house: &House) -> Vec<Complaint> {
    let words = ["println!", "eprintln!", "print!", "eprint!", "dbg!"];
    find(house, |path| path.starts_with("judge-core/src/"), &words, "prints: use `tracing`, or answer with a type")
}

/// The interface runs in a browser too: what only a window has lives in one folder.
pub(super) fn window_names(house: &House) -> Vec<Complaint> {
    let outside = |path: &str| path.starts_with("ui/src/") && !path.starts_with("ui/src/backend");
    find_in(
        house,
        outside,
        &["__TAURI", "tauri"],
        "names the window's script interface outside ui/src/backend/",
        |file| {
            // A name in a string is a use here: script interfaces are reached by name.
            super::code::production(&file.text).to_owned()
        },
    )
}

/// Clippy says so too, but only of what was compiled for this target.
pub(super) fn unwraps(house: &House) -> Vec<Complaint> {
    find(house, |_| true, &[".unwrap()"], "unwraps: handle it, or `expect` the assumption that would have to be broken")
}

fn find(house: &House, within: impl Fn(&str) -> bool, words: &[&str], what: &str) -> Vec<Complaint> {
    find_in(house, within, words, what, |file| file.code.clone())
}

fn find_in(
    house: &House,
    within: impl Fn(&str) -> bool,
    words: &[&str],
    what: &str,
    text_of: impl Fn(&Source) -> String,
) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in house.sources.files.iter().filter(|file| within(&file.path)) {
        for (index, line) in text_of(file).lines().enumerate() {
            if let Some(word) = words.iter().find(|word| has_word(line, word)) {
                complaints.push(Complaint::new(format!("{}:{}", file.path, index + 1), format!("`{word}` {what}")));
            }
        }
    }
    complaints
}

/// Whether the word stands there by itself and not as the end of a longer name (`eprintln!` ends in `println!`).
fn has_word(line: &str, word: &str) -> bool {
    if line.trim_start().starts_with("//") {
        return false;
    }
    let stands_alone =
        |at: usize| word.starts_with('.') || !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| stands_alone(at))
}

#[cfg(test)]
mod tests {
    use super::super::house_of;
    use super::*;

    #[test]
    fn printing_is_refused_in_judge_core_only() {
        let text = "fn f() { eprintln!(\"x\"); }\n// println!\nfn g() { \"println!\"; }\n";
        assert_eq!(prints(&house_of(&[("judge-core/src/a.rs", text)])).len(), 1);
        assert_eq!(prints(&house_of(&[("headless/src/a.rs", text)])).len(), 0);
    }

    #[test]
    fn the_window_s_names_live_in_backend() {
        let text = "#[wasm_bindgen(js_namespace = [\"window\", \"__TAURI__\", \"core\"])]\nextern \"C\" {}\n";
        assert_eq!(window_names(&house_of(&[("ui/src/app.rs", text)])).len(), 1);
        assert_eq!(window_names(&house_of(&[("ui/src/backend/tauri.rs", text)])).len(), 0);
        assert_eq!(window_names(&house_of(&[("ui/src/app.rs", "// not tauri\nuse crate::backend;\n")])).len(), 0);
    }

    #[test]
    fn unwrapping_is_for_tests() {
        let text = "fn f() { x.unwrap(); x.unwrap_or(1); }\n#[cfg(test)]\nmod tests { fn g() { x.unwrap(); } }\n";
        assert_eq!(unwraps(&house_of(&[("contract/src/a.rs", text)])).len(), 1);
        assert_eq!(unwraps(&house_of(&[("contract/tests/a.rs", text)])).len(), 0);
    }
}
