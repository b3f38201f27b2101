//! Output validators on the real engine: the protocol, and everything that a validator can do wrong.

mod judging_support;

use std::sync::Arc;

use agon_contract::verdict::Verdict;
use judge_core::domain::jury::{JuryBuild, JuryProgram};
use judge_core::domain::rules::{Checker, CheckerProtocol, Include, JudgingRules, JuryLimits};
use judge_core::judging::{
    JudgeMode, JudgeableProblem, Judged, NoProgress, PackageFault, Program, ProgramFile, language_by_id,
};
use judging_support::desk::{Desk, cpp};
use judging_support::{Rig, program};
use tokio_util::sync::CancellationToken;

/// Accepts any divisor of the input other than 1 and itself, and says which lines it read.
const DIVISOR: &str = r#"
#include <cstdio>
#include <cstring>
#include <string>
int main(int argc, char **argv) {
    if (argc < 4 || argv[3][strlen(argv[3]) - 1] != '/') return 1;
    FILE *in = fopen(argv[1], "r"), *ans = fopen(argv[2], "r");
    long n, a, d;
    if (!in || !ans || fscanf(in, "%ld", &n) != 1 || fscanf(ans, "%ld", &a) != 1) return 2;
    std::string dir = argv[3];
    auto say = [&](const char *name, const char *text) { FILE *f = fopen((dir + name).c_str(), "w"); fputs(text, f); fclose(f); };
    if (scanf("%ld", &d) != 1) { say("judgemessage.txt", "no number"); return 43; }
    if (d <= 1 || d >= n || n % d) { say("judgemessage.txt", "no divisor, the jury has another"); say("teammessage.txt", "not a divisor"); return 43; }
    say("judgemessage.txt", argc > 4 ? argv[4] : "fine");
    return 42;
}
"#;
const RIGHT: &str = "n = int(input())\nprint(next(d for d in range(2, n) if n % d == 0))\n";
const OTHER: &str = "n = int(input())\nprint(next(d for d in range(n - 1, 1, -1) if n % d == 0))\n";
const WRONG: &str = "print(1)\n";

/// Three composite numbers.
fn divisors(desk: &Desk<'_>, program: JuryProgram, args: &[&str], jury_limits: JuryLimits) -> JudgeableProblem {
    let rules = JudgingRules {
        checker: Checker::Program {
            program,
            protocol: CheckerProtocol::Icpc,
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        },
        jury_limits,
        ..JudgingRules::default()
    };
    desk.problem(rules, &[("12\n", "2\n"), ("35\n", "5\n"), ("77\n", "7\n")])
}

fn fault(judged: &Judged) -> &str {
    match &judged.fault {
        Some(PackageFault::JuryFailed(said)) => said,
        other => panic!("{other:?} in {judged:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_validator_decides_and_its_words_go_to_whom_they_are_for() {
    let Some(rig) = Rig::new().await else { return };
    let mut desk = Desk::new(&rig);
    let divisor = desk.program(cpp(), &[("v.cpp", DIVISOR)]);
    let problem = divisors(&desk, divisor, &["from the flags"], JuryLimits::default());
    for source in [RIGHT, OTHER] {
        let judged = rig.judge("python3", source, &problem).await;
        assert_eq!(judged.verdict, Verdict::Accepted, "{judged:?}");
        assert!(judged.runs.iter().all(|run| run.message == "from the flags"), "{judged:?}");
    }
    let judged = rig.judge("python3", WRONG, &problem).await;
    assert_eq!((judged.verdict.as_str(), judged.runs.len()), ("WA", 1));
    let run = &judged.runs[0];
    assert_eq!(
        (run.message.as_str(), run.team_message.as_str()),
        ("no divisor, the jury has another", "not a divisor")
    );
    assert_eq!(run.output_head, b"1\n");
    let crash = rig.judge("python3", "print(2)\nraise SystemExit(3)\n", &problem).await;
    assert_eq!(crash.verdict, Verdict::RunTimeError, "a crash is not looked at by the validator");
    let mut own = problem.clone();
    own.cases[1].rules.checker_args = Some(vec!["of the case".to_owned()]);
    let judged = rig.judge("python3", RIGHT, &own).await;
    let said: Vec<&str> = judged.runs.iter().map(|run| run.message.as_str()).collect();
    assert_eq!(said, ["from the flags", "of the case", "from the flags"]);
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_validator_does_wrong_is_a_judge_error_of_this_submission_alone() {
    let Some(rig) = Rig::new().await else { return };
    let tight = JuryLimits { time_ms: 500, memory_bytes: 64 << 20, output_bytes: 1 << 20 };
    for (what, code, words) in [
        ("exits 0", "int main(){return 0;}", "exit 0"),
        ("exits 1", "#include <cstdio>\nint main(){fputs(\"no file\", stderr);return 1;}", "exit 1"),
        ("segfaults", "int main(){volatile int *p=0;*p=1;}", "SIGSEGV"),
        ("loops", "int main(){for(volatile int i=0;;i=i+1);}", "cpu limit"),
        ("sleeps", "#include <unistd.h>\nint main(){sleep(100);}", "wall limit"),
        (
            "prints a gigabyte",
            "#include <cstdio>\nint main(){static char b[1<<20];for(int i=0;i<1024;i++)fwrite(b,1,sizeof b,stdout);return 42;}",
            "output limit",
        ),
        (
            "takes memory",
            "#include <cstring>\n#include <cstdlib>\nint main(){for(;;){char*p=(char*)malloc(1<<20);if(p)memset(p,1,1<<20);}}",
            "memory limit",
        ),
    ] {
        let mut desk = Desk::new(&rig);
        let broken = desk.program(cpp(), &[("v.cpp", code)]);
        let judged = rig.judge("python3", RIGHT, &divisors(&desk, broken, &[], tight)).await;
        assert_eq!((judged.verdict.as_str(), judged.runs.len()), ("JE", 1), "{what}: {judged:?}");
        let said = fault(&judged);
        assert!(
            said.contains(words) && said.contains("output_validators/v") && said.contains("secret/1"),
            "{what}: {said}"
        );
        assert_eq!(judged.reason, said);
    }
    let mut desk = Desk::new(&rig);
    let broken = desk.program(cpp(), &[("v.cpp", "int main(){ return nothing; }")]);
    let judged = rig.judge("python3", RIGHT, &divisors(&desk, broken, &[], tight)).await;
    assert_eq!((judged.verdict.as_str(), judged.runs.len()), ("JE", 0));
    assert!(
        matches!(&judged.fault, Some(PackageFault::JuryProgram { detail, .. }) if detail.contains("nothing")),
        "{judged:?}"
    );
    let mut desk = Desk::new(&rig);
    let well = desk.program(cpp(), &[("v.cpp", DIVISOR)]);
    let judged = rig.judge("python3", RIGHT, &divisors(&desk, well, &[], tight)).await;
    assert_eq!(judged.verdict, Verdict::Accepted, "the next submission is judged as ever");
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn validators_come_in_every_form_of_the_format() {
    let Some(rig) = Rig::new().await else { return };
    let python = "import sys\nn = int(open(sys.argv[1]).read())\nd = int(sys.stdin.read())\nsys.exit(42 if 1 < d < n and n % d == 0 else 43)\n";
    let package = "from helper import check\nimport sys\nsys.exit(check(sys.argv))\n";
    let helper = "import sys\ndef check(argv):\n    n = int(open(argv[1]).read())\n    d = int(sys.stdin.read())\n    return 42 if 1 < d < n and n % d == 0 else 43\n";
    let header = "#pragma once\ninline bool divides(long d, long n) { return d > 1 && d < n && n % d == 0; }\n";
    let with_header = "#include <cstdio>\n#include \"divides.h\"\nint main(int, char **a){long n,d;fscanf(fopen(a[1],\"r\"),\"%ld\",&n);return scanf(\"%ld\",&d)==1&&divides(d,n)?42:43;}\n";
    let build = "#!/bin/sh\nset -e\ng++ -O2 -o checker v.cpp\n";
    let run = "#!/bin/sh\nexec \"$(dirname \"$0\")/checker\" \"$@\"\n";
    for (what, how, files) in [
        ("one Python file", JuryBuild::Language("python3".into()), &[("validate.py", python)][..]),
        ("a Python package", JuryBuild::Language("python3".into()), &[("__main__.py", package), ("helper.py", helper)]),
        ("C++ with a header", cpp(), &[("validate.cpp", with_header), ("divides.h", header)]),
        ("build and run", JuryBuild::Scripts, &[("build", build), ("run", run), ("v.cpp", DIVISOR)]),
        (
            "a script alone",
            JuryBuild::Scripts,
            &[(
                "run",
                "#!/bin/sh\nread n < $1\nread d\n[ $d -gt 1 ] && [ $d -lt $n ] && [ $((n % d)) = 0 ] && exit 42\nexit 43\n",
            )],
        ),
    ] {
        let mut desk = Desk::new(&rig);
        let jury = desk.program(how, files);
        let problem = divisors(&desk, jury, &[], JuryLimits::default());
        // Twice: built, then out of the cache.
        for source in [OTHER, RIGHT] {
            let judged = rig.judge("python3", source, &problem).await;
            assert_eq!(judged.verdict, Verdict::Accepted, "{what}: {judged:?}");
        }
        assert_eq!(rig.judge("python3", WRONG, &problem).await.verdict, Verdict::WrongAnswer, "{what}");
    }
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_validator_that_reads_nothing_or_late_harms_nobody_and_large_outputs_reach_it_whole() {
    let Some(rig) = Rig::new().await else { return };
    let mut desk = Desk::new(&rig);
    let lazy = desk.program(cpp(), &[("v.cpp", "int main(){return 42;}")]);
    let mut problem = divisors(&desk, lazy, &[], JuryLimits::default());
    problem.limits.output_bytes = 64 << 20;
    let flood = "import sys\nfor i in range(300000): sys.stdout.write('0123456789012345678\\n')\n";
    assert_eq!(rig.judge("python3", flood, &problem).await.verdict, Verdict::Accepted);
    let counts = "#include <cstdio>\n#include <string>\nint main(int,char**a){long n=0;static char b[1<<16];size_t k;while((k=fread(b,1,sizeof b,stdin)))n+=k;\n\
        FILE*f=fopen((std::string(a[3])+\"judgemessage.txt\").c_str(),\"w\");fprintf(f,\"%ld\",n);fclose(f);return 42;}";
    let mut desk = Desk::new(&rig);
    let counting = desk.program(cpp(), &[("v.cpp", counts)]);
    let mut problem = divisors(&desk, counting, &[], JuryLimits::default());
    problem.limits.output_bytes = 64 << 20;
    let judged = rig.judge("python3", flood, &problem).await;
    assert!(judged.runs.iter().all(|run| run.message == "6000000"), "{:?}", judged.runs[0].message);
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn included_files_lie_over_the_submission_of_their_language() {
    let Some(rig) = Rig::new().await else { return };
    let mut desk = Desk::new(&rig);
    let lazy = desk.program(cpp(), &[("v.cpp", DIVISOR)]);
    let grader = desk.jury_file(
        "grader.cpp",
        "#include <cstdio>\nlong solve(long);\nint main(){long n;scanf(\"%ld\",&n);printf(\"%ld\\n\",solve(n));}\n",
        false,
    );
    let library = desk.jury_file("jury.py", "def solve(n): return next(d for d in range(2, n) if n % d == 0)\n", false);
    let mut problem = divisors(&desk, lazy, &[], JuryLimits::default());
    problem.rules.includes = vec![
        Include { language: "cpp".into(), files: vec![grader], entry: None },
        Include { language: "default".into(), files: vec![library], entry: None },
    ];
    let solve = "long solve(long n){for(long d=2;;d++)if(n%d==0)return d;}\n";
    assert_eq!(rig.judge("cpp17", solve, &problem).await.verdict, Verdict::Accepted);
    let python = "from jury import solve\nprint(solve(int(input())))\n";
    assert_eq!(rig.judge("python3", python, &problem).await.verdict, Verdict::Accepted);
    let language = Arc::clone(language_by_id(&"python3".into()).expect("in the table"));
    let file = |name: &str, text: &str| ProgramFile { name: name.into(), bytes: text.as_bytes().to_vec() };
    let own = Program { language, files: vec![file("main.py", python), file("jury.py", "def solve(n): return 1\n")] };
    let cancel = CancellationToken::new();
    let judged = rig.judging.judge(&own, &problem, JudgeMode::StopAtFirstFailure, &NoProgress, &cancel).await;
    assert_eq!(judged.expect("judged").verdict, Verdict::Accepted, "the problem's file wins over the submission's");
    let mut with_args = problem.clone();
    with_args.cases[0].rules.args = vec!["2".into(), "two words".into()];
    let judged = rig.judge("python3", "import sys\nprint(sys.argv[1])\n", &with_args).await;
    assert_eq!(judged.runs[0].verdict, Verdict::Accepted, "2 divides 12: {judged:?}");
    let _ = program("c", "");
    rig.finish().await;
}
