//! Rules of grading, one row each. (Sources: formats §1.6 and trap 1 of §10.)

use super::groups::{Grader, GroupRule, Share};
use super::*;

fn grade(results: &[&str], runs_all: bool) -> (Graded, usize) {
    let case = |n: usize| GradedCase { name: format!("secret/{n}"), is_sample: false, points: None };
    let cases: Vec<GradedCase> = (0..results.len()).map(case).collect();
    let mut grading = Grading::new(&ScoringRules::PassFail, &cases, runs_all);
    let mut ran = 0;
    while let Step::Case(index) = grading.next() {
        assert_eq!(index, ran, "in judging order, once each");
        ran += 1;
        grading.record(index, CaseResult { verdict: Verdict::from(results[index]), score: CaseScore::Unstated });
    }
    (grading.graded(), ran)
}

#[test]
fn a_pass_fail_problem_ends_at_its_first_failure() {
    let (graded, ran) = grade(&["AC", "TLE", "WA"], false);
    assert_eq!((graded.verdict.as_str(), graded.first_failing, ran), ("TLE", Some(1), 2));
    let (graded, ran) = grade(&["AC", "TLE", "WA"], true);
    assert_eq!((graded.verdict.as_str(), graded.first_failing, ran), ("TLE", Some(1), 3));
    let (graded, ran) = grade(&["AC", "AC"], false);
    assert_eq!((graded.verdict.as_str(), graded.first_failing, graded.score, ran), ("AC", None, None, 2));
}

fn group(name: &str, max_score: Option<f64>, rule: GroupRule, groups: Vec<Group>) -> Group {
    Group { name: name.into(), max_score, rule, requires: Vec::new(), groups }
}

/// Results are given as `name=VERDICT`, `name=VERDICT*0.5` (multiplier) or `name=VERDICT:7` (score).
fn run(root: Group, results: &str, runs_all: bool) -> (Graded, Vec<String>) {
    let rows: Vec<(&str, &str)> = results.split(' ').map(|row| row.split_once('=').expect("name=result")).collect();
    let cases: Vec<GradedCase> = rows
        .iter()
        .map(|(name, _)| GradedCase { name: (*name).into(), is_sample: name.starts_with("sample"), points: None })
        .collect();
    let mut grading = Grading::new(&ScoringRules::Groups(Box::new(root)), &cases, runs_all);
    let mut ran: Vec<String> = Vec::new();
    while let Step::Case(index) = grading.next() {
        let (name, said) = rows[index];
        assert!(!ran.iter().any(|earlier| earlier == name), "{name} was asked for twice");
        ran.push(name.into());
        let (verdict, score) = match (said.split_once('*'), said.split_once(':')) {
            (Some((verdict, part)), _) => (verdict, CaseScore::Multiplier(part.parse().expect("a number"))),
            (None, Some((verdict, points))) => (verdict, CaseScore::Points(points.parse().expect("a number"))),
            (None, None) => (said, CaseScore::Unstated),
        };
        grading.record(index, CaseResult { verdict: Verdict::from(verdict), score });
    }
    (grading.graded(), ran)
}

fn shared(share: Share, max: Option<f64>) -> Group {
    group("secret", max, GroupRule::Share(share), Vec::new())
}

#[test]
fn a_group_shares_its_points_out() {
    let rows = [
        (Share::Sum, Some(100.0), "secret/1=AC secret/2=AC secret/3=AC", "AC", "100", 3),
        (Share::Sum, Some(100.0), "secret/1=AC secret/2=WA secret/3=AC", "WA", "66.666667", 3),
        (Share::Sum, Some(100.0), "secret/1=AC*0.5 secret/2=AC", "AC", "75", 2),
        (Share::Sum, Some(100.0), "secret/1=AC:12.5 secret/2=AC", "AC", "62.5", 2),
        (Share::Sum, None, "secret/1=AC:1200 secret/2=AC:900", "AC", "2100", 2),
        (Share::Min, Some(30.0), "secret/1=AC*0.5 secret/2=AC", "AC", "15", 2),
        (Share::Min, Some(30.0), "secret/1=TLE secret/2=WA", "TLE", "0", 1),
        (Share::Max, Some(30.0), "secret/1=WA secret/2=AC*0.5", "WA", "15", 2),
        (Share::PassFail, Some(30.0), "secret/1=AC secret/2=AC", "AC", "30", 2),
        (Share::PassFail, Some(30.0), "secret/1=AC secret/2=WA secret/3=AC", "WA", "0", 2),
        (Share::Sum, Some(10.0), "sample/1=WA secret/1=AC", "WA", "10", 2),
        (Share::Sum, Some(10.0), "sample/1=AC:3 secret/1=AC", "AC", "10", 2),
        (Share::Sum, Some(10.0), "sample/1=AC:3 secret/1=AC*0.5", "AC", "5", 2),
    ];
    for (share, max, results, verdict, score, count) in rows {
        let (graded, ran) = run(shared(share, max), results, false);
        assert_eq!(graded.fault, None, "{results}");
        assert_eq!((graded.verdict.as_str(), ran.len()), (verdict, count), "{share:?} {results}");
        assert_eq!(Score::of(graded.score.expect("scored")).to_string(), score, "{share:?} {results}");
        let (all, _) = run(shared(share, max), results, true);
        assert_eq!((all.verdict, all.score), (graded.verdict, graded.score), "running all changes nothing: {results}");
    }
}

#[test]
fn what_breaks_the_rules_of_scores_is_the_packages_fault() {
    for (share, max, results, words) in [
        (Share::Sum, Some(10.0), "secret/1=WA:0", "rejected"),
        (Share::Sum, Some(10.0), "secret/1=WA*0", "rejected"),
        (Share::PassFail, Some(10.0), "secret/1=AC:1", "pass-fail"),
        (Share::Sum, None, "secret/1=AC*0.5", "unbounded"),
        (Share::Sum, None, "secret/1=AC", "unbounded"),
        (Share::Sum, Some(10.0), "secret/1=AC:5.1 secret/2=AC", "more than"),
        (Share::Sum, Some(10.0), "secret/1=AC*1.01", "within"),
        (Share::Sum, Some(10.0), "secret/1=AC:-1", "negative"),
        (Share::Sum, Some(10.0), "secret/1=AC:NaN", "negative or no number"),
        (Share::Sum, Some(10.0), "secret/1=AC*NaN", "within"),
        (Share::Sum, Some(10.0), "secret/1=AC:1 secret/2=AC*1", "another"),
        (Share::Sum, Some(10.0), "secret/1=JE secret/2=AC", "judge error"),
    ] {
        for runs_all in [false, true] {
            let (graded, _) = run(shared(share, max), results, runs_all);
            let fault = graded.fault.expect(results);
            assert!(fault.contains(words), "{results}: {fault}");
            assert_eq!((graded.verdict.as_str(), graded.score), ("JE", None), "{results}");
        }
    }
    let heavy = group("secret/a", Some(20.0), GroupRule::Share(Share::PassFail), Vec::new());
    let (graded, _) = run(Group { groups: vec![heavy], ..shared(Share::Sum, Some(10.0)) }, "secret/a/1=AC", false);
    assert!(graded.fault.is_some_and(|words| words.contains("at most 10")), "a sum above secret's maximum");
}

#[test]
fn a_group_that_requires_a_failed_one_is_not_run() {
    let part = |name: &str, requires: &[&str]| Group {
        requires: requires.iter().map(|&name| name.to_owned()).collect(),
        ..group(name, Some(50.0), GroupRule::Share(Share::PassFail), Vec::new())
    };
    let root = |requires: &[&str]| Group {
        groups: vec![part("secret/a", &[]), part("secret/b", requires)],
        ..shared(Share::Sum, Some(100.0))
    };
    let results = "sample/1=AC secret/a/1=WA secret/a/sub/2=AC secret/b/1=AC";
    let (graded, ran) = run(root(&["a"]), results, false);
    assert_eq!((graded.score, ran), (Some(0.0), vec!["sample/1".to_owned(), "secret/a/1".into()]));
    let blocked: Vec<(&str, bool)> = graded.groups.iter().map(|g| (g.name.as_str(), g.is_blocked)).collect();
    assert_eq!(blocked, [("secret", false), ("secret/a", false), ("secret/b", true)]);
    assert_eq!(run(root(&["a"]), results, true).0.score, Some(0.0), "run for the report, and still worth nothing");
    assert_eq!(run(root(&["sample"]), results, false).0.score, Some(50.0));
    let (graded, ran) = run(root(&["later"]), results, false);
    assert!(graded.fault.is_some_and(|words| words.contains("no earlier group")), "{ran:?}");
}

fn legacy(root_flags: &str, secret_flags: &str, breaks: bool) -> Group {
    let node = |name: &str, flags: &str| {
        let mut grader = Grader { breaks, ..Grader::default() };
        grader.take_flags(flags.split_whitespace()).expect("known flags");
        group(name, None, GroupRule::Grader(grader), Vec::new())
    };
    Group { groups: vec![node("sample", ""), node("secret", secret_flags)], ..node("", root_flags) }
}

#[test]
fn the_legacy_grader_obeys_its_flags() {
    let case = "sample/1=AC secret/1=WA secret/2=TLE secret/3=AC";
    for (root, secret, breaks, results, verdict, score, count) in [
        // Trap 1: the worst of those that were run; with `break` that is the first.
        ("", "", true, case, "WA", 0.0, 2),
        ("", "", false, case, "TLE", 0.0, 4),
        ("first_error", "first_error", false, case, "WA", 0.0, 4),
        ("", "first_error worst_error", false, case, "TLE", 0.0, 4),
        ("", "first_error no_errors", false, case, "TLE", 0.0, 4),
        ("", "always_accept", false, case, "AC", 2.0, 4),
        ("", "accept_if_any_accepted", false, case, "AC", 2.0, 4),
        ("ignore_sample", "accept_if_any_accepted", false, case, "AC", 1.0, 4),
        ("ignore_sample", "", true, "sample/1=WA secret/1=AC", "AC", 1.0, 2),
        ("", "", true, "sample/1=WA secret/1=AC", "WA", 0.0, 1),
        ("ignore_sample", "avg", true, "secret/1=AC:10 secret/2=AC:20", "AC", 15.0, 2),
        ("ignore_sample", "sum min max", true, "secret/1=AC:10 secret/2=AC:20", "AC", 20.0, 2),
        ("ignore_sample", "min", true, "secret/1=AC:10 secret/2=AC", "AC", 1.0, 2),
        ("ignore_sample", "always_accept", false, "secret/1=WA:4 secret/2=AC:20", "AC", 24.0, 2),
    ] {
        let (graded, ran) = run(legacy(root, secret, breaks), results, false);
        assert_eq!(graded.fault, None, "{root}/{secret} {results}");
        let got = (graded.verdict.as_str(), graded.score, ran.len());
        assert_eq!(got, (verdict, Some(score), count), "`{root}` `{secret}` break {breaks}: {results}");
        let (all, _) = run(legacy(root, secret, breaks), results, true);
        assert_eq!((all.verdict, all.score), (graded.verdict, graded.score), "running all: {results}");
    }
    let (graded, _) = run(legacy("accept_if_any_accepted min", "", true), "secret/1=AC secret/2=WA", false);
    assert_eq!(graded.verdict.as_str(), "WA", "an empty sample group is not accepted");
    let (graded, _) = run(legacy("min", "", true), "secret/1=AC", false);
    assert_eq!((graded.score, graded.groups.len()), (Some(1.0), 1), "nor does it pull the least score down");
    assert_eq!(Grader::default().take_flags(["sum", "wrong"]), Err("wrong"));
}

#[test]
fn a_legacy_score_outside_of_its_range_is_a_fault() {
    let grader = Grader { most: Some(5.0), least: Some(0.0), ..Grader::default() };
    let root = || group("", None, GroupRule::Grader(grader.clone()), Vec::new());
    let (graded, _) = run(root(), "secret/1=AC:5", false);
    assert_eq!((graded.score, graded.max_score), (Some(5.0), Some(5.0)));
    for results in ["secret/1=AC:5.5", "secret/1=AC:-1"] {
        assert!(run(root(), results, false).0.fault.is_some_and(|words| words.contains("range")), "{results}");
    }
    assert!(run(root(), "secret/1=AC*0.5", false).0.fault.is_some());
}

#[test]
fn rules_keep_their_words() {
    let rules = ScoringRules::Groups(Box::new(legacy("first_error", "min", false)));
    let text = serde_json::to_string(&rules).expect("plain data");
    assert_eq!(serde_json::from_str::<ScoringRules>(&text).expect("its own words"), rules);
}
