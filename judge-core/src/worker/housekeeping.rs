//! Housekeeping: judgements whose lease ended or whose queue entry was lost go to the next generation, forgotten queue
//! entries back to the queue.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::Workshop;

/// Between two looks for lost leases.
const RECOVERY_TICK: Duration = Duration::from_secs(5);
/// Each second look also reclaims queue entries.
const RECLAIM_EVERY: u32 = 2;
/// Each twelfth look – about every minute – also looks for work whose queue entry was lost, and forgets old previews.
const RECONCILE_EVERY: u32 = 12;

pub(super) async fn run(shop: Workshop, stop: CancellationToken) {
    let mut round: u32 = 0;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = shop.clock.sleep(RECOVERY_TICK) => {}
        }
        round = round.wrapping_add(1);
        match shop.submissions.recover().await {
            Ok(0) => {}
            Ok(count) => {
                tracing::warn!(count, "judgements lost their lease and go to the next generation");
                shop.signals.saved.notify_one();
            }
            Err(error) => tracing::error!(error = %crate::store::chain(&error), "lost leases could not be recovered"),
        }
        if round.is_multiple_of(RECLAIM_EVERY)
            && let Err(error) = shop.submissions.reclaim().await
        {
            tracing::error!(error = %crate::store::chain(&error), "queue entries could not be reclaimed");
        }
        if round.is_multiple_of(RECONCILE_EVERY) {
            reconcile(&shop).await;
            if let Err(error) = shop.executions.forget_finished().await {
                tracing::error!(error = %crate::store::chain(&error), "old previews could not be forgotten");
            }
        }
    }
}

async fn reconcile(shop: &Workshop) {
    match shop.submissions.reconcile().await {
        Ok(0) => {}
        Ok(count) => {
            tracing::error!(count, "queue entries were lost; their work is sent again");
            shop.signals.saved.notify_one();
        }
        Err(error) => {
            tracing::error!(error = %crate::store::chain(&error), "lost queue entries could not be looked for")
        }
    }
}
