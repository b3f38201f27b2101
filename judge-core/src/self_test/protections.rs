//! The first box, and what the backend saw of its walls when it opened.

use agon_contract::sandbox::{Protection, ProtectionState, SandboxStatus};

use super::Parts;
use super::bench::{self, Bench};
use super::ledger::{Finding, Ledger};

/// Second lines of defence that older kernels do not have: their absence is told and is not a fault.
const OPTIONAL: [&str; 2] = ["landlock", "cgroup_peak_memory"];
const REMEDY: &str = "Update the kernel, the engine and runc, and look at what was seen: without this wall no stranger's program \
     should run here.";

/// Opens the bench's box (`box`) and enters `protection_<name>` for each that the backend reports of it. Answers the
/// status after that.
pub(super) async fn look(
    parts: &Parts,
    before: SandboxStatus,
    bench: &mut Bench<'_>,
    ledger: &mut Ledger<'_>,
) -> SandboxStatus {
    let mut status = before;
    if !ledger.skip("box") {
        let started = ledger.start();
        let finding = match bench.open().await {
            Ok(id) => Finding::Good(format!("box {id} opened")),
            Err(error) => {
                let finding = bench::fault(&error, ledger);
                ledger.block("no box could be opened", "See the item `box`.");
                finding
            }
        };
        ledger.enter("box", started, finding);
        status = parts.sandbox.status().await;
    }
    for protection in &status.protections {
        let name = format!("protection_{}", protection.name);
        if !ledger.skip(&name) {
            ledger.enter(name, ledger.start(), judge(protection));
        }
    }
    status
}

fn judge(protection: &Protection) -> Finding {
    let seen = format!("{} {}", protection.state, protection.detail).trim_end().to_owned();
    match &protection.state {
        ProtectionState::Active => Finding::Good(seen),
        ProtectionState::Absent if OPTIONAL.contains(&protection.name.as_str()) => {
            Finding::Good(format!("{seen} (this kernel has none; the other walls stand without it)"))
        }
        ProtectionState::Absent | ProtectionState::Unprobed | ProtectionState::Unknown(_) => Finding::bad(seen, REMEDY),
    }
}
