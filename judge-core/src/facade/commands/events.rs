//! Waiting for something to happen.

use std::time::Duration;

use agon_contract::ApiError;
use agon_contract::command::WaitEvents;
use agon_contract::event::{EventBatch, EventView};
use agon_contract::permission::Permission;

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::bad_request;
use crate::store::StoreError;
use crate::store::authorizer::Owner;

/// The longest wait.
const WAIT_MS_MAX: u32 = 30_000;
/// Progress alone is gathered for this long, so that a thousand quick runs are not a thousand answers.
const PROGRESS_GATHERED: Duration = Duration::from_millis(50);

impl Judge {
    /// Answers as soon as something happened that concerns the person, or with nothing when the time is up: to jury and admins
    /// everything, to others the catalogue, their own submissions and previews, and what happened to themselves.
    ///
    /// # Errors
    /// `bad_request` for a wait above 30 s, `storage_unavailable`.
    pub async fn wait_events(&self, actor: &Actor, req: WaitEvents) -> Result<EventBatch, ApiError> {
        if req.wait_ms > WAIT_MS_MAX {
            return Err(bad_request(format!("at most {WAIT_MS_MAX} ms can be waited")));
        }
        let mut wakes = self.rooms.events.wakes();
        let mut progress = self.rooms.shop.board.counter();
        if req.after_seq < 0 {
            let last_seq = self.rooms.events.last_seq().await?;
            let progress_counter = *progress.borrow();
            return Ok(EventBatch { events: Vec::new(), last_seq, progress_counter, is_resync: false });
        }
        let time_is_up = tokio::time::sleep(Duration::from_millis(u64::from(req.wait_ms)));
        tokio::pin!(time_is_up);
        let mut is_last_look = false;
        let mut last_seq = req.after_seq;
        loop {
            wakes.mark_unchanged();
            let progress_counter = *progress.borrow_and_update();
            let Some(happened) = self.rooms.events.after(last_seq).await? else {
                let last_seq = self.rooms.events.last_seq().await?;
                return Ok(EventBatch { events: Vec::new(), last_seq, progress_counter, is_resync: true });
            };
            let has_more = !happened.is_empty();
            last_seq = happened.last().map_or(last_seq, |event| event.seq);
            let events = self.concerning(actor, happened).await?;
            if !events.is_empty() || progress_counter != req.progress_counter || is_last_look {
                return Ok(EventBatch { events, last_seq, progress_counter, is_resync: false });
            }
            if has_more {
                continue;
            }
            tokio::select! {
                _ = wakes.changed() => {}
                _ = progress.changed() => tokio::time::sleep(PROGRESS_GATHERED).await,
                () = &mut time_is_up => is_last_look = true,
                () = self.rooms.closing.cancelled() => is_last_look = true,
            }
        }
    }

    /// Those of `events` that the person may know of.
    async fn concerning(&self, actor: &Actor, events: Vec<EventView>) -> Result<Vec<EventView>, StoreError> {
        if actor.may(&Permission::ReadSubmissions) || events.is_empty() {
            return Ok(events);
        }
        let own = self.rooms.shop.submissions.ids_of(&actor.user_id, &events).await?;
        let is_for_all = |event: &EventView| event.owner == Owner::Catalog.name();
        let is_about_them = |event: &EventView| event.aggregate_id == actor.user_id.as_str();
        let concerns =
            |event: &EventView| is_for_all(event) || is_about_them(event) || own.contains(&event.aggregate_id);
        Ok(events.into_iter().filter(concerns).collect())
    }
}
