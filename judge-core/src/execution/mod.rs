//! Executions outside of submissions: previews on samples or on one's own input, with receipts that survive a restart.
//!
//! ```text
//! queued ──begin──► running ──► completed | failed | cancelled | timed_out
//!    └────────────────────────► failed | cancelled | timed_out
//! ```
//! A preview is one press of "Run"; each of its cases has a receipt. Terminal is final, by trigger. The tables are the
//! submission owner's.
//!
//! A submission is judged by the same contract ([`job`]): its judgement is the durable job, and each run a receipt under
//! the same form of key, `run id:case`. Those are stored with the verdict, in one commit, so that a short test never
//! waits for a disk; they do not count toward the bound on live receipts. (Rule: delivery, "Execution contract".)

mod job;
mod receipt;
mod recovery;

use std::sync::Arc;

use agon_contract::execution::{ExecutionState, PreviewCases, PreviewView};
use agon_contract::ids::{IdempotencyKey, LanguageId, PreviewId, UserId};
use agon_contract::problem::LimitsView;
use agon_contract::submission::SourceFile;
use agon_contract::{ApiError, ErrorCode};

use crate::domain::facts::ProblemFacts;
use crate::store::{NewEvent, OwnerStore, StoreError};

pub(crate) use receipt::{Begun, Ended, SCHEMA};

/// Cases of previews that are not finished, over all people; more is refused.
pub(crate) const LIVE_MAX: u32 = 1_024;
/// A finished preview is forgotten after this long.
pub(crate) const KEPT_MS: i64 = 15 * 60 * 1000;
/// Bytes of one's own input.
pub(crate) const CUSTOM_INPUT_BYTES_MAX: usize = 1024 * 1024;

/// Why a preview was not started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PreviewError {
    #[error("this key was used for something else; nothing was started")]
    KeyReused,
    #[error("{LIVE_MAX} runs are waiting or running already")]
    Full,
    #[error("one's own input may have at most {CUSTOM_INPUT_BYTES_MAX} bytes, not {bytes}")]
    InputTooLong { bytes: usize },
    #[error("the problem has no samples to run on")]
    NoSamples,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<PreviewError> for ApiError {
    fn from(error: PreviewError) -> Self {
        match error {
            PreviewError::KeyReused => ApiError::new(ErrorCode::Conflict, error.to_string()),
            PreviewError::Full => {
                ApiError::new(ErrorCode::Full, error.to_string()).with_hint("Wait until some have finished.")
            }
            PreviewError::InputTooLong { .. } | PreviewError::NoSamples => {
                ApiError::new(ErrorCode::BadRequest, error.to_string())
            }
            PreviewError::Store(error) => error.into(),
        }
    }
}

/// A preview about to be queued.
#[derive(Clone, Debug)]
pub(crate) struct NewPreview {
    pub id: PreviewId,
    pub user_id: UserId,
    pub idempotency_key: IdempotencyKey,
    pub fingerprint: String,
    pub language_id: LanguageId,
    pub facts: ProblemFacts,
    pub limits: LimitsView,
    pub cases: PreviewCases,
    /// One per case, in judging order.
    pub case_names: Vec<String>,
    pub files: Vec<SourceFile>,
}

/// The owner of previews and their receipts; works on the submission owner's connections.
#[derive(Clone)]
pub(crate) struct Executions {
    store: OwnerStore,
    boot_id: Arc<str>,
}

impl Executions {
    pub(crate) fn new(store: OwnerStore, boot_id: &str) -> Self {
        Self { store, boot_id: boot_id.into() }
    }

    /// The preview of a known key; another payload under the same key is refused.
    pub(crate) async fn known(
        &self,
        user_id: &UserId,
        key: &IdempotencyKey,
        fingerprint: &str,
    ) -> Result<Option<PreviewView>, PreviewError> {
        let (user_id, key, fingerprint) = (user_id.clone(), key.clone(), fingerprint.to_owned());
        self.store
            .read("look a preview's key up", move |connection| {
                let Some(known) = receipt::by_key(connection, &user_id, &key)? else { return Ok(Ok(None)) };
                if known.fingerprint != fingerprint {
                    return Ok(Err(PreviewError::KeyReused));
                }
                Ok(Ok(receipt::view(connection, &known.id)?))
            })
            .await?
    }

    /// Queues a preview; durable when this answers.
    pub(crate) async fn start(&self, new: NewPreview) -> Result<PreviewView, PreviewError> {
        if new.case_names.is_empty() {
            return Err(PreviewError::NoSamples);
        }
        self.store
            .write("queue a preview", move |tx| {
                if let Some(known) = receipt::by_key(tx, &new.user_id, &new.idempotency_key)? {
                    if known.fingerprint != new.fingerprint {
                        return Ok(Err(PreviewError::KeyReused));
                    }
                    let view = receipt::view(tx, &known.id)?;
                    return Ok(view.ok_or(PreviewError::KeyReused));
                }
                receipt::forget_finished(tx, tx.wall_ms(), KEPT_MS)?;
                let wanted = u32::try_from(new.case_names.len()).unwrap_or(u32::MAX);
                if receipt::live_count(tx)?.saturating_add(wanted) > LIVE_MAX {
                    return Ok(Err(PreviewError::Full));
                }
                receipt::insert(tx, &new, tx.wall_ms())?;
                let view = receipt::view(tx, &new.id)?;
                Ok(Ok(view.expect("the preview was inserted in this transaction")))
            })
            .await?
    }

    /// A preview of this person; `None` when there is none (any more).
    pub(crate) async fn view(&self, user_id: &UserId, id: &PreviewId) -> Result<Option<PreviewView>, StoreError> {
        let (user_id, id) = (user_id.clone(), id.clone());
        self.store
            .read("read a preview", move |connection| {
                if receipt::user_of(connection, &id)?.is_none_or(|owner| owner != user_id) {
                    return Ok(None);
                }
                receipt::view(connection, &id)
            })
            .await
    }

    /// Ends a preview that has not finished; one that has stays as it is.
    pub(crate) async fn cancel(&self, id: &PreviewId) -> Result<bool, StoreError> {
        let id = id.clone();
        self.store
            .write("cancel a preview", move |tx| {
                let cancelled = receipt::cancel(tx, &id, tx.wall_ms())?;
                if cancelled {
                    tx.emit(&finished(&id))?;
                }
                Ok(cancelled)
            })
            .await
    }

    /// Takes the oldest queued preview.
    pub(crate) async fn begin(&self) -> Result<Option<Begun>, StoreError> {
        if !self.store.read("look for previews", receipt::has_queued).await? {
            return Ok(None);
        }
        let boot_id = self.boot_id.clone();
        self.store.write("begin a preview", move |tx| receipt::begin(tx, &boot_id)).await
    }

    /// Stores how a preview ended; false when it was cancelled meanwhile.
    pub(crate) async fn end(&self, id: &PreviewId, ended: Ended) -> Result<bool, StoreError> {
        let (id, boot_id) = (id.clone(), self.boot_id.clone());
        self.store
            .write("store a preview's end", move |tx| {
                let stored = receipt::end(tx, &id, &boot_id, &ended, tx.wall_ms())?;
                if stored {
                    tx.emit(&finished(&id))?;
                }
                Ok(stored)
            })
            .await
    }

    /// Forgets previews that ended long ago.
    pub(crate) async fn forget_finished(&self) -> Result<usize, StoreError> {
        self.store.write("forget old previews", move |tx| receipt::forget_finished(tx, tx.wall_ms(), KEPT_MS)).await
    }

    /// Whether the preview still runs: a cancelled one is killed by its worker.
    pub(crate) async fn is_running(&self, id: &PreviewId) -> Result<bool, StoreError> {
        let id = id.clone();
        self.store
            .read("look at a preview", move |connection| {
                Ok(receipt::state(connection, &id)? == Some(ExecutionState::Running))
            })
            .await
    }
}

fn finished(id: &PreviewId) -> NewEvent<'_> {
    NewEvent {
        event_type: "PreviewFinished",
        aggregate_id: id.as_str(),
        aggregate_version: 1,
        causation_id: None,
        payload: "{}".to_owned(),
    }
}
