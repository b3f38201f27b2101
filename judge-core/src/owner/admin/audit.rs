//! Table of the audit log: append-only, each row chained to the one before it.
//!
//! ```text
//! hash(n) = sha256("agon-audit-1" ‖ hash(n-1) ‖ every field of row n, each with its length)
//! ```
//! Row 1 follows 64 zeros. A row that was changed, taken out, put in or moved breaks the chain at that place, and
//! [`verify`] names the first such row. Rows cut off at the end break nothing in the chain, so count and hash of the newest
//! row are kept beside it and compared. Triggers refuse UPDATE and DELETE to everybody who uses this schema.
//! What this cannot show: somebody who rewrites the file as a whole, the head included, with the right hashes. Against
//! that, the head is written into every backup's manifest and told by `agon audit verify`, to be noted elsewhere.

use agon_contract::audit::{AuditAction, AuditEntryView, AuditFault, AuditVerification};
use agon_contract::ids::UserId;
use rusqlite::{Connection, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

use crate::store::{WriteTx, text};

pub(super) const SCHEMA: &str = "
CREATE TABLE admin_audit_entry (
    seq            INTEGER PRIMARY KEY CHECK (seq > 0),
    event_id       TEXT NOT NULL UNIQUE CHECK (length(event_id) = 36),
    source         TEXT NOT NULL,
    at_ms          INTEGER NOT NULL,
    actor_user_id  TEXT,
    action         TEXT NOT NULL CHECK (action <> ''),
    object         TEXT NOT NULL,
    details        TEXT NOT NULL CHECK (json_valid(details)),
    previous_hash  TEXT NOT NULL CHECK (length(previous_hash) = 64),
    hash           TEXT NOT NULL UNIQUE CHECK (length(hash) = 64)
) STRICT;
CREATE TABLE admin_audit_head (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    entries INTEGER NOT NULL CHECK (entries >= 0),
    hash    TEXT NOT NULL CHECK (length(hash) = 64)
) STRICT;
INSERT INTO admin_audit_head VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');
CREATE TRIGGER admin_audit_entry_no_update BEFORE UPDATE ON admin_audit_entry
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
CREATE TRIGGER admin_audit_entry_no_delete BEFORE DELETE ON admin_audit_entry
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
CREATE TRIGGER admin_audit_head_no_delete BEFORE DELETE ON admin_audit_head
BEGIN SELECT RAISE(ABORT, 'the audit log keeps its head'); END;
CREATE TRIGGER admin_audit_head_grows BEFORE UPDATE ON admin_audit_head WHEN new.entries <> old.entries + 1
BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END;
";

/// Separates this encoding from any other text that is ever hashed.
const ENCODING: &[u8] = b"agon-audit-1";

/// An entry about to be appended.
#[derive(Clone, Debug)]
pub(super) struct NewEntry<'a> {
    pub event_id: &'a str,
    /// The owner that told it.
    pub source: &'a str,
    /// Wall time of the action.
    pub at_ms: i64,
    pub actor: Option<&'a UserId>,
    pub action: &'a AuditAction,
    pub object: &'a str,
    /// JSON.
    pub details: &'a str,
}

impl NewEntry<'_> {
    fn hash(&self, seq: u64, previous_hash: &str) -> String {
        let mut hasher = Sha256::new();
        hasher.update(ENCODING);
        let mut field = |bytes: &[u8]| {
            hasher.update((bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        field(previous_hash.as_bytes());
        field(&seq.to_le_bytes());
        field(self.event_id.as_bytes());
        field(self.source.as_bytes());
        field(&self.at_ms.to_le_bytes());
        // Nobody and somebody without a name are told apart by the number of fields.
        match self.actor {
            Some(actor) => {
                field(&[1]);
                field(actor.as_str().as_bytes());
            }
            None => field(&[0]),
        }
        field(self.action.as_str().as_bytes());
        field(self.object.as_bytes());
        field(self.details.as_bytes());
        format!("{:x}", hasher.finalize())
    }
}

/// Where the log ends: number of entries and hash of the newest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub entries: u64,
    pub hash: String,
}

pub(crate) fn head(connection: &Connection) -> rusqlite::Result<Option<Head>> {
    connection
        .prepare_cached("SELECT entries, hash FROM admin_audit_head")?
        .query_row([], |row| Ok(Head { entries: row.get(0)?, hash: row.get(1)? }))
        .optional()
}

/// Adds an entry; false when its event is there already.
pub(super) fn append(tx: &WriteTx<'_>, entry: &NewEntry<'_>) -> rusqlite::Result<bool> {
    let is_known =
        tx.prepare_cached("SELECT 1 FROM admin_audit_entry WHERE event_id = ?1")?.exists([entry.event_id])?;
    if is_known {
        return Ok(false);
    }
    let head = head(tx)?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    let seq = head.entries + 1;
    let hash = entry.hash(seq, &head.hash);
    tx.prepare_cached(
        "INSERT INTO admin_audit_entry (seq, event_id, source, at_ms, actor_user_id, action, object, details,
                                        previous_hash, hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        seq,
        entry.event_id,
        entry.source,
        entry.at_ms,
        entry.actor.map(UserId::as_str),
        entry.action.as_str(),
        entry.object,
        entry.details,
        head.hash,
        hash
    ])?;
    let rows = tx
        .prepare_cached("UPDATE admin_audit_head SET entries = ?1, hash = ?2 WHERE entries = ?3 AND hash = ?4")?
        .execute(params![seq, hash, head.entries, head.hash])?;
    if rows == 1 { Ok(true) } else { Err(rusqlite::Error::StatementChangedRows(rows)) }
}

/// Entries older than `before_seq`, newest first.
pub(super) fn page(connection: &Connection, before_seq: u64, limit: u32) -> rusqlite::Result<Vec<AuditEntryView>> {
    connection
        .prepare_cached("SELECT * FROM admin_audit_entry WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2")?
        .query_map(params![i64::try_from(before_seq).unwrap_or(i64::MAX), limit], view)?
        .collect()
}

fn view(row: &Row<'_>) -> rusqlite::Result<AuditEntryView> {
    Ok(AuditEntryView {
        seq: row.get("seq")?,
        event_id: row.get("event_id")?,
        source: row.get("source")?,
        at_ms: row.get("at_ms")?,
        actor: row.get::<_, Option<String>>("actor_user_id")?.map(UserId),
        actor_name: None,
        action: text(row, "action")?,
        object: row.get("object")?,
        details: row.get("details")?,
        hash: row.get("hash")?,
    })
}

/// Walks the whole chain, in one snapshot of the database.
pub(crate) fn verify(connection: &Connection) -> rusqlite::Result<AuditVerification> {
    let snapshot = connection.unchecked_transaction()?;
    let mut last = Head { entries: 0, hash: "0".repeat(64) };
    let mut fault = None;
    {
        let mut statement = snapshot.prepare("SELECT * FROM admin_audit_entry ORDER BY seq")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (entry, previous_hash) = (view(row)?, row.get::<_, String>("previous_hash")?);
            if let Some(reason) = fault_of(&entry, &previous_hash, &last) {
                fault = Some(AuditFault { seq: entry.seq.min(last.entries + 1), reason });
                break;
            }
            last = Head { entries: entry.seq, hash: entry.hash };
        }
    }
    if fault.is_none() {
        fault = fault_of_end(head(&snapshot)?, &last);
    }
    Ok(AuditVerification { entries: last.entries, head_hash: last.hash, fault })
}

fn fault_of(entry: &AuditEntryView, previous_hash: &str, last: &Head) -> Option<String> {
    if entry.seq != last.entries + 1 {
        return Some(format!("entry {} is missing: the next one there is {}", last.entries + 1, entry.seq));
    }
    if previous_hash != last.hash {
        return Some("it does not follow the entry before it".to_owned());
    }
    let written = NewEntry {
        event_id: &entry.event_id,
        source: &entry.source,
        at_ms: entry.at_ms,
        actor: entry.actor.as_ref(),
        action: &entry.action,
        object: &entry.object,
        details: &entry.details,
    };
    (written.hash(entry.seq, previous_hash) != entry.hash).then(|| "its content is not what was written".to_owned())
}

fn fault_of_end(head: Option<Head>, last: &Head) -> Option<AuditFault> {
    let seq = last.entries + 1;
    match head {
        None => Some(AuditFault { seq, reason: "the record of where the log ends is missing".to_owned() }),
        Some(head) if head.entries != last.entries => Some(AuditFault {
            seq: seq.min(head.entries + 1),
            reason: format!("the log ends after {} entries, but {} were written", last.entries, head.entries),
        }),
        Some(head) if head.hash != last.hash => Some(AuditFault {
            seq: last.entries,
            reason: "the newest entry is not the one that was written".to_owned(),
        }),
        Some(_) => None,
    }
}

#[cfg(test)]
#[path = "audit_tests.rs"]
mod tests;
