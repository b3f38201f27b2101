//! The HTTP transport: `POST /api/v1/<name>` with the same-origin cookie, as `agon serve` offers it.

use agon_contract::ApiError;
use agon_contract::ids::UploadId;
use agon_contract::package::PackageSource;
use leptos::wasm_bindgen::{JsCast, JsValue};
use leptos::web_sys::{File, Headers, RequestCredentials, RequestInit, Response};
use serde::Deserialize;
use wasm_bindgen_futures::JsFuture;

use super::{bad_answer, error_from_text, unreachable};

/// Answer of the upload route.
#[derive(Deserialize)]
struct Uploaded {
    upload_id: UploadId,
}

/// Posts a command's request and answers the response text.
pub(super) async fn post(name: &str, body: &str) -> Result<String, ApiError> {
    send(name, &format!("/api/v1/{name}"), &JsValue::from_str(body), "application/json").await
}

/// Uploads a package's bytes.
pub(super) async fn upload(file: &File) -> Result<PackageSource, ApiError> {
    let name = "upload";
    let path = format!("/api/upload?name={}", String::from(js_sys::encode_uri_component(&file.name())));
    let answer = send(name, &path, file.as_ref(), "application/octet-stream").await?;
    let uploaded: Uploaded = serde_json::from_str(&answer).map_err(|error| bad_answer(name, &error.to_string()))?;
    Ok(PackageSource::Upload { upload_id: uploaded.upload_id })
}

async fn send(name: &str, path: &str, body: &JsValue, media_type: &str) -> Result<String, ApiError> {
    let response = fetch(path, body, media_type).await.map_err(|error| unreachable(name, &describe(&error)))?;
    let text = match response.text() {
        Ok(promise) => JsFuture::from(promise).await,
        Err(error) => Err(error),
    };
    let text = text.map_err(|error| unreachable(name, &describe(&error)))?.as_string().unwrap_or_default();
    if response.ok() { Ok(text) } else { Err(error_from_text(name, &text)) }
}

async fn fetch(path: &str, body: &JsValue, media_type: &str) -> Result<Response, JsValue> {
    let headers = Headers::new()?;
    headers.set("Content-Type", media_type)?;
    let options = RequestInit::new();
    options.set_method("POST");
    options.set_credentials(RequestCredentials::SameOrigin);
    options.set_headers(headers.as_ref());
    options.set_body(body);
    let window = leptos::web_sys::window().ok_or_else(|| JsValue::from_str("no window"))?;
    JsFuture::from(window.fetch_with_str_and_init(path, &options)).await?.dyn_into()
}

/// A JavaScript error in words.
pub(super) fn describe(error: &JsValue) -> String {
    error
        .dyn_ref::<js_sys::Error>()
        .map(|error| String::from(error.message()))
        .or_else(|| error.as_string())
        .unwrap_or_else(|| format!("{error:?}"))
}
