//! Optional services of the program: opt-in, allowlist, bounded start, closed once.
//!
//! ```text
//!             switch on                answered in time
//! DISABLED ──────────────► STARTING ──────────────────► READY
//!                           │  │  └─ error, panic ► FAILED   │ died ► FAILED (after its close)
//!                           │  └─ budget spent ────► FAILED   │
//!                           └─ switch off ► STOPPING ◄────────┘ switch off, restart
//!                                              └─ ended ► STOPPED        └─ budget spent ► FAILED
//! ```
//! A module runs only when the folder's settings switch it on **and** the machine's allowlist has its name.
//!
//! **One writer.** Each module has a slot: one task that alone decides, in the order in which orders and answers reach
//! it. What it decides is a pure function ([`machine`]); the task ([`slot`]) only starts, cancels, closes and keeps the
//! time. There is no lock to forget, and every race is an order of events, which a test can enumerate.
//!
//! **What is wanted is a level, not a queue.** An order changes the wish (off, or the n-th try); the slot moves what
//! runs towards it whenever it can. Ten presses of a switch are therefore one start at most, and the last one counts.
//!
//! **Never two.** A new start waits until the old instance is closed and the old start has answered, however late: a
//! module that holds a port or a folder must not meet itself. A start that never answers keeps its module FAILED.
//!
//! **Closed exactly once.** An instance is a value with one consuming `close`. A start that answers after its budget, or
//! after it was told to stop, is closed by the slot. When the slot itself is gone, the sending fails and the start's own
//! task closes it: the channel's `close` decides which of the two it is, and it is never both.
//!
//! **Budgets.** A start has 120 s, never less than 1 s; each stop has 10 s of its own, a late start's close too. What is
//! overdue is FAILED with the reason, and is still waited for: when it ends after all, the state says so.
//!
//! **Nobody waits for another.** Slots share nothing. Closing the judge stops all of them side by side.
//!
//! Enforced by `machine_tests::every_interleaving_keeps_the_promises`, `slot_tests::random_lives_keep_the_promises`.
//! (Rule: delivery, "Modules".)

mod machine;
#[cfg(test)]
mod machine_tests;
mod roster;
mod slot;
#[cfg(test)]
mod slot_tests;

use async_trait::async_trait;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

pub(crate) use roster::{Modules, OrderError, Rules};
pub(crate) use slot::Budgets;

/// An optional service. It is made at the start of the program and does nothing until it is started.
#[async_trait]
pub(crate) trait Module: Send + Sync {
    /// Stable: part of settings, the allowlist and the interface.
    fn name(&self) -> &'static str;

    /// Begins to work. `cancel` means: nobody waits any more, come back soon, with or without an instance.
    async fn start(&self, cancel: CancellationToken) -> Result<Running, ModuleFailure>;
}

/// An instance that works until it is closed.
pub(crate) struct Running {
    /// Ends it.
    pub close: Box<dyn Close>,
    /// Tells that it cannot go on; a sender that is dropped tells so too. It is closed then.
    pub failed: oneshot::Receiver<ModuleFailure>,
}

/// Ends an instance; called once, for it takes the instance away.
#[async_trait]
pub(crate) trait Close: Send {
    /// Comes back when nothing of it runs any more.
    async fn close(self: Box<Self>);
}

/// Why a module does not work, and the way out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ModuleFailure {
    pub reason: String,
    /// May be empty.
    pub remedy: String,
}

impl ModuleFailure {
    pub(crate) fn new(reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { reason: reason.into(), remedy: remedy.into() }
    }
}
