//! What a person does with the interface, in the window and in a browser alike, by the interface's test ids.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::wait;
use crate::webdriver::{Element, Session};

/// A page on a loaded machine.
const SHOWN_WITHIN: Duration = Duration::from_secs(60);
/// Compiling and judging on a loaded machine.
const JUDGED_WITHIN: Duration = Duration::from_secs(400);

/// The interface on one page.
#[derive(Debug)]
pub struct Page<'a> {
    session: &'a Session,
}

/// A verdict as the page shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    pub verdict: String,
    pub first_failing: String,
    /// All text of the page, for words like `fork limit`.
    pub page: String,
}

impl<'a> Page<'a> {
    /// The interface that `session` shows; waits until it stands.
    ///
    /// # Panics
    /// It does not come up.
    #[must_use]
    pub fn new(session: &'a Session) -> Self {
        let page = Self { session };
        let _ = page.see("sandbox-indicator");
        page
    }

    /// The interface that `session` shows to whoever has no session yet: the log-in, and nothing to wait for behind it.
    #[must_use]
    pub fn before_log_in(session: &'a Session) -> Self {
        Self { session }
    }

    /// Waits for the element with this test id.
    ///
    /// # Panics
    /// It does not appear.
    #[must_use]
    pub fn see(&self, id: &str) -> Element {
        wait::until(id, SHOWN_WITHIN, || self.session.find(&selector(id)).map_err(|error| self.seen(&error)))
    }

    /// Whether the element with this test id is there now.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.session.find(&selector(id)).is_ok()
    }

    /// Clicks the element with this test id once it can be clicked.
    ///
    /// # Panics
    /// It cannot.
    pub fn click(&self, id: &str) {
        wait::until(&format!("a click on {id}"), SHOWN_WITHIN, || {
            let element = self.session.find(&selector(id))?;
            self.session.click(&element).map_err(|error| self.seen(&error))
        });
    }

    /// Follows the link of a table's row. WebKit's driver calls a row itself "not interactable".
    ///
    /// # Panics
    /// It cannot be clicked.
    pub fn follow_row(&self, id: &str) {
        wait::until(&format!("a click into {id}"), SHOWN_WITHIN, || {
            let link = self.session.find(&format!("{} a", selector(id)))?;
            self.session.click(&link).map_err(|error| self.seen(&error))
        });
    }

    /// The text of the element with this test id.
    ///
    /// # Panics
    /// It does not appear.
    #[must_use]
    pub fn text(&self, id: &str) -> String {
        wait::until(id, SHOWN_WITHIN, || self.session.text(&self.session.find(&selector(id))?))
    }

    /// Waits until the element with this test id contains the words.
    ///
    /// # Panics
    /// It does not come to.
    pub fn see_text(&self, id: &str, words: &str) {
        wait::until(&format!("{words} in {id}"), SHOWN_WITHIN, || {
            let text = self.session.text(&self.session.find(&selector(id))?)?;
            if text.contains(words) { Ok(()) } else { Err(self.seen(&text)) }
        });
    }

    /// Chooses the option with this value of a select, as a person's choice reaches the page: by its events.
    ///
    /// # Panics
    /// There is no such option.
    pub fn choose(&self, id: &str, value: &str) {
        let script = "const select = document.querySelector(arguments[0]);
            if (!select || ![...select.options].some(option => option.value === arguments[1])) return false;
            select.value = arguments[1];
            select.dispatchEvent(new Event('input', { bubbles: true }));
            select.dispatchEvent(new Event('change', { bubbles: true }));
            return true;";
        wait::until(&format!("{value} in {id}"), SHOWN_WITHIN, || {
            match self.session.run(script, &[json!(selector(id)), json!(value)]) {
                Ok(Value::Bool(true)) => Ok(()),
                Ok(other) => Err(self.seen(&other.to_string())),
                Err(error) => Err(error),
            }
        });
    }

    /// Chooses a file of this machine in a file input, which a page may hide behind a button.
    ///
    /// # Panics
    /// The input takes no file.
    pub fn choose_file(&self, id: &str, file: &Path) {
        let input = self.see(id);
        self.session.type_into(&input, &file.to_string_lossy()).expect("the input takes a file");
    }

    /// Goes to the list of problems and opens one.
    ///
    /// # Panics
    /// It is not in the list.
    pub fn open_problem(&self, slug: &str) {
        self.click("nav-practice");
        self.follow_row(&format!("problem-row-{slug}"));
        let _ = self.see("editor-input");
    }

    /// Replaces the editor's text by typing: everything is selected and overwritten key by key.
    ///
    /// # Panics
    /// The editor takes no keys.
    pub fn type_program(&self, text: &str) {
        let editor = self.see("editor-input");
        self.session.click(&editor).expect("the editor can be clicked");
        self.session
            .run(
                "const editor = document.querySelector(arguments[0]); editor.focus(); editor.select();",
                &[json!(selector("editor-input"))],
            )
            .expect("the editor can be selected");
        // One line without leading blanks: an editor that indents by itself may add to what is typed, never to this.
        self.session.type_into(&editor, &flattened(text)).expect("the editor takes keys");
    }

    /// Submits what is in the editor and waits for the verdict of that very submission.
    ///
    /// # Panics
    /// No verdict comes.
    #[must_use]
    pub fn submit(&self) -> Shown {
        let before = self.followed();
        self.click("submit");
        let _ = self.see("submit-receipt");
        wait::until("the page to follow the new submission", SHOWN_WITHIN, || {
            let now = self.followed();
            if now.is_some() && now != before { Ok(()) } else { Err(self.seen("no new submission")) }
        });
        self.verdict()
    }

    /// The address of the submission that the problem's page follows.
    fn followed(&self) -> Option<String> {
        let link = self.session.find(&selector("submission-link")).ok()?;
        self.session.attribute(&link, "href").ok()?
    }

    /// Waits until judging has ended and answers what the page shows then.
    ///
    /// # Panics
    /// It does not end.
    #[must_use]
    pub fn verdict(&self) -> Shown {
        let verdict = wait::until("the page's verdict", JUDGED_WITHIN, || {
            let state = self.session.find(&selector("state-line")).map_err(|error| self.seen(&error))?;
            let stage = self.session.attribute(&state, "data-stage")?.unwrap_or_default();
            if stage != "finished" {
                return Err(self.seen(&stage));
            }
            let badge = self.session.find(&selector("verdict")).map_err(|error| self.seen(&error))?;
            self.session.attribute(&badge, "data-verdict")?.ok_or_else(|| "a badge without a verdict".to_owned())
        });
        let first_failing = if self.has("first-failing") { self.text("first-failing") } else { String::new() };
        Shown { verdict, first_failing, page: self.page_text() }
    }

    /// All text that the page shows.
    #[must_use]
    pub fn page_text(&self) -> String {
        let text = self.session.run("return document.body.innerText;", &[]);
        text.ok().and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default()
    }

    fn seen(&self, error: &str) -> String {
        format!("{error}\n---- the page ----\n{}", self.page_text())
    }
}

/// The interface marks what people use with `data-testid`.
fn selector(id: &str) -> String {
    format!("[data-testid=\"{id}\"]")
}

/// The protocol's Enter key: WebKit's driver drops plain line feeds.
const ENTER: &str = "\u{E007}";

/// The program with its lines unindented: white space means nothing in the harness's C++.
fn flattened(text: &str) -> String {
    text.lines().map(str::trim_start).collect::<Vec<_>>().join(ENTER)
}
