//! The standard library for wasm32: from rustup, or built from the same compiler's sources.
//!
//! A library that was built elsewhere does not fit: compiler and library must be of one build. So where rustup cannot
//! download, Debian's `rust-src` of exactly this version is compiled by the very compiler that will use it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::rust_src;
use crate::command;
use crate::failure::Failure;
use crate::machine::Machine;
use crate::place::{self, Place};
use crate::say;
use crate::step::{Found, Step};

/// The target's name.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";
/// rustup retries for minutes where nothing answers.
const RUSTUP_LIMIT: Duration = Duration::from_secs(120);
/// A compiler at work does not hang; minutes are usual.
const BUILD_LIMIT: Duration = Duration::from_secs(2 * 3600);

/// Step `wasm-target`.
pub(super) struct WasmTarget;

/// The installed compiler.
struct Compiler {
    version: String,
    commit: String,
    host: String,
    sysroot: PathBuf,
}

impl Compiler {
    fn ask() -> Result<Self, Failure> {
        let said = command::output(Command::new(rustc()).arg("-vV"))?;
        let field =
            |name: &str| said.lines().find_map(|line| line.strip_prefix(name)).map(str::trim).map(str::to_owned);
        let unknown = || Failure::new(format!("rustc -vV says neither release nor host: {said}"));
        Ok(Self {
            version: field("release:").ok_or_else(unknown)?,
            commit: field("commit-hash:").unwrap_or_default().chars().take(9).collect(),
            host: field("host:").ok_or_else(unknown)?,
            sysroot: PathBuf::from(command::output(Command::new(rustc()).args(["--print", "sysroot"]))?),
        })
    }

    /// A sysroot of our own for this very compiler, used when its own cannot be written.
    fn private_sysroot(&self, place: &Place) -> PathBuf {
        place.cache.join(format!("sysroot-{}-{}", self.version, self.commit))
    }
}

fn rustc() -> std::ffi::OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

/// Environment that a cargo command for wasm32 needs on this machine: nothing, unless the library is in a sysroot of our own.
pub(crate) fn environment(place: &Place) -> Result<Vec<(&'static str, String)>, Failure> {
    let compiler = Compiler::ask()?;
    if has_library(&compiler.sysroot) {
        return Ok(Vec::new());
    }
    let private = compiler.private_sysroot(place);
    if !has_library(&private) {
        return Err(Failure::new(format!("the {TARGET} target is not installed")).fix("cargo xtask setup wasm-target"));
    }
    Ok(vec![("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", format!("--sysroot={}", private.display()))])
}

fn libraries(sysroot: &Path) -> PathBuf {
    sysroot.join("lib/rustlib").join(TARGET).join("lib")
}

fn has_library(sysroot: &Path) -> bool {
    let files = fs::read_dir(libraries(sysroot)).into_iter().flatten().flatten();
    files.map(|entry| entry.file_name().to_string_lossy().into_owned()).any(|name| name.starts_with("libstd-"))
}

impl Step for WasmTarget {
    fn name(&self) -> &'static str {
        "wasm-target"
    }

    fn does(&self) -> String {
        "asking rustup, else building it from the compiler's sources".into()
    }

    fn look(&self, place: &Place, _: &Machine) -> Result<Found, Failure> {
        let compiler = Compiler::ask()?;
        let places = [compiler.sysroot.clone(), compiler.private_sysroot(place)];
        Ok(match places.iter().find(|sysroot| has_library(sysroot)) {
            Some(sysroot) => Found::Done(format!("{}, {}", compiler.version, libraries(sysroot).display())),
            None => Found::Missing(format!("rustc {} has no standard library for {TARGET}", compiler.version)),
        })
    }

    fn perform(&self, place: &Place, machine: &Machine) -> Result<(), Failure> {
        let compiler = Compiler::ask()?;
        if command::on_path("rustup").is_some()
            && command::succeeds(Command::new("rustup").args(["target", "add", TARGET]), RUSTUP_LIMIT)
        {
            return Ok(());
        }
        say::line("    rustup cannot add it here; fetching the library's sources from the distribution");
        // A fixed place: what an interrupted run left is removed by the next.
        let work = place.cache.join("work/wasm-target");
        place::remove(&work)?;
        place::make(&work)?;
        let library = rust_src::fetch(&compiler.version, &work, place, machine)?;
        let built = build(&compiler, &library, &work, place)?;
        lay(&built, &compiler, place)?;
        place::remove(&work)
    }

    fn remedy(&self, _: &Machine) -> String {
        format!(
            "rustup target add {TARGET} (with a network), or your distribution's package of that library for the very same rustc"
        )
    }
}

/// Compiles the library in an empty crate. A sysroot made of links carries the sources, so that the compiler's own stays as it is.
fn build(compiler: &Compiler, library: &Path, work: &Path, place: &Place) -> Result<PathBuf, Failure> {
    let failed = |source: std::io::Error| Failure::new(format!("cannot lay out the build of the library: {source}"));
    let sysroot = work.join("sysroot");
    link_host(&sysroot, compiler)?;
    place::make(&sysroot.join("lib/rustlib/src/rust"))?;
    std::os::unix::fs::symlink(library, sysroot.join("lib/rustlib/src/rust/library")).map_err(failed)?;
    let wrapper = work.join("rustc");
    let script = format!(
        "#!/bin/sh\nexec '{}/bin/rustc' --sysroot '{}' \"$@\"\n",
        compiler.sysroot.display(),
        sysroot.display()
    );
    fs::write(&wrapper, script).map_err(failed)?;
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&wrapper, executable).map_err(failed)?;

    let empty = work.join("empty");
    place::make(&empty.join("src"))?;
    fs::write(
        empty.join("Cargo.toml"),
        "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n",
    )
    .map_err(failed)?;
    fs::write(empty.join("src/lib.rs"), "").map_err(failed)?;
    let mut cargo = place.cargo();
    cargo.current_dir(&empty).env("RUSTC", &wrapper).env("RUSTC_BOOTSTRAP", "1");
    cargo.env("CARGO_TARGET_DIR", empty.join("target")).env_remove("RUSTFLAGS").env_remove("RUSTC_WRAPPER");
    cargo.args(["build", "--release", "--target", TARGET, "-Z", "build-std=std,panic_abort,proc_macro,test"]);
    command::logged(&mut cargo, &place.logs().join("wasm-target.log"), BUILD_LIMIT)?;
    Ok(empty.join("target").join(TARGET).join("release/deps"))
}

/// Puts the compiled libraries where the compiler looks, or into a sysroot of our own if its own is read-only.
fn lay(built: &Path, compiler: &Compiler, place: &Place) -> Result<(), Failure> {
    match copy_libraries(built, &compiler.sysroot) {
        Ok(()) => Ok(()),
        Err(refused) => {
            say::line(&format!("    the compiler's own folder cannot be written ({refused}): using one in the cache"));
            let private = compiler.private_sysroot(place);
            link_host(&private, compiler)?;
            copy_libraries(built, &private).map_err(|source| Failure::file("cannot write", &private, &source))
        }
    }
}

/// Copies beside the final place and renames: the compiler never sees half a library.
fn copy_libraries(built: &Path, sysroot: &Path) -> std::io::Result<()> {
    let target = sysroot.join("lib/rustlib").join(TARGET);
    let fresh = sysroot.join("lib/rustlib").join(format!("{TARGET}.new"));
    if fresh.exists() {
        fs::remove_dir_all(&fresh)?;
    }
    fs::create_dir_all(fresh.join("lib"))?;
    for entry in fs::read_dir(built)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libempty-") {
            fs::copy(entry.path(), fresh.join("lib").join(&name))?;
        }
    }
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    fs::rename(fresh, target)
}

/// A sysroot whose host part (its libraries and the linker) is that of the real one.
fn link_host(sysroot: &Path, compiler: &Compiler) -> Result<(), Failure> {
    let folder = sysroot.join("lib/rustlib");
    place::make(&folder)?;
    let link = folder.join(&compiler.host);
    if link.symlink_metadata().is_ok() {
        return Ok(());
    }
    std::os::unix::fs::symlink(compiler.sysroot.join("lib/rustlib").join(&compiler.host), &link)
        .map_err(|source| Failure::file("cannot link", &link, &source))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_laid_whole_and_without_the_empty_crate() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let (built, sysroot) = (folder.path().join("deps"), folder.path().join("sysroot"));
        fs::create_dir_all(&built).expect("the folder can be made");
        for name in ["libstd-1.rlib", "libcore-2.rlib", "libempty-3.rlib", "libstd-1.rmeta", "std-1.d"] {
            fs::write(built.join(name), name).expect("the file can be written");
        }
        assert!(!has_library(&sysroot));
        copy_libraries(&built, &sysroot).expect("the folder can be written");
        copy_libraries(&built, &sysroot).expect("a second time replaces the first");
        assert!(has_library(&sysroot));
        let mut names: Vec<_> =
            fs::read_dir(libraries(&sysroot)).expect("it was made").flatten().map(|e| e.file_name()).collect();
        names.sort();
        assert_eq!(names, ["libcore-2.rlib", "libstd-1.rlib"]);
        assert!(!sysroot.join("lib/rustlib").join(format!("{TARGET}.new")).exists());
    }
}
