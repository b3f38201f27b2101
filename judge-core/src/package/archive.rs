//! Unpacks a zip into the staging folder under numbers: no entry name ever becomes a path.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::findings::{Findings, PackageError};
use super::tree::{FILE_CAP, TOTAL_BYTES_CAP, TreeFile, is_litter};

/// Above this size, an archive that grows more than [`RATIO_CAP`] times is a bomb and no test data.
const RATIO_FREE_BYTES: u64 = 256 * 1024 * 1024;
const RATIO_CAP: u64 = 400;
/// Links in archives are short paths.
const LINK_BYTES_CAP: u64 = 4096;
const LINK_HOPS: usize = 8;

type Archive = ZipArchive<BufReader<File>>;

/// Unpacks `source` and lists its files by entry name; anything unsafe is an error finding and nothing is unpacked past it.
pub(super) fn unpack(
    source: &Path,
    staging: &Path,
    findings: &mut Findings,
) -> Result<BTreeMap<String, TreeFile>, PackageError> {
    let unreadable = |error| PackageError::OpenSource { path: source.to_owned(), source: error };
    let file = File::open(source).map_err(unreadable)?;
    let packed_bytes = file.metadata().map_err(unreadable)?.len();
    let mut archive = match ZipArchive::new(BufReader::new(file)) {
        Ok(archive) => archive,
        Err(ZipError::Io(error)) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(unreadable(error)),
        Err(error) => {
            let message = match error {
                ZipError::InvalidArchive(_) => "this is no zip, or a part of it is missing".to_owned(),
                other => format!("this is no zip that can be read: {other}"),
            };
            findings.error("zip_broken", "", message, "download it again, or pack it again as a plain zip");
            return Ok(BTreeMap::new());
        }
    };
    if !is_sound(&mut archive, packed_bytes, findings) {
        return Ok(BTreeMap::new());
    }
    let mut unpacking = Unpacking { staging, packed_bytes, total_bytes: 0, found: BTreeMap::new(), links: Vec::new() };
    for index in 0..archive.len() {
        if !unpacking.entry(&mut archive, index, findings)? {
            return Ok(BTreeMap::new());
        }
    }
    unpacking.resolve_links(findings);
    Ok(unpacking.found)
}

/// Checks that need only the directory of the archive.
fn is_sound(archive: &mut Archive, packed_bytes: u64, findings: &mut Findings) -> bool {
    if archive.len() > FILE_CAP {
        let message = format!("{} entries, more than {FILE_CAP}", archive.len());
        findings.error("too_many_files", "", message, "is this the archive of one problem?");
        return false;
    }
    if archive.has_duplicate_names() {
        findings.error("zip_duplicate_name", "", "two entries have the same name", "pack it again");
        return false;
    }
    if !matches!(archive.has_overlapping_files(), Ok(false)) {
        findings.error("zip_overlap", "", "entries share bytes of the archive", "pack it again");
        return false;
    }
    if let Some(declared) = archive.decompressed_size()
        && !is_plausible(u64::try_from(declared).unwrap_or(u64::MAX), packed_bytes, findings)
    {
        return false;
    }
    true
}

fn is_plausible(unpacked: u64, packed: u64, findings: &mut Findings) -> bool {
    if unpacked > TOTAL_BYTES_CAP {
        let message = format!("it unpacks to more than {TOTAL_BYTES_CAP} bytes");
        findings.error("too_large", "", message, "");
        return false;
    }
    if unpacked > RATIO_FREE_BYTES && unpacked / RATIO_CAP > packed {
        let message = format!("it unpacks to more than {RATIO_CAP} times its size");
        findings.error("zip_ratio", "", message, "import the unpacked folder if you trust it");
        return false;
    }
    true
}

struct Unpacking<'a> {
    staging: &'a Path,
    packed_bytes: u64,
    total_bytes: u64,
    found: BTreeMap<String, TreeFile>,
    /// Name of the link and its target as written.
    links: Vec<(String, String)>,
}

impl Unpacking<'_> {
    /// Takes one entry; `false` when the archive is refused.
    fn entry(&mut self, archive: &mut Archive, index: usize, findings: &mut Findings) -> Result<bool, PackageError> {
        let mut entry = match archive.by_index(index) {
            Ok(entry) => entry,
            Err(error) => return Ok(refuse_entry(&error, index, findings)),
        };
        let raw = entry.name_raw().to_owned();
        let shown = entry.name().map_or_else(|_| String::from_utf8_lossy(&raw).into_owned(), |name| name.into_owned());
        let Some(name) = safe_name(&shown, findings) else { return Ok(false) };
        if entry.encrypted() {
            findings.error("zip_encrypted", &name, "the entry is encrypted", "pack it without a password");
            return Ok(false);
        }
        if entry.is_dir() || name.is_empty() || name.split('/').any(|part| is_litter(part) && part != ".timelimit") {
            return Ok(true);
        }
        if entry.is_symlink() {
            let mut target = String::new();
            if entry.by_ref().take(LINK_BYTES_CAP).read_to_string(&mut target).is_ok() {
                self.links.push((name, target));
            } else {
                findings.error("symlink_dangling", &name, "the link cannot be read", "");
            }
            return Ok(true);
        }
        let path = self.staging.join(format!("{index:05}"));
        let bytes = match self.copy(&mut entry, &path)? {
            Copied::Whole(bytes) => bytes,
            Copied::Broken(error) => {
                findings.error("zip_broken", &name, format!("the entry cannot be unpacked: {error}"), "pack it again");
                return Ok(false);
            }
            Copied::TooLarge => return Ok(is_plausible(self.total_bytes, self.packed_bytes, findings)),
        };
        self.found.insert(name, TreeFile { path, bytes });
        Ok(true)
    }

    /// Copies without believing any declared size.
    fn copy(&mut self, entry: &mut impl Read, path: &Path) -> Result<Copied, PackageError> {
        let unwritable = |source| PackageError::WriteStaging { path: path.to_owned(), source };
        let mut file = File::create_new(path).map_err(unwritable)?;
        let (mut buffer, mut bytes) = (vec![0; 64 * 1024], 0u64);
        loop {
            let length = match entry.read(&mut buffer) {
                Ok(0) => return Ok(Copied::Whole(bytes)),
                Ok(length) => length,
                Err(error) => return Ok(Copied::Broken(error)),
            };
            bytes += length as u64;
            self.total_bytes += length as u64;
            let is_bomb = self.total_bytes > RATIO_FREE_BYTES && self.total_bytes / RATIO_CAP > self.packed_bytes;
            if self.total_bytes > TOTAL_BYTES_CAP || is_bomb {
                return Ok(Copied::TooLarge);
            }
            file.write_all(&buffer[..length]).map_err(unwritable)?;
        }
    }

    /// Gives each link the file or folder it names inside the archive.
    fn resolve_links(&mut self, findings: &mut Findings) {
        for _ in 0..LINK_HOPS {
            let links = std::mem::take(&mut self.links);
            for (name, target) in links {
                match inside(&name, &target) {
                    None => {
                        let remedy = "pack the file itself";
                        findings.error("symlink_escapes", &name, "the link leads out of the package", remedy);
                    }
                    Some(aim) => self.link(name, target, &aim),
                }
            }
        }
        for (name, _) in &self.links {
            findings.error("symlink_dangling", name, "the link leads nowhere", "pack the file itself");
        }
    }

    fn link(&mut self, name: String, target: String, aim: &str) {
        if let Some(file) = self.found.get(aim).cloned() {
            self.found.insert(name, file);
            return;
        }
        let folder = format!("{aim}/");
        let below: Vec<(String, TreeFile)> = self
            .found
            .iter()
            .filter_map(|(other, file)| Some((other.strip_prefix(&folder)?.to_owned(), file.clone())))
            .collect();
        if below.is_empty() || name.starts_with(&folder) || self.found.len() + below.len() > FILE_CAP {
            self.links.push((name, target));
        } else {
            self.found.extend(below.into_iter().map(|(rest, file)| (format!("{name}/{rest}"), file)));
        }
    }
}

enum Copied {
    Whole(u64),
    Broken(io::Error),
    TooLarge,
}

fn refuse_entry(error: &ZipError, index: usize, findings: &mut Findings) -> bool {
    let place = format!("entry {}", index + 1);
    match error {
        ZipError::UnsupportedArchive(detail) if *detail == ZipError::PASSWORD_REQUIRED => {
            findings.error("zip_encrypted", &place, "the entry is encrypted", "pack it without a password");
        }
        other => {
            findings.error(
                "zip_broken",
                &place,
                format!("the entry cannot be read: {other}"),
                "pack it as a plain zip",
            );
        }
    }
    false
}

/// The entry's name with `/` between folders, or `None` with a finding when it aims outside.
fn safe_name(name: &str, findings: &mut Findings) -> Option<String> {
    let slashed = name.replace('\\', "/");
    let has_drive = slashed.as_bytes().get(1) == Some(&b':');
    if slashed.starts_with('/') || has_drive {
        findings.error("zip_absolute_name", name, "the entry has an absolute name", "pack it with relative names");
        return None;
    }
    if slashed.split('/').any(|part| part == "..") {
        findings.error("zip_slip", name, "the entry's name leads out of the archive", "do not trust this archive");
        return None;
    }
    if slashed != name {
        findings.note("zip_backslashes", name, "the name is separated by backslashes; read as folders");
    }
    Some(slashed.split('/').filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>().join("/"))
}

/// Where a link at `name` that says `target` leads inside the archive.
fn inside(name: &str, target: &str) -> Option<String> {
    if target.starts_with('/') || target.contains('\\') || target.contains('\0') {
        return None;
    }
    let mut parts: Vec<&str> = name.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The archive's path without folders and extension.
pub(super) fn stem(source: &Path) -> String {
    let named = source.file_stem().map(PathBuf::from).unwrap_or_default();
    named.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_inside() {
        assert_eq!(inside("p/data/secret/2.in", "../sample/1.in").as_deref(), Some("p/data/sample/1.in"));
        assert_eq!(inside("a", "./b//c").as_deref(), Some("b/c"));
        for target in ["/etc/passwd", "../../x", "..\\x"] {
            assert_eq!(inside("p/x", target), None, "{target}");
        }
    }

    #[test]
    fn names_that_aim_outside_are_refused() {
        let mut findings = Findings::default();
        assert_eq!(safe_name("p\\data\\1.in", &mut findings).as_deref(), Some("p/data/1.in"));
        for name in ["../x", "a/../../x", "/etc/x", "\\x", "C:\\x", "c:x"] {
            assert_eq!(safe_name(name, &mut findings), None, "{name}");
        }
        let codes: Vec<String> = findings.into_list().into_iter().map(|finding| finding.code).collect();
        assert_eq!(codes.iter().filter(|code| *code == "zip_slip").count(), 2);
        assert_eq!(codes.iter().filter(|code| *code == "zip_absolute_name").count(), 4);
    }
}
