//! Tables of judgements and their runs. What moves a judgement from state to state is in [`fence`](super::fence).

use agon_contract::ids::{JudgementId, SubmissionId};
use agon_contract::reason;
use agon_contract::score::Score;
use agon_contract::submission::{JudgementState, JudgementView, RunView};
use agon_contract::verdict::Verdict;
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::ids::new_id;
use crate::judging::JudgedRun;
use crate::store::{decode, text};

pub(super) const SCHEMA: &str = "
CREATE TABLE submission_judgement (
    id                TEXT PRIMARY KEY CHECK (length(id) = 36),
    submission_id     TEXT NOT NULL REFERENCES submission_submission (id),
    generation        INTEGER NOT NULL CHECK (generation > 0),
    state             TEXT NOT NULL CHECK (state IN ('pending', 'judging', 'judged', 'abandoned', 'cancelled')),
    -- How many faults of ours this submission has spent of its budget before this judgement.
    faults            INTEGER NOT NULL CHECK (faults >= 0),
    created_at_ms     INTEGER NOT NULL,
    attempt_id        TEXT,
    boot_id           TEXT,
    lease_until_ms    INTEGER,
    started_at_ms     INTEGER,
    finished_at_ms    INTEGER,
    verdict           TEXT CHECK (verdict IN ('AC', 'WA', 'TLE', 'RTE', 'MLE', 'OLE', 'CE', 'JE')),
    reason            TEXT NOT NULL DEFAULT '',
    compiler_text     BLOB,
    first_failing     TEXT,
    max_cpu_ms        INTEGER CHECK (max_cpu_ms >= 0),
    max_wall_ms       INTEGER CHECK (max_wall_ms >= 0),
    peak_memory_bytes INTEGER CHECK (peak_memory_bytes >= 0),
    machine           TEXT NOT NULL DEFAULT '',
    image_id          TEXT NOT NULL DEFAULT '',
    UNIQUE (submission_id, generation),
    CHECK ((state = 'judging') = (lease_until_ms IS NOT NULL)),
    CHECK (state <> 'judging' OR (attempt_id IS NOT NULL AND boot_id IS NOT NULL AND started_at_ms IS NOT NULL)),
    CHECK (state <> 'pending' OR (attempt_id IS NULL AND boot_id IS NULL AND started_at_ms IS NULL)),
    CHECK ((state = 'judged') = (verdict IS NOT NULL)),
    CHECK ((state IN ('judged', 'abandoned', 'cancelled')) = (finished_at_ms IS NOT NULL)),
    CHECK (state <> 'abandoned' OR reason <> ''),
    CHECK (verdict <> 'JE' OR reason <> '')
) STRICT;
CREATE UNIQUE INDEX submission_judgement_one_open ON submission_judgement (submission_id)
    WHERE state IN ('pending', 'judging');
CREATE INDEX submission_judgement_leases ON submission_judgement (lease_until_ms) WHERE state = 'judging';
CREATE TRIGGER submission_judgement_final BEFORE UPDATE ON submission_judgement
WHEN OLD.state IN ('judged', 'abandoned', 'cancelled')
BEGIN SELECT RAISE(ABORT, 'a finished judgement never changes'); END;
CREATE TRIGGER submission_judgement_kept BEFORE DELETE ON submission_judgement
BEGIN SELECT RAISE(ABORT, 'a judgement is never deleted'); END;
CREATE TABLE submission_run (
    judgement_id      TEXT NOT NULL REFERENCES submission_judgement (id),
    ordinal           INTEGER NOT NULL CHECK (ordinal > 0),
    case_name         TEXT NOT NULL,
    is_sample         INTEGER NOT NULL CHECK (is_sample IN (0, 1)),
    verdict           TEXT NOT NULL CHECK (verdict IN ('AC', 'WA', 'TLE', 'RTE', 'MLE', 'OLE', 'JE')),
    outcome           TEXT NOT NULL,
    cpu_ms            INTEGER NOT NULL CHECK (cpu_ms >= 0),
    wall_ms           INTEGER NOT NULL CHECK (wall_ms >= 0),
    peak_memory_bytes INTEGER NOT NULL CHECK (peak_memory_bytes >= 0),
    output_bytes      INTEGER NOT NULL CHECK (output_bytes >= 0),
    message           TEXT NOT NULL,
    output_head       BLOB NOT NULL CHECK (length(output_head) <= 65536),
    stderr_head       BLOB NOT NULL CHECK (length(stderr_head) <= 65536),
    is_disturbed      INTEGER NOT NULL CHECK (is_disturbed IN (0, 1)),
    PRIMARY KEY (judgement_id, ordinal)
) STRICT, WITHOUT ROWID;
";

/// Rejudging: what a judgement belongs to, what it was based on, and what it was made with.
pub(super) const ORIGIN: &str = "
ALTER TABLE submission_judgement ADD COLUMN lost_leases INTEGER NOT NULL DEFAULT 0 CHECK (lost_leases >= 0);
ALTER TABLE submission_judgement ADD COLUMN change_set_id TEXT REFERENCES submission_change_set (id);
-- Its verdict counts only when the change set is applied.
ALTER TABLE submission_judgement ADD COLUMN is_held INTEGER NOT NULL DEFAULT 0
    CHECK (is_held IN (0, 1) AND (is_held = 0 OR change_set_id IS NOT NULL));
-- The problem facts it is judged by; none: those sealed with the submission.
ALTER TABLE submission_judgement ADD COLUMN basis_hash TEXT REFERENCES submission_basis (hash);
ALTER TABLE submission_judgement ADD COLUMN manifest TEXT CHECK (manifest IS NULL OR json_valid(manifest));
CREATE INDEX submission_judgement_by_change_set ON submission_judgement (change_set_id, submission_id, generation)
    WHERE change_set_id IS NOT NULL;
CREATE INDEX submission_judgement_judged ON submission_judgement (finished_at_ms) WHERE state = 'judged';
CREATE TRIGGER submission_judgement_sealed
BEFORE UPDATE OF id, submission_id, generation, faults, lost_leases, created_at_ms, change_set_id, is_held, basis_hash
    ON submission_judgement
BEGIN SELECT RAISE(ABORT, 'what a judgement is never changes'); END;
";

/// Scores in millionths of a point, and what the groups came to.
pub(super) const SCORES: &str = "
ALTER TABLE submission_judgement ADD COLUMN score INTEGER;
ALTER TABLE submission_judgement ADD COLUMN max_score INTEGER;
ALTER TABLE submission_judgement ADD COLUMN groups TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(groups));
ALTER TABLE submission_run ADD COLUMN score INTEGER;
ALTER TABLE submission_run ADD COLUMN team_message TEXT NOT NULL DEFAULT '';
";

/// Of a judgement `j`: a change set holds its verdict back, or did so until it was discarded. `is_held` alone does not
/// tell: it stays when the change set is applied, and then an item names the judgement.
pub(crate) const IS_HELD_BACK: &str = "(j.is_held AND NOT EXISTS (SELECT 1 FROM submission_change_set_item i
                                                              WHERE i.new_judgement_id = j.id))";

/// Kept of each stream of a run that failed or is a sample (foundations, retention).
pub(super) const KEPT_OUTPUT_BYTES: usize = 64 * 1024;

/// Where a judgement comes from. Its successors inherit it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The rejudging that wanted it.
    pub change_set_id: Option<String>,
    /// Whether the change set holds its verdict back.
    pub is_held: bool,
    /// The problem facts it is judged by; `None`: those sealed with the submission.
    pub basis_hash: Option<String>,
}

impl Origin {
    /// The change set that holds the verdict back, if one does.
    pub(super) fn held_by(&self) -> Option<&str> {
        self.change_set_id.as_deref().filter(|_| self.is_held)
    }

    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            change_set_id: row.get("change_set_id")?,
            is_held: row.get("is_held")?,
            basis_hash: row.get("basis_hash")?,
        })
    }
}

/// A judgement that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewJudgement {
    pub id: JudgementId,
    pub submission_id: SubmissionId,
    pub generation: u32,
    pub faults: u32,
    pub lost_leases: u32,
    pub origin: Origin,
}

impl NewJudgement {
    /// With fresh budgets.
    pub(crate) fn new(submission_id: SubmissionId, generation: u32, origin: Origin) -> Self {
        Self { id: JudgementId(new_id()), submission_id, generation, faults: 0, lost_leases: 0, origin }
    }
}

pub(super) fn insert(connection: &Connection, new: &NewJudgement, now_ms: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO submission_judgement (id, submission_id, generation, state, faults, lost_leases, created_at_ms,
                                               change_set_id, is_held, basis_hash)
             VALUES (?1, ?2, ?3, 'pending', ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            new.id.as_str(),
            new.submission_id.as_str(),
            new.generation,
            new.faults,
            new.lost_leases,
            now_ms,
            new.origin.change_set_id,
            new.origin.is_held,
            new.origin.basis_hash
        ])?;
    Ok(())
}

/// A judgement as the queue names it, or the newest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub id: JudgementId,
    pub generation: u32,
    pub state: JudgementState,
    pub faults: u32,
    pub lost_leases: u32,
    pub origin: Origin,
}

impl Found {
    const COLUMNS: &'static str = "SELECT id, generation, state, faults, lost_leases, change_set_id, is_held, basis_hash FROM submission_judgement";

    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: text(row, "id")?,
            generation: row.get("generation")?,
            state: text(row, "state")?,
            faults: row.get("faults")?,
            lost_leases: row.get("lost_leases")?,
            origin: Origin::of(row)?,
        })
    }
}

pub(super) fn find(
    connection: &Connection,
    submission_id: &SubmissionId,
    generation: u32,
) -> rusqlite::Result<Option<Found>> {
    connection
        .prepare_cached(&format!("{} WHERE submission_id = ?1 AND generation = ?2", Found::COLUMNS))?
        .query_row(params![submission_id.as_str(), generation], Found::of)
        .optional()
}

/// The newest judgement; `None` when there is no such submission.
pub(super) fn newest(connection: &Connection, submission_id: &SubmissionId) -> rusqlite::Result<Option<Found>> {
    connection
        .prepare_cached(&format!("{} WHERE submission_id = ?1 ORDER BY generation DESC LIMIT 1", Found::COLUMNS))?
        .query_row([submission_id.as_str()], Found::of)
        .optional()
}

/// Where a judgement comes from; of an unknown one, from nowhere special.
pub(super) fn origin(
    connection: &Connection,
    submission_id: &SubmissionId,
    generation: u32,
) -> rusqlite::Result<Origin> {
    Ok(find(connection, submission_id, generation)?.map(|found| found.origin).unwrap_or_default())
}

/// Whether this attempt still judges.
pub(super) fn is_held_by_attempt(
    connection: &Connection,
    judgement_id: &JudgementId,
    attempt_id: &str,
) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT 1 FROM submission_judgement WHERE id = ?1 AND state = 'judging' AND attempt_id = ?2")?
        .exists([judgement_id.as_str(), attempt_id])
}

/// Stores a run of a judgement. Streams are kept where they help somebody: samples and failures.
pub(super) fn insert_run(connection: &Connection, judgement_id: &JudgementId, run: &JudgedRun) -> rusqlite::Result<()> {
    let keeps = run.is_sample || run.verdict != Verdict::Accepted;
    let head = |bytes: &[u8]| if keeps { bytes[..bytes.len().min(KEPT_OUTPUT_BYTES)].to_vec() } else { Vec::new() };
    connection
        .prepare_cached(
            "INSERT INTO submission_run (judgement_id, ordinal, case_name, is_sample, verdict, outcome, cpu_ms, wall_ms,
                                         peak_memory_bytes, output_bytes, message, output_head, stderr_head,
                                         is_disturbed, score, team_message)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        )?
        .execute(params![
            judgement_id.as_str(),
            run.ordinal,
            run.case_name,
            run.is_sample,
            run.verdict.as_str(),
            run.outcome,
            run.cpu_ms,
            run.wall_ms,
            run.peak_memory_bytes,
            run.output_bytes,
            run.message,
            head(&run.output_head),
            head(&run.stderr_head),
            run.is_disturbed,
            run.score.map(|score| Score::of(score).millionths()),
            run.team_message
        ])?;
    Ok(())
}

/// Who looks at a judgement's runs decides what of them is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feedback {
    /// Of secret tests neither messages nor streams, nor any number that a submission chooses: data would leak.
    Contestant,
    /// Everything.
    Full,
}

/// The judgements of a submission with their runs, newest generation first: to staff all of them, to others none that
/// a change set holds back.
pub(super) fn views(
    connection: &Connection,
    submission_id: &SubmissionId,
    feedback: Feedback,
) -> rusqlite::Result<Vec<JudgementView>> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT j.*, j.id IS s.current_judgement_id AS is_current,
                j.is_held AND EXISTS (SELECT 1 FROM submission_change_set c
                                      WHERE c.id = j.change_set_id AND c.state = 'open') AS waits_for_decision
         FROM submission_judgement j JOIN submission_submission s ON s.id = j.submission_id
         WHERE j.submission_id = ?1 AND (?2 OR NOT {IS_HELD_BACK})
         ORDER BY j.generation DESC"
    ))?;
    let shows_held = feedback == Feedback::Full;
    let views =
        statement.query_map(params![submission_id.as_str(), shows_held], |row| view(connection, row, feedback))?;
    views.collect()
}

fn view(connection: &Connection, row: &Row<'_>, feedback: Feedback) -> rusqlite::Result<JudgementView> {
    let id: JudgementId = text(row, "id")?;
    let compiler_text: Option<Vec<u8>> = row.get("compiler_text")?;
    let runs = runs(connection, &id, feedback)?;
    let verdict: Option<String> = row.get("verdict")?;
    let verdict = verdict.map(|verdict| Verdict::from(verdict.as_str()));
    let reason: String = row.get("reason")?;
    let first_failing: Option<String> = row.get("first_failing")?;
    let failed_on_sample = |run: &RunView| run.is_sample && Some(&run.case_name) == first_failing.as_ref();
    let is_of_secret_data = verdict != Some(Verdict::CompileError) && !runs.iter().any(failed_on_sample);
    // A judging that was given up says why in its own words, which quote nothing.
    let hides_reason = feedback == Feedback::Contestant && verdict.is_some() && is_of_secret_data;
    Ok(JudgementView {
        runs,
        id,
        generation: row.get("generation")?,
        is_current: row.get("is_current")?,
        state: text(row, "state")?,
        verdict,
        reason: if hides_reason { reason::for_contestants(&reason) } else { reason },
        created_at_ms: row.get("created_at_ms")?,
        started_at_ms: row.get("started_at_ms")?,
        finished_at_ms: row.get("finished_at_ms")?,
        compiler_text: String::from_utf8_lossy(&compiler_text.unwrap_or_default()).into_owned(),
        first_failing,
        max_cpu_ms: row.get("max_cpu_ms")?,
        max_wall_ms: row.get("max_wall_ms")?,
        peak_memory_bytes: row.get("peak_memory_bytes")?,
        machine: row.get("machine")?,
        image_id: row.get("image_id")?,
        score: score(row, "score")?,
        max_score: score(row, "max_score")?,
        groups: decode(row, "groups")?,
        is_held: row.get("waits_for_decision")?,
    })
}

pub(crate) fn runs(
    connection: &Connection,
    judgement_id: &JudgementId,
    feedback: Feedback,
) -> rusqlite::Result<Vec<RunView>> {
    connection
        .prepare_cached("SELECT * FROM submission_run WHERE judgement_id = ?1 ORDER BY ordinal")?
        .query_map([judgement_id.as_str()], |row| run_view(row, feedback))?
        .collect()
}

fn run_view(row: &Row<'_>, feedback: Feedback) -> rusqlite::Result<RunView> {
    let is_sample: bool = row.get("is_sample")?;
    let shows = is_sample || feedback == Feedback::Full;
    let bytes = |column: &str| -> rusqlite::Result<String> {
        let kept: Vec<u8> = row.get(column)?;
        Ok(if shows { String::from_utf8_lossy(&kept).into_owned() } else { String::new() })
    };
    let words = |column: &str| -> rusqlite::Result<String> {
        let words: String = row.get(column)?;
        Ok(if shows { words } else { reason::for_contestants(&words) })
    };
    Ok(RunView {
        ordinal: row.get("ordinal")?,
        case_name: row.get("case_name")?,
        is_sample,
        verdict: text(row, "verdict")?,
        outcome: words("outcome")?,
        cpu_ms: row.get("cpu_ms")?,
        wall_ms: row.get("wall_ms")?,
        peak_memory_bytes: row.get("peak_memory_bytes")?,
        // Its size is the submission's to choose, and could carry secret data out.
        output_bytes: if shows { row.get("output_bytes")? } else { 0 },
        message: words("message")?,
        output_head: bytes("output_head")?,
        stderr_head: bytes("stderr_head")?,
        disturbed: row.get("is_disturbed")?,
        score: score(row, "score")?,
        team_message: row.get("team_message")?,
    })
}

/// A column of millionths.
pub(super) fn score(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Score>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(Score::from_millionths))
}
