//! Tables of accounts: login names and the hashes of passwords.

use agon_contract::account::AccountView;
use agon_contract::ids::UserId;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};

use super::name::LoginName;
use super::session;
use super::user;
use crate::store::text;

pub(super) const SCHEMA: &str = "
CREATE TABLE auth_account (
    user_id        TEXT PRIMARY KEY REFERENCES auth_user (id),
    login_name     TEXT NOT NULL CHECK (login_name <> ''),
    login_key      TEXT NOT NULL UNIQUE CHECK (login_key <> ''),
    disabled_at_ms INTEGER
) STRICT;
CREATE TABLE auth_credential (
    user_id       TEXT PRIMARY KEY REFERENCES auth_account (user_id),
    phc           TEXT NOT NULL CHECK (phc LIKE '$argon2id$%'),
    changed_at_ms INTEGER NOT NULL
) STRICT;
";

/// What other owners may read: who holds which role now; nobody whose account is disabled.
pub(super) const PUBLISHED: &str = "
CREATE VIEW auth_pub_role AS
SELECT r.user_id, r.role FROM auth_user_role r LEFT JOIN auth_account a ON a.user_id = r.user_id
WHERE a.disabled_at_ms IS NULL;
";

/// What a log-in needs to know of an account.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub user_id: UserId,
    pub login_key: String,
    pub is_disabled: bool,
    pub phc: String,
}

const KNOWN: &str = "
SELECT a.user_id, a.login_key, a.disabled_at_ms IS NOT NULL AS is_disabled, c.phc
FROM auth_account a JOIN auth_credential c ON c.user_id = a.user_id
";

pub(super) fn by_key(connection: &Connection, login_key: &str) -> rusqlite::Result<Option<Known>> {
    let sql = format!("{KNOWN} WHERE a.login_key = ?1");
    connection.prepare_cached(&sql)?.query_row([login_key], known).optional()
}

pub(super) fn by_user(connection: &Connection, id: &UserId) -> rusqlite::Result<Option<Known>> {
    let sql = format!("{KNOWN} WHERE a.user_id = ?1");
    connection.prepare_cached(&sql)?.query_row([id.as_str()], known).optional()
}

fn known(row: &Row<'_>) -> rusqlite::Result<Known> {
    Ok(Known {
        user_id: text(row, "user_id")?,
        login_key: row.get("login_key")?,
        is_disabled: row.get("is_disabled")?,
        phc: row.get("phc")?,
    })
}

pub(super) fn name(connection: &Connection, id: &UserId) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached("SELECT login_name FROM auth_account WHERE user_id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()
}

pub(super) fn any(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT EXISTS (SELECT 1 FROM auth_account)", [], |row| row.get(0))
}

pub(super) fn count(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("SELECT count(*) FROM auth_account", [], |row| row.get(0))
}

pub(super) fn insert(
    connection: &Connection,
    id: &UserId,
    name: &LoginName,
    phc: &str,
    now_ms: i64,
) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO auth_account (user_id, login_name, login_key) VALUES (?1, ?2, ?3)",
        params![id.as_str(), name.text, name.key],
    )?;
    connection.execute(
        "INSERT INTO auth_credential (user_id, phc, changed_at_ms) VALUES (?1, ?2, ?3)",
        params![id.as_str(), phc, now_ms],
    )?;
    Ok(())
}

/// Replaces the hash that is stored if it is still `before`; false when somebody else changed it meanwhile.
pub(super) fn replace_hash(
    connection: &Connection,
    id: &UserId,
    before: &str,
    phc: &str,
    now_ms: i64,
) -> rusqlite::Result<bool> {
    let changed = connection.execute(
        "UPDATE auth_credential SET phc = ?3, changed_at_ms = ?4 WHERE user_id = ?1 AND phc = ?2",
        params![id.as_str(), before, phc, now_ms],
    )?;
    Ok(changed == 1)
}

/// Sets the hash whatever it was; false when there is no such account.
pub(super) fn set_hash(connection: &Connection, id: &UserId, phc: &str, now_ms: i64) -> rusqlite::Result<bool> {
    let changed = connection.execute(
        "UPDATE auth_credential SET phc = ?2, changed_at_ms = ?3 WHERE user_id = ?1",
        params![id.as_str(), phc, now_ms],
    )?;
    Ok(changed == 1)
}

/// Disables (with a time) or enables (with `None`); what is so already stays as it is.
pub(super) fn set_disabled(connection: &Connection, id: &UserId, since_ms: Option<i64>) -> rusqlite::Result<()> {
    connection.execute(
        "UPDATE auth_account SET disabled_at_ms = ?2
         WHERE user_id = ?1 AND (disabled_at_ms IS NULL) <> (?2 IS NULL)",
        params![id.as_str(), since_ms],
    )?;
    Ok(())
}

const VIEW: &str = "
SELECT a.user_id, a.login_name, a.disabled_at_ms IS NOT NULL AS is_disabled, u.display_name, u.created_at_ms,
       (SELECT max(s.last_seen_at_ms) FROM auth_session s WHERE s.user_id = a.user_id) AS last_seen_at_ms
FROM auth_account a JOIN auth_user u ON u.id = a.user_id
";

/// An account as staff see it; `None` when there is none.
pub(super) fn view(connection: &Connection, id: &UserId, now_ms: i64) -> rusqlite::Result<Option<AccountView>> {
    connection
        .prepare_cached(&format!("{VIEW} WHERE a.user_id = ?1"))?
        .query_row([id.as_str()], |row| read_view(connection, row, now_ms))
        .optional()
}

/// Accounts after a key, by key.
pub(super) fn views(
    connection: &Connection,
    after_key: &str,
    limit: u32,
    now_ms: i64,
) -> rusqlite::Result<Vec<AccountView>> {
    connection
        .prepare_cached(&format!("{VIEW} WHERE a.login_key > :after ORDER BY a.login_key LIMIT :limit"))?
        .query_map(named_params! { ":after": after_key, ":limit": limit }, |row| read_view(connection, row, now_ms))?
        .collect()
}

fn read_view(connection: &Connection, row: &Row<'_>, now_ms: i64) -> rusqlite::Result<AccountView> {
    let user_id: UserId = text(row, "user_id")?;
    Ok(AccountView {
        roles: user::roles(connection, &user_id)?,
        open_sessions: session::count_live(connection, &user_id, now_ms)?,
        user_id,
        name: row.get("login_name")?,
        display_name: row.get("display_name")?,
        is_disabled: row.get("is_disabled")?,
        created_at_ms: row.get("created_at_ms")?,
        last_seen_at_ms: row.get("last_seen_at_ms")?,
    })
}
