//! Table of notices: one per person and message.

use agon_contract::ids::{NoticeId, UserId};
use agon_contract::notice::{NoticeChannel, NoticeDetails, NoticeKind, NoticeView};
use rusqlite::{Connection, Row, named_params, params};

use super::ledger::Delivery;
use crate::store::{decode, json, text};

pub(super) const SCHEMA: &str = "
CREATE TABLE notification_notice (
    id             TEXT PRIMARY KEY CHECK (length(id) = 36),
    event_id       TEXT NOT NULL CHECK (length(event_id) = 36),
    user_id        TEXT NOT NULL CHECK (user_id <> ''),
    kind           TEXT NOT NULL CHECK (kind <> ''),
    details        TEXT NOT NULL CHECK (json_valid(details)),
    happened_at_ms INTEGER NOT NULL,
    created_at_ms  INTEGER NOT NULL,
    read_at_ms     INTEGER,
    UNIQUE (event_id, user_id)
) STRICT;
CREATE INDEX notification_notice_of_user ON notification_notice (user_id, id);
CREATE INDEX notification_notice_unread ON notification_notice (user_id) WHERE read_at_ms IS NULL;
";

/// Notices of one person that are kept: far more than anybody scrolls through.
pub(super) const KEPT: u32 = 1_000;

/// A notice about to be written.
#[derive(Clone, Debug)]
pub(super) struct New<'a> {
    pub id: &'a NoticeId,
    /// Of the message that it was made from.
    pub event_id: &'a str,
    pub user_id: &'a UserId,
    pub kind: &'a NoticeKind,
    pub details: &'a NoticeDetails,
    pub happened_at_ms: i64,
}

/// Writes a notice; false when this person was told of this message before.
pub(super) fn insert(connection: &Connection, new: &New<'_>, now_ms: i64) -> rusqlite::Result<bool> {
    let rows = connection
        .prepare_cached(
            "INSERT INTO notification_notice (id, event_id, user_id, kind, details, happened_at_ms, created_at_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (event_id, user_id) DO NOTHING",
        )?
        .execute(params![
            new.id.as_str(),
            new.event_id,
            new.user_id.as_str(),
            new.kind.as_str(),
            json(new.details),
            new.happened_at_ms,
            now_ms
        ])?;
    Ok(rows == 1)
}

/// Removes what is older than the newest [`KEPT`] of a person, with its deliveries.
pub(super) fn forget_old(connection: &Connection, user_id: &UserId) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "DELETE FROM notification_notice
             WHERE user_id = ?1
               AND id <= (SELECT id FROM notification_notice WHERE user_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
        )?
        .execute(params![user_id.as_str(), KEPT])?;
    Ok(())
}

/// What reached the person in the app. `:channel` and `:sent` are bound.
const SHOWN: &str = "EXISTS (SELECT 1 FROM notification_delivery d
                             WHERE d.notice_id = n.id AND d.channel = :channel AND d.state = :sent)";

pub(super) fn shown(
    connection: &Connection,
    user_id: &UserId,
    before: Option<&NoticeId>,
    limit: u32,
) -> rusqlite::Result<Vec<NoticeView>> {
    connection
        .prepare_cached(&format!(
            "SELECT n.* FROM notification_notice n
             WHERE n.user_id = :user AND (:before IS NULL OR n.id < :before) AND {SHOWN}
             ORDER BY n.id DESC LIMIT :limit"
        ))?
        .query_map(
            named_params! {
                ":user": user_id.as_str(),
                ":before": before.map(NoticeId::as_str),
                ":channel": NoticeChannel::InApp.as_str(),
                ":sent": Delivery::Sent.state(),
                ":limit": limit,
            },
            view,
        )?
        .collect()
}

pub(super) fn unread(connection: &Connection, user_id: &UserId) -> rusqlite::Result<u32> {
    connection
        .prepare_cached(&format!(
            "SELECT count(*) FROM notification_notice n WHERE n.user_id = :user AND n.read_at_ms IS NULL AND {SHOWN}"
        ))?
        .query_row(
            named_params! {
                ":user": user_id.as_str(),
                ":channel": NoticeChannel::InApp.as_str(),
                ":sent": Delivery::Sent.state(),
            },
            |row| row.get(0),
        )
}

/// Whether a notice of the kind that reached the person in the app is unread.
pub(super) fn one_waits(connection: &Connection, user_id: &UserId, kind: &NoticeKind) -> rusqlite::Result<bool> {
    connection
        .prepare_cached(&format!(
            "SELECT EXISTS (SELECT 1 FROM notification_notice n
                            WHERE n.user_id = :user AND n.read_at_ms IS NULL AND n.kind = :kind AND {SHOWN})"
        ))?
        .query_row(
            named_params! {
                ":user": user_id.as_str(),
                ":kind": kind.as_str(),
                ":channel": NoticeChannel::InApp.as_str(),
                ":sent": Delivery::Sent.state(),
            },
            |row| row.get(0),
        )
}

/// Answers how many were unread and are read now.
pub(super) fn mark_read(
    connection: &Connection,
    user_id: &UserId,
    ids: &[NoticeId],
    up_to: Option<&NoticeId>,
    now_ms: i64,
) -> rusqlite::Result<usize> {
    let mut marked = 0;
    let mut one = connection.prepare_cached(
        "UPDATE notification_notice SET read_at_ms = ?3 WHERE user_id = ?1 AND id = ?2 AND read_at_ms IS NULL",
    )?;
    for id in ids {
        marked += one.execute(params![user_id.as_str(), id.as_str(), now_ms])?;
    }
    if let Some(up_to) = up_to {
        marked += connection
            .prepare_cached(
                "UPDATE notification_notice SET read_at_ms = ?3 WHERE user_id = ?1 AND id <= ?2 AND read_at_ms IS NULL",
            )?
            .execute(params![user_id.as_str(), up_to.as_str(), now_ms])?;
    }
    Ok(marked)
}

fn view(row: &Row<'_>) -> rusqlite::Result<NoticeView> {
    Ok(NoticeView {
        id: text(row, "id")?,
        kind: text(row, "kind")?,
        details: decode(row, "details")?,
        happened_at_ms: row.get("happened_at_ms")?,
        is_read: row.get::<_, Option<i64>>("read_at_ms")?.is_some(),
    })
}
