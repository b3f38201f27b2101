//! The fence: each step of a judgement, with all of its conditions in the WHERE clause.
//!
//! A step answers whether it happened. Zero rows changed means that the lease was lost, the generation is old or
//! somebody took over: the caller drops its result and kills its box. Times are steady milliseconds ([`Clock`]).
//! (Rule: delivery, "Fence".)
//!
//! [`Clock`]: crate::clock::Clock

use agon_contract::ids::{JudgementId, SubmissionId};
use agon_contract::verdict::Verdict;
use rusqlite::{Connection, params};

use crate::ids::new_id;

/// How long a lease lasts without renewal.
pub(crate) const LEASE_MS: i64 = 60_000;

/// Leases recovered in one transaction.
const RECOVERY_BATCH: u32 = 20;

/// One worker's hold on one judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lease {
    pub judgement_id: JudgementId,
    pub submission_id: SubmissionId,
    /// Epoch of the submission.
    pub generation: u32,
    /// This hold; another worker's is another.
    pub attempt_id: String,
    pub boot_id: String,
}

impl Lease {
    /// A lease that [`acquire`] may make real.
    pub(crate) fn wanted(
        judgement_id: JudgementId,
        submission_id: SubmissionId,
        generation: u32,
        boot_id: &str,
    ) -> Self {
        Self { judgement_id, submission_id, generation, attempt_id: new_id(), boot_id: boot_id.to_owned() }
    }
}

/// The two moments of a step: steady time decides, wall time is recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Now {
    pub steady_ms: i64,
    pub wall_ms: i64,
}

/// Pending → Judging, for the worker that comes first.
pub(crate) fn acquire(connection: &Connection, lease: &Lease, now: Now) -> rusqlite::Result<bool> {
    changed_one(
        connection
            .prepare_cached(
                "UPDATE submission_judgement
                 SET state = 'judging', attempt_id = ?3, boot_id = ?4, lease_until_ms = ?5, started_at_ms = ?6
                 WHERE id = ?1 AND generation = ?2 AND state = 'pending'",
            )?
            .execute(params![
                lease.judgement_id.as_str(),
                lease.generation,
                lease.attempt_id,
                lease.boot_id,
                now.steady_ms + LEASE_MS,
                now.wall_ms
            ])?,
    )
}

/// A live lease lives on for its whole length.
pub(crate) fn renew(connection: &Connection, lease: &Lease, now: Now) -> rusqlite::Result<bool> {
    changed_one(
        connection
            .prepare_cached(
                "UPDATE submission_judgement SET lease_until_ms = ?4
                 WHERE id = ?1 AND generation = ?2 AND state = 'judging' AND attempt_id = ?3
                   AND lease_until_ms > ?5 AND lease_until_ms <= ?4",
            )?
            .execute(params![
                lease.judgement_id.as_str(),
                lease.generation,
                lease.attempt_id,
                now.steady_ms + LEASE_MS,
                now.steady_ms
            ])?,
    )
}

/// What a verdict writes on its judgement; the runs are rows of their own.
#[derive(Clone, Debug)]
pub(crate) struct Settlement {
    pub verdict: Verdict,
    pub reason: String,
    pub compiler_text: Vec<u8>,
    pub first_failing: Option<String>,
    pub max_cpu_ms: Option<u64>,
    pub max_wall_ms: Option<u64>,
    pub peak_memory_bytes: Option<u64>,
    pub machine: String,
    pub image_id: String,
}

/// Judging → Judged, while the lease lives.
pub(crate) fn settle(connection: &Connection, lease: &Lease, what: &Settlement, now: Now) -> rusqlite::Result<bool> {
    changed_one(
        connection
            .prepare_cached(
                "UPDATE submission_judgement
                 SET state = 'judged', lease_until_ms = NULL, finished_at_ms = ?6, verdict = ?7, reason = ?8,
                     compiler_text = ?9, first_failing = ?10, max_cpu_ms = ?11, max_wall_ms = ?12,
                     peak_memory_bytes = ?13, machine = ?14, image_id = ?15
                 WHERE id = ?1 AND generation = ?2 AND state = 'judging' AND attempt_id = ?3
                   AND lease_until_ms > ?4 AND lease_until_ms <= ?5",
            )?
            .execute(params![
                lease.judgement_id.as_str(),
                lease.generation,
                lease.attempt_id,
                now.steady_ms,
                now.steady_ms + LEASE_MS,
                now.wall_ms,
                what.verdict.as_str(),
                what.reason,
                what.compiler_text,
                what.first_failing,
                what.max_cpu_ms,
                what.max_wall_ms,
                what.peak_memory_bytes,
                what.machine,
                what.image_id
            ])?,
    )
}

/// Judging → Abandoned by its own worker: our fault. The lease need not live; recovery may simply be slower.
pub(crate) fn abandon(connection: &Connection, lease: &Lease, reason: &str, now: Now) -> rusqlite::Result<bool> {
    changed_one(
        connection
            .prepare_cached(
                "UPDATE submission_judgement
                 SET state = 'abandoned', lease_until_ms = NULL, finished_at_ms = ?4, reason = ?5
                 WHERE id = ?1 AND generation = ?2 AND state = 'judging' AND attempt_id = ?3",
            )?
            .execute(params![lease.judgement_id.as_str(), lease.generation, lease.attempt_id, now.wall_ms, reason])?,
    )
}

/// A judgement whose lease nobody holds any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Orphan {
    pub judgement_id: JudgementId,
    pub submission_id: SubmissionId,
    pub generation: u32,
    pub faults: u32,
}

/// Leases that ended, lie further ahead than any lease can, or belong to a process that is gone.
const IS_ORPHANED: &str =
    "state = 'judging' AND (lease_until_ms <= :now OR lease_until_ms > :horizon OR boot_id <> :boot)";

pub(crate) fn orphans(connection: &Connection, boot_id: &str, now: Now) -> rusqlite::Result<Vec<Orphan>> {
    connection
        .prepare_cached(&format!(
            "SELECT id, submission_id, generation, faults FROM submission_judgement WHERE {IS_ORPHANED}
             ORDER BY lease_until_ms LIMIT {RECOVERY_BATCH}"
        ))?
        .query_map(
            rusqlite::named_params! {
                ":now": now.steady_ms, ":horizon": now.steady_ms + LEASE_MS, ":boot": boot_id,
            },
            |row| {
                Ok(Orphan {
                    judgement_id: JudgementId(row.get(0)?),
                    submission_id: SubmissionId(row.get(1)?),
                    generation: row.get(2)?,
                    faults: row.get(3)?,
                })
            },
        )?
        .collect()
}

/// Judging → Abandoned, because nobody holds the lease.
pub(crate) fn recover(connection: &Connection, orphan: &Orphan, boot_id: &str, now: Now) -> rusqlite::Result<bool> {
    changed_one(
        connection
            .prepare_cached(&format!(
                "UPDATE submission_judgement
                 SET state = 'abandoned', lease_until_ms = NULL, finished_at_ms = :wall, reason = :reason
                 WHERE id = :id AND generation = :generation AND {IS_ORPHANED}"
            ))?
            .execute(rusqlite::named_params! {
                ":id": orphan.judgement_id.as_str(),
                ":generation": orphan.generation,
                ":reason": LEASE_LOST,
                ":wall": now.wall_ms,
                ":now": now.steady_ms,
                ":horizon": now.steady_ms + LEASE_MS,
                ":boot": boot_id,
            })?,
    )
}

/// Reason of a judgement whose worker disappeared.
pub(crate) const LEASE_LOST: &str = "lease lost";

/// Each step names one judgement by its id.
fn changed_one(rows: usize) -> rusqlite::Result<bool> {
    debug_assert!(rows <= 1, "ids are unique");
    Ok(rows == 1)
}
