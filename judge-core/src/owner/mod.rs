//! The data owners. Each is the only writer of its tables; none calls another's store.

pub(crate) mod admin;
pub(crate) mod auth;
#[cfg(test)]
mod authorizer_tests;
#[cfg(test)]
mod boundary_tests;
pub(crate) mod catalog;
pub(crate) mod notification;
pub(crate) mod submission;

use crate::store::authorizer::Owner;
use crate::store::migrate::OwnerMigrations;

/// Every owner's schema, in the order it is applied.
pub(crate) const SCHEMA: &[OwnerMigrations] = &[
    OwnerMigrations { owner: Owner::Auth, migrations: auth::MIGRATIONS },
    OwnerMigrations { owner: Owner::Admin, migrations: admin::MIGRATIONS },
    OwnerMigrations { owner: Owner::Catalog, migrations: catalog::MIGRATIONS },
    OwnerMigrations { owner: Owner::Submission, migrations: submission::MIGRATIONS },
    OwnerMigrations { owner: Owner::Notification, migrations: notification::MIGRATIONS },
];
