//! Collects the items as they end, times them, and knows when the rest cannot be tried any more.

use std::borrow::Cow;

use agon_contract::sandbox::SelfTestItem;

use crate::clock::Clock;

/// What one trial found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// As it should be, and what was seen.
    Good(String),
    Bad {
        seen: String,
        remedy: Cow<'static, str>,
    },
}

impl Finding {
    pub(super) fn bad(seen: impl Into<String>, remedy: impl Into<Cow<'static, str>>) -> Self {
        Self::Bad { seen: seen.into(), remedy: remedy.into() }
    }
}

/// When a trial began, in milliseconds of the steady clock.
#[derive(Clone, Copy)]
pub(super) struct Started(i64);

/// The report as it grows.
pub(super) struct Ledger<'a> {
    clock: &'a dyn Clock,
    heard: &'a (dyn Fn(&SelfTestItem) + Send + Sync),
    items: Vec<SelfTestItem>,
    blocked: Option<(String, Cow<'static, str>)>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(clock: &'a dyn Clock, heard: &'a (dyn Fn(&SelfTestItem) + Send + Sync)) -> Self {
        Self { clock, heard, items: Vec::new(), blocked: None }
    }

    /// Call it right before a trial.
    pub(super) fn start(&self) -> Started {
        Started(self.clock.steady_ms())
    }

    /// Enters what a trial found.
    pub(super) fn enter(&mut self, name: impl Into<String>, started: Started, finding: Finding) {
        let duration_ms = u64::try_from(self.clock.steady_ms() - started.0).unwrap_or(0);
        let (passed, detail, remedy) = match finding {
            Finding::Good(seen) => (true, seen, String::new()),
            Finding::Bad { seen, remedy } => (false, seen, remedy.into_owned()),
        };
        let item = SelfTestItem { name: name.into(), passed, detail, remedy, duration_ms };
        (self.heard)(&item);
        self.items.push(item);
    }

    /// From now on nothing that needs a box can be tried; the first reason is the one that is told.
    pub(super) fn block(&mut self, reason: impl Into<String>, remedy: impl Into<Cow<'static, str>>) {
        self.blocked.get_or_insert((reason.into(), remedy.into()));
    }

    /// Enters an item as not run if boxes cannot be had; answers whether it did.
    pub(super) fn skip(&mut self, name: &str) -> bool {
        let Some((reason, remedy)) = self.blocked.clone() else { return false };
        self.enter(name, self.start(), Finding::bad(format!("not run: {reason}"), remedy));
        true
    }

    pub(super) fn close(self) -> Vec<SelfTestItem> {
        self.items
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use super::*;
    use crate::clock::ManualClock;

    #[test]
    fn items_are_timed_told_and_kept_in_order() {
        let clock = ManualClock::starting_at(10);
        let told = Mutex::new(Vec::new());
        let hear = |item: &SelfTestItem| told.lock().expect("no panic").push(item.name.clone());
        let mut ledger = Ledger::new(&clock, &hear);
        let started = ledger.start();
        clock.advance(Duration::from_millis(7));
        ledger.enter("a", started, Finding::Good("seen".into()));
        ledger.enter("b", ledger.start(), Finding::bad("broken", "mend it"));
        let items = ledger.close();
        assert_eq!(*told.lock().expect("no panic"), ["a", "b"]);
        assert_eq!((items[0].passed, items[0].detail.as_str(), items[0].duration_ms), (true, "seen", 7));
        assert_eq!((items[1].passed, items[1].remedy.as_str(), items[1].duration_ms), (false, "mend it", 0));
    }

    #[test]
    fn what_is_not_run_is_red_and_names_the_first_reason() {
        let clock = ManualClock::starting_at(0);
        let mut ledger = Ledger::new(&clock, &|_| {});
        assert!(!ledger.skip("early"));
        ledger.block("engine away", "start it");
        ledger.block("something later", "never told");
        assert!(ledger.skip("late"));
        let items = ledger.close();
        assert_eq!(items.len(), 1);
        assert!(!items[0].passed);
        assert_eq!((items[0].detail.as_str(), items[0].remedy.as_str()), ("not run: engine away", "start it"));
    }
}
