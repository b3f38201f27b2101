//! Accounts in a headless browser: made beside the running server, logged in, ended by staff, logged out.

use std::time::Duration;

use agon_tests::browser::Browser;
use agon_tests::cli::{Said, agon, agon_told};
use agon_tests::page::Page;
use agon_tests::parts::Missing;
use agon_tests::rooms::TempData;
use agon_tests::serve::Serve;
use agon_tests::window::picture;
use agon_tests::{part, wait};

/// A long poll of the page and a loaded machine.
const WITHIN: Duration = Duration::from_secs(120);
const PASSWORD: &str = "correct horse battery";
const ESCAPE: &str = "\u{E00C}";

fn account(place: &TempData, arguments: &[&str], stdin: &str) -> Result<Said, Missing> {
    let said = agon_told(place, &[&["account"], arguments].concat(), stdin)?;
    assert_eq!(said.code, 0, "{said:#?}");
    Ok(said)
}

struct Log<'a>(Page<'a>, &'a Browser);

impl Log<'_> {
    fn type_into(&self, id: &str, text: &str) {
        let field = self.0.see(id);
        self.1.session().type_into(&field, text).expect("it can be typed into");
    }

    fn log_in(&self, password: &str) {
        self.1.session().run("document.getElementById('log-in-name').value = ''", &[]).expect("it runs");
        self.type_into("log-in-name", "Ann");
        self.type_into("log-in-password", password);
        self.0.click("log-in-button");
    }

    fn picture(&self, name: &str) {
        self.1.session().screenshot(&picture(name));
    }

    fn until(&self, what: &str, holds: impl Fn(&Page<'_>) -> bool) {
        wait::until(what, WITHIN, || if holds(&self.0) { Ok(()) } else { Err(self.0.page_text()) });
    }
}

#[test]
fn an_account_logs_in_is_ended_by_staff_and_goes_on_where_it_was() {
    let (place, browser_place) = (TempData::new(), TempData::new());
    let browser = part!(Browser::start(&browser_place));
    let (mut server, address) = part!(Serve::start_unopened(&place));
    let (origin, _) = address.split_once("/?").expect("the address carries a token");
    let add = ["add", "ann", "--display-name", "Team Ann"];
    part!(account(&place, &add, &format!("{PASSWORD}\n")));
    let twice = part!(agon_told(&place, &["account", "add", "ANN"], &format!("{PASSWORD}\n")));
    assert!(twice.code != 0 && twice.stderr.contains("taken"), "{twice:#?}");

    browser.session().go(origin);
    let log = Log(Page::before_log_in(browser.session()), &browser);
    let page = &log.0;
    let _ = page.see("log-in");
    log.picture("log-in-light");
    log.log_in("a wrong password");
    page.see_text("log-in-failure", "The name or the password is wrong.");
    log.picture("log-in-refused-light");
    log.log_in(PASSWORD);

    page.click("account-button");
    page.see_text("account-name", "Team Ann");
    page.see_text("account-roles", "Contestant");
    log.picture("account-light");
    page.click("account-button");
    page.click("notices-button");
    let _ = page.see("notices");
    log.picture("notices-empty-light");
    let button = page.see("notices-button");
    browser.session().type_into(&button, ESCAPE).expect("a key can be pressed");
    log.until("the panel closes", |page| !page.has("notices"));
    page.click("nav-settings");
    let _ = page.see("notice-choice-verdict_changed");
    assert!(!page.has("notice-choice-needs_attention"), "what staff are told is not offered to others");
    assert!(!page.has("data-folder"), "where the folder lies is for staff");
    page.choose("theme-select", "dark");
    log.picture("settings-account-dark");

    part!(account(&place, &["disable", "ann"], ""));
    wait::until(
        "the log-in covers the page",
        WITHIN,
        || {
            if page.has("log-in") { Ok(()) } else { Err(page.page_text()) }
        },
    );
    assert!(page.has("theme-select"), "what was open is still below");
    log.picture("log-in-cover-dark");
    log.log_in(PASSWORD);
    page.see_text("log-in-failure", "disabled");
    part!(account(&place, &["disable", "ann", "--undo"], ""));
    log.log_in(PASSWORD);
    log.until("the page goes on", |page| !page.has("log-in") && page.has("theme-select"));

    page.click("account-button");
    page.click("log-out");
    let _ = page.see("log-in");
    log.picture("log-in-dark");
    let listed = part!(agon(&place, &["account", "list", "--json"]));
    assert!(listed.stdout.contains("\"name\":\"ann\"") && !listed.stdout.contains(PASSWORD), "{listed:#?}");
    drop(browser);
    assert!(server.ask_to_end().success(), "{}", server.printed());
    place.assert_nothing_left();
}
