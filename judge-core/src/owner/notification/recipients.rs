//! Who is told: the person concerned, or everybody whose roles permit to do something about it.

use agon_contract::ids::UserId;
use agon_contract::notice::NoticeKind;
use agon_contract::permission::Permission;
use agon_contract::settings::Role;
use rusqlite::Connection;

use crate::domain::permission::role_permits;
use crate::store::text;

/// The permission that makes a notice somebody's business; `None`: it goes to the person it is about.
pub(super) fn asks_for(kind: &NoticeKind) -> Option<Permission> {
    match kind {
        NoticeKind::NeedsAttention => Some(Permission::Rejudge),
        NoticeKind::BackupFailed => Some(Permission::ManageBackups),
        NoticeKind::Judged
        | NoticeKind::JudgedLate
        | NoticeKind::VerdictChanged
        | NoticeKind::JudgingCancelled
        | NoticeKind::Unknown(_) => None,
    }
}

/// Everybody who has the permission now, disabled accounts left out. Reads the view that `auth` publishes.
pub(super) fn who_may(connection: &Connection, permission: &Permission) -> rusqlite::Result<Vec<UserId>> {
    let mut statement = connection.prepare_cached("SELECT user_id, role FROM auth_pub_role ORDER BY user_id")?;
    let rows = statement.query_map([], |row| Ok((text::<UserId>(row, "user_id")?, text::<Role>(row, "role")?)))?;
    let mut found = Vec::new();
    for row in rows {
        let (user_id, role) = row?;
        if role_permits(&role, permission) && found.last() != Some(&user_id) {
            found.push(user_id);
        }
    }
    Ok(found)
}
