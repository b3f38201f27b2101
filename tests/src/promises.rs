//! What a judge has promised by its answers, and whether a data folder still keeps it.
//!
//! Clients write down every answer that says "saved". [`check`] opens a data folder as the program itself does, with no
//! engine, so that nothing new is judged, and complains about every promise that is broken and about every row that
//! contradicts another.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use agon_contract::command::{GetPreview, GetSubmission, ListProblems, ListSubmissions, LoadDraft};
use agon_contract::ids::{LanguageId, PreviewId, ProblemId, SubmissionId};
use agon_contract::submission::{JudgementState, JudgementView, SubmissionDetail};
use agon_contract::verdict::Verdict;
use judge_core::sandbox::docker::{DockerSandbox, DockerSettings, SeccompProfile};
use judge_core::sandbox::{ImageRef, find_supervisor};
use judge_core::{Actor, Judge, JudgeConfig, SandboxChoice};

pub mod rows;

/// How long the receipt of a preview that has ended is kept. (Rule: delivery, "Execution contract".)
const PREVIEW_KEPT: Duration = Duration::from_secs(15 * 60);

/// Something that was answered with success.
#[derive(Clone, Debug)]
pub struct Promise {
    /// The client's port at which the answer came.
    pub port: u16,
    pub kept: Kept,
}

/// What must be there from then on.
#[derive(Clone, Debug)]
pub enum Kept {
    Submission {
        id: SubmissionId,
        number: u64,
        key: String,
    },
    /// This draft or a later one.
    Draft {
        problem_id: ProblemId,
        language_id: LanguageId,
        serial: u64,
    },
    Problem {
        id: ProblemId,
        slug: String,
    },
    Preview {
        id: PreviewId,
    },
    /// What somebody saw of a submission's judgements: finished ones never change, and generations never go back.
    Judgements {
        id: SubmissionId,
        seen: Vec<Seen>,
    },
}

/// A judgement as somebody saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub generation: u32,
    pub state: JudgementState,
    pub verdict: Option<Verdict>,
    pub is_current: bool,
}

impl From<&JudgementView> for Seen {
    fn from(view: &JudgementView) -> Self {
        Self {
            generation: view.generation,
            state: view.state.clone(),
            verdict: view.verdict.clone(),
            is_current: view.is_current,
        }
    }
}

/// Everything that clients were promised, and what they sent.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    pub promises: Vec<Promise>,
    /// Sources by idempotency key, written down before they are sent.
    pub sent: HashMap<String, String>,
}

impl Ledger {
    pub fn promised(&mut self, port: u16, kept: Kept) {
        self.promises.push(Promise { port, kept });
    }
}

/// The source that carries `key`, so that a row found later tells which intent it belongs to.
#[must_use]
pub fn source_of(key: &str, program: &str, filler_bytes: usize) -> String {
    format!("// key {key}\n{program}// {}\n", "x".repeat(filler_bytes))
}

fn key_of(source: &str) -> Option<&str> {
    source.lines().next()?.strip_prefix("// key ")
}

/// The text of a draft by its serial number.
#[must_use]
pub fn draft_text(serial: u64, filler_bytes: usize) -> String {
    format!("// draft {serial}\n{}", "y".repeat(filler_bytes))
}

fn serial_of(text: &str) -> Option<u64> {
    text.lines().next()?.strip_prefix("// draft ")?.parse().ok()
}

/// Opens the data folder and looks at everything promised; answers what is wrong.
pub async fn check(data: &Path, ledger: &Ledger, promises: &[&Promise]) -> Vec<String> {
    let judge = match Judge::open(config(data)).await {
        Ok(judge) => judge,
        Err(error) => return vec![format!("it does not open: {error}")],
    };
    let mut checker = Checker { actor: judge.local_actor(), judge, complaints: Vec::new(), known: BTreeMap::new() };
    checker.look_at_submissions(ledger).await;
    for kept in without_older_drafts(promises) {
        checker.look_at(kept).await;
    }
    checker.judge.close().await;
    let mut complaints = checker.complaints;
    complaints.extend(rows::check(data));
    complaints
}

/// Whether a preview was asked for so long ago that its receipt need not be kept any more. Its id says when.
fn may_have_been_thinned(id: &PreviewId) -> bool {
    let id = uuid::Uuid::parse_str(id.as_str()).expect("ids are UUIDs");
    let (seconds, nanos) = id.get_timestamp().expect("of version 7").to_unix();
    let asked = UNIX_EPOCH + Duration::new(seconds, nanos);
    asked.elapsed().is_ok_and(|age| age >= PREVIEW_KEPT)
}

/// A later draft keeps the promise of an earlier one.
fn without_older_drafts<'p>(promises: &[&'p Promise]) -> Vec<&'p Kept> {
    let mut newest: BTreeMap<(&str, &str), (u64, &Kept)> = BTreeMap::new();
    let mut others = Vec::new();
    for kept in promises.iter().map(|promise| &promise.kept) {
        match kept {
            Kept::Draft { problem_id, language_id, serial } => {
                let known = newest.entry((problem_id.as_str(), language_id.as_str())).or_insert((*serial, kept));
                if known.0 < *serial {
                    *known = (*serial, kept);
                }
            }
            Kept::Submission { .. } | Kept::Problem { .. } | Kept::Preview { .. } | Kept::Judgements { .. } => {
                others.push(kept);
            }
        }
    }
    others.extend(newest.into_values().map(|(_, kept)| kept));
    others
}

/// As the program opens it, on a machine whose engine is away.
fn config(data: &Path) -> JudgeConfig {
    let settings = DockerSettings {
        engine: Some("unix:///nonexistent/engine.sock".into()),
        work_root: data.join("run/boxes"),
        supervisor: find_supervisor(),
        image: ImageRef { reference: "none".into(), id: None },
        seccomp: SeccompProfile::Own,
        warm_boxes: 0,
    };
    let mut config = JudgeConfig::new(PathBuf::from(data), "a check");
    config.sandbox = SandboxChoice::Given(Arc::new(DockerSandbox::new(settings)));
    config.workers = Some(1);
    config
}

struct Checker {
    judge: Judge,
    actor: Actor,
    complaints: Vec<String>,
    known: BTreeMap<String, SubmissionDetail>,
}

impl Checker {
    fn complain(&mut self, what: impl Into<String>) {
        self.complaints.push(what.into());
    }

    /// Every row is a whole intent of somebody, and none is there twice.
    async fn look_at_submissions(&mut self, ledger: &Ledger) {
        let mut page = ListSubmissions { problem_id: None, user_id: None, before_number: None, limit: 200 };
        let mut keys: BTreeMap<String, SubmissionId> = BTreeMap::new();
        loop {
            let found = match self.judge.list_submissions(&self.actor, page.clone()).await {
                Ok(found) => found,
                Err(error) => return self.complain(format!("submissions cannot be listed: {error}")),
            };
            for row in &found.rows {
                self.look_at_row(&row.id, ledger, &mut keys).await;
            }
            page.before_number = found.next_before_number;
            if page.before_number.is_none() {
                return;
            }
        }
    }

    async fn look_at_row(&mut self, id: &SubmissionId, ledger: &Ledger, keys: &mut BTreeMap<String, SubmissionId>) {
        let detail = match self.judge.get_submission(&self.actor, GetSubmission { submission_id: id.clone() }).await {
            Ok(detail) => detail,
            Err(error) => return self.complain(format!("submission {id} is listed and cannot be read: {error}")),
        };
        let source = detail.files.first().map(|file| file.text.clone()).unwrap_or_default();
        let key = key_of(&source).unwrap_or_default().to_owned();
        if ledger.sent.get(&key) != Some(&source) {
            self.complain(format!("submission {id} has sources that nobody handed in ({} bytes)", source.len()));
        }
        if let Some(other) = keys.insert(key.clone(), id.clone()) {
            self.complain(format!("the intent {key} is there twice: {id} and {other}"));
        }
        self.look_at_judgements(id, &detail.judgements);
        self.known.insert(id.to_string(), detail);
    }

    fn look_at_judgements(&mut self, id: &SubmissionId, judgements: &[JudgementView]) {
        let current = judgements.iter().filter(|judgement| judgement.is_current).count();
        let judged = judgements.iter().filter(|judgement| judgement.state == JudgementState::Judged).count();
        // A verdict that a change set holds back does not count, and may be the only one; the rows tell which it is.
        if current > judged.min(1) {
            self.complain(format!("submission {id} has {judged} verdicts, {current} of them current"));
        }
        let generations: Vec<u32> = judgements.iter().rev().map(|judgement| judgement.generation).collect();
        let expected: Vec<u32> = (1..).take(generations.len()).collect();
        if generations != expected || generations.is_empty() {
            self.complain(format!("submission {id} has the generations {generations:?}"));
        }
    }

    async fn look_at(&mut self, kept: &Kept) {
        match kept {
            Kept::Submission { id, number, key } => self.look_at_submission(id, *number, key),
            Kept::Draft { problem_id, language_id, serial } => {
                self.look_at_draft(problem_id, language_id, *serial).await;
            }
            Kept::Problem { id, slug } => self.look_at_problem(id, slug).await,
            Kept::Preview { id } => {
                let found = self.judge.get_preview(&self.actor, GetPreview { preview_id: id.clone() }).await;
                if let Err(error) = found
                    && !may_have_been_thinned(id)
                {
                    self.complain(format!("the receipt of preview {id} is lost: {error}"));
                }
            }
            Kept::Judgements { id, seen } => self.compare_judgements(id, seen),
        }
    }

    fn look_at_submission(&mut self, id: &SubmissionId, number: u64, key: &str) {
        let found = self.known.get(&id.to_string());
        let source = found.and_then(|detail| detail.files.first()).map(|file| file.text.as_str()).unwrap_or_default();
        let same = found.is_some_and(|detail| detail.summary.number == number && key_of(source) == Some(key));
        if !same {
            self.complain(format!("submission {id} (number {number}, key {key}) was acknowledged and is lost"));
        }
    }

    async fn look_at_draft(&mut self, problem_id: &ProblemId, language_id: &LanguageId, serial: u64) {
        let load = LoadDraft { problem_id: problem_id.clone(), language_id: Some(language_id.clone()) };
        let text = match self.judge.load_draft(&self.actor, load).await {
            Ok(draft) => draft.text.unwrap_or_default(),
            Err(error) => return self.complain(format!("a draft cannot be read: {error}")),
        };
        let newest = serial_of(&text);
        if newest.is_none_or(|newest| newest < serial) {
            self.complain(format!("draft {serial} in {language_id} was acknowledged; what is there is {newest:?}"));
        }
    }

    async fn look_at_problem(&mut self, id: &ProblemId, slug: &str) {
        match self.judge.list_problems(&self.actor, ListProblems { query: String::new() }).await {
            Ok(problems) if problems.iter().any(|problem| problem.id == *id && problem.slug == slug) => {}
            Ok(_) => self.complain(format!("problem {slug} was taken in and is lost")),
            Err(error) => self.complain(format!("problems cannot be listed: {error}")),
        }
    }

    fn compare_judgements(&mut self, id: &SubmissionId, seen: &[Seen]) {
        let Some(detail) = self.known.get(&id.to_string()) else {
            return self.complain(format!("submission {id} was shown and is lost"));
        };
        let now: Vec<Seen> = detail.judgements.iter().map(Seen::from).collect();
        let mut broken = Vec::new();
        for before in seen {
            let after = now.iter().find(|one| one.generation == before.generation);
            let was_final = before.verdict.is_some() || before.state == JudgementState::Abandoned;
            let same = after.is_some_and(|after| after.state == before.state && after.verdict == before.verdict);
            if after.is_none() || (was_final && !same) {
                broken.push(format!("submission {id}: {before:?} was shown; it is {after:?} now"));
            }
        }
        let current = |all: &[Seen]| all.iter().filter(|one| one.is_current).map(|one| one.generation).max();
        if current(&now) < current(seen) {
            broken.push(format!("submission {id} shows an older verdict than it did: {seen:?}, now {now:?}"));
        }
        self.complaints.extend(broken);
    }
}
