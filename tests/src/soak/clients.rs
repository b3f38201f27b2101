//! People who do everything at random, and what they know of each other's work.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use agon_contract::ErrorCode;
use agon_contract::ids::{ChangeSetId, IdempotencyKey, LanguageId, ProblemId, SubmissionId};
use agon_contract::rejudge::{
    ApplyChangeSet, CancelJudging, DiscardChangeSet, Rejudge, RejudgeBasis, RejudgeMode, RejudgeSelection,
};
use agon_contract::submission::{JudgementState, SubmissionSummary};
use agon_contract::verdict::Verdict;

use crate::client::Broken;
use crate::programs::{RIGHT_IN_C, WRONG_IN_C};
use crate::seed::Dice;
use crate::work::Work;

/// Larger than what is kept inside the database.
const LARGE: usize = 300 * 1024;
/// Submissions up to which one rejudging takes all of them.
const REVIEWED_MAX: usize = 60;
/// Pause between two acts of one person.
const PACE_MS: u64 = 120;

/// What everybody knows.
#[derive(Debug)]
pub struct Town {
    problem: ProblemId,
    package: PathBuf,
    known: Mutex<Known>,
    serial: AtomicU64,
}

#[derive(Debug, Default)]
struct Known {
    submissions: Vec<SubmissionId>,
    /// Intents by key with their program and filler, sent at least once.
    sent: Vec<(String, bool, usize)>,
    change_sets: Vec<ChangeSetId>,
}

impl Town {
    #[must_use]
    pub fn new(problem: ProblemId, package: PathBuf) -> Self {
        Self { problem, package, known: Mutex::default(), serial: AtomicU64::new(1) }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self) -> u64 {
        self.serial.fetch_add(1, Ordering::Relaxed)
    }

    /// Acts until the server is gone.
    ///
    /// # Panics
    /// The server refuses what must not be refused.
    pub fn live(&self, work: &Work, dice: &mut Dice) {
        loop {
            match self.act(work, dice) {
                Ok(()) => {}
                Err(Broken::Gone(_)) => return,
                // Somebody else was faster; nothing was promised.
                Err(Broken::Refused(error)) if error.code == ErrorCode::Conflict => {}
                Err(refused @ Broken::Refused(_)) => panic!("{refused}"),
            }
            std::thread::sleep(Duration::from_millis(dice.throw() % PACE_MS));
        }
    }

    fn act(&self, work: &Work, dice: &mut Dice) -> Result<(), Broken> {
        match dice.below(100) {
            0..30 => self.submit(work, dice),
            30..38 => self.submit_again(work, dice),
            38..58 => self.with_one(dice, |id| work.look(id).map(drop)),
            58..72 => self.draft(work),
            72..78 => work.preview(&self.problem, &format!("preview-{}", self.next())),
            78..80 => work.import(&self.package).map(drop),
            80..88 => self.with_one(dice, |id| self.rejudge(work, id)),
            88..91 => self.review(work, dice),
            91..95 => self.decide(work, dice),
            _ => self.with_one(dice, |id| work.client.call(&CancelJudging { submission_id: id.clone() }).map(drop)),
        }
    }

    fn with_one(&self, dice: &mut Dice, act: impl FnOnce(&SubmissionId) -> Result<(), Broken>) -> Result<(), Broken> {
        let chosen = {
            let known = self.known();
            if known.submissions.is_empty() { None } else { Some(dice.pick(&known.submissions).clone()) }
        };
        chosen.map_or(Ok(()), |id| act(&id))
    }

    fn submit(&self, work: &Work, dice: &mut Dice) -> Result<(), Broken> {
        let is_right = dice.chance(50);
        let key = format!("{}-{}", self.next(), if is_right { "right" } else { "wrong" });
        let filler = if dice.chance(10) { LARGE } else { 10 };
        self.known().sent.push((key.clone(), is_right, filler));
        self.send(work, &key, is_right, filler)
    }

    /// The same intent once more, as a client does that never heard an answer.
    fn submit_again(&self, work: &Work, dice: &mut Dice) -> Result<(), Broken> {
        let chosen = {
            let known = self.known();
            if known.sent.is_empty() { None } else { Some(dice.pick(&known.sent).clone()) }
        };
        chosen.map_or(Ok(()), |(key, is_right, filler)| self.send(work, &key, is_right, filler))
    }

    fn send(&self, work: &Work, key: &str, is_right: bool, filler: usize) -> Result<(), Broken> {
        let program = if is_right { RIGHT_IN_C } else { WRONG_IN_C };
        let id = work.submit(&self.problem, key, program, filler)?;
        let mut known = self.known();
        if !known.submissions.contains(&id) {
            known.submissions.push(id);
        }
        Ok(())
    }

    /// Each draft in a language of its own client would be too kind: serials grow over all of them, so a person's text
    /// is written under a lock, as one person writes.
    fn draft(&self, work: &Work) -> Result<(), Broken> {
        let _one_writes = self.known();
        work.draft(&self.problem, "c", self.next(), 20_000)
    }

    fn rejudge(&self, work: &Work, id: &SubmissionId) -> Result<(), Broken> {
        let selection = RejudgeSelection::Submission { submission_id: id.clone() };
        work.client.call(&self.wish(selection, RejudgeMode::Direct)).map(drop)
    }

    /// All wrong ones again – one of them, once there are many –, held back until somebody decides.
    fn review(&self, work: &Work, dice: &mut Dice) -> Result<(), Broken> {
        let one = {
            let known = self.known();
            let are_many = known.submissions.len() > REVIEWED_MAX;
            are_many.then(|| dice.pick(&known.submissions).clone())
        };
        let all_wrong = || RejudgeSelection::Matching {
            problem_id: Some(self.problem.clone()),
            language_id: Some(LanguageId::from("c")),
            verdict: Some(Verdict::WrongAnswer),
            contest_id: None,
        };
        let selection = one.map_or_else(all_wrong, |submission_id| RejudgeSelection::Submission { submission_id });
        match work.client.call(&self.wish(selection, RejudgeMode::Reviewed)) {
            Ok(heard) => {
                self.known().change_sets.push(heard.answer.id);
                Ok(())
            }
            // Nothing is wrong yet.
            Err(Broken::Refused(error)) if error.code == ErrorCode::NotFound => Ok(()),
            Err(broken) => Err(broken),
        }
    }

    fn wish(&self, selection: RejudgeSelection, mode: RejudgeMode) -> Rejudge {
        let idempotency_key = IdempotencyKey(format!("rejudge-{}", self.next()));
        Rejudge { idempotency_key, selection, mode, basis: RejudgeBasis::AsHandedIn }
    }

    fn decide(&self, work: &Work, dice: &mut Dice) -> Result<(), Broken> {
        let chosen = {
            let known = self.known();
            if known.change_sets.is_empty() { None } else { Some(dice.pick(&known.change_sets).clone()) }
        };
        let Some(change_set_id) = chosen else { return Ok(()) };
        if dice.chance(60) {
            work.client.call(&ApplyChangeSet { change_set_id }).map(drop)
        } else {
            work.client.call(&DiscardChangeSet { change_set_id }).map(drop)
        }
    }

    /// What is wrong with a submission at the end: it has the verdict it deserves, or a person cancelled every judging.
    #[must_use]
    pub fn why_wrong(&self, work: &Work, row: &SubmissionSummary) -> Option<String> {
        let detail = match work.look(&row.id) {
            Ok(detail) => detail,
            Err(broken) => return Some(format!("{}: {broken}", row.number)),
        };
        let source = detail.files.first().map(|file| file.text.as_str()).unwrap_or_default();
        let is_right = source.lines().next().is_some_and(|line| line.ends_with("-right"));
        let current = detail.judgements.iter().filter(|judgement| judgement.is_current).count();
        let was_cancelled = detail.judgements.iter().any(|one| one.state == JudgementState::Cancelled);
        let expected = super::deserved(is_right);
        match (&detail.summary.verdict, current) {
            (Some(verdict), 1) if *verdict == expected => None,
            (None, 0) if was_cancelled => None,
            (verdict, current) => Some(format!(
                "{}: {verdict:?} for {expected:?}, {current} current\n{:#?}",
                row.number, detail.judgements
            )),
        }
    }
}
