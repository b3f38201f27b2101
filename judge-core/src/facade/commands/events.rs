//! Waiting for something to happen.

use std::time::Duration;

use agon_contract::ApiError;
use agon_contract::command::WaitEvents;
use agon_contract::event::EventBatch;

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::bad_request;

/// The longest wait.
const WAIT_MS_MAX: u32 = 30_000;
/// Progress alone is gathered for this long, so that a thousand quick runs are not a thousand answers.
const PROGRESS_GATHERED: Duration = Duration::from_millis(50);

impl Judge {
    /// Answers as soon as something happened, or with nothing when the time is up.
    ///
    /// # Errors
    /// `bad_request` for a wait above 30 s, `storage_unavailable`.
    pub async fn wait_events(&self, _actor: &Actor, req: WaitEvents) -> Result<EventBatch, ApiError> {
        if req.wait_ms > WAIT_MS_MAX {
            return Err(bad_request(format!("at most {WAIT_MS_MAX} ms can be waited")));
        }
        let mut wakes = self.rooms.events.wakes();
        let mut progress = self.rooms.shop.board.counter();
        if req.after_seq < 0 {
            let last_seq = self.rooms.events.last_seq().await?;
            let progress_counter = *progress.borrow();
            return Ok(EventBatch { events: Vec::new(), last_seq, progress_counter });
        }
        let time_is_up = tokio::time::sleep(Duration::from_millis(u64::from(req.wait_ms)));
        tokio::pin!(time_is_up);
        let mut is_last_look = false;
        loop {
            wakes.mark_unchanged();
            let progress_counter = *progress.borrow_and_update();
            let events = self.rooms.events.after(req.after_seq).await?;
            if !events.is_empty() || progress_counter != req.progress_counter || is_last_look {
                let last_seq = events.last().map_or(req.after_seq, |event| event.seq);
                return Ok(EventBatch { events, last_seq, progress_counter });
            }
            tokio::select! {
                _ = wakes.changed() => {}
                _ = progress.changed() => tokio::time::sleep(PROGRESS_GATHERED).await,
                () = &mut time_is_up => is_last_look = true,
                () = self.rooms.closing.cancelled() => is_last_look = true,
            }
        }
    }
}
