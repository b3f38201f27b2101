//! How fast this machine is: CPU time of one fixed program, so that times of two machines can be compared.

use super::backend;
use super::ledger::{Finding, Ledger};
use super::workshop::{self, Workshop};
use crate::judging::{Judged, language_by_id};
use crate::sandbox::SandboxHealth;

/// The least of them is the machine's; the others show how calm it was.
const RUNS: usize = 5;
const PROGRAM: &str = include_str!("programs/calibration.c");

/// Enters `calibration`: green whenever it could be measured.
pub(super) async fn look(workshop: &Workshop, ledger: &mut Ledger<'_>) {
    if ledger.skip("calibration") {
        return;
    }
    let started = ledger.start();
    let finding = measure(workshop, ledger).await;
    ledger.enter("calibration", started, finding);
}

async fn measure(workshop: &Workshop, ledger: &mut Ledger<'_>) -> Finding {
    let language = language_by_id(&"c".into()).expect("the table has C: a test of it says so");
    let case = match workshop.case("calibration", "", None) {
        Ok(case) => case,
        Err(error) => return workshop::no_room(&error),
    };
    match workshop.judge(language, PROGRAM, vec![case; RUNS]).await {
        Ok(judged) => judge(&judged),
        Err(error) => workshop::fault(&error, ledger),
    }
}

fn judge(judged: &Judged) -> Finding {
    let mut cpu_ms: Vec<u64> = judged.runs.iter().map(|run| run.cpu_ms).collect();
    cpu_ms.sort_unstable();
    let (true, Some(least_ms), Some(median_ms)) =
        (judged.verdict.is_accepted(), cpu_ms.first(), cpu_ms.get(cpu_ms.len() / 2))
    else {
        let seen = format!("the program was {}: {}", judged.verdict, judged.reason);
        return Finding::bad(seen, backend::remedy(&SandboxHealth::Ready));
    };
    let disturbed = judged.runs.iter().filter(|run| run.is_disturbed).count();
    Finding::Good(format!(
        "fixed work in C, {} runs: {least_ms} ms of CPU at least, {median_ms} ms median, {disturbed} disturbed",
        cpu_ms.len()
    ))
}
