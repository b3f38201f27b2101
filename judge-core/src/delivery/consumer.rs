//! The port of whoever takes messages: what it subscribes to, and the effect of one message.

use async_trait::async_trait;

use super::inbox::Received;
use super::outbox::Topic;
use crate::store::{OwnerStore, WriteTx};

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// The effect is in the transaction, or was had before.
    Done,
    /// Type or version is not known here: it is set aside with the reason until somebody who knows it looks.
    NotUnderstood { reason: String },
}

/// Takes messages of its topics, each once, into the tables of its owner.
#[async_trait]
pub(crate) trait Consumer: Send + Sync {
    /// Unique among all consumers and the same for ever: it is the other half of a message's identity.
    fn name(&self) -> &'static str;

    fn topics(&self) -> &'static [Topic];

    /// The owner whose inbox and tables these are. It has leases too (its old rows are removed under one), and an outbox:
    /// whoever revives a message is told to the audit log.
    fn store(&self) -> &OwnerStore;

    /// What takes long and leaves no row, such as sending; the lease is renewed meanwhile. It may run again for the same
    /// message, so whatever it does outside must bear that.
    ///
    /// # Errors
    /// Why it is to be tried again.
    async fn prepare(&self, _message: &Received) -> Result<(), String> {
        Ok(())
    }

    /// The effect, in the transaction that marks the message as had.
    ///
    /// # Errors
    /// What SQLite refused; nothing is kept and it is tried again.
    fn apply(&self, tx: &WriteTx<'_>, message: &Received) -> rusqlite::Result<Applied>;
}
