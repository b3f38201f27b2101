//! Submitting: one intent at a time, kept with its key until the host has answered; identical content asks first.

use agon_contract::ApiError;
use agon_contract::command::Submit;
use agon_contract::ids::{IdempotencyKey, SubmissionId};
use agon_contract::submission::{SubmissionSummary, SubmitReceipt};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::identical::find_unjudged_twin;
use super::workspace::{Tab, Workspace};
use crate::backend::{call, is_unreachable};
use crate::state::browser::new_uuid;

/// Where the newest press of Submit stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Phase {
    Idle,
    Sending,
    /// On disk.
    Saved(SubmitReceipt),
    /// The same text already waits for its verdict; `intent` goes out only when asked again.
    AlreadyThere {
        twin: Box<SubmissionSummary>,
        intent: Submit,
    },
    /// No answer came: whether it was saved is not known, the same intent can be sent again without harm.
    Unanswered {
        intent: Submit,
        error: ApiError,
    },
    /// The host said no.
    Refused(ApiError),
}

/// State of submitting.
#[derive(Clone, Copy)]
pub(super) struct Sending {
    pub(super) phase: RwSignal<Phase>,
    /// The submission the runs pane follows.
    pub(super) shown: RwSignal<Option<SubmissionId>>,
}

impl Sending {
    pub(super) fn new() -> Self {
        Self { phase: RwSignal::new(Phase::Idle), shown: RwSignal::new(None) }
    }
}

impl Workspace {
    /// Submits what the editor holds. The key is made here, at the click.
    pub(super) fn submit(self) {
        let Some((language_id, files)) = self.source() else { return };
        let is_busy = self.sending.phase.with_untracked(|phase| *phase == Phase::Sending);
        if is_busy || untrack(|| self.is_blank()) {
            return;
        }
        self.flush_draft();
        let idempotency_key = IdempotencyKey(new_uuid());
        let intent = Submit { idempotency_key, problem_id: self.problem_id.get_value(), language_id, files };
        self.sending.phase.set(Phase::Sending);
        // An older verdict must not stand beside the new intent.
        self.sending.shown.set(None);
        self.tab.set(Tab::Submission);
        let own_id = untrack(|| self.app.own_id());
        spawn_local(async move {
            // The look is a courtesy: if it fails, the submission goes out all the same.
            match find_unjudged_twin(&intent, own_id).await {
                Ok(Some(twin)) => {
                    self.sending.shown.try_set(Some(twin.id.clone()));
                    self.sending.phase.try_set(Phase::AlreadyThere { twin: Box::new(twin), intent });
                }
                Ok(None) | Err(_) => self.send(intent).await,
            }
        });
    }

    /// Sends an intent that waited for a decision or had no answer, with its own key.
    pub(super) fn send_again(self, intent: Submit) {
        self.sending.phase.set(Phase::Sending);
        self.sending.shown.set(None);
        spawn_local(self.send(intent));
    }

    async fn send(self, intent: Submit) {
        let phase = match call(intent.clone()).await {
            Ok(receipt) => {
                self.sending.shown.try_set(Some(receipt.submission_id.clone()));
                Phase::Saved(receipt)
            }
            Err(error) if is_unreachable(&error) => Phase::Unanswered { intent, error },
            Err(error) => Phase::Refused(error),
        };
        self.sending.phase.try_set(phase);
    }
}
