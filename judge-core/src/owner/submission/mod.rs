//! Submission: intake, judgements, the fence, and the machinery's tables.
//!
//! A submission and the wish to judge it are one commit. A judgement moves only through [`fence`]; each move and what
//! follows from it (the next generation, its outbox row, the event) are one commit too.

mod basis;
pub(crate) mod change_set;
pub(crate) mod dead_letters;
pub(crate) mod difference;
pub(crate) mod fence;
#[cfg(test)]
mod fence_tests;
pub(crate) mod intake;
pub(crate) mod judgement;
pub(crate) mod lifecycle;
pub(crate) mod manifest;
pub(crate) mod operations;
pub(crate) mod page;
#[cfg(test)]
mod race_mutations;
#[cfg(test)]
mod race_story;
mod result;
pub(crate) mod saved;
pub(crate) mod staff;
pub(crate) mod standing;
mod succession;
mod thin;

use std::sync::Arc;

use crate::clock::Clock;
use crate::delivery::judge_outbox;
use crate::delivery::lease::lease_schema;
use crate::delivery::outbox::outbox_schema;
use crate::delivery::queue::embedded;
use crate::store::OwnerStore;
use crate::store::blobs::Blobs;
use crate::store::migrate::Migration;

pub(crate) use page::blob_names;
pub(crate) use thin::{thin_outputs, thin_queue};

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
        name: "submissions, judgements, judge outbox, queue, previews",
        sql: &[saved::SCHEMA, judgement::SCHEMA, judge_outbox::SCHEMA, embedded::SCHEMA, crate::execution::SCHEMA],
    },
    Migration { name: "outbox", sql: &[outbox_schema!("submission")] },
    Migration {
        name: "change sets, lost leases, manifests of judgements, payloads, cutover",
        sql: &[basis::SCHEMA, change_set::SCHEMA, judgement::ORIGIN, judge_outbox::CUTOVER, embedded::PAYLOAD],
    },
    Migration { name: "leases", sql: &[lease_schema!("submission")] },
    Migration { name: "outputs to thin", sql: &[thin::OUTPUT_INDEX] },
    Migration { name: "tallies of change sets", sql: &[change_set::TALLY] },
    Migration { name: "scores", sql: &[judgement::SCORES] },
];

/// The owner of `submission_…`.
#[derive(Clone)]
pub(crate) struct Submissions {
    store: OwnerStore,
    blobs: Blobs,
    clock: Arc<dyn Clock>,
    boot_id: Arc<str>,
    /// The sandbox image this program judges in, sealed with each submission.
    image: Arc<str>,
}

impl Submissions {
    pub(crate) fn new(store: OwnerStore, blobs: Blobs, clock: Arc<dyn Clock>, boot_id: &str, image: &str) -> Self {
        Self { store, blobs, clock, boot_id: boot_id.into(), image: image.into() }
    }

    fn now(&self) -> fence::Now {
        fence::Now { steady_ms: self.clock.steady_ms(), wall_ms: self.clock.wall_ms() }
    }
}
