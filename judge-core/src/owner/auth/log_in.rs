//! Coming in and going out: the log-in, the session behind a request, the log-out.

use agon_contract::account::{LogIn, Secret};
use agon_contract::ids::UserId;
use serde_json::json;

use super::account::{self, Known};
use super::error::AuthError;
use super::session::{self, End, Live, SessionToken, TOUCH_EVERY, millis};
use super::told::{Told, tell};
use super::{Auth, name, password, user};
use crate::actor::Actor;
use crate::ids::new_id;
use crate::store::{StoreError, chain};

/// A session that has just begun.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    pub token: SessionToken,
    pub actor: Actor,
}

impl Auth {
    /// Whether there is anybody who could log in.
    pub(crate) async fn has_accounts(&self) -> Result<bool, StoreError> {
        self.store.read("look for accounts", account::any).await
    }

    /// Checks name and password and begins a session with a new token. `replaced` is the token that the same browser
    /// sent: its session ends with the same commit.
    ///
    /// A refusal costs the same work and says the same, whether the name exists or not. That an account is disabled
    /// learns only who knows its password.
    pub(crate) async fn log_in(&self, peer: &str, asked: &LogIn, replaced: Option<&str>) -> Result<Begun, AuthError> {
        let key = name::typed_key(&asked.name).ok_or(AuthError::WrongCredentials)?;
        let begun = self.strikes.begin(&key, peer, self.clock.steady_ms());
        let attempt = begun.map_err(|wait_ms| AuthError::TooManyAttempts { wait_ms })?;
        let done = self.try_log_in(peer, &key, &asked.password, replaced).await;
        match &done {
            Ok(_) | Err(AuthError::Disabled) => self.strikes.succeeded(&attempt),
            Err(AuthError::WrongCredentials) => {}
            // Nothing was found out about the password.
            Err(_) => self.strikes.withdraw(&attempt),
        }
        done
    }

    async fn try_log_in(
        &self,
        peer: &str,
        key: &str,
        password: &Secret,
        replaced: Option<&str>,
    ) -> Result<Begun, AuthError> {
        let found = {
            let key = key.to_owned();
            self.store.read("look an account up", move |connection| account::by_key(connection, &key)).await?
        };
        let asked_for = found.as_ref().map_or_else(|| UserId(String::new()), |known| known.user_id.clone());
        let Some(known) = self.right(found, password).await? else {
            // For unknown names too: the write must not tell them apart either.
            self.refused(asked_for, peer, "wrong credentials").await?;
            return Err(AuthError::WrongCredentials);
        };
        if known.is_disabled {
            self.refused(asked_for, peer, "disabled").await?;
            return Err(AuthError::Disabled);
        }
        self.begin_session(known, peer, replaced).await
    }

    /// The account if the password is its own; a hash of other parameters than today's is replaced on the way.
    async fn right(&self, found: Option<Known>, password: &Secret) -> Result<Option<Known>, AuthError> {
        if password::is_absurd(password) {
            return Ok(None);
        }
        let stored = found.as_ref().map(|known| known.phc.clone());
        let checked = self.passwords.check(password, stored).await?;
        let Some(mut known) = found.filter(|_| checked.is_right) else { return Ok(None) };
        if checked.is_outdated {
            let phc = self.passwords.hash(password).await?;
            let (id, before, after) = (known.user_id.clone(), known.phc.clone(), phc.clone());
            let replace =
                move |tx: &crate::store::WriteTx<'_>| account::replace_hash(tx, &id, &before, &after, tx.wall_ms());
            if self.store.write("renew a password's hash", replace).await? {
                known.phc = phc;
            }
        }
        Ok(Some(known))
    }

    /// The session begins only if password and account are still what was checked.
    async fn begin_session(&self, known: Known, peer: &str, replaced: Option<&str>) -> Result<Begun, AuthError> {
        let token = SessionToken::new()?;
        let (id, token_hash) = (new_id(), session::hash_of(token.expose()));
        let (peer, replaced) = (peer.to_owned(), replaced.map(session::hash_of));
        let roles = self
            .store
            .write("begin a session", move |tx| {
                let now_ms = tx.wall_ms();
                let is_as_checked =
                    account::by_user(tx, &known.user_id)?.is_some_and(|now| now.phc == known.phc && !now.is_disabled);
                if !is_as_checked {
                    return Ok(None);
                }
                if let Some(replaced) = &replaced {
                    session::end(tx, replaced, End::Replaced, now_ms)?;
                }
                session::make_room(tx, &known.user_id, now_ms)?;
                let new = session::New { id: &id, token_hash: &token_hash, user_id: &known.user_id, peer: &peer };
                session::insert(tx, &new, now_ms)?;
                tell(tx, Told::SessionBegun, &known.user_id, &known.user_id, json!({ "session": id, "peer": peer }))?;
                let roles = user::roles(tx, &known.user_id)?;
                Ok(Some(Actor { user_id: known.user_id, roles }))
            })
            .await?;
        let actor = roles.ok_or(AuthError::Overtaken)?;
        tracing::info!(user.id = %actor.user_id, "somebody logged in");
        Ok(Begun { token, actor })
    }

    /// `user_id` is empty when nobody has the name. The name itself is not kept: people type passwords there.
    async fn refused(&self, user_id: UserId, peer: &str, why: &'static str) -> Result<(), StoreError> {
        let peer = peer.to_owned();
        self.store
            .write("record a refused log-in", move |tx| {
                tell(tx, Told::SessionRefused, &user_id, &user_id, json!({ "peer": peer, "reason": why }))
            })
            .await
    }

    /// Who acts with this token, with the roles as they are now; `None` when no session of it lives.
    pub(crate) async fn session_actor(&self, token: &str) -> Result<Option<Actor>, StoreError> {
        let (hash, now_ms) = (session::hash_of(token), self.clock.wall_ms());
        let found = self
            .store
            .read("look a session up", move |connection| {
                let Some(live) = session::find(connection, &hash, now_ms)? else { return Ok(None) };
                let roles = user::roles(connection, &live.user_id)?;
                Ok(Some((live, roles)))
            })
            .await?;
        let Some((live, roles)) = found else { return Ok(None) };
        self.touch(&live, now_ms).await;
        Ok(Some(Actor { user_id: live.user_id, roles }))
    }

    /// A session that cannot be prolonged (disk full) still serves this request.
    async fn touch(&self, live: &Live, now_ms: i64) {
        if (0..millis(TOUCH_EVERY)).contains(&(now_ms - live.last_seen_at_ms)) {
            return;
        }
        let id = live.id.clone();
        let touched = self.store.write("prolong a session", move |tx| session::touch(tx, &id, now_ms)).await;
        if let Err(error) = touched {
            tracing::warn!(error = %chain(&error), "a session was not prolonged");
        }
    }

    /// Ends the session of a token; one that does not live stays as it is.
    pub(crate) async fn log_out(&self, token: &str) -> Result<(), StoreError> {
        let hash = session::hash_of(token);
        self.store
            .write("end a session", move |tx| match session::end(tx, &hash, End::LogOut, tx.wall_ms())? {
                Some(user_id) => tell(tx, Told::SessionEnded, &user_id, &user_id, json!({ "reason": "log_out" })),
                None => Ok(()),
            })
            .await
    }
}
