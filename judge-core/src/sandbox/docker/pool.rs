//! The warm pool: started, empty boxes of the classes that were asked for last.
//!
//! Starting a box costs a few hundred milliseconds of CPU; a submission that finds one ready does not wait for it. One
//! task fills the pool, one box at a time, and stands back while programs run.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use super::opened::OpenedBox;
use crate::sandbox::{BoxPurpose, BoxSpec, ImageRef};

/// Classes kept warm: a submission needs a box to run in and one to compile in.
const MOST_CLASSES: usize = 2;

/// Boxes that can stand in for each other; memory and processes are set exactly at the first run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BoxClass {
    purpose: BoxPurpose,
    image: ImageRef,
    memory_step: u32,
}

impl BoxClass {
    /// Memory classes are powers of two: a limit can be set lower or higher on a box that is still empty.
    pub(super) fn of(spec: &BoxSpec) -> Self {
        Self {
            purpose: spec.purpose,
            image: spec.image.clone(),
            memory_step: spec.memory_bytes.max(1).next_power_of_two().ilog2(),
        }
    }
}

/// What the pool knows; all of its rules, and no box is ever opened or removed here.
pub(super) struct Pool {
    state: Mutex<PoolState>,
    /// Something was taken, wanted or ended: the filler looks again.
    pub(super) changed: Notify,
}

struct PoolState {
    /// Latest first.
    wanted: Vec<BoxSpec>,
    ready: VecDeque<OpenedBox>,
    per_class: usize,
    running: usize,
    host_cores: usize,
    closed: bool,
}

/// What the filler is to do next.
pub(super) enum NextStep {
    Open(BoxSpec),
    /// A class that nobody asks for any more.
    Remove(Box<OpenedBox>),
    Wait,
    Stop,
}

impl Pool {
    pub(super) fn new(per_class: usize, host_cores: usize) -> Self {
        let state =
            PoolState { wanted: Vec::new(), ready: VecDeque::new(), per_class, running: 0, host_cores, closed: false };
        Self { state: Mutex::new(state), changed: Notify::new() }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers that boxes like this are wanted.
    pub(super) fn want(&self, spec: &BoxSpec) {
        let class = BoxClass::of(spec);
        let mut state = self.state();
        state.wanted.retain(|known| BoxClass::of(known) != class);
        state.wanted.insert(0, spec.clone());
        state.wanted.truncate(MOST_CLASSES);
        drop(state);
        self.changed.notify_one();
    }

    /// A ready box of this class, the longest ready first.
    pub(super) fn take(&self, spec: &BoxSpec) -> Option<OpenedBox> {
        let class = BoxClass::of(spec);
        let mut state = self.state();
        let position = state.ready.iter().position(|opened| BoxClass::of(&opened.spec) == class)?;
        let taken = state.ready.remove(position);
        drop(state);
        self.changed.notify_one();
        taken
    }

    /// Adds a box; hands it back when the pool has closed meanwhile.
    pub(super) fn add(&self, opened: OpenedBox) -> Result<(), Box<OpenedBox>> {
        let mut state = self.state();
        if state.closed {
            return Err(Box::new(opened));
        }
        state.ready.push_back(opened);
        Ok(())
    }

    /// Counts a program that runs; the filler stands back while every core has one.
    pub(super) fn run_begins(&self) {
        self.state().running += 1;
    }

    pub(super) fn run_ends(&self) {
        let mut state = self.state();
        state.running = state.running.saturating_sub(1);
        drop(state);
        self.changed.notify_one();
    }

    pub(super) fn ready_count(&self) -> usize {
        self.state().ready.len()
    }

    pub(super) fn is_closed(&self) -> bool {
        self.state().closed
    }

    /// What the filler does next.
    pub(super) fn next_step(&self) -> NextStep {
        let mut state = self.state();
        if state.closed {
            return NextStep::Stop;
        }
        if let Some(position) = state.unwanted()
            && let Some(opened) = state.ready.remove(position)
        {
            return NextStep::Remove(Box::new(opened));
        }
        if state.running >= state.host_cores {
            return NextStep::Wait;
        }
        state.lacking().map_or(NextStep::Wait, NextStep::Open)
    }

    /// Closes for good; the boxes that were ready are the caller's to remove.
    pub(super) fn close(&self) -> Vec<OpenedBox> {
        let mut state = self.state();
        state.closed = true;
        let ready = state.ready.drain(..).collect();
        drop(state);
        self.changed.notify_one();
        ready
    }
}

impl PoolState {
    fn unwanted(&self) -> Option<usize> {
        self.ready.iter().position(|opened| {
            let class = BoxClass::of(&opened.spec);
            !self.wanted.iter().any(|wanted| BoxClass::of(wanted) == class)
        })
    }

    /// The class with the fewest ready boxes, the latest wanted first among equals.
    fn lacking(&self) -> Option<BoxSpec> {
        let ready_of = |spec: &BoxSpec| {
            let class = BoxClass::of(spec);
            self.ready.iter().filter(|opened| BoxClass::of(&opened.spec) == class).count()
        };
        self.wanted
            .iter()
            .map(|spec| (ready_of(spec), spec))
            .filter(|(ready, _)| *ready < self.per_class)
            .min_by_key(|(ready, _)| *ready)
            .map(|(_, spec)| spec.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(purpose: BoxPurpose, memory_bytes: u64) -> BoxSpec {
        BoxSpec { purpose, image: ImageRef { reference: "i".into(), id: None }, memory_bytes, processes: 64 }
    }

    fn opens(pool: &Pool) -> Option<BoxSpec> {
        match pool.next_step() {
            NextStep::Open(spec) => Some(spec),
            NextStep::Remove(_) | NextStep::Wait | NextStep::Stop => None,
        }
    }

    #[test]
    fn boxes_of_one_memory_class_stand_in_for_each_other() {
        let class = |memory| BoxClass::of(&spec(BoxPurpose::Run, memory));
        assert_eq!(class(200 << 20), class(256 << 20));
        assert_ne!(class(256 << 20), class((256 << 20) + 1));
        assert_ne!(class(1 << 28), BoxClass::of(&spec(BoxPurpose::Compile, 1 << 28)));
        assert_eq!(class(0), class(1), "no limit is no panic");
    }

    #[test]
    fn an_empty_pool_fills_what_was_wanted_last() {
        let pool = Pool::new(2, 2);
        assert!(opens(&pool).is_none(), "nobody wants anything yet");
        pool.want(&spec(BoxPurpose::Compile, 1 << 31));
        pool.want(&spec(BoxPurpose::Run, 1 << 28));
        assert_eq!(opens(&pool).expect("a box").purpose, BoxPurpose::Run);
        pool.want(&spec(BoxPurpose::Compile, 1 << 31));
        assert_eq!(opens(&pool).expect("a box").purpose, BoxPurpose::Compile);
    }

    #[test]
    fn filling_stands_back_while_every_core_runs_a_program() {
        let pool = Pool::new(2, 2);
        pool.want(&spec(BoxPurpose::Run, 1 << 28));
        pool.run_begins();
        assert!(opens(&pool).is_some());
        pool.run_begins();
        assert!(opens(&pool).is_none());
        pool.run_ends();
        assert!(opens(&pool).is_some());
    }

    #[test]
    fn a_closed_pool_takes_and_gives_nothing() {
        let pool = Pool::new(2, 2);
        pool.want(&spec(BoxPurpose::Run, 1 << 28));
        assert!(pool.close().is_empty());
        assert!(matches!(pool.next_step(), NextStep::Stop));
        assert!(pool.take(&spec(BoxPurpose::Run, 1 << 28)).is_none());
    }
}
