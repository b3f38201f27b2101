//! What needs staff, worst first, or one quiet line that says that nothing does.

use agon_contract::module::ModuleState;
use agon_contract::operations::{LeaseView, OperationsView};
use agon_contract::sandbox::SandboxHealth;
use leptos::prelude::*;

use crate::format::age;
use crate::i18n::{hall, lease_name, module_name, reason_text};
use crate::parts::{Notice, Tone};
use crate::screens::sandbox_indicator::health_face;

/// Longer in the queue is worth a look even while everything else seems well.
const LONG_WAIT_MS: u64 = 60_000;

/// One thing that a person should look at.
#[derive(Clone, Debug, PartialEq)]
enum Concern {
    Paused(String),
    Sandbox(SandboxHealth, String),
    DeadLetters(u32),
    QueueStands { oldest_ms: u64 },
    LeaseOver(String),
    DeadMessages { name: String, count: u64 },
    ModuleFailed { name: String, reason: String },
    Unseen { part: String, reason: String },
}

impl Concern {
    /// Whether work stands still or is lost sight of; the others can wait a moment.
    fn is_grave(&self) -> bool {
        match self {
            Concern::Paused(_) | Concern::Sandbox(..) | Concern::DeadLetters(_) | Concern::DeadMessages { .. } => true,
            Concern::QueueStands { .. }
            | Concern::LeaseOver(_)
            | Concern::ModuleFailed { .. }
            | Concern::Unseen { .. } => false,
        }
    }

    fn text(&self) -> String {
        let t = hall();
        match self {
            Concern::Paused(reason) => t.concern_paused.fill([&reason_text(reason)]),
            Concern::Sandbox(health, message) => {
                let text = t.concern_sandbox.fill([health_face(health).1]);
                if message.is_empty() { text } else { format!("{text}. {message}") }
            }
            Concern::DeadLetters(count) => t.concern_dead_letters.fill([&count.to_string()]),
            Concern::QueueStands { oldest_ms } => t.concern_queue_stands.fill([&age(*oldest_ms)]),
            Concern::LeaseOver(name) => t.concern_lease_over.fill([name]),
            Concern::DeadMessages { name, count } => t.concern_dead_messages.fill([name, &count.to_string()]),
            Concern::ModuleFailed { name, reason } => t.concern_module.fill([&module_name(name), reason]),
            Concern::Unseen { part, reason } => t.concern_unseen.fill([part, reason]),
        }
    }
}

/// What a lease is about, in words.
pub(super) fn lease_title(lease: &LeaseView) -> String {
    match (lease.submission_number, lease.generation) {
        (Some(number), Some(generation)) => hall().lease_judgement.fill([&number.to_string(), &generation.to_string()]),
        _ => lease_name(&lease.name),
    }
}

/// Whether a lease should have been recovered.
pub(super) fn is_over(lease: &LeaseView) -> bool {
    lease.ends_in_ms == Some(0) || lease.is_foreign_boot == Some(true)
}

fn concerns_of(view: &OperationsView) -> Vec<Concern> {
    let mut found = Vec::new();
    if let Some(reason) = &view.paused_reason {
        found.push(Concern::Paused(reason.clone()));
    }
    match view.sandbox.health {
        SandboxHealth::Ready | SandboxHealth::Starting => {}
        // Said already, in the same words.
        _ if view.paused_reason.as_ref().is_some_and(|reason| *reason == view.sandbox.message) => {}
        _ => found.push(Concern::Sandbox(view.sandbox.health.clone(), view.sandbox.message.clone())),
    }
    if let Some(queue) = &view.queue {
        if queue.dead_letters > 0 {
            found.push(Concern::DeadLetters(queue.dead_letters));
        }
        if let Some(oldest_ms) = queue.oldest_ready_ms.filter(|oldest_ms| *oldest_ms >= LONG_WAIT_MS) {
            found.push(Concern::QueueStands { oldest_ms });
        }
    }
    let leases = view.leases.iter().flatten().filter(|lease| is_over(lease));
    found.extend(leases.map(|lease| Concern::LeaseOver(lease_title(lease))));
    for letters in view.outboxes.iter().chain(&view.inboxes).flatten() {
        // The judge outbox's dead rows are the dead letters above.
        let dead = letters.states.iter().find(|state| state.state.eq_ignore_ascii_case("dead"));
        if let Some(dead) = dead.filter(|dead| dead.count > 0 && letters.name != "judge") {
            found.push(Concern::DeadMessages { name: letters.name.clone(), count: dead.count });
        }
    }
    let failed = view.modules.iter().filter(|module| module.state == ModuleState::Failed);
    found.extend(
        failed.map(|module| Concern::ModuleFailed { name: module.name.clone(), reason: module.reason.clone() }),
    );
    found.extend(
        view.unknown.iter().map(|part| Concern::Unseen { part: part.part.clone(), reason: part.reason.clone() }),
    );
    found
}

/// The list. It is announced when it changes, not at each measuring.
#[component]
pub(super) fn Concerns(view: Signal<OperationsView>) -> impl IntoView {
    let concerns = Memo::new(move |_| view.with(concerns_of));
    move || {
        let concerns = concerns.get();
        if concerns.is_empty() {
            return view! { <Notice tone=Tone::Ok testid="all-well">{hall().all_well}</Notice> }.into_any();
        }
        let tone = if concerns.iter().any(Concern::is_grave) { Tone::Bad } else { Tone::Warning };
        view! {
            <Notice tone testid="concerns">
                <strong>{hall().needs_staff}</strong>
                <ul class="concerns">
                    {concerns.iter().map(|concern| view! { <li>{concern.text()}</li> }).collect_view()}
                </ul>
            </Notice>
        }
        .into_any()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::quiet;
    use super::*;
    use agon_contract::operations::{BoxView, QueueView, StateCount, UnknownPart};

    #[test]
    fn a_quiet_hall_asks_for_nothing() {
        assert_eq!(concerns_of(&quiet()), []);
    }

    #[test]
    fn what_stands_still_is_said_first_and_once() {
        let mut view = quiet();
        view.paused_reason = Some("the engine is away".into());
        view.sandbox.health = SandboxHealth::EngineAway;
        view.sandbox.message = "the engine is away".into();
        view.queue = Some(QueueView { dead_letters: 2, oldest_ready_ms: Some(LONG_WAIT_MS), ..QueueView::default() });
        let expected = [
            Concern::Paused("the engine is away".into()),
            Concern::DeadLetters(2),
            Concern::QueueStands { oldest_ms: LONG_WAIT_MS },
        ];
        assert_eq!(concerns_of(&view), expected);
    }

    #[test]
    fn a_short_wait_is_no_concern() {
        let mut view = quiet();
        view.queue = Some(QueueView { depth: 9, oldest_ready_ms: Some(LONG_WAIT_MS - 1), ..QueueView::default() });
        assert_eq!(concerns_of(&view), []);
    }

    #[test]
    fn dead_messages_of_other_boxes_count_and_dead_letters_only_once() {
        let dead = |name: &str| BoxView {
            name: name.into(),
            states: vec![StateCount { state: "DEAD".into(), count: 3 }],
            oldest_waiting_ms: None,
        };
        let mut view = quiet();
        view.outboxes = Some(vec![dead("judge"), dead("catalog")]);
        assert_eq!(concerns_of(&view), [Concern::DeadMessages { name: "catalog".into(), count: 3 }]);
    }

    #[test]
    fn what_cannot_be_seen_is_a_concern_and_not_a_zero() {
        let mut view = quiet();
        view.queue = None;
        view.unknown = vec![UnknownPart { part: "queue".into(), reason: "locked".into() }];
        assert_eq!(concerns_of(&view), [Concern::Unseen { part: "queue".into(), reason: "locked".into() }]);
    }
}
