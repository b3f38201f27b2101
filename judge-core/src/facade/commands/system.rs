//! The machine: sandbox, self-test, work that is not yet judged.

use std::sync::{Arc, PoisonError};

use agon_contract::ApiError;
use agon_contract::command::{GetOutboxCounts, GetSandboxStatus, GetSelfTestProgress, RunSelfTest};
use agon_contract::event::OutboxCounts;
use agon_contract::permission::Permission;
use agon_contract::sandbox::{
    Protection, SandboxHealth, SandboxStatus, SelfTestItem, SelfTestProgress, SelfTestReport,
};

use crate::actor::Actor;
use crate::facade::refusal::require;
use crate::facade::{Judge, backend};
use crate::sandbox::find_supervisor;
use crate::self_test;
use crate::worker::DISK_FULL;

impl Judge {
    /// The backend as it is now: to who looks after it everything, to everybody else its state and protections.
    ///
    /// # Errors
    /// None today: an absent backend is a status.
    pub async fn sandbox_status(&self, actor: &Actor, _req: GetSandboxStatus) -> Result<SandboxStatus, ApiError> {
        let mut status = self.rooms.shop.sandbox.status().await;
        // The backend cannot know that verdicts could not be stored.
        if self.rooms.shop.gate.paused_reason().as_deref() == Some(DISK_FULL) {
            status.health = SandboxHealth::DiskFull;
            status.message = format!("{DISK_FULL}; judging goes on when there is room, and nothing saved was lost");
        }
        Ok(if actor.may(&Permission::ReadOperations) { status } else { without_machine(status) })
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
        let protections = parts.sandbox.status().await.protections.len();
        let total = u32::try_from(self_test::count(protections)).unwrap_or(u32::MAX);
        self.note_self_test(|progress| *progress = SelfTestProgress { is_running: true, total, ..Default::default() });
        // However this ends, a caller who goes away included.
        let _ended = OnDrop(|| self.note_self_test(|progress| progress.is_running = false));
        let heard = |item: &SelfTestItem| {
            self.note_self_test(|progress| {
                progress.done += 1;
                progress.failed += u32::from(!item.passed);
                progress.last.clone_from(&item.name);
            });
        };
        Ok(self_test::run(&parts, &heard).await)
    }

    /// How far a running self-test is.
    ///
    /// # Errors
    /// `forbidden` without `read_operations`.
    pub async fn self_test_progress(
        &self,
        actor: &Actor,
        _req: GetSelfTestProgress,
    ) -> Result<SelfTestProgress, ApiError> {
        require(actor, &Permission::ReadOperations)?;
        Ok(self.rooms.self_test.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    fn note_self_test(&self, change: impl FnOnce(&mut SelfTestProgress)) {
        change(&mut self.rooms.self_test.lock().unwrap_or_else(PoisonError::into_inner));
        self.rooms.shop.board.touch();
    }

    /// Counts for the top bar: one's own work, or for staff everybody's.
    ///
    /// # Errors
    /// `storage_unavailable`.
    pub async fn outbox_counts(&self, actor: &Actor, _req: GetOutboxCounts) -> Result<OutboxCounts, ApiError> {
        let user_id = (!actor.may(&Permission::ReadOperations)).then_some(&actor.user_id);
        let counts = self.rooms.shop.submissions.outbox_counts(user_id).await?;
        Ok(OutboxCounts { paused_reason: self.paused_reason(actor).unwrap_or_default(), ..counts })
    }
}

/// Does something when it goes out of scope.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// What protects everybody, without how this machine is set up and what is wrong with it.
fn without_machine(status: SandboxStatus) -> SandboxStatus {
    let bare = |protection: Protection| Protection { detail: String::new(), ..protection };
    SandboxStatus {
        backend: status.backend,
        health: status.health,
        message: String::new(),
        engine_version: String::new(),
        image: String::new(),
        image_id: String::new(),
        protections: status.protections.into_iter().map(bare).collect(),
        warm_boxes: 0,
    }
}
