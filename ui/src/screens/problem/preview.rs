//! Running on samples or on one's own input: start, follow until it ends, cancel.

use agon_contract::ApiError;
use agon_contract::command::{CancelPreview, GetPreview, StartPreview};
use agon_contract::execution::{PreviewCases, PreviewView};
use agon_contract::ids::IdempotencyKey;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::workspace::{Tab, Workspace};
use crate::backend::{call, is_unreachable};
use crate::state::browser::{new_uuid, sleep_ms};

/// Pause between two looks at a running preview.
const LOOK_MS: u32 = 120;

/// What was run last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ran {
    Samples,
    Custom,
}

/// State of the newest preview.
#[derive(Clone, Copy)]
pub(super) struct Preview {
    pub(super) ran: RwSignal<Ran>,
    pub(super) view: RwSignal<Option<PreviewView>>,
    pub(super) failure: RwSignal<Option<ApiError>>,
    pub(super) is_running: RwSignal<bool>,
    /// The newest press of Run; answers to older ones are dropped.
    turn: StoredValue<u64>,
}

impl Preview {
    pub(super) fn new() -> Self {
        Self {
            ran: RwSignal::new(Ran::Samples),
            view: RwSignal::new(None),
            failure: RwSignal::new(None),
            is_running: RwSignal::new(false),
            turn: StoredValue::new(0),
        }
    }

    fn is_newest(&self, turn: u64) -> bool {
        self.turn.try_get_value() == Some(turn)
    }

    fn end(&self, failure: Option<ApiError>) {
        self.failure.try_set(failure);
        self.is_running.try_set(false);
    }
}

impl Workspace {
    /// Runs the program on the problem's samples.
    pub(super) fn run_samples(self) {
        self.tab.set(Tab::Samples);
        self.run(Ran::Samples, PreviewCases::Samples);
    }

    /// Runs the program on the text of the custom input.
    pub(super) fn run_custom(self) {
        self.tab.set(Tab::Custom);
        self.run(Ran::Custom, PreviewCases::Custom { input: self.custom_input.get_untracked() });
    }

    fn run(self, ran: Ran, cases: PreviewCases) {
        let preview = self.preview;
        let Some((language_id, files)) = self.source() else { return };
        if preview.is_running.get_untracked() || untrack(|| self.is_blank()) {
            return;
        }
        let turn = preview.turn.get_value() + 1;
        preview.turn.set_value(turn);
        preview.ran.set(ran);
        preview.view.set(None);
        preview.failure.set(None);
        preview.is_running.set(true);
        let idempotency_key = IdempotencyKey(new_uuid());
        let problem_id = self.problem_id.get_value();
        let request = StartPreview { idempotency_key, problem_id, language_id, files, cases };
        spawn_local(async move {
            match call(request).await {
                Ok(view) => follow(preview, turn, view).await,
                Err(error) if preview.is_newest(turn) => preview.end(Some(error)),
                Err(_) => {}
            }
        });
    }

    /// Stops a running preview; the next look shows it as cancelled.
    pub(super) fn cancel_preview(self) {
        let Some(preview_id) = self.preview.view.with_untracked(|view| view.as_ref().map(|view| view.id.clone()))
        else {
            return;
        };
        spawn_local(async move {
            if let Err(error) = call(CancelPreview { preview_id }).await {
                self.preview.failure.try_set(Some(error));
            }
        });
    }
}

async fn follow(preview: Preview, turn: u64, first: PreviewView) {
    let mut view = first;
    loop {
        if !preview.is_newest(turn) {
            return;
        }
        let is_over = view.state.is_terminal();
        let preview_id = view.id.clone();
        if preview.view.with_untracked(|shown| shown.as_ref() != Some(&view)) {
            preview.view.set(Some(view));
        }
        if is_over {
            return preview.end(None);
        }
        view = loop {
            sleep_ms(LOOK_MS).await;
            match call(GetPreview { preview_id: preview_id.clone() }).await {
                Ok(view) => break view,
                // The host may be back in a moment; the run goes on meanwhile.
                Err(error) if is_unreachable(&error) && preview.is_newest(turn) => sleep_ms(1_000).await,
                Err(error) if preview.is_newest(turn) => return preview.end(Some(error)),
                Err(_) => return,
            }
        };
    }
}
