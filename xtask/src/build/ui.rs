//! The interface: cargo → wasm-bindgen → `ui/dist/`, with its page, styles and assets.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::command;
use crate::failure::Failure;
use crate::place::{self, Place};
use crate::say;
use crate::setup::{self, wasm_target};

/// The name of the script and the module in `ui/dist/`, as `ui/index.html` refers to them.
const OUT_NAME: &str = "agon_ui";
/// What the page consists of besides the module; copied as it is.
const COPIED: [&str; 4] = ["index.html", "boot.js", "styles", "assets"];
/// How wasm-bindgen is asked to make the bundle; names and producers are only for debuggers.
///
/// There is no wasm-opt behind it: Debian 12's binaryen 108 writes every exported table as table 0 (also without a
/// pass), so the page dies at its start, and its result compresses worse: 567 KiB against 507 KiB by gzip -9.
const BIND: [&str; 5] = ["--target", "web", "--no-typescript", "--remove-name-section", "--remove-producers-section"];
/// Compressed size that the project promises to stay under, in bytes.
const PROMISED_BYTES: usize = 900 * 1024;

/// Builds the interface if anything it is made of has changed.
pub(crate) fn build(place: &Place) -> Result<(), Failure> {
    let mut cargo = place.cargo();
    cargo.envs(wasm_target::environment(place)?);
    cargo.args(["build", "--locked", "-p", "agon-ui", "--target", wasm_target::TARGET, "--profile", "wasm"]);
    command::on_terminal(&mut cargo)?;
    let module = module(place)?;
    let stamp = stamp(&module, place)?;
    let stamp_path = place.target.join("agon-ui.stamp");
    let is_current =
        place.dist().join("index.html").exists() && fs::read_to_string(&stamp_path).is_ok_and(|old| old == stamp);
    if !is_current {
        bundle(&module, place)?;
        fs::write(&stamp_path, &stamp).map_err(|source| Failure::file("cannot write", &stamp_path, &source))?;
    }
    report(is_current, place)
}

/// The compiled module; the package may be a library or a program.
fn module(place: &Place) -> Result<PathBuf, Failure> {
    let folder = place.target.join(wasm_target::TARGET).join("wasm");
    let found = ["agon_ui.wasm", "agon-ui.wasm"].map(|name| folder.join(name)).into_iter().find(|path| path.is_file());
    found.ok_or_else(|| {
        Failure::new(format!("cargo built no wasm module in {}", folder.display()))
            .fix("ui/Cargo.toml needs a program, or a library of type cdylib")
    })
}

/// Everything that the bundle is a function of, as one hash.
fn stamp(module: &Path, place: &Place) -> Result<String, Failure> {
    let mut hash = Sha256::new();
    let mut add = |path: &Path| -> Result<(), Failure> {
        hash.update(path.to_string_lossy().as_bytes());
        hash.update(fs::read(path).map_err(|source| Failure::file("cannot read", path, &source))?);
        Ok(())
    };
    add(module)?;
    add(&place.root.join("Cargo.lock"))?;
    for name in COPIED {
        for file in files_under(&place.root.join("ui").join(name))? {
            add(&file)?;
        }
    }
    hash.update(BIND.concat());
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Makes `ui/dist/` anew beside the old one and swaps them, so that a running server never serves half a page.
fn bundle(module: &Path, place: &Place) -> Result<(), Failure> {
    let fresh = place.root.join("ui/dist.new");
    place::remove(&fresh)?;
    place::make(&fresh)?;
    let mut bind = Command::new(setup::tool("wasm-bindgen", place)?);
    bind.args(BIND).args(["--out-name", OUT_NAME, "--out-dir"]).arg(&fresh).arg(module);
    command::output(&mut bind)?;
    for name in COPIED {
        let from = place.root.join("ui").join(name);
        for file in files_under(&from)? {
            let under = file.strip_prefix(place.root.join("ui")).expect("listed from that folder");
            let to = fresh.join(under);
            place::make(to.parent().unwrap_or(&fresh))?;
            fs::copy(&file, &to).map_err(|source| Failure::file("cannot copy", &file, &source))?;
        }
    }
    place::remove(&place.dist())?;
    fs::rename(&fresh, place.dist()).map_err(|source| Failure::file("cannot put in place", &place.dist(), &source))
}

fn report(was_current: bool, place: &Place) -> Result<(), Failure> {
    let bound = place.dist().join(format!("{OUT_NAME}_bg.wasm"));
    let whole = fs::metadata(&bound).map_err(|source| Failure::file("cannot read", &bound, &source))?.len();
    let compressed = Command::new("gzip").args(["-9", "-c"]).arg(&bound).output();
    let compressed = compressed.map_err(|source| Failure::new(format!("cannot start gzip: {source}")))?.stdout.len();
    let was = if was_current { "unchanged" } else { "built" };
    let (whole_kib, compressed_kib) = (whole / 1024, compressed / 1024);
    say::line(&format!("interface: {was}, {whole_kib} KiB of wasm, {compressed_kib} KiB compressed (gzip -9)"));
    if compressed > PROMISED_BYTES {
        return Err(Failure::new(format!("the interface is larger than the promised {} KiB", PROMISED_BYTES / 1024))
            .fix("see which crate grew: cargo tree -p agon-ui --target wasm32-unknown-unknown -e normal"));
    }
    Ok(())
}

/// Files under a path, sorted; a single file is itself, a missing path is nothing.
fn files_under(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if path.is_file() {
        return Ok(vec![path.to_path_buf()]);
    }
    if !path.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(path).map_err(|source| Failure::file("cannot read", path, &source))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let lists: Result<Vec<_>, _> = paths.iter().map(|path| files_under(path)).collect();
    Ok(lists?.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_style_sheet_is_another_bundle() {
        let root = tempfile::tempdir().expect("a temporary folder can be made");
        let place = Place { root: root.path().into(), target: root.path().into(), cache: root.path().into() };
        let write = |name: &str, text: &str| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder can be made");
            fs::write(path, text).expect("the file can be written");
        };
        write("Cargo.lock", "");
        write("m.wasm", "");
        write("ui/index.html", "<html>");
        let module = root.path().join("m.wasm");
        let first = stamp(&module, &place).expect("everything can be read");
        assert_eq!(first, stamp(&module, &place).expect("everything can be read"));
        write("ui/styles/deep/a.css", "a{}");
        assert_ne!(first, stamp(&module, &place).expect("everything can be read"));
    }

    #[test]
    fn files_are_listed_deeply_and_in_order() {
        let root = tempfile::tempdir().expect("a temporary folder can be made");
        fs::create_dir_all(root.path().join("b/c")).expect("the folder can be made");
        for name in ["b/c/2", "b/1", "a"] {
            fs::write(root.path().join(name), "").expect("the file can be written");
        }
        let files = files_under(root.path()).expect("it can be read");
        let names: Vec<_> = files.iter().map(|file| file.strip_prefix(root.path()).expect("inside")).collect();
        assert_eq!(names, [Path::new("a"), Path::new("b/1"), Path::new("b/c/2")]);
        assert!(files_under(&root.path().join("none")).expect("missing is empty").is_empty());
    }
}
