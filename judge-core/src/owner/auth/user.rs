//! Tables of people: users, the roles they hold, their preferences.

use agon_contract::ids::UserId;
use agon_contract::settings::{Preferences, Role};
use rusqlite::{Connection, OptionalExtension, params};

use crate::store::text;

pub(super) const SCHEMA: &str = "
CREATE TABLE auth_user (
    id            TEXT PRIMARY KEY CHECK (length(id) = 36),
    kind          TEXT NOT NULL CHECK (kind IN ('local', 'account')),
    display_name  TEXT NOT NULL CHECK (display_name <> ''),
    created_at_ms INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX auth_user_one_local ON auth_user (kind) WHERE kind = 'local';
CREATE TABLE auth_user_role (
    user_id TEXT NOT NULL REFERENCES auth_user (id),
    role    TEXT NOT NULL CHECK (role IN ('contestant', 'coach', 'jury', 'admin')),
    PRIMARY KEY (user_id, role)
) STRICT, WITHOUT ROWID;
CREATE TABLE auth_preference (
    user_id          TEXT PRIMARY KEY REFERENCES auth_user (id),
    theme            TEXT NOT NULL CHECK (theme IN ('system', 'light', 'dark')),
    locale           TEXT NOT NULL CHECK (locale <> ''),
    default_language TEXT NOT NULL,
    updated_at_ms    INTEGER NOT NULL
) STRICT;
";

pub(super) fn local_profile(connection: &Connection) -> rusqlite::Result<Option<UserId>> {
    connection.query_row("SELECT id FROM auth_user WHERE kind = 'local'", [], |row| Ok(UserId(row.get(0)?))).optional()
}

pub(super) fn insert_local(connection: &Connection, id: &UserId, name: &str, now_ms: i64) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO auth_user (id, kind, display_name, created_at_ms) VALUES (?1, 'local', ?2, ?3)",
        params![id.as_str(), name, now_ms],
    )?;
    Ok(())
}

pub(super) fn insert_account(connection: &Connection, id: &UserId, name: &str, now_ms: i64) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO auth_user (id, kind, display_name, created_at_ms) VALUES (?1, 'account', ?2, ?3)",
        params![id.as_str(), name, now_ms],
    )?;
    Ok(())
}

/// Replaces the roles of an account.
pub(super) fn set_roles(connection: &Connection, id: &UserId, roles: &[Role]) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM auth_user_role WHERE user_id = ?1", [id.as_str()])?;
    roles.iter().try_for_each(|role| grant(connection, id, role))
}

pub(super) fn grant(connection: &Connection, id: &UserId, role: &Role) -> rusqlite::Result<()> {
    connection
        .execute("INSERT INTO auth_user_role (user_id, role) VALUES (?1, ?2)", params![id.as_str(), role.as_str()])?;
    Ok(())
}

pub(super) fn roles(connection: &Connection, id: &UserId) -> rusqlite::Result<Vec<Role>> {
    connection
        .prepare_cached("SELECT role FROM auth_user_role WHERE user_id = ?1 ORDER BY role")?
        .query_map([id.as_str()], |row| text(row, "role"))?
        .collect()
}

pub(super) fn display_name(connection: &Connection, id: &UserId) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached("SELECT display_name FROM auth_user WHERE id = ?1")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()
}

pub(super) fn preferences(connection: &Connection, id: &UserId) -> rusqlite::Result<Option<Preferences>> {
    connection
        .prepare_cached("SELECT theme, locale, default_language FROM auth_preference WHERE user_id = ?1")?
        .query_row([id.as_str()], |row| {
            Ok(Preferences {
                theme: text(row, "theme")?,
                locale: row.get("locale")?,
                default_language: row.get("default_language")?,
            })
        })
        .optional()
}

pub(super) fn set_preferences(
    connection: &Connection,
    id: &UserId,
    preferences: &Preferences,
    now_ms: i64,
) -> rusqlite::Result<()> {
    connection.execute(
        "INSERT INTO auth_preference (user_id, theme, locale, default_language, updated_at_ms)
         VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (user_id) DO UPDATE SET theme = excluded.theme, locale = excluded.locale,
             default_language = excluded.default_language, updated_at_ms = excluded.updated_at_ms",
        params![id.as_str(), preferences.theme.as_str(), preferences.locale, preferences.default_language, now_ms],
    )?;
    Ok(())
}
