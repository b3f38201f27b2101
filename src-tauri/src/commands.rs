//! The window's commands: one handler per contract command, made from the contract's list, and picking a package.

use std::path::PathBuf;

use agon_contract::ApiError;
use agon_contract::command::{self, Command};
use judge_core::{Actor, Judge};
use tauri::ipc::Invoke;
use tauri::{AppHandle, State, WebviewWindow};
use tauri_plugin_dialog::DialogExt;
use tokio::sync::oneshot;

/// What every command sees: the judge, and the local profile, which is who acts in this window.
pub(crate) struct Desk {
    pub judge: Judge,
    pub actor: Actor,
}

macro_rules! handlers {
    ($($name:ident: $request:ident;)+) => {
        $(#[tauri::command]
        async fn $name(
            desk: State<'_, Desk>,
            req: command::$request,
        ) -> Result<<command::$request as Command>::Response, ApiError> {
            desk.judge.$name(&desk.actor, req).await
        })+

        /// Answers every command that the permission manifest lists.
        pub(crate) fn handler() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
            tauri::generate_handler![$($name,)+ log_in, log_out, pick_folder, pick_package, pick_source]
        }
    };
}

agon_contract::for_each_command!(handlers);

macro_rules! session_handlers {
    ($($name:ident: $request:ident;)+) => {
        $(/// Whoever sits at this window is the local profile: there is no session to begin or to end.
        #[tauri::command]
        async fn $name(req: command::$request) -> Result<<command::$request as Command>::Response, ApiError> {
            let _ = req;
            Err(Judge::no_log_in_here())
        })+
    };
}

agon_contract::for_each_session_command!(session_handlers);

/// Opens the system's dialog and answers the package's path; nothing when the person closed it.
///
/// Only the path crosses into the page, and only because the person chose it. A `problem.yaml` stands for its folder.
#[tauri::command]
async fn pick_package(app: AppHandle, window: WebviewWindow) -> Option<String> {
    let (answer, chosen) = oneshot::channel();
    app.dialog()
        .file()
        .set_parent(&window)
        .add_filter("Problem package", &["zip", "kpp", "yaml"])
        .pick_file(move |file| drop(answer.send(file)));
    let path = chosen.await.ok()??.into_path().ok()?;
    Some(package_of(path).to_string_lossy().into_owned())
}

/// Opens the system's dialog and answers the folder's path; nothing when the person closed it.
#[tauri::command]
async fn pick_folder(app: AppHandle, window: WebviewWindow) -> Option<String> {
    let (answer, chosen) = oneshot::channel();
    app.dialog().file().set_parent(&window).pick_folder(move |folder| drop(answer.send(folder)));
    Some(chosen.await.ok()??.into_path().ok()?.to_string_lossy().into_owned())
}

/// Opens the system's dialog and answers the path of the file to edit elsewhere; nothing when the person closed it.
#[tauri::command]
async fn pick_source(app: AppHandle, window: WebviewWindow) -> Option<String> {
    let (answer, chosen) = oneshot::channel();
    app.dialog().file().set_parent(&window).pick_file(move |file| drop(answer.send(file)));
    Some(chosen.await.ok()??.into_path().ok()?.to_string_lossy().into_owned())
}

fn package_of(path: PathBuf) -> PathBuf {
    let names_folder = path.file_name().is_some_and(|name| name == "problem.yaml");
    match path.parent() {
        Some(folder) if names_folder => folder.to_path_buf(),
        Some(_) | None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_yaml_of_a_package_stands_for_its_folder() {
        assert_eq!(package_of(PathBuf::from("/home/me/twosums/problem.yaml")), PathBuf::from("/home/me/twosums"));
        assert_eq!(package_of(PathBuf::from("/home/me/twosums.zip")), PathBuf::from("/home/me/twosums.zip"));
    }
}
