//! Accounts of a hall: made and changed by staff; everybody changes their own password and ends their own sessions.

use agon_contract::ApiError;
use agon_contract::account::{AccountPage, AccountView, OpenSession, SessionsEnded};
use agon_contract::command::{
    CreateAccount, DisableAccount, Done, EndSession, EndSessions, ListAccounts, ListSessions, SetPassword, SetRoles,
};
use agon_contract::ids::UserId;
use agon_contract::permission::Permission;

use crate::actor::Actor;
use crate::facade::Judge;
use crate::facade::refusal::{bad_request, require};
use crate::owner::auth::{NewAccount, Reach};

/// Rows of a page.
const PAGE_ROWS_MAX: u32 = 500;

impl Judge {
    /// Accounts by login name.
    ///
    /// # Errors
    /// `forbidden`, `bad_request` for a limit outside 1 to 500.
    pub async fn list_accounts(&self, actor: &Actor, req: ListAccounts) -> Result<AccountPage, ApiError> {
        require(actor, &Permission::ManageAccounts)?;
        if !(1..=PAGE_ROWS_MAX).contains(&req.limit) {
            return Err(bad_request(format!("a page has 1 to {PAGE_ROWS_MAX} rows")));
        }
        if let Some(name) = &req.name {
            let found = self.rooms.auth.account_named(name).await?;
            return Ok(AccountPage { rows: found.into_iter().collect(), next_after_name: None });
        }
        Ok(self.rooms.auth.accounts(req.after_name.as_deref(), req.limit).await?)
    }

    /// Makes an account.
    ///
    /// # Errors
    /// `forbidden`, `bad_request` (name, roles or password cannot be), `conflict` (the name is taken), `full`.
    pub async fn create_account(&self, actor: &Actor, req: CreateAccount) -> Result<AccountView, ApiError> {
        require(actor, &Permission::ManageAccounts)?;
        let CreateAccount { name, display_name, roles, password } = req;
        let new = NewAccount { name, display_name, roles, password };
        Ok(self.rooms.auth.create_account(&actor.user_id, new).await?)
    }

    /// Sets a password and ends the account's sessions, the caller's own included.
    ///
    /// # Errors
    /// `forbidden` (no permission, or the old password is wrong), `too_many_attempts`, `bad_request`, `not_found`.
    pub async fn set_password(&self, actor: &Actor, req: SetPassword) -> Result<Done, ApiError> {
        let auth = &self.rooms.auth;
        match (req.user_id, req.old_password) {
            (Some(of), _) if of != actor.user_id => {
                require(actor, &Permission::ManageAccounts)?;
                auth.set_password(&actor.user_id, &of, &req.new_password).await?;
            }
            (_, Some(old)) => auth.change_password(&actor.user_id, &old, &req.new_password).await?,
            (_, None) => return Err(bad_request("setting one's own password needs the old one")),
        }
        Ok(Done {})
    }

    /// Replaces the roles of an account. The local profile keeps its own.
    ///
    /// # Errors
    /// `forbidden`, `bad_request` for a role this version does not know, `not_found`.
    pub async fn set_roles(&self, actor: &Actor, req: SetRoles) -> Result<AccountView, ApiError> {
        require(actor, &Permission::ManageAccounts)?;
        Ok(self.rooms.auth.set_roles(&actor.user_id, &req.user_id, req.roles).await?)
    }

    /// Disables an account and ends its sessions at once, or enables it again.
    ///
    /// # Errors
    /// `forbidden`, `bad_request` for one's own account, `not_found`.
    pub async fn disable_account(&self, actor: &Actor, req: DisableAccount) -> Result<AccountView, ApiError> {
        require(actor, &Permission::ManageAccounts)?;
        if req.is_disabled && req.user_id == actor.user_id {
            return Err(bad_request("nobody disables the account they are using"));
        }
        Ok(self.rooms.auth.set_disabled(&actor.user_id, &req.user_id, req.is_disabled).await?)
    }

    /// The sessions of an account that live now, newest first: one's own, or with the permission somebody else's.
    ///
    /// # Errors
    /// `forbidden`, `not_found` (also for the local profile, which has no sessions here).
    pub async fn list_sessions(&self, actor: &Actor, req: ListSessions) -> Result<Vec<OpenSession>, ApiError> {
        let of = own_or_anybodys(actor, req.user_id)?;
        Ok(self.rooms.auth.open_sessions(&of).await?)
    }

    /// Ends one session: one's own, or with the permission anybody's.
    ///
    /// # Errors
    /// `not_found` when it is not open, or is another's and the permission is missing.
    pub async fn end_session(&self, actor: &Actor, req: EndSession) -> Result<Done, ApiError> {
        let reach = if actor.may(&Permission::ManageAccounts) { Reach::Anybodys } else { Reach::Own };
        self.rooms.auth.end_session(&actor.user_id, &req.session_id, reach).await?;
        Ok(Done {})
    }

    /// Ends every session of an account: one's own, or with the permission somebody else's.
    ///
    /// # Errors
    /// `forbidden`, `not_found` (also for the local profile, which has no sessions here).
    pub async fn end_sessions(&self, actor: &Actor, req: EndSessions) -> Result<SessionsEnded, ApiError> {
        let of = own_or_anybodys(actor, req.user_id)?;
        let ended = self.rooms.auth.end_sessions(&actor.user_id, &of).await?;
        Ok(SessionsEnded { ended })
    }
}

/// Whose sessions are meant: those of who asks, or with the permission somebody else's.
fn own_or_anybodys(actor: &Actor, asked: Option<UserId>) -> Result<UserId, ApiError> {
    let of = asked.unwrap_or_else(|| actor.user_id.clone());
    if of != actor.user_id {
        require(actor, &Permission::ManageAccounts)?;
    }
    Ok(of)
}
