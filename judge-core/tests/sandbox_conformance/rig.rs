//! The suites' common ground: the real engine or a loud skip, built probes, one-line runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use judge_core::sandbox::docker::{DockerSandbox, DockerSettings, SeccompProfile};
use judge_core::sandbox::{
    BOX_WORK, BoxPurpose, BoxSpec, CollectCaps, Content, ImageRef, KeepHead, Limits, RunReport, RunStep, Sandbox,
    SandboxBox, SandboxHealth, Stdin, WorkFile, find_supervisor,
};
use tokio::sync::OnceCell;

pub(crate) const MIB: u64 = 1 << 20;

pub(crate) const LIMITS: Limits = Limits {
    cpu_ms: 2000,
    wall_ms: 30_000,
    memory_bytes: 128 * MIB,
    output_bytes: 8 * MIB,
    stderr_bytes: MIB,
    file_bytes: 32 * MIB,
    processes: 32,
    open_files: 64,
};

/// A backend of its own for one test; asserts at the end that it left nothing.
pub(crate) struct Rig {
    pub(crate) sandbox: Arc<DockerSandbox>,
    pub(crate) settings: DockerSettings,
    pub(crate) root: tempfile::TempDir,
}

impl Rig {
    /// `None` after a loud skip when a part is absent.
    pub(crate) async fn new(warm_boxes: usize) -> Option<Self> {
        let root = tempfile::tempdir().expect("a temp folder");
        let settings = DockerSettings {
            engine: None,
            work_root: root.path().join("boxes"),
            supervisor: find_supervisor(),
            image: image(),
            seccomp: SeccompProfile::Own,
            warm_boxes,
        };
        let sandbox = Arc::new(DockerSandbox::new(settings.clone()));
        let status = sandbox.status().await;
        if status.health != SandboxHealth::Ready {
            skip(&status.message);
            return None;
        }
        Some(Self { sandbox, settings, root })
    }

    pub(crate) fn spec(&self, purpose: BoxPurpose) -> BoxSpec {
        BoxSpec {
            purpose,
            image: self.settings.image.clone(),
            memory_bytes: LIMITS.memory_bytes,
            processes: LIMITS.processes,
        }
    }

    /// A box with the probe programs in it.
    pub(crate) async fn open(&self) -> Box<dyn SandboxBox> {
        let mut opened = self.sandbox.open(&self.spec(BoxPurpose::Run)).await.expect("a box opens");
        for (name, bytes) in probes(self).await {
            let file = WorkFile {
                relative_path: PathBuf::from(name),
                content: Content::Bytes(bytes.clone()),
                executable: true,
            };
            opened.put(file).await.expect("a probe is put");
        }
        opened
    }

    /// Closes the backend and proves that no box and no file of it is left.
    pub(crate) async fn finish(self) {
        self.sandbox.close().await;
        let boxes = boxes_below(self.root.path()).await;
        assert!(boxes.is_empty(), "boxes are left: {boxes:?}");
        let folders: Vec<PathBuf> = box_folders(&self.settings.work_root);
        assert!(folders.is_empty(), "box folders are left: {folders:?}");
    }
}

#[expect(clippy::print_stderr, reason = "a skip must be seen")]
/// Says loudly what is missing; a failure where every part is promised.
pub(crate) fn skip(missing: &str) {
    assert!(std::env::var_os("AGON_REQUIRE_PARTS").is_none(), "a required part is missing: {missing}");
    eprintln!("SKIPPED: {missing}. `cargo xtask setup` installs the engine, the image and the supervisor.");
}

/// For an ordinary user no set-up would change it, so it is no failure even where every part is promised.
#[expect(clippy::print_stderr, reason = "a skip must be seen")]
pub(crate) fn skip_for_want_of_root(missing: &str) {
    eprintln!("SKIPPED: {missing}");
}

/// The newest sandbox image of this machine, or the one that `AGON_SANDBOX_IMAGE` names.
fn image() -> ImageRef {
    let named = std::env::var("AGON_SANDBOX_IMAGE").ok();
    let reference = named.unwrap_or_else(|| {
        let listed = std::process::Command::new("docker")
            .args(["images", "agon-sandbox", "--format", "{{.Repository}}:{{.Tag}}"])
            .output()
            .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
            .unwrap_or_default();
        listed.lines().next().unwrap_or("agon-sandbox:none").to_owned()
    });
    ImageRef { reference, id: None }
}

pub(crate) fn docker() -> bollard::Docker {
    bollard::Docker::connect_with_defaults().expect("the engine is there")
}

/// Names of the boxes whose instance folder lies below `root`.
pub(crate) async fn boxes_below(root: &Path) -> Vec<String> {
    let options = bollard::query_parameters::ListContainersOptions {
        all: true,
        filters: Some([("label".to_owned(), vec!["agon.instance".to_owned()])].into()),
        ..Default::default()
    };
    let listed = docker().list_containers(Some(options)).await.expect("the engine lists");
    listed
        .into_iter()
        .filter(|one| {
            let instance = one.labels.as_ref().and_then(|labels| labels.get("agon.instance"));
            instance.is_some_and(|instance| Path::new(instance).starts_with(root))
        })
        .flat_map(|one| one.names.unwrap_or_default())
        .collect()
}

/// Every box folder below a work root.
pub(crate) fn box_folders(work_root: &Path) -> Vec<PathBuf> {
    let folders = |path: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(path)
            .map(|entries| entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect())
            .unwrap_or_default()
    };
    folders(work_root).iter().flat_map(|instance| folders(instance)).collect()
}

/// The probe programs, built once per test program in a compile box of the real image.
pub(crate) async fn probes(rig: &Rig) -> &'static BTreeMap<&'static str, Vec<u8>> {
    static BUILT: OnceCell<BTreeMap<&'static str, Vec<u8>>> = OnceCell::const_new();
    BUILT
        .get_or_init(|| async {
            let mut built = BTreeMap::new();
            for (name, source) in
                [("behave", include_str!("../probes/behave.c")), ("escape", include_str!("../probes/escape.c"))]
            {
                built.insert(name, compile(rig, name, source).await);
            }
            built
        })
        .await
}

async fn compile(rig: &Rig, name: &str, source: &str) -> Vec<u8> {
    let mut opened = rig.sandbox.open(&rig.spec(BoxPurpose::Compile)).await.expect("a compile box opens");
    let file = format!("{name}.c");
    opened
        .put(WorkFile {
            relative_path: PathBuf::from(&file),
            content: Content::Bytes(source.into()),
            executable: false,
        })
        .await
        .expect("the source is put");
    let out = format!("/tmp/{name}");
    let source = format!("{BOX_WORK}/{file}");
    let limits = Limits { cpu_ms: 30_000, wall_ms: 60_000, memory_bytes: 512 * MIB, processes: 64, ..LIMITS };
    let step = RunStep {
        keep_files: true,
        limits,
        ..step(&["/usr/bin/gcc", "-O1", "-w", "-static", "-pthread", "-o", &out, &source])
    };
    let report = opened.run(step, &mut KeepHead::new(0)).await.expect("gcc runs");
    assert!(report.exited_cleanly(), "{name}: {:?} {}", report.outcome, String::from_utf8_lossy(&report.stderr));
    let caps = CollectCaps { total_bytes: 16 * MIB, files: 1 };
    let files = opened.collect(Path::new(&out), caps).await.expect("the program is collected");
    opened.destroy().await;
    files.into_iter().next().expect("one file").bytes
}

/// A run of an absolute program with an ordinary environment.
pub(crate) fn step(argv: &[&str]) -> RunStep {
    RunStep {
        argv: argv.iter().map(|&text| text.to_owned()).collect(),
        env: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
        working_dir: "/tmp".to_owned(),
        stdin: Stdin::Empty,
        limits: LIMITS,
        keep_files: false,
        stop: None,
    }
}

/// A run of the behaviour probe.
pub(crate) fn behave(arguments: &[&str]) -> RunStep {
    let program = format!("{BOX_WORK}/behave");
    let argv: Vec<&str> = std::iter::once(program.as_str()).chain(arguments.iter().copied()).collect();
    step(&argv)
}

/// Runs a step and keeps the beginning of its output as text.
pub(crate) async fn run(opened: &mut Box<dyn SandboxBox>, step: RunStep) -> (RunReport, String) {
    let mut sink = KeepHead::new(1 << 20);
    let report = opened.run(step, &mut sink).await.expect("the box reports");
    (report, String::from_utf8_lossy(&sink.into_bytes()).into_owned())
}
