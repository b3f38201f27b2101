//! What each condition of the fence is for: without it, some interleaving breaks a rule – or another condition covers
//! it, and without both some interleaving does.

use super::change_set::DECIDE;
use super::fence::{
    ABANDON, ACQUIRE, AGAIN, APPLY, CANCEL, MAKE_CURRENT, RECOVER, RENEW, RESEND, REVIVE, SETTLE, SUPERSEDE,
};
use super::race_story::{SMALL, walk};
use crate::delivery::fenced::{Fenced, without};
use crate::delivery::judge_outbox::{CLOSE, SEND};
use crate::delivery::queue::embedded::{ACK, CLOSE_DEAD, TAKE};

const STEPS: &[&Fenced] = &[
    &ACQUIRE,
    &RENEW,
    &SETTLE,
    &ABANDON,
    &RECOVER,
    &SUPERSEDE,
    &CANCEL,
    &REVIVE,
    &RESEND,
    &AGAIN,
    &MAKE_CURRENT,
    &APPLY,
    &SEND,
    &CLOSE,
    &TAKE,
    &ACK,
    &CLOSE_DEAD,
    &DECIDE,
];

/// A condition that others cover: without it alone nothing breaks, without it and all of them something does.
struct Covered {
    step: &'static str,
    condition: &'static str,
    by: &'static [&'static str],
}

const fn covered(step: &'static str, condition: &'static str, by: &'static [&'static str]) -> Covered {
    Covered { step, condition, by }
}

/// A judgement is taken at most once in its life, so its id, its generation within the submission and the attempt that
/// has it name the same thing; what is not being judged has no lease; what ended never opens again. A condition that a
/// read of the same transaction has already asked (`waits` of an entry's poll, `open` of a change set) is covered by
/// those that name the row.
const DEFENCE_IN_DEPTH: &[Covered] = &[
    covered("acquire", "generation", &["judgement"]),
    covered("renew", "judgement", &["attempt"]),
    covered("renew", "generation", &["judgement", "attempt"]),
    covered("renew", "judging", &["lease lives", "lease believable"]),
    covered("renew", "attempt", &["judgement"]),
    covered("settle", "judgement", &["attempt"]),
    covered("settle", "generation", &["judgement", "attempt"]),
    covered("settle", "judging", &["lease lives", "lease believable"]),
    covered("settle", "attempt", &["judgement"]),
    covered("abandon", "judgement", &["attempt"]),
    covered("abandon", "generation", &["judgement", "attempt"]),
    covered("abandon", "attempt", &["judgement"]),
    covered("recover", "generation", &["judgement"]),
    covered("supersede", "generation", &["judgement"]),
    covered("cancel", "generation", &["judgement"]),
    covered("revive", "generation", &["judgement"]),
    covered("revive", "waits", &["set aside"]),
    covered("resend", "generation", &["judgement"]),
    covered("resend", "entry lost", &["waits"]),
    covered("again", "finished", &["newest"]),
    covered("apply", "submission", &["judged", "previewed"]),
    covered("apply", "judged", &["previewed"]),
    covered("outbox close", "generation", &["unfinished"]),
    covered("outbox close", "unfinished", &["generation"]),
    covered("queue take", "ready", &["entry"]),
    covered("queue ack", "generation", &["unfinished"]),
    covered("queue ack", "unfinished", &["generation"]),
    covered("queue close dead", "generation", &["dead"]),
    covered("queue close dead", "dead", &["generation"]),
    covered("decide", "open", &["change set"]),
];

/// The small scenarios that a step matters in.
fn scenarios_of(step: &str) -> &'static [&'static str] {
    match step {
        "acquire" => &["far queue", "pair"],
        "renew" | "settle" => &["renewal", "takeover", "pair", "small boot"],
        "abandon" => &["pair"],
        "recover" => &["clock set back a little", "takeover", "pair", "small boot"],
        "supersede" | "cancel" => &["pair and staff"],
        "again" => &["pair and staff", "small change set"],
        "make current" | "apply" => &["small change set", "pair"],
        "decide" => &["two change sets"],
        "revive" => &["attention"],
        "resend" => &["small loss"],
        "outbox send" => &["small outbox"],
        "outbox close" => &["pair", "attention", "small outbox", "pair and staff"],
        "queue take" => &["pair", "small outbox"],
        "queue ack" => &["pair", "small boot", "pair and staff"],
        "queue close dead" => &["set aside"],
        other => panic!("no scenario is named for {other}"),
    }
}

/// The first path that breaks a rule while the named conditions of `step` are missing.
fn broken_without(step: &'static str, conditions: &[&'static str]) -> Option<String> {
    let left_out: Vec<_> = conditions.iter().map(|condition| (step, *condition)).collect();
    let named = |name: &&str| SMALL.iter().find(|scenario| scenario.name == *name).expect("it is in the story");
    without(&left_out, || scenarios_of(step).iter().map(named).find_map(|scenario| walk(scenario).err()))
}

#[test]
fn each_condition_is_needed_or_covered() {
    let (mut wrong, mut caught) = (Vec::new(), Vec::new());
    for step in STEPS {
        for condition in step.conditions {
            let covered = DEFENCE_IN_DEPTH.iter().find(|c| c.step == step.name && c.condition == condition.name);
            let broken = broken_without(step.name, &[condition.name]);
            match (&broken, covered) {
                (Some(path), None) => caught.push(format!("{} without {}: {path}", step.name, condition.name)),
                (None, Some(covered)) => {
                    let mut all = covered.by.to_vec();
                    all.push(condition.name);
                    match broken_without(step.name, &all) {
                        Some(path) => caught.push(format!("{} without {all:?}: {path}", step.name)),
                        None => wrong.push(format!("{}: {all:?} are all missing and nothing breaks", step.name)),
                    }
                }
                (Some(_), Some(_)) => {
                    wrong.push(format!("{}: {} is needed by itself, not only in depth", step.name, condition.name));
                }
                (None, None) => {
                    wrong.push(format!("{}: without {} nothing breaks", step.name, condition.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\nwhat was caught:\n{}", wrong.join("\n"), caught.join("\n"));
}
