//! The self-test on the real engine: green on a sound machine, and every wall's probe red in a container without walls.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use judge_core::SystemClock;
use judge_core::sandbox::docker::{DockerSandbox, DockerSettings, SeccompProfile};
use judge_core::sandbox::{ImageRef, SandboxHealth, find_supervisor};
use judge_core::self_test::{self, Parts};

/// The image that `AGON_SANDBOX_IMAGE` names, else the newest sandbox image of this machine.
fn image() -> ImageRef {
    let reference = std::env::var("AGON_SANDBOX_IMAGE").unwrap_or_else(|_| {
        let arguments = ["images", "agon-sandbox", "--format", "{{.Repository}}:{{.Tag}}"];
        let listed = Command::new("docker").args(arguments).output().map(|output| output.stdout).unwrap_or_default();
        String::from_utf8_lossy(&listed).lines().next().unwrap_or("agon-sandbox:none").to_owned()
    });
    ImageRef { reference, id: None }
}

fn parts(folder: &Path) -> Parts {
    let supervisor = find_supervisor();
    let image = image();
    let settings = DockerSettings {
        engine: None,
        work_root: folder.join("boxes"),
        supervisor: supervisor.clone(),
        image: image.clone(),
        seccomp: SeccompProfile::Own,
        warm_boxes: 0,
    };
    Parts {
        sandbox: Arc::new(DockerSandbox::new(settings)),
        image,
        supervisor,
        data_folder: folder.to_owned(),
        clock: Arc::new(SystemClock::new()),
    }
}

/// `false` after a loud skip; a failure where every part is promised.
#[expect(clippy::print_stderr, reason = "a skip must be seen")]
async fn is_ready(parts: &Parts) -> bool {
    let status = parts.sandbox.status().await;
    if status.health == SandboxHealth::Ready {
        return true;
    }
    let missing = status.message;
    assert!(std::env::var_os("AGON_REQUIRE_PARTS").is_none(), "a required part is missing: {missing}");
    eprintln!("SKIPPED: {missing}. `cargo xtask setup` installs the engine, the image and the supervisor.");
    false
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sound_machine_is_green_throughout() {
    let folder = tempfile::tempdir().expect("a temp folder");
    let parts = parts(folder.path());
    if !is_ready(&parts).await {
        return;
    }
    let report = self_test::run(&parts, &|item| {
        let mark = if item.passed { "ok " } else { "BAD" };
        eprintln!("{mark} {:<28} {:>6} ms  {} {}", item.name, item.duration_ms, item.detail, item.remedy);
    })
    .await;
    parts.sandbox.close().await;
    let red: Vec<_> = report.items.iter().filter(|item| !item.passed).collect();
    assert!(red.is_empty() && report.passed, "red on this machine: {red:#?}");
    assert!(report.sandbox.image_id.starts_with("sha256:"), "{:?}", report.sandbox);
}

/// A container of the same image with everything open; removed when dropped.
struct OpenContainer {
    name: String,
}

impl OpenContainer {
    fn start(image: &str, purpose: &str) -> Self {
        let name = format!("agon-self-test-{purpose}-{}", std::process::id());
        let open = ["--user=0", "--cap-add=SYS_PTRACE", "--security-opt=seccomp=unconfined", "--network=host"];
        let head = ["run", "--detach", "--rm", "--name", &name, "--entrypoint=/usr/bin/sleep"];
        let started = docker(&[&head[..], &open[..], &[image, "300"]].concat());
        assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
        Self { name }
    }

    fn run(&self, program: &str) -> Output {
        docker(&["exec", "--workdir=/tmp", &self.name, "/usr/bin/python3", "-I", "-S", "-B", "-c", program])
    }

    fn shell(&self, script: &str) -> Output {
        docker(&["exec", &self.name, "/bin/sh", "-c", script])
    }
}

impl Drop for OpenContainer {
    fn drop(&mut self) {
        docker(&["rm", "--force", &self.name]);
    }
}

fn docker(arguments: &[&str]) -> Output {
    Command::new("docker").args(arguments).output().expect("the engine's command line is there")
}

/// Every program of the self-test that can say "a wall is down", by file name.
fn wall_probes(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = std::fs::read_dir(folder).expect("the programs are there").flatten().map(|entry| entry.path());
    let python = entries.filter(|path| path.extension().is_some_and(|extension| extension == "py"));
    let read = python.map(|path| {
        let text = std::fs::read_to_string(&path).expect("readable");
        (path, text)
    });
    read.filter(|(path, text)| !path.ends_with("prelude.py") && text.contains("broken(")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_container_without_walls_every_probe_finds_its_hole() {
    let folder = tempfile::tempdir().expect("a temp folder");
    let parts = parts(folder.path());
    if !is_ready(&parts).await {
        return;
    }
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/self_test/programs");
    let read = |name: &str| std::fs::read_to_string(programs.join(name)).expect("readable");
    let (prelude, leave) = (read("prelude.py"), read("tmp_leave.py"));
    let container = OpenContainer::start(&parts.image.reference, "walls");
    assert!(container.run(&leave).status.success(), "what is to be found is left there");
    let probes = wall_probes(&programs);
    assert_eq!(probes.len(), 9, "as many as walls");
    for (path, text) in probes {
        let output = container.run(&format!("{prelude}{text}"));
        let (said, noise) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        eprintln!("{}: {}", path.display(), said.trim());
        assert_eq!(output.status.code(), Some(1), "{} found nothing: {said} {noise}", path.display());
        assert!(!said.is_empty(), "{} crashed: {noise}", path.display());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_lies_in_a_container_is_found() {
    let folder = tempfile::tempdir().expect("a temp folder");
    let parts = parts(folder.path());
    if !is_ready(&parts).await {
        return;
    }
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/self_test/programs");
    let hunter = std::fs::read_to_string(programs.join("answer_hunter.py")).expect("readable");
    let container = OpenContainer::start(&parts.image.reference, "answers");
    let hunt = |options: &[&str]| {
        let shell = ["/bin/sh", "-c", "echo hunt | /usr/bin/python3 -I -S -B -c \"$1\"", "sh", hunter.as_str()];
        let output = docker(&[&["exec"], options, &[container.name.as_str()], &shell].concat());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(hunt(&[]).starts_with("nothing in "), "{}", hunt(&[]));
    let marker = format!("agon-marker-{}", "7".repeat(32));
    for place in ["/dev/shm/a", "/dev/shm/deep/er/.hidden"] {
        let written = container.shell(&format!("mkdir -p $(dirname {place}) && echo {marker} > {place}"));
        assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
        assert_eq!(hunt(&[]), format!("found {marker} in {place}\n"));
        container.shell(&format!("rm -r {place}"));
    }
    let told = hunt(&["--env", &format!("TOLD={marker}")]);
    assert!(told.starts_with(&format!("found {marker} in /proc/")), "{told}");
}
