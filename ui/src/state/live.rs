//! The long-poll loop: waits for events, wakes topics, reconnects with backoff. Works the same over both transports.

use agon_contract::command::WaitEvents;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::app::{App, Connection};
use super::browser::sleep_ms;
use super::wake::{Topic, after_failure, pause_ms, woken_by};
use crate::backend::call;

/// How long the host may keep one request open.
const WAIT_MS: u32 = 25_000;
/// A busy judge changes something every few milliseconds; screens read again at most this often.
const PACE_MS: u32 = 80;

/// Starts the loop; it runs as long as the page.
pub fn start(app: App) {
    spawn_local(async move {
        let mut after_seq = -1;
        let mut progress_counter = 0;
        let mut failures = 0u32;
        loop {
            match call(WaitEvents { after_seq, progress_counter, wait_ms: WAIT_MS }).await {
                Ok(batch) => {
                    let restarted = failures > 0 || batch.is_resync;
                    let first = after_seq == -1;
                    failures = 0;
                    let before = app.connection.get_untracked();
                    let has_failed =
                        before == Connection::SignedOut || app.start_failure.with_untracked(Option::is_some);
                    if app.host.with_untracked(Option::is_none) && has_failed {
                        app.start();
                    }
                    if before == Connection::SignedOut {
                        app.leave_to_another_person().await;
                    }
                    if before != Connection::Connected {
                        app.connection.set(Connection::Connected);
                    }
                    for topic in if restarted { Topic::ALL.to_vec() } else { woken_by(&batch, progress_counter) } {
                        if !first || restarted {
                            app.wake(topic);
                        }
                    }
                    after_seq = batch.last_seq;
                    progress_counter = batch.progress_counter;
                    sleep_ms(PACE_MS).await;
                }
                Err(error) => {
                    failures = failures.saturating_add(1);
                    if let Some(connection) = after_failure(&error, failures) {
                        app.connection.set(connection);
                    }
                    sleep_ms(pause_ms(app.connection.get_untracked(), failures, error.retry_after_ms)).await;
                }
            }
        }
    });
}
