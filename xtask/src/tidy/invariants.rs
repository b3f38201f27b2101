//! A written invariant rots unless something fails when it is broken: each names a test or a rule, and that must exist.

use super::{Complaint, House, rule_names};

const PAGE: &str = "docs/ARCHITECTURE.md";
const MARK: &str = "(enforced by ";

/// Every name in ``(enforced by `name`, `name`)`` on the architecture page is a test or a rule.
pub(super) fn check(house: &House) -> Vec<Complaint> {
    let Some(page) = &house.sources.architecture else {
        return vec![Complaint::new(PAGE, "is missing: the house's invariants are written there")];
    };
    let mut complaints = Vec::new();
    for (at, _) in page.match_indices(MARK) {
        let line = page[..at].matches('\n').count() + 1;
        let inside = page[at + MARK.len()..].split(')').next().unwrap_or_default();
        let names: Vec<&str> = inside.split('`').skip(1).step_by(2).collect();
        if names.is_empty() {
            complaints
                .push(Complaint::new(format!("{PAGE}:{line}"), "says `enforced by` but names nothing in backticks"));
        }
        let unknown = names.into_iter().filter(|name| !exists(house, name));
        complaints.extend(unknown.map(|name| {
            Complaint::new(format!("{PAGE}:{line}"), format!("`{name}` is neither a test nor a tidy rule"))
        }));
    }
    complaints
}

/// A path's last part counts: `store::tests::name` is the test `name`.
fn exists(house: &House, name: &str) -> bool {
    let name = name.rsplit("::").next().unwrap_or(name);
    rule_names().any(|rule| rule == name) || house.sources.files.iter().any(|file| has_test(&file.text, name))
}

/// Whether a function of this name stands right below an attribute that makes it a test.
fn has_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let heads = [format!("fn {name}("), format!("async fn {name}(")];
    let is_head = |line: &str| heads.iter().any(|head| line.starts_with(head.as_str()));
    lines.iter().enumerate().filter(|(_, line)| is_head(line)).any(|(at, _)| {
        let above = lines[..at].iter().rev().take_while(|line| line.starts_with('#') || line.starts_with("//"));
        above.copied().any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"))
    })
}

#[cfg(test)]
mod tests {
    use super::super::house_of;
    use super::*;

    const TESTS: (&str, &str) = (
        "judge-core/src/a.rs",
        "#[tokio::test(flavor = \"multi_thread\")]\n/// Why.\nasync fn a_test() {}\nfn no_test() {}\n    #[test]\n    fn other() {}\n",
    );

    fn complaints(page: &str) -> usize {
        check(&house_of(&[TESTS, ("docs/ARCHITECTURE.md", page)])).len()
    }

    #[test]
    fn an_invariant_without_an_existing_enforcer_is_refused() {
        assert_eq!(complaints("Never. (enforced by `gone`)"), 1);
        assert_eq!(complaints("Never. (enforced by `no_test`)"), 1);
        assert_eq!(complaints("Never. (enforced by discipline)"), 1);
        assert_eq!(complaints("Never. (enforced by `other`,\n`gone`)"), 1);
        assert_eq!(check(&house_of(&[TESTS])).len(), 1, "a missing page is a complaint");
    }

    #[test]
    fn tests_and_rules_count_as_enforcers() {
        assert_eq!(complaints("Never. (enforced by `a_test` and `a::tests::other`)"), 0);
        assert_eq!(complaints("Never. (enforced by `judge_core_never_prints`)"), 0);
        assert_eq!(complaints("No invariants."), 0);
    }
}
