//! The one place that writes to the terminal: what is being done, and what it came to.

use std::io::{IsTerminal, Write};

/// A heading between parts of a long run.
#[expect(clippy::print_stdout, reason = "a terminal program: its words are its interface")]
pub(crate) fn heading(text: &str) {
    println!("\n== {text}");
}

/// One line of news.
#[expect(clippy::print_stdout, reason = "a terminal program: its words are its interface")]
pub(crate) fn line(text: &str) {
    println!("{text}");
    // Standard output may be a file that somebody follows.
    let _ = std::io::stdout().flush();
}

/// A sign of life from long work: rewritten in place on a terminal, and a plain line elsewhere.
#[expect(clippy::print_stdout, reason = "a terminal program: its words are its interface")]
pub(crate) fn progress(text: &str) {
    let text: String = text.chars().take(110).collect();
    if std::io::stdout().is_terminal() {
        print!("\r\x1b[2K{text}");
    } else {
        println!("{text}");
    }
    let _ = std::io::stdout().flush();
}

/// Removes what [`progress`] left on a terminal's line.
#[expect(clippy::print_stdout, reason = "a terminal program: its words are its interface")]
pub(crate) fn end_progress() {
    if std::io::stdout().is_terminal() {
        print!("\r\x1b[2K");
        let _ = std::io::stdout().flush();
    }
}

/// How often [`progress`] is worth calling: a terminal wants life, a log wants few lines.
pub(crate) fn progress_every_s() -> u64 {
    if std::io::stdout().is_terminal() { 1 } else { 30 }
}
