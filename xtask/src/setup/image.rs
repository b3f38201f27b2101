//! The sandbox image: one definition, built by the engine where its base can be pulled, else from the distribution's packages alone.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::engine::docker;
use crate::command;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::place::Place;
use crate::say;
use crate::step::{Found, Step};

/// The definition's files, in the order in which they are hashed.
const DEFINITION: [&str; 3] = ["Dockerfile", "finish.sh", "packages.txt"];
const BASE: &str = "debian:trixie-slim";
/// The release that the image is made of when its base cannot be pulled; the same as the base's.
const SUITE: &str = "trixie";
/// The engine takes a cut stream for a small image: only a whole one gets the name that promises one.
const UNFINISHED: &str = "agon-sandbox:unfinished";
const PULL_LIMIT: Duration = Duration::from_secs(180);
const BUILD_LIMIT: Duration = Duration::from_secs(2 * 3600);

/// Step `image`.
pub(super) struct Image;

/// `agon-sandbox:<12 hex digits of the definition's hash>`: a changed definition is another image.
pub(crate) fn tag(place: &Place) -> Result<String, Failure> {
    let mut hash = Sha256::new();
    for name in DEFINITION {
        let path = place.image_definition().join(name);
        hash.update(fs::read(&path).map_err(|source| Failure::file("cannot read", &path, &source))?);
    }
    let hex: String = hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("agon-sandbox:{hex}"))
}

impl Step for Image {
    fn name(&self) -> &'static str {
        "image"
    }

    fn does(&self) -> String {
        "building it".into()
    }

    fn look(&self, place: &Place, _: &Machine) -> Result<Found, Failure> {
        let tag = tag(place)?;
        let there = command::output(docker().args(["image", "inspect", "--format", "{{.Id}}", &tag]));
        Ok(match there {
            Ok(id) => Found::Done(format!("{tag}, {}", id.chars().take(19).collect::<String>())),
            Err(_) => Found::Missing(format!("the image {tag} is missing")),
        })
    }

    fn perform(&self, place: &Place, machine: &Machine) -> Result<(), Failure> {
        let tag = tag(place)?;
        if command::succeeds(docker().args(["pull", "--quiet", BASE]), PULL_LIMIT) {
            let log = place.logs().join("image.log");
            let mut build = docker();
            build.args(["build", "--tag", &tag]).arg(place.image_definition());
            return command::logged(&mut build, &log, BUILD_LIMIT);
        }
        say::line(&format!("    {BASE} cannot be pulled here: from packages instead"));
        bootstrap(&tag, place, machine)
    }

    fn remedy(&self, _: &Machine) -> String {
        format!(
            "let the engine pull {BASE}, or install mmdebstrap and a package mirror; \
             a machine that has the image can hand it on: docker save IMAGE | gzip > image.tar.gz, then here: docker load < image.tar.gz"
        )
    }
}

/// mmdebstrap makes the root file system, the engine imports it; nothing is written in between.
fn bootstrap(tag: &str, place: &Place, machine: &Machine) -> Result<(), Failure> {
    let mirror = machine.mirror.as_ref().ok_or_else(|| {
        Failure::new("no package mirror is named in this machine's apt sources").fix("add one to /etc/apt/sources.list")
    })?;
    let suite = if mirror.is_debian { SUITE } else { machine.codename.as_str() };
    let definition = place.image_definition();
    let names = packages(place)?.join(",");
    let include = format!("--include={names}");
    let copy = format!("--customize-hook=copy-in {} /", definition.join("finish.sh").display());
    let components = if mirror.is_debian { "--components=main" } else { "--components=main,universe" };
    // The manual's folder must stay until the end: the JDK's alternatives link into it. finish.sh empties it.
    let line = [
        "--variant=essential",
        "--format=tar",
        components,
        &include,
        "--dpkgopt=path-exclude=/usr/share/doc/*",
        "--dpkgopt=path-include=/usr/share/doc/*/copyright",
        "--dpkgopt=path-exclude=/usr/share/locale/*",
        "--dpkgopt=path-exclude=/usr/share/info/*",
        "--aptopt=Apt::Install-Recommends \"false\"",
        &copy,
        "--customize-hook=chroot \"$1\" sh /finish.sh && rm \"$1/finish.sh\"",
        suite,
        "-",
        &mirror.uri,
    ];
    // Without root it makes a user namespace of its own, where the machine allows that.
    let made = machine.as_root("mmdebstrap", &line);
    let mut make = made.unwrap_or_else(|_| {
        let mut plain = Command::new("mmdebstrap");
        plain.args(line);
        plain
    });
    import(&mut make, tag, place)
}

fn import(make: &mut Command, tag: &str, place: &Place) -> Result<(), Failure> {
    let log_path = place.logs().join("image.log");
    let log = fs::File::create(&log_path).map_err(|source| Failure::file("cannot write", &log_path, &source))?;
    let cannot = |source: std::io::Error| Failure::new(format!("cannot start mmdebstrap: {source}"));
    let mut making = make.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).spawn().map_err(cannot)?;
    let tar = making.stdout.take().expect("standard output was asked for as a pipe");
    let mut import = docker();
    import.args(["import", "--change", "USER 1000:1000", "--change", "ENV LANG=C.UTF-8", "-", UNFINISHED]).stdin(tar);
    let imported = import.output().map_err(|source| Failure::new(format!("cannot start docker import: {source}")))?;
    let made = making.wait().map_err(cannot)?;
    let is_whole = made.success() && imported.status.success();
    if is_whole {
        command::output(docker().args(["tag", UNFINISHED, tag]))?;
    }
    command::succeeds(docker().args(["image", "rm", UNFINISHED]), PULL_LIMIT);
    if is_whole {
        return Ok(());
    }
    let said = fs::read_to_string(&log_path).unwrap_or_default();
    let lines: Vec<&str> = said.lines().collect();
    let end = lines[lines.len().saturating_sub(25)..].join("\n");
    let refused = String::from_utf8_lossy(&imported.stderr).trim().to_owned();
    Err(Failure::new(format!("mmdebstrap ({made}) and docker import ({}) {refused}\n{end}", imported.status)))
}

fn packages(place: &Place) -> Result<Vec<String>, Failure> {
    let path = place.image_definition().join("packages.txt");
    let text = fs::read_to_string(&path).map_err(|source| Failure::file("cannot read", &path, &source))?;
    let names = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(names.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defined(finish: &str) -> (tempfile::TempDir, Place) {
        let root = tempfile::tempdir().expect("a temporary folder can be made");
        let place = Place { root: root.path().into(), target: root.path().into(), cache: root.path().into() };
        fs::create_dir_all(place.image_definition()).expect("the folder can be made");
        for (name, text) in
            [("Dockerfile", "FROM x\n"), ("finish.sh", finish), ("packages.txt", "# why\ngcc\n\n tar\n")]
        {
            fs::write(place.image_definition().join(name), text).expect("the file can be written");
        }
        (root, place)
    }

    #[test]
    fn a_changed_definition_is_another_image() {
        let ((_one, first), (_two, second)) = (defined("true\n"), defined("false\n"));
        let (first, second) = (tag(&first).expect("defined"), tag(&second).expect("defined"));
        assert_ne!(first, second);
        assert_eq!(first.len(), "agon-sandbox:".len() + 12);
    }

    #[test]
    fn remarks_and_blank_lines_are_no_packages() {
        let (_root, place) = defined("");
        assert_eq!(packages(&place).expect("the list is there"), ["gcc", "tar"]);
    }
}
