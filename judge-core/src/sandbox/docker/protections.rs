//! Which walls must stand before a program is let in, and how the interface is told about all of them.

use agon_contract::sandbox::{Protection, ProtectionState};
use agon_supervisor::wire::Probe;

use crate::sandbox::SandboxError;

/// Without any one of these a box is refused: isolation is never weakened to make something run.
const REQUIRED: [&str; 8] = [
    "seccomp",
    "no_new_privileges",
    "no_capabilities",
    "network_none",
    "no_user_namespaces",
    "cgroup_cpu",
    "cgroup_memory",
    "cgroup_processes",
];

/// What the supervisor cannot see from inside because it refuses to start without it.
const BY_PREMISE: [&str; 2] = ["read_only_root", "unprivileged_user"];

/// Refuses a box that lacks a required protection.
///
/// # Errors
/// [`SandboxError::SupervisorRefused`] with the names and what was seen instead.
pub(super) fn check(box_id: &str, probes: &[Probe]) -> Result<(), SandboxError> {
    let missing: Vec<String> = REQUIRED
        .iter()
        .filter_map(|name| match probes.iter().find(|probe| probe.name == *name) {
            Some(probe) if probe.active => None,
            Some(probe) => Some(format!("{name} ({})", probe.detail)),
            None => Some((*name).to_owned()),
        })
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let detail = format!("not active: {}", missing.join(", "));
    Err(SandboxError::SupervisorRefused { box_id: box_id.to_owned(), detail })
}

/// The probes of the box seen last, or every required protection as not yet probed.
pub(super) fn shown(probes: Option<&[Probe]>) -> Vec<Protection> {
    let Some(probes) = probes else {
        return REQUIRED.iter().map(|name| protection(name, ProtectionState::Unprobed, "")).collect();
    };
    let premises = BY_PREMISE.iter().map(|name| protection(name, ProtectionState::Active, ""));
    let seen = probes.iter().map(|probe| {
        let state = if probe.active { ProtectionState::Active } else { ProtectionState::Absent };
        protection(&probe.name, state, &probe.detail)
    });
    premises.chain(seen).collect()
}

fn protection(name: &str, state: ProtectionState, detail: &str) -> Protection {
    Protection { name: name.to_owned(), state, detail: detail.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(active: bool) -> Vec<Probe> {
        REQUIRED.iter().map(|name| Probe { name: (*name).to_owned(), active, detail: "seen".to_owned() }).collect()
    }

    #[test]
    fn one_missing_wall_refuses_the_box_and_is_named() {
        assert!(check("b", &all(true)).is_ok());
        for position in 0..REQUIRED.len() {
            let mut probes = all(true);
            probes[position].active = false;
            let error = check("b", &probes).expect_err("refused").to_string();
            assert!(error.contains(REQUIRED[position]), "{error}");
            probes.remove(position);
            assert!(check("b", &probes).is_err(), "a probe that was not made proves nothing");
        }
    }

    #[test]
    fn what_was_not_seen_is_not_shown_as_active() {
        let unprobed = shown(None);
        assert!(unprobed.iter().all(|one| one.state == ProtectionState::Unprobed));
        let absent = shown(Some(&all(false)));
        let states = absent.iter().filter(|one| one.detail == "seen").map(|one| &one.state);
        assert!(
            states.clone().count() == REQUIRED.len()
                && states.into_iter().all(|state| *state == ProtectionState::Absent)
        );
    }
}
