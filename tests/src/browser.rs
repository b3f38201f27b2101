//! A headless Chromium of a story's own, with a profile of its own.

use serde_json::json;

use crate::children::Group;
use crate::parts::{self, Missing};
use crate::rooms::TempData;
use crate::webdriver::Session;
use crate::window::free_port;

/// A browser and its driver. Dropping it ends both.
#[derive(Debug)]
pub struct Browser {
    _driver: Group,
    session: Session,
}

impl Browser {
    /// Starts a browser that talks to nobody by itself.
    ///
    /// # Errors
    /// Chromium or its driver is not installed.
    ///
    /// # Panics
    /// It does not start.
    pub fn start(place: &TempData) -> Result<Self, Missing> {
        let remedy = "run cargo xtask setup (Debian: chromium chromium-driver)";
        let driver_program = parts::tool("chromedriver", remedy)?;
        let browser = parts::tool("chromium", remedy)?;
        let port = free_port();
        let mut command = place.command(&driver_program);
        command.arg(format!("--port={port}"));
        let mut driver = Group::start("chromedriver", &mut command, &place.logs());
        let profile = place.path().join("home/chromium");
        let mut arguments: Vec<String> = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--window-size=1280,820",
            "--lang=en",
        ]
        .map(str::to_owned)
        .to_vec();
        arguments.push(format!("--user-data-dir={}", profile.display()));
        let capabilities = json!({
            "browserName": "chrome",
            "goog:chromeOptions": { "binary": browser, "args": arguments },
        });
        let session = Session::open(&mut driver, port, &capabilities);
        Ok(Self { _driver: driver, session })
    }

    /// The page.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session.close();
    }
}
