//! What staff do with accounts, and what everybody does with their own.

use agon_contract::account::{AccountPage, AccountView, OpenSession, Secret};
use agon_contract::ids::{SessionId, UserId};
use agon_contract::settings::Role;
use serde_json::json;

use super::error::AuthError;
use super::name::{self, LoginName};
use super::session::{self, End};
use super::told::{Told, tell};
use super::{Auth, account, password, user};
use crate::ids::new_id;
use crate::store::{StoreError, WriteTx};

/// Accounts of one folder: ten times the largest onsite contest.
const ACCOUNTS_MAX: u32 = 20_000;

/// An account about to be made.
#[derive(Clone, Debug)]
pub(crate) struct NewAccount {
    pub name: String,
    pub display_name: String,
    pub roles: Vec<Role>,
    pub password: Secret,
}

/// Whose sessions somebody may end one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Own,
    Anybodys,
}

impl Auth {
    /// Accounts after a login name, by name.
    pub(crate) async fn accounts(&self, after: Option<&str>, limit: u32) -> Result<AccountPage, StoreError> {
        let after_key = after.and_then(name::typed_key).unwrap_or_default();
        let now_ms = self.clock.wall_ms();
        // One more than asked tells whether there is another page.
        let read = move |connection: &_| account::views(connection, &after_key, limit + 1, now_ms);
        let mut rows = self.store.read("list accounts", read).await?;
        let has_more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let next_after_name = rows.last().filter(|_| has_more).map(|row| row.name.clone());
        Ok(AccountPage { rows, next_after_name })
    }

    /// The account with this name, in any spelling.
    pub(crate) async fn account_named(&self, typed: &str) -> Result<Option<AccountView>, StoreError> {
        let Some(key) = name::typed_key(typed) else { return Ok(None) };
        let now_ms = self.clock.wall_ms();
        self.store
            .read("look an account up", move |connection| match account::by_key(connection, &key)? {
                Some(known) => account::view(connection, &known.user_id, now_ms),
                None => Ok(None),
            })
            .await
    }

    /// Makes an account. Its name, in any spelling, is nobody else's.
    pub(crate) async fn create_account(&self, by: &UserId, new: NewAccount) -> Result<AccountView, AuthError> {
        let name = LoginName::check(&new.name)?;
        let display_name = name::check_display_name(&new.display_name)?;
        let roles = known_roles(new.roles)?;
        password::check_new(&new.password, &name.key)?;
        let phc = self.passwords.hash(&new.password).await?;
        let (by, id) = (by.clone(), UserId(new_id()));
        self.store
            .write("make an account", move |tx| {
                if account::by_key(tx, &name.key)?.is_some() {
                    return Ok(Err(AuthError::NameTaken { name: name.text }));
                }
                if account::count(tx)? >= ACCOUNTS_MAX {
                    return Ok(Err(AuthError::Full { at_most: ACCOUNTS_MAX }));
                }
                user::insert_account(tx, &id, &display_name, tx.wall_ms())?;
                account::insert(tx, &id, &name, &phc, tx.wall_ms())?;
                user::set_roles(tx, &id, &roles)?;
                tell(tx, Told::AccountCreated, &by, &id, json!({ "name": name.text, "roles": names(&roles) }))?;
                present(tx, &id)
            })
            .await?
    }

    /// Sets somebody's password and ends every session of the account.
    pub(crate) async fn set_password(&self, by: &UserId, of: &UserId, new: &Secret) -> Result<(), AuthError> {
        let known = self.known(of).await?;
        password::check_new(new, &known.login_key)?;
        let phc = self.passwords.hash(new).await?;
        self.store_password(by, of, None, phc).await
    }

    /// Sets one's own password, which needs the old one; failures count as failed log-ins do.
    pub(crate) async fn change_password(&self, own: &UserId, old: &Secret, new: &Secret) -> Result<(), AuthError> {
        let known = self.known(own).await?;
        password::check_new(new, &known.login_key)?;
        let begun = self.strikes.begin(&known.login_key, &format!("session of {own}"), self.clock.steady_ms());
        let attempt = begun.map_err(|wait_ms| AuthError::TooManyAttempts { wait_ms })?;
        let checked = self.passwords.check(old, Some(known.phc.clone())).await;
        match &checked {
            Ok(checked) if checked.is_right => self.strikes.succeeded(&attempt),
            Ok(_) => return Err(AuthError::WrongOldPassword),
            Err(_) => self.strikes.withdraw(&attempt),
        }
        checked?;
        let phc = self.passwords.hash(new).await?;
        self.store_password(own, own, Some(known.phc), phc).await
    }

    /// With `before`, only if that is still the stored hash.
    async fn store_password(
        &self,
        by: &UserId,
        of: &UserId,
        before: Option<String>,
        phc: String,
    ) -> Result<(), AuthError> {
        let (by, of) = (by.clone(), of.clone());
        let is_set = self
            .store
            .write("set a password", move |tx| {
                let is_set = match &before {
                    Some(before) => account::replace_hash(tx, &of, before, &phc, tx.wall_ms())?,
                    None => account::set_hash(tx, &of, &phc, tx.wall_ms())?,
                };
                if is_set {
                    let ended = session::end_all(tx, &of, End::Password, tx.wall_ms())?;
                    tell(tx, Told::PasswordSet, &by, &of, json!({ "sessions_ended": ended }))?;
                }
                Ok(is_set)
            })
            .await?;
        if is_set { Ok(()) } else { Err(AuthError::Overtaken) }
    }

    async fn known(&self, id: &UserId) -> Result<account::Known, AuthError> {
        let found = {
            let id = id.clone();
            self.store.read("look an account up", move |connection| account::by_user(connection, &id)).await?
        };
        found.ok_or_else(|| no_account(id))
    }

    /// Replaces the roles; they hold from the next request on.
    pub(crate) async fn set_roles(&self, by: &UserId, of: &UserId, roles: Vec<Role>) -> Result<AccountView, AuthError> {
        let roles = known_roles(roles)?;
        self.change(by, of, move |tx, by, of| {
            let before = user::roles(tx, of)?;
            user::set_roles(tx, of, &roles)?;
            tell(tx, Told::RolesSet, by, of, json!({ "roles_before": names(&before), "roles": names(&roles) }))
        })
        .await
    }

    /// Disables an account and ends its sessions, or enables it again.
    pub(crate) async fn set_disabled(
        &self,
        by: &UserId,
        of: &UserId,
        is_disabled: bool,
    ) -> Result<AccountView, AuthError> {
        self.change(by, of, move |tx, by, of| {
            account::set_disabled(tx, of, is_disabled.then(|| tx.wall_ms()))?;
            let ended = if is_disabled { session::end_all(tx, of, End::Disabled, tx.wall_ms())? } else { 0 };
            let told = if is_disabled { Told::AccountDisabled } else { Told::AccountEnabled };
            tell(tx, told, by, of, json!({ "is_disabled": is_disabled, "sessions_ended": ended }))
        })
        .await
    }

    /// One change of an account that exists, as one commit.
    async fn change(
        &self,
        by: &UserId,
        of: &UserId,
        work: impl FnOnce(&WriteTx<'_>, &UserId, &UserId) -> rusqlite::Result<()> + Send + 'static,
    ) -> Result<AccountView, AuthError> {
        let (by, of) = (by.clone(), of.clone());
        self.store
            .write("change an account", move |tx| {
                if account::name(tx, &of)?.is_none() {
                    return Ok(Err(no_account(&of)));
                }
                work(tx, &by, &of)?;
                present(tx, &of)
            })
            .await?
    }

    /// The sessions of an account that live now.
    pub(crate) async fn open_sessions(&self, of: &UserId) -> Result<Vec<OpenSession>, AuthError> {
        let (of, now_ms) = (of.clone(), self.clock.wall_ms());
        self.store
            .read("list sessions", move |connection| {
                if account::name(connection, &of)?.is_none() {
                    return Ok(Err(no_account(&of)));
                }
                session::live_of(connection, &of, now_ms).map(Ok)
            })
            .await?
    }

    /// Ends one session within reach; what lies outside it does not exist for who asks.
    pub(crate) async fn end_session(&self, by: &UserId, id: &SessionId, reach: Reach) -> Result<(), AuthError> {
        let (by, id) = (by.clone(), id.clone());
        self.store
            .write("end a session", move |tx| {
                let found = session::open_ones_user(tx, &id)?.filter(|of| reach == Reach::Anybodys || *of == by);
                let why = if found.as_ref() == Some(&by) { End::LogOut } else { End::Staff };
                let Some(of) = found else { return Ok(Err(AuthError::NoSession { session_id: id.to_string() })) };
                session::end_one(tx, &id, why, tx.wall_ms())?;
                tell(tx, Told::SessionEnded, &by, &of, json!({ "ended": 1, "session": id.as_str() }))?;
                Ok(Ok(()))
            })
            .await?
    }

    /// Ends every session of an account; answers how many.
    pub(crate) async fn end_sessions(&self, by: &UserId, of: &UserId) -> Result<u32, AuthError> {
        let (by, of) = (by.clone(), of.clone());
        self.store
            .write("end sessions", move |tx| {
                if account::name(tx, &of)?.is_none() {
                    return Ok(Err(no_account(&of)));
                }
                let why = if by == of { End::LogOut } else { End::Staff };
                let ended = session::end_all(tx, &of, why, tx.wall_ms())?;
                if ended > 0 {
                    tell(tx, Told::SessionsEnded, &by, &of, json!({ "ended": ended }))?;
                }
                Ok(Ok(ended))
            })
            .await?
    }
}

fn present(tx: &WriteTx<'_>, id: &UserId) -> rusqlite::Result<Result<AccountView, AuthError>> {
    Ok(account::view(tx, id, tx.wall_ms())?.ok_or_else(|| no_account(id)))
}

fn no_account(id: &UserId) -> AuthError {
    AuthError::NoAccount { user_id: id.to_string() }
}

fn names(roles: &[Role]) -> Vec<&str> {
    roles.iter().map(Role::as_str).collect()
}

/// Roles of this version, each once.
fn known_roles(mut roles: Vec<Role>) -> Result<Vec<Role>, AuthError> {
    if let Some(unknown) = roles.iter().find(|role| matches!(role, Role::Unknown(_))) {
        return Err(AuthError::UnknownRole { role: unknown.to_string() });
    }
    roles.sort_by(|a, b| a.as_str().cmp(b.as_str()));
    roles.dedup();
    Ok(roles)
}
