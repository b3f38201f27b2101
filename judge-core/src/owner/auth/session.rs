//! Table of sessions: who came in, until when, and why it ended.
//!
//! A session lives while all hold: not ended; a request within [`IDLE`]; begun within [`LONGEST`]; its account is
//! enabled. Times are wall times, because sessions outlive the process: a clock that steps back prolongs a session by
//! the step, and one that lies more than [`STEP_TOLERATED`] in the future ends it.

use std::fmt::Write as _;
use std::time::Duration;

use agon_contract::account::OpenSession;
use agon_contract::ids::{SessionId, UserId};
use rusqlite::{Connection, OptionalExtension, named_params, params};
use sha2::{Digest, Sha256};

use super::password::{PasswordError, random};
use crate::store::text;

pub(super) const SCHEMA: &str = "
CREATE TABLE auth_session (
    id                 TEXT PRIMARY KEY CHECK (length(id) = 36),
    token_hash         TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),
    user_id            TEXT NOT NULL REFERENCES auth_account (user_id),
    peer               TEXT NOT NULL,
    created_at_ms      INTEGER NOT NULL,
    last_seen_at_ms    INTEGER NOT NULL,
    idle_expires_at_ms INTEGER NOT NULL,
    expires_at_ms      INTEGER NOT NULL CHECK (expires_at_ms > created_at_ms),
    ended_at_ms        INTEGER,
    end_reason         TEXT CHECK (end_reason IN ('log_out', 'replaced', 'password', 'disabled', 'staff', 'too_many')),
    CHECK ((ended_at_ms IS NULL) = (end_reason IS NULL))
) STRICT;
CREATE INDEX auth_session_of_user ON auth_session (user_id, created_at_ms);
";

/// Without a request for this long a session ends: a contest day, and not the night after it.
pub(super) const IDLE: Duration = Duration::from_secs(12 * 3600);
/// However busy it is, a session ends after this long.
pub(super) const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);
/// A session that began further in the future than this is not believed.
pub(super) const STEP_TOLERATED: Duration = Duration::from_secs(24 * 3600);
/// `last_seen` is written at most this often, so that a request costs no commit.
pub(super) const TOUCH_EVERY: Duration = Duration::from_secs(60);
/// Sessions of one account at one time; the oldest ends when one more begins.
pub(super) const OF_ONE_ACCOUNT_MAX: u32 = 16;
/// Ended sessions are kept this long for questions about who was where.
const KEPT_AFTER_END: Duration = Duration::from_secs(90 * 24 * 3600);

/// 256 random bits in hexadecimal: nobody guesses it, and only its hash is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionToken(String);

impl SessionToken {
    pub(super) fn new() -> Result<Self, PasswordError> {
        Ok(Self(hexadecimal(&random::<32>()?)))
    }

    /// The text that the browser keeps.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionToken(secret)")
    }
}

/// What the store knows of a token.
pub(super) fn hash_of(token: &str) -> String {
    hexadecimal(&Sha256::digest(token.as_bytes()))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        write!(text, "{byte:02x}").expect("text takes text");
        text
    })
}

/// Why a session ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    LogOut,
    /// The same browser logged in anew.
    Replaced,
    Password,
    Disabled,
    Staff,
    TooMany,
}

impl End {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::LogOut => "log_out",
            Self::Replaced => "replaced",
            Self::Password => "password",
            Self::Disabled => "disabled",
            Self::Staff => "staff",
            Self::TooMany => "too_many",
        }
    }
}

/// Conditions of a live session `s`; `:now` and `:believed` are bound.
const LIVE: &str =
    "s.ended_at_ms IS NULL AND s.idle_expires_at_ms > :now AND s.expires_at_ms > :now AND s.created_at_ms <= :believed";

/// A session that lives, found by its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Live {
    pub id: String,
    pub user_id: UserId,
    pub last_seen_at_ms: i64,
}

/// The live session of a token, of an enabled account.
pub(super) fn find(connection: &Connection, token_hash: &str, now_ms: i64) -> rusqlite::Result<Option<Live>> {
    let sql = format!(
        "SELECT s.id, s.user_id, s.last_seen_at_ms
         FROM auth_session s JOIN auth_account a ON a.user_id = s.user_id
         WHERE s.token_hash = :hash AND a.disabled_at_ms IS NULL AND {LIVE}"
    );
    connection
        .prepare_cached(&sql)?
        .query_row(named_params! { ":hash": token_hash, ":now": now_ms, ":believed": believed(now_ms) }, |row| {
            Ok(Live {
                id: row.get("id")?,
                user_id: text(row, "user_id")?,
                last_seen_at_ms: row.get("last_seen_at_ms")?,
            })
        })
        .optional()
}

/// Ends every session that stands as not ended; answers how many.
pub(super) fn end_everybodys(connection: &Connection, now_ms: i64) -> rusqlite::Result<usize> {
    connection
        .prepare("UPDATE auth_session SET ended_at_ms = ?1, end_reason = ?2 WHERE ended_at_ms IS NULL")?
        .execute(params![now_ms, End::Staff.as_str()])
}

pub(super) fn count_live(connection: &Connection, user_id: &UserId, now_ms: i64) -> rusqlite::Result<u32> {
    connection
        .prepare_cached(&format!("SELECT count(*) FROM auth_session s WHERE s.user_id = :user AND {LIVE}"))?
        .query_row(named_params! { ":user": user_id.as_str(), ":now": now_ms, ":believed": believed(now_ms) }, |row| {
            row.get(0)
        })
}

/// A session about to begin.
#[derive(Clone, Debug)]
pub(super) struct New<'a> {
    pub id: &'a str,
    pub token_hash: &'a str,
    pub user_id: &'a UserId,
    /// Where the request came from, for questions later.
    pub peer: &'a str,
}

pub(super) fn insert(connection: &Connection, new: &New<'_>, now_ms: i64) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO auth_session (id, token_hash, user_id, peer, created_at_ms, last_seen_at_ms, idle_expires_at_ms,
                                   expires_at_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7)",
        params![
            new.id,
            new.token_hash,
            new.user_id.as_str(),
            new.peer,
            now_ms,
            now_ms + millis(IDLE),
            now_ms + millis(LONGEST)
        ],
    )?;
    Ok(())
}

/// Slides the idle end; a session that ended meanwhile stays ended.
pub(super) fn touch(connection: &Connection, id: &str, now_ms: i64) -> rusqlite::Result<()> {
    connection.execute(
        "UPDATE auth_session SET last_seen_at_ms = ?2, idle_expires_at_ms = ?3 WHERE id = ?1 AND ended_at_ms IS NULL",
        params![id, now_ms, now_ms + millis(IDLE)],
    )?;
    Ok(())
}

/// Ends the session of a token; answers whose it was, if it was open.
pub(super) fn end(
    connection: &Connection,
    token_hash: &str,
    why: End,
    now_ms: i64,
) -> rusqlite::Result<Option<UserId>> {
    connection
        .prepare_cached(
            "UPDATE auth_session SET ended_at_ms = ?3, end_reason = ?2
             WHERE token_hash = ?1 AND ended_at_ms IS NULL RETURNING user_id",
        )?
        .query_row(params![token_hash, why.as_str(), now_ms], |row| text(row, "user_id"))
        .optional()
}

/// The live sessions of a user, newest first.
pub(super) fn live_of(connection: &Connection, user_id: &UserId, now_ms: i64) -> rusqlite::Result<Vec<OpenSession>> {
    connection
        .prepare_cached(&format!(
            "SELECT s.id, s.peer, s.created_at_ms, s.last_seen_at_ms FROM auth_session s
             WHERE s.user_id = :user AND {LIVE} ORDER BY s.created_at_ms DESC, s.id DESC"
        ))?
        .query_map(named_params! { ":user": user_id.as_str(), ":now": now_ms, ":believed": believed(now_ms) }, |row| {
            Ok(OpenSession {
                id: text(row, "id")?,
                peer: row.get("peer")?,
                created_at_ms: row.get("created_at_ms")?,
                last_seen_at_ms: row.get("last_seen_at_ms")?,
            })
        })?
        .collect()
}

/// Whose a session is that has not been ended. One that is past its time counts: a clock that steps back revives it.
pub(super) fn open_ones_user(connection: &Connection, id: &SessionId) -> rusqlite::Result<Option<UserId>> {
    connection
        .prepare_cached("SELECT user_id FROM auth_session WHERE id = ?1 AND ended_at_ms IS NULL")?
        .query_row([id.as_str()], |row| text(row, "user_id"))
        .optional()
}

/// Ends the session with this id, if it is open.
pub(super) fn end_one(connection: &Connection, id: &SessionId, why: End, now_ms: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE auth_session SET ended_at_ms = ?3, end_reason = ?2 WHERE id = ?1 AND ended_at_ms IS NULL",
        )?
        .execute(params![id.as_str(), why.as_str(), now_ms])?;
    Ok(())
}

/// Ends every open session of a user; answers how many.
pub(super) fn end_all(connection: &Connection, user_id: &UserId, why: End, now_ms: i64) -> rusqlite::Result<u32> {
    let ended = connection.execute(
        "UPDATE auth_session SET ended_at_ms = ?3, end_reason = ?2 WHERE user_id = ?1 AND ended_at_ms IS NULL",
        params![user_id.as_str(), why.as_str(), now_ms],
    )?;
    Ok(u32::try_from(ended).unwrap_or(u32::MAX))
}

/// Leaves room for one more session of a user, and forgets sessions of long ago.
pub(super) fn make_room(connection: &Connection, user_id: &UserId, now_ms: i64) -> rusqlite::Result<()> {
    connection.execute(
        "UPDATE auth_session SET ended_at_ms = ?2, end_reason = ?4
         WHERE id IN (SELECT id FROM auth_session WHERE user_id = ?1 AND ended_at_ms IS NULL
                      ORDER BY last_seen_at_ms DESC, id DESC LIMIT -1 OFFSET ?3)",
        params![user_id.as_str(), now_ms, OF_ONE_ACCOUNT_MAX - 1, End::TooMany.as_str()],
    )?;
    connection.execute(
        "DELETE FROM auth_session WHERE min(coalesce(ended_at_ms, expires_at_ms), expires_at_ms) < ?1",
        [now_ms - millis(KEPT_AFTER_END)],
    )?;
    Ok(())
}

fn believed(now_ms: i64) -> i64 {
    now_ms.saturating_add(millis(STEP_TOLERATED))
}

pub(super) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
