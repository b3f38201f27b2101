//! Scheduled backups: off unless the setting says every how many hours; the newest few are kept.

use std::time::Duration;

use agon_contract::backup::BackupKind;
use tokio_util::sync::CancellationToken;

use super::{BackupError, Backups, Order, shelf};
use crate::owner::admin::LastRun;
use crate::store::chain;

/// Between two looks at the settings and the clock.
const TICK: Duration = Duration::from_secs(60);
/// After a scheduled backup that failed.
const PAUSE_AFTER_FAILURE_MS: i64 = 10 * 60 * 1000;
const HOUR_MS: i64 = 60 * 60 * 1000;

pub(in crate::worker) async fn run(backups: Backups, stop: CancellationToken) {
    loop {
        match backups.make_if_due().await {
            Ok(_) | Err(BackupError::UnderWay) => {}
            Err(error) => tracing::error!(error = %chain(&error), "the scheduled backup was not made"),
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = backups.clock.sleep(TICK) => {}
        }
    }
}

impl Backups {
    /// Makes the scheduled backup if its time has come; answers whether.
    pub(super) async fn make_if_due(&self) -> Result<bool, BackupError> {
        let settings = self.admin.backup_settings().await?;
        let Some(every_hours) = settings.every_hours else { return Ok(false) };
        let last = self.admin.last_backup(Some(BackupKind::Scheduled)).await?;
        if !is_due(last.as_ref(), i64::from(every_hours) * HOUR_MS, self.clock.wall_ms()) {
            return Ok(false);
        }
        self.make(Order { kind: BackupKind::Scheduled, into: None, by: None }).await?;
        let (place, keep) = (self.folder.backups(), settings.keep as usize);
        let thinned = tokio::task::spawn_blocking(move || shelf::thin(&place, keep)).await;
        let removed = thinned.map_err(|_| BackupError::Interrupted)??;
        if removed > 0 {
            tracing::info!(removed, "old scheduled backups were removed");
        }
        Ok(true)
    }
}

/// A start that lies in the future comes from a clock that was set back: it counts as due.
fn is_due(last: Option<&LastRun>, period_ms: i64, now_ms: i64) -> bool {
    let Some(last) = last else { return true };
    let wait_ms = if last.state == "failed" { PAUSE_AFTER_FAILURE_MS.min(period_ms) } else { period_ms };
    last.state != "making" && (last.started_at_ms > now_ms || now_ms - last.started_at_ms >= wait_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(state: &str, started_at_ms: i64) -> LastRun {
        LastRun { state: state.to_owned(), started_at_ms, reason: String::new() }
    }

    #[test]
    fn due_is_never_made_long_ago_failed_a_while_ago_or_impossible() {
        let now = 100 * HOUR_MS;
        assert!(is_due(None, HOUR_MS, now));
        assert!(!is_due(Some(&last("made", now - HOUR_MS + 1)), HOUR_MS, now));
        assert!(is_due(Some(&last("made", now - HOUR_MS)), HOUR_MS, now));
        assert!(is_due(Some(&last("made", now + 1)), HOUR_MS, now), "the clock was set back");
        assert!(!is_due(Some(&last("failed", now - PAUSE_AFTER_FAILURE_MS + 1)), HOUR_MS, now));
        assert!(is_due(Some(&last("failed", now - PAUSE_AFTER_FAILURE_MS)), HOUR_MS, now));
        assert!(!is_due(Some(&last("making", now - 10 * HOUR_MS)), HOUR_MS, now), "it is being made");
    }
}
