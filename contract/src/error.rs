//! The one error that answers a command: a code to branch on, words to read, a way out.

use serde::{Deserialize, Serialize};

use crate::wire_enum::wire_enum;

wire_enum! {
    /// What kind of refusal this is. The interface branches on the code and never on the message.
    ErrorCode {
        /// The request itself is malformed or breaks a bound.
        BadRequest = "bad_request",
        /// No session, or it has ended.
        Unauthenticated = "unauthenticated",
        /// The acting person lacks the role.
        Forbidden = "forbidden",
        /// The thing named does not exist (or is not visible to this person).
        NotFound = "not_found",
        /// The same idempotency key came with another payload, or the state moved on.
        Conflict = "conflict",
        /// A bound is reached; nothing was taken. Try again later.
        Full = "full",
        /// Too many failures of one kind; `retry_after_ms` says when the next attempt is looked at.
        TooManyAttempts = "too_many_attempts",
        /// The package cannot be imported; the report says why.
        PackageRefused = "package_refused",
        /// The sandbox backend is away; the work waits or must be asked for again.
        SandboxUnavailable = "sandbox_unavailable",
        /// The disk is full or the store cannot be written.
        StorageUnavailable = "storage_unavailable",
        /// The two ends speak different contract versions.
        VersionMismatch = "version_mismatch",
        /// A file named in the request cannot be read.
        Unreadable = "unreadable",
        /// An optional service that this needs does not run.
        ModuleOff = "module_off",
        /// The server is being stopped; ask again when it is back.
        Stopping = "stopping",
        /// Our own fault.
        Internal = "internal",
    }
}

/// The answer to a command that could not be done. Nothing was half-done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiError {
    /// What to branch on.
    pub code: ErrorCode,
    /// What failed, on what. English; the interface shows its own text for codes it knows, with this as detail.
    pub message: String,
    /// What to do next, where there is something to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// How long to wait before the same can be asked again, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_ms: Option<u64>,
}

impl ApiError {
    /// An error without a hint.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, retry_after_ms: None }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.message)?;
        match &self.hint {
            Some(hint) if self.message.ends_with(['.', '!', '?']) => write!(f, " {hint}"),
            Some(hint) => write!(f, ". {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ApiError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_and_hint_are_two_sentences() {
        let error = |message: &str| ApiError::new(ErrorCode::Conflict, message).with_hint("Do that.").to_string();
        assert_eq!(error("this is so"), "this is so. Do that.");
        assert_eq!(error("this is so."), "this is so. Do that.");
        assert_eq!(ApiError::new(ErrorCode::Conflict, "this is so").to_string(), "this is so");
    }
}
