//! A picture of every screen in both themes and three languages, for a person to look at.

use agon_tests::cli::agon;
use agon_tests::first_light::wrong_then_right;
use agon_tests::page::Page;
use agon_tests::problem::{SUMS, write_sums};
use agon_tests::rooms::TempData;
use agon_tests::window::{WindowApp, picture};
use agon_tests::{part, parts};

#[test]
fn every_screen_in_both_themes_and_three_languages() {
    part!(parts::sandbox());
    let place = TempData::new();
    let package = write_sums(&place.path().join("home"), 3);
    let said = part!(agon(&place, &["import", &package.to_string_lossy()]));
    assert_eq!(said.code, 0, "{said:#?}");
    let app = part!(WindowApp::start(&place));
    let page = Page::new(app.session());
    wrong_then_right(&page);
    for locale in ["en", "zh", "ja"] {
        for theme in ["light", "dark"] {
            page.click("nav-settings");
            page.choose("locale-select", locale);
            page.choose("theme-select", theme);
            let shoot = |screen: &str| app.session().screenshot(&picture(&format!("{screen}-{locale}-{theme}")));
            shoot("settings");
            page.click("nav-practice");
            let _ = page.see(&format!("problem-row-{SUMS}"));
            shoot("practice");
            page.open_problem(SUMS);
            let _ = page.see("statement");
            page.click("run-samples");
            let _ = page.see("run-row-1");
            shoot("problem");
            page.click("nav-submissions");
            page.follow_row("submission-row-1");
            let _ = page.see("first-failing");
            shoot("submission");
            page.click("nav-submissions");
            let _ = page.see("submission-row-2");
            shoot("submissions");
            page.click("nav-hall");
            let _ = page.see("number-queue-depth");
            shoot("hall");
            page.click("hall-rejudging");
            let _ = page.see("ask-many");
            shoot("rejudgings");
            page.click("hall-audit");
            let _ = page.see("audit-entries");
            shoot("audit");
            page.click("hall-backups");
            let _ = page.see("make-backup");
            shoot("backups");
            page.click("nav-self-test");
            let _ = page.see("run-self-test");
            shoot("self-test");
            page.click("sandbox-indicator");
            let _ = page.see("sandbox-popover");
            shoot("sandbox");
            page.click("sandbox-indicator");
        }
    }
    app.end();
    place.assert_nothing_left();
}
