//! Owner boundaries, kept by SQLite when a statement is prepared.
//!
//! An owner reads and writes its own tables, inserts into `delivery_event`, and selects from the published views
//! (`<owner>_pub_*`) of others. Everything else is refused: other tables, schema changes, PRAGMA, ATTACH.

use std::fmt;

use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

/// A data owner: the only writer of the tables that carry its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    Auth,
    Admin,
    Catalog,
    Submission,
    Notification,
}

impl Owner {
    /// Every owner.
    pub const ALL: [Owner; 5] = [Self::Auth, Self::Admin, Self::Catalog, Self::Submission, Self::Notification];

    /// The owner's name; its tables are called `<name>_…`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::Admin => "admin",
            Self::Catalog => "catalog",
            Self::Submission => "submission",
            Self::Notification => "notification",
        }
    }

    fn owns(self, table: &str) -> bool {
        table.strip_prefix(self.name()).is_some_and(|rest| rest.starts_with('_'))
    }

    fn publishes(self, view: &str) -> bool {
        view.strip_prefix(self.name()).is_some_and(|rest| rest.starts_with("_pub_"))
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Owner(Owner),
    /// Reads the event log and nothing else.
    EventReader,
    /// Removes old events, and reads the lease under which it may.
    EventKeeper,
}

/// The one table every owner may add to.
const EVENT_TABLE: &str = "delivery_event";
/// Where the lease for removing old events lies.
const KEEPER_LEASE_TABLE: &str = "admin_lease";

/// From now on the connection can prepare only what `access` permits.
pub(crate) fn confine(connection: &mut Connection, access: Access) -> rusqlite::Result<()> {
    connection.authorizer(Some(
        move |context: AuthContext<'_>| {
            if permits(access, &context) { Authorization::Allow } else { Authorization::Deny }
        },
    ))
}

fn permits(access: Access, context: &AuthContext<'_>) -> bool {
    match context.action {
        AuthAction::Select
        | AuthAction::Recursive
        | AuthAction::Transaction { .. }
        | AuthAction::Savepoint { .. }
        | AuthAction::Function { .. } => true,
        AuthAction::Read { table_name, .. } => may_read(access, table_name, context.accessor),
        AuthAction::Insert { table_name } => may_write(access, table_name) || is_event_insert(access, table_name),
        AuthAction::Delete { table_name } => may_write(access, table_name) || is_event_removal(access, table_name),
        AuthAction::Update { table_name, .. } => may_write(access, table_name),
        // Schema, PRAGMA, ATTACH and whatever a later SQLite adds.
        _ => false,
    }
}

fn may_write(access: Access, table: &str) -> bool {
    match access {
        Access::Owner(owner) => owner.owns(table),
        Access::EventReader | Access::EventKeeper => false,
    }
}

fn is_event_removal(access: Access, table: &str) -> bool {
    access == Access::EventKeeper && table == EVENT_TABLE
}

fn is_event_insert(access: Access, table: &str) -> bool {
    matches!(access, Access::Owner(_)) && table == EVENT_TABLE
}

/// Reads inside a view carry the view's name as `accessor`; a published view vouches for what it reads.
fn may_read(access: Access, table: &str, accessor: Option<&str>) -> bool {
    match access {
        Access::EventReader => table == EVENT_TABLE,
        Access::EventKeeper => table == EVENT_TABLE || table == KEEPER_LEASE_TABLE,
        Access::Owner(owner) => {
            let is_published = |name: &str| Owner::ALL.iter().any(|other| other.publishes(name));
            owner.owns(table) || is_published(table) || accessor.is_some_and(is_published)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database() -> Connection {
        let connection = Connection::open_in_memory().expect("memory is there");
        connection
            .execute_batch(
                "CREATE TABLE catalog_problem (id TEXT PRIMARY KEY, secret TEXT) STRICT;
                 CREATE TABLE submission_row (id TEXT PRIMARY KEY) STRICT;
                 CREATE VIEW catalog_pub_problem AS SELECT id FROM catalog_problem;
                 CREATE TABLE delivery_event (seq INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT) STRICT;",
            )
            .expect("the schema is valid");
        connection
    }

    fn prepares(access: Access, sql: &str) -> bool {
        let mut connection = database();
        confine(&mut connection, access).expect("the hook installs");
        connection.prepare(sql).map(drop).is_ok()
    }

    #[test]
    fn an_owner_has_its_own_tables_the_event_log_and_published_views() {
        let submission = Access::Owner(Owner::Submission);
        for sql in [
            "INSERT INTO submission_row VALUES ('a')",
            "UPDATE submission_row SET id = 'b'",
            "DELETE FROM submission_row",
            "SELECT count(*) FROM submission_row",
            "INSERT INTO delivery_event (owner) VALUES ('submission')",
            "SELECT id FROM catalog_pub_problem",
            "SELECT r.id FROM submission_row r JOIN catalog_pub_problem p ON p.id = r.id",
        ] {
            assert!(prepares(submission, sql), "{sql}");
        }
    }

    #[test]
    fn everything_else_is_refused_when_prepared() {
        let submission = Access::Owner(Owner::Submission);
        for sql in [
            "SELECT id FROM catalog_problem",
            "SELECT count(*) FROM catalog_problem",
            "INSERT INTO catalog_problem VALUES ('a', 'b')",
            "UPDATE catalog_problem SET id = 'b'",
            "DELETE FROM catalog_problem",
            "INSERT INTO submission_row SELECT id FROM catalog_problem",
            "DELETE FROM submission_row WHERE id IN (SELECT secret FROM catalog_problem)",
            "SELECT owner FROM delivery_event",
            "UPDATE delivery_event SET owner = 'x'",
            "DELETE FROM delivery_event",
            "SELECT name FROM sqlite_schema",
            "PRAGMA writable_schema = 1",
            "ATTACH ':memory:' AS other",
            "CREATE TABLE submission_more (id TEXT)",
            "CREATE TEMP VIEW catalog_pub_mine AS SELECT secret FROM catalog_problem",
            "DROP TABLE submission_row",
        ] {
            assert!(!prepares(submission, sql), "{sql}");
        }
    }

    #[test]
    fn the_event_reader_reads_events_only() {
        assert!(prepares(Access::EventReader, "SELECT owner FROM delivery_event"));
        for sql in [
            "INSERT INTO delivery_event (owner) VALUES ('x')",
            "SELECT id FROM catalog_pub_problem",
            "SELECT id FROM submission_row",
        ] {
            assert!(!prepares(Access::EventReader, sql), "{sql}");
        }
    }
}
