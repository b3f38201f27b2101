//! Compile cache: artefacts by what they were made from, in one folder with a size cap.

use std::path::PathBuf;

/// A folder of artefacts. Safe to lose at any time; shared by all workers of the process.
#[derive(Clone, Debug)]
pub struct CompileCache {
    folder: PathBuf,
    cap_bytes: u64,
}

impl CompileCache {
    /// Uses `folder` (made when first needed), kept below `cap_bytes` by dropping what was used longest ago.
    #[must_use]
    pub fn new(folder: PathBuf, cap_bytes: u64) -> Self {
        Self { folder, cap_bytes }
    }

    /// Where it is and how large it may grow.
    #[must_use]
    pub fn location(&self) -> (&std::path::Path, u64) {
        (&self.folder, self.cap_bytes)
    }
}
