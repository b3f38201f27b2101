//! Reading a command's answer into a signal: loading, failed with retry, or data that stays while it is read again.

use std::rc::Rc;

use agon_contract::command::Command;
use agon_contract::{ApiError, ErrorCode};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::app::use_app;
use super::browser::sleep_ms;
use super::wake::Topic;
use crate::backend::{call_text, encode, read_answer};
use crate::parts::state_views::{Failure, Loading};

/// Where a read stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Load<T> {
    Loading,
    Failed(ApiError),
    Ready(T),
}

/// A read that repeats itself when its request changes or a topic wakes it.
pub struct Query<T: Send + Sync + 'static> {
    pub value: RwSignal<Load<T>>,
    pub(super) again: RwSignal<u32>,
}

impl<T: Send + Sync> Clone for Query<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync> Copy for Query<T> {}

impl<T: Clone + PartialEq + Send + Sync + 'static> Query<T> {
    /// Reads again now.
    pub fn retry(&self) {
        self.again.update(|count| *count = count.wrapping_add(1));
    }

    /// Whether the data is there.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.value.with(|value| matches!(value, Load::Ready(_)))
    }

    /// The data, when it is there.
    #[must_use]
    pub fn ready(&self) -> Option<T> {
        self.value.with(|value| match value {
            Load::Ready(data) => Some(data.clone()),
            Load::Loading | Load::Failed(_) => None,
        })
    }
}

/// What the running read needs to know about the others; one at a time, a wake-up meanwhile asks for one more.
struct InFlight {
    /// The request as it is sent.
    request: Option<String>,
    busy: bool,
    asked_meanwhile: bool,
}

/// A read without its types, so that the machinery is in the program once and not for every command.
struct Reading {
    name: &'static str,
    request: Box<dyn Fn() -> Option<String>>,
    /// Called when another request begins.
    begin: Box<dyn Fn()>,
    settle: Rc<dyn Fn(Result<String, ApiError>)>,
}

/// Reads `request` (skipped while it is `None`) and again at each wake-up of `topics`.
///
/// Data stays visible while it is read again with the same request, and when that fails for the moment; a changed request
/// shows loading.
pub fn query<C>(request: impl Fn() -> Option<C> + 'static, topics: &'static [Topic]) -> Query<C::Response>
where
    C: Command + 'static,
    C::Response: Clone + PartialEq + Send + Sync + 'static,
{
    let value = RwSignal::new(Load::Loading);
    let again = RwSignal::new(0);
    let reading = Reading {
        name: C::NAME,
        request: Box::new(move || request().map(|request| encode(&request))),
        begin: Box::new(move || value.set(Load::Loading)),
        settle: Rc::new(move |answer| settle(value, read_answer::<C>(answer))),
    };
    read_again(reading, again, topics);
    Query { value, again }
}

fn read_again(reading: Reading, again: RwSignal<u32>, topics: &'static [Topic]) {
    let app = use_app();
    let Reading { name, request, begin, settle } = reading;
    let state = StoredValue::new(InFlight { request: None, busy: false, asked_meanwhile: false });
    Effect::new(move |_| {
        again.track();
        topics.iter().for_each(|topic| app.track(*topic));
        let Some(wanted) = request() else { return };
        let changed = state.with_value(|state| state.request.as_ref() != Some(&wanted));
        if changed {
            begin();
            state.update_value(|state| state.request = Some(wanted));
        }
        let busy = state.with_value(|state| state.busy);
        if busy {
            state.update_value(|state| state.asked_meanwhile = true);
        } else {
            state.update_value(|state| state.busy = true);
            spawn_local(read_until_quiet(name, state, settle.clone()));
        }
    });
}

async fn read_until_quiet(
    name: &'static str,
    state: StoredValue<InFlight>,
    settle: Rc<dyn Fn(Result<String, ApiError>)>,
) {
    let mut refusals = 0;
    loop {
        let Some(Some(request)) = state.try_with_value(|state| state.request.clone()) else { return };
        let answer = call_text(name, request.clone()).await;
        if let Some(pause_ms) = answer.as_ref().err().and_then(|error| pause_after(error, refusals)) {
            refusals += 1;
            sleep_ms(pause_ms).await;
            continue;
        }
        refusals = 0;
        // The screen may be gone, or want something else by now.
        let Some(still_wanted) = state.try_with_value(|state| state.request.as_ref() == Some(&request)) else { return };
        if still_wanted {
            settle(answer);
        }
        let more = state.try_with_value(|state| state.asked_meanwhile).unwrap_or(false) || !still_wanted;
        state.try_update_value(|state| {
            state.asked_meanwhile = false;
            state.busy = more;
        });
        if !more {
            return;
        }
    }
}

/// Reads that are refused for the moment are tried again this often before the person is told.
const REFUSALS_MAX: u32 = 4;
/// The first pause where the host does not name one; each further one doubles it.
const PAUSE_MS: u32 = 500;
/// A longer wait is told at once.
const PAUSE_MS_MAX: u64 = 10_000;

/// How long to wait before a read that the host refused as one too many is sent again; `None` when it is told.
fn pause_after(error: &ApiError, refusals: u32) -> Option<u32> {
    let is_for_the_moment = matches!(error.code, ErrorCode::Full | ErrorCode::TooManyAttempts);
    let pause_ms = error.retry_after_ms.unwrap_or_else(|| u64::from(PAUSE_MS << refusals.min(REFUSALS_MAX)));
    let waits = is_for_the_moment && refusals < REFUSALS_MAX && pause_ms <= PAUSE_MS_MAX;
    waits.then(|| u32::try_from(pause_ms).unwrap_or(u32::MAX))
}

/// Whether an error says that the data is not there (any more) for this person. Other failures of a repeated read,
/// an unreachable host and an ended session among them, leave what is shown: an editor must not vanish because one read
/// failed, and who signs in again goes on where they were. (Another person's sign-in loads the page anew.)
fn takes_away(error: &ApiError) -> bool {
    match error.code {
        ErrorCode::NotFound | ErrorCode::Forbidden | ErrorCode::VersionMismatch => true,
        ErrorCode::BadRequest
        | ErrorCode::Unauthenticated
        | ErrorCode::Conflict
        | ErrorCode::Full
        | ErrorCode::TooManyAttempts
        | ErrorCode::PackageRefused
        | ErrorCode::SandboxUnavailable
        | ErrorCode::StorageUnavailable
        | ErrorCode::Unreadable
        | ErrorCode::ModuleOff
        | ErrorCode::Stopping
        | ErrorCode::Internal
        | ErrorCode::Unknown(_) => false,
    }
}

fn settle<T: Clone + PartialEq + Send + Sync + 'static>(value: RwSignal<Load<T>>, answer: Result<T, ApiError>) {
    let Some(has_data) = value.try_with_untracked(|value| matches!(value, Load::Ready(_))) else { return };
    let next = match answer {
        Ok(data) => Load::Ready(data),
        Err(error) if has_data && !takes_away(&error) => return,
        Err(error) => Load::Failed(error),
    };
    if value.try_with_untracked(|value| *value != next).unwrap_or(false) {
        value.set(next);
    }
}

/// Which of the three faces a read shows; data changes do not rebuild the body.
#[derive(Clone, PartialEq)]
enum Face {
    Loading,
    Failed(ApiError),
    Ready,
}

/// Shows a read: a quiet loading line, the failure with a retry, or `body` with the data as a signal.
pub fn loaded<T, V>(query: Query<T>, body: impl Fn(Signal<T>) -> V + Send + Sync + 'static) -> impl IntoView
where
    T: Clone + PartialEq + Send + Sync + 'static,
    V: IntoView + 'static,
{
    let face = Memo::new(move |_| {
        query.value.with(|value| match value {
            Load::Loading => Face::Loading,
            Load::Failed(error) => Face::Failed(error.clone()),
            Load::Ready(_) => Face::Ready,
        })
    });
    move || match face.get() {
        Face::Loading => view! { <Loading /> }.into_any(),
        Face::Failed(error) => view! { <Failure error on_retry=move || query.retry() /> }.into_any(),
        Face::Ready => {
            let Some(first) = query.value.with_untracked(|value| match value {
                Load::Ready(data) => Some(data.clone()),
                Load::Loading | Load::Failed(_) => None,
            }) else {
                return view! { <Loading /> }.into_any();
            };
            // Keeps the last data while the face changes, so that nobody reads what is gone.
            let data = Memo::new(move |last: Option<&T>| {
                query.value.with(|value| match value {
                    Load::Ready(data) => data.clone(),
                    Load::Loading | Load::Failed(_) => last.unwrap_or(&first).clone(),
                })
            });
            body(data.into()).into_any()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_that_is_one_too_many_waits_as_long_as_the_host_says_and_not_for_ever() {
        let mut full = ApiError::new(ErrorCode::Full, "busy");
        let pauses: Vec<_> = (0..=REFUSALS_MAX).map(|refusals| pause_after(&full, refusals)).collect();
        assert_eq!(pauses, [Some(500), Some(1_000), Some(2_000), Some(4_000), None]);
        full.retry_after_ms = Some(3_000);
        assert_eq!(pause_after(&full, 0), Some(3_000));
        full.retry_after_ms = Some(300_000);
        assert_eq!(pause_after(&full, 0), None, "a person is told of a long wait");
        assert_eq!(pause_after(&ApiError::new(ErrorCode::Forbidden, "no"), 0), None);
    }
}
