//! Refusals that several commands share.

use agon_contract::settings::Role;
use agon_contract::{ApiError, ErrorCode};

use crate::actor::Actor;

pub(super) fn not_found(what: &str, id: impl std::fmt::Display) -> ApiError {
    ApiError::new(ErrorCode::NotFound, format!("there is no {what} {id}"))
}

pub(super) fn bad_request(message: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::BadRequest, message)
}

/// Problems are taken in and off the list by jury and admins.
pub(super) fn require_staff(actor: &Actor) -> Result<(), ApiError> {
    if actor.is_staff() {
        return Ok(());
    }
    let roles = format!("{} or {}", Role::Jury, Role::Admin);
    Err(ApiError::new(ErrorCode::Forbidden, format!("this needs the role {roles}")))
}
