//! Packages of other formats, as folders and as zips: what each states, what is assumed, what is refused.

mod package_support;

use std::collections::BTreeMap;

use judge_core::domain::rules::Checker;
use judge_core::domain::scoring::ScoringRules;
use judge_core::domain::scoring::groups::{Group, GroupRule, Share};
use judge_core::package::CheckedPackage;
use package_support::{Files, Reading};

fn files(files: &[(&str, &str)]) -> Files {
    let mut made = Files(BTreeMap::new());
    for (name, text) in files {
        made.set(name, text);
    }
    made
}

fn names(package: &CheckedPackage) -> Vec<&str> {
    package.cases.iter().map(|case| case.name.as_str()).collect()
}

fn root(package: &CheckedPackage) -> &Group {
    match &package.rules.scoring {
        ScoringRules::Groups(root) => root,
        ScoringRules::PassFail => panic!("no points"),
    }
}

#[test]
fn test_data_alone_is_a_problem_in_the_order_in_which_people_count() {
    let data = files(&[
        ("10.in", "1\n"),
        ("10.out", "1\n"),
        ("2.in", "2\r\n"),
        ("2.out", "2\n"),
        ("__MACOSX/._2.in", "junk"),
        ("sample1.in", "3\n"),
        ("sample1.out", "3\n"),
        ("solution.cpp", "int main() {}\n"),
    ]);
    for reading in [data.read(), Reading::of_zip(&data.zip(""))] {
        let package = reading.package();
        assert_eq!(names(package), ["sample/sample1", "secret/2", "secret/10"], "S43, S44");
        assert_eq!((package.limits.time_limit_ms, package.rules.scoring.clone()), (Some(1000), ScoringRules::PassFail));
        reading.assert_warned("limits_assumed", "");
        reading.assert_warned("crlf_data", "data/secret/2.in");
    }
    let half = files(&[("1.in", "1\n"), ("1.out", "1\n"), ("2.in", "2\n")]);
    half.read().assert_refused("answer_missing", "data/secret/2.in");
    let checked = files(&[("1.in", "1\n"), ("1.out", "1\n"), ("checker.cpp", "int main() {}\n")]);
    checked.read().assert_refused("unsupported_format", "checker.cpp");
}

/// Two subtasks, the second needs the first; one case is slower.
const CONFIG: &str = "type: default\ntime: 500ms\nmemory: 64m\nsubtasks:\n\
    - {id: 1, score: 30, type: min, cases: [{input: a1.in, output: a1.out}, {input: a2.in, output: a2.out}]}\n\
    - {id: 2, score: 70, type: sum, if: [1], time: 2s, cases: [{input: b.in, output: b.out, score: 70, memory: 1g}]}\n";

fn hydro(config: &str) -> Files {
    let mut made = files(&[
        ("P1/problem.yaml", "pid: P1000\ntitle: 求和\n"),
        ("P1/problem_zh.md", "求和。\n"),
        ("P1/problem_en.md", "Add.\n"),
        ("P1/testdata/config.yaml", config),
    ]);
    for stem in ["a1", "a2", "b"] {
        made.set(&format!("P1/testdata/{stem}.in"), "1 2\n").set(&format!("P1/testdata/{stem}.out"), "3\n");
    }
    made
}

#[test]
fn hydros_subtasks_limits_and_statements_are_read() {
    let reading = hydro(CONFIG).read();
    let package = reading.package();
    assert_eq!(names(package), ["secret/subtask1/001-a1", "secret/subtask1/002-a2", "secret/subtask2/001-b"]);
    let groups: Vec<_> = root(package).groups.iter().map(|g| (g.name.as_str(), g.max_score, g.rule.clone())).collect();
    assert_eq!(
        groups,
        [
            ("secret/subtask1", Some(30.0), GroupRule::Share(Share::Min)),
            ("secret/subtask2", Some(70.0), GroupRule::Share(Share::Sum)),
        ]
    );
    assert_eq!(
        (root(package).max_score, &root(package).groups[1].requires),
        (Some(100.0), &vec!["subtask1".to_owned()])
    );
    let last = &package.cases[2].rules;
    assert_eq!((last.time_limit_ms, last.memory_bytes, last.points), (Some(2000), Some(1 << 30), Some(70.0)));
    assert_eq!((package.limits.time_limit_ms, package.limits.memory_bytes), (Some(500), 64 << 20));
    assert_eq!((package.slug.as_str(), package.titles[0].text.as_str()), ("p1000", "求和"));
    let languages: Vec<_> = package.statements.iter().map(|statement| statement.language.as_str()).collect();
    assert_eq!((languages, &package.rules.checker), (vec!["en", "zh"], &Checker::Lines));
}

#[test]
fn without_a_list_every_pair_counts_and_what_cannot_be_had_is_refused_by_name() {
    let reading = hydro("time: 1s\nmemory: 256m\n").read();
    let package = reading.package();
    assert_eq!(names(package), ["secret/a1", "secret/a2", "secret/b"]);
    assert_eq!((root(package).max_score, root(package).groups.len()), (Some(100.0), 0));
    for config in [
        "checker: chk.cc\n",
        "checker_type: testlib\n",
        "type: interactive\ninteractor: i.cc\n",
        "type: objective\n",
        "filename: sum\n",
    ] {
        hydro(config).read().assert_refused("unsupported_format", "testdata/config.yaml");
    }
    for config in
        ["time: soon\n", "subtasks: 5\n", "cases: [{input: a1.in}]\n", "cases: [{input: x.in, output: x.out}]\n"]
    {
        hydro(config).read().assert_refused("yaml_invalid", "testdata/config.yaml");
    }
    let mut clash = hydro("time: 1s\nmemory: 256m\n");
    clash.set("P1/testdata/a1.ans", "4\n").read().assert_refused("case_collision", "a1.out");
    let strict = hydro("checker_type: strict\ntime: 1s\nmemory: 256m\n").read();
    assert_eq!(strict.package().rules.checker, Checker::Exact);
}
