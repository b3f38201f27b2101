//! The tasks that move work: dispatcher, judge workers, housekeeping, preview slot, the watch on the backend.
//!
//! They own no tables. Each step they take is a fenced transaction of `submission`, so that any of them may die at
//! any point and another goes on.

mod backup;
mod board;
mod dispatcher;
mod gate;
mod housekeeping;
mod inputs;
mod judge_worker;
mod mail;
mod patience;
#[cfg(test)]
mod preview_bounds_tests;
mod preview_worker;
mod retention;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

pub(crate) use backup::{
    BLOBS as BACKUP_BLOBS, BackupError, Backups, DATABASE as BACKUP_DATABASE, Found as FoundBackup,
    Manifest as BackupManifest, Order as BackupOrder, copy_hashed, read_back,
};
pub(crate) use board::Board;
pub(crate) use gate::{DISK_FULL, Gate, GateState, NOBODY_JUDGES};
pub(crate) use mail::Mail;
pub(crate) use preview_worker::CUSTOM_CASE;
pub(crate) use retention::Retention;

use crate::clock::Clock;
use crate::execution::Executions;
use crate::judging::Judging;
use crate::owner::catalog::Catalog;
use crate::owner::submission::Submissions;
use crate::sandbox::Sandbox;
use crate::store::folder::DataFolder;

/// What the tasks share.
#[derive(Clone)]
pub(crate) struct Workshop {
    pub submissions: Submissions,
    pub executions: Executions,
    pub catalog: Catalog,
    pub judging: Judging,
    pub sandbox: Arc<dyn Sandbox>,
    pub folder: DataFolder,
    pub clock: Arc<dyn Clock>,
    pub gate: Gate,
    pub board: Board,
    pub signals: Arc<Signals>,
    /// Host name and size, recorded with each judgement.
    pub machine: Arc<str>,
}

/// Singleton work of the folder.
pub(crate) struct Upkeep {
    pub backups: Backups,
    pub retention: Retention,
}

/// Wake-ups and counters; none of them is the truth.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    /// Something may be in the outbox.
    pub saved: Notify,
    /// Something may be in the queue.
    pub queued: Notify,
    /// A preview waits.
    pub preview: Notify,
    /// Results that came after their lease was lost (`judge.stale_result.dropped`).
    pub stale_results_dropped: AtomicU64,
}

impl Signals {
    fn count_stale_result(&self) {
        self.stale_results_dropped.fetch_add(1, Ordering::Relaxed);
    }
}

/// The running tasks of one open folder.
pub(crate) struct Crew {
    stop: CancellationToken,
    tasks: JoinSet<()>,
}

impl Crew {
    /// Starts everything; `workers` submissions are judged at one time.
    pub(crate) fn start(shop: &Workshop, mail: &Mail, upkeep: Upkeep, workers: usize) -> Self {
        let stop = CancellationToken::new();
        let mut tasks = JoinSet::new();
        tasks.spawn(gate::watch(shop.clone(), stop.clone()));
        tasks.spawn(dispatcher::run(shop.clone(), stop.clone()));
        tasks.spawn(housekeeping::run(shop.clone(), stop.clone()));
        tasks.spawn(preview_worker::run(shop.clone(), stop.clone()));
        mail.start(&mut tasks, &stop);
        tasks.spawn(backup::run_schedule(upkeep.backups, stop.clone()));
        tasks.spawn(retention::run(upkeep.retention, stop.clone()));
        for _ in 0..workers {
            tasks.spawn(judge_worker::run(shop.clone(), stop.clone()));
        }
        Self { stop, tasks }
    }

    /// Nobody, for who only looks.
    pub(crate) fn nobody() -> Self {
        Self { stop: CancellationToken::new(), tasks: JoinSet::new() }
    }

    /// Kills running boxes; their work is handed back.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }

    /// Waits until every task has ended after [`stop`](Self::stop).
    pub(crate) async fn ended(mut self) {
        while let Some(ended) = self.tasks.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a worker task did not end well");
            }
        }
    }
}
