//! The folders on the host: one per instance with a lock that says it lives, one per box that the box sees read-only.
//!
//! Modes are set, never inherited: a box's uid is rarely the host's, and the umask may be 077. Folders that hold others
//! are 0711 and their names cannot be guessed, so other users of the host cannot look around.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use agon_supervisor::wire::{BOX_FOLDER, BOX_MARKER, BOX_WORK_NAME, CONTROL_SOCKET, SUPERVISOR_PROGRAM};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, listen, socket_with};
use tokio::net::UnixListener;

use crate::sandbox::supervisor::check_supervisor;
use crate::sandbox::{Content, SandboxError, WorkFile};

const LOCK: &str = "lock";
const SUPERVISOR: &str = "supervisor";

/// This instance's folder; its lock is held as long as the value lives.
pub(super) struct InstanceFolder {
    path: PathBuf,
    _lock: File,
}

impl InstanceFolder {
    /// Makes and locks `<work_root>/<name>` and lays the supervisor into it.
    pub(super) fn create(work_root: &Path, name: &str, supervisor: &Path) -> Result<Self, SandboxError> {
        check_supervisor(supervisor)?;
        let path = work_root.join(name);
        Self::prepare(work_root, &path, supervisor).map_err(|source| prepare(&path, source))
    }

    fn prepare(work_root: &Path, path: &Path, supervisor: &Path) -> io::Result<Self> {
        fs::create_dir_all(work_root)?;
        // Locked before it has its name: a sweep never sees it unlocked.
        let unborn = path.with_extension("new");
        make_folder(&unborn, 0o711)?;
        let lock = File::create(unborn.join(LOCK))?;
        lock.try_lock().map_err(io::Error::other)?;
        fs::copy(supervisor, unborn.join(SUPERVISOR))?;
        set_mode(&unborn.join(SUPERVISOR), 0o555)?;
        fs::rename(&unborn, path)?;
        Ok(Self { path: fs::canonicalize(path)?, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes a box's folder.
    pub(super) fn make_box(&self, box_id: &str) -> Result<BoxFolder, SandboxError> {
        let path = self.path.join(box_id);
        let made = || -> io::Result<()> {
            make_folder(&path, 0o711)?;
            make_folder(&path.join(BOX_WORK_NAME), 0o755)?;
            write_new(&inside(&path, BOX_MARKER), box_id.as_bytes(), 0o444)?;
            let supervisor = inside(&path, SUPERVISOR_PROGRAM);
            let own = self.path.join(SUPERVISOR);
            fs::hard_link(&own, &supervisor).or_else(|_| fs::copy(&own, &supervisor).map(|_| ()))
        };
        made().map_err(|source| prepare(&path, source))?;
        Ok(BoxFolder { path })
    }
}

impl Drop for InstanceFolder {
    fn drop(&mut self) {
        // What is left is swept at the next start.
        let _removed = fs::remove_dir_all(&self.path);
    }
}

/// Whether the instance of this folder still runs. A folder that cannot be looked at belongs to somebody else.
pub(super) fn instance_is_gone(path: &Path) -> bool {
    match File::options().read(true).open(path.join(LOCK)) {
        Ok(lock) => lock.try_lock().is_ok(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// One box's folder; removed with the value.
pub(super) struct BoxFolder {
    path: PathBuf,
}

impl BoxFolder {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The judge's listening socket, which every uid may connect to.
    pub(super) fn listen(&self) -> Result<UnixListener, SandboxError> {
        let path = inside(&self.path, CONTROL_SOCKET);
        let listening = || -> io::Result<UnixListener> {
            let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
            let socket = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
            let folder = File::open(&self.path)?;
            // A socket's name holds 107 bytes; a data folder may be deeper.
            let short = format!("/proc/self/fd/{}/control", folder.as_raw_fd());
            bind(&socket, &SocketAddrUnix::new(short)?)?;
            set_mode(&path, 0o666)?;
            listen(&socket, 1)?;
            UnixListener::from_std(socket.into())
        };
        listening().map_err(|source| prepare(&path, source))
    }

    /// Takes the socket away once the supervisor has called: nobody else may.
    pub(super) fn unlink_socket(&self) -> io::Result<()> {
        fs::remove_file(inside(&self.path, CONTROL_SOCKET))
    }

    /// Puts one file of the judge's into the box's work folder.
    pub(super) fn put(&self, file: &WorkFile) -> Result<(), SandboxError> {
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::StorageFull => SandboxError::DiskFull { operation: "put a file into a box" },
            _any_other => SandboxError::PutFile { path: file.relative_path.clone(), source },
        };
        if !is_plain(&file.relative_path) {
            return Err(failed(io::Error::other("the path leaves the work folder")));
        }
        let work = self.path.join(BOX_WORK_NAME);
        let mode = if file.executable { 0o555 } else { 0o444 };
        make_parents(&work, &file.relative_path).map_err(failed)?;
        let target = work.join(&file.relative_path);
        match &file.content {
            Content::Bytes(bytes) => write_new(&target, bytes, mode),
            Content::Path(source) => File::open(source).and_then(|mut source| {
                let mut copy = File::options().write(true).create_new(true).open(&target)?;
                io::copy(&mut source, &mut copy)?;
                set_mode(&target, mode)
            }),
        }
        .map_err(failed)
    }
}

impl Drop for BoxFolder {
    fn drop(&mut self) {
        // What is left is swept at the next start.
        let _removed = fs::remove_dir_all(&self.path);
    }
}

fn prepare(path: &Path, source: io::Error) -> SandboxError {
    match source.kind() {
        io::ErrorKind::StorageFull => SandboxError::DiskFull { operation: "prepare the work folder" },
        _any_other => SandboxError::PrepareFolder { path: path.to_owned(), source },
    }
}

/// The host's path of what the box knows as `in_box`.
fn inside(folder: &Path, in_box: &str) -> PathBuf {
    folder.join(Path::new(in_box).strip_prefix(BOX_FOLDER).unwrap_or(Path::new(in_box)))
}

fn is_plain(path: &Path) -> bool {
    path.components().count() > 0 && path.components().all(|part| matches!(part, Component::Normal(_)))
}

fn make_parents(work: &Path, relative: &Path) -> io::Result<()> {
    let mut folder = work.to_owned();
    for part in relative.parent().into_iter().flat_map(Path::components) {
        folder.push(part);
        match make_folder(&folder, 0o755) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => other?,
        }
    }
    Ok(())
}

fn make_folder(path: &Path, mode: u32) -> io::Result<()> {
    DirBuilder::new().mode(mode).create(path)?;
    set_mode(path, mode)
}

fn write_new(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).mode(mode).open(path)?;
    io::Write::write_all(&mut file, bytes)?;
    file.set_permissions(fs::Permissions::from_mode(mode))
}

fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(test)]
mod tests {
    use agon_supervisor::wire::PROGRAM_MARK;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("it exists").permissions().mode() & 0o7777
    }

    fn instance(root: &Path) -> InstanceFolder {
        let program = root.join("program");
        fs::write(&program, format!("elf {PROGRAM_MARK} more")).expect("written");
        InstanceFolder::create(&root.join("work"), "i", &program).expect("an instance folder")
    }

    fn text(path: &str, text: &str) -> WorkFile {
        WorkFile { relative_path: path.into(), content: Content::Bytes(text.into()), executable: false }
    }

    #[tokio::test]
    async fn another_uid_can_use_a_box_folder_and_cannot_look_around() {
        let root = tempfile::tempdir().expect("a temp folder");
        let instance = instance(root.path());
        let folder = instance.make_box("b").expect("a box folder");
        folder.put(&text("pkg/main.py", "print()")).expect("put");
        folder.put(&WorkFile { executable: true, ..text("main", "elf") }).expect("put");
        let _socket = folder.listen().expect("a socket");
        assert_eq!(mode(instance.path()), 0o711);
        assert_eq!(mode(folder.path()), 0o711);
        assert_eq!(mode(&folder.path().join("control")), 0o666);
        assert_eq!(mode(&folder.path().join("supervisor")), 0o555);
        assert_eq!(mode(&folder.path().join("work/pkg")), 0o755, "languages list their folders");
        assert_eq!(mode(&folder.path().join("work/pkg/main.py")), 0o444);
        assert_eq!(mode(&folder.path().join("work/main")), 0o555);
    }

    #[test]
    fn a_path_that_leaves_or_repeats_is_refused() {
        let root = tempfile::tempdir().expect("a temp folder");
        let instance = instance(root.path());
        let folder = instance.make_box("b").expect("a box folder");
        for path in ["../x", "/etc/x", "a/../x", ""] {
            assert_eq!(folder.put(&text(path, "")).expect_err("refused").code(), "put_file", "{path}");
        }
        folder.put(&text("x", "1")).expect("put");
        assert!(folder.put(&text("x", "2")).is_err(), "a file is put once");
    }

    #[test]
    fn a_lock_tells_the_living_from_the_gone() {
        let root = tempfile::tempdir().expect("a temp folder");
        let first = instance(root.path());
        let path = first.path().to_owned();
        assert!(!instance_is_gone(&path));
        let InstanceFolder { path: _, _lock: lock } = &first;
        lock.unlock().expect("unlocked, as a crash would");
        assert!(instance_is_gone(&path));
        drop(first);
        assert!(instance_is_gone(&path), "no folder, no instance");
        assert!(!path.exists());
    }

    #[test]
    fn a_missing_supervisor_is_named() {
        let root = tempfile::tempdir().expect("a temp folder");
        let made = InstanceFolder::create(root.path(), "i", &root.path().join("absent"));
        assert_eq!(made.err().expect("refused").code(), "supervisor_missing");
    }

    #[test]
    fn an_outdated_supervisor_is_named_and_a_new_one_taken_at_the_next_look() {
        let root = tempfile::tempdir().expect("a temp folder");
        let program = root.path().join("program");
        let create = || InstanceFolder::create(&root.path().join("work"), "i", &program);
        for outdated in ["elf of the first days", "elf <agon-supervisor, protocol 1>", ""] {
            fs::write(&program, outdated).expect("written");
            let error = create().err().expect("refused");
            assert_eq!(error.code(), "supervisor_outdated", "{outdated:?}: {error}");
            assert!(error.to_string().contains("cargo xtask build supervisor"), "{error}");
        }
        assert!(!root.path().join("work").exists(), "nothing is left of the attempts");
        fs::write(&program, PROGRAM_MARK).expect("written");
        create().expect("the new one is taken");
    }
}
