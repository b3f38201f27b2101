//! Submission: intake, judgements, the fence, and the machinery's tables.
//!
//! A submission and the wish to judge it are one commit. A judgement moves only through [`fence`]; each move and what
//! follows from it (the next generation, its outbox row, the event) are one commit too.

pub(crate) mod fence;
#[cfg(test)]
mod fence_tests;
pub(crate) mod intake;
pub(crate) mod judgement;
pub(crate) mod lifecycle;
pub(crate) mod manifest;
pub(crate) mod operations;
pub(crate) mod page;
pub(crate) mod saved;
pub(crate) mod standing;

use std::sync::Arc;

use crate::clock::Clock;
use crate::delivery::outbox::outbox_schema;
use crate::delivery::{judge_outbox, queue};
use crate::store::OwnerStore;
use crate::store::blobs::Blobs;
use crate::store::migrate::Migration;

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
        name: "submissions, judgements, judge outbox, queue, previews",
        sql: &[saved::SCHEMA, judgement::SCHEMA, judge_outbox::SCHEMA, queue::SCHEMA, crate::execution::SCHEMA],
    },
    Migration { name: "outbox", sql: &[outbox_schema!("submission")] },
];

/// The owner of `submission_…`.
#[derive(Clone)]
pub(crate) struct Submissions {
    store: OwnerStore,
    blobs: Blobs,
    clock: Arc<dyn Clock>,
    boot_id: Arc<str>,
}

impl Submissions {
    pub(crate) fn new(store: OwnerStore, blobs: Blobs, clock: Arc<dyn Clock>, boot_id: &str) -> Self {
        Self { store, blobs, clock, boot_id: boot_id.into() }
    }

    fn now(&self) -> fence::Now {
        fence::Now { steady_ms: self.clock.steady_ms(), wall_ms: self.clock.wall_ms() }
    }
}
