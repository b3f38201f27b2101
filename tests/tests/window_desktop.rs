//! What only the desktop app has: the system's file dialog, one window for one data folder, and a crash of the app itself.

use std::time::Duration;

use agon_contract::verdict::Verdict;
use agon_tests::children::Group;
use agon_tests::cli::agon;
use agon_tests::keyboard::Keyboard;
use agon_tests::page::Page;
use agon_tests::problem::{SUMS, write_sums, zip};
use agon_tests::programs::SLOW;
use agon_tests::rooms::TempData;
use agon_tests::serve::Serve;
use agon_tests::window::{Display, WindowApp, picture, window_environment};
use agon_tests::{part, parts, wait};

#[test]
fn a_package_chosen_in_the_systems_dialog_is_looked_at_and_imported() {
    part!(parts::headless());
    let place = TempData::new();
    let package = zip(&write_sums(&place.path().join("home"), 2));
    let app = part!(WindowApp::start(&place));
    let keyboard = part!(Keyboard::of(app.display()));
    let page = Page::new(app.session());
    page.click("nav-practice");
    page.click("import-button");
    keyboard.answer_file_dialog("Open", &package.to_string_lossy());
    let _ = page.see("doctor-accept");
    app.session().screenshot(&picture("window-doctor"));
    page.click("doctor-accept");
    let _ = page.see(&format!("problem-row-{SUMS}"));
    app.end();
    let said = part!(agon(&place, &["problems"]));
    assert!(said.code == 0 && said.stdout.starts_with(SUMS), "{said:#?}");
    place.assert_nothing_left();
}

#[test]
fn a_second_start_asks_the_first_window_and_leaves() {
    let place = TempData::new();
    let app = part!(WindowApp::start(&place));
    let page = Page::new(app.session());
    let mut second = place.command(&part!(parts::desktop()));
    window_environment(&mut second, app.display());
    let ended = second.output().expect("the second start runs");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(ended.status.success() && said.contains("already running"), "{} {said}", ended.status);
    page.click("nav-settings");
    let _ = page.see("theme-select");
    app.end();
    place.assert_nothing_left();
}

#[test]
fn a_data_folder_that_cannot_be_used_is_named_in_a_dialog() {
    let place = TempData::new();
    let display = part!(Display::start(&place));
    let keyboard = part!(Keyboard::of(&display));
    let mut command = place.command(&part!(parts::tool("dbus-run-session", "run cargo xtask setup")));
    command.arg(part!(parts::desktop())).env("AGON_DATA", "/proc/no-folder-here");
    window_environment(&mut command, &display);
    let mut app = Group::start("desktop", &mut command, &place.logs());
    keyboard.focus("Agon cannot start");
    keyboard.press("Return");
    assert_eq!(app.wait().code(), Some(3), "{}", app.printed());
    assert!(app.printed().contains("the data folder /proc/no-folder-here cannot be used"), "{}", app.printed());
    place.assert_nothing_left();
}

#[test]
fn a_crash_of_the_app_in_mid_judging_costs_no_submission() {
    part!(parts::sandbox());
    let place = TempData::new();
    let package = write_sums(&place.path().join("home"), 12);
    assert_eq!(part!(agon(&place, &["import", &package.to_string_lossy()])).code, 0);
    let app = part!(WindowApp::start(&place));
    let page = Page::new(app.session());
    page.open_problem(SUMS);
    page.choose("language-select", "cpp20");
    for number in 1..=3 {
        // The same text again would be asked about while the first still waits.
        page.type_program(&format!("{SLOW}// {number}\n"));
        page.click("submit");
        page.see_text("submit-receipt", &format!("#{number}"));
    }
    page.click("nav-submissions");
    let _ = page.see("submission-row-3");
    let verdict_of_third = app.session().find("[data-testid=\"submission-row-3\"] [data-verdict]");
    assert!(verdict_of_third.is_err(), "the third still waits when the app crashes");
    app.crash();
    drop(app);

    let server = part!(Serve::start(&place));
    for number in 1..=3 {
        let id = server.submission_numbered(number);
        let (verdict, judgement) = server.verdict(&id);
        assert_eq!(verdict, Verdict::Accepted, "{judgement:#?}");
        let judged = server.submission(&id).judgements.into_iter().filter(|one| one.verdict.is_some()).count();
        assert_eq!(judged, 1, "one verdict for submission {number}");
    }
    server.stop();
    wait::until("nothing of the app to be left", Duration::from_secs(30), || {
        let boxes = place.boxes();
        if boxes.is_empty() { Ok(()) } else { Err(boxes.join("\n")) }
    });
}
