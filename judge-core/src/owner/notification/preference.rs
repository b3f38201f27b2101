//! Table of preferences: what a person wants to hear of, where; only what differs from the default is stored.

use agon_contract::ids::UserId;
use agon_contract::notice::{NoticeChannel, NoticeKind, NoticePreference};
use agon_contract::settings::Role;
use rusqlite::{Connection, OptionalExtension, params};

use super::recipients::asks_for;
use crate::domain::permission::role_permits;

pub(super) const SCHEMA: &str = "
CREATE TABLE notification_preference (
    user_id       TEXT NOT NULL CHECK (user_id <> ''),
    kind          TEXT NOT NULL CHECK (kind <> ''),
    channel       TEXT NOT NULL CHECK (channel <> ''),
    is_wanted     INTEGER NOT NULL CHECK (is_wanted IN (0, 1)),
    updated_at_ms INTEGER NOT NULL,
    PRIMARY KEY (user_id, kind, channel)
) STRICT, WITHOUT ROWID;
";

/// What holds until somebody says otherwise: whoever looks at the submission sees its first verdict there.
fn is_wanted_by_default(kind: &NoticeKind) -> bool {
    match kind {
        NoticeKind::Judged | NoticeKind::Unknown(_) => false,
        NoticeKind::JudgedLate
        | NoticeKind::VerdictChanged
        | NoticeKind::JudgingCancelled
        | NoticeKind::NeedsAttention
        | NoticeKind::BackupFailed => true,
    }
}

pub(super) fn is_wanted(
    connection: &Connection,
    user_id: &UserId,
    kind: &NoticeKind,
    channel: &NoticeChannel,
) -> rusqlite::Result<bool> {
    let set: Option<bool> = connection
        .prepare_cached(
            "SELECT is_wanted FROM notification_preference WHERE user_id = ?1 AND kind = ?2 AND channel = ?3",
        )?
        .query_row(params![user_id.as_str(), kind.as_str(), channel.as_str()], |row| row.get(0))
        .optional()?;
    Ok(set.unwrap_or_else(|| is_wanted_by_default(kind)))
}

/// Every kind that can reach somebody with these roles, on every channel, in the contract's order.
pub(super) fn all(
    connection: &Connection,
    user_id: &UserId,
    roles: &[Role],
) -> rusqlite::Result<Vec<NoticePreference>> {
    let reaches = |kind: &&NoticeKind| {
        asks_for(kind).is_none_or(|permission| roles.iter().any(|role| role_permits(role, &permission)))
    };
    let mut rows = Vec::new();
    for kind in NoticeKind::KNOWN.iter().filter(reaches) {
        for channel in NoticeChannel::KNOWN {
            let is_wanted = is_wanted(connection, user_id, kind, channel)?;
            rows.push(NoticePreference { kind: kind.clone(), channel: channel.clone(), is_wanted });
        }
    }
    Ok(rows)
}

pub(super) fn set(
    connection: &Connection,
    user_id: &UserId,
    changes: &[NoticePreference],
    now_ms: i64,
) -> rusqlite::Result<()> {
    let mut upsert = connection.prepare_cached(
        "INSERT INTO notification_preference (user_id, kind, channel, is_wanted, updated_at_ms)
         VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (user_id, kind, channel) DO UPDATE SET is_wanted = excluded.is_wanted,
             updated_at_ms = excluded.updated_at_ms",
    )?;
    for NoticePreference { kind, channel, is_wanted } in changes {
        upsert.execute(params![user_id.as_str(), kind.as_str(), channel.as_str(), is_wanted, now_ms])?;
    }
    Ok(())
}
