//! The gate before the workers: open while the backend is there, closed with a reason while it is away.
//!
//! A closed gate spends nobody's budget and blames nobody; it opens by itself when the backend answers again.

use agon_contract::reason::ReasonKind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use agon_contract::sandbox::SandboxHealth;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{Board, Workshop};
use crate::delivery::backoff::probe_delay;
use crate::store::{FolderError, chain};

/// Reason of a pause that ends when somebody makes room.
pub(crate) const DISK_FULL: &str = ReasonKind::DiskFull.words();

/// Why work waits where somebody only looks.
pub(crate) const NOBODY_JUDGES: &str = "no program judges on this data folder now";

/// Whether work may be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GateState {
    Open,
    /// Not yet looked at since the start.
    Starting,
    Paused {
        reason: String,
    },
}

/// Shared by all workers. Clones are one gate.
#[derive(Clone)]
pub(crate) struct Gate {
    state: watch::Sender<GateState>,
    /// Looks since the backend last did something useful; the waiting between looks grows with it.
    looks: Arc<AtomicU32>,
    board: Board,
}

impl Gate {
    pub(crate) fn new(board: Board) -> Self {
        Self { state: watch::Sender::new(GateState::Starting), looks: Arc::default(), board }
    }

    pub(crate) fn state(&self) -> GateState {
        self.state.borrow().clone()
    }

    /// Why no work is taken; `None` while open.
    pub(crate) fn paused_reason(&self) -> Option<String> {
        match &*self.state.borrow() {
            GateState::Open => None,
            GateState::Starting => Some(ReasonKind::BeingLookedAt.words().to_owned()),
            GateState::Paused { reason } => Some(reason.clone()),
        }
    }

    /// Closes the gate.
    pub(crate) fn pause(&self, reason: &str) {
        self.set(GateState::Paused { reason: reason.to_owned() });
    }

    /// A box did useful work: the next trouble starts with short waits again.
    pub(super) fn note_success(&self) {
        self.looks.store(0, Ordering::Relaxed);
    }

    /// Ends when the gate is open.
    pub(super) async fn opened(&self) {
        let mut state = self.state.subscribe();
        if state.wait_for(|state| *state == GateState::Open).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    async fn closed(&self) {
        let mut state = self.state.subscribe();
        if state.wait_for(|state| *state != GateState::Open).await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    fn set(&self, wanted: GateState) {
        let changed = self.state.send_if_modified(|state| {
            let changes = *state != wanted;
            if changes {
                match &wanted {
                    GateState::Open => tracing::info!("the sandbox is there; judging goes on"),
                    GateState::Starting => {}
                    // Whoever only looks meant it so.
                    GateState::Paused { reason } if reason == NOBODY_JUDGES => {}
                    GateState::Paused { reason } => tracing::warn!(%reason, "judging is paused"),
                }
                *state = wanted;
            }
            changes
        });
        if changed {
            self.board.touch();
        }
    }
}

/// Looks at the backend and the disk while the gate is closed.
pub(super) async fn watch(shop: Workshop, stop: CancellationToken) {
    let gate = shop.gate.clone();
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = gate.closed() => {}
        }
        if gate.state() != GateState::Starting {
            let looks = gate.looks.fetch_add(1, Ordering::Relaxed).saturating_add(1);
            tokio::select! {
                () = stop.cancelled() => return,
                () = shop.clock.sleep(probe_delay(looks)) => {}
            }
        }
        match reason_to_wait(&shop).await {
            None => {
                gate.set(GateState::Open);
                shop.judging.prewarm();
                shop.signals.saved.notify_one();
            }
            Some(reason) => gate.pause(&reason),
        }
    }
}

/// Why the gate stays closed. Room is tried last: an engine that is away for days must not wear the disk.
async fn reason_to_wait(shop: &Workshop) -> Option<String> {
    let status = shop.sandbox.status().await;
    if status.health != SandboxHealth::Ready {
        return Some(status.message);
    }
    let folder = shop.folder.clone();
    let tried = tokio::task::spawn_blocking(move || folder.try_room()).await;
    let tried = tried.unwrap_or(Err(FolderError::Interrupted { operation: "trying the disk" }));
    tried.err().map(|error| if error.is_disk_full() { DISK_FULL.to_owned() } else { chain(&error) })
}
