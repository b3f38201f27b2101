//! Fenced statements: a change with the named conditions on which alone it happens.
//!
//! The conditions are data, so that the mutation test can leave each one out and show what it was for; production runs
//! them all. A fenced statement changes one row or none, and says which. More than one row means that a condition is
//! missing: the statement fails and its transaction with it. (Rule: delivery, "Fence"; enforced by `race_mutations`.)

use rusqlite::{Connection, Error, Statement, ToSql};

/// One condition of a WHERE clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub name: &'static str,
    pub sql: &'static str,
}

/// Shorthand for the lists of conditions.
pub(crate) const fn when(name: &'static str, sql: &'static str) -> Condition {
    Condition { name, sql }
}

/// A change of one row and all of its conditions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fenced {
    /// Names the step in the mutation test.
    pub name: &'static str,
    /// The statement up to its WHERE.
    pub change: &'static str,
    pub conditions: &'static [Condition],
}

impl Fenced {
    /// Runs the statement; true when its row was there. `values` are bound by name where the statement names them.
    ///
    /// # Errors
    /// SQLite's, and `StatementChangedRows` when more than one row changed.
    pub(crate) fn execute(&self, connection: &Connection, values: &[(&str, &dyn ToSql)]) -> rusqlite::Result<bool> {
        let mut statement = connection.prepare_cached(&self.sql())?;
        bind_named(&mut statement, values)?;
        match statement.raw_execute()? {
            0 => Ok(false),
            1 => Ok(true),
            many => Err(Error::StatementChangedRows(many)),
        }
    }

    fn sql(&self) -> String {
        let mut sql = String::with_capacity(512);
        sql.push_str(self.change);
        sql.push_str(" WHERE 1");
        for condition in self.conditions.iter().filter(|condition| is_kept(self.name, condition.name)) {
            sql.push_str(" AND (");
            sql.push_str(condition.sql);
            sql.push(')');
        }
        sql
    }
}

fn bind_named(statement: &mut Statement<'_>, values: &[(&str, &dyn ToSql)]) -> rusqlite::Result<()> {
    for (name, value) in values {
        if let Some(index) = statement.parameter_index(name)? {
            statement.raw_bind_parameter(index, value)?;
        }
    }
    Ok(())
}

#[cfg(not(test))]
fn is_kept(_step: &str, _condition: &str) -> bool {
    true
}

#[cfg(test)]
pub(crate) use mutation::{is_kept, without};

/// The test door: statements of this thread lack the named conditions while `work` runs.
#[cfg(test)]
mod mutation {
    use std::cell::RefCell;

    thread_local! {
        static LEFT_OUT: RefCell<Vec<(&'static str, &'static str)>> = const { RefCell::new(Vec::new()) };
    }

    pub(crate) fn is_kept(step: &str, condition: &str) -> bool {
        LEFT_OUT.with_borrow(|left_out| !left_out.iter().any(|(a, b)| *a == step && *b == condition))
    }

    pub(crate) fn without<T>(left_out: &[(&'static str, &'static str)], work: impl FnOnce() -> T) -> T {
        LEFT_OUT.with_borrow_mut(|list| list.extend_from_slice(left_out));
        let result = work();
        LEFT_OUT.with_borrow_mut(Vec::clear);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Fenced = Fenced {
        name: "step",
        change: "UPDATE t SET done = :now",
        conditions: &[when("row", "id = :id"), when("open", "done IS NULL OR :id > 10")],
    };

    fn table() -> Connection {
        let connection = Connection::open_in_memory().expect("memory is there");
        connection.execute_batch("CREATE TABLE t (id, done); INSERT INTO t (id) VALUES (1), (2)").expect("valid");
        connection
    }

    #[test]
    fn a_step_happens_once_and_only_to_its_row() {
        let table = table();
        let run = |id: i64| STEP.execute(&table, &[(":id", &id), (":now", &5), (":unused", &1)]);
        assert!(run(1).expect("valid"));
        assert!(!run(1).expect("valid"), "it is done");
        assert!(!run(3).expect("valid"), "no such row");
        let done: i64 = table.query_row("SELECT count(done) FROM t", [], |row| row.get(0)).expect("a count");
        assert_eq!(done, 1);
    }

    #[test]
    fn a_step_without_its_row_fails_instead_of_changing_many() {
        let table = table();
        let run = || STEP.execute(&table, &[(":id", &1), (":now", &5)]);
        let failed = without(&[("step", "row")], run).expect_err("two rows match");
        assert!(matches!(failed, Error::StatementChangedRows(2)), "{failed}");
        assert!(!without(&[("other step", "row")], || is_kept("other step", "row")));
    }
}
