//! Running other programs: captured, logged with signs of life, or on the terminal itself.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::say;

/// Lines of a failed program's log that are shown; the rest is in the file.
const LOG_TAIL_LINES: usize = 40;

/// A command line as a person would type it.
pub(crate) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}

/// Standard output of a program that must succeed.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let done = command
        .stdin(Stdio::null())
        .output()
        .map_err(|source| Failure::new(format!("cannot start {}: {source}", shown(command))))?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        return Err(Failure::new(format!("{} failed ({}): {}", shown(command), done.status, said.trim())));
    }
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

/// Whether a program can be started and ends well within `limit`; its output is dropped.
pub(crate) fn succeeds(command: &mut Command, limit: Duration) -> bool {
    let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    started.is_ok_and(|mut child| {
        wait(&mut child, limit, |_| ()).is_ok_and(|status| status.is_some_and(|status| status.success()))
    })
}

/// Runs a long program with its output in `log`, showing signs of life; on failure the end of the log is part of the message.
pub(crate) fn logged(command: &mut Command, log: &Path, limit: Duration) -> Result<(), Failure> {
    let file = File::options()
        .create(true)
        .append(true)
        .open(log)
        .and_then(|file| Ok((file.try_clone()?, file)))
        .map_err(|source| Failure::file("cannot write", log, &source))?;
    let line = shown(command);
    let from = file.0.metadata().map_or(0, |facts| facts.len());
    let mut child = command
        .stdin(Stdio::null())
        .stdout(file.0)
        .stderr(file.1)
        .spawn()
        .map_err(|source| Failure::new(format!("cannot start {line}: {source}")))?;
    let every_s = say::progress_every_s();
    let mut said_s = 0;
    let status = wait(&mut child, limit, |passed| {
        if passed.as_secs() >= said_s + every_s {
            said_s = passed.as_secs();
            say::progress(&format!("    {said_s:>4} s  {}", last_line(log)));
        }
    });
    say::end_progress();
    match status {
        Ok(Some(status)) if status.success() => Ok(()),
        Ok(Some(status)) => Err(Failure::new(format!("{line} failed ({status}); its output:\n{}", tail(log, from)))),
        Ok(None) => Err(Failure::new(format!("{line} did not end within {} s; {}", limit.as_secs(), tail(log, from)))),
        Err(source) => Err(Failure::new(format!("cannot wait for {line}: {source}"))),
    }
}

/// Runs a program on this terminal.
pub(crate) fn on_terminal(command: &mut Command) -> Result<(), Failure> {
    let line = shown(command);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::new(format!("{line} failed ({status})"))),
        Err(source) => Err(Failure::new(format!("cannot start {line}: {source}"))),
    }
}

/// Waits for our own child; after `limit` it is killed and the answer is `None`.
fn wait(child: &mut Child, limit: Duration, mut tick: impl FnMut(Duration)) -> std::io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        tick(begun.elapsed());
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn last_line(log: &Path) -> String {
    let text = std::fs::read(log).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let line = text.split(['\n', '\r']).rfind(|line| !line.trim().is_empty());
    line.unwrap_or_default().trim().to_owned()
}

fn tail(log: &Path, from: u64) -> String {
    let bytes = std::fs::read(log).unwrap_or_default();
    let start = usize::try_from(from).unwrap_or(0).min(bytes.len());
    let text = String::from_utf8_lossy(&bytes[start..]).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let kept = &lines[lines.len().saturating_sub(LOG_TAIL_LINES)..];
    format!("{}\n(whole log: {})", kept.join("\n"), log.display())
}

/// Where a program is found on PATH.
pub(crate) fn on_path(program: impl AsRef<OsStr>) -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program.as_ref())).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_program_shows_the_end_of_its_own_output() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let log = folder.path().join("log");
        std::fs::write(&log, "of an earlier run\n").expect("the log can be written");
        let mut command = Command::new("sh");
        command.args(["-c", "echo no space left >&2; exit 3"]);
        let failure = logged(&mut command, &log, Duration::from_secs(60)).expect_err("exit 3 is a failure").to_string();
        assert!(failure.contains("no space left") && failure.contains("exit status: 3"), "{failure}");
        assert!(!failure.contains("earlier run"), "{failure}");
    }

    #[test]
    fn a_program_that_never_ends_is_ended() {
        let mut command = Command::new("sleep");
        assert!(!succeeds(command.arg("600"), Duration::from_millis(100)));
    }

    #[test]
    fn a_command_line_can_be_pasted_into_a_shell() {
        let mut command = Command::new("apt-get");
        command.args(["install", "-o", "A B"]);
        assert_eq!(shown(&command), "apt-get install -o 'A B'");
    }
}
