//! Inside judge-core, modules point one way: from the facade down to the pure rules, never back and never sideways.

use super::sources::Source;
use super::{Complaint, House};

const ROOT: &str = "judge-core/src/";

/// Modules by floor, the top one first. A module may use its own floor's name for itself and every lower floor.
const FLOORS: [&[&str]; 8] = [
    &["facade"],
    &["worker", "module", "search", "self_test", "watch"],
    &["owner", "execution"],
    &["judging", "delivery"],
    &["sandbox", "package", "store"],
    // Who acts: roles mean what the rules of the domain say.
    &["actor"],
    &["domain"],
    // Small things without a direction of their own.
    &["clock", "error", "ids", "settings", "testing"],
];

/// Uses against the floors that are decided, each with its reason.
const ALLOWED: [(&str, &str); 3] = [
    // The tables of previews and their receipts belong to the submission owner, whose migrations make them.
    ("owner", "execution"),
    // A judging polled as a job is the owner's judgement with its runs, read on the owner's own connections.
    ("execution", "owner"),
    // The watch on files is one of the modules.
    ("watch", "module"),
];

/// Every `crate::…` and `super::…` of judge-core against the floors.
pub(super) fn modules(house: &House) -> Vec<Complaint> {
    house.sources.files.iter().filter(|file| file.path.starts_with(ROOT)).flat_map(against_floors).collect()
}

/// An owner asks another through a port or listens to events; it never names another owner's module.
pub(super) fn owners(house: &House) -> Vec<Complaint> {
    let inside = |file: &&Source| file.path.starts_with("judge-core/src/owner/");
    house.sources.files.iter().filter(inside).flat_map(against_owners).collect()
}

fn against_floors(file: &Source) -> Vec<Complaint> {
    let own = module_path(&file.path);
    // lib.rs and the modules declared in it see everything: they are the facade.
    let Some(from) = own.first().filter(|name| !FLOORS[0].contains(&name.as_str())) else { return Vec::new() };
    let Some(from_floor) = floor(from) else {
        return vec![Complaint::new(
            &file.path,
            format!("`{from}` stands on no floor: give it one in xtask/src/tidy/direction.rs"),
        )];
    };
    let wrong = uses(file).into_iter().filter_map(|(line, path)| {
        let to = path.first()?;
        let is_fine = to == from || floor(to).is_none_or(|floor| floor > from_floor) || ALLOWED.contains(&(from, to));
        (!is_fine).then(|| {
            Complaint::new(format!("{}:{line}", file.path), format!("`{from}` may not use `{to}`: it is not below it"))
        })
    });
    wrong.collect()
}

fn against_owners(file: &Source) -> Vec<Complaint> {
    let own = module_path(&file.path);
    let Some(owner) = own.get(1) else { return Vec::new() };
    let foreign = uses(file).into_iter().filter_map(|(line, path)| {
        let other = path.get(1).filter(|other| path[0] == "owner" && *other != owner && is_owner(other))?;
        Some(Complaint::new(
            format!("{}:{line}", file.path),
            format!("owner `{owner}` may not use owner `{other}`: ask through a port"),
        ))
    });
    foreign.collect()
}

fn is_owner(name: &str) -> bool {
    ["auth", "admin", "catalog", "submission", "notification"].contains(&name)
}

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

/// `judge-core/src/owner/catalog/mod.rs` → `[owner, catalog]`; `lib.rs` → `[]`.
fn module_path(path: &str) -> Vec<String> {
    let under = path.trim_start_matches(ROOT).trim_end_matches(".rs");
    let parts = under.split('/').filter(|part| !matches!(*part, "mod" | "lib"));
    parts.map(str::to_owned).collect()
}

/// Module paths (from the crate's root) that the production code names, with their lines.
fn uses(file: &Source) -> Vec<(usize, Vec<String>)> {
    let own = module_path(&file.path);
    let mut found = Vec::new();
    for (start, keyword) in starts(&file.code) {
        let line = file.code[..start].matches('\n').count() + 1;
        let mut base = if keyword == "crate" { Vec::new() } else { own[..own.len().saturating_sub(1)].to_vec() };
        let mut rest = &file.code[start + keyword.len()..];
        while let Some(after) = rest.strip_prefix("::super") {
            base.pop();
            rest = after;
        }
        for tail in tails(rest.strip_prefix("::").unwrap_or_default()) {
            found.push((line, base.iter().cloned().chain(tail).collect::<Vec<_>>()));
        }
    }
    found
}

/// Where `crate::` or `super::` begins a path.
fn starts(code: &str) -> Vec<(usize, &'static str)> {
    let begin = |keyword: &'static str| {
        code.match_indices(&format!("{keyword}::") as &str)
            .filter(|(at, _)| !code[..*at].ends_with(|c: char| c.is_alphanumeric() || "_:$".contains(c)))
            .map(|(at, _)| (at, keyword))
            .collect::<Vec<_>>()
    };
    [begin("crate"), begin("super")].concat()
}

/// The first two names of a path, once per branch: `a::{b, c::d}` → `[a, b]`, `[a, c]`.
fn tails(text: &str) -> Vec<Vec<String>> {
    if let Some(group) = text.trim_start().strip_prefix('{') {
        return branches(group).into_iter().flat_map(tails).collect();
    }
    let name: String = text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    if name.is_empty() {
        return Vec::new();
    }
    let rest = text.trim_start()[name.len()..].strip_prefix("::");
    let below: Vec<Vec<String>> = rest.map(tails).unwrap_or_default();
    if below.is_empty() {
        return vec![vec![name]];
    }
    below.into_iter().map(|tail| std::iter::once(name.clone()).chain(tail.into_iter().take(1)).collect()).collect()
}

/// Splits the inside of `{…}` at its top-level commas.
fn branches(group: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0_usize, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&group[from..at]);
                return parts;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::house_of;
    use super::*;

    fn complaints(path: &str, text: &str) -> (usize, usize) {
        let house = house_of(&[(path, text)]);
        (modules(&house).len(), owners(&house).len())
    }

    #[test]
    fn a_lower_module_may_not_look_up() {
        for text in [
            "use crate::worker::Judge;",
            "use crate::{\n    domain::X,\n    owner::submission::Y,\n};",
            "fn f() { crate::execution::g() }",
            "use super::super::super::worker::W;",
        ] {
            assert_eq!(complaints("judge-core/src/sandbox/docker/pool.rs", text).0, 1, "{text}");
        }
        assert_eq!(complaints("judge-core/src/domain/score.rs", "use crate::store::Blob;").0, 1);
    }

    #[test]
    fn modules_of_one_floor_do_not_know_each_other() {
        assert_eq!(complaints("judge-core/src/package/zip.rs", "use crate::sandbox::Limits;").0, 1);
    }

    #[test]
    fn downwards_inside_itself_in_words_and_in_tests_is_fine() {
        for text in [
            "use crate::domain::{Verdict, limits::Limits};",
            "use super::spec::Spec;\nuse crate::sandbox::report::Report;",
            "//! See `crate::worker`.\n",
            "#[cfg(test)]\nmod tests { use crate::worker::W; }",
        ] {
            assert_eq!(complaints("judge-core/src/sandbox/docker.rs", text).0, 0, "{text}");
        }
        assert_eq!(complaints("judge-core/src/lib.rs", "use crate::worker::W;").0, 0);
    }

    #[test]
    fn a_module_without_a_floor_is_told_so() {
        assert_eq!(complaints("judge-core/src/helpers.rs", "").0, 1);
    }

    #[test]
    fn an_owner_may_not_use_another() {
        let path = "judge-core/src/owner/submission/store.rs";
        assert_eq!(complaints(path, "use crate::owner::catalog::Problems;").1, 1);
        assert_eq!(complaints(path, "use super::super::catalog::store::Problems;").1, 1);
        assert_eq!(complaints(path, "use crate::owner::submission::Row;\nuse super::row::Row;").1, 0);
    }
}
