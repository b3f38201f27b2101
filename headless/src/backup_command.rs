//! `agon backup` and `agon restore`: everything copied and read back, and given back.

use std::path::PathBuf;
use std::sync::Arc;

use agon_contract::backup::{BackupView, MakeBackup};
use judge_core::SystemClock;
use judge_core::domain::date;

use crate::desk::Desk;
use crate::exit::Exit;
use crate::owned::{self, CommandError};
use crate::table;

/// What a backup needs to know.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct BackupAsked {
    /// Folder to put the backup into, made when absent; without it, `backups` of the data folder. The backup is a new folder
    /// in it, which has its name only after it was read back whole; several share what they have in common.
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
    /// JSON instead of text: one object.
    #[arg(long)]
    json: bool,
}

/// What a restore needs to know.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct RestoreAsked {
    /// The backup: the folder that `agon backup` named.
    backup: PathBuf,
    /// The data folder to give it back into; without it, the one in use.
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
}

/// Makes a backup of the data folder.
pub(crate) async fn backup(asked: BackupAsked) -> Result<Exit, CommandError> {
    let into = asked.to.map(std::path::absolute).transpose()?;
    let request = MakeBackup { into: into.map(|folder| folder.display().to_string()) };
    let desk = Desk::existing("agon backup").await?;
    let made = desk.ask(&request).await;
    desk.close().await;
    let made = made?;
    if asked.json {
        owned::say(serde_json::to_string(&made).expect("text and numbers"))?;
    } else {
        owned::say(line(&made))?;
    }
    // The copy is whole; that what it copied is not must not pass unseen.
    Ok(if made.audit.fault.is_none() { Exit::Success } else { Exit::Negative })
}

fn line(made: &BackupView) -> String {
    let log = match &made.audit.fault {
        None => format!("the audit log has {} entries, its head is {}", made.audit.entries, made.audit.head_hash),
        Some(fault) => format!("the audit log is broken at entry {}: {}", fault.seq, fault.reason),
    };
    format!(
        "{}\nmade {} and read back: {}, {} files of content; {log}",
        made.path,
        date::utc(made.made_at_ms),
        table::mebibytes(made.bytes),
        made.blobs
    )
}

/// Gives a backup back.
pub(crate) async fn restore(asked: RestoreAsked) -> Result<Exit, CommandError> {
    let into = match asked.into {
        Some(folder) => folder,
        None => owned::data_folder()?,
    };
    let clock = Arc::new(SystemClock::new());
    let restored = judge_core::restore(&asked.backup, &into, "agon restore", clock).await?;
    owned::say(format_args!("{} is as it was at {}", into.display(), date::utc(restored.backup.made_at_ms)))?;
    if let Some(before) = restored.before {
        owned::say(format_args!("what was there before is kept in {}", before.display()))?;
    }
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use agon_contract::audit::{AuditFault, AuditVerification};
    use agon_contract::backup::BackupKind;

    use super::*;

    #[test]
    fn the_path_comes_first_and_a_broken_log_is_named() {
        let mut made = BackupView {
            id: "i".to_owned(),
            kind: BackupKind::Manual,
            made_at_ms: 0,
            path: "/b/agon-1".to_owned(),
            bytes: 3 << 19,
            blobs: 2,
            audit: AuditVerification { entries: 4, head_hash: "abc".to_owned(), fault: None },
            app_version: "1".to_owned(),
        };
        let expected = "/b/agon-1\nmade 1970-01-01T00:00:00Z and read back: 1.5 MiB, 2 files of content; \
                        the audit log has 4 entries, its head is abc";
        assert_eq!(line(&made), expected);
        made.audit.fault = Some(AuditFault { seq: 3, reason: "it is gone".to_owned() });
        assert!(line(&made).ends_with("broken at entry 3: it is gone"));
    }
}
