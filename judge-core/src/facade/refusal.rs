//! Refusals that several commands share.

use agon_contract::permission::Permission;
use agon_contract::reason::for_everyone;
use agon_contract::{ApiError, ErrorCode};

use crate::actor::Actor;

/// Characters of an id in a message.
const ID_CHARS_SHOWN: usize = 80;

pub(super) fn not_found(what: &str, id: impl std::fmt::Display) -> ApiError {
    // Ours have 36 bytes; a longer one is not said back whole.
    let id = id.to_string();
    let shown: String = id.chars().take(ID_CHARS_SHOWN).collect();
    let rest = if shown.len() < id.len() { "…" } else { "" };
    ApiError::new(ErrorCode::NotFound, format!("there is no {what} {shown}{rest}"))
}

pub(super) fn bad_request(message: impl Into<String>) -> ApiError {
    ApiError::new(ErrorCode::BadRequest, message)
}

/// Refuses what the person's roles do not permit.
pub(super) fn require(actor: &Actor, permission: &Permission) -> Result<(), ApiError> {
    if actor.may(permission) {
        return Ok(());
    }
    Err(ApiError::new(ErrorCode::Forbidden, format!("this needs the permission {permission}"))
        .with_hint("Ask somebody with the role jury or admin."))
}

/// A reason as the person may read it: paths, commands and the engine's words are for who looks after the machine.
pub(super) fn told(actor: &Actor, reason: String) -> String {
    if actor.may(&Permission::ReadOperations) { reason } else { for_everyone(&reason) }
}
