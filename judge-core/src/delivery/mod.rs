//! Machinery that carries work and messages without knowing what they are about.
//!
//! Work: the judge outbox and the queue, whose tables belong to `submission`. Messages: an [`outbox`] in every owner that
//! tells others something. The functions here run inside their owner's transactions.

pub(crate) mod audit_note;
pub(crate) mod backoff;
pub(crate) mod fenced;
pub(crate) mod judge_outbox;
#[cfg_attr(not(test), expect(dead_code, reason = "the carrier of messages comes with the inbox"))]
pub(crate) mod outbox;
pub(crate) mod queue;
pub(crate) mod result_note;
