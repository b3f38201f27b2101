//! One process owns a data folder: an OS file lock, and a socket through which others can ask it to come forward.
//!
//! The lock is the operating system's, so it ends with the process however the process ends. Who holds it is written
//! beside it for people. What the socket understands: [`owner_socket`](super::owner_socket).

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::FolderError;
use super::folder::DataFolder;
use super::owner_socket::{self, Heard};

/// What the holder says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Holder {
    pub program: String,
    pub process_id: u32,
    /// Where it listens; absent where there are no such sockets.
    pub socket: Option<PathBuf>,
}

/// Why the folder could not be taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LockError {
    #[error("the folder is in use")]
    Occupied { holder: Option<Holder> },
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// Longest wait for a lock. A process that was killed is listed as gone before the system has closed its files, and
/// somebody who starts the program again after a crash must not be told that it still runs.
const LOCK_WITHIN: Duration = Duration::from_millis(1_000);

fn lock_in_time(file: &File) -> Result<(), TryLockError> {
    let give_up = Instant::now() + LOCK_WITHIN;
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < give_up => {
                std::thread::sleep(Duration::from_millis(20));
            }
            result => return result,
        }
    }
}

/// The held lock. Dropping it frees the folder.
#[derive(Debug)]
pub(crate) struct FolderLock {
    file: File,
    path: PathBuf,
    holder: Holder,
}

impl FolderLock {
    /// Takes the folder or says who has it.
    pub(crate) fn take(folder: &DataFolder, program: &str) -> Result<Self, LockError> {
        let path = folder.lock_file();
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let file = opened.map_err(|source| FolderError::access("opening", &path, source))?;
        match lock_in_time(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LockError::Occupied { holder: read_holder(folder) }),
            Err(TryLockError::Error(source)) => {
                return Err(FolderError::access("locking", &path, source).into());
            }
        }
        // The lock is a name in the folder, and a name can be removed: who still answers still holds it.
        if let Some(holder) = read_holder(folder).filter(is_listening) {
            return Err(LockError::Occupied { holder: Some(holder) });
        }
        folder.clear_run()?;
        let socket = cfg!(unix).then(|| socket_path(folder));
        let holder = Holder { program: program.to_owned(), process_id: std::process::id(), socket };
        let text = serde_json::to_vec(&holder).expect("a holder is text and a number");
        let note = holder_path(folder);
        fs::write(&note, text).map_err(|source| FolderError::access("writing", &note, source))?;
        Ok(Self { file, path, holder })
    }

    /// Serves the socket until `stop`.
    pub(crate) fn serve(&self, heard: Heard, stop: CancellationToken) -> Result<(), FolderError> {
        match &self.holder.socket {
            Some(socket) => owner_socket::listen(socket, heard, stop),
            None => Ok(()),
        }
    }

    /// Frees the folder; the OS would do so at exit anyway.
    pub(crate) fn release(&self) {
        if let Some(socket) = &self.holder.socket {
            let _ = fs::remove_file(socket);
        }
        if let Err(error) = self.file.unlock() {
            tracing::warn!(path = %self.path.display(), %error, "the folder's lock was not freed; it ends with the process");
        }
    }
}

fn is_listening(holder: &Holder) -> bool {
    holder.process_id != std::process::id()
        && holder.socket.as_ref().is_some_and(|socket| owner_socket::ask_to_show(socket))
}

fn holder_path(folder: &DataFolder) -> PathBuf {
    folder.run().join(HOLDER_NOTE)
}

const HOLDER_NOTE: &str = "holder.json";

fn read_holder(folder: &DataFolder) -> Option<Holder> {
    noted_holder(folder.root())
}

/// Who said last that it holds the data folder at `root`; it may be gone. Touches nothing.
pub(crate) fn noted_holder(root: &Path) -> Option<Holder> {
    let mut text = String::new();
    File::open(root.join("run").join(HOLDER_NOTE)).ok()?.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// A socket's path may have about 100 bytes; a longer folder gets one in the temporary folder instead.
const SOCKET_PATH_BYTES_MAX: usize = 100;

fn socket_path(folder: &DataFolder) -> PathBuf {
    let inside = folder.run().join("owner.sock");
    if inside.as_os_str().len() <= SOCKET_PATH_BYTES_MAX {
        return inside;
    }
    std::env::temp_dir().join(format!("agon-{}.sock", crate::ids::new_id()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::{mpsc, watch};

    use super::owner_socket::ask_to_show;
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_second_taker_learns_who_has_the_folder_and_can_call_it() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let folder = DataFolder::create(&parent.path().join("data")).expect("it is made");
        let lock = FolderLock::take(&folder, "first").expect("nobody has it");
        let shows = Arc::new(watch::Sender::new(0));
        let mut shown = shows.subscribe();
        lock.serve(Heard { shows, calls: mpsc::channel(1).0 }, CancellationToken::new()).expect("it listens");

        let refused = FolderLock::take(&folder, "second").expect_err("it is taken");
        let LockError::Occupied { holder: Some(holder) } = refused else { panic!("{refused}") };
        assert_eq!((holder.program.as_str(), holder.process_id), ("first", std::process::id()));
        let socket = holder.socket.expect("this system has sockets");
        let answered = tokio::task::spawn_blocking(move || ask_to_show(&socket)).await.expect("no panic");
        assert!(answered);
        shown.wait_for(|count| *count == 1).await.expect("the request arrived");

        lock.release();
        FolderLock::take(&folder, "third").expect("it is free again");
    }
}
