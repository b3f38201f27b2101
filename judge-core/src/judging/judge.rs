//! The way from sources to a verdict.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::cache::CompileCache;
use super::error::JudgeError;
use super::model::{JudgeMode, JudgeableProblem, Judged, JudgingProgress, Program};
use crate::sandbox::{ImageRef, Sandbox};

/// Judges one submission at a time per call; calls may run side by side.
#[derive(Clone)]
pub struct Judging {
    sandbox: Arc<dyn Sandbox>,
    image: ImageRef,
    cache: CompileCache,
}

impl Judging {
    /// Judges in boxes of `image`.
    #[must_use]
    pub fn new(sandbox: Arc<dyn Sandbox>, image: ImageRef, cache: CompileCache) -> Self {
        Self { sandbox, image, cache }
    }

    /// Compiles `program` and runs the problem's cases. A preview is this with the samples or with one case that
    /// expects [`Anything`](super::Expected::Anything), in [`RunAll`](JudgeMode::RunAll).
    ///
    /// # Errors
    /// Faults of ours or the machine's; ask their [`disposition`](JudgeError::disposition). After a cancellation the
    /// box is dead.
    pub async fn judge(
        &self,
        program: &Program,
        problem: &JudgeableProblem,
        mode: JudgeMode,
        progress: &dyn JudgingProgress,
        cancel: &CancellationToken,
    ) -> Result<Judged, JudgeError> {
        let _ = (&self.sandbox, &self.image, &self.cache, problem, mode, progress, cancel);
        let name = program.files.first().map(|file| file.name.clone()).unwrap_or_default();
        Err(JudgeError::BadSource { name, detail: "judging lands with the next change".to_owned() })
    }
}
