//! The rules of the house that a compiler does not know: each a function from the sources to complaints.

mod code;
mod direction;
mod files;
mod invariants;
mod rooms;
mod sources;
mod words;

use crate::cargo_facts::Facts;
use crate::failure::Failure;
use crate::place::Place;
use crate::say;
use sources::Sources;

/// What a rule found: where, and what to do instead.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    at: String,
    what: String,
}

impl Complaint {
    fn new(at: impl Into<String>, what: impl Into<String>) -> Self {
        Self { at: at.into(), what: what.into() }
    }
}

/// Everything the rules read.
pub(crate) struct House {
    facts: Facts,
    sources: Sources,
}

/// A rule's name (invariants refer to it) and its check.
type Rule = (&'static str, fn(&House) -> Vec<Complaint>);

const RULES: [Rule; 9] = [
    ("rooms_depend_only_as_drawn", rooms::check),
    ("judge_core_modules_point_one_way", direction::modules),
    ("an_owner_never_uses_another_owner", direction::owners),
    ("a_file_starts_with_its_job", files::first_line),
    ("a_file_fits_a_head", files::length),
    ("judge_core_never_prints", words::prints),
    ("window_names_stay_in_backend", words::window_names),
    ("production_never_unwraps", words::unwraps),
    ("an_invariant_names_its_enforcer", invariants::check),
];

/// Checks every rule, says what is wrong, and answers whether nothing is.
pub(crate) fn report(place: &Place) -> Result<bool, Failure> {
    let house = House { facts: Facts::ask(place)?, sources: Sources::read(&place.root)? };
    let mut count = 0;
    for (name, check) in RULES {
        for complaint in check(&house) {
            say::line(&format!("{}: {} [{name}]", complaint.at, complaint.what));
            count += 1;
        }
    }
    let (files, rules) = (house.sources.files.len(), RULES.len());
    say::line(&format!("tidy: {rules} rules over {files} files, {count} complaints"));
    Ok(count == 0)
}

/// Names that an invariant may give as its enforcer, besides tests.
fn rule_names() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|(name, _)| *name)
}

#[cfg(test)]
pub(crate) fn house_of(files: &[(&str, &str)]) -> House {
    House { facts: Facts { packages: Vec::new() }, sources: Sources::of(files) }
}
