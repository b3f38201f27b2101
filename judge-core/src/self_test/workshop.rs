//! Judges small programs of ours by the same judging as any submission, in a folder that is gone afterwards.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use agon_contract::problem::TimeLimitSource;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::Parts;
use super::backend;
use super::ledger::{Finding, Ledger};
use crate::domain::comparison::DefaultValidatorArgs;
use crate::domain::limits::{DEFAULT_CODE_BYTES, EffectiveLimits};
use crate::domain::rules::{CaseRules, JudgingRules};
use crate::judging::{
    CompileCache, Disposition, Expected, JudgeCase, JudgeError, JudgeMode, JudgeableProblem, Judged, Judging, Language,
    NoProgress, Program, ProgramFile,
};
use crate::sandbox::SandboxHealth;

/// Artefacts of one self-test fit well.
const CACHE_BYTES: u64 = 256 << 20;
/// A virtual machine is slow to start on a busy machine, and no verdict hangs on these times.
const LIMITS: EffectiveLimits = EffectiveLimits {
    time_limit_ms: 10_000,
    time_limit_source: TimeLimitSource::Package,
    memory_bytes: 512 << 20,
    output_bytes: 1 << 20,
    code_bytes: DEFAULT_CODE_BYTES,
};

/// Judging with a compile cache of its own, so that every compiler really runs.
pub(super) struct Workshop {
    folder: TempDir,
    judging: Judging,
}

impl Workshop {
    pub(super) fn open(parts: &Parts) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let cache = CompileCache::new(folder.path().join("compile"), CACHE_BYTES);
        let judging = Judging::new(Arc::clone(&parts.sandbox), parts.image.clone(), cache);
        Ok(Self { folder, judging })
    }

    /// A test case with this input, whose answer is compared if there is one.
    pub(super) fn case(&self, name: &str, input: &str, answer: Option<&str>) -> io::Result<JudgeCase> {
        let write = |extension: &str, text: &str| {
            let path = self.folder.path().join(name).with_extension(extension);
            std::fs::write(&path, text).map(|()| path)
        };
        let expected = match answer {
            Some(answer) => Expected::Answer(write("ans", answer)?),
            None => Expected::Anything,
        };
        Ok(JudgeCase {
            name: name.to_owned(),
            is_sample: false,
            input: write("in", input)?,
            expected,
            validator: None,
            rules: CaseRules::default(),
        })
    }

    pub(super) async fn judge(
        &self,
        language: &Arc<Language>,
        source: &str,
        cases: Vec<JudgeCase>,
    ) -> Result<Judged, JudgeError> {
        let file = ProgramFile { name: language.default_file_name.clone(), bytes: source.as_bytes().to_vec() };
        let program = Program { language: Arc::clone(language), files: vec![file] };
        let problem = JudgeableProblem {
            limits: LIMITS,
            validator: DefaultValidatorArgs::default(),
            rules: JudgingRules::default(),
            contents: BTreeMap::new(),
            cases,
        };
        self.judging.judge(&program, &problem, JudgeMode::RunAll, &NoProgress, &CancellationToken::new()).await
    }
}

/// Nothing is broken: other programs take the cores.
pub(super) const BUSY: &str = "Let the machine come to rest (close what computes), then run the self-test again.";

/// What a fault of judging means for its item and, when the backend is gone, for those after it.
pub(super) fn fault(error: &JudgeError, ledger: &mut Ledger<'_>) -> Finding {
    let health = match error {
        JudgeError::Sandbox { source, .. } => source.health(),
        JudgeError::DiedTwice { .. }
        | JudgeError::Launch { .. }
        | JudgeError::MachineBusy { .. }
        | JudgeError::ReadCase { .. }
        | JudgeError::KeepOutput { .. }
        | JudgeError::BadSource { .. }
        | JudgeError::Cancelled => SandboxHealth::Ready,
    };
    let is_busy = matches!(error, JudgeError::MachineBusy { .. });
    let remedy = if is_busy { BUSY } else { backend::remedy(&health) };
    if let Disposition::BackendAway { reason } = error.disposition() {
        ledger.block(reason, remedy);
    }
    Finding::bad(error.to_string(), remedy)
}

/// The temp folder of this machine cannot be used.
pub(super) fn no_room(error: &io::Error) -> Finding {
    let seen = format!("the temp folder {}: {error}", std::env::temp_dir().display());
    Finding::bad(seen, "Make room in the temp folder, or name another one with TMPDIR.")
}
