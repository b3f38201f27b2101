//! Watched files: the folder of packages, one's own editor, versions of a draft.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_contract::audit::AuditAction;
use agon_contract::command::{
    Done, GetWatchStatus, ListDraftVersions, RecheckPackage, SetWatchFolder, UnwatchFile, WatchFile,
};
use agon_contract::module::ModuleState;
use agon_contract::permission::Permission;
use agon_contract::watch::{
    DraftVersion, WatchStatus, WatchedFile, WatchedFileState, WatchedFolder, WatchedFolderState,
};
use agon_contract::{ApiError, ErrorCode};
use serde_json::json;

use super::catalog::no_problem;
use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::{bad_request, not_found, require};
use crate::judging::languages;
use crate::owner::admin::SettingChange;
use crate::owner::catalog::{FileKey, FileRow};
use crate::store::FolderError;
use crate::watch::{FILE_WATCH, FolderSetting, Seen, WATCH_FOLDER};

impl Judge {
    /// How the file watch stands.
    ///
    /// # Errors
    /// `storage_unavailable`.
    pub async fn watch_status(&self, actor: &Actor, _req: GetWatchStatus) -> Result<WatchStatus, ApiError> {
        let module = self.module_view(FILE_WATCH).await?;
        let seen = if module.state == ModuleState::Ready { Some(self.rooms.watch.seen()) } else { None };
        let may_see_folder = actor.may(&Permission::ManageProblems) || actor.may(&Permission::ManageModules);
        let setting = if may_see_folder { self.folder_setting().await? } else { None };
        let rows = self.rooms.shop.catalog.watched_files(Some(actor.user_id.clone())).await?;
        Ok(WatchStatus {
            module,
            folder: setting.map(|setting| folder_view(setting, seen.as_ref())),
            files: rows.into_iter().map(|row| file_view(row, seen.as_ref())).collect(),
        })
    }

    /// Sets the folder whose packages are taken in.
    ///
    /// # Errors
    /// `forbidden`, `bad_request` for a path where none may be named or a folder that cannot be watched, `unreadable`
    /// when it is not there or not readable, `storage_unavailable`.
    pub async fn set_watch_folder(&self, actor: &Actor, req: SetWatchFolder) -> Result<WatchStatus, ApiError> {
        require(actor, &Permission::ManageModules)?;
        let path = if req.path.is_empty() { String::new() } else { self.folder_to_watch(&req.path)? };
        let setting = FolderSetting { path: path.clone(), polls: req.polls, by: actor.user_id.clone() };
        let value = if path.is_empty() { String::new() } else { crate::store::json(&setting) };
        self.rooms
            .admin
            .change_setting(SettingChange {
                name: WATCH_FOLDER.to_owned(),
                value,
                by: actor.user_id.clone(),
                action: AuditAction::SettingChanged,
                object: WATCH_FOLDER.to_owned(),
                details: json!({ "path": path, "polls": req.polls }),
            })
            .await?;
        self.rooms.watch.folder_was_set();
        self.watch_status(actor, GetWatchStatus {}).await
    }

    /// Looks at a package of the watched folder again though it has not changed.
    ///
    /// # Errors
    /// `forbidden`, `not_found` when no folder is watched or the name is none of it, `storage_unavailable`.
    pub async fn recheck_package(&self, actor: &Actor, req: RecheckPackage) -> Result<WatchStatus, ApiError> {
        require(actor, &Permission::ManageProblems)?;
        let setting = self.folder_setting().await?.ok_or_else(|| not_found("watched folder with", &req.name))?;
        if Path::new(&req.name).components().count() != 1 || !Path::new(&setting.path).join(&req.name).exists() {
            return Err(not_found("watched package", &req.name));
        }
        let path = Path::new(&setting.path).join(&req.name).to_string_lossy().into_owned();
        self.rooms.shop.catalog.doubt_watched(path).await?;
        self.rooms.watch.recheck(req.name);
        self.watch_status(actor, GetWatchStatus {}).await
    }

    /// From now on the file's newest content is the draft.
    ///
    /// # Errors
    /// `module_off`, `bad_request` for a path where none may be named, `not_found` for a problem, a language or the file's
    /// folder, `storage_unavailable`.
    pub async fn watch_file(&self, actor: &Actor, req: WatchFile) -> Result<WatchedFile, ApiError> {
        self.takes_this_path(&req.path)?;
        if self.module_view(FILE_WATCH).await?.state != ModuleState::Ready {
            return Err(ApiError::new(ErrorCode::ModuleOff, "files are not being watched")
                .with_hint("Switch \"Watch files\" on in Settings, optional services."));
        }
        if self.rooms.shop.catalog.facts(&req.problem_id).await?.is_none() {
            return Err(no_problem(&req.problem_id));
        }
        if !languages().iter().any(|language| language.id == req.language_id) {
            return Err(not_found("language", &req.language_id));
        }
        let path = PathBuf::from(&req.path);
        if path.is_dir() || !path.parent().is_some_and(Path::is_dir) {
            return Err(bad_request(format!("{} is no file in a folder that is there", path.display())));
        }
        let user_id = actor.user_id.clone();
        let key = FileKey { user_id, problem_id: req.problem_id, language_id: req.language_id };
        self.rooms.shop.catalog.watch_file(key.clone(), req.path.clone()).await?;
        self.rooms.watch.sources_were_set();
        let row = FileRow { key, path: req.path, seen_hash: None, read_at_ms: None };
        Ok(file_view(row, Some(&Seen::default())))
    }

    /// Leaves a file alone from now on.
    ///
    /// # Errors
    /// `not_found` when none is watched for this problem and language, `storage_unavailable`.
    pub async fn unwatch_file(&self, actor: &Actor, req: UnwatchFile) -> Result<Done, ApiError> {
        let user_id = actor.user_id.clone();
        let key = FileKey { user_id, problem_id: req.problem_id.clone(), language_id: req.language_id };
        if !self.rooms.shop.catalog.unwatch_file(key).await? {
            return Err(not_found("watched file for problem", &req.problem_id));
        }
        self.rooms.watch.sources_were_set();
        Ok(Done {})
    }

    /// Earlier texts of a draft, newest first.
    ///
    /// # Errors
    /// `storage_unavailable`.
    pub async fn list_draft_versions(
        &self,
        actor: &Actor,
        req: ListDraftVersions,
    ) -> Result<Vec<DraftVersion>, ApiError> {
        let (journal, user) = (Arc::clone(&self.rooms.journal), actor.user_id.clone());
        let read = move || journal.versions(user.as_str(), req.problem_id.as_str(), req.language_id.as_str());
        let versions = tokio::task::spawn_blocking(read).await;
        let versions = versions.map_err(|_| FolderError::Interrupted { operation: "reading the journal" })??;
        let view = |draft: crate::store::journal::Draft| DraftVersion {
            saved_at_ms: draft.saved_at_ms,
            is_from_file: draft.is_from_file,
            text: draft.text,
        };
        Ok(versions.into_iter().map(view).collect())
    }

    async fn folder_setting(&self) -> Result<Option<FolderSetting>, ApiError> {
        let stored = self.rooms.admin.setting(WATCH_FOLDER.to_owned()).await?;
        Ok(stored.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// The folder's one name, links resolved, so that it cannot be watched twice or lie in our own.
    fn folder_to_watch(&self, path: &str) -> Result<String, ApiError> {
        self.takes_this_path(path)?;
        let unreadable = |error| {
            ApiError::new(ErrorCode::Unreadable, format!("{path} cannot be watched: {error}"))
                .with_hint("Choose a folder that is there and that you may read.")
        };
        let folder = std::fs::canonicalize(path).map_err(unreadable)?;
        std::fs::read_dir(&folder).map_err(unreadable)?;
        if folder.starts_with(self.rooms.folder.root()) || self.rooms.folder.root().starts_with(&folder) {
            return Err(bad_request("Agon's own data lies there; choose another folder"));
        }
        folder.to_str().map(str::to_owned).ok_or_else(|| bad_request("the folder's name is not UTF-8"))
    }

    fn takes_this_path(&self, path: &str) -> Result<(), ApiError> {
        if !self.takes_paths {
            return Err(bad_request("paths of this machine cannot be named here")
                .with_hint("Use the window, or the command line on the machine itself."));
        }
        if Path::new(path).is_absolute() { Ok(()) } else { Err(bad_request(format!("{path} is not an absolute path"))) }
    }
}

fn folder_view(setting: FolderSetting, seen: Option<&Seen>) -> WatchedFolder {
    let FolderSetting { path, polls, .. } = setting;
    let seen = seen.and_then(|seen| seen.folder.clone()).filter(|seen| seen.path == path);
    match seen {
        Some(seen) => WatchedFolder {
            path,
            polls,
            state: seen.state,
            message: seen.message,
            packages: seen.packages.into_values().collect(),
        },
        None => {
            WatchedFolder { path, polls, state: WatchedFolderState::Off, message: String::new(), packages: Vec::new() }
        }
    }
}

fn file_view(row: FileRow, seen: Option<&Seen>) -> WatchedFile {
    let (state, reason) = match seen {
        Some(seen) => seen.files.get(&row.key).cloned().unwrap_or((WatchedFileState::Settling, String::new())),
        None => (WatchedFileState::Off, String::new()),
    };
    WatchedFile {
        problem_id: row.key.problem_id,
        language_id: row.key.language_id,
        path: row.path,
        state,
        reason,
        read_at_ms: row.read_at_ms,
    }
}
