//! Storing how a piece of work ended, also when the store cannot be written for a while.
//!
//! The end of work is known once and must not be lost because the disk is full at that moment. Whoever has it waits with
//! it in hand and tries again; the conditions of the step are the same at each try, so that waiting weakens no fence.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::Workshop;
use super::gate::DISK_FULL;
use crate::store::{StoreError, chain};

/// Between two tries.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The waiting of one who has an end in hand.
pub(super) struct Patience<'p> {
    shop: &'p Workshop,
    stop: &'p CancellationToken,
    what: &'static str,
    tries: u32,
    is_last_try: bool,
}

impl<'p> Patience<'p> {
    /// `what` is to be stored.
    pub(super) fn new(shop: &'p Workshop, stop: &'p CancellationToken, what: &'static str) -> Self {
        Self { shop, stop, what, tries: 0, is_last_try: false }
    }

    /// Whether a try has failed before.
    pub(super) fn has_waited(&self) -> bool {
        self.tries > 0
    }

    /// After a try that failed: waits for the time of the next. `tell` hears what people should be told meanwhile.
    ///
    /// # Errors
    /// The failure itself, when another try makes no sense: it is not that the store is away, or the program closes and the
    /// last try is over.
    pub(super) async fn wait(&mut self, error: StoreError, tell: impl FnOnce(&str)) -> Result<(), StoreError> {
        if !error.is_away() || self.is_last_try {
            return Err(error);
        }
        let reason = if error.is_disk_full() { DISK_FULL.to_owned() } else { chain(&error) };
        if self.tries == 0 {
            tracing::error!(error = %chain(&error), "{} cannot be stored now and is kept until it can", self.what);
        }
        if error.is_disk_full() {
            self.shop.gate.pause(DISK_FULL);
        }
        self.tries += 1;
        tell(&reason);
        tokio::select! {
            () = self.stop.cancelled() => self.is_last_try = true,
            () = self.shop.clock.sleep(AGAIN_AFTER) => {}
        }
        Ok(())
    }
}
