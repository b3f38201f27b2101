//! The first story of the product, told alike in the window and in a browser: choose, write, fail, mend, pass.

use crate::page::{Page, Shown};
use crate::problem::SUMS;
use crate::programs::{HOSTILE, RIGHT, WRONG};

fn assert_shown(shown: &Shown, verdict: &str, what: &str) {
    assert_eq!(shown.verdict, verdict, "{what}: {}", shown.page);
}

/// Submits a wrong program, sees on which test it is wrong, mends it and passes.
///
/// # Panics
/// The page shows anything else.
pub fn wrong_then_right(page: &Page<'_>) {
    page.open_problem(SUMS);
    page.choose("language-select", "cpp20");
    page.type_program(WRONG);
    let shown = page.submit();
    assert_shown(&shown, "WA", "the wrong program");
    assert!(shown.first_failing.contains("secret/02"), "{}", shown.first_failing);
    page.type_program(RIGHT);
    let shown = page.submit();
    assert_shown(&shown, "AC", "the mended program");
    assert_eq!(shown.first_failing, "", "nothing fails");
}

/// Submits the five hostile programs, then a right one.
///
/// # Panics
/// The page shows anything but what they earned.
pub fn hostile_then_right(page: &Page<'_>) {
    page.open_problem(SUMS);
    page.choose("language-select", "cpp20");
    for (name, program, verdict, word) in HOSTILE {
        page.type_program(program);
        let shown = page.submit();
        assert_shown(&shown, verdict, name);
        assert!(shown.page.contains(word), "{name}: {word:?} is not on the page: {}", shown.page);
    }
    page.type_program(RIGHT);
    assert_shown(&page.submit(), "AC", "the one after the hostile ones");
}
