//! Empties the box's writable folders without recursion, and proves them empty.
//!
//! A tree may be deeper than the descriptor limit and its paths longer than `PATH_MAX`, so nothing here walks down: a
//! folder that is not empty has its sub-folders moved up to the top, one rename each, until every folder is flat. The
//! program is dead by then, so nobody races; it had the same uid, so no mode it chose can lock us out.

use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use agon_supervisor::wire::WRITABLE_FOLDERS;
use rustix::fs::{
    AtFlags, Mode, OFlags, RawDir, RenameFlags, SeekFrom, chmodat, fchmod, open, openat, renameat_with, seek, unlinkat,
};
use rustix::io::Errno;

use crate::premises::OwnBox;

/// Every round removes or flattens something; no tree of the box's few thousand inodes needs more.
const MOST_ROUNDS: usize = 20_000;
/// Queues are files of a file system of their own; the profile refuses the calls, but a plain `open` makes one.
const MESSAGE_QUEUES: &str = "/dev/mqueue";

/// The folders to wipe, opened once while they were proved to be the box's own.
pub struct Writable(Vec<(&'static str, OwnedFd)>);

impl Writable {
    /// # Errors
    /// Which folder cannot be opened.
    pub fn open(_proof: &OwnBox) -> Result<Self, String> {
        let mut folders = Vec::new();
        for path in WRITABLE_FOLDERS {
            let folder = open_folder(path).map_err(|errno| format!("{path}: {errno}"))?;
            folders.push((path, folder));
        }
        if let Ok(queues) = open_folder(MESSAGE_QUEUES) {
            folders.push((MESSAGE_QUEUES, queues));
        }
        Ok(Self(folders))
    }

    /// Wipes all of them.
    ///
    /// # Errors
    /// What is not provably empty: the box must be discarded.
    pub fn wipe(&self) -> Result<(), String> {
        for (path, folder) in &self.0 {
            empty(folder.as_fd()).map_err(|reason| format!("{path} is not clean: {reason}"))?;
        }
        Ok(())
    }
}

fn open_folder(path: &str) -> Result<OwnedFd, Errno> {
    open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

/// Removes everything below `root`; success means that a listing came back empty.
fn empty(root: BorrowedFd<'_>) -> Result<(), String> {
    let mut moved = 0;
    for _ in 0..MOST_ROUNDS {
        let names = list(root).map_err(|errno| format!("it cannot be listed: {errno}"))?;
        if names.is_empty() {
            return Ok(());
        }
        for name in names {
            remove(root, &name, &mut moved)
                .map_err(|errno| format!("{} cannot be removed: {errno}", name.to_string_lossy()))?;
        }
    }
    Err("it does not become empty".to_owned())
}

fn remove(root: BorrowedFd<'_>, name: &CStr, moved: &mut u64) -> Result<(), Errno> {
    match unlinkat(root, name, AtFlags::empty()) {
        Err(Errno::ISDIR | Errno::PERM) => {}
        other => return other,
    }
    match unlinkat(root, name, AtFlags::REMOVEDIR) {
        Err(Errno::NOTEMPTY | Errno::EXIST) => flatten(root, name, moved)?,
        other => return other,
    }
    unlinkat(root, name, AtFlags::REMOVEDIR)
}

/// Empties one folder: its files go, its sub-folders move up to the top.
fn flatten(root: BorrowedFd<'_>, name: &CStr, moved: &mut u64) -> Result<(), Errno> {
    chmodat(root, name, Mode::RWXU, AtFlags::empty())?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(root, name, flags, Mode::empty())?;
    fchmod(&folder, Mode::RWXU)?;
    loop {
        let entries = list(folder.as_fd())?;
        if entries.is_empty() {
            return Ok(());
        }
        for entry in entries {
            match unlinkat(&folder, &entry, AtFlags::empty()) {
                Ok(()) => {}
                Err(Errno::ISDIR | Errno::PERM) => move_up(root, folder.as_fd(), &entry, moved)?,
                Err(errno) => return Err(errno),
            }
        }
    }
}

/// Moving a folder to another parent needs write permission on the folder itself, hence the mode first.
fn move_up(root: BorrowedFd<'_>, folder: BorrowedFd<'_>, entry: &CStr, moved: &mut u64) -> Result<(), Errno> {
    chmodat(folder, entry, Mode::RWXU, AtFlags::empty())?;
    loop {
        *moved += 1;
        match renameat_with(folder, entry, root, format!("moved-{moved}"), RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => {}
            other => return other,
        }
    }
}

/// One buffer full of names, from the beginning; empty means that there is nothing.
fn list(folder: BorrowedFd<'_>) -> Result<Vec<CString>, Errno> {
    seek(folder, SeekFrom::Start(0))?;
    let mut buffer = [MaybeUninit::uninit(); 8192];
    let mut entries = RawDir::new(folder, &mut buffer);
    let mut names = Vec::new();
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let name = entry.file_name();
        if name != c"." && name != c".." {
            names.push(name.to_owned());
        }
        // Stop at the end of the first buffer: what was listed is removed before the next look.
        if entries.is_buffer_empty() && !names.is_empty() {
            break;
        }
    }
    Ok(names)
}
