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

/// Runs that have more than is kept for ever, so that they are found without looking at all.
pub(super) const OUTPUT_INDEX: &str = "
CREATE INDEX submission_run_to_thin ON submission_run (judgement_id)
    WHERE length(output_head) + length(stderr_head) > CASE verdict WHEN 'AC' THEN 0 ELSE 65536 END;
";

/// Runs thinned in one transaction.
const OUTPUT_BATCH: u32 = 500;

/// Leaves of runs whose judging ended before `before_ms` what is kept for ever: of a failing one 64 KiB of its streams
/// together, of an accepted one none. Answers how many runs lost something. (Rule: foundations, "Retention".)
pub(crate) fn thin_outputs(
    tx: &WriteTx<'_>,
    hold: &Hold,
    before_ms: i64,
    now_steady_ms: i64,
) -> rusqlite::Result<usize> {
    let held = hold.held(tx.owner(), now_steady_ms);
    // Of two long streams each keeps half; what one leaves, the other may have.
    tx.prepare_cached(&format!(
        "UPDATE submission_run
         SET output_head = CASE verdict WHEN 'AC' THEN x''
                           ELSE substr(output_head, 1, max(32768, 65536 - length(stderr_head))) END,
             stderr_head = CASE verdict WHEN 'AC' THEN x''
                           ELSE substr(stderr_head, 1, max(32768, 65536 - length(output_head))) END
         WHERE {} AND (judgement_id, ordinal) IN (
             SELECT r.judgement_id, r.ordinal FROM submission_run r
             JOIN submission_judgement j ON j.id = r.judgement_id
             WHERE length(r.output_head) + length(r.stderr_head) > CASE r.verdict WHEN 'AC' THEN 0 ELSE 65536 END
               AND j.finished_at_ms < :before_ms
             LIMIT {OUTPUT_BATCH})",
        held.sql
    ))?
    .execute(&*held.with(&[(":before_ms", &before_ms)]))
}
