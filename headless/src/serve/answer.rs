//! How an answer of the core becomes an HTTP response: JSON either way, the status made from the error's code.

use agon_contract::{ApiError, ErrorCode};
use axum::Json;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderValue};
use axum::response::{IntoResponse, Response};

/// A command's refusal on its way out.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) ApiError);

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        Self(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let wait = self.0.retry_after_ms.map(|wait_ms| wait_ms.div_ceil(1_000).to_string());
        let mut response = (status_of(&self.0.code), Json(self.0)).into_response();
        if let Some(wait) = wait.and_then(|seconds| HeaderValue::try_from(seconds).ok()) {
            response.headers_mut().insert(header::RETRY_AFTER, wait);
        }
        response
    }
}

/// The interface branches on the code in the body; the status is for tools and logs.
fn status_of(code: &ErrorCode) -> StatusCode {
    match code {
        ErrorCode::BadRequest => StatusCode::BAD_REQUEST,
        ErrorCode::Unauthenticated => StatusCode::UNAUTHORIZED,
        ErrorCode::Forbidden => StatusCode::FORBIDDEN,
        ErrorCode::NotFound => StatusCode::NOT_FOUND,
        ErrorCode::Conflict | ErrorCode::VersionMismatch => StatusCode::CONFLICT,
        ErrorCode::Full | ErrorCode::TooManyAttempts => StatusCode::TOO_MANY_REQUESTS,
        ErrorCode::PackageRefused | ErrorCode::Unreadable => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorCode::SandboxUnavailable | ErrorCode::ModuleOff | ErrorCode::Stopping => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::StorageUnavailable => StatusCode::INSUFFICIENT_STORAGE,
        ErrorCode::Internal | ErrorCode::Unknown(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_must_wait_is_told_how_long_in_whole_seconds() {
        let mut error = ApiError::new(ErrorCode::TooManyAttempts, "too many");
        error.retry_after_ms = Some(29_001);
        let response = Refusal(error).into_response();
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(response.headers()[header::RETRY_AFTER], "30");
        let stopping = Refusal(ApiError::new(ErrorCode::Stopping, "the server is stopping")).into_response();
        assert_eq!(stopping.status(), StatusCode::SERVICE_UNAVAILABLE, "nobody was too busy");
        assert!(stopping.headers().get(header::RETRY_AFTER).is_none());
    }

    #[test]
    fn no_refusal_looks_like_a_success() {
        for code in ErrorCode::KNOWN {
            let status = status_of(code);
            assert!(status.is_client_error() || status.is_server_error(), "{code}: {status}");
        }
    }
}
