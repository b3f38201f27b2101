//! Messages on their way: from every owner's outbox into the inboxes of those who subscribed, and out of these.
//!
//! Read the source's outbox with the source's store, write the consumer's inbox with the consumer's, mark delivered with
//! the source's. A crash between any two repeats a step and neither loses nor doubles an effect: the inbox knows each
//! message by (consumer, event id). (Rule: delivery, "Result outbox, consumer inbox, audit".)

mod courier;
mod look;
mod reader;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::delivery::consumer::Consumer;
use crate::delivery::outbox::Carrier;
use crate::ids::new_id;
use crate::store::{OwnerStore, Store};

/// Between two looks without a wake-up; finds what a retry time or a stale claim sets free.
const TICK: Duration = Duration::from_secs(2);
/// After a failure of the store that is nobody's fault.
const AWAY_PAUSE: Duration = Duration::from_secs(5);

/// Who sends, who listens. Clones share the wake-ups.
#[derive(Clone)]
pub(crate) struct Mail {
    sources: Arc<[OwnerStore]>,
    consumers: Arc<[Arc<dyn Consumer>]>,
    clock: Arc<dyn Clock>,
    boot_id: Arc<str>,
    sent: watch::Receiver<u64>,
    arrived: watch::Sender<u64>,
}

impl Mail {
    /// `sources` are the owners that have an outbox.
    pub(crate) fn new(
        store: &Store,
        sources: Vec<OwnerStore>,
        consumers: Vec<Arc<dyn Consumer>>,
        clock: Arc<dyn Clock>,
        boot_id: &str,
    ) -> Self {
        Self {
            sources: sources.into(),
            consumers: consumers.into(),
            clock,
            boot_id: boot_id.into(),
            sent: store.messages(),
            arrived: watch::Sender::new(0),
        }
    }

    pub(super) fn start(&self, tasks: &mut JoinSet<()>, stop: &CancellationToken) {
        tasks.spawn(courier::run(self.clone(), stop.clone()));
        for consumer in self.consumers.iter() {
            tasks.spawn(reader::run(self.clone(), Arc::clone(consumer), stop.clone()));
        }
    }

    /// One round by the caller himself, for when the tasks have ended: what was said is then where it belongs, and a log
    /// read next shows it. What fails stays where it is and goes at the next start.
    pub(crate) async fn settle(&self) {
        if let Err(error) = courier::carry_all(self, &self.carrier()).await {
            tracing::warn!(error = %crate::store::chain(&error), "messages wait for the next start");
        }
        for consumer in self.consumers.iter() {
            if let Err(error) = reader::work_off(self, consumer, &self.carrier()).await {
                tracing::warn!(error = %crate::store::chain(&error), "messages wait for the next start");
            }
        }
    }

    /// The stores of every owner with an outbox.
    pub(super) fn outbox_stores(&self) -> Vec<OwnerStore> {
        self.sources.to_vec()
    }

    /// The stores of every owner with an inbox, each once.
    pub(super) fn inbox_stores(&self) -> Vec<OwnerStore> {
        let mut stores: Vec<OwnerStore> = Vec::new();
        for consumer in self.consumers.iter() {
            if stores.iter().all(|known| known.owner() != consumer.store().owner()) {
                stores.push(consumer.store().clone());
            }
        }
        stores
    }

    fn carrier(&self) -> Carrier {
        Carrier { token: new_id(), boot_id: self.boot_id.to_string() }
    }

    fn now(&self) -> i64 {
        self.clock.steady_ms()
    }
}
