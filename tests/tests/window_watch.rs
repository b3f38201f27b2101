//! File watch in the built window: a folder chosen in the system's dialog whose packages come in, and a program written in
//! one's own editor that the window shows and submits.

use std::fs;

use agon_tests::keyboard::Keyboard;
use agon_tests::page::Page;
use agon_tests::problem::{SUMS, write_sums};
use agon_tests::programs::{RIGHT, WRONG};
use agon_tests::rooms::TempData;
use agon_tests::window::{WindowApp, picture};
use agon_tests::{part, parts};

#[test]
fn a_watched_folder_brings_a_problem_and_ones_own_editor_brings_the_program() {
    part!(parts::sandbox());
    let place = TempData::new();
    let home = place.path().join("home");
    let packages = home.join("packages");
    fs::create_dir_all(&packages).expect("the folder can be made");
    let program = home.join("sums.cpp");
    fs::write(&program, WRONG).expect("a file");
    let app = part!(WindowApp::start(&place));
    let keyboard = part!(Keyboard::of(app.display()));
    let page = Page::new(app.session());

    page.click("nav-settings");
    page.click("service-switch");
    page.see_text("service", "Running");
    page.click("watch-browse");
    keyboard.answer_file_dialog("Select Folder", &packages.to_string_lossy());
    page.click("watch-set");
    page.see_text("watched-folder", "packages");
    let _ = write_sums(&packages, 2);
    page.see_text("watched-package", "Taken in");
    app.session().screenshot(&picture("window-watched-folder"));

    page.open_problem(SUMS);
    page.choose("language-select", "cpp20");
    page.click("own-editor");
    page.click("own-editor-browse");
    keyboard.answer_file_dialog("Open File", &program.to_string_lossy());
    page.click("own-editor-watch");
    page.see_text("own-editor-file", "sums.cpp");
    assert_eq!(page.submit().verdict, "WA");
    app.session().screenshot(&picture("window-own-editor"));

    fs::write(&program, RIGHT).expect("the editor saves");
    let line = RIGHT.lines().rfind(|line| !line.trim().is_empty() && !WRONG.contains(*line)).expect("they differ");
    page.see_text("own-editor-text", line.trim());
    assert_eq!(page.submit().verdict, "AC");
    app.end();
    place.assert_nothing_left();
}
