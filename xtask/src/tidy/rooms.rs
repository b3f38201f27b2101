//! Which room may depend on which, and which libraries belong to one room alone.

use super::{Complaint, House};
use crate::cargo_facts::Package;

/// A room's crate and the crates of this workspace that it may use.
const ROOMS: [(&str, &[&str]); 8] = [
    ("agon-contract", &[]),
    ("agon-supervisor", &[]),
    ("judge-core", &["agon-contract", "agon-supervisor"]),
    ("agon", &["agon-contract", "judge-core"]),
    ("agon-desktop", &["agon-contract", "judge-core"]),
    ("agon-ui", &["agon-contract"]),
    ("agon-tests", &["agon", "agon-contract", "agon-desktop", "agon-supervisor", "judge-core"]),
    ("xtask", &[]),
];

/// Libraries (by the start of their names) that only these rooms may use; the stories in `tests/` may use what they drive.
const BELONGS: [(&str, &[&str]); 10] = [
    ("rusqlite", &["judge-core", "agon-tests"]),
    ("bollard", &["judge-core", "agon-tests"]),
    ("notify", &["judge-core"]),
    ("tauri", &["agon-desktop"]),
    ("axum", &["agon", "agon-tests"]),
    ("tower-http", &["agon"]),
    ("leptos", &["agon-ui"]),
    ("wasm-bindgen", &["agon-ui"]),
    ("web-sys", &["agon-ui"]),
    ("clap", &["agon", "xtask"]),
];

/// Libraries that a room must do without, and why.
const REFUSED: [(&str, &str, &str); 7] = [
    ("agon-contract", "uuid", "ids are made in judge-core; the contract only carries them"),
    ("agon-contract", "tokio", "the contract is data only"),
    ("agon-contract", "chrono", "the contract reads no clock"),
    ("agon-supervisor", "tokio", "nothing in the supervisor is async"),
    ("agon-supervisor", "futures", "nothing in the supervisor is async"),
    ("judge-core", "anyhow", "errors are named by their module"),
    ("agon-desktop", "reqwest", "the window talks to judge-core, not to a network"),
];

/// The rule over `cargo metadata`. Dependencies of tests alone are free: they ship nowhere.
pub(super) fn check(house: &House) -> Vec<Complaint> {
    house.facts.packages.iter().flat_map(of_package).collect()
}

fn of_package(package: &Package) -> Vec<Complaint> {
    let name = package.name.as_str();
    let at = package.manifest_path.display().to_string();
    let Some((_, allowed)) = ROOMS.iter().find(|(room, _)| *room == name) else {
        return vec![Complaint::new(
            at,
            format!("`{name}` is no room of the house: draw it in xtask/src/tidy/rooms.rs first"),
        )];
    };
    let shipped = package.dependencies.iter().filter(|dependency| dependency.kind.as_deref() != Some("dev"));
    let complaints = shipped.filter_map(|dependency| why_not(name, allowed, &dependency.name));
    complaints.map(|why| Complaint::new(at.clone(), why)).collect()
}

fn why_not(room: &str, allowed: &[&str], library: &str) -> Option<String> {
    if ROOMS.iter().any(|(other, _)| *other == library) && !allowed.contains(&library) {
        return Some(format!("`{room}` may not use the room `{library}`"));
    }
    let owner = BELONGS.iter().find(|(start, rooms)| starts(library, start) && !rooms.contains(&room));
    if let Some((start, rooms)) = owner {
        return Some(format!("`{library}` belongs to {} ({start})", rooms.join(", ")));
    }
    let refused = REFUSED.iter().find(|(who, start, _)| *who == room && starts(library, start));
    refused.map(|(_, _, why)| format!("`{room}` does without `{library}`: {why}"))
}

/// `axum` and `axum-extra`, but not `axumatic`.
fn starts(library: &str, start: &str) -> bool {
    library.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo_facts::Dependency;

    fn complaints(room: &str, kind: Option<&str>, library: &str) -> usize {
        let dependency = Dependency { name: library.into(), kind: kind.map(str::to_owned) };
        let package = Package {
            name: room.into(),
            manifest_path: "x/Cargo.toml".into(),
            dependencies: vec![dependency],
            targets: vec![],
        };
        of_package(&package).len()
    }

    #[test]
    fn a_dependency_against_the_drawing_is_refused() {
        for (room, library) in [
            ("agon-contract", "judge-core"),
            ("agon-ui", "judge-core"),
            ("agon-desktop", "rusqlite"),
            ("agon", "bollard"),
            ("judge-core", "axum"),
            ("judge-core", "tauri"),
            ("judge-core", "leptos_router"),
            ("agon-supervisor", "tokio-util"),
            ("judge-core", "anyhow"),
            ("no-room", "serde"),
        ] {
            assert_eq!(complaints(room, None, library), 1, "{room} → {library}");
        }
    }

    #[test]
    fn what_is_drawn_is_allowed_and_tests_are_free() {
        for (room, library) in
            [("judge-core", "agon-supervisor"), ("agon", "axum"), ("agon-ui", "leptos"), ("judge-core", "serde")]
        {
            assert_eq!(complaints(room, None, library), 0, "{room} → {library}");
        }
        assert_eq!(complaints("judge-core", Some("dev"), "axum"), 0);
        assert_eq!(complaints("judge-core", Some("build"), "axum"), 1);
    }
}
