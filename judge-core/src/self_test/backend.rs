//! Engine, image and supervisor: what must be there before a box can be opened.

use agon_contract::sandbox::{SandboxHealth, SandboxStatus};
use agon_supervisor::wire::PROGRAM_MARK;

use super::Parts;
use super::ledger::{Finding, Ledger};
use crate::sandbox::check_supervisor;

/// Asks the backend once and enters `engine`, `image` and `supervisor`; what is missing blocks everything that needs a box.
pub(super) async fn look(parts: &Parts, ledger: &mut Ledger<'_>) -> SandboxStatus {
    let started = ledger.start();
    let status = parts.sandbox.status().await;
    ledger.enter("engine", started, engine(&status));
    let finding = if is_engine_away(&status.health) {
        Finding::bad("not run: engine away", remedy(&status.health))
    } else {
        image(&status)
    };
    ledger.enter("image", ledger.start(), finding);
    ledger.enter("supervisor", ledger.start(), supervisor(parts));
    if let Some(reason) = obstacle(&status) {
        ledger.block(reason, remedy(&status.health));
    }
    status
}

fn is_engine_away(health: &SandboxHealth) -> bool {
    match health {
        SandboxHealth::EngineAway | SandboxHealth::Starting | SandboxHealth::Unknown(_) => true,
        SandboxHealth::Ready
        | SandboxHealth::ImageMissing
        | SandboxHealth::ProfileRefused
        | SandboxHealth::DiskFull => false,
    }
}

/// Why no box can be had, as short as its own item allows.
fn obstacle(status: &SandboxStatus) -> Option<String> {
    match &status.health {
        SandboxHealth::Ready => None,
        SandboxHealth::ImageMissing => Some("image missing".to_owned()),
        SandboxHealth::EngineAway | SandboxHealth::Starting | SandboxHealth::Unknown(_) => {
            Some("engine away".to_owned())
        }
        SandboxHealth::ProfileRefused | SandboxHealth::DiskFull => Some(status.message.clone()),
    }
}

fn engine(status: &SandboxStatus) -> Finding {
    if is_engine_away(&status.health) {
        return Finding::bad(format!("{}: {}", status.backend, status.message), remedy(&status.health));
    }
    Finding::Good(format!("{} {}", status.backend, status.engine_version).trim_end().to_owned())
}

fn image(status: &SandboxStatus) -> Finding {
    if status.health == SandboxHealth::ImageMissing {
        return Finding::bad(status.message.clone(), remedy(&status.health));
    }
    Finding::Good(format!("{} is {}", status.image, status.image_id))
}

fn supervisor(parts: &Parts) -> Finding {
    let path = parts.supervisor.display();
    match check_supervisor(&parts.supervisor) {
        Ok(()) => Finding::Good(format!("{path}, {PROGRAM_MARK}")),
        Err(error) => Finding::bad(crate::store::chain(&error), BUILD_SUPERVISOR),
    }
}

const BUILD_SUPERVISOR: &str = "Build it with `cargo xtask build supervisor`, or name it with AGON_SUPERVISOR.";

/// What to do about a backend in this state.
pub(super) fn remedy(health: &SandboxHealth) -> &'static str {
    match health {
        SandboxHealth::Ready => "Run the self-test again; if it stays red, report it with this text.",
        SandboxHealth::Starting => "Wait until the engine is up, then run the self-test again.",
        SandboxHealth::EngineAway => {
            "Start the engine with `sudo systemctl start docker` or `cargo xtask setup engine`; you must be in its group: \
             `sudo usermod -aG docker $USER`, then log in again. DOCKER_HOST names an engine elsewhere."
        }
        SandboxHealth::ImageMissing => "Build the image with `cargo xtask setup image`.",
        SandboxHealth::ProfileRefused => {
            "Isolation is never weakened: read what was refused above, update the engine and runc, and build the \
             supervisor with `cargo xtask build supervisor`."
        }
        SandboxHealth::DiskFull => "Free some space on the disk of the engine and of the data folder.",
        SandboxHealth::Unknown(_) => "The backend is newer than this program: update Agon.",
    }
}
