//! The few words of the W3C WebDriver protocol that the stories use.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::children::Group;
use crate::wait;

/// The key under which the protocol names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// A driver on a loaded machine.
const STARTS_WITHIN: Duration = Duration::from_secs(60);

/// A driver that has not answered by then has hung; opening a session starts a whole app.
const ANSWERS_WITHIN: Duration = Duration::from_secs(120);

/// A driver's session with one page. Dropping it does nothing: the driver's process group is the owner's.
#[derive(Debug)]
pub struct Session {
    base: String,
}

/// An element of the page, as it was when it was found.
#[derive(Clone, Debug)]
pub struct Element(String);

impl Session {
    /// Waits for the driver on `port` and opens a session with `capabilities`.
    ///
    /// # Panics
    /// The driver ends or refuses.
    #[must_use]
    pub fn open(driver: &mut Group, port: u16, capabilities: &Value) -> Self {
        let driver_url = format!("http://127.0.0.1:{port}");
        wait::until("the driver to answer", STARTS_WITHIN, || {
            assert!(driver.ended().is_none(), "the driver ended:\n{}", driver.printed());
            agent().get(format!("{driver_url}/status")).call().map(drop).map_err(|error| error.to_string())
        });
        let asked = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let opened = send("POST", &format!("{driver_url}/session"), Some(&asked))
            .unwrap_or_else(|error| panic!("no session: {error}\n{}", driver.printed()));
        let id = opened["sessionId"].as_str().expect("a session has an id");
        Self { base: format!("{driver_url}/session/{id}") }
    }

    /// Opens an address.
    ///
    /// # Panics
    /// The driver refuses.
    pub fn go(&self, address: &str) {
        self.post("url", &json!({ "url": address })).expect("the address opens");
    }

    /// The first element that a CSS selector matches.
    ///
    /// # Errors
    /// There is none now.
    pub fn find(&self, selector: &str) -> Result<Element, String> {
        let found = self.post("element", &json!({ "using": "css selector", "value": selector }))?;
        found[ELEMENT].as_str().map(|id| Element(id.to_owned())).ok_or_else(|| format!("{found}"))
    }

    /// Clicks an element as a person does: it must be visible and not covered.
    ///
    /// # Errors
    /// It is gone, hidden or covered.
    pub fn click(&self, element: &Element) -> Result<(), String> {
        self.post(&format!("element/{}/click", element.0), &json!({})).map(drop)
    }

    /// Types into an element.
    ///
    /// # Errors
    /// It is gone or takes no keys.
    pub fn type_into(&self, element: &Element, text: &str) -> Result<(), String> {
        self.post(&format!("element/{}/value", element.0), &json!({ "text": text })).map(drop)
    }

    /// The text that a person sees.
    ///
    /// # Errors
    /// The element is gone.
    pub fn text(&self, element: &Element) -> Result<String, String> {
        let text = send("GET", &format!("{}/element/{}/text", self.base, element.0), None)?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    /// An attribute of an element; nothing when it has none.
    ///
    /// # Errors
    /// The element is gone.
    pub fn attribute(&self, element: &Element, name: &str) -> Result<Option<String>, String> {
        let value = send("GET", &format!("{}/element/{}/attribute/{name}", self.base, element.0), None)?;
        Ok(value.as_str().map(str::to_owned))
    }

    /// Runs a function body in the page.
    ///
    /// # Errors
    /// It throws.
    pub fn run(&self, body: &str, arguments: &[Value]) -> Result<Value, String> {
        self.post("execute/sync", &json!({ "script": body, "args": arguments }))
    }

    /// Sizes the window.
    ///
    /// # Panics
    /// The driver refuses.
    pub fn resize(&self, width: u32, height: u32) {
        self.post("window/rect", &json!({ "x": 0, "y": 0, "width": width, "height": height })).expect("it resizes");
    }

    /// Keeps a picture of what is seen.
    ///
    /// # Panics
    /// It cannot be taken or written.
    pub fn screenshot(&self, file: &Path) {
        // WebKit's driver waits for the next frame, and a page that stands still makes none.
        let moving = "let on = false; window.agonFrames = setInterval(() => { on = !on;
            document.documentElement.style.opacity = on ? 0.999 : 1; }, 30);";
        self.run(moving, &[]).expect("the page can be kept moving");
        let picture = send("GET", &format!("{}/screenshot", self.base), None).expect("a picture");
        self.run("clearInterval(window.agonFrames); document.documentElement.style.opacity = '';", &[])
            .expect("the page can be left alone again");
        let bytes = base64_bytes(picture.as_str().expect("a picture is text"));
        assert!(bytes.starts_with(b"\x89PNG"), "a picture is a PNG");
        std::fs::write(file, bytes).expect("the picture can be written");
    }

    /// Ends the session and with it the page.
    pub fn close(&self) {
        let _ = send("DELETE", &self.base, None);
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value, String> {
        send("POST", &format!("{}/{path}", self.base), Some(body))
    }
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(ANSWERS_WITHIN)).build().into()
}

/// One exchange; the driver's error text on refusal.
fn send(method: &str, url: &str, body: Option<&Value>) -> Result<Value, String> {
    let answer = match (method, body) {
        ("POST", Some(body)) => agent().post(url).header("Content-Type", "application/json").send(body.to_string()),
        ("DELETE", _) => agent().delete(url).call(),
        _ => agent().get(url).call(),
    };
    let mut answer = answer.map_err(|error| format!("{url}: {error}"))?;
    let text = answer.body_mut().with_config().limit(64 << 20).read_to_string().map_err(|error| error.to_string())?;
    let value: Value = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
    let value = value["value"].clone();
    if answer.status().is_success() { Ok(value) } else { Err(format!("{}: {}", value["error"], value["message"])) }
}

/// Standard base64 with padding, as the protocol writes pictures.
fn base64_bytes(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u8> = text.bytes().filter_map(digit).collect();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for group in digits.chunks(4) {
        let word =
            group.iter().enumerate().fold(0_u32, |word, (place, digit)| word | u32::from(*digit) << (18 - 6 * place));
        let [_, first, second, third] = word.to_be_bytes();
        bytes.extend(&[first, second, third][..group.len() - 1]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_every_length_is_read() {
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmE=", "fooba")] {
            assert_eq!(base64_bytes(text), bytes.as_bytes(), "{text}");
        }
        assert_eq!(base64_bytes("/+8="), [0xff, 0xef]);
    }
}
