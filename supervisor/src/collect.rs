//! Sends the regular files below a path to the judge, as opened descriptors. Links and devices are never followed.

use std::ffi::OsStr;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use agon_supervisor::wire::{Channel, CollectRequest, CollectedEntry, ToHost, WRITABLE_FOLDERS, WireError};
use rustix::fs::{FileType, Mode, OFlags, RawDir, ResolveFlags, Stat, fstat, open, openat2};
use rustix::io::Errno;

/// Deeper trees are refused: no compiler makes them.
const MOST_DEPTH: usize = 32;
/// Entries looked at, folders and links included.
const MOST_ENTRIES: usize = 20_000;

/// Why a collection is refused.
enum Refusal {
    Said(String),
    Wire(WireError),
}

impl From<WireError> for Refusal {
    fn from(error: WireError) -> Self {
        Self::Wire(error)
    }
}

/// Answers a [`CollectRequest`]: the files, then the end frame.
///
/// # Errors
/// Only the loss of the judge; a refusal is told in the end frame.
pub fn collect(request: &CollectRequest, control: &Channel) -> Result<(), WireError> {
    let refusal = match walk(request, control) {
        Ok(()) => None,
        Err(Refusal::Said(reason)) => Some(reason),
        Err(Refusal::Wire(error)) => return Err(error),
    };
    control.send(&ToHost::CollectEnd(refusal), &[])
}

struct Walk<'a> {
    control: &'a Channel,
    files_left: u32,
    bytes_left: u64,
    entries_left: usize,
}

fn walk(request: &CollectRequest, control: &Channel) -> Result<(), Refusal> {
    let path = checked(&request.path)
        .ok_or_else(|| Refusal::Said(format!("{} is not inside a writable folder", request.path)))?;
    let mut walk =
        Walk { control, files_left: request.max_files, bytes_left: request.max_bytes, entries_left: MOST_ENTRIES };
    let root = open("/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).map_err(|errno| said("/", errno))?;
    let top = open_below(&root, path.strip_prefix("/").unwrap_or(path)).map_err(|errno| said(&request.path, errno))?;
    let stat = fstat(&top).map_err(|errno| said(&request.path, errno))?;
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => walk.folders(top),
        FileType::RegularFile => walk.send(Path::new(path.file_name().unwrap_or_default()), &top, &stat),
        _other_kind => Err(Refusal::Said(format!("{} is neither a folder nor a file", request.path))),
    }
}

fn said(path: &str, errno: Errno) -> Refusal {
    Refusal::Said(format!("{path}: {errno}"))
}

/// A path strictly inside a writable folder, without steps upwards.
fn checked(path: &str) -> Option<&Path> {
    let path = Path::new(path);
    let plain =
        path.components().all(|part| matches!(part, std::path::Component::RootDir | std::path::Component::Normal(_)));
    (plain && WRITABLE_FOLDERS.iter().any(|folder| path.starts_with(folder))).then_some(path)
}

/// Never through a link, never out of `folder`, never waiting for a writer of a FIFO.
fn open_below(folder: &OwnedFd, path: &Path) -> Result<OwnedFd, Errno> {
    openat2(
        folder,
        path,
        OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC,
        Mode::empty(),
        ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS,
    )
}

impl Walk<'_> {
    fn folders(&mut self, top: OwnedFd) -> Result<(), Refusal> {
        let mut pending = vec![PathBuf::new()];
        while let Some(relative) = pending.pop() {
            if relative.components().count() > MOST_DEPTH {
                return Err(Refusal::Said("the tree is too deep".to_owned()));
            }
            let opened;
            let folder = if relative.as_os_str().is_empty() {
                &top
            } else {
                opened = open_below(&top, &relative).map_err(|errno| said(&relative.to_string_lossy(), errno))?;
                &opened
            };
            for name in self.names(folder)? {
                let path = relative.join(OsStr::from_bytes(&name));
                self.entry(&top, path, &mut pending)?;
            }
        }
        Ok(())
    }

    fn names(&mut self, folder: &OwnedFd) -> Result<Vec<Vec<u8>>, Refusal> {
        let mut buffer = [MaybeUninit::uninit(); 8192];
        let mut entries = RawDir::new(folder.as_fd(), &mut buffer);
        let mut names = Vec::new();
        while let Some(entry) = entries.next() {
            let entry = entry.map_err(|errno| said("listing", errno))?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            self.entries_left = self
                .entries_left
                .checked_sub(1)
                .ok_or_else(|| Refusal::Said(format!("more than {MOST_ENTRIES} entries")))?;
            names.push(name.to_vec());
        }
        names.sort_unstable();
        Ok(names)
    }

    fn entry(&mut self, top: &OwnedFd, path: PathBuf, pending: &mut Vec<PathBuf>) -> Result<(), Refusal> {
        let opened = match open_below(top, &path) {
            Ok(opened) => opened,
            // A link, or a device or socket that cannot be opened: not for us.
            Err(Errno::LOOP | Errno::NXIO) => return Ok(()),
            Err(errno) => return Err(said(&path.to_string_lossy(), errno)),
        };
        let stat = fstat(&opened).map_err(|errno| said(&path.to_string_lossy(), errno))?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => {
                pending.push(path);
                Ok(())
            }
            FileType::RegularFile => self.send(&path, &opened, &stat),
            _other_kind => Ok(()),
        }
    }

    fn send(&mut self, path: &Path, file: &OwnedFd, stat: &Stat) -> Result<(), Refusal> {
        let size_bytes = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
        self.files_left =
            self.files_left.checked_sub(1).ok_or_else(|| Refusal::Said("more files than the cap".to_owned()))?;
        self.bytes_left = self
            .bytes_left
            .checked_sub(size_bytes)
            .ok_or_else(|| Refusal::Said("more bytes than the cap".to_owned()))?;
        let entry = CollectedEntry {
            relative_path: path.as_os_str().as_bytes().to_vec(),
            size_bytes,
            executable: stat.st_mode & 0o100 != 0,
        };
        self.control.send(&ToHost::Collected(entry), &[file.as_fd()])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use agon_supervisor::wire::Received;
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

    use super::*;

    /// Everything a collection of `path` answers: relative paths with contents and modes, and the end.
    fn collected(path: &Path, max_files: u32, max_bytes: u64) -> (Vec<(String, String, bool)>, Option<String>) {
        let (one, other) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .expect("a socket pair opens");
        let control = Channel::new(one);
        let mut host = Channel::new(other);
        let request = CollectRequest { path: path.to_string_lossy().into_owned(), max_files, max_bytes };
        collect(&request, &control).expect("the judge is there");
        let mut files = Vec::new();
        loop {
            let Received { frame, mut descriptors } = host.receive::<ToHost>().expect("a frame comes");
            match frame {
                ToHost::Collected(entry) => {
                    let mut text = String::new();
                    let file = descriptors.pop().expect("a file comes with it");
                    std::fs::File::from(file).read_to_string(&mut text).expect("it reads");
                    let name = String::from_utf8(entry.relative_path).expect("a plain name");
                    files.push((name, text, entry.executable));
                }
                ToHost::CollectEnd(refusal) => return (files, refusal),
                other => panic!("{other:?} is no answer to a collection"),
            }
        }
    }

    fn tree() -> tempfile::TempDir {
        let tree = tempfile::Builder::new().tempdir_in("/tmp").expect("a temp folder");
        std::fs::write(tree.path().join("main"), "elf").expect("written");
        std::fs::set_permissions(tree.path().join("main"), PermissionsExt::from_mode(0o755)).expect("mode");
        std::fs::create_dir(tree.path().join("pkg")).expect("a folder");
        std::fs::write(tree.path().join("pkg/A.class"), "bytes").expect("written");
        symlink("/etc/passwd", tree.path().join("link")).expect("a link");
        symlink("/etc", tree.path().join("folder-link")).expect("a link");
        tree
    }

    #[test]
    fn regular_files_come_out_and_links_stay() {
        let tree = tree();
        let (files, refusal) = collected(tree.path(), 10, 1000);
        assert_eq!(refusal, None);
        assert_eq!(
            files,
            [("main".to_owned(), "elf".to_owned(), true), ("pkg/A.class".to_owned(), "bytes".to_owned(), false)]
        );
    }

    #[test]
    fn one_file_may_be_named_directly() {
        let tree = tree();
        let (files, refusal) = collected(&tree.path().join("main"), 1, 3);
        assert_eq!((files.len(), refusal), (1, None));
        assert_eq!(files[0].0, "main");
    }

    #[test]
    fn caps_and_strange_paths_are_refused_with_a_reason() {
        let tree = tree();
        let reason = |path: &Path, files, bytes| collected(path, files, bytes).1.expect("a refusal");
        assert_eq!(reason(tree.path(), 1, 1000), "more files than the cap");
        assert_eq!(reason(tree.path(), 10, 7), "more bytes than the cap");
        assert!(reason(&tree.path().join("absent"), 10, 1000).contains("absent"));
        assert!(reason(&tree.path().join("link"), 10, 1000).contains("link"));
        assert!(reason(Path::new("/etc"), 10, 1000).contains("not inside"));
        assert!(reason(Path::new("/tmp/../etc"), 10, 1000).contains("not inside"));
        assert!(reason(Path::new("/tmpx"), 10, 1000).contains("not inside"));
    }
}
