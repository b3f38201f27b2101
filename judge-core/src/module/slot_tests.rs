//! Slots with modules whose every answer a test decides, on a clock that moves when told to.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agon_contract::module::ModuleState;
use proptest::prelude::*;
use tokio::sync::oneshot;

use super::*;
use crate::clock::{Clock, ManualClock};

#[derive(Clone, Copy, Debug)]
enum Outcome {
    Good,
    Fault,
    Panic,
}

/// What the fakes of one module have done and wait for.
#[derive(Default)]
struct Record {
    starts: VecDeque<oneshot::Sender<Outcome>>,
    closes: VecDeque<oneshot::Sender<Outcome>>,
    failers: Vec<Option<oneshot::Sender<ModuleFailure>>>,
    started: usize,
    /// How often each instance was closed.
    closed: Vec<u32>,
    /// Instances that are not closed to the end.
    live: usize,
    most_live: usize,
}

#[derive(Clone, Default)]
struct Fake {
    record: Arc<Mutex<Record>>,
    name: &'static str,
    /// Comes back when nobody waits any more.
    minds_cancel: bool,
}

impl Fake {
    fn named(name: &'static str) -> Self {
        Self { name, ..Self::default() }
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers the oldest start that is out; false when none is.
    fn answer_start(&self, outcome: Outcome) -> bool {
        let sender = self.record().starts.pop_front();
        sender.is_some_and(|sender| sender.send(outcome).is_ok())
    }

    fn answer_close(&self, outcome: Outcome) -> bool {
        let sender = self.record().closes.pop_front();
        sender.is_some_and(|sender| sender.send(outcome).is_ok())
    }

    /// The newest instance says why it cannot go on, or just ends.
    fn die(&self, says_why: bool) {
        let sender = self.record().failers.last_mut().and_then(Option::take);
        if let Some(sender) = sender.filter(|_| says_why) {
            let _ = sender.send(ModuleFailure::new("died", ""));
        }
    }

    fn is_at_rest(&self) -> bool {
        let record = self.record();
        record.starts.iter().all(oneshot::Sender::is_closed) && record.closes.is_empty() && record.live == 0
    }
}

#[async_trait]
impl Module for Fake {
    fn name(&self) -> &'static str {
        self.name
    }

    async fn start(&self, cancel: CancellationToken) -> Result<Running, ModuleFailure> {
        let (sender, outcome) = oneshot::channel();
        self.record().starts.push_back(sender);
        self.record().started += 1;
        let outcome = tokio::select! {
            outcome = outcome => outcome.expect("the test answers"),
            () = cancel.cancelled(), if self.minds_cancel => Outcome::Fault,
        };
        match outcome {
            Outcome::Good => {}
            Outcome::Fault => return Err(ModuleFailure::new("does not start", "")),
            Outcome::Panic => panic!("scripted"),
        }
        let (failer, failed) = oneshot::channel();
        let mut record = self.record();
        record.live += 1;
        record.most_live = record.most_live.max(record.live);
        record.failers.push(Some(failer));
        record.closed.push(0);
        let number = record.closed.len() - 1;
        drop(record);
        Ok(Running { close: Box::new(FakeInstance { fake: self.clone(), number }), failed })
    }
}

struct FakeInstance {
    fake: Fake,
    number: usize,
}

#[async_trait]
impl Close for FakeInstance {
    async fn close(self: Box<Self>) {
        let (sender, outcome) = oneshot::channel();
        self.fake.record().closed[self.number] += 1;
        self.fake.record().closes.push_back(sender);
        let outcome = outcome.await.expect("the test answers");
        self.fake.record().live -= 1;
        assert!(!matches!(outcome, Outcome::Panic), "scripted");
    }
}

/// Lets every task go as far as it can without time passing.
async fn settle() {
    for _ in 0..30 {
        tokio::task::yield_now().await;
    }
}

fn roster(fakes: &[Fake], clock: &ManualClock) -> Modules {
    let modules = fakes.iter().map(|fake| Arc::new(fake.clone()) as Arc<dyn Module>).collect();
    let rules = Rules { allowed: None, budgets: Budgets::with_start(None) };
    let clock: Arc<dyn Clock> = Arc::new(clock.clone());
    Modules::new(modules, &rules, &clock, &(Arc::new(|| {}) as Arc<dyn Fn() + Send + Sync>))
}

fn state(modules: &Modules, name: &str) -> (ModuleState, String) {
    let view = modules.views().into_iter().find(|view| view.name == name).expect("it is there");
    (view.state, view.reason)
}

const START: Duration = Duration::from_secs(120);
const STOP: Duration = Duration::from_secs(10);

#[derive(Clone, Debug)]
enum Op {
    On,
    Off,
    Restart,
    AnswerStart(Outcome),
    AnswerClose(Outcome),
    Die { says_why: bool },
    Pass(Duration),
}

fn outcomes() -> impl Strategy<Value = Outcome> {
    prop_oneof![4 => Just(Outcome::Good), 1 => Just(Outcome::Fault), 1 => Just(Outcome::Panic)]
}

fn ops() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => Just(Op::On),
        2 => Just(Op::Off),
        2 => Just(Op::Restart),
        4 => outcomes().prop_map(Op::AnswerStart),
        4 => outcomes().prop_map(Op::AnswerClose),
        1 => any::<bool>().prop_map(|says_why| Op::Die { says_why }),
        1 => Just(Op::Pass(STOP)),
        1 => Just(Op::Pass(START)),
    ]
}

async fn apply(op: &Op, fake: &Fake, modules: &Modules, clock: &ManualClock) {
    match op {
        Op::On => modules.switch("m", true).await.expect("allowed"),
        Op::Off => modules.switch("m", false).await.expect("known"),
        Op::Restart => drop(modules.restart("m").await),
        Op::AnswerStart(outcome) => drop(fake.answer_start(*outcome)),
        Op::AnswerClose(outcome) => drop(fake.answer_close(*outcome)),
        Op::Die { says_why } => fake.die(*says_why),
        Op::Pass(time) => clock.advance(*time),
    }
}

fn check(fake: &Fake, modules: &Modules, done: &[Op]) {
    let (state, reason) = state(modules, "m");
    let record = fake.record();
    assert!(record.most_live <= 1, "two at one time after {done:?}");
    assert!(record.closed.iter().all(|closed| *closed <= 1), "closed twice after {done:?}");
    match state {
        ModuleState::Disabled | ModuleState::Stopped => {
            assert_eq!(record.live, 0, "{state} but it runs after {done:?}");
        }
        ModuleState::Ready => {
            assert_eq!((record.live, record.closes.len()), (1, 0), "ready but it does not run after {done:?}");
        }
        ModuleState::Failed => assert!(!reason.is_empty(), "failed without a reason after {done:?}"),
        ModuleState::Starting | ModuleState::Stopping | ModuleState::Unknown(_) => {}
    }
}

/// Answers everything that is still out until nothing is.
async fn finish(fake: &Fake, clock: &ManualClock) {
    for _ in 0..6 {
        while fake.answer_start(Outcome::Good) {}
        settle().await;
        while fake.answer_close(Outcome::Good) {}
        settle().await;
        clock.advance(START);
        settle().await;
    }
}

async fn random_life(ops: Vec<Op>, minds_cancel: bool, is_dropped: bool) {
    let clock = ManualClock::starting_at(0);
    let fake = Fake { minds_cancel, ..Fake::named("m") };
    let modules = roster(std::slice::from_ref(&fake), &clock);
    for done in 1..=ops.len() {
        apply(&ops[done - 1], &fake, &modules, &clock).await;
        settle().await;
        check(&fake, &modules, &ops[..done]);
    }
    if is_dropped {
        drop(modules);
        finish(&fake, &clock).await;
    } else {
        tokio::join!(modules.close(), finish(&fake, &clock));
        finish(&fake, &clock).await;
    }
    assert!(fake.is_at_rest(), "something is left after {ops:?}");
    assert!(fake.record().closed.iter().all(|closed| *closed == 1), "not closed once after {ops:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn random_lives_keep_the_promises(
        ops in proptest::collection::vec(ops(), 0..25),
        minds_cancel: bool,
        is_dropped: bool,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(random_life(ops, minds_cancel, is_dropped));
    }
}

#[test]
fn the_start_budget_has_a_default_and_a_floor() {
    assert_eq!(Budgets::with_start(None).parts(), (START, STOP));
    assert_eq!(Budgets::with_start(Some(Duration::ZERO)).parts().0, Duration::from_secs(1));
    assert_eq!(Budgets::with_start(Some(Duration::from_secs(7))).parts().0, Duration::from_secs(7));
}

#[tokio::test]
async fn a_start_that_never_answers_fails_and_its_late_instance_is_closed() {
    let (clock, fake) = (ManualClock::starting_at(0), Fake::named("m"));
    let modules = roster(std::slice::from_ref(&fake), &clock);
    modules.switch("m", true).await.expect("allowed");
    assert_eq!(state(&modules, "m").0, ModuleState::Starting);
    clock.advance(START - Duration::from_millis(1));
    settle().await;
    assert_eq!(state(&modules, "m").0, ModuleState::Starting);
    clock.advance(Duration::from_millis(1));
    settle().await;
    assert_eq!(state(&modules, "m"), (ModuleState::Failed, "its start took longer than it may".to_owned()));
    assert!(fake.answer_start(Outcome::Good), "it answers long after");
    settle().await;
    assert_eq!(fake.record().closed, [1], "nobody wants it any more");
    fake.answer_close(Outcome::Good);
    settle().await;
    assert_eq!(state(&modules, "m").0, ModuleState::Failed);
    modules.switch("m", true).await.expect("allowed");
    settle().await;
    assert_eq!(fake.record().started, 2, "and it can be tried again");
    assert!(fake.answer_start(Outcome::Fault));
    modules.close().await;
}

#[tokio::test]
async fn one_that_hangs_neither_blocks_nor_hides_another() {
    let clock = ManualClock::starting_at(0);
    let fakes = [Fake::named("hangs"), Fake::named("panics"), Fake::named("works")];
    let modules = Arc::new(roster(&fakes, &clock));
    for fake in &fakes {
        modules.switch(fake.name, true).await.expect("allowed");
    }
    settle().await;
    assert!(fakes[1].answer_start(Outcome::Panic) && fakes[2].answer_start(Outcome::Good));
    settle().await;
    assert_eq!(state(&modules, "hangs").0, ModuleState::Starting);
    assert_eq!(state(&modules, "panics"), (ModuleState::Failed, "it panicked while starting: scripted".to_owned()));
    assert_eq!(state(&modules, "works").0, ModuleState::Ready);

    let closing = tokio::spawn({
        let modules = Arc::clone(&modules);
        async move { modules.close().await }
    });
    settle().await;
    assert_eq!(fakes[2].record().closed, [1], "closed beside the one that hangs");
    fakes[2].answer_close(Outcome::Panic);
    settle().await;
    assert_eq!(state(&modules, "works").1, "it panicked while stopping: scripted");
    assert!(!closing.is_finished(), "the start that hangs has its own budget");
    clock.advance(STOP);
    closing.await.expect("closing is bounded");
    assert!(fakes[0].answer_start(Outcome::Good), "after the judge has closed");
    settle().await;
    assert_eq!(fakes[0].record().closed, [1], "its own task closes it");
    assert_eq!(modules.switch("works", true).await, Ok(()), "an order to a closed judge is nothing");
    settle().await;
    assert_eq!(fakes[2].record().started, 1);
}

#[tokio::test]
async fn both_hands_are_needed_and_names_are_checked() {
    let clock = ManualClock::starting_at(0);
    let fakes = [Fake::named("here"), Fake::named("elsewhere")];
    let modules = fakes.iter().map(|fake| Arc::new(fake.clone()) as Arc<dyn Module>).collect();
    let rules = Rules { allowed: Some(vec!["here".to_owned()]), budgets: Budgets::with_start(None) };
    let clock: Arc<dyn Clock> = Arc::new(clock);
    let modules = Modules::new(modules, &rules, &clock, &(Arc::new(|| {}) as Arc<dyn Fn() + Send + Sync>));
    assert_eq!(modules.switch("elsewhere", true).await, Err(OrderError::NotAllowed));
    assert_eq!(modules.switch("nowhere", true).await, Err(OrderError::Unknown));
    assert_eq!(modules.restart("here").await, Err(OrderError::SwitchedOff));
    assert_eq!(modules.switch("elsewhere", false).await, Ok(()), "off is always allowed");
    settle().await;
    let views = modules.views();
    assert_eq!(views.iter().map(|view| view.name.as_str()).collect::<Vec<_>>(), ["elsewhere", "here"]);
    assert!(!views[0].is_allowed && !views[0].reason.is_empty() && views[1].is_allowed);
    assert!(views.iter().all(|view| view.state == ModuleState::Disabled));
    assert!(fakes.iter().all(|fake| fake.record().started == 0));
    modules.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_from_everywhere_at_once_leave_one_instance_or_none() {
    for round in 0..50_u32 {
        let (clock, fake) = (ManualClock::starting_at(0), Fake { minds_cancel: true, ..Fake::named("m") });
        let modules = Arc::new(roster(std::slice::from_ref(&fake), &clock));
        let answering = tokio::spawn({
            let fake = fake.clone();
            async move {
                loop {
                    fake.answer_start(Outcome::Good);
                    fake.answer_close(Outcome::Good);
                    tokio::task::yield_now().await;
                }
            }
        });
        let pressing = (0..8_u32).map(|press| {
            let modules = Arc::clone(&modules);
            tokio::spawn(async move {
                match (press + round) % 4 {
                    0 | 1 => modules.switch("m", true).await,
                    2 => modules.switch("m", false).await,
                    _ => modules.restart("m").await,
                }
            })
        });
        for pressed in pressing.collect::<Vec<_>>() {
            let _ = pressed.await.expect("no press panics");
        }
        modules.close().await;
        while !fake.is_at_rest() {
            tokio::task::yield_now().await;
        }
        answering.abort();
        let record = fake.record();
        assert!(record.most_live <= 1, "round {round}");
        assert!(record.closed.iter().all(|closed| *closed == 1), "round {round}: {:?}", record.closed);
    }
}
