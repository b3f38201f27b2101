//! Settings of the folder as optional services need them: read by name, changed together with a note in the audit log.

use agon_contract::audit::AuditAction;
use agon_contract::ids::UserId;

use super::{Admin, setting};
use crate::delivery::audit_note::{self, AuditNote};
use crate::store::StoreError;

/// A change of one setting, and what the audit log says of it.
#[derive(Clone, Debug)]
pub(crate) struct SettingChange {
    pub name: String,
    pub value: String,
    pub by: UserId,
    pub action: AuditAction,
    /// As [`AuditAction`] says.
    pub object: String,
    pub details: serde_json::Value,
}

impl Admin {
    /// What somebody set; `None` when nobody did.
    pub(crate) async fn setting(&self, name: String) -> Result<Option<String>, StoreError> {
        self.store.read("read the settings", move |connection| setting::get(connection, &name)).await
    }

    /// Stores the value and tells the audit log. A value that is already there is not stored again, but the press of
    /// the switch is told.
    pub(crate) async fn change_setting(&self, change: SettingChange) -> Result<(), StoreError> {
        self.store
            .write("change a setting", move |tx| {
                setting::put(tx, &change.name, &change.value, tx.wall_ms())?;
                let SettingChange { by, action, object, details, .. } = change;
                audit_note::put(tx, &AuditNote { actor: Some(&by), action, object: &object, details }).map(drop)
            })
            .await
    }

    /// Tells the audit log of something that changes no row.
    pub(crate) async fn note(
        &self,
        action: AuditAction,
        object: String,
        by: Option<UserId>,
        details: serde_json::Value,
    ) -> Result<(), StoreError> {
        self.store
            .write("tell the audit log", move |tx| {
                audit_note::put(tx, &AuditNote { actor: by.as_ref(), action, object: &object, details }).map(drop)
            })
            .await
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

    #[tokio::test]
    async fn the_newest_value_counts_and_every_press_is_told_in_the_same_commit() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (path, backups) = (folder.path().join("agon.db"), folder.path().join("backups"));
        let store = Store::open(&path, &backups, Arc::new(ManualClock::starting_at(1)), SCHEMA).expect("it opens");
        let admin = Admin::new(store.owner(Owner::Admin).expect("it opens"));
        assert_eq!(admin.setting("s".into()).await.expect("readable"), None);
        for value in ["true", "false", "false"] {
            let change = SettingChange {
                name: "s".into(),
                value: value.into(),
                by: UserId::from("me"),
                action: AuditAction::SettingChanged,
                object: "s".into(),
                details: serde_json::json!({ "value": value }),
            };
            admin.change_setting(change).await.expect("changed");
            assert_eq!(admin.setting("s".into()).await.expect("readable").as_deref(), Some(value));
        }
        admin.note(AuditAction::ModuleStarted, "m".into(), None, serde_json::json!({})).await.expect("told");
        let count = "SELECT count(*), count(actor_user_id) FROM admin_outbox WHERE topic = 'audit'";
        let told = admin.store.read("count", move |c| c.query_row(count, [], |row| Ok((row.get(0)?, row.get(1)?))));
        assert_eq!(told.await.expect("readable"), (4, 3));
    }
}
