//! Who acts: always made from a session, never from a request.

use agon_contract::ids::UserId;
use agon_contract::settings::Role;

/// The acting person and what they may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub user_id: UserId,
    pub roles: Vec<Role>,
}

impl Actor {
    /// Whether the person holds the role.
    #[must_use]
    pub fn holds(&self, role: &Role) -> bool {
        self.roles.contains(role)
    }

    /// Jury and admins see everybody's submissions in full.
    #[must_use]
    pub fn is_staff(&self) -> bool {
        self.holds(&Role::Jury) || self.holds(&Role::Admin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_jury_and_admins_are_staff() {
        for (role, staff) in [(Role::Contestant, false), (Role::Coach, false), (Role::Jury, true), (Role::Admin, true)]
        {
            let actor = Actor { user_id: UserId::from("u"), roles: vec![role.clone()] };
            assert_eq!(actor.is_staff(), staff, "{role}");
        }
    }
}
