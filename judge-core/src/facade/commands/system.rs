//! The machine: sandbox, self-test, work that is not yet judged.

use agon_contract::command::{GetOutboxCounts, GetSandboxStatus, RunSelfTest};
use agon_contract::event::OutboxCounts;
use agon_contract::sandbox::{SandboxStatus, SelfTestReport};
use agon_contract::{ApiError, ErrorCode};

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::require_staff;

impl Judge {
    /// The backend as it is now.
    ///
    /// # Errors
    /// None today: an absent backend is a status.
    pub async fn sandbox_status(&self, _actor: &Actor, _req: GetSandboxStatus) -> Result<SandboxStatus, ApiError> {
        Ok(self.rooms.shop.sandbox.status().await)
    }

    /// Runs every probe for real.
    ///
    /// # Errors
    /// `forbidden` without a staff role.
    pub async fn self_test(&self, actor: &Actor, _req: RunSelfTest) -> Result<SelfTestReport, ApiError> {
        require_staff(actor)?;
        Err(ApiError::new(ErrorCode::Internal, "self_test is not built yet"))
    }

    /// Counts for the top bar: one's own work, or for staff everybody's.
    ///
    /// # Errors
    /// `storage_unavailable`.
    pub async fn outbox_counts(&self, actor: &Actor, _req: GetOutboxCounts) -> Result<OutboxCounts, ApiError> {
        let user_id = (!actor.is_staff()).then_some(&actor.user_id);
        let counts = self.rooms.shop.submissions.outbox_counts(user_id).await?;
        Ok(OutboxCounts { paused_reason: self.rooms.shop.gate.paused_reason().unwrap_or_default(), ..counts })
    }
}
