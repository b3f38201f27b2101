//! Table of deliveries: what became of each notice on each channel.

use agon_contract::ids::NoticeId;
use agon_contract::notice::NoticeChannel;
use rusqlite::{Connection, params};

pub(super) const SCHEMA: &str = "
CREATE TABLE notification_delivery (
    notice_id     TEXT NOT NULL REFERENCES notification_notice (id) ON DELETE CASCADE,
    channel       TEXT NOT NULL CHECK (channel <> ''),
    state         TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'failed', 'suppressed')),
    reason        TEXT NOT NULL DEFAULT '',
    updated_at_ms INTEGER NOT NULL,
    PRIMARY KEY (notice_id, channel),
    CHECK ((state IN ('failed', 'suppressed')) = (reason <> ''))
) STRICT, WITHOUT ROWID;
CREATE INDEX notification_delivery_open ON notification_delivery (channel) WHERE state = 'pending';
";

/// What becomes of a notice on a channel, decided when it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    /// It is in the list.
    Sent,
    /// Its person does not want this kind here.
    NotWanted,
    /// Its person did it.
    OwnDoing,
    /// Another one of a kind that repeats itself waits to be read.
    OneWaits,
}

impl Delivery {
    pub(super) fn state(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::NotWanted | Self::OwnDoing | Self::OneWaits => "suppressed",
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Self::Sent => "",
            Self::NotWanted => "preference",
            Self::OwnDoing => "own_doing",
            Self::OneWaits => "one_waits",
        }
    }
}

pub(super) fn insert(
    connection: &Connection,
    notice: &NoticeId,
    channel: &NoticeChannel,
    delivery: Delivery,
    now_ms: i64,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO notification_delivery (notice_id, channel, state, reason, updated_at_ms)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![notice.as_str(), channel.as_str(), delivery.state(), delivery.reason(), now_ms])?;
    Ok(())
}
