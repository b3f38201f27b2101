//! The parts a judging needs from this machine: the sandbox backend, the image, the compile cache.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::{OpenError, SandboxChoice};
use crate::clock::SystemClock;
use crate::judging::{CompileCache, Judging};
use crate::sandbox::docker::{DockerSandbox, DockerSettings, SeccompProfile};
use crate::sandbox::{ImageRef, Sandbox, find_supervisor};
use crate::self_test::Parts;
use crate::store::chain;
use crate::store::folder::DataFolder;

/// The image's definition, in the order in which the set-up hashes it.
const DEFINITION: [&[u8]; 3] = [
    include_bytes!("../../sandbox-image/Dockerfile"),
    include_bytes!("../../sandbox-image/finish.sh"),
    include_bytes!("../../sandbox-image/packages.txt"),
];

/// Ready boxes a worker finds (sandbox, "One box per submission").
const WARM_BOXES_PER_WORKER: usize = 2;

/// Artefacts kept between judgings.
const CACHE_BYTES: u64 = 512 * 1024 * 1024;

/// The image this program's definition makes: `agon-sandbox:<12 hex digits of its hash>`.
pub(super) fn image() -> ImageRef {
    let mut hasher = Sha256::new();
    for part in DEFINITION {
        hasher.update(part);
    }
    let tag: String = hasher.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    ImageRef { reference: format!("agon-sandbox:{tag}"), id: None }
}

/// The backend; nothing is asked of an engine yet. Call it inside the async runtime.
pub(super) fn sandbox(choice: &SandboxChoice, work_root: PathBuf, workers: usize) -> Arc<dyn Sandbox> {
    match choice {
        SandboxChoice::Given(sandbox) => Arc::clone(sandbox),
        SandboxChoice::Docker => Arc::new(DockerSandbox::new(DockerSettings {
            engine: None,
            work_root,
            supervisor: find_supervisor(),
            image: image(),
            seccomp: SeccompProfile::Own,
            warm_boxes: workers * WARM_BOXES_PER_WORKER,
        })),
    }
}

/// Judging without a data folder, for commands that keep nothing: the sandbox of this machine and a judging in it. The
/// boxes' files and compiled programs lie below `folder`; close the sandbox before the folder goes. Call it inside the
/// async runtime.
#[must_use]
pub fn judging_in(folder: &Path) -> (Arc<dyn Sandbox>, Judging) {
    let sandbox = sandbox(&SandboxChoice::Docker, folder.join("boxes"), 1);
    let judging = Judging::new(Arc::clone(&sandbox), image(), compile_cache(folder.join("compiled")));
    (sandbox, judging)
}

pub(super) fn compile_cache(folder: PathBuf) -> CompileCache {
    CompileCache::new(folder, CACHE_BYTES)
}

/// Judged at one time when nobody says otherwise: one core stays free for the person at the machine.
pub(super) fn default_workers() -> usize {
    cores().saturating_sub(1).max(1)
}

/// What the self-test looks at on this machine, without opening the data folder: it works while another program has it.
/// Boxes' files lie where judging puts them, for that place may be at fault. Close the sandbox afterwards. Call it inside
/// the async runtime.
///
/// # Errors
/// [`OpenError::FolderUnusable`] when the data folder cannot be made.
pub fn self_test_parts(data_folder: &Path) -> Result<Parts, OpenError> {
    let unusable = |detail| OpenError::FolderUnusable { folder: data_folder.to_owned(), detail };
    let folder = DataFolder::create(data_folder).map_err(|error| unusable(chain(&error)))?;
    Ok(Parts {
        sandbox: sandbox(&SandboxChoice::Docker, folder.boxes(), 0),
        image: image(),
        supervisor: find_supervisor(),
        data_folder: folder.root().to_owned(),
        clock: Arc::new(SystemClock::new()),
    })
}

/// Recorded with each judgement: verdicts that differ between machines must be explainable.
pub(super) fn machine() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host = if host.trim().is_empty() { "this machine" } else { host.trim() };
    format!("{host}, {} {}, {} cores", std::env::consts::OS, std::env::consts::ARCH, cores())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
