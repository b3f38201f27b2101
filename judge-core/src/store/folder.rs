//! The data folder's layout, and durable ways to put files into it.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::FolderError;

const DATABASE: &str = "agon.db";
/// Name of the file that [`DataFolder::try_room`] writes.
const ROOM_PROBE: &str = "room";
const ROOM_PIECE_BYTES: usize = 64 * 1024;
/// 4 MiB: the write-ahead log grows to that before it is folded in.
const ROOM_PIECES: usize = 64;

/// What a data folder consists of before its database is there. A power cut in the very first start may keep the names
/// of the database's companions and lose the database's own.
const OWN_NAMES: [&str; 10] =
    ["agon.db-journal", "agon.db-shm", "agon.db-wal", "backups", "blobs", "cache", "journal", "lock", "logs", "run"];
/// What a process leaves in `run/`, besides the boxes.
const LEFT_IN_RUN: [&str; 4] = ["holder.json", "owner.sock", ROOM_PROBE, "uploads"];
/// Packages are looked at in folders of this name; a preview's own input is a file of it.
pub(crate) const STAGING_PREFIX: &str = "staging-";

/// The places of one data folder. (Layout: foundations, "Data folder and blobs".)
#[derive(Clone, Debug)]
pub(crate) struct DataFolder {
    root: PathBuf,
}

impl DataFolder {
    /// Makes the folder and its parts where absent; readable by their owner only. Files are removed in some parts, so a
    /// folder that is somebody's for something else is refused, and so is a part that is a link to elsewhere. The
    /// folder's name is durable when this returns: what is synced in a folder is lost with the folder's own name.
    pub(crate) fn create(root: &Path) -> Result<Self, FolderError> {
        let made: Vec<&Path> = root.ancestors().take_while(|folder| !folder.exists()).collect();
        create_private(root)?;
        sync_names(root, made.len())?;
        let root = root.canonicalize().map_err(|source| FolderError::access("resolving", root, source))?;
        let folder = Self { root };
        folder.check_is_ours()?;
        for part in [folder.blobs(), folder.journal(), folder.backups(), folder.logs(), folder.run()] {
            create_private(&part)?;
        }
        sync_folder(&folder.root)?;
        Ok(folder)
    }

    fn check_is_ours(&self) -> Result<(), FolderError> {
        if !self.database().exists()
            && let Some(name) = self.foreign_entry()?
        {
            return Err(FolderError::Foreign { folder: self.root.clone(), name });
        }
        let parts = [self.blobs(), self.journal(), self.backups(), self.logs(), self.run(), self.boxes(), self.cache()];
        match parts.into_iter().find(|part| part.is_symlink()) {
            Some(path) => Err(FolderError::PartIsLink { path }),
            None => Ok(()),
        }
    }

    /// Something that a start that was cut short would not have left.
    fn foreign_entry(&self) -> Result<Option<String>, FolderError> {
        let listing = |source| FolderError::access("listing", &self.root, source);
        for entry in fs::read_dir(&self.root).map_err(listing)? {
            let name = entry.map_err(listing)?.file_name();
            if !OWN_NAMES.iter().any(|own| name == *own) {
                return Ok(Some(name.to_string_lossy().into_owned()));
            }
        }
        Ok(None)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.root.join(DATABASE)
    }

    /// Whether `root` was ever used as a data folder. Touches nothing.
    pub(crate) fn has_database(root: &Path) -> bool {
        root.join(DATABASE).is_file()
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

    /// Removes what a dead process left in `run/`, and nothing that no process of ours puts there. Only for the holder of
    /// the lock.
    pub(crate) fn clear_run(&self) -> Result<(), FolderError> {
        let run = self.run();
        let entries = fs::read_dir(&run).map_err(|source| FolderError::access("listing", &run, source))?;
        for entry in entries {
            let entry = entry.map_err(|source| FolderError::access("listing", &run, source))?;
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if !LEFT_IN_RUN.contains(&&*name) && !name.starts_with(STAGING_PREFIX) {
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

pub(crate) fn create_private(path: &Path) -> Result<(), FolderError> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|source| FolderError::access("making", path, source))
}

/// Makes the names of `root` and of the folders above it durable. Those of the `made` lowest must become so; an earlier
/// process may have died before it synced the others, which may be nobody's business of ours, so they are only tried.
fn sync_names(root: &Path, made: usize) -> Result<(), FolderError> {
    for (index, parent) in root.ancestors().skip(1).enumerate() {
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        match sync_folder(parent) {
            Ok(()) => {}
            Err(error) if index < made => return Err(error),
            Err(error) => {
                tracing::debug!(%error, "the name of a folder above the data folder was not synced");
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Makes renames and new names inside the folder durable.
pub(crate) fn sync_folder(path: &Path) -> Result<(), FolderError> {
    // Windows has no way to sync a directory; its file system journals the names itself.
    if cfg!(unix) {
        File::open(path)
            .and_then(|folder| folder.sync_all())
            .map_err(|source| FolderError::access("syncing", path, source))?;
    }
    Ok(())
}

/// Bytes of the folder's disk that are free for this user.
#[cfg(unix)]
pub(crate) fn free_bytes(folder: &Path) -> std::io::Result<u64> {
    let room = rustix::fs::statvfs(folder)?;
    Ok(room.f_bavail.saturating_mul(room.f_frsize))
}

#[cfg(not(unix))]
pub(crate) fn free_bytes(_folder: &Path) -> std::io::Result<u64> {
    Ok(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_made_once_and_kept() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let root = parent.path().join("new/data");
        let folder = DataFolder::create(&root).expect("it is made");
        fs::write(folder.run().join("holder.json"), "x").expect("writable");
        fs::create_dir_all(folder.run().join("uploads/u")).expect("writable");
        fs::create_dir_all(folder.run().join("staging-1/package")).expect("writable");
        fs::create_dir(folder.boxes()).expect("writable");
        fs::write(folder.run().join("letter.txt"), "somebody's").expect("writable");
        let again = DataFolder::create(&root).expect("it is there");
        again.clear_run().expect("it can be cleared");
        assert_eq!(fs::read_dir(again.run()).expect("listable").count(), 2);
        assert!(again.boxes().is_dir(), "the backend's own");
        assert!(again.run().join("letter.txt").exists(), "nobody of ours put it there");
        let mut names: Vec<_> =
            fs::read_dir(&root).expect("listable").map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        assert_eq!(names, ["backups", "blobs", "journal", "logs", "run"]);
    }

    /// A start on such a folder once emptied what the link pointed to.
    #[cfg(unix)]
    #[test]
    fn a_part_that_is_a_link_is_refused_and_what_it_points_to_is_untouched() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let elsewhere = parent.path().join("elsewhere");
        fs::create_dir_all(elsewhere.join("uploads")).expect("writable");
        fs::write(elsewhere.join("holder.json"), "somebody's").expect("writable");
        for part in ["run", "blobs", "journal", "backups", "logs", "cache", "run/boxes"] {
            let root = parent.path().join(part.replace('/', "-"));
            fs::create_dir_all(root.join(part).parent().expect("a parent")).expect("writable");
            std::os::unix::fs::symlink(&elsewhere, root.join(part)).expect("a link");
            let refused = DataFolder::create(&root).expect_err("refused");
            assert!(matches!(refused, FolderError::PartIsLink { .. }), "{part}: {refused}");
        }
        assert_eq!(fs::read_dir(&elsewhere).expect("listable").count(), 2);
    }

    #[test]
    fn a_folder_that_is_somebodys_is_refused_and_one_of_a_start_cut_short_is_not() {
        let home = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(home.path().join("run")).expect("writable");
        fs::write(home.path().join("thesis.txt"), "x").expect("writable");
        let refused = DataFolder::create(home.path()).expect_err("refused");
        assert!(refused.to_string().contains("thesis.txt"), "{refused}");
        fs::remove_file(home.path().join("thesis.txt")).expect("removable");
        DataFolder::create(home.path()).expect("nothing foreign is left");
        fs::write(home.path().join("agon.db"), "x").expect("writable");
        fs::write(home.path().join("notes.txt"), "x").expect("writable");
        DataFolder::create(home.path()).expect("a data folder may have a note beside");
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
