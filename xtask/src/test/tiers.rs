//! Which tests make a tier. Stories in `tests/` are told apart by the names of their targets.

use super::cargo_tests::CargoTests;
use super::tally::Tally;
use crate::build::{self, ROOMS};
use crate::cargo_facts::Facts;
use crate::failure::Failure;
use crate::place::Place;

const STORIES: &str = "agon-tests";
const OTHER_ROOMS: [&str; 4] = ["agon-contract", "agon-supervisor", "judge-core", "agon"];

/// Tests beside the code of every room that this machine's processor runs.
pub(super) fn unit(filter: Option<&str>, place: &Place) -> Result<Tally, Failure> {
    build::supervisor::build(place)?;
    let arguments = [&ROOMS[..], &["--lib", "--bins"]].concat();
    let mut tally = CargoTests { label: "unit", arguments, filter, one_at_a_time: false }.run(place)?;
    if has_unit_tests(place, "ui/src") {
        let facts = Facts::ask(place)?;
        let kind = if facts.targets("agon-ui", "bin").is_empty() { "--lib" } else { "--bins" };
        let arguments = vec!["-p", "agon-ui", kind];
        tally.add(CargoTests { label: "unit of the interface", arguments, filter, one_at_a_time: false }.run(place)?);
    }
    Ok(tally)
}

/// Tests of whole rooms, then the stories that need the engine but no window.
pub(super) fn integration(filter: Option<&str>, place: &Place) -> Result<Tally, Failure> {
    build::supervisor::build(place)?;
    build::headless(place)?;
    build::problems::build(place)?;
    let facts = Facts::ask(place)?;
    let mut tally = Tally::default();
    let of_rooms: Vec<&str> = OTHER_ROOMS.iter().flat_map(|room| facts.targets(room, "test")).collect();
    if !of_rooms.is_empty() {
        let arguments = targets(&of_rooms);
        tally.add(CargoTests { label: "rooms", arguments, filter, one_at_a_time: false }.run(place)?);
    }
    let arguments = targets(&stories(&facts, &["stories_"]));
    tally.add(CargoTests { label: "stories", arguments, filter, one_at_a_time: true }.run(place)?);
    Ok(tally)
}

/// Stories in the built window and in a browser.
pub(super) fn end_to_end(filter: Option<&str>, place: &Place) -> Result<Tally, Failure> {
    build::build(build::What::All, place)?;
    let mut tally = Tally::default();
    if has_unit_tests(place, "src-tauri/src") {
        let arguments = vec!["-p", "agon-desktop", "--features", "custom-protocol", "--bins"];
        tally.add(CargoTests { label: "desktop", arguments, filter, one_at_a_time: false }.run(place)?);
    }
    let facts = Facts::ask(place)?;
    let arguments = targets(&stories(&facts, &["window_", "browser_"]));
    tally.add(CargoTests { label: "window and browser", arguments, filter, one_at_a_time: true }.run(place)?);
    Ok(tally)
}

/// Arguments that choose test targets by name.
fn targets<'a>(names: &[&'a str]) -> Vec<&'a str> {
    let chosen = names.iter().flat_map(|name| ["--test", *name]);
    ROOMS.into_iter().chain(chosen).collect()
}

/// The stories whose target's name starts so; with none there, a target that does not exist, which fails loudly.
fn stories<'a>(facts: &'a Facts, starts: &[&'a str]) -> Vec<&'a str> {
    let targets = facts.targets(STORIES, "test");
    let chosen: Vec<&str> =
        targets.into_iter().filter(|name| starts.iter().any(|start| name.starts_with(start))).collect();
    if chosen.is_empty() { starts.to_vec() } else { chosen }
}

fn has_unit_tests(place: &Place, folder: &str) -> bool {
    let mut grep = std::process::Command::new("grep");
    grep.args(["-rqE", r"#\[test\]"]).arg(place.root.join(folder));
    grep.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo_facts::{Package, Target};

    #[test]
    fn stories_are_chosen_by_their_target_s_name() {
        let target = |name: &str, kind: &str| Target { name: name.into(), kind: vec![kind.into()] };
        let targets = vec![
            target("stories_recovery", "test"),
            target("window_first_light", "test"),
            target("stories_lib", "lib"),
        ];
        let package = Package { name: STORIES.into(), manifest_path: "".into(), dependencies: vec![], targets };
        let facts = Facts { packages: vec![package] };
        assert_eq!(stories(&facts, &["stories_"]), ["stories_recovery"]);
        assert_eq!(stories(&facts, &["browser_"]), ["browser_"]);
    }
}
