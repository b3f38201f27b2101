//! The one door to the judge: a typed `call` over two transports, Tauri IPC and HTTP.
//!
//! Nothing outside this folder knows which transport is in use, and no Tauri name appears outside it (tidy checks).
//! Requests and responses are JSON text on both ways, so that one codec serves both and ids stay strings.

mod http;
mod package_choice;
mod tauri;

use agon_contract::command::Command;
use agon_contract::{ApiError, ErrorCode};
use leptos::web_sys::File;

pub use package_choice::{forget_dropped_packages, on_dropped_packages, pick_folder, pick_package, pick_source};

/// The code of an error made on this side because the host could not be reached at all.
pub const UNREACHABLE: &str = "unreachable";

/// Sends a command and waits for its answer.
///
/// # Errors
/// Whatever the host answers, or a client-made error with the code [`UNREACHABLE`] when no answer came.
pub async fn call<C: Command>(request: C) -> Result<C::Response, ApiError> {
    let body = encode(&request);
    read_answer::<C>(call_text(C::NAME, body).await)
}

/// A request as it is sent.
///
/// # Panics
/// A request of the contract cannot be written as JSON.
#[must_use]
pub fn encode<C: Command>(request: &C) -> String {
    serde_json::to_string(request).expect("requests of the contract are JSON")
}

/// Reads the text of an answer.
///
/// # Errors
/// As [`call`].
pub fn read_answer<C: Command>(answer: Result<String, ApiError>) -> Result<C::Response, ApiError> {
    serde_json::from_str(&answer?).map_err(|error| bad_answer(C::NAME, &error.to_string()))
}

/// [`call`] with texts: what waits for an answer is compiled once and not for every command.
///
/// # Errors
/// As [`call`].
pub async fn call_text(name: &'static str, body: String) -> Result<String, ApiError> {
    if tauri::is_window() { tauri::invoke(name, &body).await } else { http::post(name, &body).await }
}

/// Hands a chosen file to the HTTP host and answers how `inspect_package` may name it.
///
/// # Errors
/// As [`call`]; a file that is too big is refused by the host.
pub async fn upload(file: &File) -> Result<agon_contract::package::PackageSource, ApiError> {
    http::upload(file).await
}

/// Whether this page runs in the desktop window.
#[must_use]
pub fn is_desktop() -> bool {
    tauri::is_window()
}

/// Whether an error says that no answer came, so that what was asked may or may not have been done.
#[must_use]
pub fn is_unreachable(error: &ApiError) -> bool {
    error.code.as_str() == UNREACHABLE
}

/// An answer that is not what the contract says: the two ends differ in version.
fn bad_answer(name: &str, detail: &str) -> ApiError {
    ApiError::new(ErrorCode::VersionMismatch, format!("{name}: {detail}"))
}

/// No answer came.
fn unreachable(name: &str, detail: &str) -> ApiError {
    ApiError::new(ErrorCode::from(UNREACHABLE), format!("{name}: {detail}"))
}

/// Reads the JSON text of an error; text that is none becomes `Internal` with the text as its message.
fn error_from_text(name: &str, text: &str) -> ApiError {
    serde_json::from_str(text).unwrap_or_else(|_| {
        let head: String = text.chars().take(200).collect();
        ApiError::new(ErrorCode::Internal, format!("{name}: {head}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_host_keeps_its_code_and_hint() {
        let error = error_from_text("submit", r#"{"code":"full","message":"queue is full","hint":"wait"}"#);
        assert_eq!(error.code, ErrorCode::Full);
        assert_eq!(error.hint.as_deref(), Some("wait"));
    }

    #[test]
    fn text_that_is_no_error_is_told_as_internal_and_cut() {
        let error = error_from_text("submit", &"x".repeat(5000));
        assert_eq!(error.code, ErrorCode::Internal);
        assert!(error.message.len() < 300);
    }

    #[test]
    fn only_a_missing_answer_counts_as_unreachable() {
        assert!(is_unreachable(&unreachable("submit", "connection refused")));
        assert!(!is_unreachable(&error_from_text("submit", "<html>502</html>")));
    }
}
