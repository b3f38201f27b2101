//! What a host says when it opens the judge, and why opening may fail.

use std::path::PathBuf;
use std::sync::Arc;

use crate::clock::{Clock, SystemClock};
use crate::sandbox::Sandbox;
use crate::store::folder::DataFolder;
use crate::store::owner_socket::ask_to_show;

/// Where boxes come from.
#[derive(Clone)]
pub enum SandboxChoice {
    /// The Docker backend of this machine.
    Docker,
    /// A backend the caller made (tests, other machines).
    Given(Arc<dyn Sandbox>),
}

/// How to open a [`Judge`](super::Judge).
#[derive(Clone)]
pub struct JudgeConfig {
    /// The data folder; made when absent.
    pub data_folder: PathBuf,
    pub sandbox: SandboxChoice,
    /// Submissions judged at one time; `None`: one less than the machine's cores, at least one.
    pub workers: Option<usize>,
    /// Whether the host may name paths of this machine in requests (desktop window, local command line).
    pub takes_paths: bool,
    /// Opened to look at what is there: nothing is recovered, judged, sent or removed, and no backend is asked.
    pub only_looks: bool,
    /// Whether optional services run in this process; a short command only reads and sets their switches.
    pub runs_modules: bool,
    /// Optional services that this machine allows; `None`: all of this program.
    pub allowed_modules: Option<Vec<String>>,
    pub clock: Arc<dyn Clock>,
    /// Who owns the folder, told to a second opener: `agon-desktop`, `agon serve` …
    pub program: String,
}

impl JudgeConfig {
    /// Docker, default workers, the system's clock, paths taken, no optional services.
    #[must_use]
    pub fn new(data_folder: impl Into<PathBuf>, program: impl Into<String>) -> Self {
        Self {
            data_folder: data_folder.into(),
            sandbox: SandboxChoice::Docker,
            workers: None,
            takes_paths: true,
            only_looks: false,
            runs_modules: false,
            allowed_modules: allowed_modules(),
            clock: Arc::new(SystemClock::new()),
            program: program.into(),
        }
    }

    /// Whether the data folder has a database. Who only wants to look need not make a folder to find it empty.
    #[must_use]
    pub fn has_data(&self) -> bool {
        DataFolder::has_database(&self.data_folder)
    }

    /// `AGON_DATA`, else the platform's data folder: `$XDG_DATA_HOME/agon` or `~/.local/share/agon` on Linux,
    /// `~/Library/Application Support/Agon` on macOS, `%APPDATA%\Agon` on Windows. `None` when no home is known.
    #[must_use]
    pub fn default_data_folder() -> Option<PathBuf> {
        let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(folder) = var("AGON_DATA") {
            return Some(folder);
        }
        if cfg!(target_os = "windows") {
            var("APPDATA").map(|base| base.join("Agon"))
        } else if cfg!(target_os = "macos") {
            var("HOME").map(|home| home.join("Library/Application Support/Agon"))
        } else {
            var("XDG_DATA_HOME")
                .or_else(|| var("HOME").map(|home| home.join(".local/share")))
                .map(|base| base.join("agon"))
        }
    }
}

/// The allowlist of whoever runs the machine: names in `AGON_MODULES`, separated by commas; empty allows none.
fn allowed_modules() -> Option<Vec<String>> {
    let names = std::env::var("AGON_MODULES").ok()?;
    Some(names.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect())
}

/// Why the judge could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process owns the folder.
    #[error(
        "the data folder {} is in use by {program} (process {process_id}); close it, or choose another folder with AGON_DATA",
        folder.display()
    )]
    Occupied {
        folder: PathBuf,
        program: String,
        process_id: u32,
        /// Where the owner listens, if it does.
        socket: Option<PathBuf>,
    },
    /// The folder or a file in it cannot be made, read or written.
    #[error("the data folder {} cannot be used: {detail}", folder.display())]
    FolderUnusable { folder: PathBuf, detail: String },
    /// The database cannot be opened or brought up to date; it is as it was.
    #[error("the database in {} cannot be used: {detail}", folder.display())]
    StoreUnusable { folder: PathBuf, detail: String },
}

impl OpenError {
    /// When the folder is occupied: asks its owner to come to the front. True when it answered. Blocks up to 2 s.
    #[must_use]
    pub fn ask_owner_to_show(&self) -> bool {
        match self {
            Self::Occupied { socket: Some(socket), .. } => ask_to_show(socket),
            Self::Occupied { socket: None, .. } | Self::FolderUnusable { .. } | Self::StoreUnusable { .. } => false,
        }
    }
}
