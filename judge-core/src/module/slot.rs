//! A slot: the one task that starts, watches and closes a module.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use agon_contract::module::ModuleState;
use futures_util::FutureExt;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::machine::{Action, Event, Machine, Timer};
use super::{Module, ModuleFailure, Running};
use crate::clock::{Clock, Sleep};

/// How long a start may take when nobody says otherwise.
const START_DEFAULT: Duration = Duration::from_secs(120);
/// Less would fail healthy modules on a busy machine.
const START_FLOOR: Duration = Duration::from_secs(1);
/// How long a stop may take; each one anew.
const STOP: Duration = Duration::from_secs(10);

/// How long starting and stopping may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budgets {
    start: Duration,
    stop: Duration,
}

impl Budgets {
    /// The asked start budget, or the default; never below the floor.
    pub(crate) fn with_start(asked: Option<Duration>) -> Self {
        Self { start: asked.unwrap_or(START_DEFAULT).max(START_FLOOR), stop: STOP }
    }

    #[cfg(test)]
    pub(super) fn parts(self) -> (Duration, Duration) {
        (self.start, self.stop)
    }
}

/// How a module stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    pub state: ModuleState,
    pub failure: Option<ModuleFailure>,
    pub since_ms: i64,
    /// Whether it is wanted.
    pub is_on: bool,
}

/// What a slot can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    SwitchOn,
    SwitchOff,
    Restart,
    Shut,
}

/// The other end of a slot. The slot shuts when this is dropped.
pub(super) struct Handle {
    orders: mpsc::UnboundedSender<(Order, oneshot::Sender<()>)>,
    status: watch::Receiver<Status>,
}

impl Handle {
    /// Makes the slot's task. Call it inside the async runtime.
    pub(super) fn new(
        module: Arc<dyn Module>,
        budgets: Budgets,
        clock: Arc<dyn Clock>,
        told: Arc<dyn Fn() + Send + Sync>,
    ) -> Self {
        let (orders, incoming) = mpsc::unbounded_channel();
        let first = Status { state: ModuleState::Disabled, failure: None, since_ms: clock.wall_ms(), is_on: false };
        let (sender, status) = watch::channel(first);
        let slot = Slot {
            module,
            budgets,
            clock,
            told,
            machine: Machine::new(),
            status: sender,
            start: None,
            instance: None,
            closing: None,
            timer: None,
        };
        tokio::spawn(slot.live(incoming));
        Self { orders, status }
    }

    /// Returns when the order has been taken, which is at once; what follows from it shows in the status.
    pub(super) async fn order(&self, order: Order) {
        let (taken, done) = oneshot::channel();
        // A slot that has shut takes no order and has nothing left to do.
        if self.orders.send((order, taken)).is_ok() {
            let _ = done.await;
        }
    }

    /// Tells the module to end for good and waits until it has, or its budget is spent.
    pub(super) async fn shut(&self) {
        self.order(Order::Shut).await;
        self.orders.closed().await;
    }

    pub(super) fn status(&self) -> watch::Receiver<Status> {
        self.status.clone()
    }
}

type Answer = Result<Running, ModuleFailure>;

/// A start that has not answered.
struct Start {
    answer: oneshot::Receiver<Answer>,
    cancel: CancellationToken,
}

struct Slot {
    module: Arc<dyn Module>,
    budgets: Budgets,
    clock: Arc<dyn Clock>,
    /// Called after each change of the status.
    told: Arc<dyn Fn() + Send + Sync>,
    machine: Machine,
    status: watch::Sender<Status>,
    start: Option<Start>,
    instance: Option<Running>,
    closing: Option<JoinHandle<()>>,
    timer: Option<Sleep>,
}

impl Slot {
    async fn live(mut self, mut orders: mpsc::UnboundedReceiver<(Order, oneshot::Sender<()>)>) {
        let mut can_be_told = true;
        while !self.machine.is_over() {
            let (event, taken) = tokio::select! {
                order = orders.recv(), if can_be_told => match order {
                    Some((order, taken)) => (order.event(), Some(taken)),
                    // Dropped without a word: the same as told to shut.
                    None => {
                        can_be_told = false;
                        (Event::Shut, None)
                    }
                },
                event = answered(&mut self.start, &mut self.instance) => (event, None),
                event = ended(&mut self.closing) => (event, None),
                () = elapsed(&mut self.timer) => (Event::BudgetSpent, None),
            };
            self.take(event);
            drop(taken);
        }
        self.leave();
    }

    fn take(&mut self, event: Event) {
        let reaction = self.machine.on(event);
        match reaction.timer {
            Timer::Keep => {}
            Timer::Off => self.timer = None,
            Timer::Start => self.timer = Some(self.clock.sleep(self.budgets.start)),
            Timer::Stop => self.timer = Some(self.clock.sleep(self.budgets.stop)),
        }
        match reaction.action {
            None => {}
            Some(Action::Start) => self.begin(),
            Some(Action::CancelStart) => {
                if let Some(start) = &self.start {
                    start.cancel.cancel();
                }
            }
            Some(Action::Close) => {
                debug_assert!(self.instance.is_some(), "only what is held is closed");
                self.closing = self.instance.take().map(|instance| tokio::spawn(instance.close.close()));
            }
        }
        self.publish();
    }

    fn begin(&mut self) {
        let (sender, answer) = oneshot::channel();
        let cancel = CancellationToken::new();
        let (module, token) = (Arc::clone(&self.module), cancel.clone());
        tokio::spawn(async move {
            let started = AssertUnwindSafe(module.start(token)).catch_unwind().await;
            let started = started.unwrap_or_else(|panic| Err(panicked("starting", panic.as_ref())));
            // Nobody is there to take it: it is closed here, and only here.
            if let Err(Ok(late)) = sender.send(started) {
                tracing::warn!(module = module.name(), "a module started after everybody had gone; it is closed");
                late.close.close().await;
            }
        });
        self.start = Some(Start { answer, cancel });
    }

    /// The slot ends. A start that is still out belongs to its own task from now on, unless it answered just now.
    fn leave(mut self) {
        if let Some(mut start) = self.start.take() {
            start.answer.close();
            if let Ok(Ok(late)) = start.answer.try_recv() {
                tokio::spawn(late.close.close());
            }
        }
    }

    fn publish(&self) {
        let (state, failure) = self.machine.shown();
        let (is_on, since_ms) = (self.machine.is_on(), self.clock.wall_ms());
        let name = self.module.name();
        let changed = self.status.send_if_modified(|status| {
            if (&status.state, &status.failure, status.is_on) == (&state, &failure, is_on) {
                return false;
            }
            if status.state != state || status.failure != failure {
                match &failure {
                    Some(failure) => {
                        tracing::warn!(module = name, %state, reason = %failure.reason, "a module does not work");
                    }
                    None => tracing::info!(module = name, %state, "a module changed its state"),
                }
            }
            let since_ms = if status.state == state { status.since_ms } else { since_ms };
            *status = Status { state, failure, since_ms, is_on };
            true
        });
        if changed {
            (self.told)();
        }
    }
}

impl Order {
    fn event(self) -> Event {
        match self {
            Self::SwitchOn => Event::SwitchOn,
            Self::SwitchOff => Event::SwitchOff,
            Self::Restart => Event::Restart,
            Self::Shut => Event::Shut,
        }
    }
}

/// The next thing that a start or an instance tells; never, when there is neither. Taking the answer and keeping what
/// it holds is one step, so that a dropped future loses nothing.
async fn answered(start: &mut Option<Start>, instance: &mut Option<Running>) -> Event {
    if let Some(out) = start {
        let answer = (&mut out.answer).await;
        *start = None;
        return Event::StartAnswered(match answer {
            Ok(Ok(running)) => {
                *instance = Some(running);
                Ok(())
            }
            Ok(Err(failure)) => Err(failure),
            Err(_) => Err(ModuleFailure::new("its start ended without an answer", "")),
        });
    }
    match instance {
        Some(running) => {
            let told = (&mut running.failed).await;
            Event::Died(told.unwrap_or_else(|_| ModuleFailure::new("it ended without being told to", "Restart it.")))
        }
        None => std::future::pending().await,
    }
}

async fn ended(closing: &mut Option<JoinHandle<()>>) -> Event {
    let Some(task) = closing else { return std::future::pending().await };
    let closed = task.await;
    *closing = None;
    Event::Closed(closed.map_err(|error| match error.try_into_panic() {
        Ok(panic) => panicked("stopping", panic.as_ref()),
        Err(_) => ModuleFailure::new("its stop was cut short", ""),
    }))
}

async fn elapsed(timer: &mut Option<Sleep>) {
    let Some(sleep) = timer else { return std::future::pending().await };
    sleep.await;
    *timer = None;
}

fn panicked(when: &str, panic: &(dyn Any + Send)) -> ModuleFailure {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    ModuleFailure::new(format!("it panicked while {when}: {text}"), "Our own fault; the log has more. Restart it.")
}
