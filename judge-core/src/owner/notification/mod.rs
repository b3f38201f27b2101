//! Notification: what a person is told about that happened without them, how, and whether it reached them.
//!
//! **From message to notice** ([`news`], [`recipients`]). The consumer `notices` takes the messages of the topic
//! `result` and `operations`, each once. One message becomes at most one notice per person. Notices are codes and parameters; the
//! interface writes the text. Nobody is told what they did themselves: the notice is kept and its delivery is
//! `SUPPRESSED (own_doing)`.
//!
//! **What people want.** A verdict that comes within [`news::SOON`] of the submission is read where it appears, so by
//! default it rings no bell (`judged`, off). What is worth a bell: a verdict that came late, another verdict than
//! before, a cancelled judging; and for staff what waits for a person. Everybody may change that per kind and channel
//! ([`preference`]).
//!
//! **Delivery ledger** ([`ledger`]). One row per notice and channel, whatever becomes of it:
//! ```text
//! PENDING ──sent──► SENT        the in-app channel is the list itself: born SENT, in the commit of its notice
//!    └────failed──► FAILED      with the reason
//! SUPPRESSED                    born so, with the reason: preference, own_doing, one_waits
//! ```
//! A backup that fails is tried again every few minutes: while one such notice is unread, further ones wait for nobody.
//! The row is unique, so a message that comes twice delivers once. The list shows what was SENT in the app.
//!
//! **Bounds.** A person keeps the newest [`notice::KEPT`]; older ones go, unread or not, when a new one comes.
//!
//! Staff are whoever's roles permit what the notice asks for, read from the view that `auth` publishes.

mod consumer;
mod ledger;
mod news;
mod notice;
mod preference;
mod recipients;
#[cfg(test)]
mod tests;

use agon_contract::ids::{NoticeId, UserId};
use agon_contract::notice::{NoticePage, NoticePreference, NoticePreferences, NoticesRead};
use agon_contract::settings::Role;
use rusqlite::Connection;

use crate::delivery::inbox::inbox_schema;
use crate::delivery::lease::lease_schema;
use crate::delivery::outbox::outbox_schema;
use crate::store::migrate::Migration;
use crate::store::{NewEvent, OwnerStore, StoreError, WriteTx};

use consumer::Notices;

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration {
        name: "inbox, notices, deliveries, preferences",
        sql: &[inbox_schema!("notification"), notice::SCHEMA, ledger::SCHEMA, preference::SCHEMA],
    },
    Migration {
        name: "outbox, leases: a revived message is told, old ones go",
        sql: &[outbox_schema!("notification"), lease_schema!("notification")],
    },
];

/// The owner of `notification_…`.
#[derive(Clone)]
pub(crate) struct Notifications {
    store: OwnerStore,
}

impl Notifications {
    pub(crate) fn new(store: OwnerStore) -> Self {
        Self { store }
    }

    /// Takes results into this owner's tables.
    pub(crate) fn consumer(&self) -> Notices {
        Notices::new(self.store.clone())
    }

    /// A person's notices that reached them in the app, newest first, with the count of unread ones.
    pub(crate) async fn page(
        &self,
        user_id: &UserId,
        before: Option<NoticeId>,
        limit: u32,
    ) -> Result<NoticePage, StoreError> {
        let user_id = user_id.clone();
        self.store
            .read("list notices", move |connection| {
                // One more than asked tells whether there is another page.
                let mut rows = notice::shown(connection, &user_id, before.as_ref(), limit + 1)?;
                let has_more = rows.len() > limit as usize;
                rows.truncate(limit as usize);
                let next_before_id = rows.last().filter(|_| has_more).map(|row| row.id.clone());
                Ok(NoticePage { rows, next_before_id, unread: notice::unread(connection, &user_id)? })
            })
            .await
    }

    /// Marks a person's own notices as read.
    pub(crate) async fn mark_read(
        &self,
        user_id: &UserId,
        ids: Vec<NoticeId>,
        up_to: Option<NoticeId>,
    ) -> Result<NoticesRead, StoreError> {
        let user_id = user_id.clone();
        self.store
            .write("mark notices as read", move |tx| {
                if notice::mark_read(tx, &user_id, &ids, up_to.as_ref(), tx.wall_ms())? > 0 {
                    told(tx, "NoticesRead", &user_id)?;
                }
                Ok(NoticesRead { unread: notice::unread(tx, &user_id)? })
            })
            .await
    }

    /// Every kind that concerns somebody with these roles, on every channel.
    pub(crate) async fn preferences(&self, user_id: &UserId, roles: &[Role]) -> Result<NoticePreferences, StoreError> {
        let (user_id, roles) = (user_id.clone(), roles.to_vec());
        let read = move |connection: &Connection| preference::all(connection, &user_id, &roles);
        Ok(NoticePreferences { rows: self.store.read("read notice preferences", read).await? })
    }

    /// Changes some preferences; they hold for notices from now on.
    pub(crate) async fn set_preferences(
        &self,
        user_id: &UserId,
        changes: Vec<NoticePreference>,
    ) -> Result<(), StoreError> {
        let user_id = user_id.clone();
        let save = move |tx: &WriteTx<'_>| preference::set(tx, &user_id, &changes, tx.wall_ms());
        self.store.write("save notice preferences", save).await
    }
}

/// Wakes whoever shows this person's notices.
fn told(tx: &WriteTx<'_>, event_type: &'static str, user_id: &UserId) -> rusqlite::Result<()> {
    tx.emit(&NewEvent {
        event_type,
        aggregate_id: user_id.as_str(),
        aggregate_version: 0,
        causation_id: None,
        payload: "{}".to_owned(),
    })
}
