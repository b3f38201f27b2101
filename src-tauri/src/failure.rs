//! A start that failed, told in a dialog: people who start an app from a menu see no terminal.

use std::io::Write;
use std::process::ExitCode;

use tauri::RunEvent;
use tauri_plugin_dialog::{DialogExt, MessageDialogKind};

/// Exit code of our own fault, as on the command line.
const FAULT: i32 = 3;

/// Shows why Agon cannot start and ends with the code of a fault once it was read.
pub(crate) fn show(reason: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "agon-desktop: {reason}");
    let text = reason.to_owned();
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .setup(move |app| {
            let handle = app.handle().clone();
            let dialog = app.dialog().message(text).title("Agon cannot start").kind(MessageDialogKind::Error);
            dialog.show(move |_| handle.exit(FAULT));
            Ok(())
        })
        .build(crate::shell::context());
    match app {
        Ok(app) => {
            let code = app.run_return(|_, event| {
                // No window is open, so only the dialog's answer may end this.
                if let RunEvent::ExitRequested { code: None, api, .. } = event {
                    api.prevent_exit();
                }
            });
            ExitCode::from(u8::try_from(code).unwrap_or(1))
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "agon-desktop: the dialog cannot be shown: {error}");
            ExitCode::from(3)
        }
    }
}
