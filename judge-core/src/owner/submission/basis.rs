//! What judgings are based on besides the sealed facts: language definitions by their hash, and the problem facts that a
//! rejudging took instead.
//!
//! Both are kept once however many submissions name them, and never change, so that a judging can be done again as it
//! was although the program's own table or the catalogue moved on.

use agon_contract::ids::LanguageId;
use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};

use crate::domain::facts::ProblemFacts;
use crate::domain::language::{Language, language_by_id};
use crate::store::{decode, json};

pub(super) const SCHEMA: &str = "
CREATE TABLE submission_language (
    hash       TEXT PRIMARY KEY CHECK (length(hash) = 64),
    definition TEXT NOT NULL CHECK (json_valid(definition))
) STRICT, WITHOUT ROWID;
CREATE TRIGGER submission_language_sealed BEFORE UPDATE ON submission_language
BEGIN SELECT RAISE(ABORT, 'a sealed definition never changes'); END;
CREATE TABLE submission_basis (
    hash  TEXT PRIMARY KEY CHECK (length(hash) = 64),
    facts TEXT NOT NULL CHECK (json_valid(facts))
) STRICT, WITHOUT ROWID;
CREATE TRIGGER submission_basis_sealed BEFORE UPDATE ON submission_basis
BEGIN SELECT RAISE(ABORT, 'a basis never changes'); END;
";

/// Keeps the definition of a language that facts name by `hash`, if this program's table still has it so.
pub(super) fn keep_language(connection: &Connection, id: &LanguageId, hash: &str) -> rusqlite::Result<()> {
    let Some(language) = language_by_id(id).filter(|language| language.hash() == hash) else { return Ok(()) };
    let mut insert = connection.prepare_cached("INSERT INTO submission_language (hash, definition) VALUES (?1, ?2)")?;
    let is_kept = connection.prepare_cached("SELECT 1 FROM submission_language WHERE hash = ?1")?.exists([hash])?;
    if !is_kept {
        insert.execute([hash, json(language.as_ref()).as_str()])?;
    }
    Ok(())
}

/// The definition as it was; `None` when it was never kept (submissions from before it was).
pub(super) fn language(connection: &Connection, hash: &str) -> rusqlite::Result<Option<Language>> {
    connection
        .prepare_cached("SELECT definition FROM submission_language WHERE hash = ?1")?
        .query_row([hash], |row| decode(row, "definition"))
        .optional()
}

/// Keeps problem facts; answers their hash.
pub(super) fn keep(connection: &Connection, facts: &ProblemFacts) -> rusqlite::Result<String> {
    let text = json(facts);
    let hash = format!("{:x}", Sha256::digest(&text));
    connection
        .prepare_cached("INSERT INTO submission_basis (hash, facts) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING")?
        .execute([hash.as_str(), text.as_str()])?;
    for language in &facts.languages {
        keep_language(connection, &language.id, &language.hash)?;
    }
    Ok(hash)
}

/// The problem facts of that hash.
pub(super) fn load(connection: &Connection, hash: &str) -> rusqlite::Result<ProblemFacts> {
    connection
        .prepare_cached("SELECT facts FROM submission_basis WHERE hash = ?1")?
        .query_row([hash], |row| decode(row, "facts"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::facts::tests::facts;
    use crate::domain::language::languages;

    fn store() -> Connection {
        let connection = Connection::open_in_memory().expect("memory is there");
        connection.execute_batch(SCHEMA).expect("the schema is valid");
        connection
    }

    #[test]
    fn a_definition_is_kept_once_under_its_own_hash_only() {
        let store = store();
        let row = &languages()[0];
        for _ in 0..2 {
            keep_language(&store, &row.id, &row.hash()).expect("kept");
        }
        assert_eq!(language(&store, &row.hash()).expect("readable").as_ref(), Some(row.as_ref()));
        keep_language(&store, &row.id, &"c".repeat(64)).expect("not kept");
        assert_eq!(language(&store, &"c".repeat(64)).expect("readable"), None, "the table has another by now");
    }

    #[test]
    fn facts_are_kept_under_their_hash() {
        let store = store();
        let mut problem = facts().problem;
        let hash = keep(&store, &problem).expect("kept");
        assert_eq!(keep(&store, &problem).expect("known"), hash);
        assert_eq!(load(&store, &hash).expect("readable"), problem);
        problem.limits.time_limit_ms += 1;
        assert_ne!(keep(&store, &problem).expect("kept"), hash);
    }
}
