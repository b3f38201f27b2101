//! Real keys on a story's display, for what no page can reach: the system's file dialog.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::parts::{self, Missing};
use crate::wait;
use crate::window::Display;

/// A dialog on a loaded machine.
const SHOWN_WITHIN: Duration = Duration::from_secs(60);

/// An accepted dialog on a loaded machine.
const GONE_WITHIN: Duration = Duration::from_secs(8);

/// Tries at one dialog.
const ANSWERS: u32 = 6;

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

    /// Types a path into the system's file dialog and accepts it. The dialog's completion may swallow keys while it
    /// looks at the disk, so a dialog that stays is answered again.
    ///
    /// # Panics
    /// No dialog appears, or it stays.
    pub fn answer_file_dialog(&self, title: &str, path: &str) {
        for attempt in 0..ANSWERS {
            self.focus(title);
            if attempt > 0 {
                self.press("ctrl+a");
            }
            // GTK's file dialog takes a slash as the beginning of a typed path.
            self.type_text(path);
            self.press("Return");
            if self.is_gone(title) {
                return;
            }
        }
        panic!("the dialog titled {title} took no path");
    }

    /// Whether the window goes within a few seconds.
    fn is_gone(&self, title: &str) -> bool {
        let started = Instant::now();
        while started.elapsed() < GONE_WITHIN {
            let found = self.run(&["search", "--onlyvisible", "--name", title]).unwrap_or_default();
            if found.trim().is_empty() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        false
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
