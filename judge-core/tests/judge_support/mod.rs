//! A judge on a throw-away folder and a scripted sandbox, with one small problem.
#![allow(dead_code, reason = "each test program uses its part")]

pub(crate) mod small_disk;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agon_contract::command::{GetSubmission, ImportPackage, Submit, WaitEvents};
use agon_contract::ids::{IdempotencyKey, LanguageId, ProblemId, SubmissionId};
use agon_contract::package::PackageSource;
use agon_contract::submission::{SourceFile, Stage, SubmissionDetail, SubmitReceipt};
use judge_core::sandbox::fake::{FakeInvocation, FakeRun, FakeSandbox};
use judge_core::sandbox::{CollectedFile, Outcome, SandboxError};
use judge_core::{Actor, Clock, Judge, JudgeConfig, SandboxChoice};
use tempfile::TempDir;

/// Reads two numbers and prints their sum, so says its text.
pub(crate) const RIGHT: &str = "adds";
/// Prints something else.
pub(crate) const WRONG: &str = "guesses";
/// Prints the right thing on the sample only.
pub(crate) const SAMPLE_ONLY: &str = "knows the sample";
/// Does not compile.
pub(crate) const BROKEN: &str = "broken";
/// Dies of a signal.
pub(crate) const CRASHING: &str = "crashes";

/// How long a test waits for something that must happen before it calls it stuck.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A judge, its folder and its sandbox.
pub(crate) struct Bench {
    pub(crate) judge: Judge,
    pub(crate) actor: Actor,
    pub(crate) sandbox: FakeSandbox,
    pub(crate) folder: TempDir,
}

/// A sandbox whose programs do what their text says.
pub(crate) fn obedient() -> FakeSandbox {
    FakeSandbox::new(obey)
}

/// Compiling hands the text on as the artefact; running acts it out.
pub(crate) fn obey(invocation: &FakeInvocation) -> Result<FakeRun, SandboxError> {
    if invocation.argv[0] == "/usr/bin/g++" {
        return Ok(compile(invocation));
    }
    Ok(match text_of(invocation).as_str() {
        RIGHT => FakeRun::prints(sum(&invocation.stdin)),
        SAMPLE_ONLY if invocation.stdin == b"1 2\n" => FakeRun::prints("3\n"),
        CRASHING => FakeRun::ends(Outcome::Signalled(11)),
        _ => FakeRun::prints("0\n"),
    })
}

/// The text of the program that runs.
pub(crate) fn text_of(invocation: &FakeInvocation) -> String {
    let program = invocation.work_files.values().next().expect("a box has its program");
    String::from_utf8_lossy(program).into_owned()
}

fn compile(invocation: &FakeInvocation) -> FakeRun {
    let text = text_of(invocation);
    if text == BROKEN {
        return FakeRun { stderr: b"main.cpp:1: error: broken\n".to_vec(), ..FakeRun::ends(Outcome::Exited(1)) };
    }
    let program =
        CollectedFile { relative_path: PathBuf::from("/tmp/program"), bytes: text.into_bytes(), executable: true };
    FakeRun { files: vec![program], ..FakeRun::prints("") }
}

fn sum(input: &[u8]) -> String {
    let numbers = String::from_utf8_lossy(input);
    format!("{}\n", numbers.split_whitespace().map(|word| word.parse::<i64>().expect("a number")).sum::<i64>())
}

/// Writes the package of the problem `sum`: one sample, three secret cases.
pub(crate) fn write_package(parent: &Path) -> PathBuf {
    let root = parent.join("sum");
    let put = |name: &str, text: &str| {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    put(
        "problem.yaml",
        "problem_format_version: 2025-09\nname: {en: Sum, ja: 和}\nuuid: 1d0b1ad4-0000-4000-8000-000000000001\n\
         limits: {time_limit: 1.0, memory: 256}\nkeywords: [easy, maths]\n",
    );
    put("statement/problem.en.md", "Add $a$ and $b$.\n");
    put("data/sample/1.in", "1 2\n");
    put("data/sample/1.ans", "3\n");
    for (number, (input, answer)) in [("4 5\n", "9\n"), ("10 20\n", "30\n"), ("-1 1\n", "0\n")].iter().enumerate() {
        put(&format!("data/secret/{}.in", number + 1), input);
        put(&format!("data/secret/{}.ans", number + 1), answer);
    }
    put("submissions/accepted/a.cpp", RIGHT);
    put("submissions/wrong_answer/b.cpp", WRONG);
    root
}

/// A judge's configuration on a folder, with one worker.
pub(crate) fn config(data_folder: &Path, sandbox: &FakeSandbox) -> JudgeConfig {
    let mut config = JudgeConfig::new(data_folder, "a test");
    config.sandbox = SandboxChoice::Given(Arc::new(sandbox.clone()));
    config.workers = Some(1);
    config
}

impl Bench {
    pub(crate) async fn open() -> Self {
        Self::with(obedient(), None).await
    }

    pub(crate) async fn with(sandbox: FakeSandbox, clock: Option<Arc<dyn Clock>>) -> Self {
        let folder = tempfile::tempdir().expect("a temp folder");
        let mut config = config(&folder.path().join("data"), &sandbox);
        if let Some(clock) = clock {
            config.clock = clock;
        }
        let judge = Judge::open(config).await.expect("the judge opens");
        let actor = judge.local_actor();
        Self { judge, actor, sandbox, folder }
    }

    /// Takes the problem `sum` in.
    pub(crate) async fn import(&self) -> ProblemId {
        import(&self.judge, self.folder.path()).await
    }

    pub(crate) async fn submit(&self, problem: &ProblemId, text: &str) -> SubmitReceipt {
        let key = format!("key-{}", unique());
        self.judge.submit(&self.actor, submission(&key, problem, text)).await.expect("it is saved")
    }

    pub(crate) async fn detail(&self, id: &SubmissionId) -> SubmissionDetail {
        let request = GetSubmission { submission_id: id.clone() };
        self.judge.get_submission(&self.actor, request).await.expect("it exists")
    }

    /// Waits until the submission's state line satisfies `wanted`.
    pub(crate) async fn until(
        &self,
        id: &SubmissionId,
        wanted: impl Fn(&SubmissionDetail) -> bool,
    ) -> SubmissionDetail {
        until(&self.judge, &self.actor, id, wanted).await
    }

    pub(crate) async fn verdict(&self, id: &SubmissionId) -> SubmissionDetail {
        self.until(id, |detail| detail.summary.progress.stage == Stage::Finished).await
    }

    /// Closes the judge; no box is left.
    pub(crate) async fn close(self) {
        self.judge.close().await;
        assert_eq!(self.sandbox.boxes_alive(), 0, "every box is gone");
    }
}

/// Takes the problem `sum` in from a package below `parent`.
pub(crate) async fn import(judge: &Judge, parent: &Path) -> ProblemId {
    let path = write_package(parent).display().to_string();
    let request = ImportPackage { source: PackageSource::Path { path }, replace_existing: false };
    judge.import_package(&judge.local_actor(), request).await.expect("the package is taken in").problem_id
}

pub(crate) fn submission(key: &str, problem: &ProblemId, text: &str) -> Submit {
    Submit {
        idempotency_key: IdempotencyKey::from(key),
        problem_id: problem.clone(),
        language_id: LanguageId::from("cpp20"),
        files: vec![SourceFile { name: "main.cpp".into(), text: text.into() }],
    }
}

/// Reads the submission at each wake-up until it is as wanted.
pub(crate) async fn until(
    judge: &Judge,
    actor: &Actor,
    id: &SubmissionId,
    wanted: impl Fn(&SubmissionDetail) -> bool,
) -> SubmissionDetail {
    let looking = async {
        let mut seen = WaitEvents { after_seq: -1, progress_counter: 0, wait_ms: 5_000 };
        loop {
            let batch = judge.wait_events(actor, seen.clone()).await.expect("events can be waited for");
            seen.after_seq = batch.last_seq;
            seen.progress_counter = batch.progress_counter;
            let request = GetSubmission { submission_id: id.clone() };
            let detail = judge.get_submission(actor, request).await.expect("it exists");
            if wanted(&detail) {
                return detail;
            }
        }
    };
    match tokio::time::timeout(PATIENCE, looking).await {
        Ok(detail) => detail,
        Err(_) => {
            let request = GetSubmission { submission_id: id.clone() };
            let detail = judge.get_submission(actor, request).await.expect("it exists");
            panic!("the submission is stuck: {:#?} {:#?}", detail.summary, detail.judgements)
        }
    }
}

fn unique() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
