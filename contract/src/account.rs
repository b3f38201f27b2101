//! Accounts of a hall: logging in and out, and what staff do with accounts.

use serde::{Deserialize, Serialize};

use crate::ids::{SessionId, UserId};
use crate::settings::Role;

/// A password on its way. It can be sent and read, and never appears in a log or a panic.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("(secret)")
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// Begins a session of an account. Any session that the same browser had ends.
///
/// Unknown name and wrong password are one answer: `unauthenticated`. A right password of a disabled account is
/// `forbidden`; after too many failures `too_many_attempts` says when to try again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogIn {
    /// The login name; upper and lower case are the same.
    pub name: String,
    pub password: Secret,
}

/// Ends the session in which it is said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogOut {}

/// Accounts by login name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListAccounts {
    /// Only the account with this login name, in any spelling.
    #[serde(default)]
    pub name: Option<String>,
    /// Accounts after this login name; `None` for the first.
    pub after_name: Option<String>,
    /// 1 to 500.
    pub limit: u32,
}

/// A page of accounts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountPage {
    pub rows: Vec<AccountView>,
    /// Pass as `after_name` for the next page; `None` at the end.
    pub next_after_name: Option<String>,
}

/// An account as staff see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountView {
    pub user_id: UserId,
    /// The login name as it was given.
    pub name: String,
    pub display_name: String,
    pub roles: Vec<Role>,
    pub is_disabled: bool,
    pub created_at_ms: i64,
    /// When one of its sessions was last used (to the minute); `None` before the first log-in.
    pub last_seen_at_ms: Option<i64>,
    /// Sessions that live now.
    pub open_sessions: u32,
}

/// Makes an account. A name that is taken, in any case or spelling, is a `conflict`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreateAccount {
    /// 1 to 64 characters: letters and digits of one script (Latin goes with Chinese, Japanese and Korean), `.`, `-`, `_`.
    pub name: String,
    /// 1 to 100 characters, as people read it.
    pub display_name: String,
    pub roles: Vec<Role>,
    /// At least 8 characters, at most 1,024 bytes.
    pub password: Secret,
}

/// Sets a password and ends every session of the account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetPassword {
    /// `None`: one's own. Somebody else's needs the permission `manage_accounts`.
    pub user_id: Option<UserId>,
    /// Needed for one's own; not read otherwise.
    pub old_password: Option<Secret>,
    pub new_password: Secret,
}

/// Replaces the roles of an account; they hold from the next request on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetRoles {
    pub user_id: UserId,
    pub roles: Vec<Role>,
}

/// Disables an account and ends its sessions at once, or enables it again. What it handed in stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisableAccount {
    pub user_id: UserId,
    /// `false` enables it again.
    pub is_disabled: bool,
}

/// Ends every session of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndSessions {
    /// `None`: one's own. Somebody else's needs the permission `manage_accounts`.
    pub user_id: Option<UserId>,
}

/// The sessions of an account that live now, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListSessions {
    /// `None`: one's own. Somebody else's needs the permission `manage_accounts`.
    pub user_id: Option<UserId>,
}

/// A session that lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenSession {
    /// Names the session; it opens nothing.
    pub id: SessionId,
    /// Where the log-in came from.
    pub peer: String,
    pub created_at_ms: i64,
    /// When it was last used (to the minute).
    pub last_seen_at_ms: i64,
}

/// Ends one session: one's own (the one in which it is said too), or with `manage_accounts` anybody's. To others it
/// does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndSession {
    pub session_id: SessionId,
}

/// How many sessions ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionsEnded {
    pub ended: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_crosses_the_wire_and_never_a_log() {
        let request = LogIn { name: "ann".into(), password: "open sesame".into() };
        let json = serde_json::to_string(&request).expect("text");
        assert_eq!(json, r#"{"name":"ann","password":"open sesame"}"#);
        assert_eq!(serde_json::from_str::<LogIn>(&json).expect("readable"), request);
        assert!(!format!("{request:?}").contains("sesame"));
    }
}
