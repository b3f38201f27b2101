//! Judging on the real engine: one sandbox and its judging, for a test.
#![allow(dead_code, reason = "each test program uses its part")]

pub(crate) mod desk;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use agon_contract::problem::TimeLimitSource;
use judge_core::domain::limits::EffectiveLimits;
use judge_core::domain::rules::JudgingRules;
use judge_core::judging::{
    CompileCache, JudgeMode, JudgeableProblem, Judged, Judging, NoProgress, Program, ProgramFile, language_by_id,
};
use judge_core::sandbox::docker::{DockerSandbox, DockerSettings, SeccompProfile};
use judge_core::sandbox::{ImageRef, Sandbox, SandboxHealth, find_supervisor};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

pub(crate) const MIB: u64 = 1 << 20;

/// Judges on the real engine; everything it made is gone at the end.
pub(crate) struct Rig {
    pub(crate) folder: TempDir,
    pub(crate) sandbox: Arc<DockerSandbox>,
    pub(crate) judging: Judging,
}

impl Rig {
    /// `None` after a loud skip when a part is absent.
    #[expect(clippy::print_stderr, reason = "a skip must be seen")]
    pub(crate) async fn new() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a temp folder");
        let image = image();
        let settings = DockerSettings {
            engine: None,
            work_root: folder.path().join("boxes"),
            supervisor: find_supervisor(),
            image: image.clone(),
            seccomp: SeccompProfile::Own,
            warm_boxes: 0,
        };
        let sandbox = Arc::new(DockerSandbox::new(settings));
        let status = sandbox.status().await;
        if status.health != SandboxHealth::Ready {
            let missing = status.message;
            assert!(std::env::var_os("AGON_REQUIRE_PARTS").is_none(), "a required part is missing: {missing}");
            eprintln!("SKIPPED: {missing}. `cargo xtask setup` installs the engine, the image and the supervisor.");
            return None;
        }
        let cache = CompileCache::new(folder.path().join("cache"), 256 * MIB);
        let judging = Judging::new(sandbox.clone(), image, cache);
        Some(Self { folder, sandbox, judging })
    }

    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        path
    }

    pub(crate) async fn judge(&self, language: &str, text: &str, problem: &JudgeableProblem) -> Judged {
        let program = program(language, text);
        let cancel = CancellationToken::new();
        let judged = self.judging.judge(&program, problem, JudgeMode::StopAtFirstFailure, &NoProgress, &cancel).await;
        judged.unwrap_or_else(|error| panic!("{language} was not judged: {error}"))
    }

    pub(crate) async fn finish(self) {
        self.sandbox.close().await;
        let left = leftovers(self.folder.path());
        assert!(left.is_empty(), "boxes are left: {left:?}");
    }
}

/// Reads two numbers and wants their sum, on three cases.
pub(crate) fn sums(rig: &Rig) -> JudgeableProblem {
    let cases = [("1 2\n", "3\n"), ("40 2\n", "42\n"), ("-5 5\n", "0\n")];
    desk::Desk::new(rig).problem(JudgingRules::default(), &cases)
}

pub(crate) fn limits(time_limit_ms: u64, memory_mib: u64) -> EffectiveLimits {
    EffectiveLimits {
        time_limit_ms,
        time_limit_source: TimeLimitSource::Package,
        memory_bytes: memory_mib * MIB,
        output_bytes: 8 * MIB,
        code_bytes: MIB,
    }
}

pub(crate) fn program(language: &str, text: &str) -> Program {
    let language = Arc::clone(language_by_id(&language.into()).expect("in the table"));
    let name = language.default_file_name.clone();
    Program { language, files: vec![ProgramFile { name, bytes: text.as_bytes().to_vec() }] }
}

/// The image that `AGON_SANDBOX_IMAGE` names, else the newest sandbox image of this machine.
pub(crate) fn image() -> ImageRef {
    let reference = std::env::var("AGON_SANDBOX_IMAGE").unwrap_or_else(|_| {
        let listed = docker(&["images", "agon-sandbox", "--format", "{{.Repository}}:{{.Tag}}"]);
        listed.lines().next().unwrap_or("agon-sandbox:none").to_owned()
    });
    ImageRef { reference, id: None }
}

pub(crate) fn docker(arguments: &[&str]) -> String {
    let output = Command::new("docker").args(arguments).output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).into_owned()
}

/// Boxes whose instance folder lies below `root`.
pub(crate) fn leftovers(root: &Path) -> Vec<String> {
    let listed = docker(&["ps", "-a", "--format", "{{.Names}} {{.Label \"agon.instance\"}}"]);
    let root = root.to_string_lossy().into_owned();
    listed.lines().filter(|line| line.contains(&root)).map(str::to_owned).collect()
}
