//! What staff see of the machinery: queue, open judgements, leases, the judge outbox. Reads only.

use agon_contract::operations::{BoxView, LeaseView, QueueView, StateCount};
use rusqlite::{Connection, OptionalExtension, Row};

use super::Submissions;
use super::fence::{LEASE_MS, Now};
use crate::delivery::judge_outbox;
use crate::delivery::queue::{EmbeddedQueue, JudgeQueue};
use crate::store::authorizer::Owner;
use crate::store::{StoreError, text};

/// Leases listed; a machine judges far fewer at one time.
const LEASES_MAX: u32 = 200;

/// One consistent look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Measures {
    pub queue: QueueView,
    pub waiting: u32,
    pub judging: u32,
    pub last_success_ago_ms: Option<u64>,
    pub leases: Vec<LeaseView>,
    pub judge_outbox: BoxView,
}

impl Submissions {
    /// Everything of this owner that carries work, as of one moment.
    pub(crate) async fn measures(&self) -> Result<Measures, StoreError> {
        let (this, boot_id) = (self.clone(), self.boot_id.clone());
        let look = move |connection: &Connection| {
            let now = this.now();
            // One read transaction: the numbers belong together.
            let moment = connection.unchecked_transaction()?;
            Ok(Measures {
                queue: queue(&moment, now)?,
                waiting: count_judgements(&moment, "pending")?,
                judging: count_judgements(&moment, "judging")?,
                last_success_ago_ms: last_success(&moment)?.map(|at_ms| age(now.wall_ms, at_ms)),
                leases: leases(&moment, &boot_id, now)?,
                judge_outbox: outbox(&moment, now)?,
            })
        };
        self.store.read("measure the judging", look).await
    }
}

/// A clock that stepped back makes nothing younger than new.
fn age(now_ms: i64, at_ms: i64) -> u64 {
    u64::try_from(now_ms.saturating_sub(at_ms)).unwrap_or(0)
}

fn queue(connection: &Connection, now: Now) -> rusqlite::Result<QueueView> {
    let depth = EmbeddedQueue.depth(connection)?;
    Ok(QueueView {
        depth: depth.ready,
        delay_ms: last_delay(connection)?,
        oldest_ready_ms: depth.oldest_ready_at_ms.map(|at_ms| age(now.wall_ms, at_ms)),
        pending: depth.taken,
        oldest_pending_ms: depth.oldest_taken_steady_ms.map(|at_ms| age(now.steady_ms, at_ms)),
        dead_letters: depth.dead,
    })
}

/// How long the entry that was taken last had waited in the queue.
fn last_delay(connection: &Connection) -> rusqlite::Result<Option<u64>> {
    let mut statement = connection.prepare_cached(
        "SELECT j.started_at_ms, q.enqueued_at_ms
         FROM submission_judgement j
         JOIN submission_queue_entry q ON q.submission_id = j.submission_id AND q.generation = j.generation
         WHERE j.started_at_ms IS NOT NULL ORDER BY j.started_at_ms DESC LIMIT 1",
    )?;
    let mut rows = statement.query_map([], |row| Ok(age(row.get(0)?, row.get(1)?)))?;
    rows.next().transpose()
}

fn count_judgements(connection: &Connection, state: &str) -> rusqlite::Result<u32> {
    connection
        .prepare_cached(
            "SELECT count(*) FROM submission_judgement WHERE state IN ('pending', 'judging') AND state = ?1",
        )?
        .query_row([state], |row| row.get(0))
}

fn last_success(connection: &Connection) -> rusqlite::Result<Option<i64>> {
    connection
        .prepare_cached(
            "SELECT finished_at_ms FROM submission_judgement WHERE state = 'judged' AND verdict <> 'JE'
             ORDER BY finished_at_ms DESC LIMIT 1",
        )?
        .query_row([], |row| row.get(0))
        .optional()
}

fn leases(connection: &Connection, boot_id: &str, now: Now) -> rusqlite::Result<Vec<LeaseView>> {
    connection
        .prepare_cached(
            "SELECT j.id, j.submission_id, s.number, j.generation, j.attempt_id, j.boot_id, j.started_at_ms,
                    j.lease_until_ms
             FROM submission_judgement j JOIN submission_submission s ON s.id = j.submission_id
             WHERE j.state = 'judging' ORDER BY j.started_at_ms, j.id LIMIT ?1",
        )?
        .query_map([LEASES_MAX], |row| lease(row, boot_id, now))?
        .collect()
}

fn lease(row: &Row<'_>, own_boot: &str, now: Now) -> rusqlite::Result<LeaseView> {
    let boot_id: String = row.get("boot_id")?;
    let left_ms = row.get::<_, i64>("lease_until_ms")? - now.steady_ms;
    // A lease further ahead than it can be is a clock's mistake and counts as ended (delivery, "Time").
    let is_true = left_ms <= LEASE_MS;
    Ok(LeaseView {
        name: "judgement".to_owned(),
        owner: Owner::Submission.name().to_owned(),
        holder: row.get("attempt_id")?,
        is_foreign_boot: Some(boot_id != own_boot),
        boot_id: Some(boot_id),
        since_ms: row.get("started_at_ms")?,
        ends_in_ms: Some(if is_true { u64::try_from(left_ms).unwrap_or(0) } else { 0 }),
        judgement_id: Some(text(row, "id")?),
        submission_id: Some(text(row, "submission_id")?),
        submission_number: row.get("number")?,
        generation: row.get("generation")?,
        fence_token: None,
    })
}

fn outbox(connection: &Connection, now: Now) -> rusqlite::Result<BoxView> {
    let counts = judge_outbox::counts(connection)?;
    let states = counts.into_iter().map(|(state, count)| StateCount { state, count }).collect();
    let oldest: Option<i64> = connection
        .prepare_cached(
            "SELECT min(created_at_ms) FROM submission_judge_outbox WHERE state = 'pending' AND is_shadow = 0",
        )?
        .query_row([], |row| row.get(0))?;
    let oldest_waiting_ms = oldest.map(|at_ms| age(now.wall_ms, at_ms));
    Ok(BoxView { name: "judge".to_owned(), states, oldest_waiting_ms })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::fence_tests::{accepted, bench};
    use super::*;

    #[tokio::test]
    async fn an_empty_house_knows_counts_and_has_no_ages() {
        let measures = bench().submissions.measures().await.expect("readable");
        assert_eq!(measures.queue, QueueView::default());
        assert_eq!((measures.waiting, measures.judging, measures.last_success_ago_ms), (0, 0, None));
        assert!(measures.leases.is_empty());
        assert_eq!(measures.judge_outbox.oldest_waiting_ms, None);
    }

    #[tokio::test]
    async fn what_waits_what_is_held_and_what_succeeded_is_counted_with_its_age() {
        let bench = bench();
        let done = bench.order().await;
        bench.submissions.settle(&done.lease, accepted(), "m".into(), None).await.expect("judged");
        let saved = bench.save().await;
        bench.submissions.dispatch().await.expect("dispatched");
        bench.clock.advance(Duration::from_secs(3));
        let held = bench.order().await.lease;
        assert_eq!(held.submission_id, saved, "the older one is taken first");
        bench.clock.advance(Duration::from_secs(5));

        let measures = bench.submissions.measures().await.expect("readable");
        let queue = QueueView {
            depth: 1,
            delay_ms: Some(3_000),
            oldest_ready_ms: Some(5_000),
            pending: 1,
            oldest_pending_ms: Some(5_000),
            dead_letters: 0,
        };
        assert_eq!(measures.queue, queue);
        assert_eq!((measures.waiting, measures.judging, measures.last_success_ago_ms), (1, 1, Some(8_000)));
        let [lease] = &measures.leases[..] else { panic!("one lease is held: {:?}", measures.leases) };
        assert_eq!(lease.holder, held.attempt_id);
        assert_eq!(lease.is_foreign_boot, Some(false));
        assert_eq!(lease.ends_in_ms, Some(55_000));
        assert_eq!(lease.submission_id, Some(saved));
        assert_eq!(lease.submission_number, Some(2));
        let count = |state: &str| {
            measures.judge_outbox.states.iter().find(|found| found.state == state).map_or(0, |found| found.count)
        };
        assert_eq!((count("archived"), count("sent"), count("pending")), (1, 2, 0));
    }

    #[tokio::test]
    async fn a_lease_that_ended_or_cannot_be_true_has_no_time_left() {
        for step in [Duration::from_secs(61), Duration::ZERO] {
            let bench = bench();
            let lease = bench.order().await.lease;
            bench.clock.advance(step);
            if step.is_zero() {
                let sql = format!(
                    "UPDATE submission_judgement SET lease_until_ms = {} WHERE id = '{}'",
                    i64::MAX / 2,
                    lease.judgement_id
                );
                bench.submissions.store.write("set a clock wrong", move |tx| tx.execute(&sql, [])).await.expect("set");
            }
            let measures = bench.submissions.measures().await.expect("readable");
            assert_eq!(measures.leases[0].ends_in_ms, Some(0), "{step:?}");
        }
    }
}
