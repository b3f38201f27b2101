//! Whether a box that does nothing lives: then it was the submission that killed the others.

use super::error::JudgeError;
use crate::sandbox::{BOX_TMP, BoxPurpose, BoxSpec, Discard, ImageRef, Limits, RunStep, Sandbox, SandboxError, Stdin};

const PROGRAM: &str = "/bin/true";
const MEMORY_BYTES: u64 = 64 * 1024 * 1024;
const LIMITS: Limits = Limits {
    cpu_ms: 10_000,
    wall_ms: 10_000,
    memory_bytes: MEMORY_BYTES,
    output_bytes: 4096,
    stderr_bytes: 4096,
    file_bytes: 4096,
    processes: 16,
    open_files: 64,
};

/// How often boxes died under one submission, and what follows. (Source: delivery, Fence: two deaths with a healthy
/// control box are for staff, so that nobody can choose a judge error for himself.)
#[derive(Debug, Default)]
pub(super) struct Deaths(u32);

impl Deaths {
    /// Forgives the first death; the second is the submission's if a control box lives, else the backend's. Any other
    /// error is handed back.
    pub(super) async fn forgive(
        &mut self,
        error: JudgeError,
        sandbox: &dyn Sandbox,
        image: &ImageRef,
    ) -> Result<(), JudgeError> {
        let JudgeError::Sandbox { source: SandboxError::BoxDied { box_id, detail }, operation } = error else {
            return Err(error);
        };
        self.0 += 1;
        tracing::warn!(box.id = %box_id, %detail, operation, "a box died under a submission");
        if self.0 > 1 {
            check(sandbox, image).await?;
            return Err(JudgeError::DiedTwice { detail });
        }
        Ok(())
    }
}

async fn check(sandbox: &dyn Sandbox, image: &ImageRef) -> Result<(), JudgeError> {
    let failed = |source| JudgeError::Sandbox { operation: "running the control program", source };
    let spec = BoxSpec {
        purpose: BoxPurpose::Run,
        image: image.clone(),
        memory_bytes: MEMORY_BYTES,
        processes: LIMITS.processes,
    };
    let mut control = sandbox.open(&spec).await.map_err(failed)?;
    let step = RunStep {
        argv: vec![PROGRAM.to_owned()],
        env: Vec::new(),
        working_dir: BOX_TMP.to_owned(),
        stdin: Stdin::Empty,
        limits: LIMITS,
        keep_files: false,
        stop: None,
    };
    control.run(step, &mut Discard).await.map_err(failed)?;
    Ok(())
}
