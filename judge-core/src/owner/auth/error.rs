//! Why something about accounts was refused, and what the caller is told.

use std::time::Duration;

use agon_contract::{ApiError, ErrorCode};

use super::name::NameError;
use super::password::PasswordError;
use crate::store::StoreError;

/// A refusal or fault of the auth owner.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AuthError {
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(transparent)]
    Password(#[from] PasswordError),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Unknown name or wrong password: nobody learns which.
    #[error("the name or the password is wrong")]
    WrongCredentials,
    #[error("the old password is wrong")]
    WrongOldPassword,
    #[error("this account is disabled")]
    Disabled,
    #[error("too many failed attempts")]
    TooManyAttempts { wait_ms: u64 },
    #[error("the login name `{name}` is taken")]
    NameTaken { name: String },
    #[error("there is no account {user_id}")]
    NoAccount { user_id: String },
    #[error("there is no open session {session_id}")]
    NoSession { session_id: String },
    #[error("there is no role `{role}`; there are contestant, coach, jury and admin")]
    UnknownRole { role: String },
    #[error("this folder has {at_most} accounts already")]
    Full { at_most: u32 },
    #[error("the password was changed meanwhile")]
    Overtaken,
}

impl From<AuthError> for ApiError {
    fn from(error: AuthError) -> Self {
        let message = error.to_string();
        match error {
            AuthError::Store(error) => error.into(),
            AuthError::Name(_) | AuthError::UnknownRole { .. } => Self::new(ErrorCode::BadRequest, message),
            AuthError::Password(error) => of_password(&error, message),
            AuthError::WrongCredentials => Self::new(ErrorCode::Unauthenticated, message)
                .with_hint("Check both; upper and lower case matter in the password only."),
            AuthError::WrongOldPassword => Self::new(ErrorCode::Forbidden, message),
            AuthError::Disabled => Self::new(ErrorCode::Forbidden, message).with_hint("Ask the staff of the contest."),
            AuthError::TooManyAttempts { wait_ms } => {
                let seconds = Duration::from_millis(wait_ms).as_secs_f64().ceil();
                let mut told = Self::new(ErrorCode::TooManyAttempts, message)
                    .with_hint(format!("Try again in {seconds} s, or ask staff to set a new password."));
                told.retry_after_ms = Some(wait_ms);
                told
            }
            AuthError::NameTaken { .. } | AuthError::Overtaken => Self::new(ErrorCode::Conflict, message),
            AuthError::NoAccount { .. } | AuthError::NoSession { .. } => Self::new(ErrorCode::NotFound, message),
            AuthError::Full { .. } => Self::new(ErrorCode::Full, message),
        }
    }
}

fn of_password(error: &PasswordError, message: String) -> ApiError {
    match error {
        PasswordError::Length | PasswordError::IsName => ApiError::new(ErrorCode::BadRequest, message),
        PasswordError::Busy => ApiError::new(ErrorCode::Full, message).with_hint("Try again in a moment."),
        PasswordError::Random(_) | PasswordError::Hash(_) | PasswordError::Stored(_) | PasswordError::Interrupted => {
            tracing::error!(error = %message, "a password could not be checked");
            ApiError::new(ErrorCode::Internal, message)
        }
    }
}
