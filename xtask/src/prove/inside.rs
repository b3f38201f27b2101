//! What happens on the fresh machine, seen from the first process of its namespaces.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Act;
use super::browser::Browser;
use super::root::{CLONE, TOOLCHAIN, USER};
use crate::command;
use crate::failure::Failure;
use crate::place;
use crate::say;

/// What the browser's page must contain to be the interface and not an excuse.
const PAGE_HAS: &str = "agon_ui.js";
/// The module that the page loads, and how every such module begins.
const MODULE: (&str, &str) = ("/agon_ui_bg.wasm", "\0asm");

/// Mounts what a running machine has, makes the folder the root of this namespace, then does the acts in order.
///
/// A mere `chroot` would not do: the kernel refuses user namespaces there, and an ordinary user's checks need them.
pub(super) fn act(acts: &[Act], folder: &Path) -> Result<(), Failure> {
    mount_all(folder)?;
    become_root(folder)?;
    let result = acts.iter().try_for_each(|act| {
        say::heading(&format!("proof: {act:?}"));
        let begun = Instant::now();
        one(*act)?;
        say::line(&format!("proof: {act:?} holds, {} s", begun.elapsed().as_secs()));
        Ok(())
    });
    stop_engine();
    result
}

fn one(act: Act) -> Result<(), Failure> {
    match act {
        Act::Setup => {
            command::on_terminal(&mut as_root("cargo xtask setup"))?;
            let again = command::output(&mut as_root("cargo xtask setup"))?;
            let repeated = again.lines().find(|line| line.starts_with('[') && !line.contains(": there ("));
            repeated.map_or(Ok(()), |line| Err(Failure::new(format!("a second set-up did something again: {line}"))))
        }
        Act::Run => serves(as_root("cargo xtask run")),
        Act::Test => command::on_terminal(&mut as_root("cargo xtask test")),
        Act::User => {
            command::output(Command::new("usermod").args(["-aG", "docker", USER]))?;
            // An ordinary user finds system packages and a running engine: only root installs and starts them.
            command::on_terminal(&mut as_root("cargo xtask setup packages engine"))?;
            serves(as_user("cargo xtask run"))?;
            command::on_terminal(&mut as_user("cargo xtask test"))
        }
    }
}

fn mount_all(folder: &Path) -> Result<(), Failure> {
    let at = |name: &str| folder.join(name);
    let mount = |words: &[&str], what: &Path, on: &Path| {
        place::make(on)?;
        command::output(Command::new("mount").args(words).arg(what).arg(on)).map(|_| ())
    };
    // The engine's runtime looks for the mount that its root is on: the folder has to be one.
    mount(&["--bind"], folder, folder)?;
    mount(&["-t", "proc"], Path::new("proc"), &at("proc"))?;
    mount(&["--rbind"], Path::new("/sys"), &at("sys"))?;
    mount(&["--rbind"], Path::new("/dev"), &at("dev"))?;
    let sysroot = command::output(Command::new("rustc").args(["--print", "sysroot"]))?;
    mount(&["--bind"], Path::new(&sysroot), &at(TOOLCHAIN))?;
    let wasm = at(TOOLCHAIN).join("lib/rustlib/wasm32-unknown-unknown");
    if wasm.exists() {
        mount(&["-t", "tmpfs", "-o", "ro,size=4k"], Path::new("none"), &wasm)?;
    }
    command::output(Command::new("mount").args(["-o", "remount,bind,ro"]).arg(at(TOOLCHAIN)))?;
    Ok(())
}

/// Swaps roots and forgets the old one; this process and its children then see nothing but the fresh machine.
fn become_root(folder: &Path) -> Result<(), Failure> {
    let old = folder.join("mnt");
    command::output(Command::new("pivot_root").arg(folder).arg(&old))?;
    std::env::set_current_dir("/").map_err(|source| Failure::file("cannot enter", Path::new("/"), &source))?;
    command::output(Command::new("/usr/bin/umount").args(["--lazy", "/mnt"])).map(|_| ())
}

fn as_root(line: &str) -> Command {
    on_the_machine(&[], "/root", line)
}

fn as_user(line: &str) -> Command {
    let become_user = ["setpriv", "--reuid", USER, "--regid", USER, "--init-groups"];
    on_the_machine(&become_user, &format!("/home/{USER}"), line)
}

/// A command line in the clone below `home`, with the environment of a fresh login and nobody to answer questions.
fn on_the_machine(become_user: &[&str], home: &str, line: &str) -> Command {
    let mut enter = Command::new("/usr/bin/env");
    enter.args(["-i", "LANG=C.UTF-8", "TERM=dumb", "CARGO_TERM_COLOR=never"]);
    enter.arg(format!("HOME={home}"));
    enter.arg(format!("PATH=/{TOOLCHAIN}/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"));
    enter.args(become_user).args(["sh", "-c", &format!("cd {home}/{CLONE} && exec {line}")]).stdin(Stdio::null());
    enter
}

/// Starts it, waits for the printed address, opens that like a browser, and ends it like Ctrl-C.
fn serves(mut run: Command) -> Result<(), Failure> {
    let failed = |source: std::io::Error| Failure::new(format!("cannot start cargo xtask run: {source}"));
    let mut child = run.stdout(Stdio::piped()).spawn().map_err(failed)?;
    let output = child.stdout.take().expect("standard output was asked for as a pipe");
    let mut address = None;
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        say::line(&line);
        address = address_in(&line).map(str::to_owned);
        if address.is_some() {
            break;
        }
    }
    let opened = match &address {
        Some(address) => Browser::open(address).and_then(|(mut browser, page)| Ok((page, browser.get(MODULE.0)?))),
        None => Err(Failure::new("cargo xtask run ended without printing an address")),
    };
    interrupt(&mut child)?;
    let (page, module) = opened?;
    if !page.contains(PAGE_HAS) || !module.contains(MODULE.1) {
        return Err(Failure::new(format!("the address does not show the interface:\n{page}")));
    }
    say::line(&format!("proof: the printed address shows the interface ({} + {} bytes)", page.len(), module.len()));
    Ok(())
}

fn address_in(line: &str) -> Option<&str> {
    let from = line.find("http://127.0.0.1:")?;
    line[from..].split_whitespace().next()
}

/// What a terminal does on Ctrl-C: everything in the foreground gets the signal.
fn interrupt(child: &mut Child) -> Result<(), Failure> {
    let waited = |source: std::io::Error| Failure::new(format!("cannot wait for cargo xtask run: {source}"));
    if child.try_wait().map_err(waited)?.is_some() {
        return Ok(());
    }
    let id = child.id();
    for _ in 0..100 {
        let below: Vec<String> = descendants(id).iter().map(u32::to_string).collect();
        let kill = format!("kill -INT {}", below.join(" "));
        command::succeeds(Command::new("/bin/sh").args(["-c", &kill]), Duration::from_secs(10));
        if child.try_wait().map_err(waited)?.is_some() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    Err(Failure::new("cargo xtask run does not end on Ctrl-C"))
}

/// A process and everything below it: cargo, xtask and the server share the foreground.
fn descendants(id: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_string_lossy().parse::<u32>().ok());
    let below = ids.filter(|other| parent_of(*other) == Some(id));
    std::iter::once(id).chain(below.flat_map(descendants)).collect()
}

/// The fourth field of `stat`; the second may itself contain blanks and parentheses.
fn parent_of(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// Lets the engine end its boxes and unmount; whatever is left ends with the namespace.
fn stop_engine() {
    let stop = "for pid in $(cat /var/run/docker.pid 2>/dev/null); do kill $pid; done; \
                for i in $(seq 100); do [ -e /var/run/docker.pid ] || break; sleep 0.1; done";
    command::succeeds(Command::new("/bin/sh").args(["-c", stop]), Duration::from_secs(30));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_knows_its_parent() {
        let me = std::process::id();
        let mut child = Command::new("sleep").arg("60").spawn().expect("sleep can be started");
        assert_eq!(parent_of(child.id()), Some(me));
        assert!(descendants(me).contains(&child.id()));
        child.kill().and_then(|()| child.wait()).expect("our own child can be ended");
    }

    #[test]
    fn the_address_is_found_in_a_sentence() {
        let line = "Open http://127.0.0.1:4180/?token=abc in a browser";
        assert_eq!(address_in(line), Some("http://127.0.0.1:4180/?token=abc"));
        assert_eq!(address_in("see http://example.org/"), None);
    }
}
