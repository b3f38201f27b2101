//! Messages between the owners that were set aside, for staff.

use serde::{Deserialize, Serialize};

/// Where a message lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MessagePlace {
    /// It could not be delivered from this owner's outbox.
    Outbox { owner: String },
    /// It reached this consumer, who could not have it.
    Inbox { consumer: String },
}

/// A message that was set aside, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadMessageView {
    pub place: MessagePlace,
    pub event_id: String,
    /// The owner that wrote it.
    pub source: String,
    /// `audit`, `result` …
    pub topic: String,
    pub message_type: String,
    pub schema_version: u32,
    pub aggregate_id: String,
    pub recorded_at_ms: i64,
    /// Failed attempts.
    pub attempts: u32,
    pub reason: String,
    /// JSON, as it was written.
    pub payload: String,
}

/// The newest messages that were set aside, at most 200 of each place; needs `read_operations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListDeadMessages {}

/// Sets one going again with a fresh budget; needs `rejudge`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviveMessage {
    pub place: MessagePlace,
    pub event_id: String,
}
