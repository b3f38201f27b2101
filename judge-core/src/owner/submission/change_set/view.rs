//! What staff sees of a change set: old verdict and new of each submission, and how far it is.

use agon_contract::ids::{ChangeSetId, SubmissionId, UserId};
use agon_contract::rejudge::{
    ChangeSetCounts, ChangeSetItem, ChangeSetItemState, ChangeSetPage, ChangeSetState, ChangeSetView,
};
use agon_contract::submission::JudgementState;
use agon_contract::verdict::Verdict;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};

use super::{ChangeSetError, tally};
use crate::owner::submission::Submissions;
use crate::store::{StoreError, decode, text};

/// Each item beside the newest judgement that the change set made of it.
const ITEMS: &str = "
SELECT i.ordinal, i.submission_id, i.outcome, i.reason AS item_reason, i.old_judgement_id,
       s.number, s.user_id, s.facts ->> '$.problem.slug' AS slug, s.language_id, o.verdict AS old_verdict,
       n.id AS new_id, n.generation AS new_generation, n.state AS new_state, n.verdict AS new_verdict,
       n.reason AS new_reason,
       EXISTS (SELECT 1 FROM submission_judge_outbox w WHERE w.submission_id = n.submission_id
                  AND w.generation = n.generation AND w.state = 'dead')
       OR EXISTS (SELECT 1 FROM submission_queue_entry q WHERE q.submission_id = n.submission_id
                     AND q.generation = n.generation AND q.state = 'dead') AS is_set_aside
FROM submission_change_set_item i
JOIN submission_submission s ON s.id = i.submission_id
LEFT JOIN submission_judgement o ON o.id = i.old_judgement_id
LEFT JOIN submission_judgement n ON n.submission_id = i.submission_id AND n.change_set_id = i.change_set_id
     AND n.generation = (SELECT max(generation) FROM submission_judgement m
                         WHERE m.change_set_id = i.change_set_id AND m.submission_id = i.submission_id)
WHERE i.change_set_id = :id";

/// Which items a page has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ItemFilter {
    pub after_ordinal: u32,
    pub limit: u32,
    pub only_changed: bool,
}

impl Submissions {
    /// One change set with a page of its items.
    pub(crate) async fn change_set(
        &self,
        id: &ChangeSetId,
        filter: ItemFilter,
    ) -> Result<ChangeSetView, ChangeSetError> {
        let id = id.clone();
        let missing = id.0.clone();
        let found = self.store.read("read a change set", move |connection| view(connection, &id, filter)).await?;
        found.ok_or(ChangeSetError::NoChangeSet { id: missing })
    }

    /// Change sets, newest first, without items.
    pub(crate) async fn change_sets(
        &self,
        before_number: Option<u64>,
        limit: u32,
    ) -> Result<ChangeSetPage, StoreError> {
        self.store.read("list change sets", move |connection| page(connection, before_number, limit)).await
    }
}

fn page(connection: &Connection, before_number: Option<u64>, limit: u32) -> rusqlite::Result<ChangeSetPage> {
    let before = before_number.map_or(i64::MAX, |number| i64::try_from(number).unwrap_or(i64::MAX));
    let mut rows = connection
        .prepare_cached("SELECT * FROM submission_change_set WHERE number < ?1 ORDER BY number DESC LIMIT ?2")?
        // One more than asked tells whether there is another page.
        .query_map(params![before, limit + 1], change_set)?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let has_more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let set_aside = tally::set_aside(connection)?;
    for row in &mut rows {
        row.counts = tally::of(connection, &row.id, &set_aside)?;
    }
    let next_before_number = rows.last().filter(|_| has_more).map(|row| row.number);
    Ok(ChangeSetPage { rows, next_before_number })
}

fn view(connection: &Connection, id: &ChangeSetId, filter: ItemFilter) -> rusqlite::Result<Option<ChangeSetView>> {
    let found = connection
        .prepare_cached("SELECT * FROM submission_change_set WHERE id = ?1")?
        .query_row([id.as_str()], change_set)
        .optional()?;
    let Some(mut view) = found else { return Ok(None) };
    view.counts = tally::of(connection, id, &tally::set_aside(connection)?)?;
    let sql = format!(
        "{ITEMS} AND i.ordinal > :after AND (:all OR (n.verdict IS NOT NULL AND n.verdict IS NOT o.verdict))
         ORDER BY i.ordinal LIMIT :limit"
    );
    view.items = connection
        .prepare_cached(&sql)?
        .query_map(
            named_params! {
                ":id": id.as_str(), ":after": filter.after_ordinal, ":all": !filter.only_changed,
                ":limit": filter.limit + 1,
            },
            |row| Ok(item(&Lying::of(row)?, row)),
        )?
        .map(|item| item?)
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let has_more = view.items.len() > filter.limit as usize;
    view.items.truncate(filter.limit as usize);
    view.next_after_ordinal = view.items.last().filter(|_| has_more).map(|item| item.ordinal);
    Ok(Some(view))
}

fn change_set(row: &Row<'_>) -> rusqlite::Result<ChangeSetView> {
    Ok(ChangeSetView {
        id: text(row, "id")?,
        number: row.get("number")?,
        made_by: text(row, "user_id")?,
        made_at_ms: row.get("made_at_ms")?,
        selection: decode(row, "selection")?,
        mode: text(row, "mode")?,
        basis: text(row, "basis")?,
        state: text(row, "state")?,
        decided_at_ms: row.get("decided_at_ms")?,
        decided_by: row.get::<_, Option<String>>("decided_by")?.map(UserId),
        counts: ChangeSetCounts::default(),
        items: Vec::new(),
        next_after_ordinal: None,
    })
}

/// An item with the newest judgement that was made of it.
#[derive(Clone, Debug)]
pub(super) struct Lying {
    pub ordinal: u32,
    pub submission_id: SubmissionId,
    pub user_id: UserId,
    pub outcome: String,
    pub item_reason: String,
    pub old_judgement_id: Option<String>,
    pub old_verdict: Option<Verdict>,
    pub new_id: Option<String>,
    pub new_generation: Option<u32>,
    pub new_state: Option<JudgementState>,
    pub new_verdict: Option<Verdict>,
    pub new_reason: Option<String>,
    pub is_set_aside: bool,
}

impl Lying {
    pub(super) fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        let verdict = |column| -> rusqlite::Result<Option<Verdict>> {
            Ok(row.get::<_, Option<String>>(column)?.map(|verdict| Verdict::from(verdict.as_str())))
        };
        Ok(Self {
            ordinal: row.get("ordinal")?,
            submission_id: text(row, "submission_id")?,
            user_id: text(row, "user_id")?,
            outcome: row.get("outcome")?,
            item_reason: row.get("item_reason")?,
            old_judgement_id: row.get("old_judgement_id")?,
            old_verdict: verdict("old_verdict")?,
            new_id: row.get("new_id")?,
            new_generation: row.get("new_generation")?,
            new_state: row.get::<_, Option<String>>("new_state")?.map(|state| JudgementState::from(state.as_str())),
            new_verdict: verdict("new_verdict")?,
            new_reason: row.get("new_reason")?,
            is_set_aside: row.get("is_set_aside")?,
        })
    }

    /// Where the item stands.
    pub(super) fn state(&self) -> ChangeSetItemState {
        match (self.outcome.as_str(), &self.new_state) {
            ("applied", _) => ChangeSetItemState::Applied,
            ("refused", _) => ChangeSetItemState::Refused,
            ("left_out", _) => ChangeSetItemState::LeftOut,
            (_, Some(JudgementState::Pending)) if self.is_set_aside => ChangeSetItemState::NeedsAttention,
            (_, Some(JudgementState::Pending)) => ChangeSetItemState::Waiting,
            (_, Some(JudgementState::Judging)) => ChangeSetItemState::Judging,
            (_, Some(JudgementState::Judged)) => ChangeSetItemState::Judged,
            (_, Some(JudgementState::Abandoned | JudgementState::Cancelled | JudgementState::Unknown(_)) | None) => {
                ChangeSetItemState::Ended
            }
        }
    }
}

/// Every item of a change set.
pub(super) fn all(connection: &Connection, id: &ChangeSetId) -> rusqlite::Result<Vec<Lying>> {
    connection
        .prepare_cached(&format!("{ITEMS} ORDER BY i.ordinal"))?
        .query_map(named_params! { ":id": id.as_str() }, Lying::of)?
        .collect()
}

fn item(lying: &Lying, row: &Row<'_>) -> rusqlite::Result<ChangeSetItem> {
    let reason =
        if lying.item_reason.is_empty() { lying.new_reason.as_deref() } else { Some(lying.item_reason.as_str()) };
    Ok(ChangeSetItem {
        ordinal: lying.ordinal,
        submission_id: lying.submission_id.clone(),
        number: row.get("number")?,
        user_id: lying.user_id.clone(),
        problem_slug: row.get::<_, Option<String>>("slug")?.unwrap_or_default(),
        language_id: text(row, "language_id")?,
        state: lying.state(),
        old_verdict: lying.old_verdict.clone(),
        new_verdict: lying.new_verdict.clone(),
        reason: reason.unwrap_or_default().to_owned(),
    })
}

/// The state of a change set; `None` when there is none.
pub(super) fn state(connection: &Connection, id: &ChangeSetId) -> rusqlite::Result<Option<ChangeSetState>> {
    connection
        .prepare_cached("SELECT state FROM submission_change_set WHERE id = ?1")?
        .query_row([id.as_str()], |row| text(row, "state"))
        .optional()
}
