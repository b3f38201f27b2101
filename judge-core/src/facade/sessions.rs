//! Sessions of accounts, as a host uses them: the host keeps the token (in a cookie) and makes the [`Actor`] of each
//! request from it. No request says who acts.

use agon_contract::command::{GetSession, LogIn};
use agon_contract::settings::SessionView;
use agon_contract::{ApiError, ErrorCode};

use super::Judge;
use crate::actor::Actor;
use crate::owner::auth::SessionToken;

/// A session that has just begun: what the host keeps, and what the person sees.
#[derive(Clone, Debug)]
pub struct Begun {
    pub token: SessionToken,
    pub view: SessionView,
}

impl Judge {
    /// Whether there is an account that could log in.
    ///
    /// # Errors
    /// `storage_unavailable`.
    pub async fn has_accounts(&self) -> Result<bool, ApiError> {
        Ok(self.rooms.auth.has_accounts().await?)
    }

    /// Begins a session with a new token. `peer` is where the request came from; `replaced` the token that came with
    /// it, whose session ends.
    ///
    /// # Errors
    /// `unauthenticated` (name or password is wrong), `forbidden` (disabled), `too_many_attempts`, `full`.
    pub async fn log_in(&self, peer: &str, req: LogIn, replaced: Option<&str>) -> Result<Begun, ApiError> {
        let begun = self.rooms.auth.log_in(peer, &req, replaced).await?;
        let view = self.get_session(&begun.actor, GetSession {}).await?;
        Ok(Begun { token: begun.token, view })
    }

    /// Who acts with this token, with the roles as they are now; `None` when no session of it lives.
    ///
    /// # Errors
    /// `storage_unavailable`.
    pub async fn session_actor(&self, token: &str) -> Result<Option<Actor>, ApiError> {
        Ok(self.rooms.auth.session_actor(token).await?)
    }

    /// Ends the session of a token, if one lives.
    ///
    /// # Errors
    /// `storage_unavailable`.
    pub async fn log_out(&self, token: &str) -> Result<(), ApiError> {
        Ok(self.rooms.auth.log_out(token).await?)
    }

    /// What a host that is always the local profile answers to `log_in` and `log_out`.
    #[must_use]
    pub fn no_log_in_here() -> ApiError {
        ApiError::new(ErrorCode::BadRequest, "this window belongs to the local profile; nobody logs in or out here")
            .with_hint("Log in from a browser at the address of `agon serve`.")
    }
}
