//! The settings that somebody may change by name: whole numbers with bounds.
//!
//! Optional services keep theirs through [`Admin::change_setting`]; what is not in this table or theirs is refused.

use agon_contract::audit::AuditAction;
use agon_contract::folder_setting::FolderSettingView;
use agon_contract::ids::UserId;
use agon_contract::{ApiError, ErrorCode};

use super::{Admin, setting};
use crate::delivery::audit_note::{self, AuditNote};
use crate::store::StoreError;

/// A setting, its bounds and what holds when nobody set it.
#[derive(Clone, Copy, Debug)]
struct Known {
    name: &'static str,
    default: Option<i64>,
    min: i64,
    max: i64,
    needs_restart: bool,
}

/// Submissions judged at one time; by default one less than the machine's cores.
const WORKERS: Known = Known { name: "judge.workers", default: None, min: 1, max: 256, needs_restart: true };
/// Hours between scheduled backups; 0: none are made.
const BACKUP_EVERY: Known =
    Known { name: "backup.every_hours", default: Some(0), min: 0, max: 720, needs_restart: false };
/// Scheduled backups kept.
const BACKUP_KEEP: Known = Known { name: "backup.keep", default: Some(7), min: 1, max: 1_000, needs_restart: false };
/// Days after which delivered messages and finished queue entries may go.
const MESSAGES_KEPT: Known =
    Known { name: "retention.message_days", default: Some(30), min: 1, max: 3_650, needs_restart: false };

const ALL: [Known; 4] = [WORKERS, BACKUP_EVERY, BACKUP_KEEP, MESSAGES_KEPT];

/// Why a setting was not changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingError {
    #[error("there is no setting `{name}`; known are {}", ALL.map(|known| known.name).join(", "))]
    Unknown { name: String },
    #[error("{name} takes a whole number from {min} to {max}, not {value}")]
    OutOfBounds { name: &'static str, min: i64, max: i64, value: i64 },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<SettingError> for ApiError {
    fn from(error: SettingError) -> Self {
        match error {
            SettingError::Unknown { .. } => ApiError::new(ErrorCode::NotFound, error.to_string()),
            SettingError::OutOfBounds { .. } => ApiError::new(ErrorCode::BadRequest, error.to_string()),
            SettingError::Store(error) => error.into(),
        }
    }
}

/// How backups are scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BackupSettings {
    /// `None`: no scheduled backups.
    pub every_hours: Option<u32>,
    pub keep: u32,
}

impl Admin {
    /// Every known setting with its value.
    pub(crate) async fn settings(&self) -> Result<Vec<FolderSettingView>, StoreError> {
        self.store
            .read("read the settings", |connection| {
                ALL.iter().map(|known| Ok(view(known, parsed(known, setting::get(connection, known.name)?)))).collect()
            })
            .await
    }

    /// Changes one and tells the audit log in the same commit.
    pub(crate) async fn set(
        &self,
        name: &str,
        value: Option<i64>,
        by: &UserId,
    ) -> Result<FolderSettingView, SettingError> {
        let known = ALL.iter().find(|known| known.name == name);
        let known = *known.ok_or_else(|| SettingError::Unknown { name: name.to_owned() })?;
        if let Some(value) = value.filter(|value| !(known.min..=known.max).contains(value)) {
            return Err(SettingError::OutOfBounds { name: known.name, min: known.min, max: known.max, value });
        }
        let by = by.clone();
        self.store
            .write("change a setting", move |tx| {
                let before = parsed(&known, setting::get(tx, known.name)?);
                match value {
                    Some(value) => setting::put(tx, known.name, &value.to_string(), tx.wall_ms())?,
                    None => setting::forget(tx, known.name)?,
                }
                let details = serde_json::json!({ "from": before, "to": value });
                let action = AuditAction::SettingChanged;
                audit_note::put(tx, &AuditNote { actor: Some(&by), action, object: known.name, details })?;
                Ok(view(&known, value))
            })
            .await
            .map_err(SettingError::Store)
    }

    /// The number of workers somebody set; `None` when nobody did or the value makes no sense.
    pub(crate) async fn workers(&self) -> Result<Option<usize>, StoreError> {
        let workers = self.number(WORKERS).await?;
        Ok(workers.and_then(|workers| usize::try_from(workers).ok()))
    }

    pub(crate) async fn backup_settings(&self) -> Result<BackupSettings, StoreError> {
        let every_hours = self.number(BACKUP_EVERY).await?.and_then(|hours| u32::try_from(hours).ok());
        let keep = self.number(BACKUP_KEEP).await?.and_then(|keep| u32::try_from(keep).ok());
        Ok(BackupSettings { every_hours: every_hours.filter(|hours| *hours > 0), keep: keep.unwrap_or(1) })
    }

    /// Days that delivered messages and finished queue entries are kept.
    pub(crate) async fn message_days(&self) -> Result<i64, StoreError> {
        Ok(self.number(MESSAGES_KEPT).await?.unwrap_or(MESSAGES_KEPT.max))
    }

    /// What was set, or the default.
    async fn number(&self, known: Known) -> Result<Option<i64>, StoreError> {
        let set = self.store.read("read the settings", move |connection| setting::get(connection, known.name)).await?;
        Ok(parsed(&known, set).or(known.default))
    }
}

/// A text that makes no sense, put there by whomever, counts as not set.
fn parsed(known: &Known, text: Option<String>) -> Option<i64> {
    text?.parse().ok().filter(|value| (known.min..=known.max).contains(value))
}

fn view(known: &Known, value: Option<i64>) -> FolderSettingView {
    FolderSettingView {
        name: known.name.to_owned(),
        value,
        default: known.default,
        min: known.min,
        max: known.max,
        needs_restart: known.needs_restart,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::clock::ManualClock;
    use crate::owner::SCHEMA;
    use crate::store::Store;
    use crate::store::authorizer::Owner;

    fn admin() -> (tempfile::TempDir, Admin) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (path, backups) = (folder.path().join("agon.db"), folder.path().join("backups"));
        let store = Store::open(&path, &backups, Arc::new(ManualClock::starting_at(1)), SCHEMA).expect("it opens");
        (folder, Admin::new(store.owner(Owner::Admin).expect("it opens")))
    }

    #[tokio::test]
    async fn a_change_is_told_and_nonsense_is_refused_by_name_and_bounds() {
        let (_folder, admin) = admin();
        let me = UserId::from("me");
        assert_eq!(admin.workers().await.expect("readable"), None);
        assert_eq!(admin.set("judge.workers", Some(3), &me).await.expect("set").value, Some(3));
        assert_eq!(admin.workers().await.expect("readable"), Some(3));
        assert_eq!(admin.set("judge.workers", None, &me).await.expect("unset").value, None);
        assert_eq!(admin.workers().await.expect("readable"), None);
        let unknown = admin.set("judge.wrokers", Some(3), &me).await.expect_err("a typo");
        assert!(unknown.to_string().contains("judge.workers"), "{unknown}");
        let outside = admin.set("backup.keep", Some(0), &me).await.expect_err("out of bounds");
        assert_eq!(outside.to_string(), "backup.keep takes a whole number from 1 to 1000, not 0");
        let notes = "SELECT group_concat(payload, ' ') FROM (SELECT payload FROM admin_outbox ORDER BY id)";
        let told: String = admin
            .store
            .read("look", move |connection| connection.query_row(notes, [], |row| row.get(0)))
            .await
            .expect("readable");
        let expected = r#"{"action":"setting.changed","details":{"from":null,"to":3}} {"action":"setting.changed","details":{"from":3,"to":null}}"#;
        assert_eq!(told, expected);
    }

    #[tokio::test]
    async fn backups_are_off_by_default_and_a_text_that_makes_no_sense_is_not_set() {
        let (_folder, admin) = admin();
        let settings = BackupSettings { every_hours: None, keep: 7 };
        assert_eq!(admin.backup_settings().await.expect("readable"), settings);
        admin.set("backup.every_hours", Some(6), &UserId::from("me")).await.expect("set");
        assert_eq!(admin.backup_settings().await.expect("readable").every_hours, Some(6));
        let nonsense = |tx: &crate::store::WriteTx<'_>| setting::put(tx, "backup.every_hours", "often", 0);
        admin.store.write("tamper", nonsense).await.expect("written");
        assert_eq!(admin.backup_settings().await.expect("readable"), settings);
        assert_eq!(admin.settings().await.expect("readable").len(), ALL.len());
    }
}
