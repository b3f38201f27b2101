//! The bell in a contestant's browser rings when staff's review of a rejudging changes a verdict: real judge, real engine,
//! two people in two browsers.

use agon_tests::browser::Browser;
use agon_tests::cli::agon_told;
use agon_tests::page::Page;
use agon_tests::problem::{SUMS, write_sums, zip};
use agon_tests::programs::WRONG;
use agon_tests::rooms::TempData;
use agon_tests::stage::{Stage, WITHIN};
use agon_tests::window::picture;
use agon_tests::{part, parts, wait};
use serde_json::json;

const PASSWORD: &str = "correct horse battery";

fn see_attribute(page: &Page<'_>, id: &str, name: &str, expected: &str, read: impl Fn(&str) -> String) {
    let script = format!(
        "const found = document.querySelector('[data-testid=\"{id}\"]'); return found ? found.getAttribute('{name}') : ''"
    );
    wait::until(&format!("{id} to be {expected}"), WITHIN, || {
        let seen = read(&script);
        if seen == expected { Ok(()) } else { Err(format!("{seen}\n{}", page.page_text())) }
    });
}

#[test]
fn the_bell_rings_where_the_contestant_is_when_a_reviewed_rejudging_changes_a_verdict() {
    part!(parts::sandbox());
    let stage = part!(Stage::with_sums());
    let staff = stage.page();
    let add = ["account", "add", "ann", "--display-name", "Team Ann"];
    assert_eq!(part!(agon_told(&stage.place, &add, &format!("{PASSWORD}\n"))).code, 0);
    let origin = stage.run("return location.origin").as_str().expect("an origin").to_owned();

    let place = TempData::new();
    let browser = part!(Browser::start(&place));
    let ann = browser.session();
    ann.go(&origin);
    let page = Page::before_log_in(ann);
    for (field, text) in [("log-in-name", "ann"), ("log-in-password", PASSWORD)] {
        ann.type_into(&page.see(field), text).expect("it can be typed into");
    }
    page.click("log-in-button");
    page.open_problem(SUMS);
    page.choose("language-select", "cpp20");
    page.type_program(WRONG);
    assert_eq!(page.submit().verdict, "WA");
    assert!(!page.has("notices-unread"), "she was looking when it was judged");

    // The jury takes out a test that was wrong, and judges again what failed.
    let mended = write_sums(&stage.place.path().join("home/mended"), 1);
    staff.click("nav-practice");
    stage.choose_package(&zip(&mended));
    staff.click("doctor-accept");
    let _ = staff.see("imported");
    staff.click("nav-submissions");
    staff.click("judge-again-these");
    staff.choose("rejudge-verdict", "WA");
    staff.click("start-rejudging");
    let read = |script: &str| stage.run(script).as_str().unwrap_or_default().to_owned();
    see_attribute(&staff, "old", "data-verdict", "WA", read);
    see_attribute(&staff, "new", "data-verdict", "AC", read);
    stage.wait_for(
        "everything to be judged",
        "return document.querySelector('[data-testid=apply]').disabled",
        &json!(false),
    );
    assert!(!page.has("notices-unread"), "a preview is staff's alone: {}", page.page_text());
    staff.click("apply");
    staff.click("confirm-yes");
    see_attribute(&staff, "set-state", "data-state", "applied", read);

    page.see_text("notices-unread", "1");
    page.click("notices-button");
    page.see_text("notice", "AC");
    let hers = |script: &str| ann.run(script, &[]).expect("the page answers").as_str().unwrap_or_default().to_owned();
    see_attribute(&page, "notice", "data-kind", "verdict_changed", hers);
    ann.screenshot(&picture("bell-light"));
    page.click("notices-mark-all");
    wait::until(
        "nothing is unread",
        WITHIN,
        || {
            if page.has("notices-unread") { Err(page.page_text()) } else { Ok(()) }
        },
    );
    drop(browser);
    stage.end();
}
