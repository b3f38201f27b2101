//! Reads of measures: ages and leases change without an event, so they are read again by the clock, and sooner when
//! something happened. A page that nobody sees reads nothing.

use agon_contract::command::Command;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::app::use_app;
use super::browser::{document, sleep_ms};
use super::query::{Query, query};
use super::wake::Topic;

/// A busy judge changes something every few milliseconds; a person reads slower.
const STEP_MS: u32 = 1_000;
/// Steps after which a read is repeated though nothing happened.
const QUIET_STEPS: u32 = 3;

/// Like [`query`], but at most once a second, and at least every few seconds.
pub fn measured<C>(request: impl Fn() -> Option<C> + 'static, topics: &'static [Topic]) -> Query<C::Response>
where
    C: Command + 'static,
    C::Response: Clone + PartialEq + Send + Sync + 'static,
{
    let result = query(request, &[]);
    repeat(result.again, topics);
    result
}

/// Raises `again` by the clock as long as the screen stands.
fn repeat(again: RwSignal<u32>, topics: &'static [Topic]) {
    let app = use_app();
    let happened = StoredValue::new(false);
    Effect::new(move |before: Option<()>| {
        topics.iter().for_each(|topic| app.track(*topic));
        if before.is_some() {
            happened.set_value(true);
        }
    });
    spawn_local(async move {
        let mut quiet = 0;
        loop {
            sleep_ms(STEP_MS).await;
            // The screen is gone with its values.
            let Some(due) = happened.try_get_value() else { return };
            quiet += 1;
            if is_due(due, quiet, document().hidden()) {
                quiet = 0;
                happened.try_set_value(false);
                again.try_update(|count| *count = count.wrapping_add(1));
            }
        }
    });
}

/// Whether to read now.
fn is_due(something_happened: bool, quiet_steps: u32, is_hidden: bool) -> bool {
    !is_hidden && (something_happened || quiet_steps >= QUIET_STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_bring_a_read_forward_and_silence_does_not_prevent_it() {
        assert!(is_due(true, 1, false));
        assert!(!is_due(false, 1, false));
        assert!(is_due(false, QUIET_STEPS, false));
    }

    #[test]
    fn nobody_looks_at_a_hidden_page() {
        assert!(!is_due(true, QUIET_STEPS, true));
    }
}
