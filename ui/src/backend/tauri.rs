//! The Tauri transport: the window's own bridge, reached by reflection so that no foreign block (and no `unsafe`) is needed.

use agon_contract::ApiError;
use js_sys::{Array, Function, JSON, Object, Promise, Reflect};
use leptos::wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::http::describe;
use super::{bad_answer, error_from_text, unreachable};

const BRIDGE: &str = "__TAURI_INTERNALS__";

/// Whether the page runs inside the desktop window.
pub(super) fn is_window() -> bool {
    bridge().is_some()
}

/// Calls an app command with `{ req }` and answers the response as JSON text.
pub(super) async fn invoke(name: &str, body: &str) -> Result<String, ApiError> {
    let request = JSON::parse(body).map_err(|error| bad_answer(name, &describe(&error)))?;
    let arguments = object(&[("req", request)]).map_err(|error| unreachable(name, &describe(&error)))?;
    match invoke_raw(name, &arguments).await {
        Ok(value) => text_of(name, &value),
        Err(value) => Err(error_of(name, &value)),
    }
}

/// Calls any command of the bridge with the arguments given.
pub(super) async fn invoke_raw(name: &str, arguments: &JsValue) -> Result<JsValue, JsValue> {
    let bridge = bridge().ok_or_else(|| JsValue::from_str("no bridge"))?;
    let invoke: Function = Reflect::get(&bridge, &"invoke".into())?.dyn_into()?;
    let promise: Promise = invoke.call2(&bridge, &name.into(), arguments)?.dyn_into()?;
    JsFuture::from(promise).await
}

/// Registers a function with the bridge and answers the number that stands for it.
pub(super) fn transform_callback(callback: &Function) -> Result<JsValue, JsValue> {
    let bridge = bridge().ok_or_else(|| JsValue::from_str("no bridge"))?;
    let transform: Function = Reflect::get(&bridge, &"transformCallback".into())?.dyn_into()?;
    transform.call1(&bridge, callback)
}

/// A plain object of the pairs.
pub(super) fn object(pairs: &[(&str, JsValue)]) -> Result<JsValue, JsValue> {
    let entries = Array::new();
    for (key, value) in pairs {
        entries.push(&Array::of2(&JsValue::from_str(key), value));
    }
    Object::from_entries(&entries).map(JsValue::from)
}

fn bridge() -> Option<JsValue> {
    let window = leptos::web_sys::window()?;
    let bridge = Reflect::get(&window, &BRIDGE.into()).ok()?;
    (!bridge.is_undefined() && !bridge.is_null()).then_some(bridge)
}

fn text_of(name: &str, value: &JsValue) -> Result<String, ApiError> {
    let text = JSON::stringify(value).map_err(|error| bad_answer(name, &describe(&error)))?;
    Ok(String::from(text))
}

/// A rejected command carries an `ApiError` object; a refusal by the bridge itself carries plain text.
fn error_of(name: &str, value: &JsValue) -> ApiError {
    if let Some(text) = value.as_string() {
        return error_from_text(name, &text);
    }
    match text_of(name, value) {
        Ok(text) => error_from_text(name, &text),
        Err(error) => error,
    }
}
