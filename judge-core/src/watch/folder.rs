//! The folder of problem packages: what lies in it, what comes to rest, what becomes of it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agon_contract::ids::UserId;
use agon_contract::watch::{WatchedFolderState, WatchedPackage, WatchedPackageState};
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::board::FolderSeen;
use super::content::Kind;
use super::look::{Looked, look, signature_of};
use super::settle::Settle;
use super::wakes::{RecursiveMode, Told, Wakes, blind};
use super::{Means, content, network};
use crate::module::ModuleFailure;
use crate::owner::catalog::WatchedDecision;
use crate::store::{StoreError, chain};

/// Name of the setting that holds a [`FolderSetting`].
pub(crate) const WATCH_FOLDER: &str = "watch.package_folder";

/// An archive is at rest when it has not changed for so long; a folder, whose files come one by one, for longer.
const ARCHIVE_QUIET: Duration = Duration::from_secs(2);
const FOLDER_QUIET: Duration = Duration::from_secs(10);
/// Between two looks while something changes, or where nobody tells of changes.
const BUSY_TICK: Duration = Duration::from_secs(1);
const POLL_TICK: Duration = Duration::from_secs(5);
/// Between two looks for a folder that is away.
const MISSING_TICK: Duration = Duration::from_secs(2);
/// A told folder is looked at whole now and then all the same: whatever was lost on the way is found.
const CALM_TICK: Duration = Duration::from_secs(60);
/// A burst of events is one look.
const GATHERED: Duration = Duration::from_millis(200);
/// Before something that could not be taken in is tried again.
const RETRY_MS: i64 = 30_000;

/// Which folder, as the settings keep it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FolderSetting {
    pub path: String,
    pub polls: bool,
    /// Who set it: packages are taken in on this person's behalf.
    pub by: UserId,
}

/// What is known of one package without looking again.
struct Known {
    signature: String,
    view: WatchedPackage,
    /// Steady time of the next try, where one is due.
    retry_at_ms: Option<i64>,
}

/// The task that watches the folder.
pub(super) struct FolderTask {
    means: Means,
    wakes: Wakes,
    orders: Arc<Notify>,
    setting: Option<FolderSetting>,
    settle: Settle,
    known: HashMap<String, Known>,
    /// Which file system object was watched; another one under the same name is another folder.
    watched: Option<String>,
    looks_at_all: bool,
    /// Steady time of the last look at everything.
    looked_at_all_ms: i64,
}

impl FolderTask {
    pub(super) fn new(means: Means) -> Result<Self, ModuleFailure> {
        let orders = means.board.folder_orders();
        Ok(Self {
            wakes: Wakes::new()?,
            means,
            orders,
            setting: None,
            settle: Settle::default(),
            known: HashMap::new(),
            watched: None,
            looks_at_all: true,
            looked_at_all_ms: 0,
        })
    }

    /// Looks, waits, looks again, until it is told to stop.
    pub(super) async fn run(mut self, first: Duration, stop: CancellationToken) -> Result<(), ModuleFailure> {
        let bell = self.wakes.bell();
        let mut pause = first;
        loop {
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                () = self.orders.notified() => {}
                () = self.means.clock.sleep(pause) => {}
                () = bell.notified() => {
                    tokio::select! {
                        () = stop.cancelled() => return Ok(()),
                        () = self.means.clock.sleep(GATHERED) => {}
                    }
                }
            }
            // A look may take as long as a package needs; a stop does not wait for it. What was half-done is done anew.
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                next = self.pass() => pause = next?,
            }
        }
    }

    /// One look at everything that may have changed; answers how long to wait for the next. A store that does not
    /// answer now is asked again.
    pub(super) async fn pass(&mut self) -> Result<Duration, ModuleFailure> {
        match self.look_once().await {
            Ok(pause) => Ok(pause),
            Err(PassError::Watch(failure)) => Err(failure),
            Err(PassError::Store(error)) => {
                tracing::warn!(error = %chain(&error), "the watched folder waits for the store");
                self.looks_at_all = true;
                Ok(POLL_TICK)
            }
        }
    }

    async fn look_once(&mut self) -> Result<Duration, PassError> {
        let setting = self.read_setting().await?;
        if setting != self.setting {
            self.begin_anew(setting);
        }
        let Some(setting) = self.setting.clone() else {
            self.wakes.watch_only(&BTreeMap::new())?;
            self.means.board.show_folder(None);
            return Ok(CALM_TICK);
        };
        let root = PathBuf::from(&setting.path);
        let told = self.wakes.take();
        if told.is_blind {
            return Err(blind().into());
        }
        for name in self.means.board.take_rechecks() {
            self.known.remove(&name);
            self.looks_at_all = true;
        }
        if told.paths.contains(&root) {
            // The folder itself was moved or removed, and its watches with it.
            self.watched = None;
        }
        let state = match self.hold(&root, setting.polls).await? {
            Ok(state) => state,
            Err((state, message)) => {
                self.settle = Settle::default();
                self.looks_at_all = true;
                self.show(&setting, state, message);
                return Ok(MISSING_TICK);
            }
        };
        match list(root.clone()).await {
            Ok(found) => {
                let is_polling = state == WatchedFolderState::Polling;
                self.looks_at_all |= told.everything || self.is_time_for_all(is_polling);
                self.look_at(&setting, &root, found, &told).await?;
            }
            Err(error) => {
                self.show(&setting, WatchedFolderState::Unreadable, chain(&error));
                return Ok(MISSING_TICK);
            }
        }
        let is_polling = state == WatchedFolderState::Polling;
        self.show(&setting, state, String::new());
        Ok(self.next_pause(is_polling))
    }

    async fn read_setting(&self) -> Result<Option<FolderSetting>, StoreError> {
        let stored = self.means.admin.setting(WATCH_FOLDER.to_owned()).await?;
        Ok(stored.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Where nobody tells of changes they are looked for often, elsewhere now and then.
    fn is_time_for_all(&self, is_polling: bool) -> bool {
        let every = if is_polling { POLL_TICK } else { CALM_TICK };
        let since_ms = self.means.clock.steady_ms() - self.looked_at_all_ms;
        since_ms >= i64::try_from(every.as_millis()).unwrap_or(i64::MAX)
    }

    fn begin_anew(&mut self, setting: Option<FolderSetting>) {
        self.setting = setting;
        self.settle = Settle::default();
        self.known.clear();
        self.watched = None;
        self.looks_at_all = true;
    }

    /// Makes sure that the folder is there and watched as it should be.
    async fn hold(
        &mut self,
        root: &Path,
        polls: bool,
    ) -> Result<Result<WatchedFolderState, (WatchedFolderState, String)>, ModuleFailure> {
        let path = root.to_owned();
        let looked = tokio::task::spawn_blocking(move || identity(&path).map(|id| (id, network::is_untold(&path))));
        let (identity, is_untold) = match looked.await.unwrap_or_else(|error| Err(io::Error::other(error))) {
            Ok(found) => found,
            Err(error) => {
                self.watched = None;
                self.wakes.watch_only(&BTreeMap::new())?;
                return Ok(Err(match error.kind() {
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                        (WatchedFolderState::Missing, "the folder is not there".to_owned())
                    }
                    _ => (WatchedFolderState::Unreadable, chain(&error)),
                }));
            }
        };
        if self.watched.as_ref() != Some(&identity) {
            self.wakes.forget(root);
            self.watched = Some(identity);
            self.looks_at_all = true;
        }
        if polls || is_untold {
            self.wakes.watch_only(&BTreeMap::new())?;
            return Ok(Ok(WatchedFolderState::Polling));
        }
        self.wakes.watch_only(&BTreeMap::from([(root.to_owned(), RecursiveMode::Recursive)]))?;
        Ok(Ok(WatchedFolderState::Watching))
    }

    async fn look_at(
        &mut self,
        setting: &FolderSetting,
        root: &Path,
        found: Vec<(String, Option<Kind>)>,
        told: &Told,
    ) -> Result<(), StoreError> {
        let names: BTreeSet<String> = found.iter().map(|(name, _)| name.clone()).collect();
        self.drop_gone(root, &names).await?;
        let touched = touched(root, told);
        let looks_at_all = std::mem::take(&mut self.looks_at_all);
        if looks_at_all {
            self.looked_at_all_ms = self.means.clock.steady_ms();
        }
        for (name, kind) in found {
            let is_due = self
                .known
                .get(&name)
                .is_none_or(|known| known.retry_at_ms.is_some_and(|at_ms| at_ms <= self.means.clock.steady_ms()));
            if looks_at_all || is_due || self.settle.observes(&name) || touched.contains(&name) {
                self.look_at_one(setting, root, &name, kind).await?;
            }
        }
        Ok(())
    }

    /// What left the folder is decided anew when it comes back, and takes the place of the problem that it made: files are
    /// made anew, and mounts come and go.
    async fn drop_gone(&mut self, root: &Path, names: &BTreeSet<String>) -> Result<(), StoreError> {
        let gone: Vec<String> = self.known.keys().filter(|name| !names.contains(*name)).cloned().collect();
        for name in gone {
            self.known.remove(&name);
            self.settle.forget(&name);
            self.means.catalog.doubt_watched(root.join(&name).to_string_lossy().into_owned()).await?;
        }
        Ok(())
    }

    async fn look_at_one(
        &mut self,
        setting: &FolderSetting,
        root: &Path,
        name: &str,
        kind: Option<Kind>,
    ) -> Result<(), StoreError> {
        let quiet = match kind {
            Some(Kind::Archive) => ARCHIVE_QUIET,
            Some(Kind::Folder) => FOLDER_QUIET,
            Some(Kind::Link) => {
                self.refuse(name, "symlink", IS_LINK, "Put the package itself there.");
                return Ok(());
            }
            None => {
                self.refuse(name, "name_not_utf8", BAD_NAME, "Rename it.");
                return Ok(());
            }
        };
        let path = root.join(name);
        let now_ms = self.means.clock.steady_ms();
        let signature = match signature_of(path.clone()).await {
            Ok(signature) => signature,
            // It left, or cannot be read: the next look at the folder says which.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => {
                self.wait(name, String::new(), format!("it cannot be read: {}", chain(&error)));
                return Ok(());
            }
        };
        let known = self.known.get(name);
        let is_due = known.is_some_and(|known| known.retry_at_ms.is_some_and(|at_ms| at_ms <= now_ms));
        if known.is_some_and(|known| known.signature == signature) && !is_due && !self.settle.observes(name) {
            return Ok(());
        }
        if !self.settle.observe(name, &signature, quiet, now_ms) {
            self.know(name, signature, WatchedPackageState::Settling, None);
            return Ok(());
        }
        self.know(name, signature.clone(), WatchedPackageState::Looking, None);
        self.show(setting, self.shown_state(), String::new());
        match look(&self.means, &path, &signature, &setting.by).await? {
            Looked::Decided(decision) => self.decided(name, signature, &decision),
            Looked::Moved => {
                self.settle.observe(name, "", quiet, now_ms);
                self.know(name, signature, WatchedPackageState::Settling, None);
            }
            Looked::Later { reason } => self.wait(name, signature, reason),
        }
        Ok(())
    }

    fn decided(&mut self, name: &str, signature: String, decision: &WatchedDecision) {
        let state = if decision.is_refused { WatchedPackageState::Refused } else { WatchedPackageState::Imported };
        self.know(name, signature, state, Some(decision));
    }

    fn refuse(&mut self, name: &str, code: &str, reason: &str, remedy: &str) {
        let decision = WatchedDecision {
            is_refused: true,
            problem_id: None,
            code: code.to_owned(),
            reason: reason.to_owned(),
            remedy: remedy.to_owned(),
        };
        self.decided(name, code.to_owned(), &decision);
    }

    fn wait(&mut self, name: &str, signature: String, reason: String) {
        let decision = WatchedDecision {
            is_refused: false,
            problem_id: None,
            code: "later".to_owned(),
            reason,
            remedy: String::new(),
        };
        self.know(name, signature, WatchedPackageState::Waiting, Some(&decision));
        let retry_at_ms = self.means.clock.steady_ms() + RETRY_MS;
        if let Some(known) = self.known.get_mut(name) {
            known.retry_at_ms = Some(retry_at_ms);
        }
    }

    fn know(&mut self, name: &str, signature: String, state: WatchedPackageState, decision: Option<&WatchedDecision>) {
        let before = self.known.get(name).map(|known| &known.view);
        let since_ms = match before {
            Some(view) if view.state == state => view.since_ms,
            Some(_) | None => self.means.clock.wall_ms(),
        };
        let view = WatchedPackage {
            name: name.to_owned(),
            state,
            since_ms,
            problem_id: decision.and_then(|decision| decision.problem_id.clone()),
            code: decision.map(|decision| decision.code.clone()).unwrap_or_default(),
            reason: decision.map(|decision| decision.reason.clone()).unwrap_or_default(),
            remedy: decision.map(|decision| decision.remedy.clone()).unwrap_or_default(),
        };
        self.known.insert(name.to_owned(), Known { signature, view, retry_at_ms: None });
    }

    fn show(&self, setting: &FolderSetting, state: WatchedFolderState, message: String) {
        let packages = self.known.iter().map(|(name, known)| (name.clone(), known.view.clone())).collect();
        self.means.board.show_folder(Some(FolderSeen { path: setting.path.clone(), state, message, packages }));
    }

    fn shown_state(&self) -> WatchedFolderState {
        self.means.board.seen().folder.map_or(WatchedFolderState::Watching, |folder| folder.state)
    }

    fn next_pause(&self, is_polling: bool) -> Duration {
        let has_retry = self.known.values().any(|known| known.retry_at_ms.is_some());
        if !self.settle.is_empty() {
            BUSY_TICK
        } else if is_polling || has_retry {
            POLL_TICK
        } else {
            CALM_TICK
        }
    }
}

const IS_LINK: &str = "it is a symbolic link, which may lead anywhere";
const BAD_NAME: &str = "its name is not UTF-8";

/// Names of the packages that something was told about.
fn touched(root: &Path, told: &Told) -> BTreeSet<String> {
    let first = |path: &PathBuf| {
        let below = path.strip_prefix(root).ok()?;
        Some(below.components().next()?.as_os_str().to_string_lossy().into_owned())
    };
    told.paths.iter().filter_map(first).collect()
}

/// Which object of the file system lies there; fails when it is no folder.
fn identity(path: &Path) -> io::Result<String> {
    let metadata = std::fs::metadata(path)?;
    if !metadata.is_dir() {
        return Err(io::Error::from(io::ErrorKind::NotADirectory));
    }
    // Permission to enter shows only when it is used.
    std::fs::read_dir(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // Numbers are given out again; the time of its making tells two apart where the file system keeps it.
        Ok(format!("{} {} {:?}", metadata.dev(), metadata.ino(), metadata.created().ok()))
    }
    #[cfg(not(unix))]
    Ok(path.display().to_string())
}

async fn list(root: PathBuf) -> io::Result<Vec<(String, Option<Kind>)>> {
    let listed = tokio::task::spawn_blocking(move || content::list(&root)).await;
    listed.unwrap_or_else(|error| Err(io::Error::other(error)))
}

/// Why a look was not finished.
pub(super) enum PassError {
    /// The system cannot watch; the module fails.
    Watch(ModuleFailure),
    /// Tried again.
    Store(StoreError),
}

impl From<ModuleFailure> for PassError {
    fn from(failure: ModuleFailure) -> Self {
        Self::Watch(failure)
    }
}

impl From<StoreError> for PassError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
