//! The fresh machine: a minimal root, a clone, and what whoever installed Rust there had to have.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::command;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::place::{self, Place};
use crate::say;

/// What a Rust toolchain and a clone take for granted: a linker, certificates, git.
const GIVEN: &str = "ca-certificates,gcc,git,libc6-dev";
/// Where the clone of root lies; the user has one of the same name at home.
pub(super) const CLONE: &str = "agon";
/// Where the toolchain is mounted.
pub(super) const TOOLCHAIN: &str = "opt/toolchain";
/// The unprivileged user.
pub(super) const USER: &str = "student";

/// Left in the folder, so that no other folder is ever taken for one of ours.
const MARK: &str = ".agon-proof";

/// Makes the machine, or takes one that was kept, and brings the current commit into its clones.
pub(super) fn make_or_renew(folder: &Path, place: &Place, machine: &Machine) -> Result<(), Failure> {
    if !folder.exists() {
        make(folder, place, machine)?;
    } else if !folder.join(MARK).exists() {
        return Err(Failure::new(format!("{} is no root of a proof", folder.display()))
            .fix("name a folder that does not exist"));
    }
    let user = folder.join("home").join(USER);
    clone(place, &folder.join("root").join(CLONE))?;
    clone(place, &user.join(CLONE))?;
    let mut own = Command::new("chroot");
    command::output(own.arg(folder).args(["chown", "-R", &format!("{USER}:{USER}")]).arg(format!("/home/{USER}")))?;
    Ok(())
}

fn make(folder: &Path, place: &Place, machine: &Machine) -> Result<(), Failure> {
    let mirror = machine.mirror.as_ref().ok_or_else(|| Failure::new("this machine's apt sources name no mirror"))?;
    say::line(&format!("a minimal {} root …", machine.codename));
    let mut make = Command::new("mmdebstrap");
    make.args(["--variant=minbase", "--components=main"]).arg(format!("--include={GIVEN}"));
    make.arg(&machine.codename).arg(folder).arg(&mirror.uri);
    command::logged(&mut make, &place.logs().join("proof.log"), Duration::from_secs(1800))?;

    for file in ["etc/resolv.conf", "etc/hosts"] {
        copy(&Path::new("/").join(file), &folder.join(file))?;
    }
    certificates(folder)?;
    // As in every container: installing a service does not start it.
    write(folder, "usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n")?;
    fs::set_permissions(folder.join("usr/sbin/policy-rc.d"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .map_err(|source| Failure::file("cannot make executable", folder, &source))?;
    // The network is shared with the machine's own engine: this one leaves bridge and filter rules alone.
    write(folder, "etc/docker/daemon.json", "{ \"bridge\": \"none\", \"iptables\": false }\n")?;
    let mut user = Command::new("chroot");
    command::output(user.arg(folder).args(["useradd", "--create-home", "--shell", "/bin/sh", USER]))?;
    write(folder, MARK, "")
}

/// A network that re-signs TLS needs its certificate in every root.
fn certificates(folder: &Path) -> Result<(), Failure> {
    match std::env::var_os("SSL_CERT_FILE") {
        Some(bundle) => copy(Path::new(&bundle), &folder.join("etc/ssl/certs/ca-certificates.crt")),
        None => Ok(()),
    }
}

/// A clone of the current commit; one that is there already keeps what it has built.
fn clone(place: &Place, to: &Path) -> Result<(), Failure> {
    let from = format!("file://{}", place.root.display());
    let git = |arguments: &[&str]| {
        // The user's clone belongs to the user.
        let mut git = Command::new("git");
        git.args(["-c", "safe.directory=*", "-C"]).arg(to).args(arguments);
        command::output(&mut git).map(|_| ())
    };
    if !to.exists() {
        place::make(to)?;
        git(&["init", "--quiet"])?;
    }
    git(&["fetch", "--quiet", "--depth", "1", &from, "HEAD"])?;
    git(&["reset", "--quiet", "--hard", "FETCH_HEAD"])
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::copy(from, to).map(|_| ()).map_err(|source| Failure::file("cannot copy", from, &source))
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Failure> {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap_or(folder))
        .and_then(|()| fs::write(&path, text))
        .map_err(|source| Failure::file("cannot write", &path, &source))
}
