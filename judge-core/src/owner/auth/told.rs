//! What happened to accounts and sessions, told in the transaction in which it happens.

use agon_contract::audit::AuditAction;
use agon_contract::ids::UserId;
use serde_json::Value;

use crate::delivery::audit_note::{self, AuditNote};
use crate::store::{NewEvent, WriteTx};

/// An audited action of this owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    AccountCreated,
    PasswordSet,
    RolesSet,
    AccountDisabled,
    AccountEnabled,
    SessionBegun,
    SessionRefused,
    SessionEnded,
    SessionsEnded,
}

impl Told {
    fn action(self) -> AuditAction {
        match self {
            Self::AccountCreated => AuditAction::AccountCreated,
            Self::PasswordSet => AuditAction::PasswordChanged,
            Self::RolesSet | Self::AccountDisabled | Self::AccountEnabled => AuditAction::AccountChanged,
            Self::SessionBegun => AuditAction::SessionBegun,
            Self::SessionRefused => AuditAction::SessionRefused,
            Self::SessionEnded | Self::SessionsEnded => AuditAction::SessionEnded,
        }
    }

    /// What listeners branch on; `None`: only for the audit log, nobody's view changes.
    fn event_type(self) -> Option<&'static str> {
        match self {
            Self::AccountCreated
            | Self::PasswordSet
            | Self::RolesSet
            | Self::AccountDisabled
            | Self::AccountEnabled => Some("AccountChanged"),
            Self::SessionBegun | Self::SessionEnded | Self::SessionsEnded => Some("SessionsChanged"),
            Self::SessionRefused => None,
        }
    }
}

/// Tells what `by` did to `user`: to the audit log, and to who watches accounts and sessions. The details never have
/// a secret in them. Who is refused is nobody yet, so a refusal has no actor.
pub(super) fn tell(tx: &WriteTx<'_>, told: Told, by: &UserId, user: &UserId, details: Value) -> rusqlite::Result<()> {
    let actor = (told != Told::SessionRefused).then_some(by);
    audit_note::put(tx, &AuditNote { actor, action: told.action(), object: user.as_str(), details })?;
    let Some(event_type) = told.event_type() else { return Ok(()) };
    tx.emit(&NewEvent {
        event_type,
        aggregate_id: user.as_str(),
        aggregate_version: 0,
        causation_id: None,
        payload: "{}".to_owned(),
    })
}
