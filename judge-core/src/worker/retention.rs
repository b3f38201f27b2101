//! Retention: what has served its purpose goes; what anybody may still ask for stays.
//!
//! | what | goes when |
//! |---|---|
//! | delivered outbox rows | delivered longer ago than the setting `retention.message_days` |
//! | processed inbox rows | processed longer ago than that **and** delivered at their source: an undelivered message may come again, and only its row says that it was had |
//! | done queue entries, archived judge-outbox rows | as old, their judgement at its end, and nothing left that could enqueue their key again |
//! | ended backup runs | as old, but never the newest of a kind |
//! | starts of the program | as old, but never the newest 100; at most 10,000 stay; never one that a lease names |
//! | streams of runs | their judging ended as long ago: 64 KiB of a failing run's stay, none of an accepted one's |
//! | events | as old, or beyond the newest million; a reader further behind is told to read everything again |
//! | content that nothing names | nobody writes content or copies it at this moment |
//! | scheduled backups | more than `backup.keep` (after each new one) |
//! | finished previews | 15 minutes old (their own owner sees to it) |
//!
//! For ever: sources, verdicts, judgements, runs, manifests, the audit log. Every deletion names the lease
//! `retention` of the owner whose rows go, in its WHERE clause.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::Mail;
use crate::clock::Clock;
use crate::delivery::inbox;
use crate::delivery::lease::{self, Hold};
use crate::delivery::old_events::{self, EventsKept};
use crate::delivery::outbox::{self, Carrier};
use crate::ids::new_id;
use crate::owner::admin::{self, Admin};
use crate::owner::catalog::Catalog;
use crate::owner::submission::{self, Submissions};
use crate::store::authorizer::Owner;
use crate::store::blobs::Blobs;
use crate::store::{EventKeeper, FolderError, OwnerStore, StoreError, chain};

const LEASE: &str = "retention";
/// Between two rounds; the first begins this long after the start, so that a start is never slower for it.
const TICK: Duration = Duration::from_secs(3600);
const DAY_MS: i64 = 86_400_000;
/// Events kept at most: about 200 MB.
const EVENTS_KEPT_MAX: i64 = 1_000_000;
/// Events removed in one transaction, and transactions of one round.
const EVENT_BATCH: i64 = 5_000;
const EVENT_BATCHES_MAX: u32 = 20;

/// Why a round ended early. What went, went; the next round goes on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RetentionError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// Rows and files that went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gone {
    pub delivered: usize,
    pub processed: usize,
    pub queue_rows: usize,
    pub backup_runs: usize,
    pub boots: usize,
    /// Runs that lost some of their streams.
    pub outputs: usize,
    pub events: usize,
    pub blobs: usize,
}

/// Thins one open folder.
#[derive(Clone)]
pub(crate) struct Retention {
    pub mail: Mail,
    pub admin: Admin,
    pub catalog: Catalog,
    pub submissions: Submissions,
    pub blobs: Blobs,
    pub events: EventKeeper,
    pub clock: Arc<dyn Clock>,
    pub boot_id: Arc<str>,
}

pub(super) async fn run(retention: Retention, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = retention.clock.sleep(TICK) => {}
        }
        match retention.round().await {
            Ok(gone) if gone == Gone::default() => {}
            Ok(gone) => tracing::info!(?gone, "what had served its purpose was removed"),
            Err(error) => tracing::error!(error = %chain(&error), "retention ended early; it goes on in an hour"),
        }
    }
}

impl Retention {
    /// One round.
    pub(crate) async fn round(&self) -> Result<Gone, RetentionError> {
        let mut gone = Gone::default();
        let before_ms = self.clock.wall_ms().saturating_sub(self.admin.message_days().await? * DAY_MS);
        let undelivered = self.undelivered().await?;
        for store in self.mail.inbox_stores() {
            let spared = Arc::clone(&undelivered);
            gone.processed += self
                .thin(&store, before_ms, move |tx, hold, before, now| inbox::thin(tx, hold, &spared, before, now))
                .await?;
        }
        for store in self.mail.outbox_stores() {
            gone.delivered += self.thin(&store, before_ms, outbox::thin).await?;
            match store.owner() {
                Owner::Submission => {
                    gone.queue_rows += self.thin(&store, before_ms, submission::thin_queue).await?;
                    gone.outputs += self.thin(&store, before_ms, submission::thin_outputs).await?;
                }
                Owner::Admin => {
                    gone.backup_runs += self.thin(&store, before_ms, admin::thin_backup_runs).await?;
                    gone.boots += self.thin(&store, before_ms, admin::thin_boots).await?;
                }
                Owner::Auth | Owner::Catalog | Owner::Notification => {}
            }
        }
        gone.events = self.thin_events(before_ms).await?;
        gone.blobs = self.collect().await?;
        Ok(gone)
    }

    /// Event ids that may still be delivered again. Read before anything goes: later ones are too young to go.
    async fn undelivered(&self) -> Result<Arc<BTreeSet<String>>, StoreError> {
        let mut ids = BTreeSet::new();
        for store in self.mail.outbox_stores() {
            let owner = store.owner();
            ids.extend(store.read("look for undelivered messages", move |c| outbox::undelivered(c, owner)).await?);
        }
        Ok(Arc::new(ids))
    }

    /// Runs a deletion of one owner under its lease; nothing goes while somebody else holds it.
    async fn thin(
        &self,
        store: &OwnerStore,
        before_ms: i64,
        delete: impl Fn(&crate::store::WriteTx<'_>, &Hold, i64, i64) -> rusqlite::Result<usize> + Send + 'static,
    ) -> Result<usize, StoreError> {
        let holder = Carrier { token: new_id(), boot_id: self.boot_id.to_string() };
        let hold = store.write("take a lease", move |tx| lease::acquire(tx, LEASE, &holder, tx.steady_ms())).await?;
        let Some(hold) = hold else { return Ok(0) };
        let held = hold.clone();
        let deleted = store.write("remove old rows", move |tx| delete(tx, &held, before_ms, tx.steady_ms())).await;
        store.write("release a lease", move |tx| lease::release(tx, &hold)).await?;
        deleted
    }

    /// Old events, in several short transactions under one lease of `admin`.
    async fn thin_events(&self, before_ms: i64) -> Result<usize, StoreError> {
        let kept = EventsKept { since_ms: before_ms, at_most: EVENTS_KEPT_MAX, batch: EVENT_BATCH };
        let holder = Carrier { token: new_id(), boot_id: self.boot_id.to_string() };
        let Some(hold) = self.admin.take_lease(LEASE, holder).await? else { return Ok(0) };
        let thinned = self.thin_events_held(&hold, kept).await;
        self.admin.release_lease(&hold).await?;
        thinned
    }

    async fn thin_events_held(&self, hold: &Hold, kept: EventsKept) -> Result<usize, StoreError> {
        let mut gone = 0;
        for _ in 0..EVENT_BATCHES_MAX {
            let (hold, clock) = (hold.clone(), Arc::clone(&self.clock));
            let thin = move |c: &rusqlite::Connection| old_events::thin(c, &hold, kept, clock.steady_ms());
            let removed = self.events.write("remove old events", thin).await?;
            gone += removed;
            if removed == 0 {
                break;
            }
        }
        Ok(gone)
    }

    /// Content that nothing names, while nobody writes any.
    async fn collect(&self) -> Result<usize, RetentionError> {
        let Some(quiet) = self.blobs.quiet() else { return Ok(0) };
        let mut reachable = self.catalog.blob_hashes().await?;
        reachable.extend(self.submissions.blob_hashes().await?);
        let blobs = self.blobs.clone();
        let collected = tokio::task::spawn_blocking(move || {
            let _nobody_writes = quiet;
            blobs.collect(&reachable)
        });
        Ok(collected.await.map_err(|_| FolderError::Interrupted { operation: "collecting content" })??)
    }
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;
