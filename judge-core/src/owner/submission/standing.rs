//! Sums over submissions: a person's standing per problem, and the counts of the top bar.

use std::collections::HashMap;

use agon_contract::event::OutboxCounts;
use agon_contract::ids::{ProblemId, UserId};
use agon_contract::verdict::Verdict;
use rusqlite::{Connection, params};

use super::Submissions;
use crate::store::{StoreError, text};

/// What a person did with one problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub attempts: u32,
    /// AC when there is one, else the newest verdict; a judge error counts as none.
    pub best_verdict: Option<Verdict>,
}

impl Submissions {
    /// The person's standing in every problem they tried.
    pub(crate) async fn standings(&self, user_id: &UserId) -> Result<HashMap<ProblemId, Standing>, StoreError> {
        let user_id = user_id.clone();
        self.store.read("sum a person's submissions", move |connection| standings(connection, &user_id)).await
    }

    /// Counts of work not yet judged; of one person, or (with `None`) of everybody.
    pub(crate) async fn outbox_counts(&self, user_id: Option<&UserId>) -> Result<OutboxCounts, StoreError> {
        let user_id = user_id.cloned();
        self.store.read("count unfinished work", move |connection| counts(connection, user_id.as_ref())).await
    }
}

fn standings(connection: &Connection, user_id: &UserId) -> rusqlite::Result<HashMap<ProblemId, Standing>> {
    // Beside the one max(), SQLite takes j.verdict from the row that has the maximum: the newest judged one.
    let mut statement = connection.prepare_cached(
        "SELECT s.problem_id, count(*) AS attempts, total(j.verdict = 'AC') > 0 AS is_solved,
                max(CASE WHEN j.verdict <> 'JE' THEN s.number END) AS newest, j.verdict AS newest_verdict
         FROM submission_submission s LEFT JOIN submission_judgement j ON j.id = s.current_judgement_id
         WHERE s.user_id = ?1 GROUP BY s.problem_id",
    )?;
    let rows = statement.query_map([user_id.as_str()], |row| {
        let is_judged = row.get::<_, Option<i64>>("newest")?.is_some();
        let best_verdict = match (row.get("is_solved")?, is_judged) {
            (true, _) => Some(Verdict::Accepted),
            (false, true) => Some(text(row, "newest_verdict")?),
            (false, false) => None,
        };
        Ok((text(row, "problem_id")?, Standing { attempts: row.get("attempts")?, best_verdict }))
    })?;
    rows.collect()
}

fn counts(connection: &Connection, user_id: Option<&UserId>) -> rusqlite::Result<OutboxCounts> {
    connection
        .prepare_cached(
            "SELECT total(j.state = 'pending' AND o.state = 'pending') AS saved,
                    total(j.state = 'pending' AND o.state = 'sent' AND q.state <> 'dead') AS queued,
                    total(j.state = 'judging') AS judging,
                    total(j.state = 'pending' AND (o.state = 'dead' OR q.state IS 'dead')) AS needs_attention
             FROM submission_judgement j
             JOIN submission_judge_outbox o ON o.submission_id = j.submission_id AND o.generation = j.generation
             LEFT JOIN submission_queue_entry q
                    ON q.submission_id = j.submission_id AND q.generation = j.generation
             WHERE j.state IN ('pending', 'judging')
               AND (?1 IS NULL OR j.is_held = 0)
               AND (?1 IS NULL
                    OR EXISTS (SELECT 1 FROM submission_submission s WHERE s.id = j.submission_id AND s.user_id = ?1))",
        )?
        .query_row(params![user_id.map(UserId::as_str)], |row| {
            let count = |column| -> rusqlite::Result<u32> {
                // total() answers a float; counts are far below its exact range.
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
                Ok(row.get::<_, f64>(column)? as u32)
            };
            Ok(OutboxCounts {
                saved: count("saved")?,
                queued: count("queued")?,
                judging: count("judging")?,
                needs_attention: count("needs_attention")?,
                paused_reason: String::new(),
            })
        })
}
