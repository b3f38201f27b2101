//! The compiler's own library sources from Debian's `rust-src`, fetched without touching the machine's apt state.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::command;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::place::{self, Place};

/// Suites that may carry the wanted version, the likeliest first.
const SUITES: [&str; 3] = ["trixie-backports", "forky", "sid"];
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
const FETCH_LIMIT: Duration = Duration::from_secs(600);

/// Fetches the sources of compiler `version` (such as `1.95.0`) into `into`; answers with the `library` folder.
pub(super) fn fetch(version: &str, into: &Path, place: &Place, machine: &Machine) -> Result<PathBuf, Failure> {
    let mirror = machine.mirror.as_ref().filter(|mirror| mirror.is_debian).ok_or_else(|| {
        Failure::new(
            "this machine's apt sources name no Debian mirror, the only other source of the library's source text",
        )
    })?;
    let log = place.logs().join("wasm-target.log");
    for suite in SUITES {
        let apt = PrivateApt::new(&into.join(suite), &mirror.uri, suite)?;
        if command::logged(apt.command("apt-get").arg("update"), &log, FETCH_LIMIT).is_err() {
            continue;
        }
        let listed = command::output(apt.command("apt-cache").args(["madison", "rust-src"])).unwrap_or_default();
        let Some(package) = matching(&listed, version) else { continue };
        let mut download = apt.command("apt-get");
        download.current_dir(into).arg("download").arg(format!("rust-src={package}"));
        command::logged(&mut download, &log, FETCH_LIMIT)?;
        return unpack(into, version);
    }
    Err(Failure::new(format!("none of {} on {} has rust-src {version}", SUITES.join(", "), mirror.uri)))
}

/// An apt whose lists and sources are its own; it needs no root and leaves the machine's apt alone.
struct PrivateApt {
    folder: PathBuf,
}

impl PrivateApt {
    fn new(folder: &Path, uri: &str, suite: &str) -> Result<Self, Failure> {
        for part in ["lists/partial", "cache/archives/partial"] {
            place::make(&folder.join(part))?;
        }
        let signed = if Path::new(KEYRING).exists() { format!("Signed-By: {KEYRING}\n") } else { String::new() };
        let sources = format!("Types: deb\nURIs: {uri}\nSuites: {suite}\nComponents: main\n{signed}");
        let path = folder.join("private.sources");
        fs::write(&path, sources).map_err(|source| Failure::file("cannot write", &path, &source))?;
        Ok(Self { folder: folder.to_path_buf() })
    }

    fn command(&self, program: &str) -> Command {
        let folder = self.folder.display();
        let mut apt = Command::new(program);
        for option in [
            format!("Dir::Etc::SourceList={folder}/private.sources"),
            "Dir::Etc::SourceParts=/dev/null".to_owned(),
            format!("Dir::State::Lists={folder}/lists"),
            format!("Dir::Cache={folder}/cache"),
            "Acquire::Languages=none".to_owned(),
            // The unprivileged user that root's apt fetches with cannot enter a home folder.
            "APT::Sandbox::User=root".to_owned(),
        ] {
            apt.args(["-o", &option]);
        }
        apt
    }
}

/// The package version in `apt-cache madison`'s lines that carries exactly this compiler version.
fn matching(listed: &str, version: &str) -> Option<String> {
    let versions = listed.lines().filter_map(|line| line.split('|').nth(1)).map(str::trim);
    let mut fitting =
        versions.filter(|found| found.strip_prefix(version).is_some_and(|rest| rest.starts_with(['+', '-', '~'])));
    fitting.next().map(str::to_owned)
}

fn unpack(folder: &Path, version: &str) -> Result<PathBuf, Failure> {
    let entries = fs::read_dir(folder).map_err(|source| Failure::file("cannot read", folder, &source))?;
    let package = entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "deb"))
        .ok_or_else(|| Failure::new("apt-get download ended well but left no package"))?;
    let tree = folder.join("tree");
    command::output(Command::new("dpkg-deb").arg("-x").arg(&package).arg(&tree))?;
    let library = tree.join(format!("usr/src/rustc-{version}/library"));
    if library.join("std/Cargo.toml").is_file() {
        return Ok(library);
    }
    Err(Failure::new(format!("{} has no {}", package.display(), library.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_compiler_s_own_version_will_do() {
        let listed = " rust-src | 1.96.1+dfsg1-2~bpo13+1 | m trixie-backports/main amd64 Packages\n \
                      rust-src | 1.95.0+dfsg1-2~bpo13+1 | m trixie-backports/main amd64 Packages\n";
        assert_eq!(matching(listed, "1.95.0").as_deref(), Some("1.95.0+dfsg1-2~bpo13+1"));
        assert_eq!(matching(listed, "1.95"), None);
        assert_eq!(matching(listed, "1.94.0"), None);
        assert_eq!(matching("", "1.95.0"), None);
    }
}
