//! What must hold after every step of every interleaving.
//!
//! | | invariant |
//! |---|---|
//! | generations | they count from 1 without a gap, and never go backwards |
//! | one open | at most one judgement of a submission waits or is judged, and it is the newest |
//! | final | a finished judgement never changes: cancelled stays cancelled, a verdict stays what it was |
//! | current | what counts has a verdict, is not held back (or was applied), and never goes to an older generation |
//! | counts | once a judgement that nobody holds back has a verdict, exactly one judgement counts |
//! | frame | a step changes the judgement it names, adds at most the next generation, and touches no other submission |
//! | driver | what waits lies in the outbox or in the queue; what is judged has a lease that ends |
//! | closed | what is finished lies in neither |
//! | told | each time another judgement begins to count, exactly one message says so |

use super::world::{Seen, Snapshot};

/// Checks `after`, which one step made of `before`; `names` are the judgements that the step may change.
pub(super) fn check(before: &Snapshot, after: &Snapshot, names: &[String]) -> Result<(), String> {
    for submission in 0..after.current.len() {
        generations(before, after, submission)?;
        current(before, after, submission)?;
    }
    frame(before, after, names)?;
    for seen in &after.judgements {
        driver(seen)?;
    }
    told(before, after)
}

fn of(snapshot: &Snapshot, submission: usize) -> Vec<&Seen> {
    snapshot.judgements.iter().filter(|seen| seen.submission == submission).collect()
}

fn generations(before: &Snapshot, after: &Snapshot, submission: usize) -> Result<(), String> {
    let (old, new) = (of(before, submission), of(after, submission));
    if new.len() < old.len() {
        return Err(format!("generations: submission {submission} went back to {}", new.len()));
    }
    if !new.iter().zip(1..).all(|(seen, generation)| seen.generation == generation) {
        return Err(format!("generations: submission {submission} has a gap"));
    }
    let open: Vec<_> = new.iter().filter(|seen| seen.is_open()).collect();
    if open.len() > 1 || open.first().is_some_and(|seen| seen.generation as usize != new.len()) {
        return Err(format!("one open: submission {submission} has {open:?}"));
    }
    Ok(())
}

fn current(before: &Snapshot, after: &Snapshot, submission: usize) -> Result<(), String> {
    let generation = |snapshot: &Snapshot, id: &Option<String>| {
        id.as_ref().and_then(|id| snapshot.by_id(id)).map_or(0, |seen| seen.generation)
    };
    let id = &after.current[submission];
    if generation(after, id) < generation(before, &before.current[submission]) {
        return Err(format!("current: submission {submission} went back to an older judgement"));
    }
    if let Some(id) = id {
        let Some(seen) = after.by_id(id) else { return Err("current: it names nothing".to_owned()) };
        if seen.submission != submission || seen.state != "judged" || (seen.is_held && !after.applied.contains(id)) {
            return Err(format!("current: {} counts and must not: {seen:?}", seen.label()));
        }
    } else if of(after, submission).iter().any(|seen| seen.state == "judged" && !seen.is_held) {
        return Err(format!("counts: submission {submission} has a verdict and none counts"));
    }
    Ok(())
}

fn frame(before: &Snapshot, after: &Snapshot, names: &[String]) -> Result<(), String> {
    let touched = |seen: &Seen| names.contains(&seen.id);
    for old in &before.judgements {
        let Some(new) = after.by_id(&old.id) else { return Err(format!("frame: {} is gone", old.label())) };
        if !old.is_open() && !old.is_same_judgement(new) {
            return Err(format!("final: {} changed after its end: {old:?} became {new:?}", old.label()));
        }
        if old != new && !touched(old) {
            return Err(format!("frame: {} is no business of this step: {old:?} became {new:?}", old.label()));
        }
    }
    let submissions: Vec<usize> = before.judgements.iter().filter(|seen| touched(seen)).map(|s| s.submission).collect();
    let added = after.judgements.iter().filter(|seen| before.by_id(&seen.id).is_none());
    for seen in added {
        if !submissions.contains(&seen.submission) {
            return Err(format!("frame: {} was added out of nothing", seen.label()));
        }
    }
    Ok(())
}

fn driver(seen: &Seen) -> Result<(), String> {
    let is_driven = match seen.state.as_str() {
        // "sent" without an entry is what the reconciler finds.
        "pending" => {
            matches!(seen.outbox.as_str(), "pending" | "dead" | "sent")
                && !matches!(seen.queue.as_str(), "done")
                && (seen.outbox == "sent" || seen.queue.is_empty())
        }
        // Whatever the queue thinks: the lease drives it.
        "judging" => seen.lease_until_ms.is_some() && seen.outbox == "sent",
        _ => seen.outbox == "archived" && matches!(seen.queue.as_str(), "" | "done"),
    };
    if is_driven { Ok(()) } else { Err(format!("driver, closed: {} is stuck or left open: {seen:?}", seen.label())) }
}

fn told(before: &Snapshot, after: &Snapshot) -> Result<(), String> {
    let moved = before.current.iter().zip(&after.current).filter(|(old, new)| old != new).count();
    let told = (after.verdicts_told - before.verdicts_told) as usize;
    if moved == told { Ok(()) } else { Err(format!("told: {moved} began to count, {told} were told")) }
}
