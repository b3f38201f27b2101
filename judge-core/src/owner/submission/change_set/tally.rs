//! How far a change set is: its items counted by state.
//!
//! A list shows many sets of up to ten thousand items, so counting a set reads its items in the order in which they lie
//! and one index beside them, and no other row (enforced by `counting_looks_up_no_row`).

use std::collections::HashMap;

use agon_contract::ids::ChangeSetId;
use agon_contract::rejudge::ChangeSetCounts;
use rusqlite::{Connection, named_params};

use crate::store::text;

/// An item's state is its outcome; an open one's is that of the newest judgement that was made of it.
const TALLY: &str = "
SELECT count(*) AS total,
       count(*) FILTER (WHERE i.outcome = 'left_out') AS left_out,
       count(*) FILTER (WHERE i.outcome = 'applied') AS applied,
       count(*) FILTER (WHERE i.outcome = 'refused') AS refused,
       count(*) FILTER (WHERE i.outcome = 'open' AND n.state = 'pending') AS pending,
       count(*) FILTER (WHERE i.outcome = 'open' AND n.state = 'judging') AS judging,
       count(*) FILTER (WHERE i.outcome = 'open' AND n.state = 'judged') AS judged,
       count(*) FILTER (WHERE n.verdict IS NOT NULL AND n.verdict IS NOT i.old_verdict) AS changed,
       count(DISTINCT CASE WHEN n.verdict IS NOT NULL AND n.verdict IS NOT i.old_verdict THEN i.user_id END)
           AS people_affected
FROM submission_change_set_item i
LEFT JOIN submission_judgement n INDEXED BY submission_judgement_by_change_set
     ON n.change_set_id = i.change_set_id AND n.submission_id = i.submission_id
     AND n.generation = (SELECT max(m.generation) FROM submission_judgement m
                             INDEXED BY submission_judgement_by_change_set
                         WHERE m.change_set_id = i.change_set_id AND m.submission_id = i.submission_id)
WHERE i.change_set_id = :id";

/// From what was set aside, of which there is little, to the change sets that wait for it. The order and the indexes are
/// said, because without statistics the planner would rather walk all judgements of all change sets.
const SET_ASIDE: &str = "
SELECT j.change_set_id, count(*) AS items
FROM (SELECT submission_id, generation FROM submission_judge_outbox INDEXED BY submission_judge_outbox_dead
      WHERE state = 'dead'
      UNION
      SELECT submission_id, generation FROM submission_queue_entry INDEXED BY submission_queue_entry_dead
      WHERE state = 'dead') d
CROSS JOIN submission_judgement j
WHERE j.submission_id = d.submission_id AND j.generation = d.generation AND j.state = 'pending'
  AND j.change_set_id IS NOT NULL
GROUP BY j.change_set_id";

/// How many items of each change set wait for a person, where any do.
pub(super) struct SetAside(HashMap<ChangeSetId, u32>);

pub(super) fn set_aside(connection: &Connection) -> rusqlite::Result<SetAside> {
    let found = connection
        .prepare_cached(SET_ASIDE)?
        .query_map([], |row| Ok((text::<ChangeSetId>(row, "change_set_id")?, row.get::<_, u32>("items")?)))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(SetAside(found))
}

/// The counts of one change set.
pub(super) fn of(connection: &Connection, id: &ChangeSetId, set_aside: &SetAside) -> rusqlite::Result<ChangeSetCounts> {
    let needs_attention = set_aside.0.get(id).copied().unwrap_or_default();
    connection.prepare_cached(TALLY)?.query_row(named_params! { ":id": id.as_str() }, |row| {
        let mut counts = ChangeSetCounts {
            total: row.get("total")?,
            waiting: row.get::<_, u32>("pending")?.saturating_sub(needs_attention),
            judging: row.get("judging")?,
            judged: row.get("judged")?,
            changed: row.get("changed")?,
            people_affected: row.get("people_affected")?,
            needs_attention,
            left_out: row.get("left_out")?,
            applied: row.get("applied")?,
            refused: row.get("refused")?,
            ended: 0,
        };
        let known = counts.waiting + counts.judging + counts.judged + counts.needs_attention;
        let decided = counts.left_out + counts.applied + counts.refused;
        counts.ended = counts.total.saturating_sub(known + decided);
        Ok(counts)
    })
}

#[cfg(test)]
pub(in crate::owner::submission) mod tests;
