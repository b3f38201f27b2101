//! What a slot decides, as a pure function of what it knows and what happens.

use agon_contract::module::ModuleState;

use super::ModuleFailure;

/// Something that reached the slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    SwitchOn,
    SwitchOff,
    /// Only while switched on.
    Restart,
    /// The judge closes: off, and no order counts any more.
    Shut,
    /// The start answered; `Ok` means that the slot now holds an instance.
    StartAnswered(Result<(), ModuleFailure>),
    /// The instance that runs cannot go on.
    Died(ModuleFailure),
    /// The instance's close came back, or panicked.
    Closed(Result<(), ModuleFailure>),
    /// The time that was given is over.
    BudgetSpent,
}

/// What the slot has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Start,
    /// Tell the start that nobody waits for it.
    CancelStart,
    /// Close the instance that is held.
    Close,
}

/// What becomes of the slot's one timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timer {
    Keep,
    Off,
    Start,
    Stop,
}

/// Answer to an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reaction {
    pub action: Option<Action>,
    pub timer: Timer,
}

const NOTHING: Reaction = Reaction { action: None, timer: Timer::Keep };

impl Reaction {
    fn new(action: Action, timer: Timer) -> Self {
        Self { action: Some(action), timer }
    }
}

/// How it came that nothing runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum End {
    NeverStarted,
    Told,
    Fault(ModuleFailure),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// Nothing of the module exists.
    Idle(End),
    /// A start is out and wanted.
    Starting {
        try_number: u64,
    },
    /// A start is out and no longer wanted; its answer is waited for.
    Leaving {
        end: End,
        is_overdue: bool,
    },
    Running {
        try_number: u64,
    },
    /// The instance is being closed.
    Closing {
        end: End,
        is_overdue: bool,
    },
}

/// One module's life.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Machine {
    /// The try that is wanted; `None`: off.
    wanted: Option<u64>,
    /// The last try that was made.
    tried: u64,
    is_shut: bool,
    phase: Phase,
}

impl Machine {
    pub(super) fn new() -> Self {
        Self { wanted: None, tried: 0, is_shut: false, phase: Phase::Idle(End::NeverStarted) }
    }

    pub(super) fn is_on(&self) -> bool {
        self.wanted.is_some()
    }

    /// Whether the judge is closing and nothing is left that could be waited for in bounded time.
    pub(super) fn is_over(&self) -> bool {
        self.is_shut
            && match &self.phase {
                Phase::Idle(_) => true,
                Phase::Leaving { is_overdue, .. } | Phase::Closing { is_overdue, .. } => *is_overdue,
                Phase::Starting { .. } | Phase::Running { .. } => false,
            }
    }

    /// The state to show, with the failure behind it.
    pub(super) fn shown(&self) -> (ModuleState, Option<ModuleFailure>) {
        match &self.phase {
            Phase::Idle(End::NeverStarted) => (ModuleState::Disabled, None),
            Phase::Idle(End::Told) => (ModuleState::Stopped, None),
            Phase::Starting { .. } => (ModuleState::Starting, None),
            Phase::Running { .. } => (ModuleState::Ready, None),
            Phase::Leaving { is_overdue: true, .. } => (ModuleState::Failed, Some(start_hangs())),
            Phase::Closing { is_overdue: true, .. } => (ModuleState::Failed, Some(close_hangs())),
            Phase::Idle(End::Fault(failure))
            | Phase::Leaving { end: End::Fault(failure), .. }
            | Phase::Closing { end: End::Fault(failure), .. } => (ModuleState::Failed, Some(failure.clone())),
            Phase::Leaving { .. } | Phase::Closing { .. } => (ModuleState::Stopping, None),
        }
    }

    /// Moves on.
    pub(super) fn on(&mut self, event: Event) -> Reaction {
        match event {
            Event::SwitchOn => self.switch_on(),
            Event::Restart if self.wanted.is_some() => self.want_another(),
            Event::Restart => NOTHING,
            Event::SwitchOff => self.switch_off(),
            Event::Shut => {
                self.is_shut = true;
                self.switch_off()
            }
            Event::StartAnswered(answer) => self.start_answered(answer),
            Event::Died(failure) => match self.phase {
                Phase::Running { .. } => self.close(End::Fault(failure)),
                Phase::Idle(_) | Phase::Starting { .. } | Phase::Leaving { .. } | Phase::Closing { .. } => NOTHING,
            },
            Event::Closed(closed) => self.closed(closed),
            Event::BudgetSpent => self.budget_spent(),
        }
    }

    fn switch_on(&mut self) -> Reaction {
        let is_under_way = self.wanted.is_some_and(|wanted| {
            let (Phase::Starting { try_number } | Phase::Running { try_number }) = self.phase else {
                return wanted > self.tried;
            };
            wanted == try_number || wanted > self.tried
        });
        if is_under_way { NOTHING } else { self.want_another() }
    }

    fn want_another(&mut self) -> Reaction {
        if self.is_shut {
            return NOTHING;
        }
        self.wanted = Some(self.tried + 1);
        self.let_go()
    }

    fn switch_off(&mut self) -> Reaction {
        self.wanted = None;
        match &mut self.phase {
            Phase::Idle(end @ End::Fault(_)) | Phase::Leaving { end, .. } | Phase::Closing { end, .. } => {
                *end = End::Told;
            }
            Phase::Idle(End::NeverStarted | End::Told) | Phase::Starting { .. } | Phase::Running { .. } => {}
        }
        self.let_go()
    }

    /// Ends what is no longer wanted, or begins what is.
    fn let_go(&mut self) -> Reaction {
        match self.phase {
            Phase::Idle(_) => self.begin(),
            Phase::Starting { .. } => {
                self.phase = Phase::Leaving { end: End::Told, is_overdue: false };
                Reaction::new(Action::CancelStart, Timer::Stop)
            }
            Phase::Running { .. } => self.close(End::Told),
            Phase::Leaving { .. } | Phase::Closing { .. } => NOTHING,
        }
    }

    /// Nothing exists: the wish decides whether something begins. Not a try that was made already.
    fn begin(&mut self) -> Reaction {
        match self.wanted {
            Some(wanted) if wanted > self.tried => {
                self.tried = wanted;
                self.phase = Phase::Starting { try_number: wanted };
                Reaction::new(Action::Start, Timer::Start)
            }
            Some(_) | None => Reaction { action: None, timer: Timer::Off },
        }
    }

    fn close(&mut self, end: End) -> Reaction {
        self.phase = Phase::Closing { end, is_overdue: false };
        Reaction::new(Action::Close, Timer::Stop)
    }

    fn start_answered(&mut self, answer: Result<(), ModuleFailure>) -> Reaction {
        let end = match (&self.phase, answer) {
            (Phase::Starting { try_number }, Ok(())) => {
                self.phase = Phase::Running { try_number: *try_number };
                return Reaction { action: None, timer: Timer::Off };
            }
            // Too late, or no longer wanted: whoever holds it closes it.
            (Phase::Leaving { end, .. }, Ok(())) => {
                let end = end.clone();
                return self.close(end);
            }
            (Phase::Starting { .. }, Err(failure)) => End::Fault(failure),
            (Phase::Leaving { end, .. }, Err(_)) => end.clone(),
            (Phase::Idle(_) | Phase::Running { .. } | Phase::Closing { .. }, _) => return NOTHING,
        };
        self.phase = Phase::Idle(end);
        self.begin()
    }

    fn closed(&mut self, closed: Result<(), ModuleFailure>) -> Reaction {
        let Phase::Closing { end, .. } = &self.phase else { return NOTHING };
        let end = match (end, closed) {
            // The first fault is the one that matters.
            (End::Fault(first), _) => End::Fault(first.clone()),
            (End::NeverStarted | End::Told, Err(failure)) => End::Fault(failure),
            (End::NeverStarted | End::Told, Ok(())) => End::Told,
        };
        self.phase = Phase::Idle(end);
        self.begin()
    }

    fn budget_spent(&mut self) -> Reaction {
        match &mut self.phase {
            Phase::Starting { .. } => {
                self.phase = Phase::Leaving { end: End::Fault(start_too_slow()), is_overdue: false };
                Reaction::new(Action::CancelStart, Timer::Stop)
            }
            Phase::Leaving { is_overdue, .. } | Phase::Closing { is_overdue, .. } => {
                *is_overdue = true;
                Reaction { action: None, timer: Timer::Off }
            }
            Phase::Idle(_) | Phase::Running { .. } => NOTHING,
        }
    }
}

fn start_too_slow() -> ModuleFailure {
    ModuleFailure::new("its start took longer than it may", "Look at what it waits for, then switch it on again.")
}

fn start_hangs() -> ModuleFailure {
    ModuleFailure::new(
        "its start does not come back, though it was told to stop; nothing of it is used",
        "It is tried again when the old start has ended; if that never happens, restart the program.",
    )
}

fn close_hangs() -> ModuleFailure {
    ModuleFailure::new(
        "it was told to stop and has not stopped in time",
        "It can start again when it has; if that never happens, restart the program.",
    )
}
