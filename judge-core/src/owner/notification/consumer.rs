//! The consumer of results and of news about the folder's upkeep: each message once, its notices and deliveries in the commit that marks it as had.

use agon_contract::ids::{NoticeId, UserId};
use agon_contract::notice::{NoticeChannel, NoticeKind};
use async_trait::async_trait;

use super::ledger::{self, Delivery};
use super::news::{self, News};
use super::recipients::{asks_for, who_may};
use super::{notice, preference, told};
use crate::delivery::consumer::{Applied, Consumer};
use crate::delivery::inbox::Received;
use crate::delivery::outbox::Topic;
use crate::ids::new_id;
use crate::store::{OwnerStore, WriteTx};

/// Makes notices of what happened to submissions.
pub(crate) struct Notices {
    store: OwnerStore,
}

impl Notices {
    pub(crate) fn new(store: OwnerStore) -> Self {
        Self { store }
    }
}

#[async_trait]
impl Consumer for Notices {
    fn name(&self) -> &'static str {
        "notices"
    }

    fn topics(&self) -> &'static [Topic] {
        &[Topic::Result, Topic::Operations]
    }

    fn store(&self) -> &OwnerStore {
        &self.store
    }

    fn apply(&self, tx: &WriteTx<'_>, message: &Received) -> rusqlite::Result<Applied> {
        let Received { message_type, schema_version, payload, recorded_at_ms, .. } = message;
        match news::of_message(message_type, *schema_version, payload, *recorded_at_ms) {
            Ok(news) => {
                for piece in &news {
                    tell(tx, message, piece)?;
                }
                Ok(Applied::Done)
            }
            Err(error) => Ok(Applied::NotUnderstood { reason: error.to_string() }),
        }
    }
}

/// One piece of news to everybody it concerns. A person who is told more than one thing by a message is told the
/// first, which is the graver one.
fn tell(tx: &WriteTx<'_>, message: &Received, news: &News) -> rusqlite::Result<()> {
    let recipients = match asks_for(&news.kind) {
        Some(permission) => who_may(tx, &permission)?,
        None => news.about.clone().into_iter().collect(),
    };
    for user_id in recipients {
        tell_one(tx, message, news, &user_id)?;
    }
    Ok(())
}

fn tell_one(tx: &WriteTx<'_>, message: &Received, news: &News, user_id: &UserId) -> rusqlite::Result<()> {
    let id = NoticeId(new_id());
    let new = notice::New {
        id: &id,
        event_id: &message.event_id,
        user_id,
        kind: &news.kind,
        details: &news.details,
        happened_at_ms: message.recorded_at_ms,
    };
    if !notice::insert(tx, &new, tx.wall_ms())? {
        return Ok(());
    }
    let one_waits = repeats_itself(&news.kind) && notice::one_waits(tx, user_id, &news.kind)?;
    let mut is_sent = false;
    for channel in NoticeChannel::KNOWN {
        let delivery = if message.actor.as_ref() == Some(user_id) {
            Delivery::OwnDoing
        } else if one_waits {
            Delivery::OneWaits
        } else if preference::is_wanted(tx, user_id, &news.kind, channel)? {
            is_sent = true;
            Delivery::Sent
        } else {
            Delivery::NotWanted
        };
        ledger::insert(tx, &id, channel, delivery, tx.wall_ms())?;
    }
    notice::forget_old(tx, user_id)?;
    if is_sent { told(tx, "NoticeArrived", user_id) } else { Ok(()) }
}

/// Kinds of which a second one says nothing new while the first is unread: what fails is tried again by itself.
fn repeats_itself(kind: &NoticeKind) -> bool {
    match kind {
        NoticeKind::BackupFailed => true,
        NoticeKind::Judged
        | NoticeKind::JudgedLate
        | NoticeKind::VerdictChanged
        | NoticeKind::JudgingCancelled
        | NoticeKind::NeedsAttention
        | NoticeKind::Unknown(_) => false,
    }
}
