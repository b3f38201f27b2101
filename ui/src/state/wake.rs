//! Which screens an event wakes: pure routing from owners to topics, and the pace of reconnecting.

use agon_contract::event::EventBatch;
use agon_contract::{ApiError, ErrorCode};

use super::app::Connection;

/// A group of facts that are read again together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Problems of the catalogue.
    Catalog,
    /// Submissions and their judgements.
    Submissions,
    /// Anything without an event of its own: progress inside a judgement, previews, sandbox health, queue counts.
    Progress,
    /// What the person is told about.
    Notices,
}

impl Topic {
    /// All of them, for when nothing is known to be fresh.
    pub const ALL: [Topic; 4] = [Topic::Catalog, Topic::Submissions, Topic::Progress, Topic::Notices];
}

/// What a batch wakes, given the progress counter seen before.
#[must_use]
pub fn woken_by(batch: &EventBatch, progress_seen: u64) -> Vec<Topic> {
    let mut topics = Vec::new();
    let mut wake = |topic| {
        if !topics.contains(&topic) {
            topics.push(topic);
        }
    };
    for event in &batch.events {
        match event.owner.as_str() {
            "catalog" => wake(Topic::Catalog),
            // A judgement changes a problem's best verdict, so the list is read again too.
            "submission" => {
                wake(Topic::Submissions);
                wake(Topic::Catalog);
            }
            "notification" => wake(Topic::Notices),
            _ => wake(Topic::Progress),
        }
    }
    if batch.progress_counter != progress_seen || !batch.events.is_empty() {
        wake(Topic::Progress);
    }
    topics
}

/// What the connection is after `failures` attempts in a row went wrong, the last one with `error`. A single gap is
/// not told, a refusal is.
#[must_use]
pub fn after_failure(error: &ApiError, failures: u32) -> Option<Connection> {
    if error.code == ErrorCode::Unauthenticated {
        return Some(Connection::SignedOut);
    }
    (failures > 1).then_some(Connection::Lost)
}

/// A page that is signed out looks this often: once another tab has a session, this page goes on at once.
const SIGNED_OUT_PAUSE_MS: u32 = 1_000;

/// How long to wait before the next attempt; never shorter than the host asked for.
#[must_use]
pub fn pause_ms(connection: Connection, failures: u32, asked_ms: Option<u64>) -> u32 {
    let own = match connection {
        Connection::SignedOut => SIGNED_OUT_PAUSE_MS,
        Connection::Connecting | Connection::Connected | Connection::Lost => backoff_ms(failures),
    };
    own.max(asked_ms.map_or(0, |asked_ms| u32::try_from(asked_ms).unwrap_or(u32::MAX)))
}

/// How long to wait before the next attempt after `failures` failed ones in a row: 250 ms doubling up to 5 s.
#[must_use]
fn backoff_ms(failures: u32) -> u32 {
    250u32.saturating_mul(1 << failures.saturating_sub(1).min(5)).min(5_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_contract::event::EventView;

    fn batch(owners: &[&str], progress_counter: u64) -> EventBatch {
        let events = owners
            .iter()
            .enumerate()
            .map(|(index, owner)| EventView {
                seq: index as i64 + 1,
                owner: (*owner).to_owned(),
                event_type: "Something".to_owned(),
                aggregate_id: "a".to_owned(),
            })
            .collect::<Vec<_>>();
        EventBatch { last_seq: events.len() as i64, events, progress_counter, is_resync: false }
    }

    #[test]
    fn an_empty_batch_wakes_nobody() {
        assert_eq!(woken_by(&batch(&[], 7), 7), []);
    }

    #[test]
    fn a_moved_progress_counter_wakes_progress_alone() {
        assert_eq!(woken_by(&batch(&[], 8), 7), [Topic::Progress]);
        assert_eq!(woken_by(&batch(&[], 0), 7), [Topic::Progress], "a restarted host counts from zero again");
    }

    #[test]
    fn a_judgement_wakes_submissions_and_the_problem_list() {
        let topics = woken_by(&batch(&["submission", "submission"], 7), 7);
        assert_eq!(topics, [Topic::Submissions, Topic::Catalog, Topic::Progress]);
    }

    #[test]
    fn a_notice_wakes_the_bell() {
        assert_eq!(woken_by(&batch(&["notification"], 7), 7), [Topic::Notices, Topic::Progress]);
    }

    #[test]
    fn an_owner_of_a_newer_host_still_wakes_something() {
        assert_eq!(woken_by(&batch(&["forum"], 7), 7), [Topic::Progress]);
    }

    #[test]
    fn a_refusal_is_told_at_once_and_a_gap_only_when_it_lasts() {
        let refused = ApiError::new(ErrorCode::Unauthenticated, "no session");
        let gap = ApiError::new(ErrorCode::from("unreachable"), "no answer");
        assert_eq!(after_failure(&refused, 1), Some(Connection::SignedOut));
        assert_eq!((after_failure(&gap, 1), after_failure(&gap, 2)), (None, Some(Connection::Lost)));
        assert_eq!(pause_ms(Connection::SignedOut, 40, None), 1_000, "another tab's session is seen soon");
        assert_eq!(pause_ms(Connection::Lost, 40, None), 5_000);
        assert_eq!(pause_ms(Connection::Lost, 1, Some(9_000)), 9_000, "the host knows better");
    }

    #[test]
    fn backoff_grows_and_is_bounded() {
        let steps: Vec<u32> = (1..=8).map(backoff_ms).collect();
        assert_eq!(steps, [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
        assert_eq!(backoff_ms(u32::MAX), 5_000);
    }
}
