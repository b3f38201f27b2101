//! Rows of a closed data folder against each other and against the blobs they name.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::Connection;
use sha2::{Digest, Sha256};

/// Columns that name blobs.
const BLOBS: [(&str, &str); 5] = [
    ("submission_source", "blob_hash"),
    ("catalog_case", "input_hash"),
    ("catalog_case", "answer_hash"),
    ("catalog_statement", "pdf_hash"),
    ("catalog_statement_file", "hash"),
];

/// What must answer no row, and what a row means.
const CONTRADICTIONS: [(&str, &str); 4] = [
    (
        "a submission has no judgement or more than one that is open",
        "SELECT s.id FROM submission_submission s LEFT JOIN submission_judgement j ON j.submission_id = s.id
         GROUP BY s.id HAVING count(j.id) = 0 OR sum(j.state IN ('pending', 'judging')) > 1",
    ),
    (
        "a judgement counts that has no verdict or belongs to another submission",
        "SELECT s.id FROM submission_submission s JOIN submission_judgement j ON j.id = s.current_judgement_id
         WHERE j.state <> 'judged' OR j.submission_id <> s.id",
    ),
    (
        "the newest verdict that no change set holds back does not count",
        "SELECT s.id FROM submission_submission s WHERE s.current_judgement_id IS NOT
           (SELECT j.id FROM submission_judgement j
            WHERE j.submission_id = s.id AND j.state = 'judged' AND (j.is_held = 0 OR EXISTS
              (SELECT 1 FROM submission_change_set_item i WHERE i.new_judgement_id = j.id AND i.outcome = 'applied'))
            ORDER BY j.generation DESC LIMIT 1)",
    ),
    (
        "a judgement waits and nothing will ever send it",
        "SELECT j.id FROM submission_judgement j WHERE j.state = 'pending' AND NOT EXISTS
           (SELECT 1 FROM submission_judge_outbox o
            WHERE o.submission_id = j.submission_id AND o.generation = j.generation)",
    ),
];

/// What is wrong with the folder's database and blobs. Nobody has it open.
#[must_use]
pub fn check(data: &Path) -> Vec<String> {
    let mut complaints = Vec::new();
    match Connection::open(data.join("agon.db")) {
        Ok(connection) => {
            if let Err(error) = look(&connection, &data.join("blobs"), &mut complaints) {
                complaints.push(format!("the database cannot be read: {error}"));
            }
        }
        Err(error) => complaints.push(format!("the database cannot be opened: {error}")),
    }
    complaints
}

fn look(connection: &Connection, blobs: &Path, complaints: &mut Vec<String>) -> rusqlite::Result<()> {
    for row in texts(connection, "PRAGMA integrity_check")? {
        if row != "ok" {
            complaints.push(format!("integrity_check: {row}"));
        }
    }
    let dangling = texts(connection, "SELECT \"table\" || ' -> ' || parent FROM pragma_foreign_key_check")?;
    complaints.extend(dangling.into_iter().map(|row| format!("a foreign key dangles: {row}")));
    for (meaning, sql) in CONTRADICTIONS {
        complaints.extend(texts(connection, sql)?.into_iter().map(|row| format!("{meaning}: {row}")));
    }
    complaints.extend(unwatched(connection, blobs)?);
    let mut named = BTreeSet::new();
    for (table, column) in BLOBS {
        named.extend(texts(connection, &format!("SELECT {column} FROM {table} WHERE {column} IS NOT NULL"))?);
    }
    complaints.extend(named.iter().filter_map(|hash| why_not_there(blobs, hash)));
    Ok(())
}

fn texts(connection: &Connection, sql: &str) -> rusqlite::Result<Vec<String>> {
    connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
}

fn why_not_there(blobs: &Path, hash: &str) -> Option<String> {
    match std::fs::read(blobs.join(hash)) {
        Ok(bytes) if format!("{:x}", Sha256::digest(&bytes)) == hash => None,
        Ok(bytes) => Some(format!("blob {hash} has other content ({} bytes)", bytes.len())),
        Err(error) => Some(format!("a row names blob {hash}: {error}")),
    }
}

/// Columns that name blobs and that nobody told this file about.
fn unwatched(connection: &Connection, blobs: &Path) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT m.name || '.' || c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
               WHERE m.type = 'table' AND c.name LIKE '%hash'";
    let watched: BTreeSet<String> = BLOBS.iter().map(|(table, column)| format!("{table}.{column}")).collect();
    let mut found = Vec::new();
    for name in texts(connection, sql)?.into_iter().filter(|name| !watched.contains(name)) {
        let (table, column) = name.split_once('.').expect("it was put together with one");
        let values =
            texts(connection, &format!("SELECT DISTINCT hex({column}) || '' FROM {table} WHERE {column} <> ''"))?;
        let names_blobs = values.iter().any(|hex| is_blob(blobs, hex));
        if names_blobs {
            found.push(format!("{name} names blobs: say so in promises/rows.rs"));
        }
    }
    Ok(found)
}

/// Whether the text, which comes in hexadecimal because some hashes are bytes, is a blob's name.
fn is_blob(blobs: &Path, hex: &str) -> bool {
    let bytes: Option<Vec<u8>> =
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.is_some_and(|text| text.len() == 64 && blobs.join(text).exists())
}
