//! Plain comparisons, and limits of single cases, on the real engine.

mod judging_support;

use judge_core::domain::rules::{CaseRules, Checker};
use judge_core::judging::{JudgeMode, JudgeableProblem, Judged, NoProgress};
use judging_support::{Rig, program, sums};
use tokio_util::sync::CancellationToken;

async fn all_of(rig: &Rig, text: &str, problem: &JudgeableProblem) -> Vec<String> {
    let cancel = CancellationToken::new();
    let judged = rig.judging.judge(&program("python3", text), problem, JudgeMode::RunAll, &NoProgress, &cancel).await;
    let judged: Judged = judged.expect("judged");
    judged.runs.iter().map(|run| run.verdict.as_str().to_owned()).collect()
}

const SUM: &str = "a, b = map(int, input().split())\n";

#[tokio::test(flavor = "multi_thread")]
async fn lines_are_compared_as_lines() {
    let Some(rig) = Rig::new().await else { return };
    let mut problem = sums(&rig);
    for (checker, print, expected) in [
        (Checker::Lines, "print(a + b, '  ')\nprint()\n", "AC"),
        (Checker::Lines, "print('', a + b)\n", "WA"),
        (Checker::WhiteDiff, "print('', a + b)\n", "AC"),
        (Checker::WhiteDiff, "print(a + b + 1)\n", "WA"),
        (Checker::Exact, "print(a + b)\n", "AC"),
        (Checker::Exact, "print(a + b, '')\n", "WA"),
        (Checker::Lines, "print(a + b)\nexit(1)\n", "RTE"),
    ] {
        problem.rules.checker = checker.clone();
        let judged = rig.judge("python3", &format!("{SUM}{print}"), &problem).await;
        assert_eq!(judged.verdict.as_str(), expected, "{checker:?} {print}");
        assert_eq!(judged.reason.is_empty(), expected == "AC", "{judged:?}");
    }
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_case_may_have_limits_of_its_own() {
    let Some(rig) = Rig::new().await else { return };
    let mut problem = sums(&rig);
    problem.cases[1].rules = CaseRules { time_limit_ms: Some(300), ..CaseRules::default() };
    problem.cases[2].rules = CaseRules { memory_bytes: Some(48 << 20), ..CaseRules::default() };
    let slow = format!("import time\n{SUM}while time.process_time() < 1: pass\nprint(a + b)\n");
    assert_eq!(all_of(&rig, &slow, &problem).await, ["AC", "TLE", "AC"]);
    let large = format!("{SUM}x = bytearray(100 << 20)\nprint(a + b)\n");
    assert_eq!(all_of(&rig, &large, &problem).await, ["AC", "AC", "MLE"]);
    rig.finish().await;
}
