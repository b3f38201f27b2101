//! A command that a press starts: one at a time, its failure kept until the next press.

use agon_contract::ApiError;
use agon_contract::command::Command;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::backend::{call_text, encode, read_answer};

/// Reads an answer and hands it on.
type Settle = Box<dyn FnOnce(Result<String, ApiError>) -> Result<(), ApiError>>;

/// Handles to the state of an action; cheap to copy.
#[derive(Clone, Copy)]
pub struct Action {
    pub is_busy: RwSignal<bool>,
    pub failure: RwSignal<Option<ApiError>>,
}

/// An action that nobody has started, in the reactive owner of the caller.
#[must_use]
pub fn action() -> Action {
    Action { is_busy: RwSignal::new(false), failure: RwSignal::new(None) }
}

impl Action {
    /// Sends a command unless one is on its way; `done` is called with its answer while the screen still stands.
    pub fn send<C: Command + 'static>(self, request: C, done: impl FnOnce(C::Response) + 'static) {
        let settle = move |answer| read_answer::<C>(answer).map(done);
        self.send_text(C::NAME, encode(&request), Box::new(settle));
    }

    fn send_text(self, name: &'static str, body: String, settle: Settle) {
        if self.is_busy.get_untracked() {
            return;
        }
        self.is_busy.set(true);
        self.failure.set(None);
        spawn_local(async move {
            let answer = call_text(name, body).await;
            // `Some` means that the signal is gone, and the screen with it.
            if self.is_busy.try_set(false).is_some() {
                return;
            }
            if let Err(error) = settle(answer) {
                self.failure.set(Some(error));
            }
        });
    }
}
