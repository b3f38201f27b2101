//! Judging on the real engine: every language, every verdict, hostile compilations, big data.

mod judging_support;

use std::fs;
use std::io::Write;

use agon_contract::verdict::Verdict;
use judge_core::domain::limits::EffectiveLimits;
use judge_core::domain::rules::CaseRules;
use judge_core::judging::{Expected, JudgeCase, JudgeMode, language_by_id, languages};

use judging_support::{MIB, Rig, limits, program, sums};
use tokio_util::sync::CancellationToken;

const RIGHT: [(&str, &str); 6] = [
    // Without a declaration of `abs`, as older packages have it.
    (
        "c",
        "#include <stdio.h>\nint main(void){int a,b;scanf(\"%d %d\",&a,&b);printf(\"%d\\n\",a+b+abs(0));return 0;}\n",
    ),
    ("cpp17", "#include <bits/stdc++.h>\nint main(){int a,b;std::cin>>a>>b;std::cout<<a+b<<'\\n';}\n"),
    (
        "cpp20",
        "#include <bits/stdc++.h>\n#include <ranges>\nint main(){int a,b;std::cin>>a>>b;auto x=std::max<int>(a+b,a+b);std::cout<<x<<'\\n';}\n",
    ),
    ("python3", "a, b = map(int, input().split())\nprint(a + b)\n"),
    (
        "java",
        "import java.util.*;\npublic class Sum { public static void main(String[] x) { Scanner s = new Scanner(System.in); System.out.println(s.nextInt() + s.nextInt()); } }\n",
    ),
    (
        "rust",
        "use std::io::Read;\nfn main() { let mut s = String::new(); std::io::stdin().read_to_string(&mut s).unwrap(); println!(\"{}\", s.split_whitespace().map(|x| x.parse::<i32>().unwrap()).sum::<i32>()); }\n",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_language_is_accepted_and_told_its_compile_errors() {
    let Some(rig) = Rig::new().await else { return };
    let problem = sums(&rig);
    assert_eq!(RIGHT.map(|(id, _)| id).to_vec(), languages().iter().map(|row| row.id.to_string()).collect::<Vec<_>>());
    for (language, text) in RIGHT {
        let judged = rig.judge(language, text, &problem).await;
        let said = String::from_utf8_lossy(&judged.compile.text).into_owned();
        assert_eq!((&judged.verdict, judged.runs.len()), (&Verdict::Accepted, 3), "{language}: {judged:?}\n{said}");
        assert!(judged.peak_memory_bytes.is_some_and(|bytes| bytes > 0 && bytes < 256 * MIB), "{language}: {judged:?}");
        let again = rig.judge(language, text, &problem).await;
        assert!(again.compile.from_cache && again.verdict == Verdict::Accepted, "{language}: {again:?}");

        let broken = rig.judge(language, "this is no program (", &problem).await;
        assert_eq!(broken.verdict, Verdict::CompileError, "{language}: {broken:?}");
        assert!(!broken.compile.text.is_empty() && broken.runs.is_empty(), "{language}: {broken:?}");
    }
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_memory_limit_never_fails_a_virtual_machine_without_a_word() {
    let Some(rig) = Rig::new().await else { return };
    let mut problem = sums(&rig);
    for (language, text) in RIGHT {
        let row = language_by_id(&language.into()).expect("in the table");
        problem.limits.memory_bytes = row.minimum_memory_bytes();
        let judged = rig.judge(language, text, &problem).await;
        assert_eq!(judged.verdict, Verdict::Accepted, "{language} at its own minimum: {judged:?}");
        problem.limits.memory_bytes = row.minimum_memory_bytes() - 1;
        let judged = rig.judge(language, text, &problem).await;
        assert_eq!(judged.verdict, Verdict::JudgeError, "{language}: {judged:?}");
        assert!(judged.reason.contains("memory limit"), "{language}: {judged:?}");
    }
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_misdeed_gets_its_own_verdict() {
    let Some(rig) = Rig::new().await else { return };
    let mut problem = sums(&rig);
    problem.limits = limits(500, 64);
    let head = "#include <bits/stdc++.h>\n#include <unistd.h>\n#include <sys/wait.h>\n";
    for (body, verdict, outcome, reason) in [
        ("int main(){puts(\"4\");}", "WA", "exit 0", "expected `3`, found `4`"),
        ("int main(){volatile int x=0;for(;;)x=x+1;}", "TLE", "cpu limit", "of CPU"),
        ("int main(){sleep(30);}", "TLE", "wall limit", "idle"),
        ("int main(){return 3;}", "RTE", "exit 3", "exit code 3"),
        ("int main(){puts(\"OCI runtime\");exit(137);}", "RTE", "exit 137", "exit code 137"),
        ("int main(){abort();}", "RTE", "signal SIGABRT", "SIGABRT"),
        ("int main(){volatile int*p=nullptr;return *p;}", "RTE", "signal SIGSEGV", "SIGSEGV"),
        (
            "static char a[400000000];int main(){for(size_t i=0;i<sizeof a;i+=512)a[i]=1;printf(\"%d\",a[5]);}",
            "MLE",
            "memory limit",
            "limit 64 MiB",
        ),
        ("int main(){for(;;)putchar('\\n');}", "OLE", "output limit", "limit"),
        (
            "int main(){for(int i=0;i<400;i++){pid_t p=fork();if(p<0)return 1;if(!p){sleep(20);_exit(0);}}return 0;}",
            "RTE",
            "process limit",
            "fork limit",
        ),
    ] {
        let judged = rig.judge("cpp17", &format!("{head}{body}\n"), &problem).await;
        let run = judged.runs.first().unwrap_or_else(|| panic!("{body}: {judged:?}"));
        assert_eq!((judged.verdict.as_str(), run.outcome.as_str()), (verdict, outcome), "{body}: {judged:?}");
        assert!(judged.reason.contains(reason), "{body}: {judged:?}");
        assert_eq!(judged.first_failing.as_deref(), Some("secret/1"), "{body}");
        assert!(judged.runs[0].output_head.len() <= 64 * 1024, "{body}");
    }
    problem.limits = limits(2000, 256);
    let next = rig.judge("cpp17", RIGHT[1].1, &problem).await;
    assert_eq!(next.verdict, Verdict::Accepted, "the next submission is judged as ever: {next:?}");
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_sources_end_as_compile_errors_with_a_reason() {
    let Some(rig) = Rig::new().await else { return };
    let problem = sums(&rig);
    let bomb = "template<int N> struct A { A<N-1> a; A<N-1> b[2]; static constexpr int v = A<N-1>::v + sizeof(a); };\n\
                template<> struct A<0> { static constexpr int v = 0; char c[1 << 20]; };\nint x[A<800>::v];\nint main(){}\n";
    let diagnostics = "#define A(x) x x x x x x x x x x\n#pragma GCC diagnostic warning \"-Wpedantic\"\n\
                       int main(){ A(A(A(A(A(int q = undeclared;))))) }\n";
    for (text, reasons) in [
        ("#include </dev/random>\n", &["compile time limit", "compiler memory limit", ""][..]),
        (bomb, &["compile time limit", "compiler memory limit", ""]),
        (diagnostics, &["compiler output limit", "compile time limit", ""]),
        ("volatile int a[100000000] = {1};\nint main(){return a[5];}\n", &["compiler output limit", ""]),
    ] {
        let judged = rig.judge("cpp20", text, &problem).await;
        assert_eq!(judged.verdict, Verdict::CompileError, "{text}: {judged:?}");
        assert!(reasons.contains(&judged.reason.as_str()), "{text}: {}", judged.reason);
        let says_why = !judged.reason.is_empty() || !judged.compile.text.is_empty();
        assert!(says_why && judged.compile.text.len() <= 64 * 1024, "{text}: {judged:?}");
    }
    let next = rig.judge("cpp20", RIGHT[2].1, &problem).await;
    assert_eq!(next.verdict, Verdict::Accepted, "{next:?}");
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_megabytes_flow_in_and_out() {
    let Some(rig) = Rig::new().await else { return };
    let path = rig.folder.path().join("big");
    let mut file = std::io::BufWriter::new(fs::File::create(&path).expect("a file"));
    for number in 0..7_000_000u32 {
        writeln!(file, "{}", number % 1_000_000).expect("written");
    }
    file.into_inner().expect("flushed").sync_all().expect("on disk");
    let case = JudgeCase {
        name: "secret/big".into(),
        is_sample: false,
        input: path.clone(),
        expected: Expected::Answer(path),
        validator: None,
        rules: CaseRules::default(),
    };
    let mut problem = sums(&rig);
    problem.cases = vec![case];
    problem.limits = EffectiveLimits { output_bytes: 64 * MIB, ..limits(10_000, 256) };
    let echo = "#include <bits/stdc++.h>\nint main(){static char b[1<<16];size_t n;while((n=fread(b,1,sizeof b,stdin)))fwrite(b,1,n,stdout);}\n";
    let judged = rig.judge("cpp17", echo, &problem).await;
    assert_eq!(judged.verdict, Verdict::Accepted, "{:?}", judged.reason);
    assert!(judged.runs[0].output_bytes > 45_000_000, "{}", judged.runs[0].output_bytes);
    let ignores = rig.judge("cpp17", "#include <cstdio>\nint main(){puts(\"0\");}\n", &problem).await;
    assert_eq!(ignores.verdict, Verdict::WrongAnswer, "a program that reads nothing: {ignores:?}");
    rig.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_judging_leaves_no_box() {
    let Some(rig) = Rig::new().await else { return };
    let mut problem = sums(&rig);
    problem.limits.time_limit_ms = 60_000;
    let program = program("cpp17", "int main(){volatile int x=0;for(;;)x=x+1;}\n");
    struct CancelAtFirstRun(CancellationToken);
    impl judge_core::judging::JudgingProgress for CancelAtFirstRun {
        fn running(&self, _: u32) {
            self.0.cancel();
        }
    }
    let cancel = CancellationToken::new();
    let progress = CancelAtFirstRun(cancel.clone());
    let judged = rig.judging.judge(&program, &problem, JudgeMode::RunAll, &progress, &cancel).await;
    assert!(matches!(judged, Err(judge_core::judging::JudgeError::Cancelled)), "{judged:?}");
    rig.finish().await;
}
