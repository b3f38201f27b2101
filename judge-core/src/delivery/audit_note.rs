//! What an owner tells the audit log, in the transaction of the action itself.

use agon_contract::audit::AuditAction;
use agon_contract::ids::UserId;
use serde::{Deserialize, Serialize};

use super::outbox::{self, NewMessage, Topic};
use crate::store::{WriteTx, json};

/// Type of the message that carries a note.
pub(crate) const AUDIT_NOTE: &str = "AuditNote";
/// Version of [`Body`].
pub(crate) const AUDIT_NOTE_VERSION: u32 = 1;

/// An action to be kept for ever.
#[derive(Clone, Debug)]
pub(crate) struct AuditNote<'a> {
    /// From the session; `None` when the program acts by itself, or nobody is known yet (a refused session).
    pub actor: Option<&'a UserId>,
    pub action: AuditAction,
    /// The id of what was acted on, as [`AuditAction`] says.
    pub object: &'a str,
    /// What a person reading the log wants to know; never a password or a token.
    pub details: serde_json::Value,
}

/// The payload of an [`AUDIT_NOTE`]; actor and object travel in the message's own columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Body {
    pub action: AuditAction,
    pub details: serde_json::Value,
}

/// Writes the note beside the change it tells about: both are kept, or neither is. Answers the note's event id.
pub(crate) fn put(tx: &WriteTx<'_>, note: &AuditNote<'_>) -> rusqlite::Result<String> {
    let body = Body { action: note.action.clone(), details: note.details.clone() };
    outbox::put(
        tx,
        &NewMessage {
            topic: Topic::Audit,
            message_type: AUDIT_NOTE,
            schema_version: AUDIT_NOTE_VERSION,
            actor: note.actor,
            aggregate_id: note.object,
            payload: json(&body),
        },
    )
}
