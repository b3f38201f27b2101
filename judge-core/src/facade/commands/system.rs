//! The machine: sandbox, self-test, work that is not yet judged.

use std::sync::Arc;

use agon_contract::ApiError;
use agon_contract::command::{GetOutboxCounts, GetSandboxStatus, RunSelfTest};
use agon_contract::event::OutboxCounts;
use agon_contract::permission::Permission;
use agon_contract::sandbox::{SandboxHealth, SandboxStatus, SelfTestReport};

use crate::actor::Actor;
use crate::facade::refusal::require;
use crate::facade::{Judge, backend};
use crate::sandbox::find_supervisor;
use crate::self_test;
use crate::worker::DISK_FULL;

impl Judge {
    /// The backend as it is now.
    ///
    /// # Errors
    /// None today: an absent backend is a status.
    pub async fn sandbox_status(&self, _actor: &Actor, _req: GetSandboxStatus) -> Result<SandboxStatus, ApiError> {
        let mut status = self.rooms.shop.sandbox.status().await;
        // The backend cannot know that verdicts could not be stored.
        if self.rooms.shop.gate.paused_reason().as_deref() == Some(DISK_FULL) {
            status.health = SandboxHealth::DiskFull;
            status.message = format!("{DISK_FULL}; judging goes on when there is room, and nothing saved was lost");
        }
        Ok(status)
    }

    /// Runs every probe for real.
    ///
    /// # Errors
    /// `forbidden` without a staff role.
    pub async fn self_test(&self, actor: &Actor, _req: RunSelfTest) -> Result<SelfTestReport, ApiError> {
        require(actor, &Permission::ReadOperations)?;
        let parts = self_test::Parts {
            sandbox: Arc::clone(&self.rooms.shop.sandbox),
            image: backend::image(),
            supervisor: find_supervisor(),
            data_folder: self.rooms.folder.root().to_owned(),
            clock: Arc::clone(&self.rooms.config.clock),
        };
        Ok(self_test::run(&parts, &|_| {}).await)
    }

    /// Counts for the top bar: one's own work, or for staff everybody's.
    ///
    /// # Errors
    /// `storage_unavailable`.
    pub async fn outbox_counts(&self, actor: &Actor, _req: GetOutboxCounts) -> Result<OutboxCounts, ApiError> {
        let user_id = (!actor.may(&Permission::ReadOperations)).then_some(&actor.user_id);
        let counts = self.rooms.shop.submissions.outbox_counts(user_id).await?;
        Ok(OutboxCounts { paused_reason: self.rooms.shop.gate.paused_reason().unwrap_or_default(), ..counts })
    }
}
