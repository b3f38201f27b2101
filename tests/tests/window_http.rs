//! The same interface in headless Chromium over HTTP: the same story, and an import by file choice.

use agon_tests::browser::Browser;
use agon_tests::first_light::{hostile_then_right, wrong_then_right};
use agon_tests::page::Page;
use agon_tests::problem::{SUMS, write_sums, zip};
use agon_tests::rooms::TempData;
use agon_tests::serve::Serve;
use agon_tests::window::picture;
use agon_tests::{part, parts};

#[test]
fn a_package_is_imported_a_wrong_program_is_mended_and_hostile_ones_do_no_harm() {
    part!(parts::sandbox());
    let place = TempData::new();
    let package = zip(&write_sums(&place.path().join("home"), 3));
    let (mut server, address) = part!(Serve::start_unopened(&place));
    let browser = part!(Browser::start(&place));
    browser.session().go(&address);
    let page = Page::new(browser.session());
    page.click("nav-practice");
    page.choose_file("import-file", &package);
    page.click("doctor-accept");
    let _ = page.see(&format!("problem-row-{SUMS}"));
    wrong_then_right(&page);
    hostile_then_right(&page);
    browser.session().screenshot(&picture("http-after-hostile"));
    drop(browser);
    assert!(server.ask_to_end().success(), "{}", server.printed());
    place.assert_nothing_left();
}
