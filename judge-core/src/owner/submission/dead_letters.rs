//! What was set aside and needs a person: dead outbox rows, dead queue entries, poison.

use agon_contract::delivery::{DeadLetter, DeadLetterPlace};
use agon_contract::ids::SubmissionId;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rusqlite::{Connection, OptionalExtension};

use super::Submissions;
use crate::delivery::queue::{DeadEntry, EmbeddedQueue, JudgeQueue};
use crate::store::{StoreError, text};

impl Submissions {
    /// Everything that needs a person, oldest first.
    pub(crate) async fn dead_letters(&self, limit: u32) -> Result<Vec<DeadLetter>, StoreError> {
        self.store.read("list what was set aside", move |connection| dead_letters(connection, limit)).await
    }
}

fn dead_letters(connection: &Connection, limit: u32) -> rusqlite::Result<Vec<DeadLetter>> {
    let mut letters: Vec<DeadLetter> = connection
        .prepare_cached(
            "SELECT o.submission_id, o.generation, o.last_error, o.created_at_ms, s.number,
                    s.facts ->> '$.problem.slug' AS slug
             FROM submission_judge_outbox o LEFT JOIN submission_submission s ON s.id = o.submission_id
             WHERE o.state = 'dead' ORDER BY o.id LIMIT ?1",
        )?
        .query_map([limit], |row| {
            Ok(DeadLetter {
                place: DeadLetterPlace::Outbox,
                submission_id: Some(text(row, "submission_id")?),
                number: row.get("number")?,
                problem_slug: row.get::<_, Option<String>>("slug")?.unwrap_or_default(),
                generation: row.get("generation")?,
                reason: row.get("last_error")?,
                since_ms: row.get("created_at_ms")?,
                payload_base64: String::new(),
            })
        })?
        .collect::<rusqlite::Result<_>>()?;
    for entry in EmbeddedQueue.dead_letters(connection, limit)? {
        letters.push(queue_letter(connection, entry)?);
    }
    letters.sort_by_key(|letter| letter.since_ms);
    letters.truncate(limit as usize);
    Ok(letters)
}

fn queue_letter(connection: &Connection, entry: DeadEntry) -> rusqlite::Result<DeadLetter> {
    let named = match &entry.task {
        Some(task) => number_and_slug(connection, &task.submission_id)?,
        None => None,
    };
    let (number, problem_slug) = named.map_or((None, String::new()), |(number, slug)| (Some(number), slug));
    let is_poison = entry.task.is_none();
    Ok(DeadLetter {
        place: if is_poison { DeadLetterPlace::Poison } else { DeadLetterPlace::Queue },
        number,
        problem_slug,
        generation: entry.task.as_ref().map_or(0, |task| task.generation),
        submission_id: entry.task.map(|task| task.submission_id),
        reason: entry.reason,
        since_ms: entry.enqueued_at_ms,
        payload_base64: if is_poison { STANDARD.encode(entry.bytes) } else { String::new() },
    })
}

fn number_and_slug(connection: &Connection, id: &SubmissionId) -> rusqlite::Result<Option<(u64, String)>> {
    connection
        .prepare_cached("SELECT number, facts ->> '$.problem.slug' FROM submission_submission WHERE id = ?1")?
        .query_row([id.as_str()], |row| Ok((row.get(0)?, row.get::<_, Option<String>>(1)?.unwrap_or_default())))
        .optional()
}
