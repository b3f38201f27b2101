//! A box to try things in: opened when first needed, kept while it is fit, removed at the end.

use agon_contract::sandbox::SandboxHealth;

use super::Parts;
use super::backend;
use super::ledger::{Finding, Ledger};
use crate::sandbox::{
    BOX_TMP, BoxPurpose, BoxSpec, Disposition, KeepHead, Limits, RunReport, RunStep, SandboxBox, SandboxError, Stdin,
};

/// Memory and processes of the class of box; each program gets its own limits below them.
const MEMORY_BYTES: u64 = 512 << 20;
const PROCESSES: u32 = 128;
/// What is kept of a program's output: probes say one line.
const HEAD_BYTES: usize = 4096;

/// Ample for a probe; those that provoke a limit lower it.
pub(super) const AMPLE: Limits = Limits {
    cpu_ms: 10_000,
    wall_ms: 21_000,
    memory_bytes: 256 << 20,
    output_bytes: 1 << 20,
    stderr_bytes: 64 << 10,
    file_bytes: 16 << 20,
    processes: 32,
    open_files: 64,
};

/// Opens boxes of one purpose, one at a time.
pub(super) struct Bench<'a> {
    parts: &'a Parts,
    purpose: BoxPurpose,
    opened: Option<Box<dyn SandboxBox>>,
}

/// How a program ended, in which box, and the first bytes that it printed.
pub(super) struct Seen {
    pub(super) box_id: String,
    pub(super) report: RunReport,
    pub(super) stdout: Vec<u8>,
}

impl<'a> Bench<'a> {
    pub(super) fn new(parts: &'a Parts, purpose: BoxPurpose) -> Self {
        Self { parts, purpose, opened: None }
    }

    /// Has a box ready, the present one while it is fit or else a fresh one, and answers its id.
    pub(super) async fn open(&mut self) -> Result<String, SandboxError> {
        match &self.opened {
            Some(opened) if opened.is_usable() => return Ok(opened.id().to_owned()),
            Some(_) => self.close().await,
            None => {}
        }
        let spec = BoxSpec {
            purpose: self.purpose,
            image: self.parts.image.clone(),
            memory_bytes: MEMORY_BYTES,
            processes: PROCESSES,
        };
        let opened = self.parts.sandbox.open(&spec).await?;
        let id = opened.id().to_owned();
        self.opened = Some(opened);
        Ok(id)
    }

    /// Runs a program of the image; after a fault the next one gets a fresh box.
    pub(super) async fn run(
        &mut self,
        argv: Vec<String>,
        env: &[String],
        limits: Limits,
    ) -> Result<Seen, SandboxError> {
        let box_id = self.open().await?;
        let opened = self.opened.as_mut().expect("it was just opened");
        let env = env.iter().filter_map(|pair| pair.split_once('='));
        let step = RunStep {
            argv,
            env: env.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            working_dir: BOX_TMP.to_owned(),
            stdin: Stdin::Empty,
            limits,
            keep_files: false,
            stop: None,
        };
        let mut head = KeepHead::new(HEAD_BYTES);
        match opened.run(step, &mut head).await {
            Ok(report) => Ok(Seen { box_id, report, stdout: head.into_bytes() }),
            Err(error) => {
                self.close().await;
                Err(error)
            }
        }
    }

    /// Runs a Python program given as text.
    pub(super) async fn run_python(&mut self, source: &str, limits: Limits) -> Result<Seen, SandboxError> {
        let argv = ["/usr/bin/python3", "-I", "-S", "-B", "-c", source].map(str::to_owned).to_vec();
        self.run(argv, &["PATH=/usr/bin:/bin".to_owned(), "PYTHONUTF8=1".to_owned()], limits).await
    }

    /// Removes the box.
    pub(super) async fn close(&mut self) {
        if let Some(opened) = self.opened.take() {
            opened.destroy().await;
        }
    }
}

impl Seen {
    /// The first line that it printed, for people.
    pub(super) fn first_line(&self) -> String {
        first_line(&self.stdout)
    }
}

/// The first line of some bytes, for people.
pub(super) fn first_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).lines().next().unwrap_or_default().trim().to_owned()
}

/// What a fault means for its item and, when the backend is gone, for those after it.
pub(super) fn fault(error: &SandboxError, ledger: &mut Ledger<'_>) -> Finding {
    let remedy = backend::remedy(&error.health());
    if error.disposition() == Disposition::BackendAway {
        let is_away = error.health() == SandboxHealth::EngineAway;
        ledger.block(if is_away { "engine away".to_owned() } else { error.to_string() }, remedy);
    }
    Finding::bad(error.to_string(), remedy)
}
