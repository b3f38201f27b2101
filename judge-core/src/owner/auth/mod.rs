//! Auth: people, their roles, what they set for themselves, and the accounts and sessions of a hall.
//!
//! **Who there is.** The *local profile* exists from the first start, holds every role and needs no log-in: whoever
//! sits at the machine or reads its terminal is that person. *Accounts* are made by staff: a login name ([`name`]), a
//! password ([`password`]), roles. Nothing here is ever deleted; an account is disabled instead, because submissions
//! name it.
//!
//! **Log-in** ([`log_in`]). Every attempt costs one argon2id hash, whether the name exists or not, and is counted
//! before the hash ([`strikes`]), so that neither the answer, nor its time, nor a burst of parallel attempts tells
//! more. Hashing runs on blocking threads, a bounded number at a time; a longer queue is refused. A hash made with
//! other parameters than today's is made anew when its password is next right.
//!
//! **Sessions** ([`session`]). A session is 256 random bits; the store has only their SHA-256, so a stolen database
//! opens nothing. It ends by log-out, by a new log-in of the same browser (no session fixation), after
//! [`session::IDLE`] without a request, after [`session::LONGEST`] at the latest, with the password, with the account,
//! or by staff. The acting person and the roles are read for every request: a change holds from the next one on.
//!
//! **What is told** ([`told`]). A change, its audit note and its event (`AccountChanged`, `SessionsChanged`; aggregate:
//! the user) are one commit. Log-ins that were looked at and refused are noted too.
//!
//! Theme, locale and default language belong to the person and so are kept here; preferences about notices belong to
//! `notification`.

mod account;
mod accounts;
#[cfg(test)]
mod accounts_tests;
mod error;
mod log_in;
#[cfg(test)]
mod log_in_tests;
mod name;
mod password;
mod session;
mod strikes;
mod told;
mod user;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use agon_contract::ids::UserId;
use agon_contract::settings::{Preferences, Role, SessionView};

use crate::actor::Actor;
use crate::clock::Clock;
use crate::delivery::lease::{self, lease_schema};
use crate::delivery::outbox::outbox_schema;
use crate::domain::permission::permissions_of;
use crate::ids::new_id;
use crate::store::migrate::Migration;
use crate::store::{OwnerStore, StoreError};

pub(crate) use accounts::{NewAccount, Reach};
pub use session::SessionToken;

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration { name: "users and preferences", sql: &[user::SCHEMA] },
    Migration { name: "outbox", sql: &[outbox_schema!("auth")] },
    Migration { name: "accounts and sessions", sql: &[account::SCHEMA, session::SCHEMA] },
    Migration { name: "roles for others to read", sql: &[account::PUBLISHED] },
    Migration { name: "leases", sql: &[lease_schema!("auth")] },
];

/// Name of the default profile until its person chooses one; the interface translates it.
const LOCAL_PROFILE_NAME: &str = "local";

/// The owner of `auth_…`.
#[derive(Clone)]
pub(crate) struct Auth {
    store: OwnerStore,
    clock: Arc<dyn Clock>,
    passwords: password::Passwords,
    strikes: Arc<strikes::Strikes>,
}

impl Auth {
    pub(crate) fn new(store: OwnerStore, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock, passwords: password::Passwords::new(), strikes: Arc::default() }
    }

    /// The default local profile, made at the first start, holding every role.
    pub(crate) async fn local_profile(&self) -> Result<Actor, StoreError> {
        self.store
            .write("make the local profile", |tx| {
                if let Some(id) = user::local_profile(tx)? {
                    return Ok(Actor { roles: user::roles(tx, &id)?, user_id: id });
                }
                let id = UserId(new_id());
                user::insert_local(tx, &id, LOCAL_PROFILE_NAME, tx.wall_ms())?;
                for role in Role::KNOWN {
                    user::grant(tx, &id, role)?;
                }
                Ok(Actor { user_id: id, roles: Role::KNOWN.to_vec() })
            })
            .await
    }

    /// The present names of people; who is not known is absent.
    pub(crate) async fn names(&self, ids: BTreeSet<UserId>) -> Result<BTreeMap<UserId, String>, StoreError> {
        self.store
            .read("look names up", move |connection| {
                let mut names = BTreeMap::new();
                for id in ids {
                    if let Some(name) = user::display_name(connection, &id)? {
                        names.insert(id, name);
                    }
                }
                Ok(names)
            })
            .await
    }

    /// After a restore: every session of the backup ends, because some of them had been ended since.
    pub(crate) async fn restored(&self) -> Result<usize, StoreError> {
        self.store
            .write("end the sessions of a backup", |tx| {
                lease::restored(tx)?;
                session::end_everybodys(tx, tx.wall_ms())
            })
            .await
    }

    pub(crate) async fn user_exists(&self, user_id: &UserId) -> Result<bool, StoreError> {
        let user_id = user_id.clone();
        self.store
            .read("look a user up", move |connection| Ok(user::display_name(connection, &user_id)?.is_some()))
            .await
    }

    /// The person as the interface shows them; `None` when there is no such person.
    pub(crate) async fn session(&self, actor: &Actor) -> Result<Option<SessionView>, StoreError> {
        let actor = actor.clone();
        self.store
            .read("read the session", move |connection| {
                let Some(display_name) = user::display_name(connection, &actor.user_id)? else { return Ok(None) };
                let preferences = user::preferences(connection, &actor.user_id)?.unwrap_or_default();
                let account_name = account::name(connection, &actor.user_id)?;
                let permissions = permissions_of(&actor.roles);
                let Actor { user_id, roles } = actor;
                Ok(Some(SessionView { user_id, display_name, account_name, roles, permissions, preferences }))
            })
            .await
    }

    pub(crate) async fn set_preferences(&self, user_id: &UserId, preferences: Preferences) -> Result<(), StoreError> {
        let user_id = user_id.clone();
        self.store
            .write("save preferences", move |tx| user::set_preferences(tx, &user_id, &preferences, tx.wall_ms()))
            .await
    }
}
