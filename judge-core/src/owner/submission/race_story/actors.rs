//! The steps that actors take, what they keep in mind, and the answers that the table of the fence expects.

use agon_contract::ids::{IdempotencyKey, SubmissionId, UserId};
use agon_contract::rejudge::{RejudgeBasis, RejudgeMode, RejudgeSelection};
use agon_contract::verdict::Verdict;

use super::world::{Seen, Snapshot, at};
use super::{Outside, Walk};
use crate::delivery::judge_outbox::{self, Due};
use crate::delivery::queue::EmbeddedQueue;
use crate::owner::submission::change_set::{self, ChangeSetError, NewRejudging};
use crate::owner::submission::fence::{self, LEASE_MS, Lease, Orphan, RESEND, REVIVE, Settlement, Target};
use crate::owner::submission::judgement::{self, Found, Origin};
use crate::owner::submission::lifecycle::{self, Fault};
use crate::owner::submission::staff::{self, Again};

/// One step of an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Step {
    Take,
    /// Takes the lease on what was seen, as a worker does whose queue is on another machine.
    Acquire,
    Renew,
    Settle,
    /// A fault of ours.
    Fail,
    AskStaff,
    LookForOrphans,
    Recover,
    LookAtOutbox,
    Send,
    /// The queue refuses what was seen in the outbox.
    Refuse,
    /// Sees the newest judgement of a submission.
    LookAt(usize),
    Rejudge,
    Cancel,
    Revive,
    MakeReviewed,
    Apply,
    Discard,
    /// The queue loses the entries that are ready.
    LoseEntry,
    /// The queue sets aside the entries that are ready.
    SetEntriesAside,
    LookForLost,
    Resend,
    Reclaim,
    /// Of the steady clock, in ms; backwards too.
    Advance(i64),
    /// The process is another from now on; its old workers may still be about to act.
    Reboot,
}

/// What a step may have changed in the database.
pub(super) enum Touched {
    Nothing,
    /// These judgements, and what follows from their ends.
    These(Vec<String>),
}

/// What an actor remembers between its steps.
#[derive(Clone, Debug, Default)]
pub(super) struct Mind {
    hold: Option<Lease>,
    orphans: Vec<Orphan>,
    due: Vec<Due>,
    seen: Option<(SubmissionId, Found)>,
    lost: Vec<(SubmissionId, Target)>,
}

impl Mind {
    pub(super) fn holds(&self, attempt: Option<&str>) -> bool {
        self.hold.as_ref().is_some_and(|lease| Some(lease.attempt_id.as_str()) == attempt)
    }

    pub(super) fn write_key(&self, key: &mut String, snapshot: &Snapshot) {
        use std::fmt::Write;
        let label = |id: &str| snapshot.by_id(id).map(Seen::label).unwrap_or_default();
        let _ = write!(key, "|{}", self.hold.as_ref().map(|l| label(l.judgement_id.as_str())).unwrap_or_default());
        for orphan in &self.orphans {
            let _ = write!(key, " o{}", label(orphan.judgement_id.as_str()));
        }
        for due in &self.due {
            let _ = write!(key, " d{} {}", due.id, due.attempts);
        }
        if let Some((_, seen)) = &self.seen {
            let _ = write!(key, " s{} {:?}", label(seen.id.as_str()), seen.state);
        }
        for (_, target) in &self.lost {
            let _ = write!(key, " l{}", label(target.judgement_id.as_str()));
        }
    }
}

fn boot(number: usize) -> String {
    format!("boot {number}")
}

fn staff_member() -> UserId {
    UserId::from("staff")
}

fn verdict() -> Settlement {
    Settlement {
        verdict: Verdict::Accepted,
        reason: String::new(),
        compiler_text: Vec::new(),
        first_failing: None,
        max_cpu_ms: None,
        max_wall_ms: None,
        peak_memory_bytes: None,
        machine: String::new(),
        image_id: String::new(),
        manifest: None,
        score: None,
        max_score: None,
        groups: Vec::new(),
    }
}

/// Compares a step's answer with the one that the table gives.
fn expect(what: &str, answered: bool, expected: bool) -> Result<(), String> {
    if answered == expected { Ok(()) } else { Err(format!("{what} answered {answered}, the table says {expected}")) }
}

fn failed(error: rusqlite::Error) -> String {
    format!("the step failed: {error}")
}

/// Whether the worker still has the judgement.
fn holds(seen: Option<&Seen>, lease: &Lease) -> bool {
    seen.is_some_and(|seen| seen.state == "judging" && seen.attempt.as_deref() == Some(lease.attempt_id.as_str()))
}

fn lives(seen: Option<&Seen>, now_ms: i64) -> bool {
    seen.and_then(|seen| seen.lease_until_ms).is_some_and(|until| until > now_ms && until <= now_ms + LEASE_MS)
}

/// Whether nobody holds what is judged.
fn is_orphaned(seen: Option<&Seen>, now_ms: i64, boot: &str) -> bool {
    seen.is_some_and(|seen| {
        seen.state == "judging" && (!lives(Some(seen), now_ms) || seen.boot.as_deref() != Some(boot))
    })
}

impl Walk<'_, '_> {
    /// Does a step; answers the judgements that it may change.
    pub(super) fn do_step(
        &self,
        step: &Step,
        actor: usize,
        next: &mut Outside,
        before: &Snapshot,
    ) -> Result<Touched, String> {
        match step {
            Step::Take => self.take(actor, next, before),
            Step::Acquire => self.acquire(actor, next, before),
            Step::Renew => self.renew(actor, next, before),
            Step::Settle => self.settle(actor, next, before),
            Step::Fail => {
                let after = std::time::Duration::from_secs(2);
                self.fail(actor, next, before, &Fault::Ours { reason: "ours".into(), after })
            }
            Step::AskStaff => self.fail(actor, next, before, &Fault::AskStaff { reason: "two boxes died".into() }),
            Step::LookForOrphans => {
                let found = fence::orphans(self.tx, &boot(next.boot), at(next.now_ms)).map_err(failed)?;
                next.minds[actor].orphans = found;
                Ok(Touched::Nothing)
            }
            Step::Recover => self.recover(actor, next, before),
            Step::LookAtOutbox => {
                next.minds[actor].due = judge_outbox::due(self.tx, next.now_ms).map_err(failed)?;
                Ok(Touched::Nothing)
            }
            Step::Send | Step::Refuse => self.send(step, actor, next, before),
            Step::LookAt(submission) => {
                let id = &self.submissions[*submission];
                let found = judgement::newest(self.tx, id).map_err(failed)?.expect("it was saved");
                next.minds[actor].seen = Some((id.clone(), found));
                Ok(Touched::Nothing)
            }
            Step::Rejudge => self.rejudge(actor, next, before),
            Step::Cancel => self.cancel(actor, next, before),
            Step::Revive => self.revive(actor, next, before),
            Step::MakeReviewed | Step::Apply | Step::Discard => self.change_set(step, next, before),
            Step::LoseEntry => {
                self.tx.execute("DELETE FROM submission_queue_entry WHERE state = 'ready'", []).map_err(failed)?;
                Ok(Touched::These(before.judgements.iter().map(|seen| seen.id.clone()).collect()))
            }
            Step::SetEntriesAside => {
                let aside = "UPDATE submission_queue_entry SET state = 'dead', reason = 'why' WHERE state = 'ready'";
                self.tx.execute(aside, []).map_err(failed)?;
                Ok(Touched::These(before.judgements.iter().map(|seen| seen.id.clone()).collect()))
            }
            Step::LookForLost => {
                next.minds[actor].lost = staff::lost_entries(self.tx).map_err(failed)?;
                Ok(Touched::Nothing)
            }
            Step::Resend => self.resend(actor, next, before),
            Step::Reclaim => {
                lifecycle::reclaim(self.tx, &boot(next.boot), at(next.now_ms)).map_err(failed)?;
                Ok(Touched::These(
                    before.judgements.iter().filter(|seen| seen.queue == "taken").map(|s| s.id.clone()).collect(),
                ))
            }
            Step::Advance(by_ms) => {
                next.now_ms += by_ms;
                Ok(Touched::Nothing)
            }
            Step::Reboot => {
                next.boot += 1;
                Ok(Touched::Nothing)
            }
        }
    }

    fn take(&self, actor: usize, next: &mut Outside, before: &Snapshot) -> Result<Touched, String> {
        let order = lifecycle::take(self.tx, &boot(next.boot), at(next.now_ms)).map_err(failed)?;
        let could = before.judgements.iter().any(|seen| seen.state == "pending" && seen.queue == "ready");
        expect("take", order.is_some(), could)?;
        // On the way, entries whose judgement does not wait are acknowledged.
        let mut names: Vec<String> =
            before.judgements.iter().filter(|seen| seen.state != "pending").map(|seen| seen.id.clone()).collect();
        if let Some(order) = order {
            let taken = before.by_id(order.lease.judgement_id.as_str());
            expect(
                "take of this one",
                taken.is_some_and(|seen| seen.state == "pending" && seen.queue == "ready"),
                true,
            )?;
            names.push(order.lease.judgement_id.0.clone());
            next.minds[actor].hold = Some(order.lease);
        }
        Ok(Touched::These(names))
    }

    fn acquire(&self, actor: usize, next: &mut Outside, before: &Snapshot) -> Result<Touched, String> {
        let Some((id, found)) = next.minds[actor].seen.take() else { return Ok(Touched::Nothing) };
        let lease = Lease::wanted(found.id, id, found.generation, &boot(next.boot));
        let acquired = fence::acquire(self.tx, &lease, at(next.now_ms)).map_err(failed)?;
        let seen = before.by_id(lease.judgement_id.as_str()).expect("it was seen");
        expect("acquire", acquired, seen.state == "pending")?;
        let names = vec![lease.judgement_id.0.clone()];
        if acquired {
            next.minds[actor].hold = Some(lease);
        }
        Ok(Touched::These(names))
    }

    fn renew(&self, actor: usize, next: &mut Outside, before: &Snapshot) -> Result<Touched, String> {
        let Some(lease) = next.minds[actor].hold.clone() else { return Ok(Touched::Nothing) };
        let seen = before.by_id(lease.judgement_id.as_str());
        let renewed = fence::renew(self.tx, &lease, at(next.now_ms)).map_err(failed)?;
        expect("renew", renewed, holds(seen, &lease) && lives(seen, next.now_ms))?;
        Ok(Touched::These(vec![lease.judgement_id.0]))
    }

    fn settle(&self, actor: usize, next: &mut Outside, before: &Snapshot) -> Result<Touched, String> {
        let Some(lease) = next.minds[actor].hold.take() else { return Ok(Touched::Nothing) };
        let seen = before.by_id(lease.judgement_id.as_str());
        let step = lifecycle::settle(self.tx, &lease, &verdict(), &[], at(next.now_ms)).map_err(failed)?;
        expect("settle", step == lifecycle::Step::Done, holds(seen, &lease) && lives(seen, next.now_ms))?;
        Ok(Touched::These(vec![lease.judgement_id.0]))
    }

    fn fail(&self, actor: usize, next: &mut Outside, before: &Snapshot, fault: &Fault) -> Result<Touched, String> {
        let Some(lease) = next.minds[actor].hold.take() else { return Ok(Touched::Nothing) };
        let seen = before.by_id(lease.judgement_id.as_str());
        let step = lifecycle::fail(self.tx, &lease, fault, at(next.now_ms)).map_err(failed)?;
        expect("fail", step == lifecycle::Step::Done, holds(seen, &lease))?;
        Ok(Touched::These(vec![lease.judgement_id.0]))
    }

    fn recover(&self, actor: usize, next: &mut Outside, before: &Snapshot) -> Result<Touched, String> {
        let orphans = std::mem::take(&mut next.minds[actor].orphans);
        let own = boot(next.boot);
        let recovered = lifecycle::recover(self.tx, &orphans, &own, at(next.now_ms)).map_err(failed)?;
        let names: Vec<String> = orphans.into_iter().map(|orphan| orphan.judgement_id.0).collect();
        let still = names.iter().filter(|id| is_orphaned(before.by_id(id), next.now_ms, &own)).count();
        expect("recover of all that are still orphaned", recovered == still, true)?;
        Ok(Touched::These(names))
    }

    fn send(&self, step: &Step, actor: usize, next: &mut Outside, before: &Snapshot) -> Result<Touched, String> {
        let due = std::mem::take(&mut next.minds[actor].due);
        let row_of = |row: &Due| {
            let place = self.submissions.iter().position(|id| *id == row.submission_id);
            before.judgements.iter().find(|s| Some(s.submission) == place && s.generation == row.generation)
        };
        let waiting = due.iter().filter(|row| row_of(row).is_some_and(|seen| seen.outbox == "pending")).count();
        let moved = if *step == Step::Send {
            lifecycle::send(self.tx, &EmbeddedQueue, &due, at(next.now_ms)).map_err(failed)?
        } else {
            let mut refused = 0;
            for row in &due {
                let last = Due { attempts: judge_outbox::ATTEMPTS_MAX, ..row.clone() };
                // One is postponed, the other out of attempts.
                let row = if refused == 0 { row } else { &last };
                refused += usize::from(judge_outbox::note_refusal(self.tx, row, "away", next.now_ms).map_err(failed)?);
            }
            refused
        };
        expect("send of all that still wait", moved == waiting, true)?;
        Ok(Touched::These(due.iter().filter_map(row_of).map(|seen| seen.id.clone()).collect()))
    }

    fn rejudge(&self, actor: usize, next: &mut Outside, before: &Snapshot) -> Result<Touched, String> {
        let Some((id, found)) = next.minds[actor].seen.take() else { return Ok(Touched::Nothing) };
        let again = staff::again(self.tx, &id, &found, Origin::default(), at(next.now_ms)).map_err(failed)?;
        let seen = before.by_id(found.id.as_str()).expect("it was seen");
        let newest = before.newest(seen.submission);
        // What was seen open is superseded while it is open; what was seen finished is followed while it is the newest.
        let was_open = matches!(found.state.as_str(), "pending" | "judging");
        let expected = if was_open { seen.is_open() } else { newest.id == seen.id };
        expect("rejudge", matches!(again, Again::Waits { .. }), expected)?;
        Ok(Touched::These(vec![seen.id.clone()]))
    }

    fn cancel(&self, actor: usize, next: &mut Outside, before: &Snapshot) -> Result<Touched, String> {
        let Some((id, found)) = next.minds[actor].seen.take() else { return Ok(Touched::Nothing) };
        let now = at(next.now_ms);
        let cancelled = staff::cancel(self.tx, &id, &found, "cancelled", &staff_member(), now).map_err(failed)?;
        let seen = before.by_id(found.id.as_str()).expect("it was seen");
        expect("cancel", cancelled.is_some(), seen.is_open())?;
        Ok(Touched::These(vec![seen.id.clone()]))
    }

    fn revive(&self, actor: usize, next: &mut Outside, before: &Snapshot) -> Result<Touched, String> {
        let Some((id, found)) = next.minds[actor].seen.take() else { return Ok(Touched::Nothing) };
        let target = Target { judgement_id: found.id.clone(), generation: found.generation };
        let revived = staff::set_going(self.tx, &REVIVE, &id, &target, "revived", at(next.now_ms)).map_err(failed)?;
        let seen = before.by_id(found.id.as_str()).expect("it was seen");
        expect("revive", revived, seen.state == "pending" && (seen.outbox == "dead" || seen.queue == "dead"))?;
        Ok(Touched::These(vec![seen.id.clone()]))
    }

    fn resend(&self, actor: usize, next: &mut Outside, before: &Snapshot) -> Result<Touched, String> {
        let lost = std::mem::take(&mut next.minds[actor].lost);
        let resent = staff::resend(self.tx, &lost, at(next.now_ms)).map_err(failed)?;
        let names: Vec<String> = lost.into_iter().map(|(_, target)| target.judgement_id.0).collect();
        let is_lost = |seen: &Seen| seen.state == "pending" && seen.outbox == "sent" && seen.queue.is_empty();
        let still = names.iter().filter(|id| before.by_id(id).is_some_and(is_lost)).count();
        expect("resend of all that are still lost", resent as usize == still, true)?;
        debug_assert_eq!(RESEND.name, "resend");
        Ok(Touched::These(names))
    }

    fn change_set(&self, step: &Step, next: &mut Outside, before: &Snapshot) -> Result<Touched, String> {
        let all = || before.judgements.iter().map(|seen| seen.id.clone()).collect();
        let now = at(next.now_ms);
        if *step == Step::MakeReviewed {
            let new = NewRejudging {
                by: staff_member(),
                idempotency_key: IdempotencyKey(crate::ids::new_id()),
                selection: RejudgeSelection::Matching {
                    problem_id: Some("p".into()),
                    language_id: None,
                    verdict: None,
                    contest_id: None,
                },
                mode: RejudgeMode::Reviewed,
                basis: RejudgeBasis::AsHandedIn,
                newest: std::collections::HashMap::new(),
            };
            match change_set::make(self.tx, &new, now).map_err(failed)? {
                Ok(made) => next.change_set = Some(made.id),
                // All of them are being judged or wait in an open change set: nothing may have changed.
                Err(ChangeSetError::NothingTaken { .. }) => return Ok(Touched::Nothing),
                Err(error) => return Err(error.to_string()),
            }
            return Ok(Touched::These(all()));
        }
        let Some(id) = next.change_set.clone() else { return Ok(Touched::Nothing) };
        // Too early or decided otherwise is an answer too; the invariants say whether it was right.
        if *step == Step::Apply {
            let _ = change_set::apply(self.tx, &id, &staff_member()).map_err(failed)?;
        } else {
            let _ = change_set::discard(self.tx, &id, &staff_member(), now).map_err(failed)?;
        }
        Ok(Touched::These(all()))
    }

    pub(super) fn dispatch(&self, now_ms: i64) -> Result<(), String> {
        let due = judge_outbox::due(self.tx, now_ms).map_err(failed)?;
        lifecycle::send(self.tx, &EmbeddedQueue, &due, at(now_ms)).map_err(failed).map(drop)
    }

    /// A healthy worker judges the next entry; false when there is none.
    pub(super) fn judge_one(&self, now_ms: i64) -> Result<bool, String> {
        let Some(order) = lifecycle::take(self.tx, "healthy", at(now_ms)).map_err(failed)? else { return Ok(false) };
        let step = lifecycle::settle(self.tx, &order.lease, &verdict(), &[], at(now_ms)).map_err(failed)?;
        expect("a healthy worker's verdict", step == lifecycle::Step::Done, true)?;
        Ok(true)
    }

    /// From any state the machinery alone brings each submission to its end, or to staff.
    pub(super) fn drain(&self, outside: &Outside) -> Result<(), String> {
        let mut now_ms = outside.now_ms;
        for _ in 0..8 {
            now_ms += LEASE_MS + 1;
            let orphans = fence::orphans(self.tx, "healthy", at(now_ms)).map_err(failed)?;
            lifecycle::recover(self.tx, &orphans, "healthy", at(now_ms)).map_err(failed)?;
            let lost = staff::lost_entries(self.tx).map_err(failed)?;
            staff::resend(self.tx, &lost, at(now_ms)).map_err(failed)?;
            lifecycle::reclaim(self.tx, "healthy", at(now_ms)).map_err(failed)?;
            self.dispatch(now_ms)?;
            while self.judge_one(now_ms)? {}
            let snapshot = self.look()?;
            let is_stuck = |seen: &&Seen| seen.is_open() && seen.outbox != "dead" && seen.queue != "dead";
            if !snapshot.judgements.iter().any(|seen| is_stuck(&seen)) {
                return Ok(());
            }
        }
        let snapshot = self.look()?;
        Err(format!("stuck: nothing brings it to an end: {:#?}", snapshot.judgements))
    }
}
