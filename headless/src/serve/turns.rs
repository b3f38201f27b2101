//! One person's requests take turns: a few at one time, the others wait, so that nobody keeps the judge to himself.
//!
//! A browser asks for several things at once and is answered as before; a script that asks for hundreds waits for its
//! own answers while everybody else's come and submissions are judged.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use agon_contract::command::{Command, RunPreview, WaitEvents};
use agon_contract::ids::UserId;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Host;
use super::visitor::Visitor;

/// Requests of one person that are worked on at one time.
const AT_ONE_TIME: usize = 4;
/// Persons remembered before those without requests are forgotten.
const PERSONS_MAX: usize = 64;

/// Who has how many turns left.
#[derive(Debug, Default)]
pub(super) struct Turns {
    persons: Mutex<HashMap<UserId, Arc<Semaphore>>>,
}

impl Turns {
    /// Waits for a turn, in the order of asking.
    async fn take(&self, person: &UserId) -> OwnedSemaphorePermit {
        let turns = {
            let mut persons = self.persons.lock().unwrap_or_else(PoisonError::into_inner);
            if persons.len() >= PERSONS_MAX {
                // Whoever holds or awaits a turn has the semaphore too.
                persons.retain(|_, turns| Arc::strong_count(turns) > 1);
            }
            Arc::clone(persons.entry(person.clone()).or_insert_with(|| Arc::new(Semaphore::new(AT_ONE_TIME))))
        };
        turns.acquire_owned().await.expect("nobody closes it")
    }
}

/// Middleware behind the session check. What only waits for something to happen takes no turn.
pub(super) async fn one_by_one(State(host): State<Arc<Host>>, request: Request, next: Next) -> Response {
    let only_waits = [WaitEvents::NAME, RunPreview::NAME].iter().any(|name| request.uri().path().ends_with(name));
    let person = request.extensions().get::<Visitor>().map(|visitor| visitor.actor.user_id.clone());
    let _turn = match person {
        Some(person) if !only_waits => Some(host.turns.take(&person).await),
        Some(_) | None => None,
    };
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_person_waits_for_his_own_turn_and_nobody_else_does() {
        let turns = Turns::default();
        let (greedy, other) = (UserId::from("greedy"), UserId::from("other"));
        let mut held = Vec::new();
        for _ in 0..AT_ONE_TIME {
            held.push(turns.take(&greedy).await);
        }
        assert!(turns.take(&greedy).now_or_never().is_none(), "the fifth waits");
        assert!(turns.take(&other).now_or_never().is_some());
        held.pop();
        assert!(turns.take(&greedy).now_or_never().is_some());
    }

    #[tokio::test]
    async fn persons_without_requests_are_forgotten_and_others_are_not() {
        let turns = Turns::default();
        let busy = UserId::from("busy");
        let mut held = Vec::new();
        for _ in 0..AT_ONE_TIME {
            held.push(turns.take(&busy).await);
        }
        for n in 0..PERSONS_MAX * 2 {
            drop(turns.take(&UserId::from(format!("person {n}").as_str())).await);
        }
        assert!(turns.persons.lock().expect("whole").len() <= PERSONS_MAX);
        assert!(turns.take(&busy).now_or_never().is_none());
    }
}
