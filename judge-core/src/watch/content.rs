//! Files as they lie on the disk: signatures to tell whether something changes, copies to judge what it is.
//!
//! A signature is cheap: names, sizes, times, among them the system's own time of the last change, which nobody sets back.
//! A copy is read once and hashed on the way, so that what was decided is
//! decided about exactly the bytes that were copied. Hidden files are no part of a package and are left out of both.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use sha2::{Digest, Sha256};

/// Files below one package that are looked at; ten times more than the doctor takes.
const FILES_MAX: usize = 200_000;
const PIECE_BYTES: usize = 256 * 1024;

/// What a package in the folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Archive,
    Folder,
    /// A link in the folder itself: it may lead anywhere.
    Link,
}

/// The packages that lie directly in the folder, by name. A name that is no UTF-8 is answered as the system shows it and
/// has no kind.
pub(super) fn list(folder: &Path) -> io::Result<Vec<(String, Option<Kind>)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let shown = name.to_string_lossy();
        if shown.starts_with('.') {
            continue;
        }
        // It may be gone by now.
        let Ok(kind) = entry.file_type() else { continue };
        let is_archive = Path::new(&name)
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("zip") || extension.eq_ignore_ascii_case("kpp"));
        let is_package = |path: &Path| path.join("problem.yaml").is_file();
        let kind = if kind.is_symlink() && (is_archive || is_package(&entry.path())) {
            Kind::Link
        } else if kind.is_file() && is_archive {
            Kind::Archive
        } else if kind.is_dir() && is_package(&entry.path()) {
            Kind::Folder
        } else {
            continue;
        };
        found.push((shown.clone().into_owned(), name.to_str().map(|_| kind)));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

/// Changes whenever anything of it changes. Two states of one length within one tick of the file system's clock look
/// alike; the quiet time before a look is far longer than such a tick.
pub(super) fn signature(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    walk(path, &mut |name, metadata, _| {
        hasher.update(name.as_bytes());
        hasher.update([0]);
        hasher.update(facts(metadata));
        Ok(())
    })?;
    Ok(format!("{:x}", hasher.finalize()))
}

/// The facts of one file or folder that change with its content.
pub(super) fn facts(metadata: &Metadata) -> String {
    let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = modified.map_or(0, |since| since.as_nanos());
    // Tools that keep times (`cp -p`, reproducible archives) give other content the same length and time.
    #[cfg(unix)]
    let place = {
        use std::os::unix::fs::MetadataExt;
        format!("{} {} {}", metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
    };
    #[cfg(not(unix))]
    let place = String::new();
    // A folder's own size and time change with hidden files in it; its names are walked anyway.
    if metadata.is_dir() { "folder".to_owned() } else { format!("{} {modified} {place}", metadata.len()) }
}

/// Bytes of all its files together.
pub(super) fn size(path: &Path) -> io::Result<u64> {
    let mut total = 0_u64;
    walk(path, &mut |_, metadata, _| {
        total = total.saturating_add(if metadata.is_file() { metadata.len() } else { 0 });
        Ok(())
    })?;
    Ok(total)
}

/// Copies a package into the empty folder `into` and answers the copy's path and the hash of all names and bytes. What is
/// neither file, folder nor link (a pipe, a device) is left out, as the doctor leaves it out: reading it could wait for
/// ever.
pub(super) fn copy(path: &Path, into: &Path) -> io::Result<(PathBuf, String)> {
    let target = into.join(path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?);
    let mut hasher = Sha256::new();
    walk(path, &mut |name, metadata, from| {
        let to = if name.is_empty() { target.clone() } else { target.join(name) };
        hasher.update(name.as_bytes());
        if metadata.is_dir() {
            hasher.update([0, 0]);
            fs::create_dir(&to)
        } else if metadata.is_symlink() {
            let leads_to = fs::read_link(from)?;
            hasher.update([0, 1]);
            hasher.update(leads_to.as_os_str().as_encoded_bytes());
            link(&leads_to, &to)
        } else if !metadata.is_file() {
            hasher.update([0, 3]);
            Ok(())
        } else {
            hasher.update([0, 2]);
            let bytes = copy_file(from, &to, &mut hasher)?;
            hasher.update(bytes.to_le_bytes());
            Ok(())
        }
    })?;
    Ok((target, format!("{:x}", hasher.finalize())))
}

fn copy_file(from: &Path, to: &Path, hasher: &mut Sha256) -> io::Result<u64> {
    let mut source = open_file(from)?;
    let mut target = File::create_new(to)?;
    let mut piece = vec![0; PIECE_BYTES];
    let mut total = 0;
    loop {
        let length = source.read(&mut piece)?;
        if length == 0 {
            return Ok(total);
        }
        hasher.update(&piece[..length]);
        target.write_all(&piece[..length])?;
        total += length as u64;
    }
}

/// Opens what was a plain file a moment ago and may be something else by now, without waiting for it.
fn open_file(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits().cast_signed());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::from(io::ErrorKind::NotFound)) }
}

/// A link stays a link: the doctor decides what it may lead to.
fn link(leads_to: &Path, at: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::symlink(leads_to, at);
    #[cfg(not(unix))]
    {
        let _ = (leads_to, at);
        Ok(())
    }
}

type Visit<'v> = dyn FnMut(&str, &Metadata, &Path) -> io::Result<()> + 'v;

/// Visits `path` (under the empty name) and everything below it in the order of names. Links are not followed.
fn walk(path: &Path, visit: &mut Visit<'_>) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    visit("", &metadata, path)?;
    let mut left = FILES_MAX;
    if metadata.is_dir() { walk_folder(path, "", visit, &mut left) } else { Ok(()) }
}

fn walk_folder(folder: &Path, prefix: &str, visit: &mut Visit<'_>, left: &mut usize) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let file_name = entry.file_name();
        let shown = file_name.to_string_lossy();
        if shown.starts_with('.') {
            continue;
        }
        *left = left.checked_sub(1).ok_or_else(|| io::Error::other(format!("more than {FILES_MAX} files")))?;
        let name = if prefix.is_empty() { shown.into_owned() } else { format!("{prefix}/{shown}") };
        let metadata = entry.metadata()?;
        visit(&name, &metadata, &entry.path())?;
        if metadata.is_dir() {
            walk_folder(&entry.path(), &name, visit, left)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(folder: &Path, name: &str) -> PathBuf {
        let package = folder.join(name);
        fs::create_dir_all(package.join("data/secret")).expect("made");
        fs::write(package.join("problem.yaml"), "name: x").expect("written");
        fs::write(package.join("data/secret/1.in"), "1").expect("written");
        package
    }

    #[test]
    fn packages_are_archives_and_folders_with_a_problem_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        package(folder.path(), "sums");
        for name in ["a.zip", "B.ZIP", "c.kpp", "notes.txt", ".hidden.zip", "d.zip.part"] {
            fs::write(folder.path().join(name), "x").expect("written");
        }
        fs::create_dir(folder.path().join("empty")).expect("made");
        fs::create_dir(folder.path().join("folder.zip")).expect("made");
        #[cfg(unix)]
        std::os::unix::fs::symlink("a.zip", folder.path().join("link.zip")).expect("made");
        let found = list(folder.path()).expect("listable");
        let expected = [
            ("B.ZIP", Kind::Archive),
            ("a.zip", Kind::Archive),
            ("c.kpp", Kind::Archive),
            ("link.zip", Kind::Link),
            ("sums", Kind::Folder),
        ];
        assert_eq!(found, expected.map(|(name, kind)| (name.to_owned(), Some(kind))));
    }

    #[test]
    fn a_signature_moves_with_every_change_that_counts_and_with_no_other() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let package = package(folder.path(), "sums");
        let mut seen = vec![signature(&package).expect("readable")];
        fs::write(package.join(".swp"), "an editor's own").expect("written");
        assert_eq!(signature(&package).expect("readable"), seen[0], "hidden files are no part of it");
        let changes: [&dyn Fn(); 4] = [
            &|| fs::write(package.join("data/secret/1.in"), "12").expect("written"),
            &|| fs::write(package.join("data/secret/1.ans"), "2").expect("written"),
            &|| fs::rename(package.join("data/secret/1.ans"), package.join("data/secret/2.ans")).expect("renamed"),
            &|| fs::remove_file(package.join("data/secret/2.ans")).expect("removed"),
        ];
        for change in changes {
            change();
            seen.push(signature(&package).expect("readable"));
        }
        assert!(seen.windows(2).all(|pair| pair[0] != pair[1]), "{seen:?}");
        assert_eq!(seen[1], seen[4], "back again is the same again");
        assert!(signature(&folder.path().join("gone")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_left_out_and_never_waited_for() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let package = package(folder.path(), "sums");
        let pipe = package.join("data/secret/2.in");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts");
        assert!(made.success());
        let into = tempfile::tempdir().expect("a temporary folder");
        let (copied, hash) = copy(&package, into.path()).expect("copied");
        assert!(copied.join("data/secret/1.in").exists() && !copied.join("data/secret/2.in").exists());
        assert!(open_file(&pipe).is_err_and(|error| error.kind() == io::ErrorKind::NotFound));
        fs::remove_file(&pipe).expect("removed");
        let into = tempfile::tempdir().expect("a temporary folder");
        assert_ne!(copy(&package, into.path()).expect("copied").1, hash);
        assert_eq!(size(&package).expect("readable"), 8);
    }

    #[cfg(unix)]
    #[test]
    fn other_content_of_the_same_length_and_time_is_seen() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (archive, other) = (folder.path().join("a.zip"), folder.path().join("b.zip"));
        let at = UNIX_EPOCH + std::time::Duration::from_secs(1_577_836_800);
        for (path, text) in [(&archive, "one"), (&other, "two")] {
            fs::write(path, text).expect("written");
            File::options().write(true).open(path).and_then(|file| file.set_modified(at)).expect("set");
        }
        let before = signature(&archive).expect("readable");
        let bytes = fs::read(&other).expect("readable");
        fs::write(&archive, bytes).expect("written");
        File::options().write(true).open(&archive).and_then(|file| file.set_modified(at)).expect("set");
        assert_ne!(signature(&archive).expect("readable"), before);
    }

    #[test]
    fn a_copy_is_the_same_and_its_hash_tells_contents_apart() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let package = package(folder.path(), "sums");
        fs::write(package.join(".git"), "left out").expect("written");
        #[cfg(unix)]
        std::os::unix::fs::symlink("problem.yaml", package.join("link")).expect("made");
        let mut hashes = Vec::new();
        for text in ["1", "2", "1"] {
            fs::write(package.join("data/secret/1.in"), text).expect("written");
            let into = tempfile::tempdir().expect("a temporary folder");
            let (copied, hash) = copy(&package, into.path()).expect("copied");
            assert_eq!(copied, into.path().join("sums"));
            assert_eq!(fs::read_to_string(copied.join("data/secret/1.in")).expect("there"), text);
            assert!(!copied.join(".git").exists());
            #[cfg(unix)]
            assert!(copied.join("link").is_symlink());
            hashes.push(hash);
        }
        assert!(hashes[0] == hashes[2] && hashes[0] != hashes[1], "by content, not by time: {hashes:?}");
    }
}
