//! `agon audit list` and `agon audit verify`: who did what, and whether the log of it is whole.

use agon_contract::audit::{AuditEntryView, AuditVerification, ListAudit, VerifyAudit};
use judge_core::domain::date;

use crate::desk::Desk;
use crate::exit::Exit;
use crate::owned::{self, CommandError};

/// What is asked of the log.
#[derive(Clone, Copy, Debug, clap::Subcommand)]
pub(crate) enum Asked {
    /// List the entries, newest first.
    List {
        /// JSON instead of text: one object per line.
        #[arg(long)]
        json: bool,
        /// At most this many.
        #[arg(long, default_value_t = 50)]
        limit: u64,
    },
    /// Walk the chain: says the first entry that is not as it was written, and ends with 1 if there is one.
    Verify {
        /// JSON instead of text: one object.
        #[arg(long)]
        json: bool,
    },
}

/// Entries asked for at a time, the most that the core answers at once.
const PAGE: u32 = 200;

pub(crate) async fn run(asked: Asked) -> Result<Exit, CommandError> {
    let desk = Desk::look_at_existing("agon audit").await?;
    let done = match asked {
        Asked::List { json, limit } => list(&desk, json, limit).await,
        Asked::Verify { json } => verify(&desk, json).await,
    };
    desk.close().await;
    done
}

async fn list(desk: &Desk, json: bool, limit: u64) -> Result<Exit, CommandError> {
    let (mut left, mut before_seq) = (limit, None);
    while left > 0 {
        let request = ListAudit { before_seq, limit: PAGE.min(u32::try_from(left).unwrap_or(PAGE)) };
        let page = desk.ask(&request).await?;
        for entry in &page.entries {
            if json {
                owned::say(serde_json::to_string(entry).expect("an entry is text and numbers"))?;
            } else {
                owned::say(line(entry))?;
            }
        }
        left -= page.entries.len() as u64;
        before_seq = page.next_before_seq;
        if before_seq.is_none() {
            break;
        }
    }
    Ok(Exit::Success)
}

fn line(entry: &AuditEntryView) -> String {
    let who = match (&entry.actor_name, &entry.actor) {
        (Some(name), _) => name.as_str(),
        (None, Some(id)) => id.as_str(),
        (None, None) => "-",
    };
    let when = date::utc(entry.at_ms);
    format!("#{:<5}  {when}  {who:20}  {:22}  {}  {}", entry.seq, entry.action.as_str(), entry.object, entry.details)
}

async fn verify(desk: &Desk, json: bool) -> Result<Exit, CommandError> {
    let verified = desk.ask(&VerifyAudit {}).await?;
    if json {
        owned::say(serde_json::to_string(&verified).expect("text and numbers"))?;
    } else {
        owned::say(verdict(&verified))?;
    }
    Ok(if verified.fault.is_none() { Exit::Success } else { Exit::Negative })
}

fn verdict(verified: &AuditVerification) -> String {
    match &verified.fault {
        None => format!("{} entries, each as it was written; the head is {}", verified.entries, verified.head_hash),
        Some(fault) => format!(
            "entry {} is not as it was written: {}; the {} before it are, up to {}",
            fault.seq, fault.reason, verified.entries, verified.head_hash
        ),
    }
}

#[cfg(test)]
mod tests {
    use agon_contract::audit::{AuditAction, AuditFault};
    use agon_contract::ids::UserId;

    use super::*;

    #[test]
    fn a_line_says_who_did_what_when_and_to_what() {
        let entry = AuditEntryView {
            seq: 3,
            event_id: "e".to_owned(),
            source: "catalog".to_owned(),
            at_ms: 1_000,
            actor: Some(UserId::from("u")),
            actor_name: Some("Ada".to_owned()),
            action: AuditAction::ProblemRemoved,
            object: "p".to_owned(),
            details: "{}".to_owned(),
            hash: "h".to_owned(),
        };
        let expected = "#3      1970-01-01T00:00:01Z  Ada                   problem.removed         p  {}";
        assert_eq!(line(&entry), expected);
        assert!(line(&AuditEntryView { actor_name: None, actor: None, ..entry }).contains("Z  -  "));
    }

    #[test]
    fn a_broken_log_names_the_place_and_the_reason() {
        let fault = Some(AuditFault { seq: 4, reason: "it is gone".to_owned() });
        let verified = AuditVerification { entries: 3, head_hash: "abc".to_owned(), fault };
        assert_eq!(verdict(&verified), "entry 4 is not as it was written: it is gone; the 3 before it are, up to abc");
    }
}
