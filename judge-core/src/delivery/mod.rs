//! Machinery that carries work without knowing what it is about: the judge outbox, the queue, waiting times.
//!
//! The tables belong to `submission`; the functions here run inside its transactions.

pub(crate) mod backoff;
pub(crate) mod judge_outbox;
pub(crate) mod queue;
