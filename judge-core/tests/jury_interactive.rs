//! Conversations on the real engine: who is believed when somebody leaves, floods, closes or crashes; several passes.
//! (Rules: formats §1.7; scenarios S33 to S35. Each race is run a hundred times.)

mod judging_support;

use agon_contract::verdict::Verdict;
use judge_core::domain::rules::{Checker, CheckerProtocol, Conduct, JudgingRules, JuryLimits};
use judge_core::judging::{JudgeMode, JudgeableProblem, Judged, NoProgress};
use judging_support::desk::{Desk, cpp};
use judging_support::{Rig, limits, program};
use tokio_util::sync::CancellationToken;

/// Knows a number from 1 to 1000; answers `lower`, `higher` or `equal`; rejects what is no number in the range.
const GUESS: &str = r#"
#include <cstdio>
#include <string>
int main(int argc, char **argv) {
    FILE *in = fopen(argv[1], "r");
    int secret, guess;
    std::string dir = argv[3];
    auto say = [&](const char *text) { FILE *f = fopen((dir + "judgemessage.txt").c_str(), "w"); fputs(text, f); fclose(f); };
    if (fscanf(in, "%d", &secret) != 1) return 1;
    for (int turn = 0; turn < 20; turn++) {
        int got = scanf("%d", &guess);
        if (got == EOF) { say("left early"); return 43; }
        if (got != 1 || guess < 1 || guess > 1000) { say("not a guess"); return 43; }
        if (guess == secret) { puts("equal"); fflush(stdout); say("found"); return 42; }
        puts(guess > secret ? "lower" : "higher"); fflush(stdout);
    }
    say("too many guesses");
    return 43;
}
"#;
const SEARCH: &str = r#"
low, high = 1, 1000
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    answer = input()
    if answer == "equal": break
    if answer == "lower": high = middle - 1
    else: low = middle + 1
"#;

fn interactive(desk: &mut Desk<'_>, validator: &str, cases: usize) -> JudgeableProblem {
    let program = desk.program(cpp(), &[("v.cpp", validator)]);
    let rules = JudgingRules {
        conduct: Conduct::Interactive,
        checker: Checker::Program { program, protocol: CheckerProtocol::Icpc, args: Vec::new() },
        jury_limits: JuryLimits { time_ms: 2000, ..JuryLimits::default() },
        ..JudgingRules::default()
    };
    let inputs: Vec<String> = (0..cases).map(|number| format!("{}\n", number * 37 % 999 + 1)).collect();
    let rows: Vec<(&str, &str)> = inputs.iter().map(|input| (input.as_str(), "")).collect();
    let mut problem = desk.problem(rules, &rows);
    problem.limits = limits(1000, 256);
    problem
}

async fn all(rig: &Rig, language: &str, text: &str, problem: &JudgeableProblem) -> Judged {
    let cancel = CancellationToken::new();
    let program = program(language, text);
    let judging = rig.judging.judge(&program, problem, JudgeMode::RunAll, &NoProgress, &cancel);
    judging.await.unwrap_or_else(|error| panic!("not judged: {error}"))
}

/// Every case ends so.
fn assert_each(judged: &Judged, verdict: &str, message: &str, cases: usize) {
    assert_eq!(judged.runs.len(), cases, "{judged:?}");
    for run in &judged.runs {
        assert_eq!((run.verdict.as_str(), run.message.as_str()), (verdict, message), "{run:?}");
    }
}

const TIMES: usize = 100;

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_finds_the_number_and_is_written_down() {
    let Some(rig) = Rig::new().await else { return };
    let mut desk = Desk::new(&rig);
    let problem = interactive(&mut desk, GUESS, TIMES);
    let judged = all(&rig, "python3", SEARCH, &problem).await;
    assert_each(&judged, "AC", "found", TIMES);
    let first = String::from_utf8_lossy(&judged.runs[0].output_head);
    assert!(first.starts_with(">500\n<lower\n>250\n<lower\n") && first.ends_with(">1\n<equal\n"), "{first}");
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_query_counts_however_the_submission_ends_after_it() {
    let Some(rig) = Rig::new().await else { return };
    let mut desk = Desk::new(&rig);
    let problem = interactive(&mut desk, GUESS, TIMES);
    // S33: the crash comes at once after the query, and may be seen first.
    let judged =
        all(&rig, "cpp20", "#include <cstdio>\nint main(){puts(\"-5\");fflush(stdout);return 1;}", &problem).await;
    assert_each(&judged, "WA", "not a guess", TIMES);
    // It reads on and crashes because nothing more comes.
    let reads_on = "#include <cstdio>\n#include <cstdlib>\nint main(){puts(\"-5\");fflush(stdout);char s[9];if(scanf(\"%8s\",s)!=1)abort();}";
    let judged = all(&rig, "cpp20", reads_on, &problem).await;
    assert_each(&judged, "WA", "not a guess", TIMES);
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn leaving_early_is_a_wrong_answer_and_crashing_is_a_crash() {
    let Some(rig) = Rig::new().await else { return };
    let mut desk = Desk::new(&rig);
    let problem = interactive(&mut desk, GUESS, TIMES);
    // S35, and without a word.
    let leaves = "#include <cstdio>\nint main(){puts(\"1000\");fflush(stdout);return 0;}";
    let judged = all(&rig, "cpp20", leaves, &problem).await;
    assert_each(&judged, "WA", "left early", TIMES);
    let judged = all(&rig, "cpp20", "int main(){return 0;}", &problem).await;
    assert_each(&judged, "WA", "left early", TIMES);
    // The jury's program only hears of the end: the crash is what counts.
    let mut few = problem.clone();
    few.cases.truncate(10);
    let judged =
        all(&rig, "cpp20", "#include <cstdio>\nint main(){puts(\"500\");fflush(stdout);return 3;}", &few).await;
    assert_each(&judged, "RTE", "exit code 3", 10);
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_blamed_for_a_pipe_that_the_other_side_left() {
    let Some(rig) = Rig::new().await else { return };
    let mut desk = Desk::new(&rig);
    // Accepts at the first word and leaves, while the submission goes on to write a megabyte.
    let leaves = "#include <cstdio>\nint main(){int n;return scanf(\"%d\",&n)==1?42:43;}";
    let problem = interactive(&mut desk, leaves, TIMES);
    let writes = "#include <cstdio>\nint main(){for(int i=0;i<200000;i++)puts(\"1 2\");fflush(stdout);return 0;}";
    assert_each(&all(&rig, "cpp20", writes, &problem).await, "AC", "", TIMES);
    // Writes to a submission that has long gone, then accepts.
    let writes = "#include <cstdio>\n#include <unistd.h>\nint main(){int n;if(scanf(\"%d\",&n)!=1)return 43;usleep(20000);for(int i=0;i<200000;i++)puts(\"1 2\");fflush(stdout);return 42;}";
    let problem = interactive(&mut desk, writes, TIMES);
    let leaves = "#include <cstdio>\nint main(){puts(\"1\");return 0;}";
    assert_each(&all(&rig, "cpp20", leaves, &problem).await, "AC", "", TIMES);
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_side_may_close_its_output_and_listen_on() {
    let Some(rig) = Rig::new().await else { return };
    let mut desk = Desk::new(&rig);
    // Says all it has to say, closes, and waits for the sum.
    let closes =
        "#include <cstdio>\nint main(){puts(\"3\\n4\");fclose(stdout);int n;return scanf(\"%d\",&n)==1&&n==7?42:43;}";
    let problem = interactive(&mut desk, closes, TIMES);
    let sums = "import sys\nprint(sum(map(int, sys.stdin.read().split())))\n";
    assert_each(&all(&rig, "python3", sums, &problem).await, "AC", "", TIMES);
    // The submission closes its output and works on: its end is what the other sees, not the closing.
    let counts = "#include <cstdio>\nint main(){int n,k=0;while(scanf(\"%d\",&n)==1)k++;return k==2?42:43;}";
    let problem = interactive(&mut desk, counts, 20);
    let closes = "import os, time\nprint(1)\nprint(2, flush=True)\nos.close(1)\ntime.sleep(0.05)\n";
    assert_each(&all(&rig, "python3", closes, &problem).await, "AC", "", 20);
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn floods_and_silence_end_by_the_limits() {
    let Some(rig) = Rig::new().await else { return };
    let mut desk = Desk::new(&rig);
    let mut problem = interactive(&mut desk, GUESS, 3);
    problem.limits.output_bytes = 1 << 20;
    // S34: both never stop. The jury's program rejects after 20 guesses, and the flood is over at its limit.
    let floods = "#include <cstdio>\nint main(){for(;;)puts(\"1001\");}";
    assert_each(&all(&rig, "cpp20", floods, &problem).await, "WA", "not a guess", 3);
    let endless =
        "#include <cstdio>\nint main(){int n;while(scanf(\"%d\",&n)==1){puts(\"higher\");fflush(stdout);}return 43;}";
    let mut unending = interactive(&mut desk, endless, 3);
    unending.limits.output_bytes = 1 << 20;
    let judged = all(&rig, "cpp20", "#include <cstdio>\nint main(){for(;;)puts(\"0\");}", &unending).await;
    assert!(
        judged.runs.iter().all(|run| matches!(run.verdict, Verdict::OutputLimit | Verdict::TimeLimit)),
        "{judged:?}"
    );
    // Waits for a word that never comes, since it said none.
    let judged = all(&rig, "python3", "input()\n", &problem).await;
    assert!(
        judged.runs.iter().all(|run| run.verdict == Verdict::TimeLimit && run.message.starts_with("idle")),
        "{judged:?}"
    );
    // The jury's program hangs after a submission that failed: that is what counts, and nobody waits for minutes.
    let hangs = "#include <cstdio>\n#include <unistd.h>\nint main(){fclose(stdout);for(;;)sleep(1);}";
    let mut hanging = interactive(&mut desk, hangs, 1);
    hanging.rules.jury_limits.time_ms = 600_000;
    let judged = all(&rig, "python3", "input()\n", &hanging).await;
    assert_each(&judged, "RTE", "exit code 1", 1);
    // Burns its time.
    let judged = all(&rig, "cpp20", "int main(){for(volatile int i=0;;i=i+1);}", &problem).await;
    assert!(
        judged.runs.iter().all(|run| run.verdict == Verdict::TimeLimit && run.outcome == "cpu limit"),
        "{judged:?}"
    );
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_the_jurys_program_does_wrong_is_a_judge_error() {
    let Some(rig) = Rig::new().await else { return };
    let mut desk = Desk::new(&rig);
    for (validator, words) in [
        ("int main(){return 0;}", "exit 0"),
        ("#include <cstdlib>\nint main(){abort();}", "SIGABRT"),
        ("int main(){for(volatile int i=0;;i=i+1);}", "cpu limit"),
        ("#include <cstdio>\nint main(){for(;;)puts(\"flood\");}", "output limit"),
    ] {
        let problem = interactive(&mut desk, validator, 1);
        let judged =
            all(&rig, "python3", "print(1, flush=True)\ntry: input()\nexcept EOFError: pass\n", &problem).await;
        assert_eq!(judged.verdict, Verdict::JudgeError, "{words}: {judged:?}");
        assert!(judged.reason.contains(words) && judged.reason.contains("secret/1"), "{words}: {judged:?}");
    }
    rig.finish().await;
}

/// Encodes in the first pass (input: a word), decodes in the second (input: what the first printed, reversed).
const TWO_PASSES: &str = r#"
#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
int main(int argc, char **argv) {
    std::string dir = argv[3], word, said, line;
    std::ifstream in(argv[1]);
    in >> word;
    std::ifstream state(dir + "state.txt");
    if (!state) {
        if (!(std::cin >> said) || said == word) return 43;
        std::ofstream(dir + "state.txt") << said;
        std::reverse(said.begin(), said.end());
        std::ofstream(dir + "nextpass.in") << "decode " << said << "\n";
        std::ofstream(dir + "judgemessage.txt", std::ios::app) << "pass one\n";
        return 42;
    }
    std::ofstream(dir + "judgemessage.txt", std::ios::app) << "pass two\n";
    if (std::ifstream(dir + "nextpass.in")) return 1;
    return std::cin >> said && said == word ? 42 : 43;
}
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_second_pass_gets_what_the_first_left() {
    let Some(rig) = Rig::new().await else { return };
    let mut desk = Desk::new(&rig);
    let program = desk.program(cpp(), &[("v.cpp", TWO_PASSES)]);
    let checker = Checker::Program { program, protocol: CheckerProtocol::Icpc, args: Vec::new() };
    let rules = JudgingRules { checker, passes: 2, ..JudgingRules::default() };
    let problem = desk.problem(rules, &[("abc\n", ""), ("hello\n", "")]);
    let right = "words = input().split()\n\
        print(words[1][::-1][1:] if words[0] == 'decode' else 'x' + words[0])\n";
    let judged = rig.judge("python3", right, &problem).await;
    assert_each(&judged, "AC", "pass one\npass two", 2);
    assert_eq!(judged.runs[0].output_head, b"xabc\n---\nabc\n");
    let judged = rig.judge("python3", "print('x')\n", &problem).await;
    assert_each(&judged, "WA", "pass one\npass two", 1);
    let crash = "words = input().split()\nprint('x' + words[0]) if words[0] != 'decode' else exit(7)\n";
    assert_each(&rig.judge("python3", crash, &problem).await, "RTE", "exit code 7", 1);
    // A link in its place is no end of the passes.
    let linked = TWO_PASSES.replace(
        "        std::ofstream(dir + \"judgemessage.txt\", std::ios::app) << \"pass one\\n\";",
        "        std::ofstream(dir + \"next\") << said; std::system((\"ln -s next \" + dir + \"x; mv \" + dir + \"x \" + dir + \"nextpass.in\").c_str());",
    );
    assert_ne!(linked, TWO_PASSES);
    let program = desk
        .program(cpp(), &[("v.cpp", &linked.replace("#include <string>", "#include <string>\n#include <cstdlib>"))]);
    let mut odd = problem.clone();
    odd.rules.checker = Checker::Program { program, protocol: CheckerProtocol::Icpc, args: Vec::new() };
    odd.contents.clone_from(&desk.contents);
    let judged = rig.judge("python3", right, &odd).await;
    assert!(
        judged.verdict == Verdict::JudgeError && judged.reason.contains("nextpass.in that is no plain file"),
        "{judged:?}"
    );
    let mut single = problem.clone();
    single.rules.passes = 1;
    let judged = rig.judge("python3", right, &single).await;
    assert!(judged.verdict == Verdict::JudgeError && judged.reason.contains("another pass after 1"), "{judged:?}");
    rig.finish().await;
}
