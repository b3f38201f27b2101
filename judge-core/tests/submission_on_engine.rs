//! The whole way on real parts: real compiler, real box, hostile programs, and the next submission judged normally.

mod judge_support;

use agon_contract::command::{GetPreview, GetSandboxStatus, StartPreview, WaitEvents};
use agon_contract::execution::{ExecutionState, PreviewCases};
use agon_contract::ids::{IdempotencyKey, LanguageId};
use agon_contract::sandbox::SandboxHealth;
use agon_contract::submission::{SourceFile, Stage};
use agon_contract::verdict::Verdict;
use judge_core::{Judge, JudgeConfig, SandboxChoice};
use judge_support::{import, submission, until};

const ADDS: &str =
    "#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n";

/// What each program is and what must be said about it: its verdict, and a word of the reason.
const PROGRAMS: &[(&str, Verdict, &str)] = &[
    ("#include <iostream>\nint main() { std::cout << 3 << '\\n'; }\n", Verdict::WrongAnswer, ""),
    ("int main() { return 1 }\n", Verdict::CompileError, ""),
    ("int main() { for (volatile int i = 0;; i = i + 1) {} }\n", Verdict::TimeLimit, ""),
    ("#include <unistd.h>\nint main() { sleep(100); }\n", Verdict::TimeLimit, "idle"),
    ("#include <unistd.h>\nint main() { for (;;) fork(); }\n", Verdict::Unknown(String::new()), ""),
    (
        "#include <cstdlib>\n#include <cstring>\nint main() { for (;;) { char *p = (char *)malloc(1 << 24); \
         if (p) memset(p, 1, 1 << 24); } }\n",
        Verdict::MemoryLimit,
        "",
    ),
    (
        "#include <cstdio>\nint main() { for (;;) puts(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"); }\n",
        Verdict::OutputLimit,
        "",
    ),
    ("#include <cstdlib>\nint main() { exit(137); }\n", Verdict::RunTimeError, ""),
];

#[tokio::test(flavor = "multi_thread")]
async fn hostile_programs_get_their_verdicts_and_the_next_one_is_judged_normally() {
    let folder = tempfile::tempdir().expect("a temp folder");
    let mut config = JudgeConfig::new(folder.path().join("data"), "a test");
    config.sandbox = SandboxChoice::Docker;
    config.workers = Some(1);
    let judge = Judge::open(config).await.expect("it opens");
    if !has_parts(&judge).await {
        judge.close().await;
        return;
    }
    let actor = judge.local_actor();
    let problem = import(&judge, folder.path()).await;
    for (number, (text, verdict, reason)) in PROGRAMS.iter().enumerate() {
        let key = format!("k{number}");
        let receipt = judge.submit(&actor, submission(&key, &problem, text)).await.expect("saved");
        let detail = finished(&judge, &receipt.submission_id).await;
        let judgement = &detail.judgements[0];
        let seen = detail.summary.verdict.clone().expect("it has a verdict");
        match verdict {
            // A fork bomb may meet the fork limit or its time first; both are its own fault.
            Verdict::Unknown(_) => {
                let own = [Verdict::RunTimeError, Verdict::TimeLimit, Verdict::MemoryLimit];
                assert!(own.contains(&seen), "{seen}: {judgement:#?}");
            }
            expected => assert_eq!(seen, *expected, "{text}: {judgement:#?}"),
        }
        assert!(judgement.reason.contains(reason), "{text}: {}", judgement.reason);
        assert_eq!(judgement.generation, 1, "{text}: {:#?}", detail.judgements);

        let key = format!("next{number}");
        let receipt = judge.submit(&actor, submission(&key, &problem, ADDS)).await.expect("saved");
        let detail = finished(&judge, &receipt.submission_id).await;
        assert_eq!(detail.summary.verdict, Some(Verdict::Accepted), "{:#?}", detail.judgements);
        assert_eq!(detail.judgements[0].runs.len(), 4);
        assert!(detail.summary.peak_memory_bytes.is_some_and(|bytes| bytes > 0));
    }
    preview_runs(&judge, &problem).await;
    judge.close().await;
}

async fn finished(judge: &Judge, id: &agon_contract::ids::SubmissionId) -> agon_contract::submission::SubmissionDetail {
    until(judge, &judge.local_actor(), id, |detail| detail.summary.progress.stage == Stage::Finished).await
}

async fn preview_runs(judge: &Judge, problem: &agon_contract::ids::ProblemId) {
    let actor = judge.local_actor();
    let request = StartPreview {
        idempotency_key: IdempotencyKey::from("p"),
        problem_id: problem.clone(),
        language_id: LanguageId::from("python3"),
        files: vec![SourceFile { name: "main.py".into(), text: "print(sum(map(int, input().split())))\n".into() }],
        cases: PreviewCases::Custom { input: "20 22\n".into() },
    };
    let mut view = judge.start_preview(&actor, request).await.expect("started");
    let mut seen = WaitEvents { after_seq: -1, progress_counter: 0, wait_ms: 5_000 };
    while !view.state.is_terminal() {
        let batch = judge.wait_events(&actor, seen.clone()).await.expect("events");
        seen.after_seq = batch.last_seq;
        seen.progress_counter = batch.progress_counter;
        view = judge.get_preview(&actor, GetPreview { preview_id: view.id.clone() }).await.expect("there");
    }
    assert_eq!((view.state, view.reason.as_str()), (ExecutionState::Completed, ""), "{:#?}", view.runs);
    assert_eq!(view.runs[0].output_head, "42\n");
}

/// Engine, image and supervisor; a loud skip when one is absent.
#[expect(clippy::print_stderr, reason = "a skip must be seen")]
async fn has_parts(judge: &Judge) -> bool {
    let status = judge.sandbox_status(&judge.local_actor(), GetSandboxStatus {}).await.expect("a status");
    if status.health == SandboxHealth::Ready {
        return true;
    }
    assert!(std::env::var_os("AGON_REQUIRE_PARTS").is_none(), "a required part is missing: {}", status.message);
    eprintln!("SKIPPED: {}. `cargo xtask setup` installs the engine, the image and the supervisor.", status.message);
    false
}
