//! The fence: each step of a judgement, with all of its conditions in the WHERE clause.
//!
//! ```text
//! pending ──acquire──► judging ──settle──► judged
//!    │  │                │  │ └──abandon / recover / supersede──► abandoned, and g+1 pending
//!    │  └─supersede,     │  └──cancel──► cancelled
//!    │    revive, resend └─renew (the lease lives on)
//!    └──cancel──► cancelled
//! judged | abandoned | cancelled ──again──► g+1 pending
//! ```
//! A step answers whether it happened. Zero rows changed means that the lease was lost, the generation is old or
//! somebody took over: the caller drops its result and kills its box. Times are steady milliseconds ([`Clock`]).
//! `race_story` walks every interleaving of these steps; `race_mutations` leaves out each condition in turn.
//! (Rule: delivery, "Fence".)
//!
//! [`Clock`]: crate::clock::Clock

use agon_contract::ids::{JudgementId, SubmissionId};
use agon_contract::reason::ReasonKind;
use agon_contract::score::Score;
use agon_contract::submission::GroupView;
use agon_contract::verdict::Verdict;
use rusqlite::{Connection, named_params};

use super::judgement::NewJudgement;
use crate::delivery::fenced::{Condition, Fenced, when};
use crate::ids::new_id;
use crate::store::{WriteTx, json};

/// How long a lease lasts without renewal.
pub(crate) const LEASE_MS: i64 = 60_000;

/// Leases recovered in one transaction.
const RECOVERY_BATCH: u32 = 20;

/// Reason of a judgement whose worker disappeared.
pub(crate) const LEASE_LOST: &str = ReasonKind::LeaseLost.words();

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

impl Now {
    /// The moment of a transaction, which is not older than any lease that it can see.
    pub(crate) fn of(tx: &WriteTx<'_>) -> Self {
        Self { steady_ms: tx.steady_ms(), wall_ms: tx.wall_ms() }
    }

    /// No lease made now ends later.
    fn horizon_ms(self) -> i64 {
        self.steady_ms.saturating_add(LEASE_MS)
    }
}

const JUDGEMENT: Condition = when("judgement", "id = :judgement");
const GENERATION: Condition = when("generation", "generation = :generation");
const WAITS: Condition = when("waits", "state = 'pending'");
const JUDGING: Condition = when("judging", "state = 'judging'");
const OPEN: Condition = when("open", "state IN ('pending', 'judging')");
const ATTEMPT: Condition = when("attempt", "attempt_id = :attempt");
const LEASE_LIVES: Condition = when("lease lives", "lease_until_ms > :now");
/// An end further ahead than any lease comes from a clock that was set back.
const LEASE_BELIEVABLE: Condition = when("lease believable", "lease_until_ms <= :horizon");

/// Leases that ended, lie further ahead than any lease can, or belong to a process that is gone.
const IS_ORPHANED: &str = "lease_until_ms <= :now OR lease_until_ms > :horizon OR boot_id <> :boot";

/// Pending → Judging.
pub(super) const ACQUIRE: Fenced = Fenced {
    name: "acquire",
    change: "UPDATE submission_judgement SET state = 'judging', attempt_id = :attempt, boot_id = :boot,
                    lease_until_ms = :horizon, started_at_ms = :wall",
    conditions: &[JUDGEMENT, GENERATION, WAITS],
};

/// A live lease lives on.
pub(super) const RENEW: Fenced = Fenced {
    name: "renew",
    change: "UPDATE submission_judgement SET lease_until_ms = :horizon",
    conditions: &[JUDGEMENT, GENERATION, JUDGING, ATTEMPT, LEASE_LIVES, LEASE_BELIEVABLE],
};

/// Judging → Judged.
pub(super) const SETTLE: Fenced = Fenced {
    name: "settle",
    change: "UPDATE submission_judgement
             SET state = 'judged', lease_until_ms = NULL, finished_at_ms = :wall, verdict = :verdict, reason = :reason,
                 compiler_text = :compiler_text, first_failing = :first_failing, max_cpu_ms = :max_cpu_ms,
                 max_wall_ms = :max_wall_ms, peak_memory_bytes = :peak_memory_bytes, machine = :machine,
                 image_id = :image_id, manifest = :manifest, score = :score, max_score = :max_score,
                 groups = :groups",
    conditions: &[JUDGEMENT, GENERATION, JUDGING, ATTEMPT, LEASE_LIVES, LEASE_BELIEVABLE],
};

const END_WITHOUT_VERDICT: &str =
    "UPDATE submission_judgement SET state = 'abandoned', lease_until_ms = NULL, finished_at_ms = :wall,
            reason = :reason";

/// Judging → Abandoned by its own worker: our fault.
pub(super) const ABANDON: Fenced =
    Fenced { name: "abandon", change: END_WITHOUT_VERDICT, conditions: &[JUDGEMENT, GENERATION, JUDGING, ATTEMPT] };

/// Judging → Abandoned, because nobody holds the lease.
pub(super) const RECOVER: Fenced = Fenced {
    name: "recover",
    change: END_WITHOUT_VERDICT,
    conditions: &[JUDGEMENT, GENERATION, JUDGING, when("orphaned", IS_ORPHANED)],
};

/// Pending or Judging → Abandoned, because somebody wants it judged anew.
pub(super) const SUPERSEDE: Fenced =
    Fenced { name: "supersede", change: END_WITHOUT_VERDICT, conditions: &[JUDGEMENT, GENERATION, OPEN] };

/// Pending or Judging → Cancelled.
pub(super) const CANCEL: Fenced = Fenced {
    name: "cancel",
    change: "UPDATE submission_judgement SET state = 'cancelled', lease_until_ms = NULL, finished_at_ms = :wall,
                    reason = :reason",
    conditions: &[JUDGEMENT, GENERATION, OPEN],
};

/// Pending → Abandoned, because a person sets the work going that was set aside.
pub(super) const REVIVE: Fenced = Fenced {
    name: "revive",
    change: END_WITHOUT_VERDICT,
    conditions: &[
        JUDGEMENT,
        GENERATION,
        WAITS,
        when(
            "set aside",
            "EXISTS (SELECT 1 FROM submission_judge_outbox o
                     WHERE o.submission_id = submission_judgement.submission_id
                       AND o.generation = submission_judgement.generation AND o.state = 'dead')
             OR EXISTS (SELECT 1 FROM submission_queue_entry q
                        WHERE q.submission_id = submission_judgement.submission_id
                          AND q.generation = submission_judgement.generation AND q.state = 'dead')",
        ),
    ],
};

/// What a judgement that waits, was sent, and is in no queue looks like.
const ENTRY_LOST: &str = "EXISTS (SELECT 1 FROM submission_judge_outbox o
                     WHERE o.submission_id = submission_judgement.submission_id
                       AND o.generation = submission_judgement.generation AND o.state IN ('sent', 'archived'))
             AND NOT EXISTS (SELECT 1 FROM submission_queue_entry q
                             WHERE q.submission_id = submission_judgement.submission_id
                               AND q.generation = submission_judgement.generation
                               AND q.state IN ('ready', 'taken', 'dead'))";

/// Pending → Abandoned, because its queue entry was lost.
pub(super) const RESEND: Fenced = Fenced {
    name: "resend",
    change: END_WITHOUT_VERDICT,
    conditions: &[JUDGEMENT, GENERATION, WAITS, when("entry lost", ENTRY_LOST)],
};

/// A finished newest generation g is followed by g+1, which waits.
pub(super) const AGAIN: Fenced = Fenced {
    name: "again",
    change: "INSERT INTO submission_judgement (id, submission_id, generation, state, faults, created_at_ms,
                                              change_set_id, is_held, basis_hash)
             SELECT :next, old.submission_id, old.generation + 1, 'pending', 0, :wall, :change_set, :is_held, :basis
             FROM submission_judgement old",
    conditions: &[
        when("submission", "old.submission_id = :submission"),
        when("generation", "old.generation = :generation"),
        when("finished", "old.state IN ('judged', 'abandoned', 'cancelled')"),
        when(
            "newest",
            "NOT EXISTS (SELECT 1 FROM submission_judgement newer
                         WHERE newer.submission_id = old.submission_id AND newer.generation > old.generation)",
        ),
    ],
};

/// The judgement counts from now on.
pub(super) const MAKE_CURRENT: Fenced = Fenced {
    name: "make current",
    change: "UPDATE submission_submission SET current_judgement_id = :judgement",
    conditions: &[
        when("submission", "id = :submission"),
        when(
            "not held",
            "EXISTS (SELECT 1 FROM submission_judgement j
                     WHERE j.id = :judgement AND j.state = 'judged' AND j.is_held = 0)",
        ),
    ],
};

/// A judgement of a change set counts from now on, if the one it was held against still does.
pub(super) const APPLY: Fenced = Fenced {
    name: "apply",
    change: "UPDATE submission_submission SET current_judgement_id = :judgement",
    conditions: &[
        when("submission", "id = :submission"),
        when("previewed", "current_judgement_id IS :previewed"),
        when(
            "judged",
            "EXISTS (SELECT 1 FROM submission_judgement j
                     WHERE j.id = :judgement AND j.submission_id = submission_submission.id AND j.state = 'judged')",
        ),
    ],
};

/// Pending → Judging, for the worker that comes first.
pub(crate) fn acquire(connection: &Connection, lease: &Lease, now: Now) -> rusqlite::Result<bool> {
    ACQUIRE.execute(
        connection,
        &[
            (":judgement", &lease.judgement_id.as_str()),
            (":generation", &lease.generation),
            (":attempt", &lease.attempt_id),
            (":boot", &lease.boot_id),
            (":horizon", &now.horizon_ms()),
            (":wall", &now.wall_ms),
        ],
    )
}

/// A live lease lives on for its whole length.
pub(crate) fn renew(connection: &Connection, lease: &Lease, now: Now) -> rusqlite::Result<bool> {
    RENEW.execute(
        connection,
        &[
            (":judgement", &lease.judgement_id.as_str()),
            (":generation", &lease.generation),
            (":attempt", &lease.attempt_id),
            (":now", &now.steady_ms),
            (":horizon", &now.horizon_ms()),
        ],
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
    /// JSON of the manifest it was made with; `None` where nothing was judged.
    pub manifest: Option<String>,
    pub score: Option<Score>,
    pub max_score: Option<Score>,
    pub groups: Vec<GroupView>,
}

/// Judging → Judged, while the lease lives.
pub(crate) fn settle(connection: &Connection, lease: &Lease, what: &Settlement, now: Now) -> rusqlite::Result<bool> {
    SETTLE.execute(
        connection,
        &[
            (":judgement", &lease.judgement_id.as_str()),
            (":generation", &lease.generation),
            (":attempt", &lease.attempt_id),
            (":now", &now.steady_ms),
            (":horizon", &now.horizon_ms()),
            (":wall", &now.wall_ms),
            (":verdict", &what.verdict.as_str()),
            (":reason", &what.reason),
            (":compiler_text", &what.compiler_text),
            (":first_failing", &what.first_failing),
            (":max_cpu_ms", &what.max_cpu_ms),
            (":max_wall_ms", &what.max_wall_ms),
            (":peak_memory_bytes", &what.peak_memory_bytes),
            (":machine", &what.machine),
            (":image_id", &what.image_id),
            (":manifest", &what.manifest),
            (":score", &what.score.map(Score::millionths)),
            (":max_score", &what.max_score.map(Score::millionths)),
            (":groups", &json(&what.groups)),
        ],
    )
}

/// Judging → Abandoned by its own worker: our fault. The lease need not live; recovery may simply be slower.
pub(crate) fn abandon(connection: &Connection, lease: &Lease, reason: &str, now: Now) -> rusqlite::Result<bool> {
    ABANDON.execute(
        connection,
        &[
            (":judgement", &lease.judgement_id.as_str()),
            (":generation", &lease.generation),
            (":attempt", &lease.attempt_id),
            (":reason", &reason),
            (":wall", &now.wall_ms),
        ],
    )
}

/// A judgement whose lease nobody holds any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Orphan {
    pub judgement_id: JudgementId,
    pub submission_id: SubmissionId,
    pub generation: u32,
    pub faults: u32,
    pub lost_leases: u32,
}

pub(crate) fn orphans(connection: &Connection, boot_id: &str, now: Now) -> rusqlite::Result<Vec<Orphan>> {
    connection
        .prepare_cached(&format!(
            "SELECT id, submission_id, generation, faults, lost_leases FROM submission_judgement
             WHERE state = 'judging' AND ({IS_ORPHANED}) ORDER BY lease_until_ms LIMIT {RECOVERY_BATCH}"
        ))?
        .query_map(named_params! { ":now": now.steady_ms, ":horizon": now.horizon_ms(), ":boot": boot_id }, |row| {
            Ok(Orphan {
                judgement_id: JudgementId(row.get(0)?),
                submission_id: SubmissionId(row.get(1)?),
                generation: row.get(2)?,
                faults: row.get(3)?,
                lost_leases: row.get(4)?,
            })
        })?
        .collect()
}

/// Judging → Abandoned, because nobody holds the lease.
pub(crate) fn recover(connection: &Connection, orphan: &Orphan, boot_id: &str, now: Now) -> rusqlite::Result<bool> {
    RECOVER.execute(
        connection,
        &[
            (":judgement", &orphan.judgement_id.as_str()),
            (":generation", &orphan.generation),
            (":reason", &LEASE_LOST),
            (":wall", &now.wall_ms),
            (":now", &now.steady_ms),
            (":horizon", &now.horizon_ms()),
            (":boot", &boot_id),
        ],
    )
}

/// A judgement that somebody other than its worker acts on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub judgement_id: JudgementId,
    pub generation: u32,
}

/// One of [`SUPERSEDE`], [`CANCEL`], [`REVIVE`] and [`RESEND`].
pub(super) fn end(
    step: &Fenced,
    connection: &Connection,
    target: &Target,
    reason: &str,
    now: Now,
) -> rusqlite::Result<bool> {
    step.execute(
        connection,
        &[
            (":judgement", &target.judgement_id.as_str()),
            (":generation", &target.generation),
            (":reason", &reason),
            (":wall", &now.wall_ms),
        ],
    )
}

/// Adds `next` after the finished generation before it.
pub(super) fn again(connection: &Connection, next: &NewJudgement, now: Now) -> rusqlite::Result<bool> {
    AGAIN.execute(
        connection,
        &[
            (":next", &next.id.as_str()),
            (":submission", &next.submission_id.as_str()),
            (":generation", &(next.generation - 1)),
            (":wall", &now.wall_ms),
            (":change_set", &next.origin.change_set_id),
            (":is_held", &next.origin.is_held),
            (":basis", &next.origin.basis_hash),
        ],
    )
}

/// The judgement counts, unless a change set holds it back; answers whether it does.
pub(super) fn make_current(
    connection: &Connection,
    submission_id: &SubmissionId,
    judgement_id: &JudgementId,
) -> rusqlite::Result<bool> {
    MAKE_CURRENT
        .execute(connection, &[(":submission", &submission_id.as_str()), (":judgement", &judgement_id.as_str())])
}

/// The held judgement counts, if `previewed` still did until now.
pub(super) fn apply(
    connection: &Connection,
    submission_id: &SubmissionId,
    judgement_id: &JudgementId,
    previewed: Option<&JudgementId>,
) -> rusqlite::Result<bool> {
    APPLY.execute(
        connection,
        &[
            (":submission", &submission_id.as_str()),
            (":judgement", &judgement_id.as_str()),
            (":previewed", &previewed.map(JudgementId::as_str)),
        ],
    )
}
