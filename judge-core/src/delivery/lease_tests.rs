//! Two holders, one lease, a clock that also goes backwards: every reachable state.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::*;
use crate::clock::ManualClock;
use crate::delivery::test_store::open_store;

const WORK: &str = "backup";
const NOW: i64 = 10_000_000;

fn carrier(token: &str, boot: &str) -> Carrier {
    Carrier { token: token.to_owned(), boot_id: boot.to_owned() }
}

/// Runs the test inside one transaction: nothing here needs a commit.
fn with_tx(test: impl FnOnce(&WriteTx<'_>)) {
    let (_folder, store) = open_store(&Arc::new(ManualClock::starting_at(NOW)));
    let admin = store.owner(Owner::Admin).expect("it opens");
    let run = |tx: &WriteTx<'_>| {
        test(tx);
        Ok(())
    };
    admin.write_blocking("test", run).expect("written");
}

/// A completion as its callers write one.
fn complete(tx: &WriteTx<'_>, hold: &Hold, now_ms: i64) -> bool {
    let held = hold.held(Owner::Admin, now_ms);
    let sql = format!("INSERT INTO admin_work (fence_token) SELECT :fence WHERE {}", held.sql);
    tx.execute(&sql, &*held.with(&[(":fence", &hold.fence_token)])).expect("valid") == 1
}

/// Fence token, owner token, boot id, until.
type Row = (i64, Option<String>, Option<String>, Option<i64>);

/// Everything that decides what can happen next.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    now_ms: i64,
    row: Option<Row>,
    /// The fence token that each of the two believes to hold.
    holds: [Option<i64>; 2],
    highest_completed: i64,
}

const HOLDERS: [(&str, &str); 2] = [("a", "boot 1"), ("b", "boot 1")];
/// The second holder of a machine whose first process was killed.
const AFTER_A_CRASH: [(&str, &str); 2] = [("a", "boot 1"), ("b", "boot 2")];
/// Half a period, just over one, a day back.
const TICKS: [i64; 3] = [PERIOD_MS / 2, PERIOD_MS + 1, -DAY_MS];
const DAY_MS: i64 = 86_400_000;
/// Worlds are followed this long after the start, or after the clock went back.
const WINDOW_MS: i64 = 2 * PERIOD_MS + PERIOD_MS / 2 + 1;
const FENCE_BOUND: i64 = 3;

fn load(tx: &WriteTx<'_>, world: &World) {
    tx.execute("DELETE FROM admin_lease", []).expect("valid");
    if let Some((fence, owner, boot, until)) = &world.row {
        let acquired = owner.is_some().then_some(NOW);
        tx.execute(
            "INSERT INTO admin_lease (name, fence_token, owner_token, boot_id, acquired_at_ms, leased_until_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![WORK, fence, owner, boot, acquired, until],
        )
        .expect("valid");
    }
}

fn stored(tx: &WriteTx<'_>) -> Option<Row> {
    list(tx, Owner::Admin)
        .expect("readable")
        .pop()
        .map(|row| (row.fence_token, row.owner_token, row.boot_id, row.leased_until_ms))
}

fn hold_of(holders: &[(&str, &str); 2], who: usize, fence_token: i64) -> Hold {
    let (token, boot) = holders[who];
    Hold { name: WORK, owner_token: token.to_owned(), boot_id: boot.to_owned(), fence_token }
}

/// Whether the row says that this hold may complete now; written anew, not taken from the SQL.
fn is_live(world: &World, holders: &[(&str, &str); 2], who: usize, fence: i64) -> bool {
    world.row.as_ref().is_some_and(|(token, owner, _, until)| {
        *token == fence
            && owner.as_deref() == Some(holders[who].0)
            && until.is_some_and(|until| world.now_ms < until && until <= world.now_ms + PERIOD_MS)
    })
}

/// Every world one step away.
fn steps(tx: &WriteTx<'_>, world: &World, holders: &[(&str, &str); 2]) -> Vec<World> {
    let mut next = Vec::new();
    for tick in TICKS {
        next.push(World { now_ms: world.now_ms + tick, ..world.clone() });
    }
    for who in 0..2 {
        next.extend(acquired(tx, world, holders, who));
        let Some(fence) = world.holds[who] else { continue };
        let hold = hold_of(holders, who, fence);
        let live = is_live(world, holders, who, fence);
        load(tx, world);
        assert_eq!(renew(tx, &hold, world.now_ms).expect("valid"), live, "renew in {world:?}");
        next.push(World { row: stored(tx), ..world.clone() });
        load(tx, world);
        let is_its = world.row.as_ref().is_some_and(|row| row.0 == fence && row.1.as_deref() == Some(holders[who].0));
        assert_eq!(release(tx, &hold).expect("valid"), is_its, "release in {world:?}");
        next.push(World { row: stored(tx), ..world.clone() });
        load(tx, world);
        if complete(tx, &hold, world.now_ms) {
            assert!(live, "completed without a live lease in {world:?}");
            assert!(fence >= world.highest_completed, "an older holder completed after a newer one in {world:?}");
            next.push(World { highest_completed: fence, ..world.clone() });
        } else {
            assert!(!live, "a live holder may complete: {world:?}");
        }
    }
    next
}

fn acquired(tx: &WriteTx<'_>, world: &World, holders: &[(&str, &str); 2], who: usize) -> Option<World> {
    load(tx, world);
    let (token, boot) = holders[who];
    let before = world.row.as_ref().map_or(0, |row| row.0);
    let held = [0, 1].into_iter().find(|other| world.holds[*other].is_some_and(|f| is_live(world, holders, *other, f)));
    let hold = acquire(tx, WORK, &carrier(token, boot), world.now_ms).expect("valid");
    match (&hold, held) {
        (Some(hold), _) => assert_eq!(hold.fence_token, before + 1, "in {world:?}"),
        (None, held) => assert!(held.is_some(), "refused though nobody may complete: {world:?}"),
    }
    let hold = hold?;
    if let Some(holder) = held {
        assert_ne!(holders[holder].1, boot, "taken from a live holder of the same process: {world:?}");
    }
    let mut holds = world.holds;
    holds[who] = Some(hold.fence_token);
    Some(World { row: stored(tx), holds, ..world.clone() })
}

fn explore(holders: &[(&str, &str); 2]) -> usize {
    let mut seen = BTreeSet::new();
    with_tx(|tx| {
        let start = World { now_ms: NOW, row: None, holds: [None, None], highest_completed: 0 };
        let mut open = vec![start];
        while let Some(world) = open.pop() {
            let is_near = [NOW, NOW - DAY_MS].iter().any(|from| (0..=WINDOW_MS).contains(&(world.now_ms - from)));
            let is_high = world.row.as_ref().is_some_and(|row| row.0 > FENCE_BOUND);
            if !is_near || is_high || !seen.insert(world.clone()) {
                continue;
            }
            let live = (0..2).filter(|who| world.holds[*who].is_some_and(|f| is_live(&world, holders, *who, f)));
            assert!(live.count() <= 1, "two may complete: {world:?}");
            open.extend(steps(tx, &world, holders));
        }
    });
    seen.len()
}

#[test]
fn in_every_reachable_state_at_most_one_holder_completes_and_never_an_older_one() {
    for holders in [HOLDERS, AFTER_A_CRASH] {
        let states = explore(&holders);
        assert!(states > 1_000, "only {states} states were reached: the search is broken");
    }
}

#[test]
fn a_restore_frees_every_lease_and_raises_its_token() {
    with_tx(|tx| {
        let before = acquire(tx, WORK, &carrier("a", "boot"), NOW).expect("valid").expect("free");
        assert_eq!(restored(tx).expect("valid"), 1);
        assert!(!complete(tx, &before, NOW), "nobody from before completes anything");
        assert!(!renew(tx, &before, NOW).expect("valid"));
        assert!(!release(tx, &before).expect("valid"));
        let after = acquire(tx, WORK, &carrier("a", "boot"), NOW).expect("valid").expect("free");
        assert_eq!((before.fence_token, after.fence_token), (1, 3));
    });
}
