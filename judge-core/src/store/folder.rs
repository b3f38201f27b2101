//! The data folder's layout, and durable ways to put files into it.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::FolderError;

/// Name of the file that [`DataFolder::try_room`] writes.
const ROOM_PROBE: &str = "room";
const ROOM_PIECE_BYTES: usize = 64 * 1024;
/// 4 MiB: the write-ahead log grows to that before it is folded in.
const ROOM_PIECES: usize = 64;

/// The places of one data folder. (Layout: foundations, "Data folder and blobs".)
#[derive(Clone, Debug)]
pub(crate) struct DataFolder {
    root: PathBuf,
}

impl DataFolder {
    /// Makes the folder and its parts where absent; readable by their owner only.
    pub(crate) fn create(root: &Path) -> Result<Self, FolderError> {
        create_private(root)?;
        let root = root.canonicalize().map_err(|source| FolderError::access("resolving", root, source))?;
        let folder = Self { root };
        for part in [folder.blobs(), folder.journal(), folder.backups(), folder.logs(), folder.run()] {
            create_private(&part)?;
        }
        sync_folder(&folder.root)?;
        Ok(folder)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.root.join("agon.db")
    }

    pub(crate) fn blobs(&self) -> PathBuf {
        self.root.join("blobs")
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.root.join("journal")
    }

    pub(crate) fn backups(&self) -> PathBuf {
        self.root.join("backups")
    }

    pub(crate) fn logs(&self) -> PathBuf {
        self.root.join("logs")
    }

    /// Sockets, uploads and staging: nothing here but [`boxes`](Self::boxes) outlives its process.
    pub(crate) fn run(&self) -> PathBuf {
        self.root.join("run")
    }

    /// Files of the boxes; the backend clears it itself, because it can tell a dead instance's boxes from living ones.
    pub(crate) fn boxes(&self) -> PathBuf {
        self.run().join("boxes")
    }

    /// Compiled programs; safe to lose.
    pub(crate) fn cache(&self) -> PathBuf {
        self.root.join("cache")
    }

    pub(crate) fn lock_file(&self) -> PathBuf {
        self.root.join("lock")
    }

    /// Writes and takes back as much as a verdict with its runs may need: whether there is room is known only to the disk,
    /// which may also lack inodes or quota.
    pub(crate) fn try_room(&self) -> Result<(), FolderError> {
        let path = self.run().join(ROOM_PROBE);
        let written = write_zeros(&path).map_err(|source| FolderError::access("trying to write", &path, source));
        match fs::remove_file(&path) {
            Err(source) if written.is_ok() => Err(FolderError::access("removing", &path, source)),
            Ok(()) | Err(_) => written,
        }
    }

    /// Empties `run/` of what a dead process left. Only for the holder of the lock.
    pub(crate) fn clear_run(&self) -> Result<(), FolderError> {
        let run = self.run();
        let entries = fs::read_dir(&run).map_err(|source| FolderError::access("listing", &run, source))?;
        for entry in entries {
            let path = entry.map_err(|source| FolderError::access("listing", &run, source))?.path();
            if path == self.boxes() {
                continue;
            }
            let removed =
                if path.is_dir() && !path.is_symlink() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.map_err(|source| FolderError::access("removing", &path, source))?;
        }
        Ok(())
    }
}

fn write_zeros(path: &Path) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    for _ in 0..ROOM_PIECES {
        file.write_all(&[0; ROOM_PIECE_BYTES])?;
    }
    file.sync_all()
}

fn create_private(path: &Path) -> Result<(), FolderError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|source| FolderError::access("making", path, source))
}

/// Makes renames and new names inside the folder durable.
pub(super) fn sync_folder(path: &Path) -> Result<(), FolderError> {
    // Windows has no way to sync a directory; its file system journals the names itself.
    if cfg!(unix) {
        File::open(path)
            .and_then(|folder| folder.sync_all())
            .map_err(|source| FolderError::access("syncing", path, source))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_made_once_and_kept() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let root = parent.path().join("new/data");
        let folder = DataFolder::create(&root).expect("it is made");
        fs::write(folder.run().join("left"), "x").expect("writable");
        fs::create_dir(folder.run().join("staging")).expect("writable");
        fs::create_dir(folder.boxes()).expect("writable");
        let again = DataFolder::create(&root).expect("it is there");
        again.clear_run().expect("it can be cleared");
        assert_eq!(fs::read_dir(again.run()).expect("listable").count(), 1);
        assert!(again.boxes().is_dir(), "the backend's own");
        let mut names: Vec<_> =
            fs::read_dir(&root).expect("listable").map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        assert_eq!(names, ["backups", "blobs", "journal", "logs", "run"]);
    }

    #[test]
    fn trying_for_room_leaves_nothing_and_says_when_it_cannot_write() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let folder = DataFolder::create(parent.path()).expect("it is made");
        folder.try_room().expect("there is room");
        assert_eq!(fs::read_dir(folder.run()).expect("listable").count(), 0);
        fs::remove_dir(folder.run()).expect("removable");
        let error = folder.try_room().expect_err("it cannot write");
        assert!(!error.is_disk_full(), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_disk_without_room_is_told_by_writing() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let folder = DataFolder::create(parent.path()).expect("it is made");
        std::os::unix::fs::symlink("/dev/full", folder.run().join(ROOM_PROBE)).expect("a link");
        assert!(folder.try_room().expect_err("it is full").is_disk_full());
        folder.try_room().expect("the link is gone, and there is room");
    }
}
