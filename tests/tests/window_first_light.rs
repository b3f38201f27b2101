//! The built window on the real engine: the way from a click to a verdict, and five programs that mean harm.

use agon_tests::cli::agon;
use agon_tests::first_light::{hostile_then_right, wrong_then_right};
use agon_tests::page::Page;
use agon_tests::problem::write_sums;
use agon_tests::rooms::TempData;
use agon_tests::window::{WindowApp, picture};
use agon_tests::{part, parts};

#[test]
fn a_wrong_program_is_mended_and_hostile_ones_do_no_harm() {
    part!(parts::sandbox());
    let place = TempData::new();
    let package = write_sums(&place.path().join("home"), 3);
    let said = part!(agon(&place, &["import", &package.to_string_lossy()]));
    assert_eq!(said.code, 0, "{said:#?}");
    let app = part!(WindowApp::start(&place));
    let page = Page::new(app.session());
    wrong_then_right(&page);
    app.session().screenshot(&picture("window-accepted"));
    hostile_then_right(&page);
    app.session().screenshot(&picture("window-after-hostile"));
    page.click("nav-submissions");
    let _ = page.see("submission-row-8");
    app.session().screenshot(&picture("window-submissions"));
    app.end();
    place.assert_nothing_left();
}
