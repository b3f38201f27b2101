//! How the judging goes, for staff.

use std::fmt::Display;
use std::sync::atomic::Ordering;

use agon_contract::ApiError;
use agon_contract::command::GetSandboxStatus;
use agon_contract::operations::{GetOperations, OperationsView, UnknownPart};
use agon_contract::permission::Permission;

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::require;
use crate::store::chain;

impl Judge {
    /// The numbers and lists of the operations view. A part that cannot be read is absent and says why.
    ///
    /// # Errors
    /// `forbidden` without `read_operations`.
    pub async fn get_operations(&self, actor: &Actor, _req: GetOperations) -> Result<OperationsView, ApiError> {
        require(actor, &Permission::ReadOperations)?;
        let rooms = &self.rooms;
        let mut unknown = Vec::new();
        let measures =
            known(&mut unknown, "queue", rooms.shop.submissions.measures().await.map_err(|error| chain(&error)));
        let events_seq =
            known(&mut unknown, "events_seq", rooms.events.last_seq().await.map_err(|error| chain(&error)));
        let sandbox = self.sandbox_status(actor, GetSandboxStatus {}).await?;
        let mut view = OperationsView {
            looked_at_ms: rooms.config.clock.wall_ms(),
            started_at_ms: rooms.started_at_ms,
            paused_reason: rooms.shop.gate.paused_reason(),
            workers: u32::try_from(rooms.workers).unwrap_or(u32::MAX),
            queue: None,
            waiting: None,
            judging: None,
            last_success_ago_ms: None,
            stale_results_dropped: rooms.shop.signals.stale_results_dropped.load(Ordering::Relaxed),
            leases: None,
            outboxes: None,
            inboxes: None,
            modules: self.rooms.modules.views(),
            sandbox,
            events_seq,
            unknown,
        };
        if let Some(measures) = measures {
            view.queue = Some(measures.queue);
            view.waiting = Some(measures.waiting);
            view.judging = Some(measures.judging);
            view.last_success_ago_ms = measures.last_success_ago_ms;
            view.leases = Some(measures.leases);
            view.outboxes = Some(vec![measures.judge_outbox]);
        }
        let held = rooms.mail.leases().await.map_err(|error| chain(&error));
        if let Some(held) = known(&mut view.unknown, "leases", held) {
            view.leases.get_or_insert_default().extend(held);
        }
        let now_ms = view.looked_at_ms;
        let outboxes = rooms.mail.outboxes(now_ms).await.map_err(|error| chain(&error));
        if let Some(outboxes) = known(&mut view.unknown, "outboxes", outboxes) {
            view.outboxes.get_or_insert_default().extend(outboxes);
        }
        let inboxes = rooms.mail.inboxes(now_ms).await.map_err(|error| chain(&error));
        view.inboxes = known(&mut view.unknown, "inboxes", inboxes);
        Ok(view)
    }
}

/// The part if it could be read; otherwise its absence is explained.
fn known<T>(unknown: &mut Vec<UnknownPart>, part: &str, read: Result<T, impl Display>) -> Option<T> {
    match read {
        Ok(value) => Some(value),
        Err(reason) => {
            unknown.push(UnknownPart { part: part.to_owned(), reason: reason.to_string() });
            None
        }
    }
}
