//! What the commands share: why one did not get to its end, with which exit code, and how lines are written.

use std::io::Write;
use std::path::PathBuf;

use agon_contract::ApiError;
use judge_core::judging::{self, DeriveError, JudgeError};
use judge_core::{JudgeConfig, OpenError};

use crate::exit::Exit;

/// Why a command of the command line did not get to its end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    #[error("there is no home folder to keep data in; name a folder with AGON_DATA")]
    NoDataFolder,
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Refused(#[from] ApiError),
    #[error("files of our own cannot be written: {0}")]
    Write(#[from] std::io::Error),
    #[error("cannot wait for signals: {0}")]
    Signals(std::io::Error),
    #[error("{path} cannot be read: {source}", path = path.display())]
    Source { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Package(#[from] judge_core::package::PackageError),
    #[error("{0} is refused; nothing was judged")]
    PackageRefused(String),
    #[error("{}; known are {known}", match asked {
        Some(id) => format!("there is no language {id}"),
        None => "the files' names fit no language, name one with --language".to_owned(),
    })]
    NoLanguage { asked: Option<String>, known: String },
    #[error("{file} is no file of {language}, whose files end in {endings}; name the sources of one program", file = .file.display())]
    NotOfLanguage { file: PathBuf, language: String, endings: String },
    #[error("{folder} is a folder; name the source files in it", folder = .0.display())]
    IsFolder(PathBuf),
    #[error("{0}, which held the data folder, has ended meanwhile; try again")]
    HolderGone(String),
    #[error("there is no data of Agon in {folder}; AGON_DATA names another folder", folder = .0.display())]
    NoData(PathBuf),
    #[error("nothing serves the data folder {folder}; start `agon serve`", folder = .0.display())]
    NothingServes(PathBuf),
    #[error(
        "a problem called `{slug}` is already there with other content; with --replace this one takes its place and \
         the submissions stay"
    )]
    NameTaken { slug: String },
    #[error("there is no problem called `{0}`; `agon problems` lists them")]
    NoProblem(String),
    #[error("no submission matches; nothing was verified")]
    NothingToVerify,
    #[error("the sandbox cannot work: {0}")]
    SandboxAway(String),
    #[error("no verdict, by a fault of ours or the machine's: {0}")]
    Judge(#[from] JudgeError),
    #[error("no time limit can be derived: {0}")]
    Derive(#[from] DeriveError),
    #[error(transparent)]
    MetricsToken(#[from] crate::serve::metrics::WeakToken),
    #[error(transparent)]
    Restore(#[from] judge_core::RestoreError),
    #[error(transparent)]
    Serve(#[from] crate::serve::ServeError),
}

impl CommandError {
    /// What went wrong and why, in one line. Who stopped the command needs no explanation.
    pub(crate) fn in_words(&self) -> String {
        if self.exit() == Exit::Stopped {
            return "stopped".to_owned();
        }
        let mut words = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            let text = error.to_string();
            // Many errors already say what their cause says.
            if !words.contains(&text) {
                words.push_str(": ");
                words.push_str(&text);
            }
            cause = error.source();
        }
        words
    }

    /// The exit code of a command that ended so.
    pub(crate) fn exit(&self) -> Exit {
        use agon_contract::ErrorCode as Code;
        match self {
            Self::NoDataFolder
            | Self::NoData(_)
            | Self::NotOfLanguage { .. }
            | Self::IsFolder(_)
            | Self::Source { .. }
            | Self::Package(_)
            | Self::PackageRefused(_)
            | Self::NoLanguage { .. }
            | Self::MetricsToken(_)
            | Self::NothingServes(_)
            | Self::NameTaken { .. }
            | Self::NoProblem(_)
            | Self::NothingToVerify => Exit::Refused,
            Self::Judge(JudgeError::Cancelled) | Self::Derive(DeriveError::Judge(JudgeError::Cancelled)) => {
                Exit::Stopped
            }
            Self::Judge(JudgeError::BadSource { .. }) => Exit::Refused,
            Self::Derive(DeriveError::Judge(_)) | Self::Judge(_) | Self::SandboxAway(_) => Exit::Fault,
            Self::Derive(_) => Exit::Refused,
            Self::Refused(error) => match error.code {
                Code::BadRequest | Code::NotFound | Code::Conflict | Code::PackageRefused | Code::Unreadable => {
                    Exit::Refused
                }
                Code::Unauthenticated
                | Code::Forbidden
                | Code::Full
                | Code::TooManyAttempts
                | Code::SandboxUnavailable
                | Code::StorageUnavailable
                | Code::ModuleOff
                | Code::Stopping
                | Code::VersionMismatch
                | Code::Internal
                | Code::Unknown(_) => Exit::Fault,
            },
            Self::Restore(judge_core::RestoreError::Backup(_)) => Exit::Refused,
            Self::Open(_)
            | Self::Restore(_)
            | Self::HolderGone(_)
            | Self::Write(_)
            | Self::Signals(_)
            | Self::Serve(_) => Exit::Fault,
        }
    }
}

/// The folder of `AGON_DATA` or the platform.
pub(crate) fn data_folder() -> Result<PathBuf, CommandError> {
    JudgeConfig::default_data_folder().ok_or(CommandError::NoDataFolder)
}

/// Ids of the language table, for a message.
pub(crate) fn known_languages() -> String {
    judging::languages().iter().map(|language| language.id.as_str()).collect::<Vec<_>>().join(", ")
}

/// Waits for the first of Ctrl-C and SIGTERM.
pub(crate) async fn stop_asked() -> Result<(), std::io::Error> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// A number as lists print it, with or without its `#`.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    digits.parse().map_err(|_| format!("`{text}` is no number; lists print it, such as #5"))
}

/// One line on stdout.
pub(crate) fn say(line: impl std::fmt::Display) -> Result<(), CommandError> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

/// One line on stderr; a closed stderr is nobody's concern.
pub(crate) fn note(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_may_bring_its_sign() {
        assert_eq!((number("5"), number("#17")), (Ok(5), Ok(17)));
        assert!(number("five").is_err_and(|words| words.contains("five")));
    }

    #[test]
    fn an_error_names_its_cause_once_and_a_stop_is_no_fault() {
        let absent = || std::io::Error::from(std::io::ErrorKind::NotFound);
        let package = judge_core::package::PackageError::OpenSource { path: "/nowhere".into(), source: absent() };
        assert_eq!(CommandError::Package(package).in_words(), format!("/nowhere cannot be read: {}", absent()));
        let source = CommandError::Source { path: "a.cpp".into(), source: absent() };
        assert_eq!(source.in_words(), format!("a.cpp cannot be read: {}", absent()));
        let stopped = CommandError::Judge(JudgeError::Cancelled);
        assert_eq!((stopped.in_words().as_str(), stopped.exit()), ("stopped", Exit::Stopped));
    }
}
