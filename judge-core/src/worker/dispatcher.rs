//! The dispatcher: outbox to queue, every two seconds and on each wake-up, while the backend is there.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::Workshop;
use super::gate::DISK_FULL;
use crate::store::StoreError;

/// Between two looks without a wake-up; finds rows whose retry time has come.
const TICK: Duration = Duration::from_secs(2);

pub(super) async fn run(shop: Workshop, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = shop.gate.opened() => {}
        }
        if let Err(error) = send_all(&shop).await {
            tracing::error!(error = %crate::store::chain(&error), "work could not be sent to the queue");
            if error.is_disk_full() {
                shop.gate.pause(DISK_FULL);
            }
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = shop.signals.saved.notified() => {}
            () = shop.clock.sleep(TICK) => {}
        }
    }
}

async fn send_all(shop: &Workshop) -> Result<(), StoreError> {
    while shop.submissions.dispatch().await? > 0 {
        shop.board.touch();
        shop.signals.queued.notify_waiters();
        shop.signals.queued.notify_one();
    }
    Ok(())
}
