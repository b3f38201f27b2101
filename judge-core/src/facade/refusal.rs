//! Refusals that several commands share.

use agon_contract::permission::Permission;
use agon_contract::reason::for_everyone;
use agon_contract::settings::Role;
use agon_contract::{ApiError, ErrorCode};

use crate::actor::Actor;
use crate::domain::permission::role_permits;

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
    let who = if role_permits(&Role::Jury, permission) { "jury or admin" } else { "admin" };
    Err(ApiError::new(ErrorCode::Forbidden, format!("this needs the permission {permission}"))
        .with_hint(format!("Ask somebody with the role {who}.")))
}

/// A reason as the person may read it: paths, commands and the engine's words are for who looks after the machine.
pub(super) fn told(actor: &Actor, reason: String) -> String {
    if actor.may(&Permission::ReadOperations) { reason } else { for_everyone(&reason) }
}
