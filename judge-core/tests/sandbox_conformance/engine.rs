//! An engine that goes away in the middle of a run and comes back: a second engine of the test's own, so that nobody
//! else's boxes are touched.

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use judge_core::sandbox::docker::{DockerSandbox, DockerSettings};
use judge_core::sandbox::{
    BoxPurpose, BoxSpec, Content, Discard, Disposition, ImageRef, KeepHead, Limits, Outcome, RunStep, Sandbox,
    SandboxBox, SandboxHealth, Stdin, WorkFile,
};

use crate::rig::{LIMITS, Rig, behave, probes, skip, skip_for_want_of_root};

const IMAGE: &str = "agon-test-empty:1";

/// A `dockerd` with its own socket, data and runtime folders.
struct OwnEngine {
    folder: tempfile::TempDir,
    daemon: Option<Child>,
}

impl OwnEngine {
    fn start() -> Option<Self> {
        if !rustix::process::getuid().is_root() {
            skip_for_want_of_root("an engine of the test's own needs root");
            return None;
        }
        if Command::new("dockerd").arg("--version").stdout(Stdio::null()).status().is_err() {
            skip("an engine of the test's own needs dockerd");
            return None;
        }
        let mut engine = Self { folder: tempfile::tempdir().expect("a temp folder"), daemon: None };
        engine.begin();
        engine.import_image();
        Some(engine)
    }

    fn address(&self) -> String {
        format!("unix://{}", self.folder.path().join("s").display())
    }

    fn begin(&mut self) {
        let path = |name: &str| self.folder.path().join(name);
        let log = std::fs::File::options().create(true).append(true).open(path("log")).expect("a log");
        std::fs::write(path("config.json"), "{}").expect("written");
        let daemon = Command::new("dockerd")
            .arg("--host")
            .arg(self.address())
            .arg("--data-root")
            .arg(path("data"))
            .arg("--exec-root")
            .arg(path("exec"))
            .arg("--pidfile")
            .arg(path("pid"))
            // The machine's own configuration may name the same options, which the engine refuses.
            .arg("--config-file")
            .arg(path("config.json"))
            .args(["--bridge=none", "--iptables=false", "--ip-forward=false", "--ip-masq=false"])
            .stderr(log)
            .spawn()
            .expect("dockerd starts");
        self.daemon = Some(daemon);
        for _ in 0..600 {
            if self.docker(&["version"]).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
            {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let log = std::fs::read_to_string(path("log")).unwrap_or_default();
        panic!("the test's own engine does not answer:\n{log}");
    }

    fn docker(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("docker");
        command.arg("--host").arg(self.address()).args(arguments);
        command
    }

    /// The smallest image: the folders that a box mounts on. The probes are static.
    fn import_image(&self) {
        let root = self.folder.path().join("root");
        for folder in ["agon", "tmp", "proc", "dev", "sys", "etc"] {
            std::fs::create_dir_all(root.join(folder)).expect("made");
        }
        let tar = Command::new("tar").arg("-C").arg(&root).args(["-c", "."]).output().expect("tar runs");
        let mut import = self
            .docker(&["import", "-", IMAGE])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("docker import runs");
        import.stdin.take().expect("a pipe").write_all(&tar.stdout).expect("written");
        assert!(import.wait().expect("it ends").success(), "the image is imported");
    }

    /// Ends it as a service manager would.
    fn stop(&mut self) {
        let Some(mut daemon) = self.daemon.take() else { return };
        let pid = rustix::process::Pid::from_child(&daemon);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("told to stop");
        daemon.wait().expect("it ends");
    }
}

impl Drop for OwnEngine {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn open(sandbox: &DockerSandbox, spec: &BoxSpec, probe: &[u8]) -> Box<dyn SandboxBox> {
    let mut opened = sandbox.open(spec).await.expect("a box opens");
    let content = Content::Bytes(probe.to_vec());
    opened.put(WorkFile { relative_path: "behave".into(), content, executable: true }).await.expect("put");
    opened
}

async fn sums(opened: &mut Box<dyn SandboxBox>) {
    let mut sink = KeepHead::new(10);
    let step = RunStep { stdin: Stdin::Bytes(b"3 4".to_vec()), ..behave(&["sum"]) };
    let report = opened.run(step, &mut sink).await.expect("a report");
    assert_eq!((report.outcome, sink.into_bytes()), (Outcome::Exited(0), b"7\n".to_vec()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_stops_in_a_run_is_away_and_judging_goes_on_when_it_returns() {
    let Some(rig) = Rig::new(0).await else { return };
    let Some(mut engine) = OwnEngine::start() else { return };
    let probe = &probes(&rig).await["behave"];
    let image = ImageRef { reference: IMAGE.to_owned(), id: None };
    let settings = DockerSettings { engine: Some(engine.address()), image: image.clone(), ..rig.settings.clone() };
    let sandbox = Arc::new(DockerSandbox::new(settings));
    let spec = BoxSpec { image, ..rig.spec(BoxPurpose::Run) };
    let mut opened = open(&sandbox, &spec, probe).await;
    sums(&mut opened).await;

    let limits = Limits { wall_ms: 600_000, cpu_ms: 600_000, ..LIMITS };
    let running = tokio::spawn(async move {
        let step = RunStep { limits, ..behave(&["sleep", "500000"]) };
        let ended = opened.run(step, &mut Discard).await;
        (opened, ended)
    });
    let mut engine = tokio::task::spawn_blocking(move || {
        std::thread::sleep(Duration::from_millis(500));
        engine.stop();
        engine
    })
    .await
    .expect("stopped");
    let (interrupted, ended) = running.await.expect("the run ends");
    let error = ended.expect_err("an interrupted run is no verdict");
    assert_eq!(error.disposition(), Disposition::BackendAway, "{error}");
    drop(interrupted);

    assert_eq!(sandbox.status().await.health, SandboxHealth::EngineAway);
    let refused = sandbox.open(&spec).await.err().expect("no box without an engine");
    assert_eq!((refused.code(), refused.disposition()), ("engine_unreachable", Disposition::BackendAway));

    engine.begin();
    assert_eq!(sandbox.status().await.health, SandboxHealth::Ready);
    let mut opened = open(&sandbox, &spec, probe).await;
    sums(&mut opened).await;
    opened.destroy().await;
    sandbox.close().await;
    drop(sandbox);
    left_by(&engine);
    rig.finish().await;
}

/// The box of the interrupted run could not be removed while the engine was away; a sweep finds it.
fn left_by(engine: &OwnEngine) {
    let listed = engine.docker(&["ps", "-aq"]).output().expect("listed");
    let left = String::from_utf8_lossy(&listed.stdout).lines().count();
    assert!(left <= 1, "{left} boxes are left");
}
