//! Who acts: always made from a session, never from a request.

use agon_contract::ids::UserId;
use agon_contract::permission::Permission;
use agon_contract::settings::Role;

use crate::domain::permission::role_permits;

/// The acting person and what they may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub user_id: UserId,
    pub roles: Vec<Role>,
}

impl Actor {
    /// Whether one of the roles permits it.
    #[must_use]
    pub fn may(&self, permission: &Permission) -> bool {
        self.roles.iter().any(|role| role_permits(role, permission))
    }
}
