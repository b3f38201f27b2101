//! Change sets: a rejudging, the submissions it froze, and what became of each.
//!
//! ```text
//! reviewed: open ──apply──► applied     direct: applied from the start
//!             └───discard─► discarded
//! item: open ──apply──► applied | refused(why)      left out: matched, but not judged again
//! ```
//! The selection is frozen in the transaction that makes the change set: what arrives later is not in it. Its judgements
//! carry its id, and so do the generations that follow them after faults. Those of a reviewed one are *held*: their
//! verdict counts only by `apply`, and only where the judgement that was previewed as old still counts.
//! (Rule: delivery, "Fence".)

mod decide;
mod make;
mod tally;
mod view;

use agon_contract::rejudge::RejudgeSelection;
use agon_contract::{ApiError, ErrorCode};

use crate::store::StoreError;

#[cfg(test)]
pub(super) use decide::DECIDE;
#[cfg(test)]
pub(super) use decide::{apply, discard};
pub(crate) use make::NewRejudging;
#[cfg(test)]
pub(super) use make::make;
#[cfg(test)]
pub(super) use tally::tests::check as check_tally;
pub(crate) use view::ItemFilter;

pub(super) const SCHEMA: &str = "
CREATE TABLE submission_change_set (
    number          INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT NOT NULL UNIQUE CHECK (length(id) = 36),
    user_id         TEXT NOT NULL,
    idempotency_key TEXT NOT NULL CHECK (idempotency_key <> ''),
    fingerprint     TEXT NOT NULL CHECK (length(fingerprint) = 64),
    selection       TEXT NOT NULL CHECK (json_valid(selection)),
    mode            TEXT NOT NULL CHECK (mode IN ('direct', 'reviewed')),
    basis           TEXT NOT NULL CHECK (basis IN ('newest', 'as_handed_in')),
    state           TEXT NOT NULL CHECK (state IN ('open', 'applied', 'discarded')),
    made_at_ms      INTEGER NOT NULL,
    decided_at_ms   INTEGER,
    decided_by      TEXT,
    UNIQUE (user_id, idempotency_key),
    CHECK ((state = 'open') = (decided_at_ms IS NULL)),
    CHECK ((state = 'open') = (decided_by IS NULL)),
    CHECK (mode = 'reviewed' OR state = 'applied')
) STRICT;
CREATE TRIGGER submission_change_set_final BEFORE UPDATE ON submission_change_set
WHEN OLD.state <> 'open'
BEGIN SELECT RAISE(ABORT, 'a decided change set never changes'); END;
CREATE TRIGGER submission_change_set_kept BEFORE DELETE ON submission_change_set
BEGIN SELECT RAISE(ABORT, 'a change set is never deleted'); END;
CREATE TABLE submission_change_set_item (
    change_set_id    TEXT NOT NULL REFERENCES submission_change_set (id),
    ordinal          INTEGER NOT NULL CHECK (ordinal > 0),
    submission_id    TEXT NOT NULL REFERENCES submission_submission (id),
    -- What counted when the change set was made.
    old_judgement_id TEXT REFERENCES submission_judgement (id),
    outcome          TEXT NOT NULL CHECK (outcome IN ('open', 'left_out', 'applied', 'refused')),
    reason           TEXT NOT NULL DEFAULT '',
    new_judgement_id TEXT REFERENCES submission_judgement (id),
    PRIMARY KEY (change_set_id, ordinal),
    UNIQUE (change_set_id, submission_id),
    CHECK ((outcome IN ('left_out', 'refused')) = (reason <> '')),
    CHECK ((outcome = 'applied') = (new_judgement_id IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX submission_change_set_item_by_judgement ON submission_change_set_item (new_judgement_id)
    WHERE new_judgement_id IS NOT NULL;
CREATE TRIGGER submission_change_set_item_final BEFORE UPDATE ON submission_change_set_item
WHEN OLD.outcome <> 'open'
BEGIN SELECT RAISE(ABORT, 'a decided item never changes'); END;
CREATE INDEX submission_submission_by_contest ON submission_submission (context ->> '$.contest_id', number)
    WHERE context ->> '$.contest_id' IS NOT NULL;
";

/// What counting a change set reads, in the items themselves and in one index, so that it looks no row up. A folder that
/// has items gets theirs here; all of it is fixed when an item is made.
pub(super) const TALLY: &str = "
ALTER TABLE submission_change_set_item ADD COLUMN user_id TEXT NOT NULL DEFAULT '';
ALTER TABLE submission_change_set_item ADD COLUMN old_verdict TEXT;
DROP TRIGGER submission_change_set_item_final;
UPDATE submission_change_set_item SET
    user_id = (SELECT s.user_id FROM submission_submission s WHERE s.id = submission_id),
    old_verdict = (SELECT j.verdict FROM submission_judgement j WHERE j.id = old_judgement_id);
CREATE TRIGGER submission_change_set_item_final BEFORE UPDATE ON submission_change_set_item
WHEN OLD.outcome <> 'open'
BEGIN SELECT RAISE(ABORT, 'a decided item never changes'); END;
CREATE TRIGGER submission_change_set_item_sealed
BEFORE UPDATE OF change_set_id, ordinal, submission_id, user_id, old_judgement_id, old_verdict
    ON submission_change_set_item
BEGIN SELECT RAISE(ABORT, 'what an item is never changes'); END;
DROP INDEX submission_judgement_by_change_set;
CREATE INDEX submission_judgement_by_change_set
    ON submission_judgement (change_set_id, submission_id, generation, state, verdict)
    WHERE change_set_id IS NOT NULL;
";

/// Submissions of one rejudging; what fits more is narrowed by its maker.
pub(crate) const SELECTION_MAX: usize = 10_000;

/// Why an item was left out or refused (contract `ItemReason`).
mod reason {
    pub(super) const BEING_JUDGED: &str = "being_judged";
    pub(super) const LANGUAGE_NOT_ADMITTED: &str = "language_not_admitted";
    pub(super) const CURRENT_MOVED: &str = "current_moved";
    pub(super) const NO_VERDICT: &str = "no_verdict";
    pub(super) const JUDGE_ERROR: &str = "judge_error";
}

/// Why a rejudging was not made or decided; nothing changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChangeSetError {
    #[error("this key was used for something else; nothing was judged again")]
    KeyReused,
    #[error("say what to judge again: a submission, or at least one of problem, language, verdict and contest")]
    EmptySelection,
    #[error("nothing fits; nothing was judged again")]
    NothingFits,
    #[error(
        "of what fits, {being_judged} are being judged or wait in an open change set, and the languages of {not_admitted} \
         are not admitted any more; nothing was judged again"
    )]
    NothingTaken { being_judged: usize, not_admitted: usize },
    #[error("more than {SELECTION_MAX} submissions fit; narrow the selection")]
    TooMany,
    #[error("this program does not know how to judge again `{what}`")]
    Unknown { what: String },
    #[error("there is no change set {id}")]
    NoChangeSet { id: String },
    #[error("{count} of its submissions are not judged yet")]
    NotJudgedYet { count: u32 },
    #[error("this change set is {state} already")]
    Decided { state: &'static str },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<ChangeSetError> for ApiError {
    fn from(error: ChangeSetError) -> Self {
        let code = match &error {
            ChangeSetError::EmptySelection | ChangeSetError::TooMany | ChangeSetError::Unknown { .. } => {
                ErrorCode::BadRequest
            }
            ChangeSetError::NothingFits | ChangeSetError::NoChangeSet { .. } => ErrorCode::NotFound,
            ChangeSetError::KeyReused
            | ChangeSetError::NothingTaken { .. }
            | ChangeSetError::NotJudgedYet { .. }
            | ChangeSetError::Decided { .. } => ErrorCode::Conflict,
            ChangeSetError::Store(_) => return stored(error),
        };
        let told = ApiError::new(code, error.to_string());
        if matches!(error, ChangeSetError::NothingTaken { .. }) {
            return told.with_hint("Apply or discard the open change set first, or wait for the verdicts.");
        }
        told
    }
}

fn stored(error: ChangeSetError) -> ApiError {
    match error {
        ChangeSetError::Store(error) => error.into(),
        other => ApiError::new(ErrorCode::Internal, other.to_string()),
    }
}

/// Whether a selection names anything.
fn is_empty(selection: &RejudgeSelection) -> bool {
    match selection {
        RejudgeSelection::Submission { .. } => false,
        RejudgeSelection::Matching { problem_id, language_id, verdict, contest_id } => {
            problem_id.is_none() && language_id.is_none() && verdict.is_none() && contest_id.is_none()
        }
    }
}
