//! The world of the race story: the real schema and statements on a database in memory, and what an outsider sees of it.

use std::collections::BTreeMap;

use agon_contract::ids::{IdempotencyKey, SubmissionId};
use agon_contract::submission::{SourceFile, SubmissionContext};
use rusqlite::Connection;

use crate::domain::facts::tests::facts;
use crate::ids::new_id;
use crate::owner::submission::fence::Now;
use crate::owner::submission::manifest::Manifest;
use crate::owner::submission::saved::{NewSubmission, StoredSource};
use crate::owner::submission::{MIGRATIONS, intake};
use crate::store::WriteTx;
use crate::store::event;

/// Steady time at which every story begins.
pub(in super::super) const START_MS: i64 = 1_000_000;

/// A database with the owner's whole schema.
pub(in super::super) fn database() -> Connection {
    let connection = Connection::open_in_memory().expect("memory is there");
    connection.set_prepared_statement_cache_capacity(256);
    connection.execute_batch(event::SCHEMA).expect("the schema is valid");
    for sql in MIGRATIONS.iter().flat_map(|migration| migration.sql) {
        connection.execute_batch(sql).expect("the schema is valid");
    }
    connection
}

pub(super) fn at(steady_ms: i64) -> Now {
    Now { steady_ms, wall_ms: steady_ms }
}

pub(super) fn save(tx: &WriteTx<'_>) -> SubmissionId {
    let facts = facts();
    let files = vec![SourceFile { name: "a.cpp".into(), text: "x".into() }];
    let new = NewSubmission {
        id: SubmissionId(new_id()),
        user_id: facts.user_id.clone(),
        idempotency_key: IdempotencyKey(new_id()),
        fingerprint: "f".repeat(64),
        language_id: facts.problem.languages[0].id.clone(),
        context: SubmissionContext::Practice,
        manifest: Manifest::seal(&facts, &facts.problem.languages[0], &files, "image 1"),
        sources: files.into_iter().map(StoredSource::Text).collect(),
        facts,
    };
    intake::save(tx, &new, at(START_MS)).expect("written").expect("admitted").submission_id
}

/// A judgement as an outsider sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub id: String,
    /// Place of its submission.
    pub submission: usize,
    pub generation: u32,
    pub state: String,
    pub attempt: Option<String>,
    pub boot: Option<String>,
    pub lease_until_ms: Option<i64>,
    pub is_held: bool,
    pub lost_leases: u32,
    pub faults: u32,
    pub outbox: String,
    /// Empty when there is no entry.
    pub queue: String,
}

impl Seen {
    pub(super) fn is_open(&self) -> bool {
        self.state == "pending" || self.state == "judging"
    }

    /// Name of the judgement that is the same in every run.
    pub(super) fn label(&self) -> String {
        format!("s{}g{}", self.submission, self.generation)
    }

    /// Whether the row is what it was, outbox and queue aside.
    pub(super) fn is_same_judgement(&self, other: &Self) -> bool {
        let bare = |seen: &Self| Self { outbox: String::new(), queue: String::new(), ..seen.clone() };
        bare(self) == bare(other)
    }
}

/// Everything that the invariants speak about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Snapshot {
    /// By submission, then generation.
    pub judgements: Vec<Seen>,
    /// Id of each submission's current judgement.
    pub current: Vec<Option<String>>,
    /// Messages that a verdict counts, ever.
    pub verdicts_told: u32,
    pub applied: Vec<String>,
}

impl Snapshot {
    pub(super) fn of(connection: &Connection, submissions: &[SubmissionId]) -> rusqlite::Result<Self> {
        let place: BTreeMap<&str, usize> =
            submissions.iter().enumerate().map(|(place, id)| (id.as_str(), place)).collect();
        let mut statement = connection.prepare_cached(
            "SELECT j.id, j.submission_id, j.generation, j.state, j.attempt_id, j.boot_id, j.lease_until_ms, j.is_held,
                    j.lost_leases, j.faults, coalesce(o.state, '') AS outbox, coalesce(q.state, '') AS queue
             FROM submission_judgement j
             LEFT JOIN submission_judge_outbox o ON o.submission_id = j.submission_id AND o.generation = j.generation
             LEFT JOIN submission_queue_entry q ON q.submission_id = j.submission_id AND q.generation = j.generation",
        )?;
        let rows = statement.query_map([], |row| {
            Ok(Seen {
                id: row.get(0)?,
                submission: place[row.get::<_, String>(1)?.as_str()],
                generation: row.get(2)?,
                state: row.get(3)?,
                attempt: row.get(4)?,
                boot: row.get(5)?,
                lease_until_ms: row.get(6)?,
                is_held: row.get(7)?,
                lost_leases: row.get(8)?,
                faults: row.get(9)?,
                outbox: row.get(10)?,
                queue: row.get(11)?,
            })
        })?;
        let mut judgements = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        judgements.sort_by_key(|seen| (seen.submission, seen.generation));
        let mut current = Vec::new();
        for id in submissions {
            let read = "SELECT current_judgement_id FROM submission_submission WHERE id = ?1";
            current.push(connection.prepare_cached(read)?.query_row([id.as_str()], |row| row.get(0))?);
        }
        let verdicts_told = connection
            .prepare_cached("SELECT count(*) FROM submission_outbox WHERE type = 'VerdictCounts'")?
            .query_row([], |row| row.get(0))?;
        let applied = connection
            .prepare_cached(
                "SELECT new_judgement_id FROM submission_change_set_item WHERE outcome = 'applied' ORDER BY ordinal",
            )?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        Ok(Self { judgements, current, verdicts_told, applied })
    }

    pub(super) fn by_id(&self, id: &str) -> Option<&Seen> {
        self.judgements.iter().find(|seen| seen.id == id)
    }

    pub(super) fn newest(&self, submission: usize) -> &Seen {
        self.judgements.iter().rfind(|seen| seen.submission == submission).expect("each has a first generation")
    }
}
