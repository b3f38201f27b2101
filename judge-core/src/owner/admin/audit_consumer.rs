//! Admin listens to audit notes and appends each to the log, once.

use serde_json::Value;

use super::Admin;
use super::audit::{self, NewEntry};
use crate::delivery::audit_note::{AUDIT_NOTE, AUDIT_NOTE_VERSION, Body};
use crate::delivery::consumer::{Applied, Consumer};
use crate::delivery::inbox::Received;
use crate::delivery::outbox::Topic;
use crate::store::{NewEvent, OwnerStore, WriteTx, json};

impl Consumer for Admin {
    fn name(&self) -> &'static str {
        "audit"
    }

    fn topics(&self) -> &'static [Topic] {
        &[Topic::Audit]
    }

    fn store(&self) -> &OwnerStore {
        &self.store
    }

    fn apply(&self, tx: &WriteTx<'_>, message: &Received) -> rusqlite::Result<Applied> {
        let body = match understand(message) {
            Ok(body) => body,
            Err(reason) => return Ok(Applied::NotUnderstood { reason }),
        };
        let details = match &body.details {
            Value::Null => "{}".to_owned(),
            details => json(details),
        };
        let entry = NewEntry {
            event_id: &message.event_id,
            source: &message.source,
            at_ms: message.recorded_at_ms,
            actor: message.actor.as_ref(),
            action: &body.action,
            object: &message.aggregate_id,
            details: &details,
        };
        if audit::append(tx, &entry)? {
            tx.emit(&NewEvent {
                event_type: "AuditEntryAppended",
                aggregate_id: &message.event_id,
                aggregate_version: 0,
                causation_id: Some(&message.event_id),
                payload: "{}".to_owned(),
            })?;
        }
        Ok(Applied::Done)
    }
}

fn understand(message: &Received) -> Result<Body, String> {
    if message.message_type != AUDIT_NOTE {
        return Err(format!("the audit log does not know messages of type {}", message.message_type));
    }
    if message.schema_version != AUDIT_NOTE_VERSION {
        return Err(format!("the audit log does not know version {} of a note", message.schema_version));
    }
    serde_json::from_str(&message.payload).map_err(|error| format!("the note cannot be read: {error}"))
}
