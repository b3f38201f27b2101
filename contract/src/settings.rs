//! Preferences of a person and the session they act in.

use serde::{Deserialize, Serialize};

use crate::ids::UserId;
use crate::permission::Permission;
use crate::wire_enum::wire_enum;

wire_enum! {
    /// Colour theme.
    Theme { System = "system", Light = "light", Dark = "dark" }
}

wire_enum! {
    /// Roles a person may hold.
    Role {
        Contestant = "contestant",
        Coach = "coach",
        Jury = "jury",
        Admin = "admin",
    }
}

/// What a person set for themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preferences {
    pub theme: Theme,
    /// `en`, `zh`, `ja`, or `system`.
    pub locale: String,
    /// The language the editor opens with; empty until chosen.
    pub default_language: String,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { theme: Theme::System, locale: "system".to_owned(), default_language: String::new() }
    }
}

/// Who is acting, as the host's session says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionView {
    pub user_id: UserId,
    pub display_name: String,
    /// The login name when an account logged in; `None` for the local profile, which needs no log-in.
    #[serde(default)]
    pub account_name: Option<String>,
    pub roles: Vec<Role>,
    /// What the roles permit, so that the interface shows only what would be allowed.
    #[serde(default)]
    pub permissions: Vec<Permission>,
    pub preferences: Preferences,
}
