//! Watched files: a folder whose problem packages are taken in, and sources that are edited elsewhere.
//!
//! What the system tells about changes is only a wake-up, never the truth: every pass looks at the disk itself. So a
//! lost, doubled or overflowing event costs time and nothing else, and a folder on a network, where nobody tells
//! anything, is looked at every few seconds by the same code.
//!
//! **Never half-written.** A package is taken in when its *signature* (names, sizes, times of all its files) has stayed
//! the same for a while, from a copy, and only if the signature is still the same after the copy was made. The source
//! is never touched.
//!
//! **By content.** What was decided about a content (taken in, refused) is kept with its hash. The same content is not
//! decided again: a problem that somebody took off the list does not come back with the next start.
//!
//! **One's own editor.** The newest content of the file is the draft; the text that it takes the place of is kept as a
//! version in the journal. A draft that is newer than the file stays until the file is saved again.
//!
//! Two tasks, [`folder`] and [`source`], share nothing but the [`board`]: a package that takes minutes delays no draft.
//! Too few watches in the system is a failure of the module with a way out; a folder that is away is a state.

mod board;
mod content;
mod folder;
mod look;
mod network;
mod settle;
mod source;
#[cfg(test)]
mod tests;
mod wakes;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_contract::ids::{ProblemId, UserId};
use async_trait::async_trait;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::clock::Clock;
use crate::module::{Close, Module, ModuleFailure, Running};
use crate::owner::admin::Admin;
use crate::owner::catalog::Catalog;
use crate::store::journal::Journal;

pub(crate) use board::{Seen, WatchBoard};
pub(crate) use folder::{FolderSetting, WATCH_FOLDER};

/// The module's name.
pub(crate) const FILE_WATCH: &str = "file_watch";

/// What became of a package that was offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Offered {
    TakenIn(ProblemId),
    /// Its content is at fault, or its short name is somebody else's.
    Refused {
        code: String,
        reason: String,
        remedy: String,
    },
    /// Nothing is wrong with it; try again later.
    Later {
        reason: String,
    },
}

/// Takes packages in. Filled by the facade, which knows the doctor and the catalogue.
#[async_trait]
pub(crate) trait Intake: Send + Sync {
    /// Looks at the package at `path` and takes it in. It may take the place of `own`, the problem that this place of
    /// the folder made before, and of no other.
    async fn offer(&self, path: &Path, own: Option<ProblemId>, by: &UserId) -> Offered;
}

/// What the watch works with.
#[derive(Clone)]
pub(crate) struct Means {
    pub admin: Admin,
    pub catalog: Catalog,
    pub journal: Arc<Journal>,
    pub intake: Arc<dyn Intake>,
    /// Folder for copies; nothing in it outlives the process.
    pub staging: PathBuf,
    pub clock: Arc<dyn Clock>,
    pub board: WatchBoard,
}

/// The module `file_watch`.
pub(crate) struct FileWatch {
    means: Means,
}

impl FileWatch {
    pub(crate) fn new(means: Means) -> Self {
        Self { means }
    }
}

#[async_trait]
impl Module for FileWatch {
    fn name(&self) -> &'static str {
        FILE_WATCH
    }

    async fn start(&self, _cancel: CancellationToken) -> Result<Running, ModuleFailure> {
        let mut folder = folder::FolderTask::new(self.means.clone())?;
        let mut source = source::SourceTask::new(self.means.clone())?;
        // The first passes tell at once what cannot work: too few watches, a store that does not answer.
        let first_folder = folder.pass().await?;
        let first_source = source.pass().await?;
        let stop = CancellationToken::new();
        let mut tasks = JoinSet::new();
        tasks.spawn(folder.run(first_folder, stop.clone()));
        tasks.spawn(source.run(first_source, stop.clone()));
        let (failer, failed) = oneshot::channel();
        let (ended, gone) = oneshot::channel();
        tokio::spawn(supervise(tasks, stop.clone(), failer, ended));
        Ok(Running { close: Box::new(Instance { stop, gone }), failed })
    }
}

/// Waits for the tasks; the first that fails, or ends by a panic, fails the module.
async fn supervise(
    mut tasks: JoinSet<Result<(), ModuleFailure>>,
    stop: CancellationToken,
    failer: oneshot::Sender<ModuleFailure>,
    ended: oneshot::Sender<()>,
) {
    let mut failer = Some(failer);
    while let Some(task) = tasks.join_next().await {
        let failure = match task {
            Ok(Ok(())) => continue,
            Ok(Err(failure)) => failure,
            Err(error) => ModuleFailure::new(format!("one of its tasks ended: {error}"), "Restart it."),
        };
        stop.cancel();
        if let Some(failer) = failer.take() {
            let _ = failer.send(failure);
        }
    }
    // Kept until here: a sender that is dropped would tell of a death while the tasks still run.
    drop(failer);
    let _ = ended.send(());
}

struct Instance {
    stop: CancellationToken,
    gone: oneshot::Receiver<()>,
}

#[async_trait]
impl Close for Instance {
    async fn close(mut self: Box<Self>) {
        self.stop.cancel();
        let _ = (&mut self.gone).await;
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
