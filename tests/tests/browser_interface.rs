//! The interface in a headless browser over `agon serve`: importing, the journal, the keyboard, themes and languages.

use agon_tests::problem::{SUMS, write_sums, zip};
use agon_tests::rooms::TempData;
use agon_tests::stage::{Stage, WITHIN};
use agon_tests::{part, parts, wait};
use serde_json::json;

/// Keys of the WebDriver protocol.
const TAB: &str = "\u{E004}";
const ESCAPE: &str = "\u{E00C}";
const RIGHT: &str = "\u{E014}";
const LEFT: &str = "\u{E012}";

#[test]
fn a_package_is_looked_at_before_it_comes_in() {
    let stage = part!(Stage::open(TempData::new()));
    let page = stage.page();
    let _ = page.see("empty");
    let home = stage.place.path().join("home");
    let package = write_sums(&home, 2);

    let whole = zip(&package);
    stage.choose_package(&whole);
    let _ = page.see("doctor-accept");
    assert!(page.text("doctor").contains("Sums"), "{}", page.text("doctor"));
    page.click("doctor-leave");
    wait::until("the dialog to close", WITHIN, || {
        if page.has("doctor") { Err("it is still open".to_owned()) } else { Ok(()) }
    });
    assert!(page.has("empty"), "left is left: {}", page.page_text());

    stage.choose_package(&whole);
    page.click("doctor-accept");
    let _ = page.see(&format!("problem-row-{SUMS}"));

    std::fs::remove_file(package.join("data/secret/02.ans")).expect("removed");
    stage.choose_package(&zip(&package));
    let _ = page.see("doctor-verdict");
    let said = page.text("doctor");
    assert!(said.contains("02.ans") || said.contains("secret/02"), "the file is named: {said}");
    assert!(!page.has("doctor-accept"), "a broken package cannot be accepted: {said}");
    page.click("doctor-leave");

    stage.choose_package(&whole);
    let _ = page.see("doctor-verdict");
    assert!(!page.has("doctor-accept"), "the very same package offers to open the problem");
    stage.end();
}

#[test]
fn a_dropped_file_is_looked_at_too() {
    const DROP: &str = "const transfer = new DataTransfer();
        transfer.items.add(new File(['no zip at all'], 'dropped.zip'));
        const init = { dataTransfer: transfer, bubbles: true, cancelable: true };
        const over = new DragEvent('dragover', init);
        document.body.dispatchEvent(over);
        document.body.dispatchEvent(new DragEvent('drop', init));
        return over.defaultPrevented";
    let stage = part!(Stage::open(TempData::new()));
    let page = stage.page();
    let _ = page.see("empty");
    assert_eq!(stage.run(DROP), json!(true), "the page takes drops instead of leaving for the file");
    let _ = page.see("doctor-verdict");
    assert!(page.text("doctor").contains("dropped"), "{}", page.text("doctor"));
    assert!(!page.has("doctor-accept"), "{}", page.text("doctor"));
    page.click("doctor-leave");
    assert!(page.has("empty"), "nothing came in: {}", page.page_text());
    stage.end();
}

#[test]
fn what_was_typed_comes_back() {
    const TYPED: &str = "// kept\nint main() { return 0; }\n";
    let stage = part!(Stage::with_sums());
    let page = stage.page();
    page.open_problem(SUMS);
    stage.wait_for("the template", "return document.getElementById('editor-input').value.length > 0", &json!(true));
    page.type_program(TYPED);
    let read = "return document.getElementById('editor-input').value.replace(/\\s+/g, ' ').trim()";
    let expected = json!(TYPED.split_whitespace().collect::<Vec<_>>().join(" "));
    stage.wait_for("the typed text", read, &expected);
    let is_kept = "return /\\d\\d:\\d\\d/.test(document.querySelector('[data-testid=journal]').innerText)";
    stage.wait_for("the journal", is_kept, &json!(true));

    stage.run("location.reload()");
    let _ = page.see("restored");
    stage.wait_for("the text after a reload", read, &expected);

    page.choose("language-select", "python3");
    let other = "return document.getElementById('editor-input').value.includes('kept')";
    stage.wait_for("python's template", other, &json!(false));
    page.choose("language-select", "cpp20");
    stage.wait_for("the text after two changes of language", read, &expected);
    stage.end();
}

#[test]
fn the_keyboard_reaches_and_works_everything() {
    let stage = part!(Stage::with_sums());
    let page = stage.page();
    let focused = "return document.activeElement.dataset.testid || document.activeElement.textContent.trim()";
    let mut seen = Vec::new();
    stage.run("document.querySelector('.skip-link').focus()");
    for _ in 0..20 {
        stage.press(TAB);
        seen.push(stage.run(focused).as_str().unwrap_or_default().to_owned());
    }
    for wanted in [
        "nav-practice",
        "nav-submissions",
        "nav-self-test",
        "nav-settings",
        "outbox",
        "sandbox-indicator",
        "import-button",
        "problem-search",
        "Sums",
    ] {
        assert!(seen.iter().any(|name| name == wanted), "Tab never reached {wanted}: {seen:?}");
    }

    page.click("sandbox-indicator");
    let _ = page.see("sandbox-popover");
    stage.press(ESCAPE);
    wait::until("the popover to close", WITHIN, || {
        if page.has("sandbox-popover") { Err("it is still open".to_owned()) } else { Ok(()) }
    });

    page.open_problem(SUMS);
    stage.run("document.querySelector('[data-testid=split-statement-editor]').focus()");
    let share = "return Number(document.querySelector('[data-testid=split-statement-editor]').ariaValueNow)";
    let before = stage.run(share).as_f64().expect("a share");
    stage.press(RIGHT);
    let moved = stage.run(share).as_f64().expect("a share");
    assert!(moved > before, "{before} then {moved}");
    stage.press(LEFT);
    assert_eq!(stage.run(share).as_f64(), Some(before));

    stage.run("document.getElementById('tab-samples').focus()");
    stage.press(RIGHT);
    assert_eq!(stage.run(focused), json!("tab-custom"));
    let _ = page.see("custom-input");

    stage.run("document.getElementById('editor-input').focus()");
    stage.press(TAB);
    assert_eq!(stage.run(focused), json!("editor-input"), "Tab indents");
    stage.press(ESCAPE);
    stage.press(TAB);
    assert_ne!(stage.run(focused), json!("editor-input"), "Escape, then Tab leaves");
    stage.end();
}

/// Asks the host, past the page's own state.
const KEPT_LOCALE: &str = "const request = new XMLHttpRequest();
    request.open('POST', '/api/v1/get_session', false);
    request.setRequestHeader('content-type', 'application/json');
    request.send('{}');
    return JSON.parse(request.responseText).preferences.locale";

#[test]
fn theme_and_language_follow_the_choice_and_are_kept() {
    let stage = part!(Stage::open(TempData::new()));
    let page = stage.page();
    page.click("nav-settings");
    page.choose("theme-select", "dark");
    stage.wait_for("the dark theme", "return document.documentElement.dataset.theme", &json!("dark"));
    for (code, lang, word) in
        [("zh", "zh-Hans", "设置"), ("ja", "ja", "設定"), ("en", "en", "Settings"), ("ja", "ja", "設定")]
    {
        page.choose("locale-select", code);
        stage.wait_for("the page's language", "return document.documentElement.lang", &json!(lang));
        wait::until("the text", WITHIN, || {
            let text = page.text("nav-settings");
            if text.trim() == word { Ok(()) } else { Err(text) }
        });
    }
    // What the host keeps, not what this browser remembers.
    stage.wait_for("the choice at the host", KEPT_LOCALE, &json!("ja"));
    stage.run("localStorage.clear(); location.reload()");
    stage.wait_for("the theme after a reload", "return document.documentElement.dataset.theme", &json!("dark"));
    stage.wait_for("the language after a reload", "return document.documentElement.lang", &json!("ja"));
    stage.end();
}

#[test]
fn the_content_policy_is_never_broken_and_a_huge_paste_is_refused() {
    const PASTE: &str = "const transfer = new DataTransfer();
        transfer.setData('text/plain', 'a\\n'.repeat(1000000));
        const area = document.getElementById('editor-input');
        area.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }));
        return area.value.length < 100000";
    const VIOLATIONS: &str = "const found = [];
        const observer = new ReportingObserver(reports => found.push(...reports), { types: ['csp-violation'], buffered: true });
        observer.observe();
        found.push(...observer.takeRecords());
        return found.map(report => report.body.effectiveDirective + ' ' + report.body.blockedURL)";
    let stage = part!(Stage::with_sums());
    let page = stage.page();
    page.open_problem(SUMS);
    stage.wait_for("the template", "return document.getElementById('editor-input').value.length > 0", &json!(true));
    assert_eq!(stage.run(PASTE), json!(true));
    let _ = page.see("paste-refused");
    for screen in ["nav-submissions", "nav-self-test", "nav-settings"] {
        page.click(screen);
    }
    assert_eq!(stage.run(VIOLATIONS), json!([]));
    stage.end();
}

#[test]
fn screens_are_kept_as_pictures_in_both_themes_and_all_languages() {
    let stage = part!(Stage::with_sums());
    let page = stage.page();
    let folder = parts::artifacts().join("interface");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    stage.session().resize(1280, 820);
    for (theme, locale) in [("light", "en"), ("dark", "en"), ("light", "zh"), ("dark", "ja")] {
        page.click("nav-settings");
        page.choose("theme-select", theme);
        page.choose("locale-select", locale);
        for (screen, ready) in [
            ("nav-settings", "theme-select"),
            ("nav-practice", "problem-search"),
            ("nav-submissions", "empty"),
            ("nav-self-test", "run-self-test"),
            ("nav-hall", "number-queue-depth"),
            ("hall-rejudging", "empty"),
            ("hall-audit", "audit-entries"),
            ("hall-backups", "make-backup"),
        ] {
            page.click(screen);
            let _ = page.see(ready);
            stage
                .session()
                .screenshot(&folder.join(format!("{}-{theme}-{locale}.png", screen.trim_start_matches("nav-"))));
        }
        page.open_problem(SUMS);
        let _ = page.see("sample-1");
        stage.session().screenshot(&folder.join(format!("problem-{theme}-{locale}.png")));
    }
    stage.end();
}
