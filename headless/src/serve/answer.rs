//! How an answer of the core becomes an HTTP response: JSON either way, the status made from the error's code.

use agon_contract::{ApiError, ErrorCode};
use axum::Json;
use axum::http::StatusCode;
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
        (status_of(&self.0.code), Json(self.0)).into_response()
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
        ErrorCode::SandboxUnavailable | ErrorCode::ModuleOff => StatusCode::SERVICE_UNAVAILABLE,
        ErrorCode::StorageUnavailable => StatusCode::INSUFFICIENT_STORAGE,
        ErrorCode::Internal | ErrorCode::Unknown(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_refusal_looks_like_a_success() {
        for code in ErrorCode::KNOWN {
            let status = status_of(code);
            assert!(status.is_client_error() || status.is_server_error(), "{code}: {status}");
        }
    }
}
