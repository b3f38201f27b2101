//! Which role permits what.

use agon_contract::permission::Permission;
use agon_contract::settings::Role;

/// Whether the role permits it. A role this version does not know permits nothing.
pub(crate) fn role_permits(role: &Role, permission: &Permission) -> bool {
    match role {
        Role::Admin => !matches!(permission, Permission::Unknown(_)),
        Role::Jury => matches!(
            permission,
            Permission::ReadSubmissions
                | Permission::Rejudge
                | Permission::ManageProblems
                | Permission::ReadOperations
                | Permission::ReadAudit
        ),
        // Reviews what people handed in; the data that decides it is the jury's.
        Role::Coach => matches!(permission, Permission::ReadSubmissions),
        Role::Contestant | Role::Unknown(_) => false,
    }
}

/// What the roles together permit, in declaration order.
pub(crate) fn permissions_of(roles: &[Role]) -> Vec<Permission> {
    let permitted = |permission: &&Permission| roles.iter().any(|role| role_permits(role, permission));
    Permission::KNOWN.iter().filter(permitted).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn admins_may_all_jury_judges_coaches_read_and_the_others_keep_to_their_own() {
        assert_eq!(permissions_of(&[Role::Admin]), Permission::KNOWN);
        let jury = permissions_of(&[Role::Jury, Role::Contestant]);
        assert!(jury.contains(&Permission::Rejudge) && !jury.contains(&Permission::ManageAccounts));
        assert_eq!(permissions_of(&[Role::Coach]), [Permission::ReadSubmissions]);
        for role in [Role::Contestant, Role::Unknown("owner".into())] {
            assert!(permissions_of(std::slice::from_ref(&role)).is_empty(), "{role}");
        }
        assert!(!role_permits(&Role::Admin, &Permission::Unknown("fly".into())));
    }
}
