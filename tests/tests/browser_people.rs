//! People in headless browsers: staff make and change accounts, a contestant logs in, changes the password and never sees
//! what is for staff.

use std::time::Duration;

use agon_tests::axe::Axe;
use agon_tests::browser::Browser;
use agon_tests::page::Page;
use agon_tests::rooms::TempData;
use agon_tests::serve::Serve;
use agon_tests::webdriver::Session;
use agon_tests::window::picture;
use agon_tests::{part, wait};
use serde_json::json;

/// A long poll of the page and a loaded machine.
const WITHIN: Duration = Duration::from_secs(120);
const FIRST: &str = "correct horse battery";
const SECOND: &str = "staple by the staff";
const THIRD: &str = "only ann knows this";

fn fill(page: &Page<'_>, session: &Session, id: &str, text: &str) {
    let field = page.see(id);
    session.type_into(&field, text).expect("it can be typed into");
}

fn log_in(page: &Page<'_>, session: &Session, password: &str) {
    let _ = page.see("log-in");
    session.run("document.getElementById('log-in-name').value = ''", &[]).expect("it runs");
    fill(page, session, "log-in-name", "ann");
    fill(page, session, "log-in-password", password);
    page.click("log-in-button");
}

fn until(page: &Page<'_>, what: &str, holds: impl Fn() -> bool) {
    wait::until(what, WITHIN, || if holds() { Ok(()) } else { Err(page.page_text()) });
}

/// What the page says of the first element that fits.
fn said(session: &Session, selector: &str, what: &str) -> String {
    let script =
        format!("const found = document.querySelector(arguments[0]); return found ? String(found.{what}) : ''");
    session.run(&script, &[json!(selector)]).expect("the page answers").as_str().unwrap_or_default().to_owned()
}

/// Staff make an account, look at what cannot be, set a password, and disable and enable it.
fn staff_side(page: &Page<'_>, session: &Session, look: &mut impl FnMut(&str, &Session)) {
    page.click("nav-hall");
    page.click("hall-accounts");
    let _ = page.see("empty");
    page.click("new-account");
    look("a new account", session);
    fill(page, session, "account-login", "ann");
    fill(page, session, "account-shown", "Team Ann of a School with a Rather Long Name");
    fill(page, session, "account-password", FIRST);
    page.click("create");
    page.see_text("account-done", "ann");
    page.see_text("account-ann", "Contestant");
    session.screenshot(&picture("hall-accounts-light"));

    page.click("new-account");
    fill(page, session, "account-login", "ANN");
    fill(page, session, "account-password", FIRST);
    page.click("create");
    page.see_text("refusal", "taken");
    assert_eq!(said(session, "#account-password", "value"), "", "nothing keeps a password that was sent");
    session.run("document.querySelector('dialog').close()", &[]).expect("it closes");

    page.click("change-roles");
    page.click("role-coach");
    look("the roles", session);
    page.click("save");
    page.see_text("account-ann", "Coach · Contestant");
    page.click("reset-password");
    fill(page, session, "reset-to", SECOND);
    look("a new password", session);
    page.click("save");
    page.see_text("account-done", "ann");
    page.click("disable");
    page.click("confirm-yes");
    until(page, "the account is disabled", || said(session, "[data-testid=account-ann]", "dataset.disabled") == "true");
    look("accounts", session);
    page.click("enable");
    until(page, "the account is enabled", || said(session, "[data-testid=account-ann]", "dataset.disabled") == "false");
}

/// The contestant sees that judging waits and whom to tell, and nothing of the machine.
fn nothing_of_the_machine(page: &Page<'_>, session: &Session) {
    for id in ["nav-hall", "nav-self-test", "import-button"] {
        assert!(!page.has(id), "{id} is for staff");
    }
    page.see_text("paused", "Judging is paused. Please tell the staff. What is submitted is kept");
    page.click("sandbox-indicator");
    let _ = page.see("sandbox-popover");
    let text = page.page_text();
    for word in ["cargo", "/nowhere", "supervisor program"] {
        assert!(!text.contains(word), "`{word}` is for staff: {text}");
    }
    session.screenshot(&picture("paused-contestant-light"));
    page.click("sandbox-indicator");
}

#[test]
fn staff_look_after_accounts_and_a_contestant_after_their_own() {
    let axe = part!(Axe::load());
    let (mut place, staff_place, contestant_place) = (TempData::new(), TempData::new(), TempData::new());
    // The machine cannot judge, and the reason names a path and a command.
    place.set("AGON_SUPERVISOR", "/nowhere/at-all/agon-supervisor");
    let staff_browser = part!(Browser::start(&staff_place));
    let (mut server, address) = part!(Serve::start_unopened(&place));
    let mut faults = Vec::new();
    let mut look = |screen: &str, session: &Session| {
        faults.extend(axe.faults(session).into_iter().map(|fault| format!("{screen}: {fault}")));
    };

    let staff = staff_browser.session();
    staff.go(&address);
    let page = Page::new(staff);
    page.see_text("paused-reason", "The supervisor program is not at /nowhere/at-all/agon-supervisor: build it with");
    staff.screenshot(&picture("paused-staff-light"));
    staff_side(&page, staff, &mut look);
    page.click("nav-settings");
    let _ = page.see("service");
    look("optional services", staff);

    let browser = part!(Browser::start(&contestant_place));
    let contestant = browser.session();
    contestant.go(address.split_once("/?").expect("the address carries a token").0);
    let own = Page::before_log_in(contestant);
    log_in(&own, contestant, FIRST);
    own.see_text("log-in-failure", "wrong");
    look("the log-in", contestant);
    log_in(&own, contestant, SECOND);
    nothing_of_the_machine(&own, contestant);
    own.click("notices-button");
    let _ = own.see("notices");
    look("notices", contestant);

    own.click("nav-settings");
    for (field, text) in [("old-password", SECOND), ("new-password", THIRD), ("repeat-password", "something else")] {
        fill(&own, contestant, field, text);
    }
    own.click("change-password");
    let _ = own.see("passwords-differ");
    look("one's own account", contestant);
    contestant.screenshot(&picture("own-account-light"));
    for (field, text) in [("old-password", SECOND), ("new-password", THIRD), ("repeat-password", THIRD)] {
        fill(&own, contestant, field, text);
    }
    own.click("change-password");
    log_in(&own, contestant, THIRD);
    until(&own, "the page goes on", || !own.has("log-in"));
    own.click("end-own-sessions");
    own.click("confirm-yes");
    log_in(&own, contestant, THIRD);
    until(&own, "the page goes on again", || !own.has("log-in"));

    page.click("nav-hall");
    page.click("hall-accounts");
    page.click("end-sessions");
    page.click("confirm-yes");
    page.see_text("account-done", "1");
    let _ = own.see("log-in");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    drop((browser, staff_browser));
    assert!(server.ask_to_end().success(), "{}", server.printed());
    place.assert_nothing_left();
}
