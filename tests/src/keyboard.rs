//! Real keys on a story's display, for what no page can reach: the system's file dialog.

use std::process::Command;
use std::time::Duration;

use crate::parts::{self, Missing};
use crate::wait;
use crate::window::Display;

/// A dialog on a loaded machine.
const SHOWN_WITHIN: Duration = Duration::from_secs(60);

/// Presses keys in the window that is asked for by its title.
#[derive(Debug)]
pub struct Keyboard {
    program: std::path::PathBuf,
    display: String,
}

impl Keyboard {
    /// The keyboard of a display.
    ///
    /// # Errors
    /// `xdotool` is not installed.
    pub fn of(display: &Display) -> Result<Self, Missing> {
        let program = parts::tool("xdotool", "run cargo xtask setup (Debian: xdotool)")?;
        Ok(Self { program, display: display.name().to_owned() })
    }

    /// Waits for a visible window whose title matches, and gives it the keys.
    ///
    /// # Panics
    /// None appears.
    pub fn focus(&self, title: &str) {
        let window = wait::until(&format!("a window titled {title}"), SHOWN_WITHIN, || {
            let found = self.run(&["search", "--onlyvisible", "--name", title])?;
            found.lines().last().map(str::to_owned).ok_or_else(|| "none".to_owned())
        });
        wait::until("the window to take the keys", SHOWN_WITHIN, || self.run(&["windowfocus", "--sync", &window]));
    }

    /// Types text.
    ///
    /// # Panics
    /// The display takes no keys.
    pub fn type_text(&self, text: &str) {
        self.run(&["type", "--delay", "20", text]).expect("the display takes keys");
    }

    /// Presses one key by its name, e.g. `Return`.
    ///
    /// # Panics
    /// The display takes no keys.
    pub fn press(&self, key: &str) {
        self.run(&["key", key]).expect("the display takes keys");
    }

    fn run(&self, arguments: &[&str]) -> Result<String, String> {
        let ran = Command::new(&self.program).args(arguments).env("DISPLAY", &self.display).output();
        let ran = ran.map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        if ran.status.success() { Ok(said) } else { Err(format!("{said}{}", String::from_utf8_lossy(&ran.stderr))) }
    }
}
