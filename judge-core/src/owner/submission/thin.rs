//! What the machinery of judging leaves behind goes when nothing can ask for it any more; submissions, judgements and runs
//! stay for ever.

use crate::delivery::lease::Hold;
use crate::store::WriteTx;

/// Removes done queue entries and archived outbox rows that ended before `before_ms`; answers how many. An entry's key
/// stays known as long as an outbox row could still send it.
pub(crate) fn thin_queue(tx: &WriteTx<'_>, hold: &Hold, before_ms: i64, now_steady_ms: i64) -> rusqlite::Result<usize> {
    let held = hold.held(tx.owner(), now_steady_ms);
    let entries = tx
        .prepare_cached(&format!(
            "DELETE FROM submission_queue_entry
             WHERE state = 'done' AND enqueued_at_ms < :before_ms AND {}
               AND NOT EXISTS (SELECT 1 FROM submission_judge_outbox o
                               WHERE o.submission_id = submission_queue_entry.submission_id
                                 AND o.generation = submission_queue_entry.generation AND o.state <> 'archived')
               AND EXISTS (SELECT 1 FROM submission_judgement j
                           WHERE j.submission_id = submission_queue_entry.submission_id
                             AND j.generation = submission_queue_entry.generation
                             AND j.state NOT IN ('pending', 'judging'))",
            held.sql
        ))?
        .execute(&*held.with(&[(":before_ms", &before_ms)]))?;
    let rows = tx
        .prepare_cached(&format!(
            "DELETE FROM submission_judge_outbox
             WHERE state = 'archived' AND created_at_ms < :before_ms AND {}
               AND NOT EXISTS (SELECT 1 FROM submission_queue_entry e
                               WHERE e.submission_id = submission_judge_outbox.submission_id
                                 AND e.generation = submission_judge_outbox.generation)
               AND EXISTS (SELECT 1 FROM submission_judgement j
                           WHERE j.submission_id = submission_judge_outbox.submission_id
                             AND j.generation = submission_judge_outbox.generation
                             AND j.state NOT IN ('pending', 'judging'))",
            held.sql
        ))?
        .execute(&*held.with(&[(":before_ms", &before_ms)]))?;
    Ok(entries + rows)
}
