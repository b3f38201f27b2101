//! What lies in the boxes, for staff: counts, what was set aside, and setting it going again.

use agon_contract::audit::AuditAction;
use agon_contract::ids::UserId;
use agon_contract::message::{DeadMessageView, MessagePlace};
use agon_contract::operations::{BoxView, LeaseView, StateCount};

use super::Mail;
use crate::delivery::audit_note::{self, AuditNote};
use crate::delivery::inbox::{self, DeadReceived};
use crate::delivery::lease::{self, LeaseRow};
use crate::delivery::outbox::{self, DeadMessage, Depth};
use crate::store::authorizer::Owner;
use crate::store::{OwnerStore, StoreError, WriteTx};

/// Dead messages shown of one place.
const DEAD_AT_MOST: u32 = 200;

impl Mail {
    /// Every owner's outbox.
    pub(crate) async fn outboxes(&self, now_wall_ms: i64) -> Result<Vec<BoxView>, StoreError> {
        let mut views = Vec::with_capacity(self.sources.len());
        for source in self.sources.iter() {
            let owner = source.owner();
            let depth = source.read("count messages", move |connection| outbox::depth(connection, owner)).await?;
            views.push(view(owner.name(), ["pending", "claimed", "delivered", "dead"], &depth, now_wall_ms));
        }
        Ok(views)
    }

    /// Every consumer's inbox.
    pub(crate) async fn inboxes(&self, now_wall_ms: i64) -> Result<Vec<BoxView>, StoreError> {
        let mut views = Vec::with_capacity(self.consumers.len());
        for consumer in self.consumers.iter() {
            let (store, name) = (consumer.store(), consumer.name());
            let owner = store.owner();
            let depth = store.read("count messages", move |connection| inbox::depth(connection, owner, name)).await?;
            views.push(view(name, ["pending", "processing", "processed", "dead"], &depth, now_wall_ms));
        }
        Ok(views)
    }

    /// Singleton work that somebody holds now, of every owner.
    pub(crate) async fn leases(&self) -> Result<Vec<LeaseView>, StoreError> {
        let mut views = Vec::new();
        for store in self.sources.iter() {
            let owner = store.owner();
            let rows = store.read("list leases", move |connection| lease::list(connection, owner)).await?;
            views.extend(rows.into_iter().filter_map(|row| held(owner, row, &self.boot_id, self.now())));
        }
        Ok(views)
    }

    /// What was set aside, wherever it lies.
    pub(crate) async fn dead(&self) -> Result<Vec<DeadMessageView>, StoreError> {
        let mut views = Vec::new();
        for source in self.sources.iter() {
            let owner = source.owner();
            let dead = source.read("list dead messages", move |c| outbox::dead(c, owner, DEAD_AT_MOST)).await?;
            views.extend(dead.into_iter().map(|dead| undelivered(owner, dead)));
        }
        for consumer in self.consumers.iter() {
            let (store, name) = (consumer.store(), consumer.name());
            let owner = store.owner();
            let dead = store.read("list dead messages", move |c| inbox::dead(c, owner, name, DEAD_AT_MOST)).await?;
            views.extend(dead.into_iter().map(|dead| unhandled(name, dead)));
        }
        Ok(views)
    }

    /// Sets a dead message going again and tells the audit log in the same commit; false when there is no such one.
    pub(crate) async fn revive(
        &self,
        place: MessagePlace,
        event_id: String,
        actor: &UserId,
    ) -> Result<bool, StoreError> {
        let (actor, found) = (actor.clone(), self.store_of(&place));
        let Some(store) = found else { return Ok(false) };
        store
            .write("revive a message", move |tx| {
                let revived = match &place {
                    MessagePlace::Outbox { .. } => outbox::revive(tx, &event_id)?,
                    MessagePlace::Inbox { consumer } => inbox::revive(tx, consumer, &event_id)?,
                };
                if revived {
                    note(tx, &place, &event_id, &actor)?;
                }
                Ok(revived)
            })
            .await
    }

    fn store_of(&self, place: &MessagePlace) -> Option<OwnerStore> {
        match place {
            MessagePlace::Outbox { owner } => {
                self.sources.iter().find(|source| source.owner().name() == owner).cloned()
            }
            MessagePlace::Inbox { consumer } => {
                let found = self.consumers.iter().find(|known| known.name() == consumer);
                found.map(|consumer| consumer.store().clone())
            }
        }
    }
}

/// `None` while nobody holds it.
fn held(owner: Owner, row: LeaseRow, own_boot: &str, now_steady_ms: i64) -> Option<LeaseView> {
    let left_ms = row.leased_until_ms?.saturating_sub(now_steady_ms);
    Some(LeaseView {
        name: row.name,
        owner: owner.name().to_owned(),
        holder: row.owner_token?,
        is_foreign_boot: row.boot_id.as_ref().map(|boot| boot != own_boot),
        boot_id: row.boot_id,
        since_ms: row.acquired_at_ms,
        ends_in_ms: Some(u64::try_from(left_ms).unwrap_or(0)),
        judgement_id: None,
        submission_id: None,
        submission_number: None,
        generation: None,
        fence_token: u64::try_from(row.fence_token).ok(),
    })
}

fn note(tx: &WriteTx<'_>, place: &MessagePlace, event_id: &str, actor: &UserId) -> rusqlite::Result<()> {
    let details = serde_json::json!({ "place": place });
    let note = AuditNote { actor: Some(actor), action: AuditAction::DeadLetterRevived, object: event_id, details };
    audit_note::put(tx, &note).map(drop)
}

fn view(name: &str, states: [&str; 4], depth: &Depth, now_wall_ms: i64) -> BoxView {
    let counts = [depth.pending, depth.claimed, depth.done, depth.dead];
    let state = |(state, count): (&str, u32)| StateCount { state: state.to_owned(), count: count.into() };
    let age = |at_ms: i64| u64::try_from(now_wall_ms.saturating_sub(at_ms)).unwrap_or(0);
    BoxView {
        name: name.to_owned(),
        states: states.into_iter().zip(counts).map(state).collect(),
        oldest_waiting_ms: depth.oldest_pending_at_ms.map(age),
    }
}

fn undelivered(owner: Owner, dead: DeadMessage) -> DeadMessageView {
    DeadMessageView {
        place: MessagePlace::Outbox { owner: owner.name().to_owned() },
        source: owner.name().to_owned(),
        event_id: dead.message.event_id,
        topic: dead.message.topic,
        message_type: dead.message.message_type,
        schema_version: dead.message.schema_version,
        aggregate_id: dead.message.aggregate_id,
        recorded_at_ms: dead.message.recorded_at_ms,
        attempts: dead.message.attempts,
        reason: dead.reason,
        payload: dead.message.payload,
    }
}

fn unhandled(consumer: &str, dead: DeadReceived) -> DeadMessageView {
    DeadMessageView {
        place: MessagePlace::Inbox { consumer: consumer.to_owned() },
        source: dead.message.source,
        event_id: dead.message.event_id,
        topic: dead.message.topic,
        message_type: dead.message.message_type,
        schema_version: dead.message.schema_version,
        aggregate_id: dead.message.aggregate_id,
        recorded_at_ms: dead.message.recorded_at_ms,
        attempts: dead.message.attempts,
        reason: dead.reason,
        payload: dead.message.payload,
    }
}
