//! The walls of a box, each tried from inside by a program that says what it met.

use super::bench::{self, AMPLE, Bench, Seen, first_line};
use super::ledger::{Finding, Ledger};
use crate::sandbox::Outcome;

/// One wall and the program that tries it: exit 0 and what it met, or exit 1 and the hole it found.
pub(super) struct Wall {
    pub(super) name: &'static str,
    /// Is run before it in the same box, as the test before.
    before: Option<&'static str>,
    pub(super) program: &'static str,
    remedy: &'static str,
}

macro_rules! program {
    ($file:literal) => {
        concat!(include_str!("programs/prelude.py"), include_str!(concat!("programs/", $file)))
    };
}

const ENGINE_OPTIONS: &str = "The engine did not do what it was asked for: do not judge strangers' programs here. Update the \
     engine and runc, restart it, and run the self-test again.";
const SECCOMP: &str = "The seccomp profile is not in force: `docker info` must list seccomp under Security Options; update the \
     engine, runc and libseccomp, and do not judge strangers' programs until this is green.";
const SUPERVISOR: &str =
    "Build the supervisor again with `cargo xtask build supervisor`; if this stays red, report it.";

/// Every wall, cheap and telling ones first.
pub(super) const WALLS: [Wall; 9] = [
    Wall { name: "network_absent", before: None, program: program!("network_absent.py"), remedy: ENGINE_OPTIONS },
    Wall { name: "sockets_refused", before: None, program: program!("sockets_refused.py"), remedy: SECCOMP },
    Wall { name: "root_read_only", before: None, program: program!("root_read_only.py"), remedy: ENGINE_OPTIONS },
    Wall {
        name: "writes_only_in_tmp",
        before: None,
        program: program!("writes_only_in_tmp.py"),
        remedy: ENGINE_OPTIONS,
    },
    Wall { name: "tmp_is_memory", before: None, program: program!("tmp_is_memory.py"), remedy: ENGINE_OPTIONS },
    Wall {
        name: "tmp_wiped",
        before: Some(program!("tmp_leave.py")),
        program: program!("tmp_wiped.py"),
        remedy: SUPERVISOR,
    },
    Wall {
        name: "supervisor_untouchable",
        before: None,
        program: program!("supervisor_untouchable.py"),
        remedy: SECCOMP,
    },
    Wall { name: "namespaces_refused", before: None, program: program!("namespaces_refused.py"), remedy: SECCOMP },
    Wall { name: "privileges_absent", before: None, program: program!("privileges_absent.py"), remedy: ENGINE_OPTIONS },
];

/// Tries every wall in the bench's box.
pub(super) async fn look(bench: &mut Bench<'_>, ledger: &mut Ledger<'_>) {
    for wall in &WALLS {
        if ledger.skip(wall.name) {
            continue;
        }
        let started = ledger.start();
        let finding = attempt(wall, bench, ledger).await;
        ledger.enter(wall.name, started, finding);
    }
}

async fn attempt(wall: &Wall, bench: &mut Bench<'_>, ledger: &mut Ledger<'_>) -> Finding {
    let mut box_before = None;
    if let Some(before) = wall.before {
        match bench.run_python(before, AMPLE).await {
            Ok(seen) if seen.report.exited_cleanly() => box_before = Some(seen.box_id),
            Ok(seen) => return unusable(&seen, wall.remedy),
            Err(error) => return bench::fault(&error, ledger),
        }
    }
    match bench.run_python(wall.program, AMPLE).await {
        Ok(seen) if box_before.is_some_and(|before| before != seen.box_id) => {
            Finding::bad("the box could not be proved clean and was thrown away: safe, but slow", wall.remedy)
        }
        Ok(seen) => judge(&seen, wall.remedy),
        Err(error) => bench::fault(&error, ledger),
    }
}

/// The program's own words count: it is ours.
fn judge(seen: &Seen, remedy: &'static str) -> Finding {
    match seen.report.outcome {
        Outcome::Exited(0) if !seen.stdout.is_empty() => Finding::Good(seen.first_line()),
        Outcome::Exited(1) if !seen.stdout.is_empty() => Finding::bad(seen.first_line(), remedy),
        Outcome::Exited(_)
        | Outcome::Signalled(_)
        | Outcome::CpuLimit
        | Outcome::WallLimit
        | Outcome::MemoryLimit
        | Outcome::OutputLimit
        | Outcome::ProcessLimit
        | Outcome::LaunchFailed(_) => unusable(seen, remedy),
    }
}

/// A probe that did not come to its end proves nothing.
fn unusable(seen: &Seen, remedy: &'static str) -> Finding {
    let said = String::from_utf8_lossy(&seen.report.stderr).lines().last().unwrap_or_default().to_owned();
    let said = if said.is_empty() { first_line(&seen.stdout) } else { said };
    Finding::bad(format!("the probe could not finish: {:?} {said}", seen.report.outcome), remedy)
}
