//! Machinery that carries work and messages without knowing what they are about.
//!
//! Work: the judge outbox and the queue, whose tables belong to `submission`. Messages: an [`outbox`] in every owner that
//! tells others something, an [`inbox`] in every owner that listens, a [`consumer`] for each listener. Singleton work:
//! [`lease`]. The functions here run inside their owner's transactions and know its name from them.

pub(crate) mod audit_note;
pub(crate) mod backoff;
pub(crate) mod consumer;
pub(crate) mod fenced;
pub(crate) mod inbox;
pub(crate) mod judge_outbox;
pub(crate) mod lease;
pub(crate) mod old_events;
pub(crate) mod operations_note;
pub(crate) mod outbox;
pub(crate) mod queue;
pub(crate) mod result_note;
#[cfg(test)]
mod test_store;
