//! A program that looks everywhere in its box for the answer of its test and for the input of another one.

use super::ledger::{Finding, Ledger};
use super::workshop::{self, Workshop};
use crate::ids::new_id;
use crate::judging::{Judged, language_by_id};

pub(super) const NAME: &str = "answers_absent";
const PROGRAM: &str = include_str!("programs/answer_hunter.py");
/// What the program says when it is right; anything else is what it found or why it could not look.
const FOUND_NOTHING: &str = "nothing in ";
const REMEDY: &str =
    "Judge nothing until this is green, and report it: an answer or another test's input was within reach.";

/// Enters `answers_absent`.
pub(super) async fn look(workshop: &Workshop, ledger: &mut Ledger<'_>) {
    if ledger.skip(NAME) {
        return;
    }
    let started = ledger.start();
    let finding = hunt(workshop, ledger).await;
    ledger.enter(NAME, started, finding);
}

async fn hunt(workshop: &Workshop, ledger: &mut Ledger<'_>) -> Finding {
    let language = language_by_id(&"python3".into()).expect("the table has Python: a test of it says so");
    let hunted = workshop.case("hunted", "hunt\n", Some(&marker()));
    let other = workshop.case("other", &format!("{}\n", marker()), Some(&marker()));
    let cases = match (hunted, other) {
        (Ok(hunted), Ok(other)) => vec![hunted, other],
        (Err(error), _) | (_, Err(error)) => return workshop::no_room(&error),
    };
    match workshop.judge(language, PROGRAM, cases).await {
        Ok(judged) => judge(&judged),
        Err(error) => workshop::fault(&error, ledger),
    }
}

/// Fresh each time, so that nothing kept from an earlier self-test can be mistaken for it.
fn marker() -> String {
    format!("agon-marker-{}", new_id().replace('-', ""))
}

fn judge(judged: &Judged) -> Finding {
    let run = judged.runs.first();
    let said = run.map(|run| String::from_utf8_lossy(&run.output_head).trim().to_owned()).unwrap_or_default();
    if said.starts_with(FOUND_NOTHING) {
        return Finding::Good(said);
    }
    let outcome = run.map_or_else(|| judged.reason.clone(), |run| run.outcome.clone());
    Finding::bad(format!("{outcome}: {said}"), REMEDY)
}
