//! A server of a story's own and a browser in front of it.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::browser::Browser;
use crate::children::Group;
use crate::page::Page;
use crate::parts::Missing;
use crate::problem::{write_sums, zip};
use crate::rooms::TempData;
use crate::serve::Serve;
use crate::wait;
use crate::webdriver::Session;

/// A loaded machine.
pub const WITHIN: Duration = Duration::from_secs(60);

/// A server and a browser that has used its printed address.
#[derive(Debug)]
pub struct Stage {
    pub place: TempData,
    /// The browser's own droppings are not the server's: they go with this folder, unlooked at.
    _browser_place: TempData,
    server: Group,
    browser: Browser,
}

impl Stage {
    /// Starts both on the place's data folder.
    ///
    /// # Errors
    /// A part is missing.
    pub fn open(place: TempData) -> Result<Self, Missing> {
        let browser_place = TempData::new();
        let browser = Browser::start(&browser_place)?;
        let (server, address) = Serve::start_unopened(&place)?;
        browser.session().go(&address);
        Ok(Self { place, _browser_place: browser_place, server, browser })
    }

    /// With the package of sums taken in through the doctor.
    ///
    /// # Errors
    /// A part is missing.
    pub fn with_sums() -> Result<Self, Missing> {
        let stage = Self::open(TempData::new())?;
        let package = zip(&write_sums(&stage.place.path().join("home"), 2));
        stage.choose_package(&package);
        stage.page().click("doctor-accept");
        let _ = stage.page().see("imported");
        Ok(stage)
    }

    /// The browser's page.
    #[must_use]
    pub fn session(&self) -> &Session {
        self.browser.session()
    }

    /// The interface on it.
    #[must_use]
    pub fn page(&self) -> Page<'_> {
        Page::new(self.session())
    }

    /// Hands a package to the doctor.
    ///
    /// # Panics
    /// The page takes no file.
    pub fn choose_package(&self, file: &Path) {
        let input = self.page().see("import-file");
        self.session().type_into(&input, &file.to_string_lossy()).expect("the file input takes a path");
    }

    /// Runs a function body in the page.
    ///
    /// # Panics
    /// It throws.
    #[expect(clippy::must_use_candidate, reason = "scripts also act")]
    pub fn run(&self, script: &str) -> Value {
        self.session().run(script, &[]).expect("the script runs")
    }

    /// Presses a key where the focus is.
    ///
    /// # Panics
    /// Nothing takes it.
    pub fn press(&self, key: &str) {
        let find = |selector| self.session().find(selector);
        let focused = find(":focus").or_else(|_| find("body")).expect("a page has a body");
        self.session().type_into(&focused, key).expect("it takes the key");
    }

    /// Waits until a script answers what is expected.
    ///
    /// # Panics
    /// It does not.
    pub fn wait_for(&self, what: &str, script: &str, expected: &Value) {
        wait::until(what, WITHIN, || {
            let seen = self.run(script);
            if seen == *expected { Ok(()) } else { Err(format!("{seen}\n{}", self.page().page_text())) }
        });
    }

    /// Ends browser and server, and looks whether they left anything.
    ///
    /// # Panics
    /// They did.
    pub fn end(mut self) {
        drop(self.browser);
        let _ = self.server.ask_to_end();
        self.place.assert_nothing_left();
    }
}
