//! Whether every decision about a change set is in the audit log, once.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

/// Change sets and how often the log says that they were asked for, applied or discarded, where that is not once; and
/// entries about change sets that are not there.
const WRONG: &str = "
WITH expected (action, object) AS (
    SELECT 'rejudge.requested', id FROM submission_change_set
    UNION ALL
    SELECT 'rejudge.' || state, id FROM submission_change_set WHERE mode = 'reviewed' AND state <> 'open'
), told (action, object, times) AS (
    SELECT action, object, count(*) FROM admin_audit_entry
    WHERE action IN ('rejudge.requested', 'rejudge.applied', 'rejudge.discarded') GROUP BY action, object
)
SELECT e.action || ' ' || e.object || ' is there ' || coalesce(t.times, 0) || ' times'
FROM expected e LEFT JOIN told t ON t.action = e.action AND t.object = e.object WHERE coalesce(t.times, 0) <> 1
UNION ALL
SELECT t.action || ' ' || t.object || ' never happened' FROM told t
WHERE NOT EXISTS (SELECT 1 FROM expected e WHERE e.action = t.action AND e.object = t.object)";

/// Looks into the database beside the running program.
///
/// # Errors
/// What is missing or too much.
pub fn why_incomplete(data: &Path) -> Result<(), String> {
    let wrong = look(&data.join("agon.db")).map_err(|error| error.to_string())?;
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn look(database: &Path) -> rusqlite::Result<Vec<String>> {
    let connection = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.prepare(WRONG)?.query_map([], |row| row.get(0))?.collect()
}
