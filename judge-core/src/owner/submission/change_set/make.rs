//! Making a rejudging: freeze the selection, judge each submission again, all in one transaction.

use std::collections::{BTreeSet, HashMap};

use agon_contract::audit::AuditAction;
use agon_contract::ids::{ChangeSetId, IdempotencyKey, JudgementId, LanguageId, ProblemId, SubmissionId, UserId};
use agon_contract::rejudge::{RejudgeBasis, RejudgeMode, RejudgeSelection};
use rusqlite::{Connection, OptionalExtension, named_params, params};

use super::{ChangeSetError, SELECTION_MAX, is_empty, reason};
use crate::domain::facts::ProblemFacts;
use crate::ids::new_id;
use crate::owner::submission::fence::Now;
use crate::owner::submission::judgement::{self, Origin};
use crate::owner::submission::manifest::fingerprint;
use crate::owner::submission::staff::{Again, again, note};
use crate::owner::submission::{Submissions, basis};
use crate::store::{NewEvent, StoreError, WriteTx, json, text};

/// A rejudging about to be made.
#[derive(Clone, Debug)]
pub(crate) struct NewRejudging {
    pub by: UserId,
    pub idempotency_key: IdempotencyKey,
    pub selection: RejudgeSelection,
    pub mode: RejudgeMode,
    pub basis: RejudgeBasis,
    /// Facts of now, of the problems that are on the list; empty for `AsHandedIn`.
    pub newest: HashMap<ProblemId, ProblemFacts>,
}

/// What making a rejudging answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    pub id: ChangeSetId,
    /// Judgings that were superseded: their boxes must be killed.
    pub superseded: Vec<JudgementId>,
}

/// A submission that fits.
#[derive(Clone, Debug)]
struct Fitting {
    id: SubmissionId,
    problem_id: ProblemId,
    language_id: LanguageId,
    user_id: UserId,
    current: Option<JudgementId>,
    /// The verdict of `current`.
    current_verdict: Option<String>,
}

/// `:limit` is one more than may fit, so that too many are told from enough.
const FITTING: &str = "
SELECT s.id, s.problem_id, s.language_id, s.user_id, s.current_judgement_id, c.verdict AS current_verdict
FROM submission_submission s LEFT JOIN submission_judgement c ON c.id = s.current_judgement_id
WHERE (:submission IS NULL OR s.id = :submission) AND (:problem IS NULL OR s.problem_id = :problem)
  AND (:language IS NULL OR s.language_id = :language) AND (:verdict IS NULL OR c.verdict = :verdict)
  AND (:contest IS NULL OR s.context ->> '$.contest_id' = :contest)
ORDER BY s.number LIMIT :limit";

impl Submissions {
    /// The problems that a selection reaches, so that their newest facts can be asked for.
    pub(crate) async fn problems_of(&self, selection: &RejudgeSelection) -> Result<BTreeSet<ProblemId>, StoreError> {
        let selection = selection.clone();
        self.store
            .read("look whose submissions fit", move |connection| {
                Ok(fitting(connection, &selection)?.into_iter().map(|fitting| fitting.problem_id).collect())
            })
            .await
    }

    /// Makes a rejudging, or answers the one that this key made.
    pub(crate) async fn rejudge(&self, new: NewRejudging) -> Result<Made, ChangeSetError> {
        if is_empty(&new.selection) {
            return Err(ChangeSetError::EmptySelection);
        }
        refuse_unknown(&new)?;
        self.store.write("judge submissions again", move |tx| make(tx, &new, Now::of(tx))).await?
    }
}

fn refuse_unknown(new: &NewRejudging) -> Result<(), ChangeSetError> {
    if let RejudgeMode::Unknown(what) = &new.mode {
        return Err(ChangeSetError::Unknown { what: what.clone() });
    }
    if let RejudgeBasis::Unknown(what) = &new.basis {
        return Err(ChangeSetError::Unknown { what: what.clone() });
    }
    Ok(())
}

fn fitting(connection: &Connection, selection: &RejudgeSelection) -> rusqlite::Result<Vec<Fitting>> {
    let (submission, problem, language, verdict, contest) = match selection {
        RejudgeSelection::Submission { submission_id } => (Some(submission_id.as_str()), None, None, None, None),
        RejudgeSelection::Matching { problem_id, language_id, verdict, contest_id } => (
            None,
            problem_id.as_ref().map(ProblemId::as_str),
            language_id.as_ref().map(LanguageId::as_str),
            verdict.as_ref().map(|verdict| verdict.as_str()),
            contest_id.as_ref().map(|contest| contest.as_str()),
        ),
    };
    connection
        .prepare_cached(FITTING)?
        .query_map(
            named_params! {
                ":submission": submission, ":problem": problem, ":language": language, ":verdict": verdict,
                ":contest": contest, ":limit": SELECTION_MAX + 1,
            },
            |row| {
                Ok(Fitting {
                    id: text(row, "id")?,
                    problem_id: text(row, "problem_id")?,
                    language_id: text(row, "language_id")?,
                    user_id: text(row, "user_id")?,
                    current: row.get::<_, Option<String>>("current_judgement_id")?.map(JudgementId),
                    current_verdict: row.get("current_verdict")?,
                })
            },
        )?
        .collect()
}

fn asked(new: &NewRejudging) -> String {
    let selection = json(&new.selection);
    fingerprint(&["rejudge", &selection, new.mode.as_str(), new.basis.as_str()], &[])
}

/// The whole of it, or nothing.
pub(in crate::owner::submission) fn make(
    tx: &WriteTx<'_>,
    new: &NewRejudging,
    now: Now,
) -> rusqlite::Result<Result<Made, ChangeSetError>> {
    tx.undone_if_refused(|| freeze_and_queue(tx, new, now))
}

fn freeze_and_queue(tx: &WriteTx<'_>, new: &NewRejudging, now: Now) -> rusqlite::Result<Result<Made, ChangeSetError>> {
    let fingerprint = asked(new);
    if let Some((id, known)) = by_key(tx, &new.by, &new.idempotency_key)? {
        let made = Made { id, superseded: Vec::new() };
        return Ok(if known == fingerprint { Ok(made) } else { Err(ChangeSetError::KeyReused) });
    }
    let found = fitting(tx, &new.selection)?;
    if found.is_empty() {
        return Ok(Err(ChangeSetError::NothingFits));
    }
    if found.len() > SELECTION_MAX {
        return Ok(Err(ChangeSetError::TooMany));
    }
    let id = ChangeSetId(new_id());
    insert(tx, &id, new, &fingerprint)?;
    let bases = keep_bases(tx, &new.newest)?;
    let mut superseded = Vec::new();
    let mut reasons: Vec<&'static str> = Vec::new();
    for (ordinal, fitting) in (1_u32..).zip(&found) {
        let left_out = match judge_again(tx, &id, new, &bases, fitting, now)? {
            Ok(killed) => {
                superseded.extend(killed);
                ""
            }
            Err(reason) => {
                reasons.push(reason);
                reason
            }
        };
        insert_item(tx, &id, ordinal, fitting, left_out)?;
    }
    if reasons.len() == found.len() {
        let being_judged = reasons.iter().filter(|reason| **reason == reason::BEING_JUDGED).count();
        return Ok(Err(ChangeSetError::NothingTaken { being_judged, not_admitted: reasons.len() - being_judged }));
    }
    let details = serde_json::json!({
        "selection": new.selection, "mode": new.mode, "basis": new.basis, "submissions": found.len(),
    });
    note(tx, &new.by, AuditAction::RejudgeRequested, id.as_str(), details)?;
    tx.emit(&NewEvent {
        event_type: "ChangeSetMade",
        aggregate_id: id.as_str(),
        aggregate_version: 1,
        causation_id: Some(new.idempotency_key.as_str()),
        payload: serde_json::json!({ "submissions": found.len() }).to_string(),
    })?;
    Ok(Ok(Made { id, superseded }))
}

/// A problem's newest facts, once per rejudging.
struct Basis<'n> {
    hash: String,
    facts: &'n ProblemFacts,
}

fn keep_bases<'n>(
    tx: &WriteTx<'_>,
    newest: &'n HashMap<ProblemId, ProblemFacts>,
) -> rusqlite::Result<HashMap<&'n ProblemId, Basis<'n>>> {
    newest.iter().map(|(id, facts)| Ok((id, Basis { hash: basis::keep(tx, facts)?, facts }))).collect()
}

/// Judges one submission again; answers the superseded judging, or why it was left out.
fn judge_again(
    tx: &WriteTx<'_>,
    id: &ChangeSetId,
    new: &NewRejudging,
    bases: &HashMap<&ProblemId, Basis<'_>>,
    fitting: &Fitting,
    now: Now,
) -> rusqlite::Result<Result<Option<JudgementId>, &'static str>> {
    let basis = bases.get(&fitting.problem_id);
    if basis.is_some_and(|basis| basis.facts.language(&fitting.language_id).is_none()) {
        return Ok(Err(reason::LANGUAGE_NOT_ADMITTED));
    }
    let Some(seen) = judgement::newest(tx, &fitting.id)? else { return Ok(Err(reason::BEING_JUDGED)) };
    let origin = Origin {
        change_set_id: Some(id.0.clone()),
        is_held: new.mode == RejudgeMode::Reviewed,
        basis_hash: basis.map(|basis| basis.hash.clone()),
    };
    Ok(match again(tx, &fitting.id, &seen, origin, now)? {
        Again::Waits { superseded } => Ok(superseded),
        Again::BeingJudged => Err(reason::BEING_JUDGED),
    })
}

fn by_key(
    connection: &Connection,
    user_id: &UserId,
    key: &IdempotencyKey,
) -> rusqlite::Result<Option<(ChangeSetId, String)>> {
    connection
        .prepare_cached(
            "SELECT id, fingerprint FROM submission_change_set WHERE user_id = ?1 AND idempotency_key = ?2",
        )?
        .query_row([user_id.as_str(), key.as_str()], |row| Ok((text(row, "id")?, row.get("fingerprint")?)))
        .optional()
}

fn insert(tx: &WriteTx<'_>, id: &ChangeSetId, new: &NewRejudging, fingerprint: &str) -> rusqlite::Result<()> {
    let is_direct = new.mode == RejudgeMode::Direct;
    tx.prepare_cached(
        "INSERT INTO submission_change_set (id, user_id, idempotency_key, fingerprint, selection, mode, basis, state,
                                            made_at_ms, decided_at_ms, decided_by)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?
    .execute(params![
        id.as_str(),
        new.by.as_str(),
        new.idempotency_key.as_str(),
        fingerprint,
        json(&new.selection),
        new.mode.as_str(),
        new.basis.as_str(),
        if is_direct { "applied" } else { "open" },
        tx.wall_ms(),
        is_direct.then(|| tx.wall_ms()),
        is_direct.then(|| new.by.as_str())
    ])?;
    Ok(())
}

fn insert_item(
    tx: &WriteTx<'_>,
    id: &ChangeSetId,
    ordinal: u32,
    fitting: &Fitting,
    left_out: &str,
) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "INSERT INTO submission_change_set_item (change_set_id, ordinal, submission_id, old_judgement_id, outcome, reason,
                                                 user_id, old_verdict)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        id.as_str(),
        ordinal,
        fitting.id.as_str(),
        fitting.current.as_ref().map(JudgementId::as_str),
        if left_out.is_empty() { "open" } else { "left_out" },
        left_out,
        fitting.user_id.as_str(),
        fitting.current_verdict
    ])?;
    Ok(())
}
