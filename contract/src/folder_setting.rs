//! Settings of the data folder: what everybody on it is bound by, unlike a person's preferences.

use serde::{Deserialize, Serialize};

/// A setting that this program knows. All of them are whole numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderSettingView {
    /// E.g. `judge.workers`; the unit is the name's last part where there is one.
    pub name: String,
    /// What somebody set; `None`: the default holds.
    pub value: Option<i64>,
    /// `None`: the program chooses by the machine.
    pub default: Option<i64>,
    pub min: i64,
    pub max: i64,
    /// Whether a change waits for the next start.
    pub needs_restart: bool,
}

/// Needs `manage_modules`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GetSettings {}

/// Needs `manage_modules`. An unknown name is refused, and so is a value out of bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetSetting {
    pub name: String,
    /// `None`: back to the default.
    pub value: Option<i64>,
}
