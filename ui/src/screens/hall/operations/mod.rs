//! How the judging goes: what needs staff first, then numbers, then the lists behind them. Measured again every few
//! seconds, and as soon as something happened.

mod boxes;
mod concern;
mod dead_letters;
mod dead_messages;
mod leases;
mod modules;
mod numbers;

use agon_contract::command::GetOperations;
use agon_contract::operations::OperationsView;
use leptos::prelude::*;

use self::boxes::Boxes;
use self::concern::Concerns;
use self::dead_letters::DeadLetters;
use self::dead_messages::DeadMessages;
use self::leases::Leases;
use self::modules::Modules;
use self::numbers::Numbers;
use super::frame::{HallPage, HallScreen};
use crate::i18n::hall;
use crate::parts::{Notice, Tone, moment_text};
use crate::state::pace::measured;
use crate::state::{Topic, loaded};

/// The screen of `/hall`.
#[component]
pub fn Operations() -> impl IntoView {
    let view = measured(|| Some(GetOperations {}), &[Topic::Submissions, Topic::Progress]);
    view! {
        <HallScreen page=HallPage::Operations>
            {loaded(view, |view| view! {
                <Concerns view />
                <Numbers view />
                <DeadLetters />
                <DeadMessages />
                <Leases view />
                <Boxes view />
                <Modules view />
                <AsOf view />
            })}
        </HallScreen>
    }
}

/// When the numbers were true, by the host's clock.
#[component]
fn AsOf(view: Signal<OperationsView>) -> impl IntoView {
    let at_ms = Memo::new(move |_| view.with(|view| view.looked_at_ms));
    view! { <p class="hint as-of">{move || hall().as_of.fill([&moment_text(at_ms.get())])}</p> }
}

/// Why a list is absent. What was not named by itself was read together with the queue.
fn unseen(view: &OperationsView, part: &str) -> String {
    let of = |name: &str| view.unknown.iter().find(|unknown| unknown.part == name);
    of(part).or_else(|| of("queue")).map(|unknown| unknown.reason.clone()).unwrap_or_default()
}

/// A list that could be read, or why it could not: `Err` carries the reason.
fn list_of<T: Clone>(
    view: &OperationsView,
    part: &str,
    list: impl Fn(&OperationsView) -> Option<Vec<T>>,
) -> Result<Vec<T>, String> {
    list(view).ok_or_else(|| unseen(view, part))
}

/// Stands for a list that could not be read.
#[component]
fn Unseen(reason: String) -> impl IntoView {
    view! { <Notice tone=Tone::Warning><strong>{hall().unknown}</strong>" "{reason}</Notice> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_contract::operations::{QueueView, UnknownPart};
    use agon_contract::sandbox::{SandboxHealth, SandboxStatus};

    /// A hall in which nothing happens.
    pub(super) fn quiet() -> OperationsView {
        OperationsView {
            looked_at_ms: 1_000_000,
            started_at_ms: 0,
            paused_reason: None,
            workers: 2,
            queue: Some(QueueView::default()),
            waiting: Some(0),
            judging: Some(0),
            last_success_ago_ms: None,
            stale_results_dropped: 0,
            leases: Some(Vec::new()),
            outboxes: Some(Vec::new()),
            inboxes: Some(Vec::new()),
            modules: Vec::new(),
            sandbox: SandboxStatus {
                backend: "docker".into(),
                health: SandboxHealth::Ready,
                message: String::new(),
                engine_version: String::new(),
                image: String::new(),
                image_id: String::new(),
                protections: Vec::new(),
                warm_boxes: 0,
            },
            events_seq: Some(0),
            unknown: Vec::new(),
        }
    }

    #[test]
    fn an_absent_list_says_why_even_when_it_was_read_with_another() {
        let mut view = quiet();
        view.leases = None;
        view.unknown = vec![UnknownPart { part: "queue".into(), reason: "locked".into() }];
        assert_eq!(list_of(&view, "leases", |view| view.leases.clone()), Err("locked".to_owned()));
        assert_eq!(list_of(&view, "outboxes", |view| view.outboxes.clone()), Ok(Vec::new()));
    }
}
