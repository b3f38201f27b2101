//! The window: how it is made, what may be shown in it, and how the app ends.

use std::process::ExitCode;

use judge_core::Judge;
use serde::Serialize;
use tauri::{App, AppHandle, DragDropEvent, Emitter, Manager, RunEvent, Url, WebviewWindowBuilder, WindowEvent, Wry};

use crate::closing;
use crate::commands::{self, Desk};

/// The one window's label, as in `tauri.conf.json` and the capability.
pub(crate) const MAIN: &str = "main";
/// Tells the page that somebody dropped files on the window.
const PACKAGE_DROPPED: &str = "agon://package-dropped";

#[derive(Clone, Serialize)]
struct Dropped {
    paths: Vec<String>,
}

/// Configuration, permissions and the interface's files, compiled in.
pub(crate) fn context() -> tauri::Context<Wry> {
    tauri::generate_context!()
}

/// Shows the window until the app is told to end, then closes the judge.
pub(crate) fn run(judge: Judge) -> ExitCode {
    let actor = judge.local_actor();
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .manage(Desk { judge: judge.clone(), actor })
        .invoke_handler(commands::handler())
        .setup(|app| Ok(set_up(app)?))
        .on_window_event(|window, event| match event {
            WindowEvent::CloseRequested { api, .. } => {
                api.prevent_close();
                closing::asked(window.app_handle().clone());
            }
            WindowEvent::DragDrop(DragDropEvent::Drop { paths, .. }) => {
                let paths = paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
                if let Err(error) = window.emit(PACKAGE_DROPPED, Dropped { paths }) {
                    tracing::error!(%error, "the page was not told about dropped files");
                }
            }
            _ => {}
        })
        .build(context());
    match app {
        Ok(app) => {
            let code = app.run_return(|_, event| {
                if let RunEvent::ExitRequested { code: None, api, .. } = event {
                    // A hidden window is no reason to end; `closing` decides.
                    api.prevent_exit();
                }
            });
            tauri::async_runtime::block_on(judge.close());
            ExitCode::from(u8::try_from(code).unwrap_or(1))
        }
        Err(error) => {
            tauri::async_runtime::block_on(judge.close());
            crate::failure::show(&format!("The window cannot be made: {error}"))
        }
    }
}

fn set_up(app: &mut App) -> tauri::Result<()> {
    let config = app.config().app.windows.iter().find(|window| window.label == MAIN).cloned();
    let config = config.expect("tauri.conf.json describes the main window");
    WebviewWindowBuilder::from_config(app.handle(), &config)?.on_navigation(stays_inside).build()?;
    let handle = app.handle().clone();
    let judge = app.state::<Desk>().judge.clone();
    tauri::async_runtime::spawn(async move { judge.import_starters().await });
    tauri::async_runtime::spawn(come_forward_when_asked(handle.clone()));
    tauri::async_runtime::spawn(closing::on_signals(handle));
    Ok(())
}

/// The page never leaves the app: a link in a statement must not put a stranger's page into a window that may judge.
fn stays_inside(address: &Url) -> bool {
    match address.scheme() {
        "tauri" | "blob" | "about" => true,
        "http" | "https" => address.host_str() == Some("tauri.localhost"),
        _ => false,
    }
}

/// Another start on the same data folder asks this one to come to the front.
async fn come_forward_when_asked(app: AppHandle) {
    let mut requests = app.state::<Desk>().judge.show_requests();
    while requests.changed().await.is_ok() {
        show(&app);
    }
}

fn show(app: &AppHandle) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    for done in [window.show(), window.unminimize(), window.set_focus()] {
        if let Err(error) = done {
            tracing::warn!(%error, "the window did not come forward");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_apps_own_pages_are_shown() {
        for inside in
            ["tauri://localhost/", "http://tauri.localhost/problems", "blob:tauri://localhost/1", "about:blank"]
        {
            assert!(stays_inside(&inside.parse().expect("an address")), "{inside}");
        }
        for outside in ["https://example.org/", "file:///etc/passwd", "http://127.0.0.1:4077/", "data:text/html,x"] {
            assert!(!stays_inside(&outside.parse().expect("an address")), "{outside}");
        }
    }
}
