//! Every order of orders and answers, enumerated; and what must hold in each.

use std::collections::HashSet;

use super::machine::{Action, Event, Machine, Reaction, Timer};
use super::*;
use agon_contract::module::ModuleState;

/// Orders in one life. Five reach every phase, overdue ones included, and leave two for what follows.
const ORDERS: u8 = 5;

/// Steps from anywhere to rest without an order: a start and its stop, both overdue, each answered late, twice – for the
/// one that is out and the one that waits for it.
const LONGEST_REST: u32 = 12;

/// A module as the machine's task would see it: what is out, what exists, what runs.
#[derive(Clone, PartialEq, Eq, Hash)]
struct World {
    machine: Machine,
    orders_left: u8,
    is_shut: bool,
    is_wanted: bool,
    start: Option<StartOut>,
    /// An instance that works.
    holds: bool,
    /// An instance whose close is out.
    closes: bool,
    timer: bool,
    trace: Trace,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct StartOut {
    is_cancelled: bool,
}

/// How the life went, for the message of a failure only: equal worlds are equal whatever led to them.
#[derive(Clone, Default)]
struct Trace(Vec<String>);

impl PartialEq for Trace {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl Eq for Trace {}
impl std::hash::Hash for Trace {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

fn failure(reason: &str) -> ModuleFailure {
    ModuleFailure::new(reason, "")
}

impl World {
    fn new() -> Self {
        Self {
            machine: Machine::new(),
            orders_left: ORDERS,
            is_shut: false,
            is_wanted: false,
            start: None,
            holds: false,
            closes: false,
            timer: false,
            trace: Trace::default(),
        }
    }

    fn possible_orders(&self) -> Vec<Event> {
        if self.orders_left == 0 {
            return Vec::new();
        }
        vec![Event::SwitchOn, Event::SwitchOff, Event::Restart, Event::Shut]
    }

    /// What may come from outside without anybody's order.
    fn possible_answers(&self) -> Vec<Event> {
        let mut events = Vec::new();
        if self.start.is_some() {
            events.push(Event::StartAnswered(Ok(())));
            events.push(Event::StartAnswered(Err(failure("does not start"))));
        }
        if self.holds {
            events.push(Event::Died(failure("died")));
        }
        if self.closes {
            events.push(Event::Closed(Ok(())));
            events.push(Event::Closed(Err(failure("panicked"))));
        }
        if self.timer {
            events.push(Event::BudgetSpent);
        }
        events
    }

    fn after(&self, event: Event, is_order: bool) -> Self {
        let mut next = self.clone();
        next.trace.0.push(format!("{event:?}"));
        if is_order {
            next.orders_left -= 1;
        }
        match &event {
            Event::SwitchOn if !next.is_shut => next.is_wanted = true,
            Event::SwitchOff => next.is_wanted = false,
            Event::Shut => (next.is_wanted, next.is_shut) = (false, true),
            Event::StartAnswered(answer) => {
                next.start = None;
                next.holds = answer.is_ok();
            }
            Event::Closed(_) => next.closes = false,
            Event::BudgetSpent => next.timer = false,
            Event::SwitchOn | Event::Restart | Event::Died(_) => {}
        }
        let reaction = next.machine.on(event);
        next.obey(reaction);
        next.check();
        next
    }

    fn obey(&mut self, reaction: Reaction) {
        match reaction.timer {
            Timer::Keep => {}
            Timer::Off => self.timer = false,
            Timer::Start | Timer::Stop => self.timer = true,
        }
        let trace = &self.trace.0;
        match reaction.action {
            None => {}
            Some(Action::Start) => {
                let is_alone = self.start.is_none() && !self.holds && !self.closes;
                assert!(is_alone, "two at one time after {trace:?}");
                assert!(self.is_wanted, "started unasked after {trace:?}");
                assert_eq!(reaction.timer, Timer::Start, "a start without a bound after {trace:?}");
                self.start = Some(StartOut { is_cancelled: false });
            }
            Some(Action::CancelStart) => {
                let start = self.start.as_mut().unwrap_or_else(|| panic!("nothing to cancel after {trace:?}"));
                assert!(!start.is_cancelled, "cancelled twice after {trace:?}");
                start.is_cancelled = true;
            }
            Some(Action::Close) => {
                assert!(self.holds && !self.closes, "closed what is not there after {trace:?}");
                assert_eq!(reaction.timer, Timer::Stop, "a stop without a fresh bound after {trace:?}");
                (self.holds, self.closes) = (false, true);
            }
        }
    }

    fn exists(&self) -> bool {
        self.start.is_some() || self.holds || self.closes
    }

    /// What the state says is true, and whatever is out is bounded.
    fn check(&self) {
        let (state, failure) = self.machine.shown();
        let trace = &self.trace.0;
        let is_true = match &state {
            ModuleState::Disabled | ModuleState::Stopped => !self.exists() && !self.is_wanted,
            ModuleState::Starting => self.is_wanted && self.start.is_some_and(|start| !start.is_cancelled),
            ModuleState::Ready => self.is_wanted && self.holds,
            ModuleState::Stopping => self.exists() && !self.holds && self.timer,
            ModuleState::Failed => !self.holds,
            ModuleState::Unknown(_) => false,
        };
        assert!(is_true, "{state} is not true after {trace:?}");
        assert_eq!(state == ModuleState::Failed, failure.is_some(), "a failure has a reason: {trace:?}");
        assert_eq!(self.machine.is_on(), self.is_wanted, "what is wanted: {trace:?}");
        assert!(!(self.is_shut && self.holds), "runs after the judge closed: {trace:?}");
        if self.holds {
            assert!(!self.timer, "a healthy instance has no deadline: {trace:?}");
        }
        if self.exists() && !self.holds && !self.timer {
            assert_eq!(state, ModuleState::Failed, "waits without a bound and does not say so: {trace:?}");
        }
        if !self.exists() {
            assert!(!self.timer, "a timer for nothing: {trace:?}");
            assert!(!self.is_wanted || state == ModuleState::Failed, "wanted, and nothing happens: {trace:?}");
        }
        if self.machine.is_over() {
            assert!(self.is_shut && !self.holds, "over too early: {trace:?}");
        }
    }
}

/// Follows answers only; they must come to an end, and a closed judge must be over by then.
fn comes_to_rest(world: &World, depth: u32) {
    assert!(depth < LONGEST_REST, "goes on and on after {:?}", world.trace.0);
    let answers = world.possible_answers();
    if answers.is_empty() && world.is_shut {
        assert!(world.machine.is_over(), "never over after {:?}", world.trace.0);
    }
    for event in answers {
        comes_to_rest(&world.after(event, false), depth + 1);
    }
}

#[test]
fn every_interleaving_keeps_the_promises() {
    let mut seen = HashSet::from([World::new()]);
    let mut open = vec![World::new()];
    while let Some(world) = open.pop() {
        comes_to_rest(&world, 0);
        let orders = world.possible_orders().into_iter().map(|event| (event, true));
        let answers = world.possible_answers().into_iter().map(|event| (event, false));
        for (event, is_order) in orders.chain(answers) {
            let next = world.after(event, is_order);
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    let shown: HashSet<ModuleState> = seen.iter().map(|world| world.machine.shown().0).collect();
    assert_eq!(shown.len(), ModuleState::KNOWN.len(), "every state was reached: {shown:?}");
    let overdue = seen.iter().filter(|world| world.exists() && !world.holds && !world.timer).count();
    assert!(overdue > 0, "starts and stops that hang were reached");
}

#[test]
fn a_wish_is_a_level_and_the_last_one_counts() {
    let mut machine = Machine::new();
    assert_eq!(machine.on(Event::SwitchOn).action, Some(Action::Start));
    for _ in 0..10 {
        assert_eq!(machine.on(Event::SwitchOn).action, None, "it starts already");
    }
    machine.on(Event::StartAnswered(Ok(())));
    assert_eq!(machine.on(Event::SwitchOff).action, Some(Action::Close));
    for event in [Event::SwitchOn, Event::SwitchOff, Event::Restart, Event::SwitchOn] {
        assert_eq!(machine.on(event).action, None, "the close is waited for");
    }
    assert_eq!(machine.shown().0, ModuleState::Stopping);
    assert_eq!(machine.on(Event::Closed(Ok(()))).action, Some(Action::Start));
}

#[test]
fn a_failed_module_is_tried_again_only_when_somebody_says_so() {
    let mut machine = Machine::new();
    machine.on(Event::SwitchOn);
    assert_eq!(machine.on(Event::StartAnswered(Err(failure("no folder")))).action, None);
    assert_eq!(machine.shown(), (ModuleState::Failed, Some(failure("no folder"))));
    assert_eq!(machine.on(Event::SwitchOn).action, Some(Action::Start));
}

#[test]
fn the_first_fault_is_the_one_that_is_told() {
    let mut machine = Machine::new();
    machine.on(Event::SwitchOn);
    machine.on(Event::StartAnswered(Ok(())));
    assert_eq!(machine.on(Event::Died(failure("first"))).action, Some(Action::Close));
    machine.on(Event::Closed(Err(failure("second"))));
    assert_eq!(machine.shown(), (ModuleState::Failed, Some(failure("first"))));
}
