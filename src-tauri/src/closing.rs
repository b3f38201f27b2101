//! Closing the window: finished work ends the app, unfinished work asks first and may go on without a window.

use std::time::Duration;

use agon_contract::command::{GetOutboxCounts, GetSession};
use agon_contract::event::OutboxCounts;
use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::{DialogExt, MessageDialogButtons};

use crate::commands::Desk;
use crate::shell::MAIN;
use crate::texts::{self, Texts};

/// How often a hidden app looks whether everything has its verdict.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// The close button was pressed.
pub(crate) fn asked(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        let desk = app.state::<Desk>();
        match desk.judge.outbox_counts(&desk.actor, GetOutboxCounts {}).await {
            Ok(counts) if goes_on(&counts) => {
                let text = texts::of(&chosen_locale(&desk).await);
                ask(&app, text, unfinished(&counts));
            }
            Ok(_) => app.exit(0),
            Err(error) => {
                tracing::warn!(%error, "unfinished work could not be counted; it is on disk and is judged at the next start");
                app.exit(0);
            }
        }
    });
}

/// SIGTERM and Ctrl-C end the app as Quit does: running work goes back to the queue.
pub(crate) async fn on_signals(app: AppHandle) {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
        else {
            tracing::warn!("signals cannot be watched; a kill ends the app at once and loses nothing");
            return;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        app.exit(0);
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_ok() {
        app.exit(0);
    }
}

/// Quit is the affirmative answer, so that a dialog that is merely dismissed keeps judging.
fn ask(app: &AppHandle, text: &Texts, unfinished: u32) {
    let buttons = MessageDialogButtons::OkCancelCustom(text.quit.to_owned(), text.keep_judging.to_owned());
    let message = text.still_judging.replace("{count}", &unfinished.to_string());
    let handle = app.clone();
    app.dialog().message(message).title("Agon").buttons(buttons).show(move |quits| {
        if quits {
            handle.exit(0);
        } else {
            judge_on_hidden(handle);
        }
    });
}

fn judge_on_hidden(app: AppHandle) {
    if let Some(window) = app.get_webview_window(MAIN)
        && let Err(error) = window.hide()
    {
        tracing::warn!(%error, "the window did not hide");
    }
    tauri::async_runtime::spawn(async move {
        let desk = app.state::<Desk>();
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let Some(window) = app.get_webview_window(MAIN) else { return };
            if window.is_visible().unwrap_or(true) {
                return;
            }
            match desk.judge.outbox_counts(&desk.actor, GetOutboxCounts {}).await {
                Ok(counts) if goes_on(&counts) => {}
                Ok(_) | Err(_) => return app.exit(0),
            }
        }
    });
}

/// Whether there is work that would go on. Paused work waits on disk as well without a process.
fn goes_on(counts: &OutboxCounts) -> bool {
    unfinished(counts) > 0 && counts.paused_reason.is_empty()
}

fn unfinished(counts: &OutboxCounts) -> u32 {
    counts.saved + counts.queued + counts.judging
}

async fn chosen_locale(desk: &Desk) -> String {
    match desk.judge.get_session(&desk.actor, GetSession {}).await {
        Ok(session) => session.preferences.locale,
        Err(error) => {
            tracing::warn!(%error, "preferences could not be read");
            "system".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(queued: u32, paused_reason: &str) -> OutboxCounts {
        OutboxCounts { queued, paused_reason: paused_reason.to_owned(), ..OutboxCounts::default() }
    }

    #[test]
    fn only_work_that_moves_keeps_the_app_alive() {
        assert!(!goes_on(&counts(0, "")));
        assert!(goes_on(&counts(2, "")));
        assert!(!goes_on(&counts(2, "the engine is away")));
        let stuck = OutboxCounts { needs_attention: 3, ..OutboxCounts::default() };
        assert!(!goes_on(&stuck), "what needs staff does not move by itself");
    }
}
