//! Messages that were set aside: seen and set going by staff.

use agon_contract::ApiError;
use agon_contract::command::Done;
use agon_contract::message::{DeadMessageView, ListDeadMessages, ReviveMessage};
use agon_contract::permission::Permission;

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::{not_found, require};

impl Judge {
    /// Messages that could not be delivered or handled, each with its reason.
    ///
    /// # Errors
    /// `forbidden`, `storage_unavailable`.
    pub async fn list_dead_messages(
        &self,
        actor: &Actor,
        _req: ListDeadMessages,
    ) -> Result<Vec<DeadMessageView>, ApiError> {
        require(actor, &Permission::ReadOperations)?;
        Ok(self.rooms.mail.dead().await?)
    }

    /// Sets one going again with a fresh budget.
    ///
    /// # Errors
    /// `forbidden`, `not_found` when no such message is set aside, `storage_unavailable`.
    pub async fn revive_message(&self, actor: &Actor, req: ReviveMessage) -> Result<Done, ApiError> {
        require(actor, &Permission::Rejudge)?;
        let event_id = req.event_id.clone();
        if self.rooms.mail.revive(req.place, req.event_id, &actor.user_id).await? {
            Ok(Done {})
        } else {
            Err(not_found("message set aside under", event_id))
        }
    }
}
