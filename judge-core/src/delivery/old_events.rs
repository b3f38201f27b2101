//! Old events go, from the oldest on, while the lease for it is held. What is left has no gap: the log's own triggers see to
//! that.

use rusqlite::Connection;

use super::lease::Hold;
use crate::store::authorizer::Owner;

/// How much of the log is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventsKept {
    /// Wall time from which on events stay, as far as `at_most` lets them.
    pub since_ms: i64,
    /// The newest so many, however young the others are: the log has a bound.
    pub at_most: i64,
    /// Removed in one transaction, so that nobody waits long for a turn.
    pub batch: i64,
}

/// Removes the oldest events while the lease is held; answers how many went. The first young one keeps all after it, whatever
/// a stepping clock wrote on them.
pub(crate) fn thin(
    connection: &Connection,
    hold: &Hold,
    kept: EventsKept,
    now_steady_ms: i64,
) -> rusqlite::Result<usize> {
    let held = hold.held(Owner::Admin, now_steady_ms);
    connection
        .prepare_cached(&format!(
            "DELETE FROM delivery_event
             WHERE {}
               AND seq < (SELECT min(seq) FROM delivery_event) + :batch
               AND seq < (SELECT max(seq) FROM delivery_event)
               AND seq < max((SELECT max(seq) FROM delivery_event) - :at_most + 1,
                             coalesce((SELECT seq FROM delivery_event WHERE recorded_at_ms >= :since
                                       ORDER BY seq LIMIT 1), {}))",
            held.sql,
            i64::MAX
        ))?
        .execute(&*held.with(&[(":batch", &kept.batch), (":at_most", &kept.at_most), (":since", &kept.since_ms)]))
}
