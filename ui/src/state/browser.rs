//! Small doors to the browser: time, timers, ids, storage, clipboard, downloads, focus.

use js_sys::{Array, Date, Promise, Reflect, Uint8Array};
use leptos::wasm_bindgen::{JsCast, JsValue};
use leptos::web_sys::{
    Blob, BlobPropertyBag, Document, HtmlAnchorElement, HtmlDocument, HtmlElement, HtmlTextAreaElement, Storage, Url,
    Window,
};
use wasm_bindgen_futures::JsFuture;

use crate::format::CivilTime;

/// How long the bytes of a file being saved stay readable.
const KEEP_SAVED_MS: u32 = 60_000;

/// The window; every caller runs in one.
///
/// # Panics
/// Outside a browser.
#[must_use]
pub fn window() -> Window {
    leptos::web_sys::window().expect("the interface runs in a browser window")
}

/// The page's document.
///
/// # Panics
/// Outside a browser.
#[must_use]
pub fn document() -> Document {
    window().document().expect("a window has a document")
}

/// Loads the page anew: nothing of what it held stays.
pub fn reload() {
    if window().location().reload().is_err() {
        leptos::logging::warn!("the page could not be loaded anew");
    }
}

/// Milliseconds UTC.
#[must_use]
pub fn now_ms() -> i64 {
    Date::now() as i64
}

/// A moment on the wall clock of this machine's time zone.
#[must_use]
pub fn local_time(at_ms: i64) -> CivilTime {
    let date = Date::new(&JsValue::from_f64(at_ms as f64));
    CivilTime {
        year: date.get_full_year(),
        month: date.get_month() + 1,
        day: date.get_date(),
        hour: date.get_hours(),
        minute: date.get_minutes(),
        second: date.get_seconds(),
    }
}

/// Waits without blocking the page.
pub async fn sleep_ms(duration_ms: u32) {
    let promise = Promise::new(&mut |resolve, _| {
        let delay = i32::try_from(duration_ms).unwrap_or(i32::MAX);
        if window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, delay).is_err() {
            leptos::logging::warn!("a timer could not be set");
        }
    });
    if JsFuture::from(promise).await.is_err() {
        leptos::logging::warn!("a timer failed");
    }
}

/// A UUIDv7 as text. `crypto.randomUUID` is not offered to plain-HTTP pages of a LAN, `getRandomValues` is.
#[must_use]
pub fn new_uuid() -> String {
    let mut bytes = [0u8; 16];
    let filled = window().crypto().and_then(|crypto| crypto.get_random_values_with_u8_array(&mut bytes));
    if filled.is_err() {
        bytes.iter_mut().for_each(|byte| *byte = (js_sys::Math::random() * 256.0) as u8);
    }
    crate::format::uuid_v7(now_ms(), bytes)
}

/// Reads what this browser remembers for itself (pane positions, never facts).
#[must_use]
pub fn remembered(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

/// Remembers something for this browser alone; a full or forbidden storage is no failure.
pub fn remember(key: &str, value: &str) {
    if storage().is_some_and(|storage| storage.set_item(key, value).is_err()) {
        leptos::logging::warn!("{key} could not be remembered");
    }
}

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

/// Copies text; answers whether it worked. Pages without a secure origin have only the old way.
pub async fn copy_text(text: &str) -> bool {
    let clipboard = Reflect::get(&window().navigator(), &"clipboard".into());
    if clipboard.is_ok_and(|clipboard| !clipboard.is_undefined()) {
        let promise = window().navigator().clipboard().write_text(text);
        if JsFuture::from(promise).await.is_ok() {
            return true;
        }
    }
    copy_by_selection(text).unwrap_or(false)
}

fn copy_by_selection(text: &str) -> Result<bool, JsValue> {
    let document: HtmlDocument = document().dyn_into()?;
    let area: HtmlTextAreaElement = document.create_element("textarea")?.dyn_into()?;
    area.set_value(text);
    area.set_class_name("visually-hidden");
    let body = document.body().ok_or_else(|| JsValue::from_str("no body"))?;
    body.append_child(&area)?;
    area.select();
    let copied = document.exec_command("copy");
    area.remove();
    copied
}

/// A `blob:` address of bytes; give it back with [`release_object_url`].
#[must_use]
pub fn object_url(bytes: &[u8], media_type: &str) -> Option<String> {
    let parts = Array::of1(&Uint8Array::from(bytes));
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &options).ok()?;
    Url::create_object_url_with_blob(&blob).ok()
}

/// Frees a `blob:` address.
pub fn release_object_url(url: &str) {
    if Url::revoke_object_url(url).is_err() {
        leptos::logging::warn!("{url} could not be released");
    }
}

/// Offers bytes as a file to save.
pub fn save_as(file_name: &str, bytes: &[u8], media_type: &str) {
    let Some(url) = object_url(bytes, media_type) else { return };
    if let Some(anchor) = document().create_element("a").ok().and_then(|node| node.dyn_into::<HtmlAnchorElement>().ok())
    {
        anchor.set_href(&url);
        anchor.set_download(file_name);
        anchor.click();
    }
    // Some browsers begin to read only after the click returned.
    leptos::task::spawn_local(async move {
        sleep_ms(KEEP_SAVED_MS).await;
        release_object_url(&url);
    });
}

/// Names the page; a screen reader says it when the screen changes.
pub fn set_title(screen: &str) {
    document().set_title(&format!("{screen} – Agon"));
}

/// Gives the focus to an element if nothing has it, for example because the link that was followed is gone.
pub fn focus_if_lost(id: &str) {
    let document = document();
    if document.active_element().is_none_or(|element| element.tag_name() == "BODY") {
        focus(id);
    }
}

/// Moves the focus to an element, if it is there.
pub fn focus(id: &str) {
    if let Some(element) = document().get_element_by_id(id).and_then(|node| node.dyn_into::<HtmlElement>().ok())
        && element.focus().is_err()
    {
        leptos::logging::warn!("#{id} does not take the focus");
    }
}
