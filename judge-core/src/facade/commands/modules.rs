//! Optional services: how they stand, switching them on and off.

use agon_contract::audit::AuditAction;
use agon_contract::command::{ListModules, RestartModule, SetModuleEnabled};
use agon_contract::module::ModuleView;
use agon_contract::permission::Permission;
use agon_contract::{ApiError, ErrorCode};
use serde_json::json;

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::{not_found, require};
use crate::module::OrderError;
use crate::owner::admin::SettingChange;

impl Judge {
    /// All modules of this program.
    ///
    /// # Errors
    /// `forbidden` without `read_operations` or `manage_modules`, `storage_unavailable`.
    pub async fn list_modules(&self, actor: &Actor, _req: ListModules) -> Result<Vec<ModuleView>, ApiError> {
        if !actor.may(&Permission::ManageModules) {
            require(actor, &Permission::ReadOperations)?;
        }
        self.module_views().await
    }

    /// Switches a module, now and for later starts.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `conflict` when this machine does not allow it, `storage_unavailable`.
    pub async fn set_module_enabled(&self, actor: &Actor, req: SetModuleEnabled) -> Result<ModuleView, ApiError> {
        require(actor, &Permission::ManageModules)?;
        let modules = &self.rooms.modules;
        // The stored wish and the order are one step, or two hands on the switch could leave them apart.
        let _turn = self.rooms.module_turn.lock().await;
        match modules.check(&req.name) {
            Err(OrderError::NotAllowed) if !req.enabled => {}
            checked => checked.map_err(|error| refused(&req.name, error))?,
        }
        let action = if req.enabled { AuditAction::ModuleStarted } else { AuditAction::ModuleStopped };
        self.rooms
            .admin
            .change_setting(SettingChange {
                name: enabled_setting(&req.name),
                value: req.enabled.to_string(),
                by: actor.user_id.clone(),
                action,
                object: req.name.clone(),
                details: json!({}),
            })
            .await?;
        if self.rooms.config.runs_modules {
            modules.switch(&req.name, req.enabled).await.map_err(|error| refused(&req.name, error))?;
        }
        self.module_view(&req.name).await
    }

    /// Ends a module's run and begins another.
    ///
    /// # Errors
    /// `forbidden`, `not_found`, `conflict` when it is switched off, `storage_unavailable`.
    pub async fn restart_module(&self, actor: &Actor, req: RestartModule) -> Result<ModuleView, ApiError> {
        require(actor, &Permission::ManageModules)?;
        let _turn = self.rooms.module_turn.lock().await;
        self.rooms.modules.restart(&req.name).await.map_err(|error| refused(&req.name, error))?;
        let by = Some(actor.user_id.clone());
        self.rooms.admin.note(AuditAction::ModuleStarted, req.name.clone(), by, json!({ "restarted": true })).await?;
        self.module_view(&req.name).await
    }

    /// Starts what the settings switch on and the machine allows; what fails says so in its state.
    pub(in crate::facade) async fn start_modules(&self) -> Result<(), ApiError> {
        if !self.rooms.config.runs_modules {
            return Ok(());
        }
        for view in self.module_views().await? {
            if view.is_enabled
                && let Err(error) = self.rooms.modules.switch(&view.name, true).await
            {
                tracing::warn!(module = %view.name, %error, "a module that is switched on does not start");
            }
        }
        Ok(())
    }

    /// How all modules stand, with the wish as it is stored: a host that runs none knows it too.
    pub(in crate::facade) async fn module_views(&self) -> Result<Vec<ModuleView>, ApiError> {
        let mut views = self.rooms.modules.views();
        for view in &mut views {
            let stored = self.rooms.admin.setting(enabled_setting(&view.name)).await?;
            view.is_enabled = stored.as_deref() == Some("true");
            if view.is_enabled && view.is_allowed && !self.rooms.config.runs_modules {
                "it runs in the window and in `agon serve`, not in this command".clone_into(&mut view.reason);
            }
        }
        Ok(views)
    }

    pub(in crate::facade) async fn module_view(&self, name: &str) -> Result<ModuleView, ApiError> {
        let view = self.module_views().await?.into_iter().find(|view| view.name == name);
        view.ok_or_else(|| not_found("module", name))
    }
}

fn enabled_setting(name: &str) -> String {
    format!("module.{name}.enabled")
}

fn refused(name: &str, error: OrderError) -> ApiError {
    match error {
        OrderError::Unknown => not_found("module", name),
        OrderError::NotAllowed => ApiError::new(ErrorCode::Conflict, format!("this machine does not allow {name}"))
            .with_hint("Add its name to AGON_MODULES where the program is started."),
        OrderError::SwitchedOff => {
            ApiError::new(ErrorCode::Conflict, format!("{name} is switched off")).with_hint("Switch it on instead.")
        }
    }
}
