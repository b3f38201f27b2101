//! Auth: people, their roles, and what they set for themselves.
//!
//! Theme, locale and default language belong to the person and so are kept here; preferences about notices will
//! belong to `notification`.

mod user;

use agon_contract::ids::UserId;
use agon_contract::settings::{Preferences, Role, SessionView};

use crate::actor::Actor;
use crate::delivery::outbox::outbox_schema;
use crate::domain::permission::permissions_of;
use crate::ids::new_id;
use crate::store::migrate::Migration;
use crate::store::{OwnerStore, StoreError};

pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration { name: "users and preferences", sql: &[user::SCHEMA] },
    Migration { name: "outbox", sql: &[outbox_schema!("auth")] },
];

/// Name of the default profile until its person chooses one; the interface translates it.
const LOCAL_PROFILE_NAME: &str = "local";

/// The owner of `auth_…`.
#[derive(Clone)]
pub(crate) struct Auth {
    store: OwnerStore,
}

impl Auth {
    pub(crate) fn new(store: OwnerStore) -> Self {
        Self { store }
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
                let permissions = permissions_of(&actor.roles);
                let roles = actor.roles;
                Ok(Some(SessionView { user_id: actor.user_id, display_name, roles, permissions, preferences }))
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
