//! The race story: every interleaving of workers, recovery, dispatcher and staff, over the real statements.
//!
//! Each scenario has a few actors, each with a program of steps. The explorer walks *all* interleavings of the programs
//! (depth first; a state that was seen with the same program counters is not walked twice), each step in a savepoint of
//! a database in memory. What an actor has seen stays in its mind while others act, so every read-then-write gap is
//! walked too. After every step the [`invariants`] must hold, its answer must be the one that the table of the fence
//! gives, and from every state the machinery alone must bring each submission to an end.

mod actors;
mod invariants;
mod scenarios;
mod world;

use std::collections::HashSet;

use agon_contract::ids::{ChangeSetId, SubmissionId};

use actors::{Mind, Step, Touched};
use world::{START_MS, Snapshot};

use crate::owner::submission::change_set::check_tally;
use crate::store::WriteTx;
use crate::store::authorizer::Owner;

pub(super) use scenarios::{ALL, SMALL};
pub(super) use world::database;

/// Where a scenario begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// In the outbox.
    Saved,
    /// In the queue.
    Sent,
    /// With a verdict.
    Judged,
}

/// Actors whose steps interleave in every way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scenario {
    pub name: &'static str,
    pub submissions: usize,
    pub start: Start,
    /// Whether the dispatcher runs after every step, rather than as an actor.
    pub dispatches_at_once: bool,
    pub actors: &'static [(&'static str, &'static [Step])],
}

/// What is not in the database.
#[derive(Clone, Debug)]
struct Outside {
    counters: Vec<usize>,
    minds: Vec<Mind>,
    now_ms: i64,
    boot: usize,
    change_set: Option<ChangeSetId>,
}

/// One walk through a scenario.
struct Walk<'t, 'c> {
    scenario: &'t Scenario,
    tx: &'t WriteTx<'c>,
    submissions: Vec<SubmissionId>,
    seen: HashSet<String>,
    /// Databases that the machinery was seen to bring to an end.
    drained: HashSet<String>,
    steps: u64,
}

/// What a walk found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walked {
    pub states: usize,
    pub steps: u64,
}

/// Walks all interleavings of a scenario; answers the first path that breaks a rule.
pub(super) fn walk(scenario: &Scenario) -> Result<Walked, String> {
    let mut connection = database();
    let transaction = connection.transaction().expect("begun");
    let tx = WriteTx::for_tests(transaction, Owner::Submission, START_MS);
    let submissions: Vec<SubmissionId> = (0..scenario.submissions).map(|_| world::save(&tx)).collect();
    let mut walk = Walk { scenario, tx: &tx, submissions, seen: HashSet::new(), drained: HashSet::new(), steps: 0 };
    let outside = Outside {
        counters: vec![0; scenario.actors.len()],
        minds: vec![Mind::default(); scenario.actors.len()],
        now_ms: START_MS,
        boot: 0,
        change_set: None,
    };
    let told = |what: String| format!("{}: at the start: {what}", scenario.name);
    walk.begin(&outside).map_err(told)?;
    let before = walk.look().map_err(told)?;
    walk.from(&outside, &before, &mut Vec::new())?;
    Ok(Walked { states: walk.seen.len(), steps: walk.steps })
}

impl Walk<'_, '_> {
    fn begin(&self, outside: &Outside) -> Result<(), String> {
        if self.scenario.start != Start::Saved {
            self.dispatch(outside.now_ms)?;
        }
        if self.scenario.start == Start::Judged {
            while self.judge_one(outside.now_ms)? {}
        }
        Ok(())
    }

    fn look(&self) -> Result<Snapshot, String> {
        Snapshot::of(self.tx, &self.submissions).map_err(|error| format!("the world cannot be read: {error}"))
    }

    /// Walks on from a state in every way.
    fn from(&mut self, outside: &Outside, before: &Snapshot, path: &mut Vec<String>) -> Result<(), String> {
        if !self.seen.insert(outside.key(before)) {
            return Ok(());
        }
        let told = |what: String, path: &[String]| format!("{}: {}: {what}", self.scenario.name, path.join(", "));
        if self.drained.insert(outside.database_key(before)) {
            self.in_savepoint(|walk| walk.drain(outside)).map_err(|what| told(what, path))?;
        }
        for actor in 0..self.scenario.actors.len() {
            let (name, program) = self.scenario.actors[actor];
            let Some(step) = program.get(outside.counters[actor]) else { continue };
            path.push(format!("{name} {step:?}"));
            let scenario = self.scenario;
            self.in_savepoint_mut(|walk| {
                let mut next = outside.clone();
                next.counters[actor] += 1;
                walk.steps += 1;
                let after = walk.act(step, actor, &mut next, before);
                let after = after.map_err(|what| format!("{}: {}: {what}", scenario.name, path.join(", ")))?;
                walk.from(&next, &after, path)
            })?;
            path.pop();
        }
        Ok(())
    }

    /// Does one step and checks what came of it.
    fn act(&self, step: &Step, actor: usize, next: &mut Outside, before: &Snapshot) -> Result<Snapshot, String> {
        let names = match self.do_step(step, actor, next, before)? {
            Touched::Nothing => return Ok(before.clone()),
            Touched::These(names) => names,
        };
        let after = self.look()?;
        invariants::check(before, &after, &names)?;
        if let Some(id) = &next.change_set {
            check_tally(self.tx, id)?;
        }
        let waits = after.judgements.iter().any(|seen| seen.outbox == "pending");
        if !(self.scenario.dispatches_at_once && waits) {
            return Ok(after);
        }
        self.dispatch(next.now_ms)?;
        self.look()
    }

    fn in_savepoint<T>(&self, work: impl FnOnce(&Self) -> Result<T, String>) -> Result<T, String> {
        self.tx.execute_batch("SAVEPOINT walk").expect("a savepoint");
        let result = work(self);
        self.tx.execute_batch("ROLLBACK TO walk; RELEASE walk").expect("rolled back");
        result
    }

    fn in_savepoint_mut<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        self.tx.execute_batch("SAVEPOINT walk").expect("a savepoint");
        let result = work(self);
        self.tx.execute_batch("ROLLBACK TO walk; RELEASE walk").expect("rolled back");
        result
    }
}

impl Outside {
    /// The whole state with names that are the same in every run and times that count from now.
    fn key(&self, snapshot: &Snapshot) -> String {
        use std::fmt::Write;
        let mut key = self.database_key(snapshot);
        let _ = write!(key, "|{:?} {} {}", self.counters, self.boot, self.change_set.is_some());
        for mind in &self.minds {
            mind.write_key(&mut key, snapshot);
        }
        key
    }

    /// What lies in the database.
    fn database_key(&self, snapshot: &Snapshot) -> String {
        use std::fmt::Write;
        let mut key = String::with_capacity(256);
        for seen in &snapshot.judgements {
            let holder = self.minds.iter().position(|mind| mind.holds(seen.attempt.as_deref()));
            let lease = seen.lease_until_ms.map(|until| until - self.now_ms);
            let is_current = snapshot.current[seen.submission].as_deref() == Some(seen.id.as_str());
            let _ = write!(
                key,
                "{} {} {holder:?} {:?} {lease:?} {} {} {} {} {} {is_current};",
                seen.label(),
                seen.state,
                seen.boot,
                seen.is_held,
                seen.lost_leases,
                seen.faults,
                seen.outbox,
                seen.queue
            );
        }
        let _ = write!(key, "|{}", snapshot.applied.len());
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_interleaving_breaks_a_rule() {
        for scenario in ALL.iter().chain(SMALL) {
            let started = std::time::Instant::now();
            let walked = walk(scenario).unwrap_or_else(|path| panic!("{path}"));
            eprintln!(
                "{}: {} states, {} steps, {} ms",
                scenario.name,
                walked.states,
                walked.steps,
                started.elapsed().as_millis()
            );
            assert!(walked.states > 20, "{} walks almost nowhere", scenario.name);
        }
    }
}
