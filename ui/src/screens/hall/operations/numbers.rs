//! The numbers at a glance. What is not known says so; it is never a zero.

use agon_contract::operations::{OperationsView, QueueView};
use leptos::prelude::*;

use crate::format::{age, duration};
use crate::i18n::hall;
use crate::parts::moment_text;

/// A number as it is shown: its value, what qualifies it, and whether it asks for a look.
#[derive(Clone, Debug, PartialEq)]
struct Number {
    id: &'static str,
    name: &'static str,
    /// `None` while it is not known.
    value: Option<String>,
    note: String,
    is_bad: bool,
}

fn numbers_of(view: &OperationsView, since: &str) -> [Number; 6] {
    let t = hall();
    let queue = view.queue.as_ref();
    let number = |id, name, value, note| Number { id, name, value, note, is_bad: false };
    let letters = queue.map(|queue| queue.dead_letters);
    let letters_note = match letters {
        None => "",
        Some(0) => t.set_aside_none,
        Some(_) => t.set_aside_some,
    };
    let judging_note = match queue.and_then(|queue| queue.oldest_pending_ms) {
        Some(oldest_ms) => t.oldest_held.fill([&age(oldest_ms)]),
        None => t.of_workers.fill([&view.workers.to_string()]),
    };
    let last = match (view.last_success_ago_ms, queue) {
        (Some(ago_ms), _) => Some(age(ago_ms)),
        (None, Some(_)) => Some("–".to_owned()),
        (None, None) => None,
    };
    let last_note = if last.as_deref() == Some("–") { t.none_yet } else { "" };
    [
        number("queue-depth", t.in_queue, queue.map(|queue| queue.depth.to_string()), queue_note(queue)),
        number("judging", t.being_judged, view.judging.map(|count| count.to_string()), judging_note),
        number(
            "waiting",
            t.waiting_for_verdict,
            view.waiting.map(|count| count.to_string()),
            t.waiting_hint.to_owned(),
        ),
        Number {
            is_bad: letters.is_some_and(|count| count > 0),
            ..number("dead-letters", t.set_aside, letters.map(|count| count.to_string()), letters_note.to_owned())
        },
        number("last-verdict", t.last_verdict, last, last_note.to_owned()),
        number(
            "stale-dropped",
            t.stale_dropped,
            Some(view.stale_results_dropped.to_string()),
            t.since_start.fill([since]),
        ),
    ]
}

/// How long the first of the queue waits, else how long the last one had.
fn queue_note(queue: Option<&QueueView>) -> String {
    let t = hall();
    let Some(queue) = queue else { return String::new() };
    match (queue.oldest_ready_ms, queue.delay_ms) {
        (Some(oldest_ms), _) => t.oldest_waits.fill([&age(oldest_ms)]),
        (None, Some(delay_ms)) => t.last_delay.fill([&duration(delay_ms)]),
        (None, None) => t.nothing_waits.to_owned(),
    }
}

/// The tiles.
#[component]
pub(super) fn Numbers(view: Signal<OperationsView>) -> impl IntoView {
    let numbers = Memo::new(move |_| view.with(|view| numbers_of(view, &moment_text(view.started_at_ms))));
    view! {
        <dl class="numbers" aria-label=hall().numbers>
            {(0..6).map(|index| view! { <Tile number=Memo::new(move |_| numbers.with(|numbers| numbers[index].clone())) /> }).collect_view()}
        </dl>
    }
}

#[component]
fn Tile(number: Memo<Number>) -> impl IntoView {
    let (id, name) = number.with_untracked(|number| (number.id, number.name));
    view! {
        <div class="tile" class:is-bad=move || number.with(|number| number.is_bad) data-testid=format!("number-{id}")>
            <dt>{name}</dt>
            <dd class="tile-value" class:is-unknown=move || number.with(|number| number.value.is_none())>
                {move || number.with(|number| number.value.clone()).unwrap_or_else(|| hall().unknown.to_owned())}
            </dd>
            <dd class="tile-note">{move || number.with(|number| number.note.clone())}</dd>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::quiet;
    use super::*;

    fn value(view: &OperationsView, id: &str) -> (Option<String>, String) {
        let found = numbers_of(view, "09:00:00").into_iter().find(|number| number.id == id).expect("a tile");
        (found.value, found.note)
    }

    #[test]
    fn unknown_is_not_zero() {
        let mut view = quiet();
        assert_eq!(value(&view, "queue-depth"), (Some("0".into()), "nothing waits".into()));
        assert_eq!(value(&view, "last-verdict"), (Some("–".into()), "none yet".into()));
        (view.queue, view.judging, view.waiting) = (None, None, None);
        for id in ["queue-depth", "judging", "waiting", "dead-letters", "last-verdict"] {
            assert_eq!(value(&view, id).0, None, "{id}");
        }
    }

    #[test]
    fn the_oldest_that_waits_is_worth_more_than_the_last_delay() {
        let mut view = quiet();
        view.queue = Some(QueueView { depth: 3, delay_ms: Some(120), ..QueueView::default() });
        assert_eq!(value(&view, "queue-depth").1, "last delay 120 ms");
        view.queue =
            Some(QueueView { depth: 3, delay_ms: Some(120), oldest_ready_ms: Some(61_000), ..QueueView::default() });
        assert_eq!(value(&view, "queue-depth").1, "oldest 1 min 1 s");
    }

    #[test]
    fn dead_letters_stand_out() {
        let mut view = quiet();
        view.queue = Some(QueueView { dead_letters: 1, ..QueueView::default() });
        let letters = numbers_of(&view, "").into_iter().find(|number| number.id == "dead-letters").expect("a tile");
        assert!(letters.is_bad);
        assert_eq!(letters.note, "wait for staff");
    }
}
