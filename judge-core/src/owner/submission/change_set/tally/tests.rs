//! Counting change sets: the same as item by item, and without looking rows up.

use std::collections::BTreeSet;

use agon_contract::ids::ChangeSetId;
use agon_contract::rejudge::{ChangeSetCounts, ChangeSetItemState};
use rusqlite::{Connection, StatementStatus, named_params, params, params_from_iter};

use super::{SET_ASIDE, TALLY, of, set_aside};
use crate::owner::submission::MIGRATIONS;
use crate::owner::submission::change_set::view;
use crate::owner::submission::race_story::database;

/// Counts item by item, each by the state that it is shown with.
fn one_by_one(connection: &Connection, id: &ChangeSetId) -> rusqlite::Result<ChangeSetCounts> {
    let mut counts = ChangeSetCounts::default();
    let mut affected = BTreeSet::new();
    for lying in view::all(connection, id)? {
        counts.total += 1;
        *match lying.state() {
            ChangeSetItemState::Waiting => &mut counts.waiting,
            ChangeSetItemState::Judging => &mut counts.judging,
            ChangeSetItemState::Judged => &mut counts.judged,
            ChangeSetItemState::NeedsAttention => &mut counts.needs_attention,
            ChangeSetItemState::Applied => &mut counts.applied,
            ChangeSetItemState::Refused => &mut counts.refused,
            ChangeSetItemState::LeftOut => &mut counts.left_out,
            ChangeSetItemState::Ended | ChangeSetItemState::Unknown(_) => &mut counts.ended,
        } += 1;
        if lying.new_verdict.is_some() && lying.new_verdict != lying.old_verdict {
            counts.changed += 1;
            affected.insert(lying.user_id);
        }
    }
    counts.people_affected = u32::try_from(affected.len()).expect("few");
    Ok(counts)
}

/// Whether the counts are what the items say; the race story asks in every state that it reaches.
pub(in crate::owner::submission) fn check(connection: &Connection, id: &ChangeSetId) -> Result<(), String> {
    let failed = |error: rusqlite::Error| format!("a change set cannot be counted: {error}");
    let aside = set_aside(connection).map_err(failed)?;
    let (counted, items) = (of(connection, id, &aside).map_err(failed)?, one_by_one(connection, id).map_err(failed)?);
    if counted == items { Ok(()) } else { Err(format!("the items say {items:?}, the counts {counted:?}")) }
}

fn plan(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).expect("valid");
    let bound = vec!["any set"; statement.parameter_count()];
    let steps = statement.query_map(params_from_iter(bound), |row| row.get("detail")).expect("planned");
    steps.collect::<rusqlite::Result<_>>().expect("text")
}

#[test]
fn counting_looks_up_no_row() {
    let connection = database();
    let tally = plan(&connection, TALLY);
    let reads = |name: &str| tally.iter().filter(|step| step.contains(name)).collect::<Vec<_>>();
    assert!(!tally.iter().any(|step| step.starts_with("SCAN")), "{tally:#?}");
    assert_eq!(reads("SEARCH i "), ["SEARCH i USING PRIMARY KEY (change_set_id=?)"], "{tally:#?}");
    let covering = "USING COVERING INDEX submission_judgement_by_change_set (change_set_id=? AND submission_id=?";
    for read in ["SEARCH n ", "SEARCH m "] {
        assert!(reads(read).iter().all(|step| step.contains(covering)), "{tally:#?}");
        assert_eq!(reads(read).len(), 1, "{tally:#?}");
    }
    assert_eq!(tally.iter().filter(|step| step.starts_with("SEARCH")).count(), 3, "{tally:#?}");

    // What was set aside is found by the indexes of what was set aside, and never by walking all judgements.
    let aside = plan(&connection, SET_ASIDE);
    for dead in ["submission_judge_outbox_dead", "submission_queue_entry_dead"] {
        assert!(aside.iter().any(|step| step.starts_with("SCAN") && step.ends_with(dead)), "{aside:#?}");
    }
    let of_one = |step: &&String| step.starts_with("SEARCH j ") && step.contains("submission_id=? AND generation=?");
    assert_eq!(aside.iter().filter(of_one).count(), 1, "{aside:#?}");
}

/// Sets of `sizes` items, all judged, with the foreign keys off: only what is counted is there.
fn sets(sizes: &[u32]) -> (Connection, Vec<ChangeSetId>) {
    let connection = database();
    connection.execute_batch("PRAGMA foreign_keys = OFF").expect("off");
    let mut ids = Vec::new();
    for (set, size) in (1..).zip(sizes) {
        let id = format!("{set:08}-0000-7000-8000-000000000000");
        for sql in [
            "INSERT INTO submission_change_set_item (change_set_id, ordinal, submission_id, outcome, user_id, old_verdict)
             WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
             SELECT ?1, n, ?1 || '/' || n, 'open', 'person ' || (n % 7), iif(n % 2, 'AC', 'WA') FROM n",
            "INSERT INTO submission_judgement (id, submission_id, generation, state, faults, created_at_ms, finished_at_ms,
                                               verdict, change_set_id)
             WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
             SELECT printf('%.8s-%027d', ?1, n), ?1 || '/' || n, 2, 'judged', 0, 0, 0, 'AC', ?1 FROM n",
        ] {
            connection.execute(sql, params![id, size]).expect("written");
        }
        ids.push(ChangeSetId(id));
    }
    (connection, ids)
}

/// Steps of SQLite's machine for counting one set.
fn steps(connection: &Connection, id: &ChangeSetId) -> i32 {
    let mut statement = connection.prepare(TALLY).expect("valid");
    statement.query_row(named_params! { ":id": id.as_str() }, |_| Ok(())).expect("counted");
    assert_eq!(statement.get_status(StatementStatus::FullscanStep), 0, "no table is walked");
    statement.get_status(StatementStatus::VmStep)
}

#[test]
fn ten_thousand_items_are_counted_in_few_steps_whatever_other_sets_have() {
    let (alone, ids) = sets(&[10_000]);
    let counts = of(&alone, &ids[0], &set_aside(&alone).expect("readable")).expect("counted");
    let (total, changed, people_affected) = (10_000, 5_000, 7);
    assert_eq!(
        counts,
        ChangeSetCounts { total, judged: total, changed, people_affected, ..ChangeSetCounts::default() }
    );
    let of_many = steps(&alone, &ids[0]);
    let (beside, ids) = sets(&[10_000, 3_000, 10]);
    // Where a table ends is noticed in a step or two.
    assert!(steps(&beside, &ids[0]).abs_diff(of_many) <= 10, "what other sets have does not count");
    let of_few = steps(&beside, &ids[2]);
    assert!(of_many <= of_few * 1_000, "{of_few} steps for 10 items, {of_many} for 10,000");
    assert!(of_many <= 200 * 10_000, "{of_many} steps");
}

/// Two submissions of a person in a change set, one of them decided: as the program before this one wrote them.
const OLD_FOLDER: &str = "
INSERT INTO submission_submission (id, user_id, idempotency_key, fingerprint, problem_id, language_id, context,
                                   submitted_at_ms, facts, manifest)
SELECT printf('%036d', value), 'ann', value, printf('%064d', 0), 'p', 'cpp20', '{}', 0, '{}', '{}'
FROM json_each('[1, 2]');
INSERT INTO submission_judgement (id, submission_id, generation, state, faults, created_at_ms, finished_at_ms, verdict)
VALUES (printf('%036d', 3), printf('%036d', 1), 1, 'judged', 0, 0, 0, 'WA');
INSERT INTO submission_change_set_item (change_set_id, ordinal, submission_id, old_judgement_id, outcome, reason)
VALUES ('set', 1, printf('%036d', 1), printf('%036d', 3), 'refused', 'no_verdict'),
       ('set', 2, printf('%036d', 2), NULL, 'open', '');
";

#[test]
fn a_folder_of_before_gets_what_its_items_lack() {
    let connection = Connection::open_in_memory().expect("memory is there");
    connection.execute_batch("PRAGMA foreign_keys = OFF").expect("off");
    let at = MIGRATIONS.iter().position(|migration| migration.name == "tallies of change sets").expect("it is there");
    let (before, newest) = (&MIGRATIONS[..at], &MIGRATIONS[at]);
    for sql in before.iter().flat_map(|migration| migration.sql) {
        connection.execute_batch(sql).expect("valid");
    }
    connection.execute_batch(OLD_FOLDER).expect("written");
    for sql in newest.sql {
        connection.execute_batch(sql).expect("it migrates");
    }
    let read = "SELECT user_id || ' ' || coalesce(old_verdict, '-') FROM submission_change_set_item ORDER BY ordinal";
    let mut statement = connection.prepare(read).expect("valid");
    let found = statement.query_map([], |row| row.get(0)).expect("read").collect::<rusqlite::Result<Vec<String>>>();
    assert_eq!(found.expect("text"), ["ann WA", "ann -"]);
    let changed = connection.execute("UPDATE submission_change_set_item SET reason = 'x' WHERE ordinal = 1", []);
    assert!(changed.expect_err("it is decided").to_string().contains("a decided item never changes"));
    let changed = connection.execute("UPDATE submission_change_set_item SET old_verdict = 'AC' WHERE ordinal = 2", []);
    assert!(changed.expect_err("it is sealed").to_string().contains("what an item is never changes"));
}
