//! Settings of the data folder.

use agon_contract::ApiError;
use agon_contract::folder_setting::{FolderSettingView, GetSettings, SetSetting};
use agon_contract::permission::Permission;

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::require;

impl Judge {
    /// Every setting this program knows.
    ///
    /// # Errors
    /// `forbidden`, `storage_unavailable`.
    pub async fn get_settings(&self, actor: &Actor, _req: GetSettings) -> Result<Vec<FolderSettingView>, ApiError> {
        require(actor, &Permission::ManageModules)?;
        Ok(self.rooms.admin.settings().await?)
    }

    /// Changes one.
    ///
    /// # Errors
    /// `forbidden`, `not_found` for an unknown name, `bad_request` for a value out of bounds, `storage_unavailable`.
    pub async fn set_setting(&self, actor: &Actor, req: SetSetting) -> Result<FolderSettingView, ApiError> {
        require(actor, &Permission::ManageModules)?;
        Ok(self.rooms.admin.set(&req.name, req.value, &actor.user_id).await?)
    }
}
