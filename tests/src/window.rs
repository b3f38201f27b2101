//! The built desktop app in a display of its own, driven through `tauri-driver` and WebKit's driver.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::children::Group;
use crate::parts::{self, Missing};
use crate::rooms::TempData;
use crate::wait;
use crate::webdriver::Session;

const REMEDY: &str = "run cargo xtask setup (Debian: webkit2gtk-driver xvfb dbus-x11)";
/// Boxes are removed before it goes.
const ENDS_WITHIN: Duration = Duration::from_secs(60);
const DISPLAY_WITHIN: Duration = Duration::from_secs(30);

/// A display without a screen, of one story.
#[derive(Debug)]
pub struct Display {
    _server: Group,
    name: String,
}

impl Display {
    /// Starts an X server that picks its own number.
    ///
    /// # Errors
    /// Xvfb is not installed.
    ///
    /// # Panics
    /// It does not start.
    pub fn start(place: &TempData) -> Result<Self, Missing> {
        let number_file = place.path().join("home/display");
        let mut command = Command::new("sh");
        // -displayfd wants a descriptor, and only a shell can name one without unsafe code.
        command
            .args(["-c", r#"exec "$1" -displayfd 3 -screen 0 1400x900x24 -nolisten tcp -noreset 3> "$2""#, "display"])
            .arg(parts::tool("Xvfb", REMEDY)?)
            .arg(&number_file);
        let mut server = Group::start("display", &mut command, &place.logs());
        let number = wait::until("the display's number", DISPLAY_WITHIN, || {
            assert!(server.ended().is_none(), "the display ended:\n{}", server.printed());
            let text = std::fs::read_to_string(&number_file).unwrap_or_default();
            if text.ends_with('\n') { Ok(text.trim().to_owned()) } else { Err(text) }
        });
        Ok(Self { _server: server, name: format!(":{number}") })
    }

    /// What `DISPLAY` names.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The app, its window and everything that shows and drives it. Dropping it ends them all.
#[derive(Debug)]
pub struct WindowApp {
    session: Session,
    driver: Group,
    display: Display,
}

impl WindowApp {
    /// Starts the built app on the place's data folder.
    ///
    /// # Errors
    /// The app or a part that shows or drives it is missing.
    ///
    /// # Panics
    /// Something does not start.
    pub fn start(place: &TempData) -> Result<Self, Missing> {
        let desktop = parts::desktop()?;
        let driver_program = parts::tauri_driver()?;
        let native = parts::tool("WebKitWebDriver", REMEDY)?;
        let bus = parts::tool("dbus-run-session", REMEDY)?;
        let display = Display::start(place)?;
        let (port, native_port) = (free_port(), free_port());
        let mut command = place.command(&bus);
        command.arg("--").arg(driver_program);
        command.args(["--port", &port.to_string(), "--native-port", &native_port.to_string()]);
        command.arg("--native-driver").arg(native);
        window_environment(&mut command, &display);
        let mut driver = Group::start("tauri-driver", &mut command, &place.logs());
        let capabilities = json!({ "tauri:options": { "application": desktop }, "browserName": "wry" });
        let session = Session::open(&mut driver, port, &capabilities);
        Ok(Self { session, driver, display })
    }

    /// The page in the window.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The display that shows it.
    #[must_use]
    pub fn display(&self) -> &Display {
        &self.display
    }

    /// The app's own process id.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        let listed = crate::children::living_in_group(self.driver.id());
        let app = listed
            .iter()
            .find(|line| line.split_whitespace().nth(3).is_some_and(|program| program.ends_with("/agon-desktop")));
        app?.split_whitespace().nth(1)?.parse().ok()
    }
}

impl WindowApp {
    /// `kill -9` of the app alone: its display and driver stay.
    ///
    /// # Panics
    /// It does not run.
    pub fn crash(&self) {
        crate::children::kill_process(self.process_id().expect("the app runs"));
        wait::until("the app to be gone", ENDS_WITHIN, || {
            self.process_id().map_or(Ok(()), |id| Err(format!("process {id} still runs")))
        });
    }

    /// Ends the app as a session's end does (SIGTERM) and checks that it goes in an orderly way.
    ///
    /// # Panics
    /// It does not end.
    pub fn end(self) {
        let id = self.process_id().expect("the app runs until it is told to end");
        crate::children::ask_process_to_end(id);
        wait::until("the app to end", ENDS_WITHIN, || {
            self.process_id().map_or(Ok(()), |id| Err(format!("process {id} still runs")))
        });
    }
}

impl Drop for WindowApp {
    fn drop(&mut self) {
        // A driver whose app has crashed never answers; its group is ended anyway.
        if self.process_id().is_some() {
            self.session.close();
        }
    }
}

/// Software rendering and plain X11: what a display without a screen can do.
pub fn window_environment(command: &mut Command, display: &Display) {
    command
        .env("DISPLAY", display.name())
        .env("GDK_BACKEND", "x11")
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .env("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
        .env("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
        .env("NO_AT_BRIDGE", "1")
        .env("GSETTINGS_BACKEND", "memory")
        .env("GTK_USE_PORTAL", "0")
        .env("LANG", "C.UTF-8")
        .env_remove("WAYLAND_DISPLAY");
}

/// A port that was free a moment ago.
///
/// # Panics
/// There is none.
#[must_use]
pub fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    listener.local_addr().expect("a bound socket has an address").port()
}

/// Where the picture `name` goes.
#[must_use]
pub fn picture(name: &str) -> PathBuf {
    parts::artifacts().join(format!("{name}.png"))
}
